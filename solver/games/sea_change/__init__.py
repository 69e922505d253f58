"""SEA CHANGE: trick taking for 1 to 8 players; a card of the value just played makes its colour the trump."""

from houle.solver.games import define

GAME = define(__name__)
