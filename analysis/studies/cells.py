"""What a study consists of: cells, and the chunks of games each is cut into.

A cell is one setup with its strategies, seed and goal. Its chunks are fixed once and for all by the goal and
the size of a chunk, so that any machine, thread or later day continues exactly where another stopped. A cell
with a precision is cut at the looks where it may stop: games between two looks form a stretch, whose
tally is a sum and therefore free of order. A cell with a fixed number of games is a single stretch.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from houle.analysis.sampling.timing import play_pilot
from houle.analysis.stats.sequences import boundaries
from houle.analysis.stats.sequential import FIRST_LOOK, looks
from houle.analysis.stats.width import forecast
from houle.solver.ruleset import BY_HAND, Setup, is_own
from houle.solver.run import Run
from houle.solver.strategies.player import seat_strategies
from houle.solver.tally import Tally

CHUNK_SECONDS = 0.5


@dataclass(frozen=True)
class Cell:
    """One configuration of a study."""

    setup: Setup
    strategies: tuple[str, ...]
    seed: int
    games: int  # to play; with a precision, at most
    precision: float | None = None  # half-width of every side's win rate, in percentage points
    chunk: int | None = None  # games per chunk where the spec says so
    margin: float | None = None  # percentage points; where it is played until its targets are decided

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides the result and the chunks; equal for cells that are the same."""
        return {
            "rules": self.setup.digest,
            "strategies": list(seat_strategies(self.setup, self.strategies).digests),
            "seed": self.seed,
            "games": self.games,
            "precision": self.precision,
            "chunk": self.chunk,
            **({} if self.margin is None else {"margin": self.margin}),
        }

    def run(self, tally: Tally, asked: int) -> Run:
        """What games of this cell came to, as if they had been played in one go."""
        return Run(self.setup, seat_strategies(self.setup, self.strategies), self.seed, 0, tally, asked, 0.0)

    @property
    def label(self) -> str:
        """The cell in a few words."""
        setup = self.setup
        told = [knob for knob, source in setup.changed.items() if not setup.title or source in BY_HAND]
        own = [setup.title, *(f"{knob}={_short(setup.options[knob])}" for knob in told)]
        variants = "+".join(setup.variants) or ("" if is_own(setup) else "base")
        words = [setup.ruleset.name, f"{setup.players} players", *filter(None, [variants, *own])]
        same = len(set(self.strategies)) == 1
        return " ".join([*words, self.strategies[0] if same else ",".join(self.strategies), f"seed {self.seed}"])


def _short(value: Any) -> str:
    text = "[" + ",".join(map(str, value)) + "]" if isinstance(value, list) else str(value)
    return text if len(text) <= 24 else text[:21] + "..."


class Plan:
    """The chunks of a cell by their numbers, and the stretches they fill."""

    def __init__(self, games: int, precision: float | None, chunk: int, margin: float | None = None) -> None:
        self.chunk = chunk
        self.ends = [games]
        if precision is not None:
            self.ends = boundaries(games)
        elif margin is not None:
            self.ends = list(looks(games))
        self.starts = [0, *self.ends[:-1]]
        lengths = [end - start for start, end in zip(self.starts, self.ends, strict=True)]
        # Number of the first chunk of every stretch, and after the last the number of all chunks.
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
        """A chunk's first game, and how many it has."""
        stretch = self.stretch(number)
        first = self.starts[stretch] + (number - self.offsets[stretch]) * self.chunk
        return first, min(self.chunk, self.ends[stretch] - first)


@dataclass(frozen=True)
class Pace:
    """How fast a cell plays here, and the chunks that follow from it."""

    chunk: int
    rate: float  # games a second on one thread
    shares: tuple[float, ...]  # each side's win rate in the games tried, for forecasts


def measure(cell: Cell) -> Pace:
    """Plays a few of the cell's games: chunks of about half a second follow from their speed."""
    pilot = play_pilot(cell.setup, cell.strategies, cell.seed, cell.games)
    chunk = cell.chunk or min(cell.games, _two_digits(pilot.rate * CHUNK_SECONDS))
    return Pace(chunk, pilot.rate, pilot.shares)


def _two_digits(number: float) -> int:
    """Rounded so that people can read it."""
    whole = max(1, int(number))
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return whole // unit * unit


def expected_games(cell: Cell, pace: Pace) -> int:
    """How many games a cell will probably take: with a precision, judged by the few games tried."""
    if cell.margin is not None:
        return min(cell.games, FIRST_LOOK)  # the games tried tell too little about edges: it grows at every look
    if cell.precision is None:
        return cell.games
    return max(forecast(share, cell.precision, cell.games) for share in pace.shares)
