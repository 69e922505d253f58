"""A race of settings of one line-up: all on the same deals, with growing numbers of games.

Looking at an interval repeatedly makes it miss more often than it says. The k-th look therefore uses 1 / (k (k + 1))
of the allowed error, so all looks together keep it, however many there are. If every setting can be counted, the
settings share the allowed error too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from houle.analysis.designing.space import Setting, Space
from houle.analysis.measures.measures import estimate
from houle.analysis.measures.targets import INSIDE, OUTSIDE, Target
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import GrowingArms
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat

NARROW = 0.25  # an interval is narrow enough when its half-width is this share of the target's width


def look_confidence(look: int, settings: int = 1) -> float:
    """Confidence of the interval at the k-th look, k from 1, if so many settings share the allowed error."""
    return 1 - (1 - CONFIDENCE) / (look * (look + 1) * settings)


@dataclass
class Runner:
    """A setting in the race."""

    growing: GrowingArms  # the settings that entered together
    index: int  # of this setting among them
    share: int  # settings that share the allowed error
    looks: int = 0
    dropped: bool = False

    @property
    def games(self) -> int:
        return self.growing.played.tally(self.index).games

    def estimate(self, measure: str) -> Estimate:
        return estimate(self.growing.played, self.index, measure)

    def hit(self, target: Target) -> str:
        """Whether the setting is inside a target, with the confidence of this look."""
        confidence = look_confidence(max(self.looks, 1), self.share)
        return target.holds(estimate(self.growing.played, self.index, target.measure, confidence))


@dataclass
class Race:
    """Settings played by one line-up, and the targets for that line-up."""

    space: Space
    line_up: LineUp  # of the unchanged rules
    targets: Sequence[Target]
    spec: RunSpec
    share: int = 1  # settings that share the allowed error
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
        growing = GrowingArms(list(arms.values()), self.spec, pairs=False)
        entered = {setting: Runner(growing, i, self.share) for i, setting in enumerate(arms)}
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
        self._play(growing, sorted(runner.index for runner in members), end)
        for runner in (runner for runner in members if runner.games):
            runner.looks += 1
            runner.dropped = any(runner.hit(target) == OUTSIDE for target in self.targets)

    def _play(self, growing: GrowingArms, arms: Sequence[int], end: int) -> None:
        if growing not in self.growings:
            self.growings.append(growing)
        self.interrupted = not growing.play(arms, end)

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
