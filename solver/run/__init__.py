"""Runs of many games: in chunks over threads."""

from houle.solver.os_calls import default_threads
from houle.solver.run.chunks import Run
