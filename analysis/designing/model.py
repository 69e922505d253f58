"""What combined changes probably do, from the effects of single ones; it proposes the settings that are played next.

Effects add up as log odds (rates), as logarithms (lengths) or as they are. What combinations show beyond the sum
corrects every effect, and says how much of the sums remains when several changes come together. The model only
proposes: no number of an answer comes from it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.designing.space import AS_IT_IS, Change, Setting, Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.measures import SEAT_GAP, is_percent
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, normal_quantile

Numbers = NDArray[np.float64]

EDGE = 0.0005  # rates nearer to 0 or 1 than this are treated as this
REMAINS = 0.3  # prior spread of how much of a sum remains; 0 if all of it does
MISSES = 0.1  # what a combination misses, as a share of the sizes of its effects
LEAST_MISS = 0.05  # what every setting misses, as a share of the largest effect
OTHERS = 0.3  # what an effect misses that other players measured, as a share of its size
MOST_CHANGES = 5  # in one setting
BEAM = 150  # settings of each number of changes that are extended by another change
COST = 0.7  # what one change more must gain, as a factor of the chance to reach the target: e^0.7 = 2
OF_A_KIND = 2  # settings that change the same rules, among those that are proposed together


@dataclass(frozen=True)
class EffectScale:
    """The scale on which the effects of a measure add up."""

    measure: str
    sides: int

    def __call__(self, value: Any) -> Numbers:
        values = np.asarray(value, float)
        if is_percent(self.measure) and self.measure != SEAT_GAP:
            share = np.clip(values + (1 / self.sides if self.measure == "first-seat" else 0.0), EDGE, 1 - EDGE)
            return np.log(share / (1 - share))
        return np.log(np.maximum(values, 0.01)) if self.measure.startswith(("length", "spread")) else values

    def ends(self, wish: Wish) -> tuple[float, float]:
        """The target on the scale; an end that no value can cross is infinite."""
        low, high = wish.target.low, wish.target.high
        least = -1.0 if self.measure == "first-seat" else 0.0
        bounded = is_percent(self.measure) or self.measure.startswith(("length", "spread"))
        return (
            -math.inf if low == -math.inf or (bounded and low <= least) else float(self(low)),
            math.inf if high == math.inf or (is_percent(self.measure) and high >= 1) else float(self(high)),
        )

    def error(self, estimate: Estimate) -> float:
        """The standard error of an estimate on the scale."""
        return max(float(self(estimate.high) - self(estimate.low)) / (2 * normal_quantile(CONFIDENCE)), 1e-6)


def log_chance(wish: Wish, scale: EffectScale, mean: Any, error: Any) -> Numbers:
    """The log of the chance that a measure is inside its target; far outside, the squared distance."""
    from scipy.special import ndtr

    low, high = scale.ends(wish)
    chance: Numbers = ndtr((high - mean) / error) - ndtr((low - mean) / error)
    away = np.maximum(np.maximum(low - mean, mean - high), 0.0) / error
    far: Numbers = np.minimum(-(away**2) / 2, math.log(1e-6))
    return np.where(chance > 1e-6, np.log(np.maximum(chance, 1e-6)), far)


class Model:
    """What changes do to the measure of a wish: a number for the unchanged rules, for each change, and for sums."""

    def __init__(
        self,
        wish: Wish,
        space: Space,
        effects: Mapping[Change, Estimate],
        base: Estimate,
        own: Estimate | None = None,
    ) -> None:
        """`effects` are differences from `base`; `own` is the base of the players of the wish, if others measured."""
        self.wish, self.space, self.changes = wish, space, list(effects)
        self.scale = EffectScale(wish.measure, int(space.base.rules[0].sides))
        self.index = {change: i for i, change in enumerate(self.changes)}
        there = [one.shift(base.value) for one in effects.values()]
        single = self.scale([one.value for one in there]) - self.scale(base.value)
        error = np.array([self.scale.error(one) for one in there])
        if own is not None:
            error = np.hypot(error, OTHERS * np.abs(single))
        # Few games make large effects too large: shrink them to their common spread.
        spread = max(float(np.mean(single**2 - error**2)), float(np.mean(error**2)) / 4) if len(single) else 1.0
        kept = spread / (spread + error**2)
        self.single = single * kept
        self.mean = np.array([float(self.scale((own or base).value)), *self.single, 0.0])
        widths = [self.scale.error(own or base), *(error * np.sqrt(kept)), REMAINS]
        self.covariance = np.diag(np.square(widths))

    def rows(self, settings: Sequence[Setting]) -> Numbers:
        """Settings as rows: 1 for every change that they make."""
        rows = np.zeros((len(settings), len(self.changes)))
        for row, setting in zip(rows, settings, strict=True):
            row[[self.index[change] for change in setting]] = 1.0
        return rows

    def _features(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """What the numbers of the model are multiplied by, and the variance of what it misses."""
        several = rows.sum(axis=1) > 1
        sums, sizes = several * (rows @ self.single), several * (rows @ np.abs(self.single))
        missed = MISSES * sizes + LEAST_MISS * np.abs(self.single).max(initial=0.0)
        return np.column_stack([np.ones(len(rows)), rows, sums]), missed**2

    def learn(self, measured: Mapping[Setting, Estimate]) -> None:
        """Correct the model by settings that were played; each is learned once."""
        known = {setting: one for setting, one in measured.items() if setting <= self.index.keys()}
        if not known:
            return
        features, missed = self._features(self.rows(list(known)))
        noise = missed + np.array([self.scale.error(one) for one in known.values()]) ** 2
        seen = self.scale([one.value for one in known.values()])
        gain = np.linalg.solve(features @ self.covariance @ features.T + np.diag(noise), features @ self.covariance).T
        self.mean = self.mean + gain @ (seen - features @ self.mean)
        self.covariance = self.covariance - gain @ features @ self.covariance

    def predict(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Mean and standard error on the scale."""
        features, missed = self._features(rows)
        variance = ((features @ self.covariance) * features).sum(axis=1) + missed
        return features @ self.mean, np.sqrt(np.maximum(variance, 1e-12))

    def log_chance(self, rows: Numbers) -> Numbers:
        """The log of the chance that a setting is inside the target."""
        return log_chance(self.wish, self.scale, *self.predict(rows))


def propose(space: Space, models: Sequence[Model], known: Collection[Setting], number: int) -> list[Setting]:
    """Settings that were not played, those first that probably reach all targets with few and small changes."""
    changes = models[0].changes
    costs = np.array([space.cost(frozenset({change})) for change in changes])
    rows = _beam(models, costs)
    score = _score(rows, models, costs)
    kinds: Counter[frozenset[str]] = Counter()
    chosen: list[Setting] = []
    rest: list[Setting] = []
    for i in np.argsort(-score, kind="stable"):
        setting = frozenset(changes[change] for change in np.flatnonzero(rows[i]))
        if setting in known or not space.is_allowed(setting):
            continue
        kinds[space.kind(setting)] += 1
        (chosen if kinds[space.kind(setting)] <= OF_A_KIND else rest).append(setting)
        if len(chosen) == number:
            break
    return [*chosen, *rest][:number]


def _score(rows: Numbers, models: Sequence[Model], costs: Numbers) -> Numbers:
    score: Numbers = sum((model.log_chance(rows) for model in models), -COST * (rows @ costs))
    return score


def _beam(models: Sequence[Model], costs: Numbers) -> Numbers:
    """Settings with up to MOST_CHANGES changes: the best of each number of changes, extended by every change."""
    model, number = models[0], len(costs)
    single = [not model.space.axes[axis].is_list for axis, _ in model.changes]
    axis = np.array([axis for axis, _ in model.changes])
    exclusive = (axis[:, None] == axis) & np.array(single)[:, None]  # values of one rule
    names = np.random.default_rng(0).integers(1, 2**62, number)  # the sum of its changes' names identifies a setting
    beam = model.rows([AS_IT_IS])
    every = [beam]
    for _ in range(MOST_CHANGES):
        taken = (beam + beam @ exclusive) > 0
        parent, change = np.nonzero(~taken)
        wider = (beam.astype(np.int64) @ names)[parent] + names[change]
        _, first = np.unique(wider, return_index=True)
        if not len(first):
            break
        rows = beam[parent[first]]
        rows[np.arange(len(first)), change[first]] = 1.0
        beam = rows[np.argsort(-_score(rows, models, costs), kind="stable")[:BEAM]]
        every.append(beam)
    return np.concatenate(every)
