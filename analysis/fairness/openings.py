"""`houle openings`: how the opening of a game changes the chances, fact by fact.

Games are played from ordinary deals and grouped by facts about their opening (`facts` of the game, see
matches/opening.py). Facts with many values are put into bins. The bins of a setup are decided by the same deals for all
seeds and players, so levels of different runs are the same.

The best and the worst level of a fact are the extremes of many, so all levels are played again on as many fresh games.
Sentences choose levels by the first games and take their numbers from the fresh ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, seat_words, text
from houle.analysis.fairness.custom_opening import CustomOpening, play_opening
from houle.analysis.fairness.means_by_fact import (
    FactLevel,
    FactScale,
    FactSums,
    explained,
    make_scale,
    read_level,
    sum_up,
)
from houle.analysis.fairness.rotating_hands import Packs, RotatingHands, collect, read_rotating_hands
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.result import Facts, Finished, Record, run_digest
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.backends import Kernels, Play
from houle.analysis.sampling.engine import run_jobs
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.differences import near_end, standing
from houle.analysis.stats.estimate import Estimate
from houle.solver.matches.opening import PlayedOpenings, facts_of, play_openings
from houle.solver.rules import Setup
from houle.solver.texts import capital

PILOT, PILOT_SEED = 2_000, 1  # deals that decide on bins


@dataclass
class OpeningSums:
    """Sums over some games, for every fact about their opening."""

    games: int
    facts: list[FactSums]
    deviation: list[int] = field(default_factory=lambda: [0, 0, 0])  # hands, sum of points, sum of squared points
    packs: Packs | None = None

    @classmethod
    def empty(cls, scales: list[FactScale], packs: Packs | None = None) -> OpeningSums:
        return cls(0, [FactSums.empty(len(scale.tops)) for scale in scales], packs=packs)

    @classmethod
    def of(cls, scales: list[FactScale], starts: PlayedOpenings, packs: Packs | None = None) -> OpeningSums:
        points = starts.points.ravel()
        deviation = [points.size, int(points.sum()), int(points @ points)]
        return cls(len(starts.openings), [sum_up(scale, starts) for scale in scales], deviation, packs)

    def add(self, other: OpeningSums) -> None:
        self.games += other.games
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
    levels: tuple[FactLevel, ...]
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

    def record(self) -> Record:
        facts = {"fact": self.fact, "level": self.level, "measure": self.measure, "confirmed": self.again}
        return {**facts, "picked": self.picked, "fresh": self.fresh}


@dataclass(frozen=True, repr=False)
class Openings(Finished):
    """Chances by facts about the opening, the fact that matters most first."""

    played: Setup  # the setup, or one round of it if hands are dealt anew every round
    remark: str
    hands: int
    tables: tuple[FactTable, ...]
    rotating_hands: RotatingHands | None  # values of cards and seats, in games whose hands rotate
    confirmed: ConfirmedLevel | None = None  # None if no level certainly differs, or if it was not asked for
    fresh: tuple[FactLevel, ...] = ()  # all levels in fresh games; empty if these were not asked for
    confirm: bool = True

    command = "openings"
    rows_key = None

    @property
    def headline(self) -> str:
        """The fact about the opening that matters most."""
        if not self.tables:
            return "no fact about the opening matters"
        level = max(self.tables[0].levels, key=lambda level: abs(level.more(self.goal).value))
        reached = self.goal.says(self.goal.pick(level.win, level.score))
        return f"{self.tables[0].name} matters most: {level.level} {self.goal.verb}s {reached}"

    @property
    def goal(self) -> Goal:
        return Goal(self.played)

    def sentences(self, most: int = 4) -> list[Block]:
        """The best and the worst value of the facts that matter most, compared with all deals."""
        said = []
        for fact in self.tables[:most]:
            worst, *_, best = sorted(fact.levels, key=lambda level: self.goal.sign * level.more(self.goal).value)
            # New games may not confirm a level that was picked for its size.
            ends = [
                text("{end} is {level}, {more}", end=end, level=seat_words(level.level), more=self.goal.shown(more))
                for end, level in (("best", best), ("worst", worst))
                if (more := self._more(level)).differs
            ]
            words = text("{fact}: {ends}.", fact=seat_words(capital(fact.about)), ends=ends or "no difference shown")
            said.append(about(words, self.player, f"{self.goal.measure} by {fact.name}") if ends else words)
        return said

    def _more(self, level: FactLevel) -> Estimate:
        """The change of the chances in fresh games, because the level was picked for its size; else in the first."""
        return (self._again(level) or level).more(self.goal)

    def _again(self, level: FactLevel) -> FactLevel | None:
        """The same level in fresh games."""
        return next((one for one in self.fresh if (one.fact, one.level) == (level.fact, level.level)), None)

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

    def records(self) -> list[Record]:
        """One row per level of a fact, and per card in games whose hands rotate; `games` are those of the row."""
        rows = [{"fact": table.name, **level.record()} for table in self.tables for level in table.levels]
        hands = self.rotating_hands
        if hands is not None:
            values = [("value of a card", str(card), "score_more", value) for card, value in hands.card_values]
            values += [("share of the variance", name, "variance", part) for name, part in hands.parts]
            rows += [
                {"fact": fact, "level": level, "n": value.n, "games": hands.games, name: value}
                for fact, level, name, value in values
            ]
        return [{"score_name": self.played.score, **row} for row in rows]

    def summary(self) -> Record:
        return {
            "options": self.played.shown_options,
            "hands": self.hands,
            "score": self.played.score,
            "remark": self.remark or None,
            "facts": [
                {"fact": table.name, "about": table.about, "levels": [self._level(level) for level in table.levels]}
                for table in self.tables
            ],
            "confirmed": self.confirmed.record() if self.confirmed else None,
            "rotating_hands": self.rotating_hands.record() if self.rotating_hands else None,
        }

    def _level(self, level: FactLevel) -> Record:
        stands = [name for name in ("win", "score") if (level.fact, level.level, name) in self.standing]
        again = self._again(level)
        return {**level.record(), "stands": stands, "fresh": again and again.more(self.goal)}


@checked
def openings(
    setup: Setup | str,
    *,
    opening: str | None = None,
    strategies: Strategies = None,
    confirm: bool = True,
    **run: Unpack[RunOptions],
) -> Openings | CustomOpening:
    """Show how the opening changes the chances, or what your own opening changes.

    Parameters
    ----------
    opening : str, optional
        Your own opening, as text or as a file: `"top: white 3; seat 1: red 1"`. Seats count from 1.

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
    played, spec = as_setup(setup), RunSpec.of(run)
    if opening is not None:
        return play_opening(played, opening, strategies, spec)
    return read_openings(played, strategies, spec, confirm)


def read_openings(setup: Setup, strategies: Strategies, spec: RunSpec, confirm: bool = True) -> Openings:
    """Play games and group wins and scores by facts about the opening. Fewer games after Ctrl-C."""
    played, remark = setup.game.openings.scene(setup)
    seated, packs = line_up(played, strategies), setup.game.openings.packs
    rotate, games = setup.game.hands_rotate, spec.games
    spec.begin(Plan.of(("", [seated] * (1 + confirm), games)))
    pilot = play_openings(played, line_up(played, "random"), PILOT_SEED, 0, PILOT)  # random play is fast
    scales = [make_scale(fact, pilot.values(fact)) for fact in facts_of(played)]

    def play(scales: list[FactScale], total: OpeningSums, spec: RunSpec) -> float:
        def job(first: int, number: int) -> OpeningSums:
            starts = play_openings(played, seated, spec.seed, first, number)
            return OpeningSums.of(scales, starts, collect(*packs(played, starts)) if total.packs else None)

        return run_jobs(job, total, spec, start_with=Kernels().first_chunk(Play(seated)))

    total = OpeningSums.empty(scales, collect(*packs(played, None)) if rotate else None)
    seconds = play(scales, total, spec)
    facts = {scale.fact.name: sums.as_data() for scale, sums in zip(scales, total.facts, strict=True)}
    name = run_digest(seated, spec, games=total.games, facts=facts)
    rotating = read_rotating_hands(total.packs) if total.packs is not None and total.games else None
    tables, fresh = read_facts(total, scales, played), OpeningSums.empty(scales)
    if confirm and tables and total.games == games:
        seconds += play(scales, fresh, spec.part(games, games))
    levels = read_facts(fresh, scales, played) if fresh.games == games else ()
    again = tuple(level for table in levels for level in table.levels)
    origin = replace(Facts.of(seated, spec, total.games, seconds, name), setup=setup)
    checked_level = _confirmed(_farthest(tables, played), again)
    return Openings(origin, played, remark, total.deviation[0], tables, rotating, checked_level, again, confirm)


def _confirmed(picked: tuple[FactLevel, str] | None, fresh: Sequence[FactLevel]) -> ConfirmedLevel | None:
    """What fresh games show of a level that was picked; None if it did not come up in them."""
    if picked is None:
        return None
    level, measure = picked
    same = (one for one in fresh if (one.fact, one.level) == (level.fact, level.level))
    ends = [getattr(one, f"{measure}_more") for one in (level, *same)]
    return ConfirmedLevel(level.fact, level.level, measure, *ends) if len(ends) == 2 else None


def _farthest(tables: tuple[FactTable, ...], played: Setup) -> tuple[FactLevel, str] | None:
    """The level of the first fact that certainly differs most in what is the goal, or in the other if none does."""
    for measure in sorted(("win", "score"), key=lambda name: name != played.goal) if tables else ():
        level = max(tables[0].levels, key=lambda level: near_end(getattr(level, f"{measure}_more")))
        if near_end(getattr(level, f"{measure}_more")) > 0:
            return level, measure
    return None


def read_facts(total: OpeningSums, scales: list[FactScale], played: Setup) -> tuple[FactTable, ...]:
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
        wins = 0.0 if played.goal == "score" else wins
        strength = max(wins / max(rate * (1 - rate), 1e-9), scores / score_spread)
        tables.append(FactTable(scale.fact.name, scale.fact.about, levels, strength))
    return tuple(sorted(tables, key=lambda table: -table.strength))
