"""What can be measured at a table, and how two arms differ in it, with intervals.

One arm: as everywhere, Wilson for rates, t for means. Two arms on the same games: the difference with its interval from
the observed variance of the pairs. Two independent arms: Newcombe's way of combining both intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.analysis.comparison.words import words
from houle.analysis.sampling import paired as kept
from houle.analysis.sampling.paired import Played
from houle.analysis.sampling.same_deals import seats_of
from houle.analysis.stats.intervals import LEVEL, SHARE, Interval, draw_rate, mean_score, ratio, t_quantile, win_rate
from houle.solver.ruleset import RulesetError, Setup, nearest

# Measure -> the columns whose ratio of sums it is, and what one of the first is worth.
PARTS = {
    "win": (kept.SHARE, kept.GAMES, 1 / SHARE),
    "score": (kept.POINTS, kept.ENTRIES, 1.0),
    "length": (kept.PLIES, kept.GAMES, 1.0),
    "draws": (kept.DRAWN, kept.GAMES, 1.0),
    "first-seat": (kept.SHARE, kept.GAMES, 1 / SHARE),
    "spread": (kept.SPREAD, kept.GAMES, 1.0),
}
MEASURES = tuple(PARTS)
RATES = ("win", "draws", "first-seat")


@dataclass(frozen=True)
class Difference:
    """By how much an arm's measure is greater than the first arm's."""

    interval: Interval
    paired: bool
    variance_ratio: float | None  # variance of independent runs over that of the pairs; None without pairs

    @property
    def unchanged(self) -> bool:
        """Not one game came out differently."""
        return self.paired and self.interval.value == 0 and self.variance_ratio is None

    @property
    def games_saved(self) -> int | None:
        """Games of each arm that independent runs would need on top, to be as sure."""
        if self.variance_ratio is None or not math.isfinite(self.variance_ratio):
            return None
        return round(self.interval.n * (self.variance_ratio - 1))


def together(setup: Setup) -> bool:
    """Whether all players are one side: a team, or a player alone."""
    return len(seats_of(setup)) == 1


def usual_measures(setups: Sequence[Setup]) -> tuple[str, ...]:
    """What one asks for first: winning where all play together, the shape of the game where they compete."""
    if all(map(together, setups)):
        return ("win", "score")
    return ("length", "draws", "first-seat", "spread")


def possible_measures(setup: Setup) -> tuple[str, ...]:
    """What means something at this table: a team alone has no seats to differ."""
    alone = ("win", "score", "length")
    return tuple(name for name in MEASURES if name in alone or int(setup.rules[0].sides) > 1)


def check_measures(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in MEASURES:
            raise RulesetError(f"--measure: unknown measure {name!r}{nearest(name, MEASURES)}")
    return tuple(dict.fromkeys(names))


def is_percent(measure: str) -> bool:
    return bool(words()["measures"][measure]["percent"])


def measure_name(measure: str, setup: Setup) -> str:
    """What a table is headed with: the score goes by its own name."""
    return setup.score if measure == "score" else measure


def measure_title(measure: str, setups: Sequence[Setup]) -> str:
    """What a figure is headed with."""
    scores = {setup.score for setup in setups}
    named = measure == "score" and len(scores) == 1
    return f"mean {min(scores).replace('_', ' ')}" if named else str(words()["measures"][measure]["title"])


def _offset(measure: str, setup: Setup) -> float:
    """An equal share, for what is beyond it."""
    return 1 / int(setup.rules[0].sides) if measure == "first-seat" else 0.0


def estimate(played: Played, arm: int, measure: str, level: float = LEVEL) -> Interval:
    """A measure of one arm."""
    tally, setup = played.tally(arm), played.arms[arm].setup
    if measure in ("win", "first-seat"):
        found, offset = win_rate(tally, 0, level), _offset(measure, setup)
        return Interval(found.value - offset, found.low - offset, found.high - offset, found.n)
    if measure == "draws":
        return draw_rate(tally, level)
    if measure == "score":
        return mean_score(tally, 0, level).interval
    over, under, _ = PARTS[measure]
    sums, squares = played.sums(arm), played.squares(arm)
    both, cross, counted = (int(squares[pair]) for pair in ((over, over), (over, under), (under, under)))
    parts = (int(sums[over]), int(sums[under]), both, cross, counted)
    return ratio(tally.games, parts, level).within(0.0, math.inf)


def _form(played: Played, arm: int, measure: str) -> NDArray[np.float64]:
    """How a ratio of sums moves with its games: a linear form of the columns whose mean is 0."""
    over, under, unit = PARTS[measure]
    sums = played.sums(arm)
    form = np.zeros(kept.COLUMNS)
    if sums[under]:
        scale = unit * played.tally(arm).games / float(sums[under])
        form[over] += scale
        form[under] -= scale * float(sums[over]) / float(sums[under])
    return form


def _value(played: Played, arm: int, measure: str) -> float:
    over, under, unit = PARTS[measure]
    sums = played.sums(arm)
    plain = unit * float(sums[over]) / float(sums[under]) if sums[under] else math.nan
    return plain - _offset(measure, played.arms[arm].setup)


def variance(played: Played, arm: int, measure: str) -> float:
    """Of a measure, between single games."""
    form = _form(played, arm, measure)
    return _between(float(form @ played.squares(arm) @ form), form, played.squares(arm), played.tally(arm).games)


def _between(square: float, form: NDArray[np.float64], squares: NDArray[np.int64], games: int) -> float:
    if games < 2:
        return math.inf
    # What is left of numbers that cancel is no spread.
    size = float(np.abs(form) @ np.abs(squares) @ np.abs(form))
    return 0.0 if square <= 1e-12 * size else square / (games - 1)


def difference(played: Played, arm: int, measure: str, level: float = LEVEL) -> Difference:
    """How an arm differs from the first, paired where they played the same games."""
    crossed, games = played.crossed(arm), played.tally(arm).games
    if crossed is None:
        ends = [estimate(played, i, measure, level) for i in (arm, 0)]
        return Difference(apart(*ends), False, None)
    mine, theirs = _form(played, arm, measure), _form(played, 0, measure)
    own, first = float(mine @ played.squares(arm) @ mine), float(theirs @ played.squares(0) @ theirs)
    square = own + first - 2 * float(mine @ crossed @ theirs)
    size = np.abs(mine) + np.abs(theirs)
    pairs = _between(square, size, np.maximum(played.squares(arm), played.squares(0)), games)
    value = _value(played, arm, measure) - _value(played, 0, measure)
    bound = pair_rates(value, pairs, games, level) if measure in RATES else pair_means(value, pairs, games, level)
    if measure in ("win", "first-seat"):
        # What a clairvoyant left open may be won or lost.
        low, high = (played.tally(i).unresolved / max(games, 1) for i in (0, arm))
        bound = Interval(bound.value, bound.low - low, bound.high + high, bound.n)
    independent = variance(played, arm, measure) + variance(played, 0, measure)
    return Difference(bound, True, independent / pairs if pairs > 0 and math.isfinite(pairs) else None)


def pair_means(value: float, variance: float, games: int, level: float = LEVEL) -> Interval:
    """The t interval of a mean difference."""
    if games < 2:
        return Interval(value, -math.inf, math.inf, games)
    half = t_quantile(games - 1, level) * math.sqrt(variance / games)
    return Interval(value, value - half, value + half, games)


def pair_rates(value: float, variance: float, games: int, level: float = LEVEL) -> Interval:
    """For differences of shares of the win, which lie between -1 and 1: Bonett and Price's adjusted interval.

    Two more pairs are imagined, one won by either arm alone. So it stays honest where hardly any game differs, and
    pairs that all agree are no proof that all games would.
    """
    if games < 2:
        return Interval(value, -1.0, 1.0, games)
    number = games + 2
    centre = games * value / number
    square = ((games - 1) * variance + games * value**2 + 2) / number
    half = t_quantile(number - 1, level) * math.sqrt(max(square - centre**2, 0.0) / number)
    low, high = min(value, centre - half), max(value, centre + half)
    return Interval(value, max(-1.0, low), min(1.0, high), games)


def apart(one: Interval, other: Interval) -> Interval:
    """The difference of two independent estimates, from their own intervals (Newcombe's square-and-add)."""
    value = one.value - other.value
    low = math.hypot(one.value - one.low, other.high - other.value)
    high = math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, value - low, value + high, min(one.n, other.n))
