"""How long things take: enough games for a steady measurement, the median and range of repeats."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

import click

Found = TypeVar("Found")


def timed(work: Callable[[], Found]) -> tuple[float, Found]:
    """Seconds that some work took, and what it returned."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def games_lasting(seconds: float, play: Callable[[int], float], first: int) -> int:
    """How many games last about so long, by playing more and more of them; `play` returns the seconds of a number.

    The first game compiles, or loads what was compiled, and is not counted.
    """
    play(1)
    games = first
    while (spent := play(games)) < seconds / 4:
        games *= 2
    return max(1, round(games * seconds / spent))


def repeated(repeats: int, measure: Callable[[], Found]) -> list[Found]:
    """Measurements in turn, counted on the standard error."""
    found = []
    for repeat in range(repeats):
        found.append(measure())
        click.echo(f"\r  repeat {repeat + 1} of {repeats}", err=True, nl=repeat + 1 == repeats)
    return found


def spread(values: list[float]) -> dict[str, float]:
    """The median of repeats, and how far they lie apart."""
    return {"median": median(values), "low": min(values), "high": max(values)}
