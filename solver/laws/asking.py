"""A strategy that is asked for many decisions: the room it works in is made once, which costs more than to decide."""

from __future__ import annotations

import numpy as np

from houle.solver.bitset import U8
from houle.solver.contract import blank
from houle.solver.playout import DECIDE, Ledger, Span, play_games
from houle.solver.position import Table
from houle.solver.strategies.names import THUMB
from houle.solver.strategies.player import LineUp
from houle.solver.strategies.workspace import make_workspace, move_buffers
from houle.solver.tally import Tally, blank_ledger


class Asked:
    """What the strategies of a line-up would do; nobody in it may be at random."""

    def __init__(self, line_up: LineUp) -> None:
        setup = line_up.setup
        state = setup.game.STATE
        self._rules, self._players = setup.rules, line_up.records
        self._work = None if line_up.level <= THUMB else make_workspace(setup, line_up)
        self._moves, self._table = move_buffers(setup)
        self._states, self._openings = blank(state), blank(state)
        self._sums = Tally.empty(setup).sums
        self._ledger = Ledger(
            blank_ledger(0, 0), self._openings, blank(state, 0), np.array([DECIDE], np.int64), np.zeros(1, np.int8)
        )

    def decide(self, table: Table, key: int) -> int:
        """The move of the seat to move, as `Table.decide` has it; the table stays as it is, its luck too."""
        self._openings[0] = table.states[0]
        if self._work is not None:
            table.past.fill(self._work.memory)
        span = Span(U8(key), 0, 1, 0)
        return int(
            play_games(
                self._states,
                self._rules,
                self._players,
                self._work,
                self._moves,
                self._table,
                span,
                self._sums,
                self._ledger,
            )
        )
