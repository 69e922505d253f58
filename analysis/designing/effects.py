"""A model of what rule changes do to a measure: single effects, and interactions of pairs.

Effects add up; for rates they add up as log odds, so that predictions stay between 0 and 1. Interactions are shrunk
towards 0 unless the games say otherwise. The model proposes what to play next and is shown as a table. No number of
an answer comes from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from houle.analysis.designing.space import AS_IT_IS, Change, Setting
from houle.analysis.stats.estimate import Estimate

EDGE = 0.001  # rates nearer to 0 or 1 than this are treated as this
WIDE, NARROW = 100.0, 0.5  # prior spread of single effects and of interactions, in units of a typical single effect


@dataclass(frozen=True)
class Effects:
    """The model of one measure."""

    base: float  # of the unchanged rules, on the scale of the model
    single: Mapping[Change, float]
    pairs: Mapping[frozenset[Change], float]
    rate: bool

    def predict(self, setting: Setting) -> float:
        """The predicted measure of a setting, played or not."""
        return self._shown(self._sum(setting))

    def knows(self, setting: Setting) -> bool:
        """Whether each change was played in some setting."""
        return all(change in self.single for change in setting)

    def alone(self, change: Change) -> float:
        """By how much one change by itself moves the measure."""
        return self.predict(frozenset({change})) - self.predict(AS_IT_IS)

    def beyond(self, pair: frozenset[Change]) -> float:
        """By how much two changes together move the measure beyond the sum of both."""
        return self.predict(pair) - self.predict(AS_IT_IS) - sum(self.alone(change) for change in pair)

    def given(self, change: Change, other: Change) -> float:
        """By how much a change moves the measure if another is already made."""
        return self.predict(frozenset({change, other})) - self.predict(frozenset({other}))

    def _sum(self, setting: Setting) -> float:
        both = (frozenset(pair) for pair in combinations(setting, 2))
        return self.base + sum(self.single.get(c, 0.0) for c in setting) + sum(self.pairs.get(p, 0.0) for p in both)

    def _shown(self, value: float) -> float:
        return 1 / (1 + math.exp(-value)) if self.rate else value


def fit_effects(estimates: Mapping[Setting, Estimate], rate: bool) -> Effects:
    """Least squares, each setting weighted by how certain its estimate is."""
    scale: Callable[[float], float] = _log_odds if rate else float
    settings = list(estimates)
    singles = sorted({change for setting in settings for change in setting})
    pairs = sorted({frozenset(pair) for setting in settings for pair in combinations(setting, 2)}, key=sorted)
    columns: dict[Setting, int] = {frozenset({change}): i + 1 for i, change in enumerate(singles)}
    columns |= {pair: len(singles) + 1 + i for i, pair in enumerate(pairs)}
    values = np.array([scale(estimates[setting].value) for setting in settings])
    errors = np.array([_error(estimates[setting], scale) for setting in settings])
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


def _error(estimate: Estimate, scale: Callable[[float], float]) -> float:
    """Half the width on the scale of the model, with a lower bound so that one estimate cannot dominate the fit."""
    return max((scale(estimate.high) - scale(estimate.low)) / 2, 1e-3 * max(1.0, abs(scale(estimate.value))))
