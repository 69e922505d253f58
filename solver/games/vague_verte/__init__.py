"""VAGUE VERTE: a race to the beach. 2 to 4 players fill their own road and stop the others."""

from houle.solver.games import define

GAME = define(__name__)
