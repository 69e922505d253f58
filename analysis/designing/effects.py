"""What single changes do to a measure, and what pairs of them do beyond that: from the settings that were played.

A model that a person can read: every change moves the measure by so much, and two changes together by so much more or
less than their sum. Rates are added up as log odds, where steps stay steps near 0 and 1. Pairs are held near 0 unless
the games say otherwise. It proposes what to play next and is told as a table; no number of an answer rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from houle.analysis.designing.space import AS_IT_IS, Change, Setting
from houle.analysis.stats.intervals import Interval

EDGE = 0.001  # nearest to 0 or 1 that a rate counts as
WIDE, NARROW = 100.0, 0.5  # how far from 0 an effect may lie, single and of a pair, in units of a typical single one


@dataclass(frozen=True)
class Effects:
    """The model of one measure."""

    base: float  # of the rules one begins with, on the scale of the model
    single: Mapping[Change, float]
    pairs: Mapping[frozenset[Change], float]
    rate: bool

    def predict(self, setting: Setting) -> float:
        """The measure of a setting, played or not."""
        return self._shown(self._sum(setting))

    def knows(self, setting: Setting) -> bool:
        """Whether each of the changes was played in some setting."""
        return all(change in self.single for change in setting)

    def alone(self, change: Change) -> float:
        """By how much one change moves the measure."""
        return self.predict(frozenset({change})) - self.predict(AS_IT_IS)

    def beyond(self, pair: frozenset[Change]) -> float:
        """By how much two changes together move the measure more than each alone."""
        return self.predict(pair) - self.predict(AS_IT_IS) - sum(self.alone(change) for change in pair)

    def given(self, change: Change, other: Change) -> float:
        """By how much a change moves the measure where another is made already."""
        return self.predict(frozenset({change, other})) - self.predict(frozenset({other}))

    def _sum(self, setting: Setting) -> float:
        both = (frozenset(pair) for pair in combinations(setting, 2))
        return self.base + sum(self.single.get(c, 0.0) for c in setting) + sum(self.pairs.get(p, 0.0) for p in both)

    def _shown(self, value: float) -> float:
        return 1 / (1 + math.exp(-value)) if self.rate else value


def fit_effects(found: Mapping[Setting, Interval], rate: bool) -> Effects:
    """Least squares, each setting weighted by how sure its estimate is."""
    scale: Callable[[float], float] = _log_odds if rate else float
    settings = list(found)
    singles = sorted({change for setting in settings for change in setting})
    pairs = sorted({frozenset(pair) for setting in settings for pair in combinations(setting, 2)}, key=sorted)
    columns: dict[Setting, int] = {frozenset({change}): i + 1 for i, change in enumerate(singles)}
    columns |= {pair: len(singles) + 1 + i for i, pair in enumerate(pairs)}
    values = np.array([scale(found[setting].value) for setting in settings])
    errors = np.array([_error(found[setting], scale) for setting in settings])
    rows = np.zeros((len(settings), 1 + len(columns)))
    rows[:, 0] = 1.0
    for row, setting in zip(rows, settings, strict=True):
        for part in (*(frozenset({change}) for change in setting), *map(frozenset, combinations(setting, 2))):
            row[columns[part]] = 1.0
    typical = max(float(np.std(values)), float(np.median(errors)), 1e-9)
    reach = np.array([math.inf] + [WIDE * typical] * len(singles) + [NARROW * typical] * len(pairs))
    weighted = rows / errors[:, None]
    solved = np.linalg.solve(weighted.T @ weighted + np.diag(reach**-2.0), weighted.T @ (values / errors))
    single = {change: float(solved[columns[frozenset({change})]]) for change in singles}
    return Effects(float(solved[0]), single, {pair: float(solved[columns[pair]]) for pair in pairs}, rate)


def _log_odds(rate: float) -> float:
    inside = min(max(rate, EDGE), 1 - EDGE)
    return math.log(inside / (1 - inside))


def _error(found: Interval, scale: Callable[[float], float]) -> float:
    """Half the width on the scale of the model; a lower bound keeps a sure estimate from being all that counts."""
    return max((scale(found.high) - scale(found.low)) / 2, 1e-3 * max(1.0, abs(scale(found.value))))
