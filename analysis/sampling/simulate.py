"""`simulate`: play a fixed number of games, play until win rates are precise, or rotate a line-up over the seats."""

from __future__ import annotations

from houle.analysis.arguments import checked
from houle.analysis.limits import GAMES, MOST_GAMES, SEED, Whole
from houle.analysis.sampling.lineups import Strategies, as_setup
from houle.analysis.sampling.precision import simulate_precisely
from houle.analysis.sampling.rotation import Rotation, rotate_line_up
from houle.analysis.sampling.simulation import Simulation, simulate_games
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup
from houle.solver.run import Progress


@checked
def simulate(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: Whole | None = None,
    seed: int = SEED,
    first: int = 0,
    precision: float | None = None,
    rotate: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation | Rotation:
    """Play many games of a setup: win rates and scores, with 95% intervals.

    The same seed gives the same games on any machine and with any number of threads.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup.
    strategies : str or iterable of str, optional
        Who plays: one for all players, or one each. Default: `thumb`, or `random` in a game without weights.
    games : int, optional
        Number of games (of deals, with `rotate`); 100,000 by default. With `precision` the most that are played.
    seed, first : int
        Which games: numbers `first`, `first + 1`, ... of a seed.
    precision : float, optional
        Play until every side's win rate is known to this many percentage points.
    rotate : bool
        Play every deal once per seat, moving the line-up by one seat each time.
    threads : int, optional
        Number of threads; one per core by default. It does not change the result.
    progress : callable, optional
        Called as `progress(games, seconds)` while games are played.

    Returns
    -------
    Simulation or Rotation
        With `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.simulate(houle.setup("wave", players=3), strategies="thumb", games=2_000)
    >>> result
    Simulation(wave, 3 players, thumb: win ...% (... to ...), 2,000 games)
    >>> result.games, result.sides[0].name
    (2000, 'team')
    >>> result.repeat()
    'houle simulate wave -p 3 -s thumb -n 2000 --seed 1'
    """
    chosen = as_setup(setup)
    number = int(GAMES if games is None else games)
    if rotate:
        if precision is not None:
            raise InputError("rotate: not possible together with precision; give the number of deals")
        return rotate_line_up(chosen, strategies, number, seed, first, threads, progress)
    if precision is not None:
        most = MOST_GAMES if games is None else number
        return simulate_precisely(chosen, precision, strategies, most, seed, first, threads, progress)
    return simulate_games(chosen, strategies, number, seed, first, threads, progress)
