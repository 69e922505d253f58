"""Levels of a fact of the start (`houle openings`): wins and scores of hands at a level, and what they have over all."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from houle.analysis.fairness.strata import ALL_HANDS, COLUMNS, Scale, Sums, make_scale, read_level
from houle.analysis.stats.intervals import Interval
from houle.analysis.stats.moments import Moments
from houle.solver.opening import opening_of, play_openings
from houle.solver.ruleset import make_setup
from houle.solver.strategies.player import seat_strategies

GAMES = 20_000
ESTIMATES = ("win", "win_more", "score", "score_more")


@cache
def level_tables(game: str, players: int, fact: str) -> tuple[Scale, list[Any], Any, tuple[int, int]]:
    """The levels of a fact, per level and for all hands a row a game of what its hands came to, and possible scores."""
    setup = make_setup(game, players)
    starts = play_openings(setup, seat_strategies(setup, ["thumb"]), 7, 0, GAMES)
    one = next(each for each in opening_of(setup).facts(setup) if each.name == fact)
    values = starts.values(one)
    scale = make_scale(one, values[:2000])
    places = scale.place(values)
    outcomes = [part[:, : places.shape[1]] for part in (starts.share, starts.points, starts.entries)]

    def rows(mask: Any) -> Any:
        return np.stack([mask.sum(axis=1), *((mask * outcome).sum(axis=1) for outcome in outcomes)], axis=1)

    levels = [rows(places == level) for level in range(len(scale.tops))]
    return scale, levels, rows(places < len(scale.tops)), setup.score_range


def read(game: str, players: int, fact: str, level: int, games: Any) -> dict[str, Interval]:
    """What some of the games, by their numbers, say of a level."""
    scale, levels, every, score_range = level_tables(game, players, fact)
    mine, all_hands = levels[level][games], every[games]
    here = mine[:, 0] > 0
    moments = Moments.of(COLUMNS + ALL_HANDS, np.concatenate([mine[here], all_hands[here]], axis=1))
    sums = Sums([moments] * len(levels), Moments.of(ALL_HANDS, all_hands))
    found = read_level(scale, sums, level, score_range)
    return {name: getattr(found, name) for name in ESTIMATES} if found else {}


def rarest(game: str, players: int, fact: str) -> int:
    """The level that the fewest hands have."""
    levels = level_tables(game, players, fact)[1]
    return int(np.argmin([table[:, 0].sum() for table in levels]))
