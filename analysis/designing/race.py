"""A race of settings of one line-up: all on the same deals, with growing numbers of games.

A setting is looked at when it enters and after every doubling of its games. All these looks share the allowed error,
and so do the settings, if every one of them can be counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from houle.analysis.designing.space import Setting, Space
from houle.analysis.measures.measures import estimate
from houle.analysis.measures.targets import INSIDE, OUTSIDE, Target
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.looks import confidence_at
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat

NARROW = 0.25  # an interval is narrow enough when its half-width is this share of the target's width


def doublings_to(most: int, games: int) -> int:
    """How often a number of games is doubled until it is at least `most`."""
    return max(0, -(-most // games) - 1).bit_length()


@dataclass
class Runner:
    """A setting in the race."""

    sample: Sample  # the settings that entered together
    index: int  # of this setting among them
    confidence: float  # of each look
    dropped: bool = False

    @property
    def games(self) -> int:
        return self.sample.deals(self.index)

    def estimate(self, measure: str) -> Estimate:
        return estimate(self.sample, self.index, measure)

    def hit(self, target: Target) -> str:
        """Whether the setting is inside a target, with the confidence of this look."""
        return target.holds(estimate(self.sample, self.index, target.measure, self.confidence))


@dataclass
class Race:
    """Settings played by one line-up, and the targets for that line-up."""

    space: Space
    line_up: LineUp  # of the unchanged rules
    targets: Sequence[Target]
    spec: RunSpec
    share: int = 1  # settings that share the allowed error
    most: int = 0  # games of a setting from which it is not doubled again; 0 if none is
    runners: dict[Setting, Runner] = field(default_factory=dict)
    impossible: dict[Setting, str] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)  # one per group of settings that entered together
    interrupted: bool = False

    @property
    def games(self) -> int:
        return sum(sample.games for sample in self.samples)

    @property
    def seconds(self) -> float:
        return sum(sample.seconds for sample in self.samples)

    def _arms(self, settings: Iterable[Setting]) -> dict[Setting, Arm]:
        """The settings that can be played; those that the rules forbid are recorded in `impossible`."""
        arms: dict[Setting, Arm] = {}
        for setting in settings:
            try:
                arms[setting] = Arm(seat(self.space.setup(setting), self.line_up.strategies))
            except InputError as fault:
                self.impossible[setting] = str(fault)
        return arms

    def enter(self, settings: Iterable[Setting], games: int) -> None:
        """Play the first games of new settings."""
        arms = self._arms(setting for setting in settings if setting not in self.runners)
        if not arms or self.interrupted:
            return
        sample = Sample(Experiment(tuple(arms.values())), self.spec)
        confidence = confidence_at(1 + doublings_to(self.most, games), self.share)
        entered = {setting: Runner(sample, i, confidence) for i, setting in enumerate(arms)}
        self._stretch(sample, list(entered.values()), games)
        self.runners |= {setting: runner for setting, runner in entered.items() if runner.games}

    def double(self, settings: Iterable[Setting]) -> None:
        """Double the games of these settings."""
        groups: dict[tuple[int, int], list[Runner]] = {}
        for setting in settings:
            runner = self.runners[setting]
            groups.setdefault((id(runner.sample), runner.games), []).append(runner)
        for (_, games), members in groups.items():
            if not self.interrupted:
                self._stretch(members[0].sample, members, 2 * games)

    def _stretch(self, sample: Sample, members: Sequence[Runner], end: int) -> None:
        self._play(sample, sorted(runner.index for runner in members), end)
        for runner in (runner for runner in members if runner.games):
            runner.dropped = any(runner.hit(target) == OUTSIDE for target in self.targets)

    def _play(self, sample: Sample, arms: Sequence[int], end: int) -> None:
        if sample not in self.samples:
            self.samples.append(sample)
        self.interrupted = not sample.play(end, arms)

    def is_narrow(self, setting: Setting) -> bool:
        """Whether a setting needs no more games: it is inside its targets, or its intervals are narrow."""
        runner = self.runners[setting]
        for target in self.targets:
            interval = runner.estimate(target.measure)
            wide = (interval.high - interval.low) / 2 > NARROW * target.width
            if runner.hit(target) != INSIDE and wide:
                return False
        return True

    def estimates(self, measure: str) -> Mapping[Setting, Estimate]:
        return {setting: runner.estimate(measure) for setting, runner in self.runners.items()}
