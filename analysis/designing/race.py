"""A race of settings: all on the same deals, doubling the games; a setting that certainly misses a target drops out.

Looking at an interval repeatedly makes it miss more often than it says. The k-th look therefore uses
1 / (k (k + 1)) of the allowed error, so all looks together keep it, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from houle.analysis.comparison.measures import estimate
from houle.analysis.comparison.targets import INSIDE, OUTSIDE, Target
from houle.analysis.designing.space import Setting, Space
from houle.analysis.run import RunSpec
from houle.analysis.sampling.arms import GrowingArms
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat

NARROW = 0.25  # an interval is narrow enough when its half-width is this share of the target's width


def look_confidence(look: int) -> float:
    """Confidence of the interval at the k-th look, k from 1."""
    return 1 - (1 - CONFIDENCE) / (look * (look + 1))


@dataclass
class Runner:
    """A setting in the race."""

    arm: Arm
    growing: GrowingArms  # the settings that entered together
    index: int  # of this setting among them
    looks: int = 0
    dropped: bool = False

    @property
    def games(self) -> int:
        return self.growing.played.tally(self.index).games

    def estimate(self, measure: str) -> Estimate:
        """A measure, with the confidence of this look."""
        return estimate(self.growing.played, self.index, measure, look_confidence(max(self.looks, 1)))


@dataclass
class Race:
    """Settings played by one line-up, and the targets for that line-up."""

    space: Space
    line_up: LineUp  # of the unchanged rules
    targets: Sequence[Target]
    spec: RunSpec
    runners: dict[Setting, Runner] = field(default_factory=dict)
    impossible: dict[Setting, str] = field(default_factory=dict)
    growings: list[GrowingArms] = field(default_factory=list)  # one per group of settings that entered together
    interrupted: bool = False

    @property
    def games(self) -> int:
        return sum(growing.done for growing in self.growings)

    @property
    def seconds(self) -> float:
        return sum(growing.seconds for growing in self.growings)

    def enter(self, settings: Iterable[Setting], games: int) -> None:
        """Play the first games of new settings; settings that the rules forbid are recorded in `impossible`."""
        arms: dict[Setting, Arm] = {}
        for setting in settings:
            try:
                setup = self.space.setup(setting)
            except InputError as fault:
                self.impossible[setting] = str(fault)
                continue
            arms[setting] = Arm(seat(setup, self.line_up.strategies))
        if not arms or self.interrupted:
            return
        growing = GrowingArms(list(arms.values()), self.spec, pairs=False)
        self.growings.append(growing)
        entered = {setting: Runner(arm, growing, i) for i, (setting, arm) in enumerate(arms.items())}
        self._stretch(growing, list(entered.values()), games)
        self.runners |= {setting: runner for setting, runner in entered.items() if runner.games}

    def double(self, settings: Iterable[Setting]) -> None:
        """Double the games of these settings."""
        groups: dict[tuple[int, int], list[Runner]] = {}
        for setting in settings:
            runner = self.runners[setting]
            groups.setdefault((id(runner.growing), runner.games), []).append(runner)
        for (_, games), members in groups.items():
            if not self.interrupted:
                self._stretch(members[0].growing, members, 2 * games)

    def _stretch(self, growing: GrowingArms, members: Sequence[Runner], end: int) -> None:
        done, seconds = self.games - growing.done, self.seconds - growing.seconds
        growing.spec = self.spec.part(end, done=done, seconds=seconds)
        self.interrupted = not growing.play(sorted(runner.index for runner in members), end)
        for runner in (runner for runner in members if runner.games):
            runner.looks += 1
            runner.dropped = any(target.holds(runner.estimate(target.measure)) == OUTSIDE for target in self.targets)

    def is_narrow(self, setting: Setting) -> bool:
        """Whether a setting needs no more games: it is inside its targets, or its intervals are narrow."""
        runner = self.runners[setting]
        for target in self.targets:
            interval = runner.estimate(target.measure)
            wide = (interval.high - interval.low) / 2 > NARROW * ((target.high - target.low) or 1.0)
            if target.holds(interval) != INSIDE and wide:
                return False
        return True
