"""Settings in a race: all on the same deals, in stretches of twice as many games; what certainly misses drops out.

An interval that is looked at again and again must be wider to hold at every look: the k-th look spends 1 / k (k + 1)
of what may go wrong in all, so that the looks together keep the promise however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from houle.analysis.comparison.measures import estimate
from houle.analysis.comparison.targets import INSIDE, OUTSIDE, Target
from houle.analysis.designing.memory import Memory, grow
from houle.analysis.designing.space import Setting, Space
from houle.analysis.sampling.grid import Arm, grid_of_setups
from houle.analysis.sampling.growing import Growing
from houle.analysis.sampling.progress import part_of
from houle.analysis.stats.intervals import CONFIDENCE, Interval
from houle.solver.errors import InputError
from houle.solver.run import Progress

NARROW = 0.25  # of a target's width: an interval of that half width is narrow enough to be told


def look_confidence(look: int) -> float:
    """Of the interval at the k-th look, k from 1."""
    return 1 - (1 - CONFIDENCE) / (look * (look + 1))


@dataclass
class Runner:
    """A setting in the race."""

    arm: Arm
    growing: Growing  # of those that began together
    place: int  # among them
    looks: int = 0
    dropped: bool = False

    @property
    def games(self) -> int:
        return self.growing.games_of(self.place)

    def found(self, measure: str) -> Interval:
        """A measure, as sure as it must be at this look."""
        return estimate(self.growing.played, self.place, measure, look_confidence(max(self.looks, 1)))


@dataclass
class Race:
    """Settings played by one line-up, for the targets that are wanted of it."""

    space: Space
    strategies: str
    targets: Sequence[Target]
    seed: int
    first: int
    threads: int | None = None
    progress: Progress | None = None
    memory: Memory | None = None
    runners: dict[Setting, Runner] = field(default_factory=dict)
    impossible: dict[Setting, str] = field(default_factory=dict)
    growings: list[Growing] = field(default_factory=list)  # settings that began together, in the order they did
    interrupted: bool = False

    @property
    def games(self) -> int:
        return sum(growing.done for growing in self.growings)

    @property
    def seconds(self) -> float:
        return sum(growing.seconds for growing in self.growings)

    def enter(self, settings: Iterable[Setting], games: int) -> None:
        """New settings play their first stretch; those that the rules forbid are remembered."""
        arms: dict[Setting, Arm] = {}
        for setting in settings:
            try:
                table = self.space.table(setting)
            except InputError as fault:
                self.impossible[setting] = str(fault)
                continue
            arms[setting] = grid_of_setups([table], [self.strategies]).arms[0]
        if not arms or self.interrupted:
            return
        growing = Growing(list(arms.values()), self.seed, self.first, False, self.threads)
        self.growings.append(growing)
        entered = {setting: Runner(arm, growing, i) for i, (setting, arm) in enumerate(arms.items())}
        self._stretch(growing, list(entered.values()), games)
        self.runners |= {setting: runner for setting, runner in entered.items() if runner.games}

    def double(self, settings: Iterable[Setting]) -> None:
        """Settings play as many games again as they have."""
        groups: dict[tuple[int, int], list[Runner]] = {}
        for setting in settings:
            runner = self.runners[setting]
            groups.setdefault((id(runner.growing), runner.games), []).append(runner)
        for (_, games), members in groups.items():
            if not self.interrupted:
                self._stretch(members[0].growing, members, 2 * games)

    def _stretch(self, growing: Growing, members: Sequence[Runner], end: int) -> None:
        growing.progress = part_of(self.progress, self.games - growing.done, self.seconds - growing.seconds)
        self.interrupted = not grow(growing, sorted(runner.place for runner in members), end, self.memory)
        for runner in (runner for runner in members if runner.games):
            runner.looks += 1
            runner.dropped = any(target.holds(runner.found(target.measure)) == OUTSIDE for target in self.targets)

    def is_narrow(self, setting: Setting) -> bool:
        """Whether a setting is known well enough: inside, or too narrow an interval to be worth more games."""
        runner = self.runners[setting]
        for target in self.targets:
            found = runner.found(target.measure)
            wide = (found.high - found.low) / 2 > NARROW * ((target.high - target.low) or 1.0)
            if target.holds(found) != INSIDE and wide:
                return False
        return True
