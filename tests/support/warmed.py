"""Imported once by the server that test processes are forked from: the compiler is loaded and WAVE compiled."""

import distributed as _distributed  # noqa: F401

from houle.analysis.studies import results as _results  # noqa: F401
from houle.cli.commands import study as _command  # noqa: F401
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk
from tests.support import studies as _studies  # noqa: F401

play_chunk(seat_strategies(make_setup("wave", 3), ("random",) * 3), 1, 0, 1)
