"""How much each rule of thumb differs between moves: the unit in which weights are searched and written.

A weight times the spread of its feature is what the feature contributes to the differences between moves. In these
units all features look alike to the search, and ratings mean the same in every game: tuned weights are scaled so that
the root mean square of these products is RATING points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.solver.players.weights import feature_spreads
from houle.solver.rules import Setup

RATING = 1000  # rating points of a typical feature between two typical moves
SCALE_GAMES = 60
DECISIONS = 4000  # at most

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Scales:
    """The features that matter in a setup, with their spreads between the moves of one decision."""

    names: tuple[str, ...]
    spreads: Vector
    idle: tuple[str, ...]  # the others: they never differ between two moves

    @classmethod
    def measured(cls, setup: Setup, weights: Mapping[str, int], seed: int) -> Scales:
        """Measure the spreads in games that are played in turn at random and by the weights."""
        found = feature_spreads(setup, seed, SCALE_GAMES, DECISIONS, weights)
        rows = [(name, total, times) for (name, _), total, times in zip(setup.game.FEATURES, *found, strict=True)]
        active = [row for row in rows if row[2]]
        idle = tuple(name for name, _, times in rows if not times)
        return cls(tuple(name for name, _, _ in active), np.array([total / times for _, total, times in active]), idle)

    def vector(self, weights: Mapping[str, int]) -> Vector:
        """Weights as a point of the search, in which a typical feature is 1; all zero for no weights."""
        raw = self._products(weights)
        size = self.size(weights)
        return raw / size if size else raw

    def size(self, weights: Mapping[str, int]) -> float:
        """Rating points of a typical feature under these weights."""
        return float(np.sqrt(np.mean(self._products(weights) ** 2)))

    def weights(self, point: Vector) -> dict[str, int]:
        """A point of the search as whole weights; the length of the vector does not matter."""
        size = float(np.sqrt(np.mean(np.asarray(point) ** 2))) or 1.0
        values = RATING * np.asarray(point) / size / self.spreads
        return {
            name: round(float(value)) for name, value in zip(self.names, values, strict=True) if round(float(value))
        }

    def _products(self, weights: Mapping[str, int]) -> Vector:
        return np.array([weights.get(name, 0) for name in self.names], float) * self.spreads
