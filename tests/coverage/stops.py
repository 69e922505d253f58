"""Runs that stop by a rule: the intervals they show, and how often their verdicts are false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from houle.analysis.stats import sequential_tests, width
from houle.analysis.stats.differences import pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import wilson

Draws = np.random.Generator

PRECISION = 0.3  # points
RATES = (0.3, 0.05, 0.01)
MARGIN = 0.005
CHANGED = 0.384  # share of pairs that change in WAVE: a spread of 0.62
MOST = 3_000_000
TRUTHS = {
    0.0: ("more", "less"),
    MARGIN: ("same", "less"),
    2 * MARGIN: ("same", "less"),
}  # true difference -> false verdicts


@dataclass(frozen=True)
class Stop:
    """The end of a run."""

    kind: str | None  # the verdict, if there is one
    games: int
    interval: Estimate  # as shown to users


@cache
def at_precision(rate: float) -> Callable[[Draws], Stop]:
    """`simulate --precision 0.3`, of games won at a rate."""

    def run(draws: Draws) -> Stop:
        won = before = 0
        for n in width.looks(10**7):
            won += int(draws.binomial(n - before, rate))
            before = n
            rate_now = wilson(won / n, n, width.AT_WIDTH)
            if 100 * rate_now.half <= PRECISION:
                break
        return Stop(None, n, rate_now)

    return run


@cache
def until_decided(truth: float) -> Callable[[Draws], Stop]:
    """`compare --until-decided --margin 0.5`, of pairs that differ by -1, 0 or 1."""
    chances = [(CHANGED + truth) / 2, (CHANGED - truth) / 2, 1 - CHANGED]

    def run(draws: Draws) -> Stop:
        decision, before, won, lost = sequential_tests.Decision(MARGIN), 0, 0, 0
        for n in sequential_tests.looks(MOST):
            more, fewer, _ = draws.multinomial(n - before, chances)
            before, won, lost = n, won + int(more), lost + int(fewer)
            value = (won - lost) / n
            gap = pair_rates(value, (won + lost - n * value**2) / (n - 1), n, sequential_tests.AT_STOP)
            decision.look(gap)
            if decision.kind is not None:
                break
        return Stop(decision.kind, n, gap)

    return run


KEPT: dict[Callable[[Draws], Stop], list[Stop]] = {}  # the ends of all runs


def kept(run: Callable[[Draws], Stop], draws: Draws) -> Stop:
    """One run, kept for the table of stops."""
    stop = run(draws)
    KEPT.setdefault(run, []).append(stop)
    return stop


def stop_lines() -> list[str]:
    """A line per rule: how many games it takes, and how often its verdict is false."""
    lines = [_line(f"`--precision {PRECISION}`, {rate:.0%}", KEPT[at_precision(rate)], "") for rate in RATES]
    for truth, false in TRUTHS.items():
        stops = KEPT[until_decided(truth)]
        share = sum(stop.kind in false for stop in stops) / len(stops)
        named = f"`--until-decided`, margin {100 * MARGIN} points, difference {100 * truth:g}"
        lines.append(_line(named, stops, f"{100 * share:.1f}%"))
    return lines


def _line(name: str, stops: list[Stop], false: str) -> str:
    games = [stop.games for stop in stops]
    return f"| {name} | {len(stops):,} | {np.mean(games):,.0f} | {max(games):,} | {false} |"
