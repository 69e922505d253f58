"""`--search`: how many moves a second search plays on one thread, compared with the thumb.

Flat search plays imagined games by rules of thumb, so one of its moves costs as much as a thumb's move plus a share of
sampling the world. The ratio shows that share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup
from tools.bench.timing import games_lasting, repeated, spread, timed, usual

SECONDS = 0.6  # of one measurement
FLAT, ISMCTS = "flat:200", "ismcts:400"


def bench_search(names: list[str], repeats: int) -> dict[str, Any]:
    """Plies a second of the thumb and inside flat search, and simulations a second of ismcts, by game."""
    setups = [make_setup(name, usual(name)[0]) for name in names]
    sizes = [{who: _games(setup, who) for who in ("thumb", FLAT, ISMCTS)} for setup in setups]
    turns = repeated(repeats, lambda: [_measure(setup, size) for setup, size in zip(setups, sizes, strict=True)])
    rows = [
        {
            "game": setup.ruleset.name,
            "players": setup.players,
            **{key: spread([turn[i][key] for turn in turns]) for key in turns[0][i]},
        }
        for i, setup in enumerate(setups)
    ]
    return {"repeats": repeats, "flat": FLAT, "ismcts": ISMCTS, "rows": rows}


def _play(setup: Setup, who: str, games: int) -> tuple[float, int, int]:
    """Seconds, plies and playouts: of the games for the thumb, inside the search for a search."""
    from houle.solver.run.playout import play_chunk
    from houle.solver.run.tally import blank_ledger

    effort = np.zeros(2, np.int64)
    ledger = blank_ledger(games, int(setup.rules[0].sides)) if who == "thumb" else None
    seconds, _ = timed(lambda: play_chunk(seat_strategies(setup, (who,)), 1, 0, games, ledger=ledger, effort=effort))
    if ledger is not None:
        return seconds, int(ledger.plies[:, 0].sum()), games
    return seconds, int(effort[0]), int(effort[1])


def _games(setup: Setup, who: str) -> int:
    return games_lasting(SECONDS, lambda number: _play(setup, who, number)[0], 1)


def _measure(setup: Setup, games: dict[str, int]) -> dict[str, float]:
    thumb_seconds, thumb_plies, _ = _play(setup, "thumb", games["thumb"])
    flat_seconds, flat_plies, _ = _play(setup, FLAT, games[FLAT])
    tree_seconds, _, simulations = _play(setup, ISMCTS, games[ISMCTS])
    return {
        "thumb_plies": thumb_plies / thumb_seconds,
        "flat_plies": flat_plies / flat_seconds,
        "flat_over_thumb": flat_plies / flat_seconds / (thumb_plies / thumb_seconds),
        "simulations": simulations / tree_seconds,
    }


def describe(report: dict[str, Any]) -> str:
    lines = [
        f"{'game':<14}{'players':>8}{'thumb plies/s':>16}{'plies/s in flat':>17}{'flat / thumb':>22}"
        f"{'ismcts simulations/s (range)':>36}"
    ]
    for row in report["rows"]:
        ratio, trees = row["flat_over_thumb"], row["simulations"]
        shown = f"{ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"
        sims = f"{trees['median']:,.0f} ({trees['low']:,.0f} to {trees['high']:,.0f})"
        lines.append(
            f"{row['game']:<14}{row['players']:>8}{row['thumb_plies']['median']:>16,.0f}"
            f"{row['flat_plies']['median']:>17,.0f}{shown:>22}{sims:>36}"
        )
    return "\n".join(lines)
