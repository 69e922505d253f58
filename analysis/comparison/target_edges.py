"""Sequential tests of whether a cell is inside a target: for sweeps with `until_decided`.

At each edge of the target the two tests of sequential.py decide whether the cell is above it, below it, or nearer than
the margin. Cells far from the edges are decided after a few games, so most games go to the cells near an edge. A cell
that is known to be near an edge ends as "perhaps".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from houle.analysis.comparison.several_setups import UntilDecided
from houle.analysis.measures.measures import estimate, is_percent
from houle.analysis.measures.targets import INSIDE, LEAST, OUTSIDE, PERHAPS, Target
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import Played
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.sequential_tests import AT_STOP, Decision
from houle.solver.errors import InputError


@dataclass
class TargetTest:
    """The test of one target and one cell, updated at every look."""

    target: Target
    margin: float
    low: Decision = field(init=False)
    high: Decision = field(init=False)

    def __post_init__(self) -> None:
        self.low, self.high = Decision(self.margin), Decision(self.margin)
        # An end of the range that no rate can exceed needs no test.
        if is_percent(self.target.measure):
            if self.target.low <= LEAST.get(self.target.measure, 0.0):
                self.low.kind = "more"
            if self.target.high >= 1:
                self.high.kind = "less"

    def look(self, measure: Estimate) -> None:
        """Update with the present measure of the cell and its AT_STOP interval."""
        if self.kind is None:
            self.low.look(measure.shift(-self.target.low))
            self.high.look(measure.shift(-self.target.high))

    @property
    def kind(self) -> str | None:
        """inside, outside, or perhaps for a cell near an edge; None while it is open."""
        low, high = self.low.kind, self.high.kind
        if low == "less" or high == "more":
            return OUTSIDE
        if low is None or high is None:
            return None
        return INSIDE if (low, high) == ("more", "less") else PERHAPS

    def games(self, now: int) -> int:
        """The forecast number of games in total, for progress bars."""
        return now if self.kind is not None else max(self.low.games(now), self.high.games(now))


def decide_targets(
    arms: Sequence[Arm],
    spec: RunSpec,
    counts: Sequence[int],
    targets: Sequence[Target],
    margins: Mapping[str, float],
) -> tuple[UntilDecided, Played]:
    """Play all cells to the first look, then continue with those that are not decided."""
    if not targets:
        raise InputError("until_decided: there is nothing to decide; give a target")
    tests = {
        (number, i): TargetTest(target, margins[target.measure])
        for number, arm in enumerate(arms)
        for i, target in enumerate(targets)
        if target.is_for(arm.strategies)
    }
    until = UntilDecided(spec.games, tests)

    def look(played: Played) -> None:
        for (number, i), test in tests.items():
            if test.kind is None and played.tally(number).games:
                test.look(estimate(played, number, targets[i].measure, AT_STOP))

    return until, until.play(arms, spec, counts, look, pairs=False)
