"""Levels of a fact of the opening (`houle balance`): wins and scores of hands at a level, compared with all hands."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from houle.analysis.explain.means_by_fact import ALL_HANDS, COLUMNS, FactScale, FactSums, make_scale, read_level
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.moments import Moments
from houle.solver.matches.opening import facts_of, play_openings
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

GAMES = 20_000
ESTIMATES = ("win", "win_more", "score", "score_more")


@cache
def level_rows(game: str, players: int, fact: str) -> tuple[FactScale, list[Any], Any, tuple[int, int]]:
    """The levels of a fact, a row per game for each level and for all hands, and the range of scores."""
    setup = make_setup(game, players)
    starts = play_openings(setup, seat_strategies(setup, ["thumb"]), seed=7, first=0, number=GAMES)
    one = next(each for each in facts_of(setup) if each.name == fact)
    values = one.values(starts.openings, players)
    scale = make_scale(one, values[:2000])
    places = scale.place(values)
    outcomes = [part[:, : places.shape[1]] for part in (starts.share, starts.points, starts.entries)]

    def rows(mask: Any) -> Any:
        return np.stack([mask.sum(axis=1), *((mask * outcome).sum(axis=1) for outcome in outcomes)], axis=1)

    levels = [rows(places == level) for level in range(len(scale.tops))]
    return scale, levels, rows(places < len(scale.tops)), setup.score_range


def read(game: str, players: int, fact: str, level: int, games: Any) -> dict[str, Estimate]:
    """The estimates of a level from some of the games, by their numbers."""
    scale, levels, every, score_range = level_rows(game, players, fact)
    mine, all_hands = levels[level][games], every[games]
    here = mine[:, 0] > 0
    moments = Moments.of(COLUMNS + ALL_HANDS, np.concatenate([mine[here], all_hands[here]], axis=1))
    sums = FactSums([moments] * len(levels), Moments.of(ALL_HANDS, all_hands))
    estimates = read_level(scale, sums, level, score_range)
    return {name: getattr(estimates, name) for name in ESTIMATES} if estimates else {}


def rarest(game: str, players: int, fact: str) -> int:
    """The level that the fewest hands have."""
    levels = level_rows(game, players, fact)[1]
    return int(np.argmin([rows[:, 0].sum() for rows in levels]))
