"""Several line-ups on the same deals: exact sums of their results, and estimates clustered by deal.

An arm has one result per deal, from one or more plays of the deal. A play is a line-up and the side whose result
counts. A rotation has one play per seat, the strategy of a team has one. Everything is computed from whole-number sums
over deals of the arms' columns and of their products. So chunks and threads change nothing, and any two arms can be
paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling import backends
from houle.analysis.sampling.backends import Chunk
from houle.analysis.sampling.engine import play_games
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, wilson, with_prior
from houle.analysis.stats.moments import Moments, Statistic
from houle.solver.errors import BudgetError
from houle.solver.interface import UTILITY
from houle.solver.players.names import Strategy
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, digest
from houle.solver.run.tally import LEDGER, Counts, columns

COLUMNS = LEDGER.names or ()  # of every arm

Seating = tuple[LineUp, int]  # who sits where, and the side whose result counts
DealArm = Sequence[Seating]


@dataclass
class Deals:
    """The results of some arms: sums over deals of every arm's columns, and of all their products."""

    plays: tuple[int, ...]  # plays of a deal, per arm
    moments: Moments  # of (arm, column of the ledger); the plays of a deal are summed
    seconds: float = 0.0  # wall time of play, without compilation
    unresolved: tuple[int, ...] = ()  # per arm, plays that were neither proven winnable nor unwinnable; () for none
    alike: tuple[bool, ...] = ()  # per arm, whether it sums all sides of equal players, whose wins are always 1 in sum

    @classmethod
    def empty(cls, plays: tuple[int, ...]) -> Deals:
        return cls(plays, Moments.empty(_columns(len(plays))))

    @classmethod
    def of(cls, plays: tuple[int, ...], rows: Counts, unresolved: tuple[int, ...] = ()) -> Deals:
        """Sums of some deals, a row each: the columns of the first arm, then those of the next."""
        return cls(plays, Moments.of(_columns(len(plays)), rows), unresolved=unresolved)

    @property
    def number(self) -> int:
        return self.moments.clusters

    @property
    def games(self) -> int:
        """Deals, under the name that chunks use."""
        return self.number

    def add(self, other: Deals) -> None:
        self.moments.add(other.moments)
        mine, theirs = (one.unresolved or (0,) * len(one.plays) for one in (self, other))
        self.unresolved = tuple(a + b for a, b in zip(mine, theirs, strict=True))

    def left_open(self, arm: int) -> float:
        """Share of an arm's plays that a clairvoyant left open; they may all be wins."""
        return self.unresolved[arm] / (self.plays[arm] * max(self.number, 1)) if self.unresolved else 0.0

    def wins(self, arm: int) -> Statistic:
        """Mean share of the win, as a statistic that can be paired."""
        return self.moments.mean((arm, "share"), WHOLE_WIN * self.plays[arm])

    def points(self, arm: int) -> Statistic:
        """Mean score per entry, as a statistic that can be paired."""
        return self.moments.per((arm, "points"), (arm, "entries"))

    def share(self, arm: int) -> float:
        """Mean share of the win."""
        return self._mean(arm, "share", WHOLE_WIN)

    def utility(self, arm: int) -> float:
        """Mean utility of the end of a game, from 0 to 1."""
        return self._mean(arm, "utility", UTILITY)

    def win(self, arm: int, confidence: float = CONFIDENCE) -> Estimate:
        """Mean share of the win, with its interval clustered by deal; plays left open raise the high end."""
        wins = self.wins(arm)
        rate = self.moments.rate(wins, confidence)
        if self.alike and self.alike[arm] and self.number > 1 and self.moments.variance(wins) == 0:
            return replace(rate, low=rate.value, high=rate.value)
        opened = self.left_open(arm)
        if not opened:
            return rate
        return replace(rate, high=wilson(min(1.0, rate.value + opened), self.number, confidence).high)

    def score(self, arm: int, confidence: float = CONFIDENCE) -> Estimate:
        """Mean score per entry, clustered by deal."""
        mean = self.moments.ratio((arm, "points"), (arm, "entries"), confidence)
        return with_prior(mean, self.number, confidence)

    def gain(self, arm: int, other: int, confidence: float = CONFIDENCE) -> Estimate:
        """By how much an arm's share of the win is greater than another's, on the same deals."""
        gap = self.moments.rate_difference(self.wins(arm), self.wins(other), confidence)
        return gap.widen(self.left_open(other), self.left_open(arm)).within(-1.0, 1.0)

    def above_fair(self, arm: int, others: int, confidence: float = CONFIDENCE) -> Estimate:
        """By how much an arm's share of the win is above a fair share of the games that somebody wins.

        `others` is the arm of the other sides of the same plays (`other_sides`). A player as strong as they are would
        win as much as one of them, which is less than a fair share of all games if some games have no winner.
        """
        sides = 1 + self.plays[others] // self.plays[arm]
        return self.gain(arm, others, confidence).scale((sides - 1) / sides)

    def score_gain(self, arm: int, other: int, most: float, confidence: float = CONFIDENCE) -> Estimate:
        """By how much an arm's mean score per entry is greater than another's; it can differ by at most `most`."""
        return self.moments.mean_difference(self.points(arm), self.points(other), most, confidence=confidence)

    def same(self, arm: int, other: int) -> bool:
        """Whether two arms have equal results on every deal: the sum of squared differences is then 0."""
        products = self.moments.product
        for column in COLUMNS:
            one, two = (arm, column), (other, column)
            if products(one, one) + products(two, two) != 2 * products(one, two):
                return False
        return True

    def as_data(self) -> dict[str, Any]:
        """The integers as plain data, for digests."""
        sums, products = self.moments.as_data()
        return {"deals": self.number, "sums": sums, "products": products}

    def _mean(self, arm: int, column: str, unit: int) -> float:
        return self.moments.sum((arm, column)) / (unit * self.plays[arm] * max(self.number, 1))


def _columns(arms: int) -> list[tuple[int, str]]:
    return [(arm, column) for arm in range(arms) for column in COLUMNS]


def same_deals(arms: Sequence[DealArm], spec: RunSpec) -> Deals:
    """Play the deals of a run with every arm; fewer after Ctrl-C."""
    line_ups = distinct_line_ups(arms)
    index = {id(line_up): i for i, line_up in enumerate(line_ups)}
    plays = tuple(len(arm) for arm in arms)

    def fold(chunks: list[Chunk], _: int) -> Deals:
        numbers = [columns(chunk.ledger) for chunk in chunks]
        rows = [sum(numbers[index[id(line_up)]][:, side] for line_up, side in arm) for arm in arms]
        unresolved = tuple(sum(chunks[index[id(line_up)]].tally.unresolved for line_up, _ in arm) for arm in arms)
        return Deals.of(plays, np.concatenate(rows, axis=1), unresolved)

    total = Deals.empty(plays)
    total.alike = tuple(_alike(arm) for arm in arms)
    total.seconds = play_games([backends.Play(one) for one in line_ups], spec, fold, total, backends.LEDGER)
    return total


@dataclass(frozen=True)
class SharedDeals:
    """A part of the work: arms on the same deals."""

    arms: list[DealArm]
    deals: int
    name: str  # for the progress bar

    @property
    def stage(self) -> tuple[str, list[LineUp], int]:
        """A stage of a plan; several arms may use the same game."""
        return self.name, distinct_line_ups(self.arms), self.deals


@dataclass(frozen=True)
class DealCount:
    """How much of a part was played."""

    deals: int
    asked: int  # 0 if the part has no arms
    plays: int  # games per deal

    @property
    def games(self) -> int:
        return self.deals * self.plays


@dataclass(frozen=True)
class PlayedParts:
    """The results of the parts, in their order."""

    dealt: list[Deals]
    counts: tuple[DealCount, ...]
    seconds: float
    digest: str

    @property
    def number(self) -> tuple[int, int]:
        """Deals of the part with the most deals, and how many were asked for."""
        return max(part.deals for part in self.counts), max(part.asked for part in self.counts)


def play_parts(setup: Setup, parts: Sequence[SharedDeals], spec: RunSpec) -> PlayedParts:
    """Play one part after another, each on the first deals of a run.

    After Ctrl-C, or if the budget of the run is spent, the remaining parts are empty.
    """
    dealt: list[Deals] = []
    interrupted = False
    for part in parts:
        deals = Deals.empty(tuple(map(len, part.arms)))
        if part.arms and not interrupted:
            try:
                deals = same_deals(part.arms, spec.part(part.deals, doing=part.name))
            except BudgetError as fault:
                if not dealt:
                    raise
                spec.tell(f"left out: {fault}")
            interrupted = deals.number < part.deals
        dealt.append(deals)
    played = list(zip(parts, dealt, strict=True))
    name = digest([deals_digest(setup, part.arms, spec, deals) for part, deals in played])
    counts = tuple(
        DealCount(deals.number, part.deals if part.arms else 0, len(part.stage[1])) for part, deals in played
    )
    return PlayedParts(dealt, counts, sum(deals.seconds for deals in dealt), name)


def _alike(arm: DealArm) -> bool:
    """Whether an arm sums all sides of games between equal players."""
    sides = int(arm[0][0].setup.rules[0].sides)
    whole = len({side for _, side in arm}) == len(arm) == sides > 1
    # Digests of players take long, so they are made only where they decide.
    return whole and len({name for line_up, _ in arm for name in line_up.digests}) == 1


def against(setup: Setup, one: Strategy, others: Strategy | None) -> DealArm:
    """One side with a strategy against all other sides with another, from every side in turn.

    In a game with one side the strategy plays all seats.
    """
    seats = setup.seats_by_side
    if len(seats) == 1 or others is None:
        return [(LineUp(setup, (one,) * setup.players), next(iter(seats)))]
    return [
        (LineUp(setup, tuple(one if seat in own else others for seat in range(setup.players))), side)
        for side, own in seats.items()
    ]


def other_sides(setup: Setup, arm: DealArm) -> DealArm:
    """The same plays, with the results of all other sides."""
    return [(line_up, side) for line_up, own in arm for side in setup.seats_by_side if side != own]


def distinct_line_ups(arms: Sequence[DealArm]) -> list[LineUp]:
    """Every different line-up once, however many arms use it."""
    return list({id(line_up): line_up for arm in arms for line_up, _ in arm}.values())


def deals_digest(setup: Setup, arms: Sequence[DealArm], spec: RunSpec, deals: Deals) -> str:
    """Identifies a result on the same deals, as result_digest identifies a run."""
    who = [[[list(line_up.digests), side] for line_up, side in arm] for arm in arms]
    return digest({"rules": setup.digest, "arms": who, "seed": spec.seed, "first": spec.first, **deals.as_data()})
