"""Cells of a study, and the chunks of games that each is split into.

A cell is one setup with strategies, a seed and a goal (games, a precision, or decided targets). Games have numbers, so
any machine continues exactly where another stopped, in chunks of any size. A cell with a precision or targets may stop
at fixed looks; the games between two looks are a stretch, whose tally is a sum and so does not depend on the order of
its chunks. A cell with a fixed number of games is a single stretch.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from houle.analysis.sampling.grid import Seated, short_line_up
from houle.analysis.sampling.plan import play_pilot
from houle.analysis.stats.confidence_sequences import boundaries
from houle.analysis.stats.sequential_tests import FIRST_LOOK, looks
from houle.analysis.stats.width import forecast
from houle.solver.errors import StudyError
from houle.solver.rules import BY_HAND, is_own, value_text
from houle.solver.run import Run
from houle.solver.run.tally import Tally

CHUNK_SECONDS = 0.5
MOST_PARTS = 10_000


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

    @property
    def may_stop(self) -> bool:
        """Whether it may end before all its games are played."""
        return self.precision is not None or self.margin is not None

    def run(self, tally: Tally, asked: int, first: int = 0) -> Run:
        """The result of this cell's games, as if played in one run."""
        return Run(self.setup, self.line_up, self.seed, first, tally, asked, 0.0)

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
    text = value_text(value)
    return text if len(text) <= 24 else text[:21] + "..."


@dataclass(frozen=True)
class StudyPart:
    """One of several parts of a study, each played on its own; they need to know nothing of each other."""

    number: int  # from 1
    of: int

    @classmethod
    def parse(cls, text: str) -> StudyPart:
        """`3/20`, the third of twenty parts."""
        match = re.fullmatch(r"(\d{1,5})/(\d{1,5})", text, re.ASCII)
        if match is None or not 1 <= int(match[1]) <= int(match[2]) <= MOST_PARTS:
            allowed = f"allowed: NUMBER/PARTS with up to {MOST_PARTS:,} parts, as 3/20"
            raise StudyError(f"--part: {text[:40]!r} is not allowed; {allowed}")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def share(self, cell: int, games: int, whole: bool) -> tuple[int, int]:
        """The first game of this part in a cell, by its number, and the end, one beyond the last.

        A cell is shared out evenly. One that may stop early is played `whole` by one part, which sees when to stop.
        """
        place = (self.number + cell) % self.of  # by cell: small remainders go to different parts
        if whole:
            return 0, games if place == 0 else 0
        return games * place // self.of, games * (place + 1) // self.of


WHOLE = StudyPart(1, 1)


class CellPlan:
    """The stretches of a cell; `start` and `stop` are the games of a part of a study."""

    def __init__(self, start: int, stop: int, precision: float | None, margin: float | None) -> None:
        self.ends = [stop]
        if precision is not None:
            self.ends = boundaries(stop)
        elif margin is not None:
            self.ends = list(looks(stop))
        self.starts = [start, *self.ends[:-1]]

    def stretch(self, game: int) -> int:
        """The stretch that a game belongs to."""
        return bisect_right(self.starts, game) - 1

    def size(self, stretch: int) -> int:
        """How many games fill a stretch."""
        return self.ends[stretch] - self.starts[stretch]


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
    return max((forecast(share, cell.precision, cell.games) for share in pace.shares), default=cell.games)
