"""Templates and pictures of the studio: intervals on a scale, bars of scores. Colours come from the style sheet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from houle.analysis.stats.estimate import Estimate
from houle.reports.html.page import templates

TEMPLATES = Path(__file__).parent / "templates"

WIDE, HIGH = 400, 38  # of a row
MOST_BARS = 40
SHADE = 0.01  # of all that is possible: a step of colour


Ends = tuple[float, float]  # of a scale


@lru_cache
def asset(name: str) -> str:
    """A script or style."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def render(name: str, **values: Any) -> str:
    return templates(TEMPLATES).get_template(name).render(values)


def _x(value: float, ends: Ends) -> float:
    low, high = ends
    return round(WIDE * (min(max(value, low), high) - low) / (high - low), 1)


def interval_row(
    mine: Estimate | None, before: Estimate | None, ends: Ends, band: Ends | None, words: str, fair: float | None = None
) -> Markup:
    """Two dots with whiskers on a scale: print above, mine below; the target as a band."""
    parts = []
    if band is not None:
        low, high = (_x(end, ends) for end in band)
        parts.append(f'<rect class="band" x="{low}" y="0" width="{max(high - low, 2)}" height="{HIGH}"/>')
        parts += [
            f'<rect class="edge" data-edge="{name}" x="{x - 1}" y="0" width="2" height="{HIGH}"/>'
            for name, x in (("low", low), ("high", high))
        ]
    if fair is not None:
        parts.append(f'<line class="fair" x1="{_x(fair, ends)}" x2="{_x(fair, ends)}" y1="0" y2="{HIGH}"/>')
    for kind, one, y in (("print", before, 11), ("mine", mine, 26)):
        if one is not None and one.n and math.isfinite(one.value):
            low, value, high = (_x(end, ends) for end in (one.low, one.value, one.high))
            parts.append(f'<line class="{kind}" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>')
            parts.append(f'<path class="dot {kind}" d="M{value} {y}h.01"/>')
            if kind == "print":
                parts.append(f'<path class="dot hole" d="M{value} {y}h.01"/>')
    box = f'viewBox="-7 0 {WIDE + 14} {HIGH}" preserveAspectRatio="none"'
    return Markup(f'<svg class="row" {box} role="img" aria-label="{Markup.escape(words)}">{"".join(parts)}</svg>')


def scale_row(ends: Ends, percent: bool) -> Markup:
    """The ticks of the scale: round numbers, at most six steps."""
    marks, times = [], 100 if percent else 1
    low, high = times * ends[0], times * ends[1]
    step = next(10**power * one for power in range(7) for one in (1, 2, 5) if 10**power * one * 6 >= high - low)
    for value in range(math.ceil(low / step) * step, math.floor(high) + 1, step):
        anchor = "start" if value == low else "end" if value == high else "middle"
        x = _x(value / times, ends)
        marks.append(f'<text x="{x}" y="11" text-anchor="{anchor}">{value}{"%" if percent else ""}</text>')
    return Markup(f'<svg class="scale" viewBox="-7 0 {WIDE + 14} 14" aria-hidden="true">{"".join(marks)}</svg>')


def histogram(mine: Mapping[int, int], before: Mapping[int, int], name: str, words: str) -> Markup:
    """Shares of scores or lengths: mine as bars, print as a line of steps."""
    both = sorted({*mine, *before})
    if not both:
        return Markup("")
    low, high = both[0], both[-1]
    step = max(1, -(-(high - low + 1) // MOST_BARS))
    bins = range(low // step, high // step + 1)

    def shares(counts: Mapping[int, int]) -> list[float]:
        total = max(1, sum(counts.values()))
        binned = dict.fromkeys(bins, 0)
        for score, number in counts.items():
            binned[score // step] += number
        return [number / total for number in binned.values()]

    mines, prints = shares(mine), shares(before)
    top, height, base = max(*mines, *prints, 1e-9), 110, 122
    wide = WIDE / len(bins)
    bars = [
        f'<rect class="mine" x="{i * wide + wide * 0.08:.1f}" width="{wide * 0.84:.1f}" '
        f'y="{base - height * one / top:.1f}" height="{height * one / top:.1f}"/>'
        for i, one in enumerate(mines)
    ]
    steps = "".join(
        f"H{i * wide:.1f}V{base - height * one / top:.1f}H{(i + 1) * wide:.1f}" for i, one in enumerate(prints)
    )
    marks = []
    for i in sorted({0, len(bins) // 2, len(bins) - 1}):
        anchor = "start" if i == 0 and len(bins) > 3 else "end" if i == len(bins) - 1 > 2 else "middle"
        x = i * wide + wide / 2 if anchor == "middle" else (0 if i == 0 else WIDE)
        marks.append(f'<text x="{x:.1f}" y="136" text-anchor="{anchor}">{bins[i] * step}</text>')
    return Markup(
        f'<svg class="histogram" viewBox="-2 0 {WIDE + 4} 140" role="img" aria-label="{Markup.escape(words)}">'
        f'{"".join(bars)}<path class="print" d="M0 {base}{steps}V{base}"/>{"".join(marks)}</svg>'
    )


def quantile_of(counts: Sequence[int], share: float) -> int:
    """The smallest number that at least this share does not exceed, from how often each number occurs."""
    total, passed = sum(counts), 0
    for number, count in enumerate(counts):
        passed += count
        if passed >= share * total:
            return number
    return 0


def shade(effect: Estimate | None, span: float) -> str:
    """The colour class of an effect: `up` or `down` with a step from 1 to 4; empty where it is not certain."""
    if effect is None or not effect.differs:
        return ""
    step = min(4, 1 + int(abs(effect.value) / span / SHADE))
    return f"{'up' if effect.value > 0 else 'down'} step-{step}"
