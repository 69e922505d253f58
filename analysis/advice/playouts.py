"""What every move at a position comes to: the same imagined worlds for all of them, each played to the end by thumbs.

A world is one that the seat cannot tell from the position. All moves are made in the same worlds, with the same luck to
come, so that small differences show: losses are paired by world.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.sampling.lineups import usual_strategy
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, Interval, around, wilson
from houle.analysis.stats.moments import Moments
from houle.solver import interface
from houle.solver.match import Match
from houle.solver.playout import play_chunk
from houle.solver.record.position import words_of
from houle.solver.strategies.player import seat_strategies
from houle.solver.tally import blank_ledger
from houle.solver.types import States

KEY = 1 << 43  # of the first imagined world: far from those of searches and of chances
SEEDS_APART = 1 << 24  # worlds of one seed before those of the next
MOST_AT_ONCE = 2_000  # games that are kept apart at a time
WORD = 2**64

Numbers = NDArray[np.int64]


def distinct_moves(match: Match) -> list[int]:
    """The moves that differ to who makes them: of equal cards one."""
    seat = match.to_move()
    kinds: dict[int, int] = {}
    for action in match.moves():
        kinds.setdefault(match.seen(action, seat)[1], action)
    return list(kinds.values())


def _bytes(states: States) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = states.view(np.ndarray).view(np.uint8)
    return found


class Playouts:
    """Worlds imagined so far, and what every move came to in each of them."""

    def __init__(self, match: Match, seed: int) -> None:
        self.table, self.seed = match, seed
        self.seat = match.to_move()
        self.side = int(match.setup.rules[0].side[self.seat])
        self.actions = distinct_moves(match)
        self.worlds = 0
        self.ends: list[Counter[str]] = [Counter() for _ in self.actions]
        self._thumbs = seat_strategies(match.setup, [usual_strategy(match.setup)])
        self._shares: list[Numbers] = []  # worlds x moves x sides
        self._points: list[NDArray[np.float64]] = []  # worlds x moves, of the own side
        self._ends = getattr(words_of(match.setup), "how_it_ends", None)

    @property
    def at_once(self) -> int:
        """Worlds that are played in one go."""
        return max(1, MOST_AT_ONCE // len(self.actions))

    def play(self, worlds: int) -> None:
        """Imagines so many more worlds, at most `at_once`, and plays every move out in each."""
        setup, moves = self.table.setup, len(self.actions)
        states = interface.blank(setup.game.STATE, worlds * moves)
        # Records are copied as bytes: field by field it takes longer than to play them out.
        rows = _bytes(states).reshape(worlds * moves, -1)
        line = copy(self.table)
        line.states = interface.blank(setup.game.STATE)
        here = _bytes(line.states)
        for world in range(worlds):
            key = (KEY + self.seed * SEEDS_APART + self.worlds + world) % WORD
            imagined = _bytes(self.table.imagine(self.seat, key).states)
            for i, action in enumerate(self.actions):
                here[:] = imagined
                line.apply(action)
                rows[world * moves + i] = here
        ledger = blank_ledger(worlds * moves, int(setup.rules[0].sides))
        final_states = interface.blank(setup.game.STATE, worlds * moves) if self._ends else None
        play_chunk(
            setup,
            self._thumbs,
            0,
            0,
            worlds * moves,
            ledger=ledger,
            openings=states,
            final_states=final_states,
            given=True,
        )
        self._shares.append(np.asarray(ledger.share).reshape(worlds, moves, -1).copy())
        points = np.asarray(ledger.points)[:, self.side] / np.maximum(np.asarray(ledger.entries)[:, self.side], 1)
        self._points.append(points.reshape(worlds, moves))
        if self._ends is not None:
            self._note_ends(final_states, moves)
        self.worlds += worlds

    def _note_ends(self, final_states: Any, moves: int) -> None:
        for number, words in enumerate(self._ends(final_states, self.table.setup)):  # type: ignore[misc]
            self.ends[number % moves][words] += 1

    @property
    def shares(self) -> Numbers:
        """Worlds x moves: the own side's share of the win."""
        return np.concatenate(self._shares)[:, :, self.side] if self._shares else np.zeros((0, len(self.actions)), int)

    def ranked(self) -> list[int]:
        """Places of the moves, the one that won most first; equal ones by what they scored, then as they are listed."""
        wins = self.shares.sum(axis=0)
        sign = -1 if self.table.setup.ruleset.lower_is_better else 1
        points = sign * np.concatenate(self._points).sum(axis=0)
        return sorted(range(len(self.actions)), key=lambda i: (-int(wins[i]), -float(points[i]), i))

    def win(self, move: int, side: int | None = None) -> Interval:
        """The chance of a side, the own one by default, after a move."""
        shares = np.concatenate(self._shares)[:, move, self.side if side is None else side]
        return wilson(float(shares.mean()) / WHOLE_WIN, self.worlds)

    def points(self, move: int) -> Interval:
        """Mean score of the own side after a move, per scored entry."""
        found = np.concatenate(self._points)[:, move]
        low, high = self.table.setup.score_range
        spread = float(found.var(ddof=1)) if len(found) > 1 else 0.0
        return around(float(found.mean()), spread, len(found)).within(low, high)

    def loss(self, move: int, best: int, confidence: float = CONFIDENCE) -> Interval:
        """How much less often a move wins than the best one, in the same worlds."""
        pairs = Moments.of(("best", "move"), self.shares[:, [best, move]].astype(np.int64))
        return pairs.rate_difference(pairs.mean("best", WHOLE_WIN), pairs.mean("move", WHOLE_WIN), confidence)
