"""Targets: `MEASURE=VALUE`, `MEASURE=LOW..HIGH` or `MEASURE<=HIGH`, with `@PLAYER` for one kind of player.

A single value is a range: 2 points up and down for a rate, 2% of the value for anything else. Rates are read as people
write them: 40%, 0.4 and 40 are the same, because no rate is above 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from houle.analysis.measures.measures import is_measure, is_percent, unknown_measure
from houle.analysis.players.line_ups import read_name
from houle.analysis.stats.estimate import Estimate
from houle.solver.errors import InputError
from houle.solver.players.names import split
from houle.solver.rules import Setup

INSIDE, PERHAPS, OUTSIDE = "inside", "perhaps", "outside"
POINTS = 0.02  # half-width of the range around a single rate
SHARE = 0.02  # half-width around any other single value, as a share of it
LEAST = {"first-seat": -1.0}  # the lowest possible rate; 0 for the others

_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*"
_SHAPE = re.compile(rf"\s*([\w-]+(?::p[\d.]+)?)\s*(=|<=?|>=?){_NUMBER}(?:\.\.{_NUMBER})?(?:@\s*(\S.*?)\s*)?")


@dataclass(frozen=True)
class Target:
    """A range in which a measure should be; rates as shares."""

    measure: str
    low: float
    high: float
    text: str
    player: str | None = None  # for which players; None for all
    who: str = ""  # the player as typed

    def is_for(self, strategies: tuple[str, ...]) -> bool:
        """Whether the target is for these players."""
        if self.player is None:
            return True
        names = tuple(split(self.player))
        return strategies == names or (len(names) == 1 and set(strategies) == set(names))

    def holds(self, estimate: Estimate) -> str:
        """Whether an interval is inside the range, overlaps it, or is outside."""
        if self.low <= estimate.low and estimate.high <= self.high:
            return INSIDE
        return PERHAPS if estimate.low <= self.high and estimate.high >= self.low else OUTSIDE

    def off(self, estimate: Estimate) -> float:
        """By how much an estimate is too high; negative if it is too low."""
        return estimate.value - min(max(estimate.value, self.low), self.high)

    def off_middle(self, estimate: Estimate) -> float:
        """The distance of an estimate from the middle of the range, in widths of the range."""
        if math.isinf(self.high - self.low):
            return abs(self.off(estimate)) / self.width
        return abs(estimate.value - (self.low + self.high) / 2) / self.width

    @property
    def width(self) -> float:
        """The width of the range; of a range with one end, a tenth of that end."""
        if math.isinf(self.high - self.low):
            return abs(self.low if math.isinf(self.high) else self.high) / 10 or 1.0
        return (self.high - self.low) or 1.0


def worst(hits: Iterable[str | None]) -> str | None:
    """Several targets together: one miss is a miss; None if none is for these players."""
    return min(filter(None, hits), key=(OUTSIDE, PERHAPS, INSIDE).index, default=None)


def parse_target(text: str, place: str = "target", setup: Setup | None = None) -> Target:
    """A target as typed: `win=40%`, `win=35..45`, `score=2..3.5`, `win=40%@thumb`.

    With a setup, its own players may be named too.
    """
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise InputError(
            f"{place}: {text!r} is not allowed; write MEASURE=VALUE or MEASURE=LOW..HIGH, as win=40% or win=35%..45%"
        )
    measure, sign, player = match[1], match[2], match[7]
    if not is_measure(measure):
        raise InputError(f"{place}: {unknown_measure(measure)}")
    ends = [(float(match[i]), bool(match[i + 1])) for i in (3, 5) if match[i]]
    if sign != "=" and len(ends) == 2:
        raise InputError(f"{place}: {text!r} is not allowed; write {measure}=LOW..HIGH, or one number after {sign}")
    low, high = _rate(measure, ends, text, place) if is_percent(measure) else _plain(measure, ends, text, place)
    if sign != "=":  # the middle is the number itself, unless the range was cut
        value = ends[0][0] / (100 if is_percent(measure) and (ends[0][1] or abs(ends[0][0]) > 1) else 1)
        least, most = (LEAST.get(measure, 0.0), 1.0) if is_percent(measure) else (-math.inf, math.inf)
        low, high = (least, value) if sign[0] == "<" else (value, most)
    if low > high:
        raise InputError(f"{place}: {text!r} is empty; write the smaller end first")
    names = None if player is None else ",".join(read_name(name, setup) for name in split(player))
    return Target(measure=measure, low=low, high=high, text=text.strip(), player=names, who=player or "")


def _rate(measure: str, ends: list[tuple[float, bool]], text: str, place: str) -> tuple[float, float]:
    percent = any(sign or abs(value) > 1 for value, sign in ends)
    if percent and any(not sign and 0 < abs(value) < 1 for value, sign in ends) and any(sign for _, sign in ends):
        raise InputError(f"{place}: {text!r} is not allowed; write both ends with % or both without")
    values = [value / 100 if percent else value for value, _ in ends]
    least = LEAST.get(measure, 0.0)
    for value in values:
        if not least <= value <= 1:
            raise InputError(f"{place}: {text!r} is not allowed; {measure} lies from {least:.0%} to 100%")
    if len(values) == 2:
        return values[0], values[1]
    return max(least, values[0] - POINTS), min(1.0, values[0] + POINTS)


def _plain(measure: str, ends: list[tuple[float, bool]], text: str, place: str) -> tuple[float, float]:
    if any(sign for _, sign in ends):
        raise InputError(f"{place}: {text!r} is not allowed; {measure} is not a rate: write it without %")
    if len(ends) == 2:
        return ends[0][0], ends[1][0]
    (value, _), about = ends[0], SHARE * abs(ends[0][0])
    return value - about, value + about
