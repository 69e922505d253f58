"""Whether a cell lies inside a target, by sequential tests at both of its edges: for sweeps that end when they know.

At either edge the two tests of sequential.py ask whether the cell lies beyond it, before it, or so near that the margin
does not tell them apart. Cells far from any edge are known after a few games, so that games go to the cells at the
edges; those end too, as perhaps, once they are known to lie there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from houle.analysis.comparison.measures import estimate, is_percent
from houle.analysis.comparison.several_tables import UntilDecided
from houle.analysis.comparison.targets import INSIDE, LEAST, OUTSIDE, PERHAPS, Target
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.growing import play_until
from houle.analysis.sampling.paired import Played
from houle.analysis.stats.intervals import Interval
from houle.analysis.stats.sequential import AT_STOP, Decision, looks
from houle.solver.errors import InputError
from houle.solver.run import Progress


@dataclass
class TargetTest:
    """One target and one cell, fed at every look."""

    target: Target
    margin: float
    low: Decision = field(init=False)
    high: Decision = field(init=False)

    def __post_init__(self) -> None:
        self.low, self.high = Decision(self.margin), Decision(self.margin)
        # What cannot be left needs no test.
        if is_percent(self.target.measure):
            if self.target.low <= LEAST.get(self.target.measure, 0.0):
                self.low.kind = "more"
            if self.target.high >= 1:
                self.high.kind = "less"

    def look(self, found: Interval) -> None:
        """The cell's measure as it is now, with its interval (AT_STOP)."""
        if self.kind is None:
            self.low.look(_beyond(found, self.target.low))
            self.high.look(_beyond(found, self.target.high))

    @property
    def kind(self) -> str | None:
        """inside, outside, or perhaps for a cell at an edge; None as long as it is open."""
        low, high = self.low.kind, self.high.kind
        if low == "less" or high == "more":
            return OUTSIDE
        if low is None or high is None:
            return None
        return INSIDE if (low, high) == ("more", "less") else PERHAPS

    def games(self, now: int) -> int:
        """How many games there will probably be in all, for progress."""
        return now if self.kind is not None else max(self.low.games(now), self.high.games(now))


def _beyond(found: Interval, edge: float) -> Interval:
    return Interval(found.value - edge, found.low - edge, found.high - edge, found.n)


def decide_targets(
    arms: Sequence[Arm],
    seed: int,
    first: int,
    most: int,
    counts: Sequence[int],
    targets: Sequence[Target],
    margins: Mapping[str, float],
    threads: int | None,
    progress: Progress | None,
) -> tuple[UntilDecided, Played]:
    """All cells to the first look, then on with those that are not known to lie in or out."""
    if not targets:
        raise InputError("until_decided: nothing is to be decided; name a target")
    tests = {
        (number, i): TargetTest(target, margins[target.measure])
        for number, arm in enumerate(arms)
        for i, target in enumerate(targets)
        if target.is_for(arm.strategies)
    }
    until = UntilDecided(most, tests)
    expect: Callable[[int], None] | None = getattr(progress, "expect", None)

    def still_open(played: Played) -> list[int]:
        for (number, i), test in tests.items():
            if test.kind is None and played.tally(number).games:
                test.look(estimate(played, number, targets[i].measure, AT_STOP))
        going = until.going(played, counts)
        if expect and going:
            expect(until.expected(played, going))
        return going

    ends = sorted({*looks(most), *counts})
    return until, play_until(arms, seed, ends, still_open, threads, progress, first, pairs=False)
