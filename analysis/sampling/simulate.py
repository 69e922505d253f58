"""`simulate`: play a fixed number of games, play until win rates are precise, or rotate a line-up over the seats."""

from __future__ import annotations

from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_GAMES
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.precision import simulate_precisely
from houle.analysis.sampling.rotation import Rotation, rotate_line_up
from houle.analysis.sampling.simulation import Simulation
from houle.solver.errors import InputError
from houle.solver.rules import Setup


@checked
def simulate(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    precision: float | None = None,
    rotate: bool = False,
    **run: Unpack[RunOptions],
) -> Simulation | Rotation:
    """Play many games of a setup: win rates and scores, with 95% intervals.

    Parameters
    ----------
    precision : float, optional
        Play until every side's win rate is known to this many percentage points, at most `games` games.
    rotate : bool
        Play every deal once per seat, moving the line-up by one seat each time.
    games : int
        100,000 by default; deals, with `rotate`.

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
    seated = line_up(as_setup(setup), strategies)
    if precision is not None:
        if rotate:
            raise InputError("rotate: not possible together with precision; give the number of deals")
        return simulate_precisely(seated, precision, RunSpec.of(run, MOST_GAMES))
    spec = RunSpec.of(run)
    return rotate_line_up(seated, spec) if rotate else Simulation(play_line_up(seated, spec))
