"""The plane of slips and thought on which `houle calibrate` places a group of people.

Both numbers are measured in levels: slips of 20 and thought of 1 are each at 1, because family is point 1 of the line.
So the line of levels is the diagonal. The plane reaches one step below the first level in both numbers, and one step
above the last in thought, because some groups plan further ahead than seasoned players.

Players at a few nodes play a setup. Between nodes every chance is interpolated. Before any result counts, the two
numbers are thought to be near each other: people who slip less usually think more.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from houle.analysis.players.named_players import levels, strategy_of, top
from houle.solver.players.names import POINT, parse

Numbers = NDArray[np.float64]

WORST_SLIPS, MOST_THOUGHT = 60.0, 16.0  # one step below the first level, one step above the last
NODES = ((-1.0, 0.0, 1.0, 3.0), (-1.0, 1.0, 3.0, 4.0))  # of slips and of thought, in levels
STEP = 0.25  # between the points at which results are judged
APART = 1.25  # levels between slips and thought, one standard deviation of people
DRAWN = 20  # points that stand for all that results leave open: the outermost are about the ends of 95%
TURN = 0.618  # of the golden section: spreads the drawn points across the line


@lru_cache
def _scales() -> tuple[Numbers, Numbers, Numbers]:
    """Levels from -1 to one above the last, and the slips and the thought of each."""
    own = [parse(level.strategy).options for level in levels()]
    slips, thought = ([float(one.get(key, 0)) for one in own] for key in POINT)
    return (
        np.arange(-1.0, top() + 2),
        np.array([WORST_SLIPS, *slips, slips[-1]]),
        np.array([0.0, *thought, MOST_THOUGHT]),
    )


def as_numbers(point: Numbers | tuple[float, float]) -> tuple[float, float]:
    """The slips and the thought of a point that is given in levels."""
    scale, slips, thought = _scales()
    return float(np.interp(point[0], scale, slips)), float(np.interp(point[1], scale, thought))


def strategy_at(point: Numbers | tuple[float, float]) -> str:
    """The player at a point of the plane, given in levels."""
    return strategy_of(*as_numbers(point))


def in_levels(slips: float, thought: float) -> tuple[float, float]:
    """A point of the plane in levels."""
    scale, slipping, thinking = _scales()
    of_slips = float(np.interp(-slips, -slipping[:-1], scale[:-1]))  # np.interp needs growing numbers
    return of_slips, float(np.interp(thought, thinking, scale))


@lru_cache
def nodes() -> Numbers:
    """The points that play, in levels: a row each."""
    return np.array([(slips, thought) for slips in NODES[0] for thought in NODES[1]])


@lru_cache
def points() -> Numbers:
    """The points at which results are judged, in levels: a row each."""
    ends = [np.arange(some[0], some[-1] + STEP / 2, STEP) for some in NODES]
    return np.array([(slips, thought) for slips in ends[0] for thought in ends[1]])


@lru_cache
def shares() -> Numbers:
    """How much each node counts at each point: points x nodes; every row adds up to 1."""
    by_number = []
    for axis, some in enumerate(NODES):
        each = np.eye(len(some))
        by_number.append(np.stack([np.interp(points()[:, axis], some, one) for one in each], axis=1))
    whole: Numbers = (by_number[0][:, :, None] * by_number[1][:, None, :]).reshape(len(points()), -1)
    return whole


def point_number(level: int) -> int:
    """The number of a level among the points."""
    return int(np.flatnonzero((points() == level).all(axis=1))[0])


def log_prior() -> Numbers:
    """How likely each point is before any result, as a logarithm: the same all along the line of levels."""
    apart: Numbers = points()[:, 0] - points()[:, 1]
    return -0.5 * (apart / APART) ** 2


def drawn(chances: Numbers) -> Numbers:
    """Points that are equally likely and together stand for the chances of all points: a row each.

    Points are sorted by their level and cut into parts of equal chance. Each part gives one point; the golden section
    chooses it, so that the points are also spread by what slips and thought differ.
    """
    along, apart = points().sum(axis=1), points()[:, 0] - points()[:, 1]
    order = np.lexsort((apart, along))
    ends = np.cumsum(chances[order]) / chances.sum()
    starts = np.concatenate([[0.0], ends[:-1]])
    found = []
    for part in range(DRAWN):
        inside = np.minimum(ends, (part + 1) / DRAWN) - np.maximum(starts, part / DRAWN)
        here = order[inside > 0]
        across = np.argsort(apart[here], kind="stable")
        share = np.cumsum(inside[inside > 0][across])
        turn = (part + 1) * TURN % 1
        found.append(points()[here[across[np.searchsorted(share, turn * share[-1])]]])
    return np.array(found)
