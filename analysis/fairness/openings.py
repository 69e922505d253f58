"""Chances given the start: the numbers behind `houle setups`.

Games are played from ordinary deals; then wins and scores are told apart by what the starts were like, fact by fact.
Facts with many values are put into bins, which the first games of the seed decide, so that threads and chunks change
nothing. The facts are those of the game's file in houle.solver.opening.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.fairness.rotating_hands import Packs, Travel, collect, read_travel
from houle.analysis.fairness.strata import Level, Scale, Sums, explained, make_scale, read_level, sum_up
from houle.analysis.limits import SEED
from houle.analysis.sampling.lineups import line_up
from houle.analysis.stats.intervals import Interval, plain
from houle.solver.opening import of_game, play_starts, scene
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.strategies.player import LineUp

if TYPE_CHECKING:
    import pandas as pd


GAMES = 100_000
PILOT = 2_000  # games that decide on bins


@dataclass
class Seen:
    """What some games say about every fact."""

    number: int
    facts: list[Sums]
    deviation: list[int]  # hands, sum of points, sum of squared points
    packs: Packs | None = None

    @property
    def games(self) -> int:
        return self.number

    def add(self, other: Seen) -> None:
        self.number += other.number
        for mine, more in zip(self.facts, other.facts, strict=True):
            mine.add(more)
        self.deviation = [mine + more for mine, more in zip(self.deviation, other.deviation, strict=True)]
        if self.packs is not None and other.packs is not None:
            self.packs.add(other.packs)


@dataclass(frozen=True)
class FactTable:
    """A fact and its levels."""

    name: str
    about: str
    levels: tuple[Level, ...]
    strength: float  # of what it explains, for the order of tables


@dataclass(frozen=True)
class Setups:
    """Chances given the start; the fact that tells most comes first."""

    setup: Setup
    played: Setup  # what was played: one round of it, where hands are dealt anew every round
    remark: str
    strategies: tuple[str, ...]
    seed: int
    asked: int
    games: int
    hands: int
    tables: tuple[FactTable, ...]
    travel: Travel | None  # packs apart from seats, where they travel
    digest: str
    seconds: float
    notes: list[str] = field(default_factory=list)

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    def frame(self) -> pd.DataFrame:
        """One row per level of a fact, and per card where cards are rated."""
        import pandas as pd

        rows = []
        for table in self.tables:
            for level in table.levels:
                estimates = {name: getattr(level, name) for name in ESTIMATES}
                rows.append(self._row(table.name, level.level, level.n, level.games, estimates))
        if self.travel is not None:
            rows += [self._row("worth of a card", str(card), worth.n, self.travel.games, {"score_more": worth})
                     for card, worth in self.travel.worths]  # fmt: skip
            rows += [self._row("share of the variance", name, part.n, self.travel.games, {"variance": part})
                     for name, part in self.travel.parts]  # fmt: skip
        return pd.DataFrame(rows)

    def _row(self, fact: str, level: str, n: int, games: int, estimates: dict[str, Interval]) -> dict[str, Any]:
        row: dict[str, Any] = {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": "+".join(self.setup.variants) or "base",
            "strategies": ",".join(self.strategies),
            "seed": self.seed,
            "score_name": self.played.score,
            "fact": fact,
            "level": level,
            "n": n,
            "games": games,
        }
        for name, interval in estimates.items():
            row |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
        return row | {"rules_digest": self.played.digest, "result_digest": self.digest}

    def as_json(self) -> dict[str, Any]:
        """The object that `houle setups --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": self.played.shown_options,
            "strategies": list(self.strategies),
            "seed": self.seed,
            "games": self.games,
            "hands": self.hands,
            "score": self.played.score,
            "remark": self.remark or None,
            "rules_digest": self.played.digest,
            "result_digest": self.digest,
            "notes": self.notes,
            "facts": [
                {"fact": table.name, "about": table.about, "levels": [_level_data(level) for level in table.levels]}
                for table in self.tables
            ],
            "travel": self.travel.as_json() if self.travel is not None else None,
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


ESTIMATES = ("win", "win_more", "score", "score_more")


def _level_data(level: Level) -> dict[str, Any]:
    data: dict[str, Any] = {"level": level.level, "n": level.n, "games": level.games}
    return data | {name: plain(getattr(level, name)) for name in ESTIMATES}


def read_setups(
    setup: Setup,
    games: int = GAMES,
    seed: int = SEED,
    strategies: str | Iterable[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Setups:
    """Plays games and tells wins and scores apart by how they began. Fewer games after Ctrl-C."""
    played, remark = scene(setup)
    players = line_up(played, strategies)
    module = of_game(setup)
    play_chunk(played, players, seed, 0, 0)  # compiles outside the clock
    pilot = play_starts(played, players, seed, 0, min(games, PILOT))
    scales = [make_scale(fact, pilot.values(fact)) for fact in module.facts(played)]

    def job(first: int, number: int) -> Seen:
        starts = play_starts(played, players, seed, first, number)
        points = starts.points.ravel()
        found = Seen(number, [sum_up(scale, starts) for scale in scales],
                     [points.size, int(points.sum()), int(points @ points)])  # fmt: skip
        if setup.game.hands_rotate:
            found.packs = collect(*module.packs(played, starts))
        return found

    total = Seen(0, [Sums.empty(len(scale.tops)) for scale in scales], [0, 0, 0])
    if setup.game.hands_rotate:
        total.packs = collect(*module.packs(played, None))
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(players))
    return _result(setup, played, remark, players, seed, games, total, scales, seconds)


def _result(
    setup: Setup, played: Setup, remark: str, players: LineUp, seed: int, asked: int, seen: Seen, scales: list[Scale],
    seconds: float,
) -> Setups:  # fmt: skip
    tables = []
    hands, points, squares = seen.deviation
    score_spread = max(squares / hands - (points / hands) ** 2, 1e-9) if hands else 1.0
    for scale, sums in zip(scales, seen.facts, strict=True):
        read = (read_level(scale, sums, level, played.score_range) for level in range(len(scale.tops)))
        levels = tuple(level for level in read if level is not None)
        if len(levels) < 2:
            continue
        wins, scores = explained(levels)
        rate = float(np.average([level.win.value for level in levels], weights=[level.n for level in levels]))
        strength = max(wins / max(rate * (1 - rate), 1e-9), scores / score_spread)
        tables.append(FactTable(scale.fact.name, scale.fact.about, levels, strength))
    name = digest(
        {
            "rules": played.digest,
            "strategies": list(players.digests),
            "seed": seed,
            "games": seen.number,
            "facts": {scale.fact.name: sums.as_data() for scale, sums in zip(scales, seen.facts, strict=True)},
        }
    )
    tables.sort(key=lambda table: -table.strength)
    travel = None
    if seen.packs is not None and seen.number:
        travel = read_travel(seen.packs)
    notes = list(setup.notes)
    return Setups(
        setup, played, remark, players.names, seed, asked, seen.number, hands, tuple(tables), travel, name, seconds,
        notes,
    )  # fmt: skip
