"""Runs of many games: in chunks over threads, or on a graphics card."""

from houle.solver.run.chunks import Progress, Run, default_threads, first_chunk, in_chunks, play
from houle.solver.run.device import play_chunk
