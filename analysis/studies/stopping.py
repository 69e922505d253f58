"""When a cell of a study may stop early: its win rates are precise enough, or its targets are decided.

Both rules get the games stretch by stretch and decide at looks that are fixed in advance (see cells.Plan), so an
interrupted and resumed study stops where it would have stopped anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from houle.analysis.comparison.sweep import TargetTest
from houle.analysis.measures.measures import in_tally
from houle.analysis.measures.targets import OUTSIDE, PERHAPS, Target, worst
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.sampling.simulate import expected
from houle.analysis.stats.confidence_sequences import Prefix, is_look
from houle.analysis.stats.sequential_tests import AT_STOP
from houle.solver.run.tally import Tally


class Stopping(Protocol):
    """A rule that ends a cell."""

    @property
    def reached(self) -> bool: ...

    def add(self, stretch: Tally) -> None: ...

    def may_stop(self, games: int, most: int) -> bool:
        """Whether the end of a stretch is a look."""

    def expected(self, most: int) -> int:
        """How many games the cell will probably need."""


class AtWidth:
    """Stop when the win rate of every side is known to so many percentage points."""

    def __init__(self, precision: float, empty: Tally) -> None:
        self.prefix = Prefix(precision, empty)

    @property
    def reached(self) -> bool:
        return self.prefix.reached

    def add(self, stretch: Tally) -> None:
        self.prefix.add(stretch)

    def may_stop(self, games: int, most: int) -> bool:
        return is_look(games, most)

    def expected(self, most: int) -> int:
        return expected(self.prefix, most)


class AtDecision:
    """Stop when every target is known to be met or missed, or is closer to an edge than the margin (in points)."""

    def __init__(self, margin: float, targets: Iterable[Target], empty: Tally) -> None:
        margins = margins_of(points=margin)
        self.tally = empty
        self.tests = [TargetTest(target, margins[target.measure]) for target in targets]

    @property
    def reached(self) -> bool:
        kinds = [test.kind for test in self.tests]
        return OUTSIDE in kinds or None not in kinds

    @property
    def target(self) -> str | None:
        """All targets together; one that is not decided yet counts as perhaps."""
        return worst(test.kind or PERHAPS for test in self.tests)

    def add(self, stretch: Tally) -> None:
        self.tally.add(stretch)
        for test in self.tests:
            test.look(in_tally(self.tally, test.target.measure, AT_STOP))

    def may_stop(self, games: int, most: int) -> bool:
        return True

    def expected(self, most: int) -> int:
        now = self.tally.games
        return now if self.reached else min(most, max(test.games(now) for test in self.tests))
