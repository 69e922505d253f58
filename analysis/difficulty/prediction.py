"""What a group of people will win in a setup that it has not played, from its place on the line of levels.

The thumb plays the setup at several places of the line. The long-run rate is that of the group's likeliest place. Its
interval holds the intervals of all places that the group's results allow. A group beyond the line has an open end: its
interval goes to what experts win, or down to random play. The range
for the next games is another question: it also has the luck of these games. There every place counts by its likelihood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.analysis.players.groups import Group
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.named_players import level_name, top
from houle.analysis.result import Record
from houle.analysis.sampling.paired_arms import PlayedArms
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, win_rate
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup

STEP = 0.5  # between the places that are played
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


def places_of(group: Group) -> list[float]:
    """The places of the line to play for a group, in order."""
    steps = [float(place) for place in np.arange(0, top() + STEP / 2, STEP)]
    return sorted({*steps, group.low, group.level, group.high})


def place_line_ups(setup: Setup, group: Group) -> list[LineUp]:
    """Players at the places of the line that a prediction for a group needs."""
    return [line_up(setup, level_name(place)) for place in places_of(group)]


def rates_of(group: Group, played: PlayedArms) -> dict[float, Estimate]:
    """The win rate at every place of a group that was played."""
    return {place: win_rate(played.tally(i), 0) for i, place in enumerate(places_of(group))}


def predict(
    group: Group, rates: Mapping[float, Estimate], next_games: int, beyond: Estimate | None = None
) -> Prediction:
    """The prediction from win rates at `places_of` the group.

    `beyond` is the rate of experts for a group above the line, that of random play for one below it.
    """
    value = rates[group.level]
    inside = [rate for place, rate in rates.items() if group.low <= place <= group.high]
    inside += [beyond] if beyond is not None else []
    low, high = min(rate.low for rate in inside), max(rate.high for rate in inside)
    places = list(rates)
    fine = np.linspace(0, top(), len(group.likelihood))
    chances = np.interp(fine, places, [rates[place].value for place in places])
    weights = np.exp(np.array(group.likelihood))
    if beyond is not None:  # anywhere beyond the end of the line
        chances = np.linspace(value.value, beyond.value, len(fine))
        weights = np.ones(len(fine))
    rate = Estimate(value.value, low, high, value.n, value.unit)
    return Prediction(group, rate, next_games, likely_wins(chances, weights, next_games))


def likely_wins(chances: Sequence[float] | Numbers, weights: Sequence[float] | Numbers, games: int) -> tuple[int, int]:
    """The range of wins in so many games, when each chance counts by its weight."""
    from scipy.stats import binom

    shares = np.asarray(weights) / np.sum(weights)
    at_most = (shares[:, None] * binom.cdf(np.arange(games + 1), games, np.asarray(chances)[:, None])).sum(axis=0)
    tail = (1 - CONFIDENCE) / 2
    low = int(np.searchsorted(at_most, tail, side="right"))
    high = int(np.searchsorted(at_most, 1 - tail - 1e-12, side="left"))
    return low, min(high, games)
