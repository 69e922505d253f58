"""Timing: enough games for a steady measurement, the median and the range of repeats."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

import click

from houle.solver.rules import load

Result = TypeVar("Result")

# The players of a game that is timed, and the unit; other games are timed with the most players, in games.
TIMED = {
    "wave": (3, "games"),
    "land-unter": (4, "rounds"),
    "sea-change": (3, "rounds"),
    "vague-verte": (4, "turns"),
    "vague-attaque": (4, "turns"),
}


def usual(name: str) -> tuple[int, str]:
    """The players and the unit of a game."""
    return TIMED.get(name, (load(name).players[-1], "games"))


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """The seconds that `work` took, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def games_lasting(seconds: float, play: Callable[[int], float], first: int) -> int:
    """The number of games that last about `seconds`; `play(games)` returns the seconds they took.

    The first game compiles or loads kernels and is not counted.
    """
    play(1)
    games = first
    while (spent := play(games)) < seconds / 4:
        games *= 2
    return max(1, round(games * seconds / spent))


def repeated(repeats: int, measure: Callable[[], Result]) -> list[Result]:
    """Repeats a measurement, with progress on the standard error."""
    results = []
    for repeat in range(repeats):
        results.append(measure())
        click.echo(f"\r  repeat {repeat + 1} of {repeats}", err=True, nl=repeat + 1 == repeats)
    return results


def spread(values: list[float]) -> dict[str, float]:
    """The median and the range of repeats."""
    return {"median": median(values), "low": min(values), "high": max(values)}
