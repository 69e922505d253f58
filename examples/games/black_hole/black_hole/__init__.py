"""Black Hole: a patience in which all cards lie open, so that play is exact thinking and nothing else."""

from houle.solver.interface import define

GAME = define(__name__, is_cooperative=True)
