"""Exact sums over clusters of named columns and of all their products, and the estimates that follow from them.

A cluster is a unit that is independent of the others: a game, or a deal that is played several times. A column is a
whole number for each cluster: a share of the win, points, entries, whether nobody won. The sums of the columns and of
their products give every mean, ratio and difference an interval. Any two columns can be paired, and parts that were
played separately add up exactly, in any order.

An estimate is a Statistic, in exact fractions: its variance is 0 only if it agrees in every cluster.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.differences import pair_means, pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, around, clustered_rate, ratio

Column = Hashable
Integers = NDArray[np.int64]

EXACT = 2**53  # floats hold whole numbers below this exactly


@dataclass(frozen=True)
class Statistic:
    """A number made of sums, and how it depends on every cluster: a linear form of the columns."""

    value: Fraction | float  # nan if there is nothing to divide by
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
    sums: Integers  # column
    products: Integers  # column x column

    @classmethod
    def empty(cls, columns: Iterable[Column]) -> Moments:
        names = tuple(columns)
        return cls(names, 0, np.zeros(len(names), np.int64), np.zeros((len(names), len(names)), np.int64))

    @classmethod
    def of(cls, columns: Iterable[Column], rows: Integers) -> Moments:
        """Some clusters, a row of whole numbers each."""
        return cls(tuple(columns), len(rows), rows.sum(axis=0, dtype=np.int64), multiply(rows))

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
        """The same sums with another number of clusters: those left out are 0 in every column that is used."""
        return Moments(self.columns, clusters, self.sums, self.products)

    def mean(self, column: Column, unit: int = 1) -> Statistic:
        """Mean of a column over the clusters, divided by `unit`."""
        value = Fraction(self.sum(column), unit * self.clusters) if self.clusters else math.nan
        return Statistic(value, {column: Fraction(1, unit)})

    def per(self, over: Column, under: Column, unit: int = 1) -> Statistic:
        """The ratio of the sums of two columns, divided by `unit`."""
        top, bottom = self.sum(over), self.sum(under)
        if bottom == 0:
            return Statistic(math.nan, {})
        # The linear form of the ratio; its mean over the clusters is 0.
        scale = Fraction(self.clusters, unit * bottom)
        return Statistic(Fraction(top, unit * bottom), {over: scale, under: -scale * Fraction(top, bottom)})

    def covariance(self, one: Statistic, other: Statistic) -> float:
        """Covariance between clusters; divide by the number of clusters for that of two means."""
        number = self.clusters
        if number < 2:
            return math.inf
        pairs = ((a * b, self.product(x, y)) for x, a in one.form.items() for y, b in other.form.items())
        square = sum((weight * product for weight, product in pairs), Fraction(0))
        mine, theirs = (sum((a * self.sum(x) for x, a in part.form.items()), Fraction(0)) for part in (one, other))
        return float((number * square - mine * theirs) / (number * (number - 1)))

    def variance(self, one: Statistic) -> float:
        return self.covariance(one, one)

    def interval(self, one: Statistic, confidence: float = CONFIDENCE) -> Estimate:
        """The t interval."""
        return around(float(one.value), self.variance(one), self.clusters, confidence)

    def ratio(self, over: Column, under: Column, confidence: float = CONFIDENCE) -> Estimate:
        """The t interval of a mean per entry; n counts entries."""
        squares = (self.product(over, over), self.product(over, under), self.product(under, under))
        return ratio(self.clusters, (self.sum(over), self.sum(under), *squares), confidence)

    def rate(self, one: Statistic, confidence: float = CONFIDENCE) -> Estimate:
        """Wilson's interval of a mean share, with the effective number of games of the clusters."""
        value = 0.0 if self.clusters == 0 else float(one.value)
        return clustered_rate(value, self.variance(one), self.clusters, confidence)

    def rate_difference(self, one: Statistic, other: Statistic, confidence: float = CONFIDENCE) -> Estimate:
        """By how much one rate is greater than another, paired by cluster."""
        gap = one - other
        return pair_rates(float(gap.value), self.variance(gap), self.clusters, confidence)

    def mean_difference(
        self, one: Statistic, other: Statistic, most: float, changed: int | None = None, confidence: float = CONFIDENCE
    ) -> Estimate:
        """By how much one mean is greater than another, paired by cluster.

        No cluster can differ by more than `most`. `changed` is the number that do differ, if it was counted.
        """
        gap = one - other
        return pair_means(
            float(gap.value), self.variance(gap), self.clusters, most, changed=changed, confidence=confidence
        )


def multiply(rows: Integers) -> Integers:
    """Sums of products of every two columns; by floats, which multiply faster, if they are exact."""
    greatest = int(np.abs(rows).max(initial=0))
    if greatest**2 * len(rows) >= EXACT:
        exact: Integers = rows.T @ rows
        return exact
    floats = rows.astype(np.float64)
    return (floats.T @ floats).astype(np.int64)
