"""A model of what combined changes do, from the effects of single ones; it proposes settings to play next.

Effects add up as log odds (rates), as logarithms (lengths) or as they are. What settings with several changes show
beyond the sum is learned as interactions of axes: the product of two effects times a factor, so that a few settings
teach about many. The model only proposes: no number of an answer comes from it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.designing.space import AS_IT_IS, Change, Setting, Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.measures import is_percent
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, normal_quantile

Numbers = NDArray[np.float64]

EDGE = 0.0005  # rates nearer to 0 or 1 than this are treated as this
PAIR = 0.5  # prior spread of an interaction of two effects of typical size, in units of that size
SCOUTED = 0.5  # the same of an effect that another player measured
LACK = 0.05  # what the model misses, in units of a typical effect
MOST_CHANGES = 6  # in one setting
COUNTABLE = 4_000  # if there are at most so many settings, all of them are considered
BEAM = 200  # settings of each number of changes that are extended by another change
COST = 0.7  # what one change more must gain, as a factor of the chance to reach the target: e^0.7 = 2
KINDS = 6  # kinds of settings among the proposals of a round


@dataclass(frozen=True)
class EffectScale:
    """The scale on which the effects of a measure add up."""

    measure: str
    sides: int

    def __call__(self, value: Any) -> Numbers:
        values = np.asarray(value, float)
        if is_percent(self.measure) and self.measure != "balance":
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

    def error(self, estimate: Estimate, confidence: float = CONFIDENCE) -> float:
        """The standard error of an estimate on the scale."""
        return float(self(estimate.high) - self(estimate.low)) / (2 * normal_quantile(confidence))


class Model:
    """What single changes do to the measure of a wish, and what is learned from settings with several of them."""

    def __init__(
        self,
        wish: Wish,
        space: Space,
        base: Estimate,
        effects: Mapping[Change, Estimate],
        confidence: float = CONFIDENCE,
        scout: Estimate | None = None,
    ) -> None:
        """`confidence`: of each interval of the effects.

        `scout`: the measure of the unchanged rules by the player whose effects these are, if that is another one.
        """
        self.wish, self.scale, self.scouted = (
            wish,
            EffectScale(wish.measure, int(space.base.rules[0].sides)),
            scout is not None,
        )
        changes, from_ = space.single_changes, (scout or base).value
        sums = [effects[change].shift(from_) for change in changes]
        self.base = float(self.scale(base.value))
        self.single = np.array([float(self.scale(one.value) - self.scale(from_)) for one in sums])
        self.error = np.array([max(self.scale.error(one, confidence), 1e-6) for one in sums])
        # Few games make large effects too large: shrink them to their common spread.
        noise = self.error**2
        spread = max(float(np.mean(self.single**2 - noise)), float(np.mean(noise)) / 4)
        self.single, self.error = self.single * spread / (spread + noise), np.sqrt(noise * spread / (spread + noise))
        self.unit = max(float(np.sort(np.abs(self.single))[-5:].mean()), float(self.error.min()), 1e-6)
        self.axis = np.zeros((len(changes), len(space.axes)))
        self.axis[np.arange(len(changes)), [axis for axis, _ in changes]] = 1.0
        self.lists = np.array([axis.is_list for axis in space.axes])
        self.index = {change: i for i, change in enumerate(changes)}
        width = self._features(self.rows([AS_IT_IS])).shape[1]
        widths = [PAIR] * (width - self.scouted * len(space.axes)) + [SCOUTED] * self.scouted * len(space.axes)
        self.prior = np.array(widths) ** -2.0
        self.factors, self.covariance = np.zeros(width), np.diag(1 / self.prior)

    def rows(self, settings: Sequence[Setting]) -> Numbers:
        """Settings as rows: 1 for every change that they make."""
        rows = np.zeros((len(settings), len(self.index)))
        for row, setting in zip(rows, settings, strict=True):
            row[[self.index[change] for change in setting]] = 1.0
        return rows

    def _features(self, rows: Numbers) -> Numbers:
        """Products of the effects of two axes, and of two entries of a list; of another player's effects also these."""
        effects = self.single / self.unit
        sums = rows @ (self.axis * effects[:, None])
        first, second = np.triu_indices(sums.shape[1], 1)
        within = (sums**2 - rows @ (self.axis * effects[:, None] ** 2))[:, self.lists] / 2
        return np.concatenate([sums[:, first] * sums[:, second], within, *([sums] if self.scouted else [])], axis=1)

    def learn(self, measured: Mapping[Setting, Estimate]) -> None:
        """Fit the interactions to the settings that were played, and take over single changes with more games."""
        for setting, one in measured.items():
            if len(setting) == 1 and (own := self.scale.error(one)) < self.error[i := self.index[min(setting)]]:
                self.single[i], self.error[i] = float(self.scale(one.value)) - self.base, own
        settings = [setting for setting in measured if len(setting) > (0 if self.scouted else 1)]
        if not settings:
            return
        rows, seen = self.rows(settings), [measured[setting] for setting in settings]
        off = self.scale([one.value for one in seen]) - self.base - rows @ self.single
        error = np.array([self.scale.error(one) for one in seen])
        variance = error**2 + rows @ self.error**2 + (LACK * self.unit) ** 2
        features = self._features(rows)
        weighted = features.T * (self.unit**2 / variance)
        self.covariance = np.linalg.inv(weighted @ features + np.diag(self.prior))
        self.factors = self.covariance @ (weighted @ (off / self.unit))

    def predict(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Mean and standard error on the scale."""
        features = self._features(rows)
        mean = self.base + rows @ self.single + self.unit * (features @ self.factors)
        own = ((features @ self.covariance) * features).sum(axis=1)
        return mean, np.sqrt(self.unit**2 * (own + LACK**2) + rows @ self.error**2)

    def log_chance(self, rows: Numbers) -> Numbers:
        """The log of the predicted chance that a setting is inside the target; far outside, the squared distance."""
        from scipy.special import ndtr

        (mean, error), (low, high) = self.predict(rows), self.scale.ends(self.wish)
        chance = ndtr((high - mean) / error) - ndtr((low - mean) / error)
        away = np.maximum(np.maximum(low - mean, mean - high), 0.0) / error
        return np.where(chance > 1e-9, np.log(np.maximum(chance, 1e-9)), np.minimum(-(away**2) / 2, math.log(1e-9)))


def propose(
    space: Space,
    models: Sequence[Model],
    known: Collection[Setting],
    number: int,
    costs_of: Mapping[frozenset[str], float],
) -> list[Setting]:
    """Settings not known yet, those first that probably reach all targets with few and small changes.

    Some of them are of different kinds. Of a kind that has an answer (`costs_of`) only cheaper ones are.
    """
    changes, costs = space.single_changes, _costs(space)
    if space.size <= COUNTABLE:
        rows = models[0].rows([setting for setting in space.settings() if setting not in known])
    else:
        rows = _beam(space, models, costs)
    score = _score(rows, models, costs)
    kinds: dict[frozenset[str], Setting] = {}
    others: list[Setting] = []
    for i in np.argsort(-score, kind="stable"):
        setting = frozenset(changes[change] for change in np.flatnonzero(rows[i]))
        kind = space.kind(setting)
        if setting in known or costs_of.get(kind, math.inf) <= space.cost(setting):
            continue
        if kind not in kinds and len(kinds) < KINDS:
            kinds[kind] = setting
        elif len(others) < number:
            others.append(setting)
        elif len(kinds) == KINDS:
            break
    return [*kinds.values(), *others][:number]


def best_first(space: Space, models: Sequence[Model], settings: Sequence[Setting]) -> list[Setting]:
    """These settings, those first that probably reach all targets with few and small changes."""
    if not models or not settings:
        return list(settings)
    score = _score(models[0].rows(settings), models, _costs(space))
    return [settings[i] for i in np.argsort(-score, kind="stable")]


def _costs(space: Space) -> Numbers:
    """What each single change costs."""
    return np.array([space.cost(frozenset({change})) for change in space.single_changes])


def _score(rows: Numbers, models: Sequence[Model], costs: Numbers) -> Numbers:
    score: Numbers = sum((model.log_chance(rows) for model in models), -COST * (rows @ costs))
    return score


def _beam(space: Space, models: Sequence[Model], costs: Numbers) -> Numbers:
    """Settings with up to MOST_CHANGES changes: the best of each number of changes, extended by every change."""
    number = len(space.single_changes)
    exclusive = models[0].axis[:, [not axis.is_list for axis in space.axes]]
    names = np.random.default_rng(0).integers(1, 2**62, number)  # the sum of its changes' names identifies a setting
    beam = np.zeros((1, number))
    every = [beam]
    for _ in range(MOST_CHANGES):
        taken = (beam + beam @ exclusive @ exclusive.T) > 0
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
