"""Digests of results: every setup of every game, played at random, by thumb and by both searches.

The list in tests/golden proves that a change of code changed no result. A change that is meant to change results
rewrites the list with `make golden`, and the changelog says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.solver.errors import InputError
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, load, make_setup

FILE = Path(__file__).parent.parent / "golden" / "digests.csv"
HEAD = "game,players,variant,strategy,games,digest"
SEED = 1
# Strategy, games.
QUICK = (("random", 2_000), ("thumb", 500))
SEARCHES = (("flat:20", 4), ("ismcts:40", 4))
PLAYERS = QUICK + SEARCHES


def setups(game: str) -> Iterator[tuple[str, Setup]]:
    """Every number of players with the base game and each variant it allows, and a name for each."""
    ruleset = load(game)
    for players in ruleset.players:
        for variant in ("base", *ruleset.variants):
            try:
                setup = make_setup(game, players, [variant])
            except InputError:  # this number of players cannot play the variant
                continue
            yield f"{game},{players},{variant}", setup


def line(name: str, setup: Setup, strategy: str, games: int) -> str:
    run = play_line_up(seat_strategies(setup, [strategy]), RunSpec(games, SEED))
    return f"{name},{strategy},{games},{run.digest}"


def lines(game: str) -> Iterator[str]:
    """One line for each setup and strategy: game, players, variant, strategy, games, digest."""
    for name, setup in setups(game):
        for strategy, games in PLAYERS:
            yield line(name, setup, strategy, games)


def kept() -> dict[str, str]:
    """The digests in the list, keyed by the rest of their lines."""
    rows = FILE.read_text().splitlines()[1:]
    return {head: digest for head, _, digest in (row.rpartition(",") for row in rows)}


def write() -> None:
    FILE.write_text("".join(f"{text}\n" for text in (HEAD, *(text for game in game_names() for text in lines(game)))))
