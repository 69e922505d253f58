"""What a group of people will win in a setup that it has not played, from its points on the plane of slips and thought.

Its results leave open where it is: its points are equally likely. Players at all of them play the setup, on the same
deals. The long-run rate is their mean, and its interval holds what each of them wins. The same holds for any other
measure, and for differences from the printed rules. A group beyond the plane has an open end: its interval goes to what
experts win, or down to random play. The range for the next games also has the luck of these games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from houle.analysis.players.groups import Group
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.named_players import strategy_of, top
from houle.analysis.result import Record
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.spread import spread
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Prediction:
    """What a group will win in a setup."""

    group: Group
    rate: Estimate  # in the long run
    next_games: int
    wins: tuple[int, int]  # in the next games: fewer, or more, in one case of 40 each

    @property
    def sentence(self) -> str:
        low, high = self.wins
        return (
            f"{self.group.name} will win {self.rate.text()} in the long run; of its next {self.next_games:,} games "
            f"{low if low == high else f'{low} to {high}'}{self._open}"
        )

    @property
    def _open(self) -> str:
        """The end of the sentence: why the prediction may be wrong; empty if the results leave no doubt."""
        if self.group.beyond:
            return f". It plays {'above' if self.group.beyond > 0 else 'below'} the levels, so this is a rough guess"
        return ". It may win more if it plans ahead: its results do not tell" if self.group.high >= top() else ""

    def as_json(self) -> Record:
        likely = {"games": self.next_games, "low": self.wins[0], "high": self.wins[1]}
        return {"rate": self.rate.as_json(), "next": likely, "results": self.group.results, "beyond": self.group.beyond}


def point_line_ups(setup: Setup, group: Group) -> list[LineUp]:
    """Players at the points of a group."""
    return [line_up(setup, strategy_of(*point)) for point in group.points]


def predict(group: Group, rates: Sequence[Estimate], next_games: int, beyond: Estimate | None = None) -> Prediction:
    """The prediction from the win rates at the points of a group.

    `beyond` is the rate of experts for a group above the plane, that of random play for one below it.
    """
    rate, chances = spread(rates), np.array([one.value for one in rates])
    if beyond is not None:  # anywhere from its points to the open end
        rate = replace(rate, low=min(rate.low, beyond.low), high=max(rate.high, beyond.high))
        chances = np.concatenate([chances, np.linspace(rate.value, beyond.value, len(rates))])
    return Prediction(group, rate, next_games, likely_wins(chances, np.ones(len(chances)), next_games))


def likely_wins(chances: Sequence[float] | Numbers, weights: Sequence[float] | Numbers, games: int) -> tuple[int, int]:
    """The range of wins in so many games, when each chance counts by its weight."""
    from scipy.stats import binom

    shares = np.asarray(weights) / np.sum(weights)
    at_most = (shares[:, None] * binom.cdf(np.arange(games + 1), games, np.asarray(chances)[:, None])).sum(axis=0)
    tail = (1 - CONFIDENCE) / 2
    low = int(np.searchsorted(at_most, tail, side="right"))
    high = int(np.searchsorted(at_most, 1 - tail - 1e-12, side="left"))
    return low, min(high, games)
