"""Fixed looks that share their confidence: a growing run may be read, and may stop, at each of them.

An ordinary interval that is looked at repeatedly misses the truth more often than it says. Here the looks are fixed
beforehand, and each gets an equal share of the 5% (Bonferroni). So the intervals of all looks hold together in 95% of
runs, whichever look ends the run, and all numbers of a run that are judged together share the 5% in the same way.

Wilson's interval misses more often than it says where few games are won or lost, above all with a high confidence.
With nine looks and a win rate of 0.2% its intervals hold together in 93% of runs. There the interval is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, clopper_pearson, normal_quantile, win_rate

if TYPE_CHECKING:
    from houle.solver.run.tally import Tally

DOUBLINGS = 6
FIRST_LOOK = 100  # games; fewer tell too little
# Fewer wins or losses have an exact interval. With 5 the looks hold together in 94.8% of runs at a win rate of 2%;
# with 10 in at least 95.9% at every rate from 0.2 to 50%; with 20 first looks are wider and little is gained.
FEW = 10


def confidence_at(looks: int, differences: int = 1) -> float:
    """The confidence of each interval, if all of so many looks at so many differences hold together with 95%."""
    return 1 - (1 - CONFIDENCE) / max(looks * differences, 1)


def doublings(most: int) -> tuple[int, ...]:
    """The numbers of games at which a run looks: at most seven, each twice the one before; the last is `most`."""
    halved = (-(-most // 2**times) for times in range(DOUBLINGS, 0, -1))
    return (*dict.fromkeys(games for games in halved if games >= FIRST_LOOK), most)


def win_rate_at(tally: Tally, side: int, confidence: float) -> Estimate:
    """A side's share of the wins; the interval is exact where few games are won, or few are not."""
    won, games = int(tally.moments[side].share) / WHOLE_WIN, tally.games
    if few(won, games - tally.unresolved):
        return exact_rate(won, min(games, won + tally.unresolved), games, confidence)
    return win_rate(tally, side, confidence)


def few(won: float, games: int) -> bool:
    """Whether so few of the games are won, or are not, that a rate needs an exact interval."""
    return min(won, games - won) < FEW


def exact_rate(won: float, perhaps: float, games: int, confidence: float) -> Estimate:
    """The exact interval of a rate; shared wins are rounded away from the middle, `perhaps` counts what is open."""
    if games == 0:
        return Estimate(math.nan, 0.0, 1.0, n=0, unit=PERCENT)
    low = clopper_pearson(math.floor(won), games, confidence).low
    high = clopper_pearson(math.ceil(perhaps), games, confidence).high
    return Estimate(won / games, low, high, n=games, unit=PERCENT)


def joint(one: Estimate, among: int) -> Estimate:
    """One of several numbers, with an interval that holds whichever of them is picked for its size.

    The intervals of all together hold with 95%. Their ends are moved as those of a normal estimate.
    """
    ratio = normal_quantile(confidence_at(1, among)) / normal_quantile()
    wider = one.widen((ratio - 1) * (one.value - one.low), (ratio - 1) * (one.high - one.value))
    return wider.within(0.0, 1.0) if one.unit == PERCENT else wider


def stand(differences: Sequence[Estimate | None]) -> list[bool]:
    """Which of several differences are certain when all are judged together; None counts as no difference."""
    among = sum(one is not None for one in differences)
    return [one is not None and math.isfinite(one.value) and joint(one, among).differs for one in differences]


def end_of(difference: Estimate, margin: float) -> str | None:
    """How a difference ends a run: `more`, `less`, or `same` if it lies inside the margin; None while it is open."""
    if difference.differs:
        return "more" if difference.low > 0 else "less"
    return "same" if difference.farthest <= margin else None


def games_needed(difference: Estimate, wished: float) -> float:
    """Games in total after which the half-width of an interval is as wished."""
    return difference.n * (difference.half / wished) ** 2
