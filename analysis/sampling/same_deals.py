"""Several line-ups on the same deals: exact sums of what they came to, and estimates clustered by deal.

An arm is what gets one number per deal: some plays of the deal, each a line-up and the side that is read. A rotation
has one play per seat, a team's strategy has one. Everything shown is computed from whole-number sums over deals of the
arms' columns and of their products, so that chunks and threads change nothing and any two arms can be paired.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.intervals import LEVEL, SHARE, Interval, ratio, t_quantile
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.strategies.player import LineUp, Strategy
from houle.solver.tally import LEDGER, WORTH_UNIT, Counts, blank_ledger, columns

COLUMNS = LEDGER.names or ()  # of every arm

Play = tuple[LineUp, int]  # who sits where, and the side that is read
Arm = Sequence[Play]


@dataclass
class Deals:
    """Sums over deals, per arm and column (share, points, entries, worth), and of all their products."""

    plays: tuple[int, ...]  # plays of a deal, per arm
    number: int
    sums: Counts
    products: Counts
    seconds: float = 0.0  # wall time of play, without compilation
    unresolved: int = 0  # plays of a clairvoyant table that were neither proven winnable nor unwinnable

    @classmethod
    def empty(cls, plays: tuple[int, ...]) -> Deals:
        number = len(COLUMNS) * len(plays)
        return cls(plays, 0, np.zeros(number, np.int64), np.zeros((number, number), np.int64))

    @property
    def games(self) -> int:
        """Deals, as chunks count them."""
        return self.number

    def add(self, other: Deals) -> None:
        self.number += other.number
        self.sums += other.sums
        self.products += other.products
        self.unresolved += other.unresolved

    def share(self, arm: int) -> float:
        """Mean share of the win."""
        return int(self._sum(arm, "share")) / (SHARE * self.plays[arm] * max(self.number, 1))

    def worth(self, arm: int) -> float:
        """Mean worth of the end of a game, from 0 to 1."""
        return int(self._sum(arm, "worth")) / (WORTH_UNIT * self.plays[arm] * max(self.number, 1))

    def win(self, arm: int, level: float = LEVEL) -> Interval:
        """Mean share of the win, with its interval clustered by deal."""
        variance = self._variance(self._share_form(arm))
        return clustered_rate(self.share(arm), variance, self.number, level)

    def score(self, arm: int, level: float = LEVEL) -> Interval:
        """Mean score per entry, clustered by deal."""
        return ratio(self.number, self._score_parts(arm), level)

    def gain(self, arm: int, other: int, level: float = LEVEL) -> Interval:
        """By how much an arm's share of the win is greater than another's, on the same deals."""
        form = self._share_form(arm) - self._share_form(other)
        return self._interval(self.share(arm) - self.share(other), form, level)

    def score_gain(self, arm: int, other: int, level: float = LEVEL) -> Interval:
        """The same for the mean score per entry."""
        forms, means = [], []
        for one in (arm, other):
            points, entries, *_ = self._score_parts(one)
            means.append(points / entries if entries else math.nan)
            form = np.zeros(len(self.sums))
            if entries:
                # A ratio of sums moves with its deals as this linear form does (its mean is 0).
                scale = self.number / entries
                form[self.place(one, "points")] = scale
                form[self.place(one, "entries")] = -scale * means[-1]
            forms.append(form)
        return self._interval(means[0] - means[1], forms[0] - forms[1], level)

    def as_data(self) -> dict[str, Any]:
        """The integers as plain data, for digests."""
        return {"deals": self.number, "sums": self.sums.tolist(), "products": self.products.tolist()}

    def _interval(self, value: float, form: NDArray[np.float64], level: float) -> Interval:
        half = t_quantile(self.number - 1, level) * math.sqrt(self._variance(form) / max(self.number, 1))
        return Interval(value, value - half, value + half, self.number)

    def _variance(self, form: NDArray[np.float64]) -> float:
        """Of a linear form of the columns, between deals."""
        if self.number < 2:
            return math.inf
        mean = float(form @ self.sums) / self.number
        square = float(form @ self.products @ form) / self.number
        spread = max(square - mean * mean, 0.0)
        # What is left of numbers that cancel is no spread.
        return 0.0 if spread < 1e-12 * square else spread * self.number / (self.number - 1)

    def _share_form(self, arm: int) -> NDArray[np.float64]:
        form = np.zeros(len(self.sums))
        form[self.place(arm, "share")] = 1 / (SHARE * self.plays[arm])
        return form

    def _score_parts(self, arm: int) -> tuple[int, int, int, int, int]:
        p, e = self.place(arm, "points"), self.place(arm, "entries")
        square = self.products
        return int(self.sums[p]), int(self.sums[e]), int(square[p, p]), int(square[p, e]), int(square[e, e])

    def place(self, arm: int, column: str) -> int:
        """Where the sums keep a column of an arm."""
        return len(COLUMNS) * arm + COLUMNS.index(column)

    def _sum(self, arm: int, column: str) -> int:
        return int(self.sums[self.place(arm, column)])


def clustered_rate(rate: float, variance: float, clusters: int, level: float = LEVEL) -> Interval:
    """Wilson's interval for a mean of shares that come in clusters; `variance` is that of the clusters' means.

    The clusters are worth as many independent games as would make the mean as sure, rate (1 - rate) / (variance /
    clusters), and the quantile is Student's. Where all agree on 0 or 1 a cluster counts as one game.
    """
    if clusters < 2:
        return Interval(rate, 0.0, 1.0, clusters)
    spread = rate * (1 - rate)
    if spread > 0 and variance == 0:
        return Interval(rate, rate, rate, clusters)
    number = clusters * spread / variance if spread > 0 else clusters
    square = t_quantile(clusters - 1, level) ** 2 / number
    centre = (rate + square / 2) / (1 + square)
    half = math.sqrt(square * (spread + square / 4)) / (1 + square)
    low, high = max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))
    return Interval(rate, 0.0 if rate <= 0 else low, 1.0 if rate >= 1 else high, clusters)


def same_deals(
    setup: Setup,
    arms: Sequence[Arm],
    seed: int,
    deals: int,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Deals:
    """Plays deals first .. first + deals - 1 of a seed with every arm. Fewer deals after Ctrl-C."""
    line_ups = list({id(line_up): line_up for arm in arms for line_up, _ in arm}.values())
    place = {id(line_up): i for i, line_up in enumerate(line_ups)}
    sides = int(setup.rules[0].sides)
    plays = tuple(len(arm) for arm in arms)

    def job(begin: int, number: int) -> Deals:
        ledgers = blank_ledger(len(line_ups), number, sides)
        unresolved = 0
        for line_up, ledger in zip(line_ups, ledgers, strict=True):
            unresolved += play_chunk(setup, line_up, seed, begin, number, ledger=ledger).unresolved
        numbers = columns(ledgers)
        table = np.concatenate(
            [sum(numbers[place[id(line_up)], :, side] for line_up, side in arm) for arm in arms], axis=1
        )
        return Deals(plays, number, table.sum(axis=0), table.T @ table, unresolved=unresolved)

    total = Deals.empty(plays)
    for level in {line_up.level: line_up for line_up in line_ups}.values():
        play_chunk(setup, level, seed, first, 0)  # compiles before the threads do it at once
    total.seconds = in_chunks(job, total, deals, first, threads, None, progress, first_chunk(*line_ups))
    return total


def seats_of(setup: Setup) -> dict[int, list[int]]:
    """The seats of players by their side; a side that the game itself plays (an AI) has none and is left out."""
    seats: dict[int, list[int]] = {}
    for seat in range(setup.players):
        seats.setdefault(int(setup.rules[0].side[seat]), []).append(seat)
    return seats


def against(setup: Setup, one: Strategy, others: Strategy | None) -> Arm:
    """One side of a strategy against all the others of another, from every side in turn.

    Where there are no other players (a team alone, a solo game) the strategy plays for all.
    """
    seats = seats_of(setup)
    if len(seats) == 1 or others is None:
        return [(LineUp(setup, (one,) * setup.players), next(iter(seats)))]
    return [
        (LineUp(setup, tuple(one if seat in own else others for seat in range(setup.players))), side)
        for side, own in seats.items()
    ]


def deals_digest(setup: Setup, arms: Sequence[Arm], seed: int, first: int, deals: Deals) -> str:
    """Names a result on the same deals, as result_digest names a run."""
    who = [[[list(line_up.digests), side] for line_up, side in arm] for arm in arms]
    return digest({"rules": setup.digest, "arms": who, "seed": seed, "first": first, **deals.as_data()})
