"""Cells of a study, and the chunks of games that each is split into.

A cell is one setup with strategies, a seed and a goal (games, a precision, or decided targets). The goal and the chunk
size fix its chunks, so any machine continues exactly where another stopped. A cell with a precision or targets may stop
at fixed looks; the games between two looks are a stretch, whose tally is a sum and so does not depend on the order of
its chunks. A cell with a fixed number of games is a single stretch.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from houle.analysis.sampling.grid import Seated, short_line_up
from houle.analysis.sampling.timing import play_pilot
from houle.analysis.stats.sequences import boundaries
from houle.analysis.stats.sequential import FIRST_LOOK, looks
from houle.analysis.stats.width import forecast
from houle.solver.rules import BY_HAND, is_own
from houle.solver.run import Run
from houle.solver.run.tally import Tally

CHUNK_SECONDS = 0.5


@dataclass(frozen=True)
class Cell(Seated):
    """One setup of a study with its players, seed and goal."""

    seed: int
    games: int  # to play; with a precision, at most
    precision: float | None = None  # half-width of every side's win rate, in percentage points
    chunk: int | None = None  # games per chunk where the spec says so
    margin: float | None = None  # percentage points; set if it is played until its targets are decided

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the result and the chunks; equal for equal cells."""
        return {
            "rules": self.setup.digest,
            "strategies": list(self.line_up.digests),
            "seed": self.seed,
            "games": self.games,
            "precision": self.precision,
            "chunk": self.chunk,
            **({} if self.margin is None else {"margin": self.margin}),
        }

    def run(self, tally: Tally, asked: int) -> Run:
        """The result of this cell's games, as if played in one run."""
        return Run(self.setup, self.line_up, self.seed, 0, tally, asked, 0.0)

    @property
    def label(self) -> str:
        """The cell in a few words."""
        setup = self.setup
        shown = [knob for knob, source in setup.changed.items() if not setup.title or source in BY_HAND]
        own = [setup.title, *(f"{knob}={_short(setup.options[knob])}" for knob in shown)]
        variants = "+".join(setup.variants) or ("" if is_own(setup) else "base")
        words = [setup.ruleset.name, f"{setup.players} players", *filter(None, [variants, *own])]
        return " ".join([*words, short_line_up(self.strategies), f"seed {self.seed}"])


def _short(value: Any) -> str:
    text = "[" + ",".join(map(str, value)) + "]" if isinstance(value, list) else str(value)
    return text if len(text) <= 24 else text[:21] + "..."


class Plan:
    """The chunks of a cell by number, and the stretches they fill."""

    def __init__(self, games: int, precision: float | None, chunk: int, margin: float | None = None) -> None:
        self.chunk = chunk
        self.ends = [games]
        if precision is not None:
            self.ends = boundaries(games)
        elif margin is not None:
            self.ends = list(looks(games))
        self.starts = [0, *self.ends[:-1]]
        lengths = [end - start for start, end in zip(self.starts, self.ends, strict=True)]
        # Number of the first chunk of every stretch, then the number of all chunks.
        self.offsets = [0, *accumulate(-(-length // chunk) for length in lengths)]

    @property
    def chunks(self) -> int:
        return self.offsets[-1]

    def stretch(self, number: int) -> int:
        """The stretch that a chunk belongs to."""
        return bisect_right(self.offsets, number) - 1

    def size(self, stretch: int) -> int:
        """How many chunks fill a stretch."""
        return self.offsets[stretch + 1] - self.offsets[stretch]

    def span(self, number: int) -> tuple[int, int]:
        """The first game of a chunk, and its number of games."""
        stretch = self.stretch(number)
        first = self.starts[stretch] + (number - self.offsets[stretch]) * self.chunk
        return first, min(self.chunk, self.ends[stretch] - first)


@dataclass(frozen=True)
class Pace:
    """How fast a cell plays on this machine, and the chunk size that follows."""

    chunk: int
    rate: float  # games per second on one thread
    shares: tuple[float, ...]  # win rate of each side in the trial games, for forecasts


def measure(cell: Cell) -> Pace:
    """Play a few games of a cell and choose a chunk size of about half a second."""
    pilot = play_pilot(cell.line_up, cell.seed, cell.games)
    chunk = cell.chunk or min(cell.games, _two_digits(pilot.rate * CHUNK_SECONDS))
    return Pace(chunk, pilot.rate, pilot.shares)


def _two_digits(number: float) -> int:
    """Rounded down to two digits, for people."""
    whole = max(1, int(number))
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return whole // unit * unit


def expected_games(cell: Cell, pace: Pace) -> int:
    """How many games a cell will probably need; with a precision, forecast from the trial games."""
    if cell.margin is not None:
        return min(cell.games, FIRST_LOOK)  # a few games say too little about targets; the forecast grows at each look
    if cell.precision is None:
        return cell.games
    return max(forecast(share, cell.precision, cell.games) for share in pace.shares)
