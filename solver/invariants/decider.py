"""Many decisions of a line-up with one workspace: allocating it takes longer than a decision."""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.compiler.types import States
from houle.solver.interface import blank
from houle.solver.matches.match import Match
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp
from houle.solver.players.reading.memory import WEIGHED, Memory, Past
from houle.solver.players.workspace import make_workspace, move_buffers
from houle.solver.run.playout import DECIDE, Ledger, Span, play_games
from houle.solver.run.tally import Counts, Tally, blank_ledger


class Decider:
    """Decides for the strategies of a line-up, none of which may be random."""

    def __init__(self, line_up: LineUp) -> None:
        setup = line_up.setup
        state = setup.game.STATE
        self._rules, self._players = setup.rules, line_up.records
        self._work = None if line_up.level <= THUMB else make_workspace(setup, line_up)
        self._moves, self._table = move_buffers(setup)
        self._states, self._openings = blank(state), blank(state)
        self._sums = Tally.empty(setup).sums
        self._ledger = Ledger(
            blank_ledger(0, 0), self._openings, blank(state, 0), np.array([DECIDE], np.int64), np.zeros(1, np.int8),
            np.zeros(0, np.int64),
        )  # fmt: skip
        self._kept: tuple[States, ...] = ()
        self._bytes = np.zeros(0, np.uint8)

    def decide(self, match: Match, key: int) -> int:
        """The move of the seat to move, as `Match.decide`, but without advancing the match's luck."""
        self._openings[0] = match.states[0]
        if self._work is not None and len(self._work.memory.actions):
            self._remember(match.past, self._work.memory)
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

    def odds(self) -> Counts:
        """The weight of each world at the last decision of a reader; all 0 where nothing could be read."""
        if self._work is None or not len(self._work.memory.odds):
            return np.zeros(1, np.int64)
        weighed = max(int(player.weighs) or WEIGHED for player in self._players)
        odds: Counts = np.diff(self._work.memory.odds[:weighed], prepend=0)
        return odds

    def _remember(self, past: Past, memory: Memory) -> None:
        """The same as `Past.fill`, but a hundred times faster: numpy joins records field by field.

        Worlds of one decision share the earlier states before `recall` changes them.
        """
        kept = past.kept[-len(memory.actions) :]
        if past.kept is not self._kept:
            self._kept, self._bytes = past.kept, np.frombuffer(b"".join(map(np.ndarray.tobytes, kept)), np.uint8)
        memory.states.view(np.ndarray).view(np.uint8)[: len(self._bytes)] = self._bytes
        memory.actions[: len(kept)] = past.actions[len(past.actions) - len(kept) :]
        memory.made[0] = len(kept)
        memory.odds[:] = 0
        for number, recall in past.recalls:
            recall(memory.states[: max(0, number - len(past.kept) + len(kept))])
