"""Which kinds of players results fit, where every kind is known by simulated games.

A kind is ruled out if fewer than 5% of its own results lie as far from it. How far results lie from a kind has two
measures: by how many standard errors their mean differs from its mean, and how much likelier they are at the likeliest
other kind. The first also notices people beyond all kinds, the second uses the whole distribution of scores. Both the
results and the simulated games of a kind are drawn many times from what it was seen to reach. So the test keeps its
level with few results, with scores of any distribution, and with the noise of few simulated games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import around

Numbers = NDArray[np.float64]

FITS = 0.05  # a kind that fits less is ruled out
DRAWS = 4_000
UNSEEN = 0.5  # games added to each result, so that none has chance 0
DIGITS = 9  # of distances: equal ones stay equal
NUMBERS = (10, 20, 40, 80, 160, 320, 640, 1_280)  # of results that might settle which kind it is
USUALLY, TRIES = 0.8, 1_000


@dataclass(frozen=True)
class Counted:
    """How often people reached each result of a setup, and how often each kind of player did in simulated games."""

    values: Numbers  # 1 and 0 for a win and a loss, or scores
    seen: Numbers  # how often people reached each
    simulated: Numbers  # kinds x values

    @classmethod
    def of(cls, seen: Mapping[int, float], simulated: Sequence[Mapping[int, float]]) -> Counted:
        """From how often each result was reached, by people and by every kind."""
        values = sorted({*seen, *(value for one in simulated for value in one)})
        rows = [[float(one.get(value, 0)) for value in values] for one in (seen, *simulated)]
        return cls(np.array(values, np.float64), np.array(rows[0]), np.array(rows[1:]))

    @property
    def number(self) -> int:
        return int(self.seen.sum())

    def mean(self, counts: Numbers) -> Estimate:
        """The mean of results with these counts."""
        number = int(counts.sum())
        mean = float(counts @ self.values) / number
        return around(mean, float(counts @ (self.values - mean) ** 2) / max(number - 1, 1), number)

    @cached_property
    def chances(self) -> Numbers:
        """The chance of each result, for every kind."""
        return _shares(self.simulated + UNSEEN)

    def drawn(self, kind: int, number: int, times: int, rng: np.random.Generator) -> Numbers:
        """So many results of a kind, drawn several times: times x values."""
        return rng.multinomial(number, self.chances[kind], times).astype(np.float64)

    def simulated_again(self, kind: int, times: int, rng: np.random.Generator) -> Numbers:
        """The chances of a kind as other simulated games would show them: times x values."""
        return _shares(self.drawn(kind, round(self.simulated[kind].sum()), times, rng) + UNSEEN)

    def errors(self, counts: Numbers, chances: Numbers) -> Numbers:
        """By how many standard errors the mean of results is above that of chances, row by row."""
        number, mean = counts.sum(axis=1), chances @ self.values
        spread = np.sqrt(np.maximum(chances @ self.values**2 - mean**2, 1e-12))
        above: Numbers = (counts @ self.values - number * mean) / (spread * np.sqrt(number))
        return above

    def above(self) -> Numbers:
        """The same for the results of people and every kind."""
        return np.array([self.errors(self.seen[None, :], own[None, :])[0] for own in self.chances])


def _shares(counts: Numbers) -> Numbers:
    shares: Numbers = counts / counts.sum(axis=1, keepdims=True)
    return shares


Drawn = tuple[Counted, Numbers, Numbers]  # results of one sort, and the chances of the kind they are compared with


def distances(parts: Sequence[Drawn], kind: int) -> Numbers:
    """Both measures of how far results lie from a kind: 2 x times."""
    errors = sum(one.errors(counts, chances) ** 2 for one, counts, chances in parts)
    own = sum((counts * np.log(chances)).sum(axis=1) for _, counts, chances in parts)
    likely = sum(counts @ np.log(np.delete(one.chances, kind, axis=0)).T for one, counts, _ in parts)
    return np.stack([errors, np.max(likely, axis=1) - own]).round(DIGITS)


def own_distances(sorts: Sequence[tuple[Counted, int]], kind: int, times: int, rng: np.random.Generator) -> Numbers:
    """How far results of a kind lie from it; so many of every sort."""
    parts = [(one, one.drawn(kind, number, times, rng), one.simulated_again(kind, times, rng)) for one, number in sorts]
    return distances(parts, kind)


def rareness(own: Numbers, found: Numbers) -> Numbers:
    """The share of a kind's own results that lie as far from it as the found ones, or farther.

    Results count by the rarer of their two distances, own ones as well as found ones.
    """
    rarest = [
        np.min([_as_large(each, some) for each, some in zip(own, asked, strict=True)], axis=0) for asked in (own, found)
    ]
    return _as_large(-rarest[0], -rarest[1])


def _as_large(own: Numbers, found: Numbers) -> Numbers:
    """The share of own distances that are at least as large as each found one, which counts as one more."""
    shares: Numbers = (len(own) - np.searchsorted(np.sort(own), found) + 1) / (len(own) + 1)
    return shares


def fits_of(sorts: Sequence[Counted], seed: int) -> list[float]:
    """How well the results of one or several sorts together fit every kind: how rare they are among its own."""
    rng, fits = np.random.default_rng(seed), []
    for kind in range(len(sorts[0].simulated)):
        own = own_distances([(one, one.number) for one in sorts], kind, DRAWS, rng)
        found = distances([(one, one.seen[None, :], one.chances[kind][None, :]) for one in sorts], kind)
        fits.append(float(rareness(own, found)[0]))
    return fits


def settling_number(sorts: Sequence[tuple[Counted, int]], kinds: Sequence[int], seed: int) -> float:
    """How many results usually fit only one of some kinds; infinity if the greatest of NUMBERS does not suffice.

    Usually: in four of five cases, whichever of the kinds it is. Every sort has its share of the results.
    """
    rng, whole = np.random.default_rng(seed), sum(share for _, share in sorts)
    for number in NUMBERS:
        parts = [(one, max(1, round(number * share / whole))) for one, share in sorts]
        own = {kind: own_distances(parts, kind, TRIES, rng) for kind in kinds}
        settled = []
        for kind in kinds:
            results = [(one, one.drawn(kind, part, TRIES, rng)) for one, part in parts]
            far = {
                other: distances([(one, counts, one.chances[other][None, :]) for one, counts in results], other)
                for other in kinds
                if other != kind
            }
            settled.append(np.all([rareness(own[other], one) < FITS for other, one in far.items()], axis=0))
        if np.mean(settled) >= USUALLY:
            return number
    return math.inf
