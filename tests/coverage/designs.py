"""Artificial designs: a search over settings of a toy game whose true measures are known exactly.

Two players toss in turn, and a toss wins a point once in `moves` times. There are two kinds of targets: one that some
setting nearly reaches, and one that none reaches because the knobs do nothing (the first player has no advantage if
both toss equally often), so that only luck decides which setting is nearest. The intervals of the winner are shifted by
the truth: that of fresh games, which is shown to users, and that of the games that chose it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any

import numpy as np

from houle.analysis.designing.search import Search
from houle.analysis.designing.space import Axis, Change, Setting, Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.targets import parse_target
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import Estimate
from houle.solver.rules import Setup
from tests.support.toys import toy

MOVES = tuple(range(2, 7))
DECISIONS, EVEN = tuple(range(8, 25)), tuple(range(8, 41, 2))
MEASURES = ("score", "spread", "first-seat")
GAMES = 80_000
UNIT = 1_000  # games whose standard error is the unit of the next two
WIDTHS = (0.25, 3.0)  # of the target
BESIDE = 4.0  # greatest distance of its middle from the truth of some setting


class ToySpace(Space):
    """Settings of the toy game."""

    def setup(self, setting: Setting) -> Setup:
        if not setting:
            return self.base
        return toy(
            "guessed",
            **{**_knobs(self.base), **{self.axes[axis].name: self.axes[axis].values[i] for axis, i in setting}},
        )

    def touches(self, change: Change) -> int:
        """Every change is of a number: the toy has no knobs that say more."""
        return 1


def _knobs(setup: Setup) -> dict[str, Any]:
    return {name: setup.options[name] for name in ("decisions", "moves")}


@cache
def known(decisions: int, moves: int) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of every measure in a game: the points of both are binomial."""
    first, second = (_binomial(number, 1 / moves) for number in (-(-decisions // 2), decisions // 2))
    both = np.outer(first, second)
    mine, theirs = (np.arange(len(chances), dtype=float) for chances in (first, second))
    margin = mine[:, None] - theirs
    moments = {}
    for name, values in (
        ("score", np.broadcast_to(mine[:, None], both.shape)),
        ("spread", abs(margin)),
        ("first-seat", (np.sign(margin) + 1) / 2 - 0.5),
    ):
        mean = float((both * values).sum())
        moments[name] = mean, float((both * (values - mean) ** 2).sum()) ** 0.5
    return moments


def _binomial(number: int, chance: float) -> np.ndarray:
    chances = np.ones(1)
    for _ in range(number):
        chances = np.convolve(chances, [1 - chance, chance])
    return chances


@cache
def designed(number: int, within_reach: bool) -> tuple[Estimate, Estimate]:
    """The winner of an artificial design, shifted by its truth: by fresh games, and by the games that chose it."""
    draws = np.random.default_rng([22, number])
    decisions = DECISIONS if within_reach else EVEN
    base = toy("guessed", decisions=int(draws.choice(decisions)), moves=int(draws.choice(MOVES)))
    axes = [
        Axis(name, (base.options[name], *(value for value in values if value != base.options[name])))
        for name, values in (("decisions", decisions), ("moves", MOVES))
    ]
    measure = str(draws.choice(MEASURES)) if within_reach else "first-seat"
    truth, deviation = known(int(draws.choice(decisions)), int(draws.choice(MOVES)))[measure]
    error = deviation / UNIT**0.5
    middle = truth + error * draws.uniform(-BESIDE if within_reach else 1.0, BESIDE)
    half = error * draws.uniform(*WIDTHS) / 2
    target = parse_target(f"{measure}={middle - half:.6f}..{middle + half:.6f}@random")
    wish, spec = Wish(target, "random", "random"), RunSpec(GAMES, number, threads=1)
    winner = Search(ToySpace(base, tuple(axes)), [wish], spec).run()[0]
    truth = known(**_knobs(winner.setup))[measure][0]
    key = "random", measure
    return winner.fresh[key].shift(-truth), winner.chosen.get(key, winner.fresh[key]).shift(-truth)


def winners(within_reach: bool, fresh: bool) -> Callable[[np.random.Generator], Estimate]:
    """One design after another, the same ones for both kinds of interval; the truth is 0."""
    numbers: Iterator[int] = count()
    return lambda _: designed(next(numbers), within_reach)[0 if fresh else 1]
