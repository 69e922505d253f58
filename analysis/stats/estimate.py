"""An estimate with its interval, and the one way in which it is written for people and for programs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

PERCENT, POINTS = "%", "points"  # units of shares of 1, and of differences of two shares
PERCENTAGE_POINTS = "percentage points"  # the same as points, beside a score that is counted in points
GAP = "gap"  # a difference in points without a sign, of which only the interval is shown: its value is too large
SCALES = {PERCENT: 100.0, POINTS: 100.0, PERCENTAGE_POINTS: 100.0, GAP: 100.0}
WHOLE_POINTS = 5.0  # a gap whose upper end is from here on is shown in whole points
MOST_DIGITS = 6  # decimals


@dataclass(frozen=True)
class Estimate:
    """A value, the ends of its interval, and the number of observations.

    `unit` says how people read it: `%` is a share of 1, `points` is a difference of two shares, anything else is a
    plain number of that unit.
    """

    value: float
    low: float
    high: float
    n: int
    unit: str = ""

    @property
    def half(self) -> float:
        """The half-width; of an asymmetric interval the wider side."""
        if math.isnan(self.value):
            return (self.high - self.low) / 2
        return max(self.high - self.value, self.value - self.low)

    @property
    def farthest(self) -> float:
        """How far from 0 the truth is at most, in either direction."""
        return max(abs(self.low), abs(self.high))

    @property
    def differs(self) -> bool:
        """Whether a difference is certainly not 0."""
        return not self.low <= 0 <= self.high

    def within(self, least: float, most: float) -> Estimate:
        """The same, cut to what is possible."""
        return replace(self, low=max(self.low, least), high=min(self.high, most))

    def shift(self, by: float) -> Estimate:
        """The same, moved by so much."""
        return replace(self, value=self.value + by, low=self.low + by, high=self.high + by)

    def scale(self, by: float) -> Estimate:
        """The same in another unit of measurement; a negative factor swaps the ends."""
        low, high = sorted((by * self.low, by * self.high))
        return replace(self, value=by * self.value, low=low, high=high)

    def widen(self, below: float, above: float) -> Estimate:
        """The same with ends moved apart."""
        return replace(self, low=self.low - below, high=self.high + above)

    def difference(self, other: Estimate) -> Estimate:
        """This minus an independent estimate: Newcombe's square-and-add interval, good for rates and for means.

        The middle of a gap is no estimate, so the difference of two gaps reaches from one end to the other.
        """
        value = self.value - other.value
        if self.unit == GAP:
            return Estimate(value, self.low - other.high, self.high - other.low, n=min(self.n, other.n), unit=POINTS)
        low = value - math.hypot(self.value - self.low, other.high - other.value)
        high = value + math.hypot(self.high - self.value, other.value - other.low)
        unit = POINTS if self.unit == PERCENT else self.unit
        return Estimate(value, low, high, n=min(self.n, other.n), unit=unit)

    @property
    def digits(self) -> int:
        """How many decimals to show: up to the first figure of the half-width, or the second if the first is a 1."""
        scale = SCALES.get(self.unit, 1.0)
        size, half = abs(scale * self.value), scale * (self.high - self.low) / 2
        ends = (self.value, self.low, self.high)
        if not self.unit and all(math.isfinite(end) and end == round(end) for end in ends):
            return 0  # a median of whole numbers
        if not math.isfinite(size + half):
            return 0
        # Two decimals, or four figures of a small number.
        most = 2 if size >= 1 or size == 0 else min(MOST_DIGITS, 3 - math.floor(math.log10(size)))
        if half <= 0:
            return 0 if size >= 100 else min(most, 1 if size >= 10 else 2)
        place = math.floor(math.log10(half))
        return max(0, min(most, -place + int(half < 2 * 10.0**place)))

    def parts(self, digits: int | None = None) -> tuple[str, str]:
        """Value and interval as texts without the unit: `29.0`, `27.1 to 31.1`; no interval if its width is 0."""
        if math.isnan(self.value):
            return "unknown", ""
        places = self.digits if digits is None else digits
        value, low, high = (self._fixed(end, places) for end in (self.value, self.low, self.high))
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            return value, "unknown"
        return value, "" if self.low == self.high else f"{low} to {high}"

    def text(self, digits: int | None = None) -> str:
        """`30.8% (30.4 to 31.3)`; a difference of shares is `+1.2 points (0.4 to 2.0)`, a gap `0.5 to 2.3 points`."""
        if self.unit == GAP:
            return self._gap()
        value, interval = self.parts(digits)
        if interval == "unknown" or value == "unknown":
            return "unknown"
        sign = {PERCENT: "%", POINTS: " points"}.get(self.unit, f" {self.unit}" if self.unit else "")
        return f"{value}{sign}" + (f" ({interval})" if interval else "")

    def short(self, digits: int | None = None) -> str:
        """The value without its interval: `30.8%`."""
        return self.text(digits).partition(" (")[0]

    def _gap(self) -> str:
        """The ends of a gap, rounded outward: `at most 2.4 points` if it may be 0, else `0.5 to 2.3 points`."""
        low, high = 100 * self.low, 100 * self.high
        if low > 0:
            digits = 2 if low < 0.1 else int(high < WHOLE_POINTS or low < 1)
        else:
            digits = int(high < WHOLE_POINTS)
        size, slack = 10**digits, 1e-6  # 4.1 points are no 4.2
        most = f"{math.ceil(high * size - slack) / size:.{digits}f} points"
        return f"{math.floor(low * size + slack) / size:.{digits}f} to {most}" if low > 0 else f"at most {most}"

    def _fixed(self, number: float, digits: int) -> str:
        shown = f"{SCALES.get(self.unit, 1.0) * number:,.{digits}f}"
        if not any(figure in "123456789" for figure in shown):
            return shown.lstrip("-")  # never -0.0
        return f"+{shown}" if self.unit in (POINTS, PERCENTAGE_POINTS) and number > 0 else shown

    def as_json(self) -> dict[str, float | int | None]:
        """Plain data: value, low, high, n; what is infinite or unknown is None, and the value of a gap."""
        ends = {"value": self.public, "low": self.low, "high": self.high}
        return {name: end if math.isfinite(end) else None for name, end in ends.items()} | {"n": self.n}

    def columns(self, name: str) -> dict[str, float | None]:
        """Columns of a frame: x, x_low, x_high."""
        return {name: self.public, f"{name}_low": self.low, f"{name}_high": self.high}

    @property
    def public(self) -> float:
        """The value as data; a gap has none."""
        return math.nan if self.unit == GAP else self.value


# For an estimate that does not exist: null in JSON, three empty columns in a frame, an empty cell in a table.
MISSING = Estimate(math.nan, math.nan, math.nan, 0)
