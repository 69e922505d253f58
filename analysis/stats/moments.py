"""Exact sums over clusters: of named columns and of all their products, and every estimate that they hold.

A cluster is what is independent of the others: a game, or a deal that is played several times. A column is a whole
number of each: a share of the win, points, entries, whether nobody won. From the sums of the columns and of their
products every mean, every ratio of two of them and every difference has an interval, any two of them can be paired,
and parts that were played apart add up exactly, in any order.

An estimate is carried as a Statistic, in fractions, so that nothing cancels: columns that agree in every cluster have
a variance of 0, and no other do.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.differences import pair_means, pair_rates
from houle.analysis.stats.intervals import CONFIDENCE, Interval, around, clustered_rate, ratio

Column = Hashable
Match = NDArray[np.int64]

EXACT = 2**53  # whole numbers below this are the same as floats


@dataclass(frozen=True)
class Statistic:
    """A number made of sums, and how it moves with every cluster: a linear form of the columns."""

    value: Fraction | float  # nan where there is nothing to divide by
    form: Mapping[Column, Fraction]

    def __sub__(self, other: Statistic) -> Statistic:
        columns = dict.fromkeys((*self.form, *other.form))
        nothing = Fraction(0)
        form = {column: self.form.get(column, nothing) - other.form.get(column, nothing) for column in columns}
        return Statistic(self.value - other.value, form)


@dataclass
class Moments:
    """Sums over clusters of named columns, and of the product of any two."""

    columns: tuple[Column, ...]
    clusters: int
    sums: Match  # column
    products: Match  # column x column

    @classmethod
    def empty(cls, columns: Iterable[Column]) -> Moments:
        names = tuple(columns)
        return cls(names, 0, np.zeros(len(names), np.int64), np.zeros((len(names), len(names)), np.int64))

    @classmethod
    def of(cls, columns: Iterable[Column], match: Match) -> Moments:
        """Some clusters, a row of whole numbers each."""
        return cls(tuple(columns), len(match), match.sum(axis=0, dtype=np.int64), multiply(match))

    def add(self, other: Moments) -> None:
        if self.columns != other.columns:
            raise ValueError("sums of different columns cannot be added")
        self.clusters += other.clusters
        self.sums = self.sums + other.sums
        self.products = self.products + other.products

    def as_data(self) -> list[Any]:
        """The integers, for digests."""
        return [self.sums.tolist(), self.products.tolist()]

    def sum(self, column: Column) -> int:
        return int(self.sums[self.columns.index(column)])

    def product(self, one: Column, other: Column) -> int:
        return int(self.products[self.columns.index(one), self.columns.index(other)])

    def only(self, clusters: int) -> Moments:
        """The same sums, where all but so many clusters are 0 in every column that is asked for."""
        return Moments(self.columns, clusters, self.sums, self.products)

    def mean(self, column: Column, unit: int = 1) -> Statistic:
        """Mean of a column over the clusters, in units of so many."""
        value = Fraction(self.sum(column), unit * self.clusters) if self.clusters else math.nan
        return Statistic(value, {column: Fraction(1, unit)})

    def per(self, over: Column, under: Column, unit: int = 1) -> Statistic:
        """A ratio of two sums: what there is of one column to each of another, in units of so many."""
        top, bottom = self.sum(over), self.sum(under)
        if bottom == 0:
            return Statistic(math.nan, {})
        # It moves with its clusters as this form does, whose mean is 0.
        scale = Fraction(self.clusters, unit * bottom)
        return Statistic(Fraction(top, unit * bottom), {over: scale, under: -scale * Fraction(top, bottom)})

    def covariance(self, one: Statistic, other: Statistic) -> float:
        """Between clusters; that of two means is this over the number of clusters."""
        number = self.clusters
        if number < 2:
            return math.inf
        pairs = ((a * b, self.product(x, y)) for x, a in one.form.items() for y, b in other.form.items())
        square = sum((weight * product for weight, product in pairs), Fraction(0))
        mine, theirs = (sum((a * self.sum(x) for x, a in part.form.items()), Fraction(0)) for part in (one, other))
        return float((number * square - mine * theirs) / (number * (number - 1)))

    def variance(self, one: Statistic) -> float:
        return self.covariance(one, one)

    def covariances(self, some: Sequence[Statistic]) -> NDArray[np.float64]:
        """Of the statistics themselves, each with each."""
        found = [[self.covariance(one, other) for other in some] for one in some]
        return np.array(found) / max(self.clusters, 1)

    def interval(self, one: Statistic, confidence: float = CONFIDENCE) -> Interval:
        """The t interval."""
        return around(float(one.value), self.variance(one), self.clusters, confidence)

    def ratio(self, over: Column, under: Column, confidence: float = CONFIDENCE) -> Interval:
        """The t interval of a mean per entry; n counts entries."""
        squares = (self.product(over, over), self.product(over, under), self.product(under, under))
        return ratio(self.clusters, (self.sum(over), self.sum(under), *squares), confidence)

    def rate(self, one: Statistic, confidence: float = CONFIDENCE) -> Interval:
        """Wilson's interval of a mean share, with as many games as the clusters are worth."""
        value = 0.0 if self.clusters == 0 else float(one.value)
        return clustered_rate(value, self.variance(one), self.clusters, confidence)

    def rate_difference(self, one: Statistic, other: Statistic, confidence: float = CONFIDENCE) -> Interval:
        """By how much one rate is greater than another, paired by cluster."""
        gap = one - other
        return pair_rates(float(gap.value), self.variance(gap), self.clusters, confidence)

    def mean_difference(
        self, one: Statistic, other: Statistic, most: float, changed: int | None = None, confidence: float = CONFIDENCE
    ) -> Interval:
        """By how much one mean is greater than another, paired by cluster.

        No cluster can differ by more than `most`; `changed` of them do, where that was counted.
        """
        gap = one - other
        return pair_means(float(gap.value), self.variance(gap), self.clusters, most, changed, confidence)


def multiply(match: Match) -> Match:
    """Sums of products of every two columns: by floats, which multiply fast, where they hold them exactly."""
    greatest = int(np.abs(match).max(initial=0))
    if greatest**2 * len(match) >= EXACT:
        exact: Match = match.T @ match
        return exact
    floats = match.astype(np.float64)
    return (floats.T @ floats).astype(np.int64)
