"""`simulate`: many games of a table; a fixed number, until the win rates are known, or rotated over the seats."""

from __future__ import annotations

from typing import Any

from houle.analysis.limits import GAMES, MOST_GAMES, SEED
from houle.analysis.sampling.lineups import Strategies, as_setup
from houle.analysis.sampling.precision import simulate_precisely
from houle.analysis.sampling.rotation import Rotation, rotate_line_up
from houle.analysis.sampling.simulation import Simulation, simulate_games
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup
from houle.solver.run import Progress


def simulate(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int | None = None,
    seed: int = SEED,
    first: int = 0,
    precision: float | None = None,
    rotate: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    **old: Any,
) -> Simulation | Rotation:
    """Play many games of a table: win rates and scores, with 95% intervals.

    The same seed gives the same games on any machine and with any number of threads.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Who decides: one for all players, or one each; the thumb where the game has one.
    games : int, optional
        How many games (deals, with `rotate`); 100,000 by default. With `precision` the most that are played.
    seed, first : int
        Which games: numbers `first`, `first + 1`, ... of a seed.
    precision : float, optional
        Play until every side's win rate is known to so many percentage points instead.
    rotate : bool
        Take the line-up to every seat on the same deals.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Simulation or Rotation
        With `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.simulate(houle.setup("wave", players=3), strategies="random", games=2_000)
    >>> result.games, result.sides[0].name
    (2000, 'team')
    >>> result.repeat()
    'houle simulate wave -p 3 -s random -n 2000 --seed 1'
    """
    table = as_setup(setup, old)
    if rotate:
        if precision is not None:
            raise InputError("rotate: not possible together with precision; give the number of deals")
        return rotate_line_up(table, strategies, games or GAMES, seed, first, threads, progress)
    if precision is not None:
        return simulate_precisely(table, precision, strategies, games or MOST_GAMES, seed, first, threads, progress)
    return simulate_games(table, strategies, GAMES if games is None else games, seed, first, threads, progress)
