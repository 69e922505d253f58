"""WAVE: cooperative, 2 to 4 surfers lay every card, each higher than the last in number or in colour."""

from houle.solver.games import define

GAME = define(__name__, is_cooperative=True)
