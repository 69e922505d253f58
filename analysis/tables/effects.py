"""What single changes do: the unchanged rules and every change on the same deals.

All changes are compared with one sample of the unchanged rules. If these games happened to go badly, every effect
looks too high at once. And people read a list from its largest effect down, which is partly luck. An interval that
holds 95% of the time by itself covers neither. So intervals are joint: in 95 of 100 runs all effects of a call, on all
measures, lie inside theirs (Bonferroni, which needs no assumption about what effects have in common), and with them
every part of the list that somebody picks. Where there are many changes, the unchanged rules are played the square root
of their number times as often, so that they add little to the error of each.

Joint intervals hold after picking, but the estimates of the largest effects are still too large on average. A command
that shows only picked changes therefore plays these again on fresh games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from houle.analysis.measures.measures import MEASURES, difference, estimate
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.differences import FEW, near_end, pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import around
from houle.analysis.stats.looks import confidence_at

JOINT = "joint"  # the kind of interval, for JSON and frames
LEAST_IDLE = 100  # games that a change must leave as they were to count as without effect


@dataclass(frozen=True)
class Effect:
    """What one change does to every measure."""

    arm: Arm  # the changed rules
    by: Mapping[str, Estimate]  # by measure, with joint intervals
    idle: bool  # whether it altered no game

    @property
    def size(self) -> tuple[float, float]:
        return size_of(self.by)


def size_of(effects: Mapping[str, Estimate]) -> tuple[float, float]:
    """The greatest effect in units of what matters to players: what is certain of it, then what was measured."""
    margins = margins_of()
    return (
        max(near_end(one) / margins[measure] for measure, one in effects.items()),
        max(abs(one.value) / margins[measure] for measure, one in effects.items()),
    )


@dataclass(frozen=True)
class Effects:
    """The unchanged rules, and what each change does by itself."""

    measures: tuple[str, ...]
    confidence: float  # of each interval; together they hold with 95%
    sample: Sample  # of the unchanged rules and every change

    @property
    def games(self) -> int:
        return self.sample.games

    @property
    def seconds(self) -> float:
        return self.sample.seconds

    @property
    def interrupted(self) -> bool:
        return self.sample.interrupted

    @property
    def base(self) -> dict[str, Estimate]:
        """The unchanged rules."""
        return {measure: estimate(self.sample, 0, measure) for measure in self.measures if self.sample.deals(0)}

    @cached_property
    def rows(self) -> list[Effect]:
        """The effects in the order of the changes; fewer after Ctrl-C."""
        return [self._row(arm) for arm in range(1, len(self.sample.arms)) if self.sample.deals(arm) > 1]

    def _effect(self, arm: int, measure: str) -> Estimate:
        """What a change does. Games that only the unchanged rules have played make their part of it surer.

        The change is compared with all games of the unchanged rules, and corrected for how far these did better on the
        shared deals, as far as both go together there (a control variate).
        """
        both, all_deals = self.sample.both[arm, 0], self.sample.deals(0)
        paired = difference(self.sample, arm, measure, self.confidence).interval
        if measure not in MEASURES or all_deals <= both.deals or both.changed.max() < FEW:
            return paired
        kind, shared = MEASURES[measure], both.moments
        mine, base = (shared.per((which, kind.over), (which, kind.under), kind.unit) for which in (0, 1))
        whole = self.sample.sums[0].moments.per(kind.over, kind.under, kind.unit)
        together, spread = shared.covariance(mine, base), shared.variance(base)
        part = together / spread if spread else 0.0
        value = float(mine.value - whole.value) - part * float(base.value - whole.value)
        rest = both.deals / all_deals
        variance = shared.variance(mine) - part * together * (1 - rest) - 2 * together * rest + spread * rest
        make = pair_rates if kind.rate else around
        return make(value, max(variance, 0.0), both.deals, self.confidence)

    def _row(self, arm: int) -> Effect:
        by = {measure: self._effect(arm, measure) for measure in self.measures}
        same = self.sample.both[arm, 0].deals >= LEAST_IDLE and self.sample.both[arm, 0].same
        return Effect(self.sample.arms[arm], by, same)


def effects(
    base: Arm,
    changes: Sequence[Arm],
    measures: Sequence[str],
    spec: RunSpec,
    *,
    intervals: int | None = None,
    base_games: int | None = None,
) -> Effects:
    """Measure what each change of some rules does, on the same deals as the unchanged rules.

    `spec.games` is the number of games of each change, and `base_games` of the unchanged rules, if these are more.
    `intervals` is the number of effects that must hold together, if there are others beside those of this call.
    """
    experiment, first = Experiment.with_first([base, *changes]), base_games or spec.games
    spec.begin(experiment.plan(spec.games))
    sample = Sample(experiment, spec)
    sample.play([first] + [spec.games] * len(changes))
    return Effects(tuple(measures), confidence_at(1, intervals or len(changes) * len(measures)), sample)
