"""LAND UNTER: 3 to 5 players duck the rising water. The hands travel, so everyone plays each of them."""

from houle.solver.games import define

GAME = define(__name__, hands_rotate=True)
