"""How hard a game is: its variants, one at a time, at every number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from houle.analysis.simulation import SEED, Simulation, simulate
from houle.solver.ruleset import load

if TYPE_CHECKING:
    import pandas as pd

Told = Callable[[str, int, Simulation], None]  # variant, players, what they came to


def difficulty(
    game: str,
    games: int,
    seed: int = SEED,
    variants: Iterable[str] | None = None,
    players: Iterable[int] | None = None,
    strategies: str = "random",
    told: Told | None = None,
) -> pd.DataFrame:
    """One row per variant, number of players and side; by default the base game and every variant alone.

    The same seed everywhere: the variants are played on the same deals as far as their rules allow.
    """
    import pandas as pd

    ruleset = load(game)
    frames = []
    for variant in variants or ("base", *ruleset.variants):
        for number in players or ruleset.players:
            cell = simulate(game, number, variant, games=games, seed=seed, strategies=strategies)
            if told:
                told(variant, number, cell)
            frames.append(cell.frame())
    return pd.concat(frames, ignore_index=True)
