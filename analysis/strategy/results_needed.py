"""`houle calibrate --plan`: how many results of the printed game are needed to predict a variant to some points.

Players at the nodes of the plane play both games. A group of each level that wins as often as the level does gives the
points that its results leave open, and these the interval of the prediction, as `houle difficulty` would show it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.difficulty.difficulty import rules_beside
from houle.analysis.limits import LEVEL_GAMES
from houle.analysis.players.named_players import levels
from houle.analysis.players.plane import Numbers, drawn, nodes, point_number, points, shares, strategy_at
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import win_rate
from houle.analysis.stats.spread import spread
from houle.analysis.strategy.calibration import LEAST_GAMES, SURE, chances_of_points, games_at
from houle.analysis.strategy.results_file import SetupResults
from houle.solver.errors import RulesError
from houle.solver.rules import Setup

WANTED = 0.05  # half-width of a prediction
NUMBERS = (10, 20, 40, 80, 160, 320, 640)  # of results


@checked
def results_needed(setup: Setup, **run: Unpack[RunOptions]) -> Mapping[str, Mapping[int, Estimate]]:
    """The predicted win rate of a setup by level, for each number of results of the printed game."""
    if not setup.one_sided:
        raise RulesError(f"{setup.ruleset.name}: players compete in this setup; --plan is for games that a team wins")
    spec = RunSpec.of(run, LEVEL_GAMES, LEAST_GAMES)
    before = rules_beside(setup) or setup
    known, predicted = (rates_at_points(one, spec) for one in (before, setup))
    return {
        level.name: {number: prediction(known, predicted, number * known[point], number) for number in NUMBERS}
        for level, point in ((level, point_number(i)) for i, level in enumerate(levels()))
    }


def rates_at_points(setup: Setup, spec: RunSpec) -> Numbers:
    """The win rate of a setup at every point of the plane."""
    rates = []
    for node in nodes():
        part = play_line_up(SetupResults(setup).line_up(strategy_at(node)), spec.part(games_at(node, spec.games)))
        if part.interrupted:
            raise KeyboardInterrupt  # a plane with missing nodes says nothing
        rates.append(win_rate(part.tally, 0).value)
    between: Numbers = shares() @ np.array(rates)
    return between


def prediction(known: Numbers, predicted: Numbers, won: float, number: int) -> Estimate:
    """What a group will win that won so many games: rates at all points, of the game it played and of the other."""
    chances = chances_of_points(likelihood_of_wins(known, won, number))
    rates = [float(predicted[(points() == one).all(axis=1)][0]) for one in drawn(chances)]
    return spread([Estimate(rate, rate, rate, number, PERCENT) for rate in rates])


def likelihood_of_wins(known: Numbers, won: float, number: int) -> Numbers:
    """The log likelihood of so many wins at every point, where these are the win rates."""
    likely: Numbers = won * np.log(np.maximum(known, 1e-6)) + (number - won) * np.log(np.maximum(1 - known, 1e-6))
    return likely


def games_to_count(rate: float) -> int:
    """How many games of a variant, counted by themselves, tell its win rate to WANTED points."""
    return math.ceil(rate * (1 - rate) * (SURE / WANTED) ** 2)


def enough(by_number: Mapping[int, Estimate]) -> int | None:
    """The least number of results with which a prediction is good to WANTED points; None if none of NUMBERS is."""
    return next((number for number, rate in by_number.items() if (rate.high - rate.low) / 2 <= WANTED), None)
