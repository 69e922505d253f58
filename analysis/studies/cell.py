"""A study: its cells, the chunks of games that each is split into, and the parts that share the chunks.

A cell is one setup with strategies, a seed and a number of games. Games have numbers, and a chunk is a range of them.
Its result is a pure function of the cell and that range, so it does not matter who plays it, where, or in which order.
The size of chunks follows from the players, not from the speed of a machine: all machines split a study alike. A
listener hears how their play goes, and may stop it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from houle.analysis.measures.targets import Target
from houle.analysis.sampling.alternatives import PRINTED
from houle.analysis.sampling.grid import Arm, Grid, Seated, axis_text, short_line_up, short_name
from houle.analysis.sampling.plan import work_of
from houle.solver.errors import StudyError
from houle.solver.rules import BY_HAND, digest, value_text
from houle.solver.rules.game_folders import portable_name
from houle.solver.run import Run
from houle.solver.run.tally import Tally

MOST_PARTS = 10_000
CHUNK_WORK = 1_500_000  # of a chunk, as `work_of` counts it: about a second of one core
LARGEST_CHUNK = 50_000  # games
PLAIN_SLOWER = 1_000  # times that a class in plain Python takes for a game
MOST_CHUNKS = 20_000  # of a cell; more would only make the log longer


@dataclass(frozen=True)
class Cell(Seated):
    """One setup of a study with its players, seed and number of games."""

    seed: int
    games: int
    given: int | None = None  # games per chunk where the spec says so

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the result and the chunks; equal for equal cells."""
        return {
            "rules": self.setup.digest,
            "strategies": list(self.line_up.digests),
            "seed": self.seed,
            "games": self.games,
            "chunk": self.chunk,
        }

    @property
    def chunk(self) -> int:
        """Games per chunk, the last one excepted."""
        if self.given is not None:
            return min(self.given, self.games)
        work = work_of(self.line_up) * (1 if self.setup.game.is_compiled else PLAIN_SLOWER)
        size = _two_digits(min(LARGEST_CHUNK, CHUNK_WORK / work))
        return min(self.games, max(size, -(-self.games // MOST_CHUNKS)))

    def run(self, tally: Tally) -> Run:
        """The result of this cell's games, as if played in one run."""
        return Run(
            self.setup, line_up=self.line_up, seed=self.seed, first=0, tally=tally, asked=self.games, seconds=0.0
        )


def _two_digits(number: float) -> int:
    """Rounded down to two digits, for people."""
    whole = max(1, int(number))
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return whole // unit * unit


def grid_of(cells: Sequence[Cell]) -> Grid:
    """Cells of one game as a grid: what they differ in makes its axes, and the labels of its arms.

    A rules file is one value, with the knobs that were set beside it. A seed is only in the label.
    """
    setups = [cell.setup for cell in cells]
    knobs = dict.fromkeys(
        knob for setup in setups for knob, source in setup.changed.items() if not setup.title or source in BY_HAND
    )
    with_files = any(setup.title for setup in setups)
    every: list[dict[str, Any]] = [
        {
            "players": cell.setup.players,
            "variants": "+".join(cell.setup.variants) or PRINTED,
            **({"rules": cell.setup.title or PRINTED} if with_files else {}),
            **{knob: cell.setup.shown_options[knob] for knob in knobs},
            "strategies": short_line_up(cell.strategies),
        }
        for cell in cells
    ]
    axes = {axis: {value_text(values[axis]): values[axis] for values in every} for axis in every[0]}
    varied = {axis: tuple(found.values()) for axis, found in axes.items() if len(found) > 1}
    seeds = len({cell.seed for cell in cells}) > 1
    arms = []
    for cell, values in zip(cells, every, strict=True):
        words = [axis_text(axis, values[axis]) for axis in varied] + [f"seed {cell.seed}"] * seeds
        arms.append(Arm(cell.line_up, values, ", ".join(words) or short_name(cell.setup)))
    return Grid(tuple(arms), varied)


class Size(NamedTuple):
    """The portable name of a cell's game, how many games of it are played, and how many in a chunk."""

    game: str
    games: int
    chunk: int


class Chunk(NamedTuple):
    """Games first .. first + games - 1 of a cell."""

    cell: int  # from 1
    first: int
    games: int


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

    @property
    def file(self) -> str:
        """The name of its log."""
        return f"part-{self.number:0{len(str(self.of))}}-of-{self.of}.jsonl"

    def chunks(self, sizes: Sequence[Size]) -> Iterator[Chunk]:
        """The chunks of this part, dealt in turn."""
        place = 0
        for cell, (_, games, size) in enumerate(sizes, 1):
            number = -(-games // size)
            for one in range((self.number - 1 - place) % self.of, number, self.of):
                yield Chunk(cell, one * size, min(size, games - one * size))
            place += number


WHOLE = StudyPart(1, 1)


@dataclass(frozen=True)
class Study:
    """What a study plays, and what every cell should reach."""

    name: str
    cells: tuple[Cell, ...]
    targets: tuple[Target, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Equal for specs that mean the same, however they are written."""
        return digest([cell.identity for cell in self.cells])

    @cached_property
    def sizes(self) -> list[Size]:
        """What tells the chunks of each cell."""
        return [Size(portable_name(cell.setup.ruleset.name), cell.games, cell.chunk) for cell in self.cells]

    @cached_property
    def grids(self) -> list[tuple[Grid, list[int]]]:
        """The cells of each game as a grid, and their numbers, from 1."""
        games: dict[str, list[int]] = {}
        for number, cell in enumerate(self.cells, 1):
            games.setdefault(cell.setup.ruleset.name, []).append(number)
        return [(grid_of([self.cells[number - 1] for number in own]), own) for own in games.values()]

    @cached_property
    def labels(self) -> dict[int, str]:
        """Every cell in a few words, by its number; with its game if there are several."""
        several = len(self.grids) > 1
        return {
            number: f"{grid.game}, {arm.label}" if several else arm.label
            for grid, own in self.grids
            for number, arm in zip(own, grid.arms, strict=True)
        }


Played = Iterator[tuple[Chunk, Tally]]


class Listener(Protocol):
    """Hears how a study goes and may stop it."""

    def report(self, games: int, seconds: float, share: float, chunks: str) -> None:
        """A chunk is logged: games and seconds of this run, and the share of the part's work that is done."""

    def finish(self, cell: str) -> None:
        """A cell has all its games in this folder."""

    def note(self, line: str) -> None:
        """Something the user should know now: a worker that cannot play."""

    def stopping(self) -> bool:
        """Whether the study should stop when the chunks that were begun have ended."""


class Silent:
    """Shows nothing and stops nothing."""

    def report(self, games: int, seconds: float, share: float, chunks: str) -> None: ...

    def finish(self, cell: str) -> None: ...

    def note(self, line: str) -> None: ...

    def stopping(self) -> bool:
        return False
