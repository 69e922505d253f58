"""`simulate`: play a fixed number of games."""

from __future__ import annotations

from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import GAMES
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, usual_games
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.simulation import Simulation
from houle.solver.rules import Setup


@checked
def simulate(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Play many games of a setup: win rates and scores, with 95% intervals.

    Parameters
    ----------
    games : int
        100,000 by default, at most 5,000 if people think, and 200 if players search.

    Returns
    -------
    Simulation
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
    return Simulation(play_line_up(seated, RunSpec.of(run, usual_games([seated], GAMES))))
