"""`houle openings`: how the opening of a game changes the chances, fact by fact.

Games are played from ordinary deals and grouped by facts about their opening (the game's `facts`, see
houle.solver.opening). Facts with many values are put into bins; the first games of the seed decide the bins, so threads
and chunks change nothing.

The level that differs most is the largest of many, so it is played again on as many fresh games. Both are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.fairness.custom_opening import CustomOpening, play_opening
from houle.analysis.fairness.rotating_hands import Packs, RotatingHands, collect, read_rotating_hands
from houle.analysis.fairness.strata import Level, Scale, Sums, explained, make_scale, read_level, sum_up
from houle.analysis.limits import GAMES, SEED, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns
from houle.analysis.sampling.lineups import Strategies, as_setup, line_up
from houle.analysis.sampling.progress import part_of
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.multiplicity import near_end, standing
from houle.solver.opening import opening_of, play_openings, scene
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks

if TYPE_CHECKING:
    import pandas as pd

PILOT = 2_000  # games that decide on bins


@dataclass
class OpeningSums:
    """Sums over some games, for every fact about their opening."""

    number: int
    facts: list[Sums]
    deviation: list[int]  # hands, sum of points, sum of squared points
    packs: Packs | None = None

    @property
    def games(self) -> int:
        return self.number

    def add(self, other: OpeningSums) -> None:
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
    strength: float  # share of the variance it explains, for the order of facts


@dataclass(frozen=True)
class ConfirmedLevel:
    """The level of the first fact that certainly differs most from all games, and its estimate on fresh games."""

    fact: str
    level: str
    measure: str  # "win" or "score"
    picked: Estimate
    fresh: Estimate

    @property
    def again(self) -> bool:
        """Whether the fresh games confirm it."""
        return near_end(self.fresh) > 0 and self.fresh.value * self.picked.value > 0

    def as_json(self) -> dict[str, Any]:
        facts = {"fact": self.fact, "level": self.level, "measure": self.measure, "confirmed": self.again}
        return {**facts, "picked": interval_as_json(self.picked), "fresh": interval_as_json(self.fresh)}


@dataclass(frozen=True, repr=False)
class Openings(Finished):
    """Chances by facts about the opening, the fact that matters most first."""

    played: Setup  # the setup, or one round of it if hands are dealt anew every round
    remark: str
    hands: int
    tables: tuple[FactTable, ...]
    rotating_hands: RotatingHands | None  # values of cards and seats, in games whose hands rotate
    confirmed: ConfirmedLevel | None = None  # None if no level certainly differs, or if it was not asked for
    confirm: bool = True

    command = "openings"

    @property
    def headline(self) -> str:
        """The fact about the opening that matters most."""
        if not self.tables:
            return "no fact about the opening matters"
        levels = self.tables[0].levels
        level = max(levels, key=lambda level: abs(level.win_more.value))
        return f"{self.tables[0].name} matters most: {level.level} wins {level.win.text()}"

    def words(self) -> list[str]:
        return [] if self.confirm else ["--no-confirm"]

    @cached_property
    def standing(self) -> set[tuple[str, str, str]]:
        """Facts, levels and measures that certainly differ from all games, corrected for all of them (Holm)."""
        rows = [
            (table.name, level.level, name, getattr(level, f"{name}_more"))
            for table in self.tables
            for level in table.levels
            for name in ("win", "score")
        ]
        sure = standing([row[-1] for row in rows])
        return {(fact, level, name) for (fact, level, name, _), stands in zip(rows, sure, strict=True) if stands}

    @property
    def rules_digest(self) -> str:
        return self.played.digest

    def frame(self) -> pd.DataFrame:
        """One row per level of a fact, and per card in games whose hands rotate; `games` are those of the row."""
        import pandas as pd

        rows = []
        for table in self.tables:
            for level in table.levels:
                estimates = {name: getattr(level, name) for name in ESTIMATES}
                rows.append(self._row(table.name, level.level, level.n, level.games, estimates))
        if self.rotating_hands is not None:
            rows += [self._row("value of a card", str(card), value.n, self.rotating_hands.games, {"score_more": value})
                     for card, value in self.rotating_hands.card_values]  # fmt: skip
            rows += [self._row("share of the variance", name, part.n, self.rotating_hands.games, {"variance": part})
                     for name, part in self.rotating_hands.parts]  # fmt: skip
        return pd.DataFrame(rows)

    def _row(self, fact: str, level: str, n: int, games: int, estimates: dict[str, Estimate]) -> dict[str, Any]:
        row = {**self.setup_columns(), "games": games, "score_name": self.played.score}
        row |= {"fact": fact, "level": level, "n": n}
        for name, interval in estimates.items():
            row |= interval_columns(name, interval)
        return row | self.digest_columns()

    def as_json(self) -> dict[str, Any]:
        """What `houle openings --json` prints."""
        return {
            **self.head(),
            "options": self.played.shown_options,
            "hands": self.hands,
            "score": self.played.score,
            "remark": self.remark or None,
            "facts": [
                {
                    "fact": table.name,
                    "about": table.about,
                    "levels": [
                        {
                            **_level_data(level),
                            "stands": [
                                name for name in ("win", "score") if (table.name, level.level, name) in self.standing
                            ],
                        }
                        for level in table.levels
                    ],
                }
                for table in self.tables
            ],
            "confirmed": self.confirmed.as_json() if self.confirmed else None,
            "rotating_hands": self.rotating_hands.as_json() if self.rotating_hands is not None else None,
        }


ESTIMATES = ("win", "win_more", "score", "score_more")


def _level_data(level: Level) -> dict[str, Any]:
    data: dict[str, Any] = {"level": level.level, "n": level.n, "games": level.games}
    return data | {name: interval_as_json(getattr(level, name)) for name in ESTIMATES}


@checked
def openings(
    setup: Setup | str,
    *,
    opening: str | None = None,
    strategies: Strategies = None,
    games: int = GAMES,
    seed: int = SEED,
    confirm: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Openings | CustomOpening:
    """Show how the opening changes the chances, or what your own opening changes.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its usual setup.
    opening : str, optional
        Your own opening, as text or as a file: `"top: white 3; seat 1: red 1"`. Seats count from 1.
    strategies : str or iterable of str, optional
        One strategy for all players, or one each; by default the thumb, if the game has one.
    games, seed : int
        Games 0 to `games` - 1 of the seed are played.
    confirm : bool
        Whether the level that differs most is played again on as many fresh games.
    threads : int, optional
        One per core by default; does not change the result.

    Returns
    -------
    Openings or CustomOpening
        Every fact about the opening with its levels, the fact that matters most first. With `opening`: every side with
        that opening and with the random deal, on the same games.

    Examples
    --------
    >>> import houle
    >>> wave = houle.setup("wave", players=3)
    >>> result = houle.openings(wave, games=300)
    >>> result.tables[0].name
    'first hand fits'
    >>> mine = houle.openings(wave, opening="top: white 3; seat 1: navy 4, red 1", games=300)
    >>> mine.repeat()
    "houle openings wave -p 3 --deal 'top: white 3; seat 1: navy 4, red 1' -s thumb -n 300 --seed 1"
    """
    setup = as_setup(setup)
    check_run(games, seed)
    if opening is not None:
        return play_opening(setup, opening, strategies, games, seed, threads, progress)
    return read_openings(setup, strategies, games, seed, threads, progress, confirm)


def read_openings(
    setup: Setup,
    strategies: Strategies = None,
    games: int = GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
    confirm: bool = False,
) -> Openings:
    """Play games and group wins and scores by facts about the opening. Fewer games after Ctrl-C."""
    played, remark = scene(setup)
    seated = line_up(played, strategies)
    module = opening_of(setup)
    play_chunk(played, seated, seed, 0, 0)  # compiles outside the clock
    pilot = play_openings(played, seated, seed, 0, min(games, PILOT))
    scales = [make_scale(fact, pilot.values(fact)) for fact in module.facts(played)]

    def job(first: int, number: int) -> OpeningSums:
        starts = play_openings(played, seated, seed, first, number)
        points = starts.points.ravel()
        sums = OpeningSums(number, [sum_up(scale, starts) for scale in scales],
                         [points.size, int(points.sum()), int(points @ points)])  # fmt: skip
        if setup.game.hands_rotate:
            sums.packs = collect(*module.packs(played, starts))
        return sums

    total = OpeningSums(0, [Sums.empty(len(scale.tops)) for scale in scales], [0, 0, 0])
    if setup.game.hands_rotate:
        total.packs = collect(*module.packs(played, None))
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(seated, keeps_states=True))
    name = digest(
        {
            "rules": played.digest,
            "strategies": list(seated.digests),
            "seed": seed,
            "games": total.number,
            "facts": {scale.fact.name: sums.as_data() for scale, sums in zip(scales, total.facts, strict=True)},
        }
    )
    rotating = read_rotating_hands(total.packs) if total.packs is not None and total.number else None
    tables, again = read_facts(total, scales, played), None
    picked = _farthest(tables) if confirm and total.number == games else None
    if picked is not None:
        level, measure = picked
        scale = next(scale for scale in scales if scale.fact.name == level.fact)

        def fresh_job(first: int, number: int) -> OpeningSums:
            return OpeningSums(number, [sum_up(scale, play_openings(played, seated, seed, first, number))], [0, 0, 0])

        fresh = OpeningSums(0, [Sums.empty(len(scale.tops))], [0, 0, 0])
        watched = part_of(progress, games, seconds)
        seconds += in_chunks(
            fresh_job, fresh, games, games, threads, None, watched, first_chunk(seated, keeps_states=True)
        )
        same = read_level(scale, fresh.facts[0], scale.names.index(level.level), played.score_range)
        if same is not None and fresh.number == games:
            ends = (getattr(level, f"{measure}_more"), getattr(same, f"{measure}_more"))
            again = ConfirmedLevel(level.fact, level.level, measure, *ends)
    return Openings(
        Facts(setup, seated.names, seed, total.number, games, seconds, name), played, remark, total.deviation[0],
        tables, rotating, again, confirm,
    )  # fmt: skip


def _farthest(tables: tuple[FactTable, ...]) -> tuple[Level, str] | None:
    """The level of the first fact that certainly differs most in wins, or in scores if none does."""
    for measure in ("win", "score") if tables else ():
        level = max(tables[0].levels, key=lambda level: near_end(getattr(level, f"{measure}_more")))
        if near_end(getattr(level, f"{measure}_more")) > 0:
            return level, measure
    return None


def read_facts(total: OpeningSums, scales: list[Scale], played: Setup) -> tuple[FactTable, ...]:
    """The facts with several levels, the one that explains most of wins or scores first."""
    tables = []
    hands, points, squares = total.deviation
    score_spread = max(squares / hands - (points / hands) ** 2, 1e-9) if hands else 1.0
    for scale, sums in zip(scales, total.facts, strict=True):
        read = (read_level(scale, sums, level, played.score_range) for level in range(len(scale.tops)))
        levels = tuple(level for level in read if level is not None)
        if len(levels) < 2:
            continue
        wins, scores = explained(levels)
        rate = float(np.average([level.win.value for level in levels], weights=[level.n for level in levels]))
        strength = max(wins / max(rate * (1 - rate), 1e-9), scores / score_spread)
        tables.append(FactTable(scale.fact.name, scale.fact.about, levels, strength))
    return tuple(sorted(tables, key=lambda table: -table.strength))
