"""What the deal decides: how facts about the opening of a game change the chances. A part of `houle balance`.

Games are played from ordinary deals and grouped by facts about their opening (`facts` of the game, see
matches/opening.py). Facts with many values are put into bins. The bins of a setup are decided by the same deals for all
seeds and players, so levels of different runs are the same.

The best and the worst level of a fact are the extremes of many, so all levels are played again on as many fresh games.
Sentences choose levels by the first games and take their numbers from the fresh ones. A level is named only if it
differs when all levels are judged together (joint intervals), and by enough to matter to players.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from houle.analysis.blocks import SEATS, Block, Column, about, bullets, note, seat_words, table, text
from houle.analysis.explain.means_by_fact import (
    FactLevel,
    FactScale,
    FactSums,
    explained,
    make_scale,
    read_level,
    sum_up,
)
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.players.line_ups import Strategies, line_up
from houle.analysis.players.named_players import seated_players
from houle.analysis.result import Facts, Finished, Record, run_digest
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import Kernels, Play
from houle.analysis.sampling.engine import run_jobs
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.looks import confidence_at
from houle.solver.matches.opening import PlayedOpenings, deal_openings, facts_of, play_openings
from houle.solver.rules import Setup
from houle.solver.texts import as_sentence, capital

PILOT, PILOT_SEED = 2_000, 1  # deals that decide on bins
LEAST_NAMED = 0.01  # change of the win rate from which on a level is named
MOST_FACTS = 4  # in sentences and tables


@dataclass
class OpeningSums:
    """Sums over some games, for every fact about their opening."""

    games: int
    facts: list[FactSums]
    deviation: list[int] = field(default_factory=lambda: [0, 0, 0])  # hands, sum of points, sum of squared points

    @classmethod
    def empty(cls, scales: list[FactScale]) -> OpeningSums:
        return cls(0, [FactSums.empty(len(scale.tops)) for scale in scales])

    @classmethod
    def of(cls, scales: list[FactScale], starts: PlayedOpenings) -> OpeningSums:
        points = starts.points.ravel()
        deviation = [points.size, int(points.sum()), int(points @ points)]
        return cls(len(starts.openings), [sum_up(scale, starts) for scale in scales], deviation)

    def add(self, other: OpeningSums) -> None:
        self.games += other.games
        for mine, more in zip(self.facts, other.facts, strict=True):
            mine.add(more)
        self.deviation = [mine + more for mine, more in zip(self.deviation, other.deviation, strict=True)]


@dataclass(frozen=True)
class FactTable:
    """A fact and its levels."""

    name: str
    about: str
    levels: tuple[FactLevel, ...]
    strength: float  # share of the variance it explains, for the order of facts


@dataclass(frozen=True)
class NamedLevel:
    """A level that certainly changes the chances, by enough to matter."""

    fact: FactTable
    end: str  # "best" or "worst" of its fact
    level: str
    more: Estimate  # the change in fresh games, with an interval that holds for all levels together


@dataclass(frozen=True, repr=False)
class Openings(Finished):
    """Chances by facts about the opening, the fact that matters most first."""

    played: Setup  # the setup, or one round of it if hands are dealt anew every round
    remark: str
    hands: int
    tables: tuple[FactTable, ...]
    fresh: tuple[FactLevel, ...]  # all levels in fresh games, with joint intervals; empty after Ctrl-C

    command = "balance"
    rows_key = None

    @property
    def headline(self) -> str:
        """The level that certainly changes the chances most."""
        if not self.named:
            return "no fact about the deal is known to matter"
        most = max(self.named, key=lambda named: abs(named.more.value))
        return f"{most.fact.name} {most.level} changes the chances by {self.goal.more(most.more)}"

    @property
    def goal(self) -> Goal:
        return Goal(self.played)

    @property
    def interrupted(self) -> bool:
        return super().interrupted or bool(self.tables and not self.fresh)

    @cached_property
    def named(self) -> list[NamedLevel]:
        """The best and the worst level of each fact, if fresh games show a difference that matters."""
        least = self.goal.pick(LEAST_NAMED, margins_of()["score"])
        named = []
        for fact in self.tables:
            worst, *_, best = sorted(fact.levels, key=lambda level: self.goal.sign * level.more(self.goal).value)
            for end, level in (("best", best), ("worst", worst)):
                more = self.again(level)
                if more is not None and more.differs and abs(more.value) >= least:
                    named.append(NamedLevel(fact, end, level.level, more))
        return named

    def again(self, level: FactLevel) -> Estimate | None:
        """The change of the chances at a level in fresh games; None if it did not come up in them."""
        same = (one for one in self.fresh if (one.fact, one.level) == (level.fact, level.level))
        return next((one.more(self.goal) for one in same), None)

    @property
    def shown(self) -> list[FactTable]:
        """The facts of figures and tables: those that are named, then those that explain most."""
        named = [one.fact.name for one in self.named]
        return sorted(self.tables, key=lambda fact: fact.name not in named)[:MOST_FACTS]

    @property
    def not_shown(self) -> str:
        """The names of the others."""
        return ", ".join(fact.name for fact in self.tables if fact not in self.shown)

    def sentences(self) -> list[Block]:
        """The facts that matter most: their best and worst value, compared with all deals."""
        facts = list({named.fact.name: named.fact for named in self.named}.values())[:MOST_FACTS]
        values = {"who": self.who, "remark": f" {as_sentence(self.remark)}" if self.remark else ""}
        if not facts:
            least = self.goal.pick("a percentage point", f"{margins_of()['score']:g} {self.goal.score}")
            return [
                text(
                    "No fact about the deal is known to change the chances of {who} by {least} or more.{remark}",
                    least=least,
                    **values,
                )
            ]
        lines = []
        for fact in facts:
            ends = [
                text("with {level}: {more}", level=seat_words(named.level), more=self.goal.shown(named.more))
                for named in self.named
                if named.fact is fact
            ]
            line = text("{fact}: {ends}.", fact=seat_words(capital(fact.about)), ends=ends)
            lines.append(about(line, self.player, f"{self.goal.measure} by {fact.name}"))
        first = text(
            "What the deal decides when {who} play: {measure}, compared with all deals.{remark}",
            measure=self.goal.title,
            **values,
        )
        return [first, bullets(lines)]

    @property
    def who(self) -> str:
        return seated_players(self.strategies)

    def details(self) -> list[Block]:
        """The levels of the facts that matter most, and how they were judged."""
        columns = [
            Column("fact", "what the deal shows", SEATS),
            Column("level", "value", SEATS),
            Column("n", "times seen"),
            Column(self.goal.measure, self.goal.title),
            Column("more", "compared with all deals"),
            Column("fresh", "in new games"),
        ]
        rows = [
            [
                fact.about,
                level.level,
                level.n,
                self.goal.pick(level.win, level.score),
                level.more(self.goal),
                self.again(level),
            ]
            for fact in self.shown
            for level in fact.levels
        ]
        caption = "Chances given the deal, with 95% intervals; those in new games hold for all facts together."
        others = [note("Not in this table: {facts}.", facts=self.not_shown)] if self.not_shown else []
        return [*([table("openings", caption, columns, rows)] if rows else []), *others]

    @property
    def rules_digest(self) -> str:
        return self.played.digest

    def rows(self) -> list[tuple[str, str, Estimate]]:
        """Wins and scores at every level of every fact, and how far they are from those of all deals."""
        levels = [(f"{fact.name}: {level.level}", level) for fact in self.tables for level in fact.levels]
        names = ("win", "win_more", "score", "score_more")
        return [(name, which, getattr(level, name)) for which, level in levels for name in names]

    def records(self) -> list[Record]:
        """One row per level of a fact; `games` are those of the row."""
        return [
            {"score_name": self.played.score, "fact": fact.name, **level.record()}
            for fact in self.tables
            for level in fact.levels
        ]

    def summary(self) -> Record:
        named = {(one.fact.name, one.level) for one in self.named}
        return {
            "options": self.played.shown_options,
            "hands": self.hands,
            "score": self.played.score,
            "remark": self.remark or None,
            "facts": [
                {
                    "fact": fact.name,
                    "about": fact.about,
                    "levels": [
                        {**level.record(), "fresh": self.again(level), "named": (fact.name, level.level) in named}
                        for level in fact.levels
                    ],
                }
                for fact in self.tables
            ],
        }


class OpeningGames:
    """Games whose facts about the opening are read: who plays what, and the levels of each fact."""

    def __init__(self, setup: Setup, strategies: Strategies) -> None:
        self.played, self.remark = setup.game.openings.scene(setup)
        self.seated = line_up(self.played, strategies)

    @cached_property
    def scales(self) -> list[FactScale]:
        """The levels of every fact, by some deals that are the same for all runs."""
        deals = deal_openings(self.played, PILOT_SEED, 0, PILOT)
        return [make_scale(fact, fact.values(deals, self.played.players)) for fact in facts_of(self.played)]

    def play(self, spec: RunSpec) -> tuple[OpeningSums, float]:
        """The sums of some games, fewer after Ctrl-C, and the seconds."""
        scales, total = self.scales, OpeningSums.empty(self.scales)

        def job(first: int, number: int) -> OpeningSums:
            return OpeningSums.of(scales, play_openings(self.played, self.seated, spec.seed, first, number=number))

        return total, run_jobs(job, total, spec, start_with=Kernels().first_chunk(Play(self.seated)))

    def facts(self, total: OpeningSums, confidence: float = CONFIDENCE) -> tuple[FactTable, ...]:
        """The facts with several levels, the one that explains most of wins or scores first."""
        tables = []
        hands, points, squares = total.deviation
        score_spread = max(squares / hands - (points / hands) ** 2, 1e-9) if hands else 1.0
        for scale, sums in zip(self.scales, total.facts, strict=True):
            every = range(len(scale.tops))
            read = (read_level(scale, sums, level, self.played.score_range, confidence=confidence) for level in every)
            levels = tuple(level for level in read if level is not None)
            if len(levels) < 2:
                continue
            wins, scores = explained(levels)
            rate = float(np.average([level.win.value for level in levels], weights=[level.n for level in levels]))
            wins = 0.0 if self.played.goal == "score" else wins
            strength = max(wins / max(rate * (1 - rate), 1e-9), scores / score_spread)
            tables.append(FactTable(scale.fact.name, scale.fact.about, levels, strength))
        return tuple(sorted(tables, key=lambda table: -table.strength))


def openings(setup: Setup, games: OpeningGames, spec: RunSpec) -> Openings:
    """How facts about the opening change the chances, in the games of a run and in as many fresh ones."""
    total, seconds = games.play(spec)
    tables = games.facts(total)
    again: tuple[FactLevel, ...] = ()
    if tables and total.games == spec.games:
        fresh, more = games.play(spec.part(spec.games, spec.games))
        seconds += more
        if fresh.games == spec.games:
            joint = confidence_at(1, sum(len(table.levels) for table in tables))
            again = tuple(level for table in games.facts(fresh, joint) for level in table.levels)
    sums = {scale.fact.name: one.as_data() for scale, one in zip(games.scales, total.facts, strict=True)}
    name = run_digest(games.seated, spec, games=total.games, facts=sums)
    origin = replace(Facts.of(games.seated, spec, total.games, seconds, digest=name), setup=setup)
    return Openings(
        origin, played=games.played, remark=games.remark, hands=total.deviation[0], tables=tables, fresh=again
    )
