"""Deals that are played several times, by one or more line-ups and with other luck each time: every result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import LEDGER, Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.variance import Vector
from houle.solver.run.tally import Counts

COLUMNS = ("share", "points", "entries")


@dataclass
class Replays:
    """Whole numbers by column x side x play x deal, in parts."""

    parts: list[Counts]
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """Deals, as the engine counts them."""
        return sum(part.shape[3] for part in self.parts)

    @property
    def plays(self) -> int:
        """Games in all."""
        return self.games * int(self.parts[0].shape[2])

    def add(self, other: Replays) -> None:
        self.parts += other.parts

    @cached_property
    def numbers(self) -> Counts:
        """By column x deal x play x side."""
        return np.concatenate(self.parts, axis=3).transpose(0, 3, 2, 1)

    @property
    def outcomes(self) -> dict[str, Vector]:
        """Share of the win and mean score, by deal x play x side."""
        shares, points, entries = self.numbers
        return {"win": shares / WHOLE_WIN, "score": points / np.maximum(entries, 1)}

    def digest(self, by_play: bool = False) -> str:
        """A name that is equal for equal results. `by_play` reads the numbers play by play instead of deal by deal."""
        held = hashlib.sha256()
        for column in self.numbers:
            held.update(np.ascontiguousarray(column.swapaxes(0, 1) if by_play else column, "<i8").tobytes())
        return held.hexdigest()


def play_replays(plays: Sequence[Play], sides: Sequence[int], spec: RunSpec) -> Replays:
    """Play every deal of a run in each of these ways and keep the results of some sides; fewer deals after Ctrl-C."""

    def fold(chunks: list[Chunk], _: int) -> Replays:
        rows = [[[chunk.ledger[name][:, side] for chunk in chunks] for side in sides] for name in COLUMNS]
        return Replays([np.array(rows)])

    total = Replays([np.zeros((len(COLUMNS), len(sides), len(plays), 0), np.int64)])
    total.seconds = play_games(plays, spec, fold, total, LEDGER)
    return total
