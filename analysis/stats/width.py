"""Games until an interval is narrow enough: a run that stops on the width of its win rates and on nothing else.

Such a stop hardly favours any value of the rate, so an ordinary interval keeps its coverage there (Anscombe 1953, Chow
and Robbins 1965); it need not hold at every look, as a confidence sequence does, and takes 2.4 times fewer games. What
little the stop costs is paid by a nominal 95.5%: at the stop Wilson's interval then covers 94 to 97% for rates from
0.2% to 50% (simulated; the suite has a part of it).

The looks are at fixed counts, so the number of games at which a run stops depends on its seed alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.analysis.stats.looks import look_counts

if TYPE_CHECKING:
    from houle.solver.tally import Tally

FIRST_LOOK = 1_000
PART = 50  # the next look is a fiftieth of the games so far on
AT_WIDTH = 0.955  # nominal confidence of intervals that cover 95% at such a stop


def looks(most: int) -> Iterator[int]:
    """1,000 games and then 2% more from look to look, below `most`; then `most` itself."""
    return look_counts(most, FIRST_LOOK, lambda count: count // PART)


def half_width(tally: Tally) -> float:
    """The widest half-width of any side's win rate, in percentage points.

    Games that a clairvoyant left open stay so however many are played: they widen the interval shown, but not this.
    """
    shares = [int(row.share) / WHOLE_WIN for row in tally.moments]
    return max(100 * wilson(share / tally.games, tally.games, AT_WIDTH).half for share in shares)


def forecast(rate: float, precision: float, most: int) -> int:
    """The look at which a win rate would be known well enough if it were `rate`: for estimates of time."""
    for n in looks(most):
        if 100 * wilson(rate, n, AT_WIDTH).half <= precision:
            return n
    return most
