"""Digests of results: every setup of every game, played at random, by thumb and by both searches.

A short list has one digest for each game and kind of player; `make first` compares it before all other tests.

The list in tests/golden proves that a change of code changed no result. A change that is meant to change results
rewrites the list with `make golden`, and the changelog says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.solver.errors import InputError
from houle.solver.rules import Setup, game_names, load, make_setup

GOLDEN = Path(__file__).parent.parent / "golden"
FILE, FIRST_FILE = GOLDEN / "digests.csv", GOLDEN / "first.csv"
HEAD = "game,players,variant,strategy,games,digest"
SEED = 1
# Strategy, games.
QUICK = (("random", 2_000), ("thumb", 500))
SEARCHES = (("flat:20", 4), ("ismcts:40", 4))
PLAYERS = QUICK + SEARCHES
# The rules of thumb, a habit with slips, a person who thinks, and a search.
HABIT = "level[slips=20,thought=0]"
KINDS = (("thumb", 40), (HABIT, 40), ("family", 4), ("flat:4", 1))


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
    run = play_line_up(line_up(setup, strategy), RunSpec(games, SEED))
    return f"{name},{strategy},{games},{run.digest}"


def lines(game: str) -> Iterator[str]:
    """One line for each setup and strategy: game, players, variant, strategy, games, digest."""
    for name, setup in setups(game):
        for strategy, games in PLAYERS:
            yield line(name, setup, strategy, games)


def first_lines(game: str) -> Iterator[str]:
    """One line for each kind of player in the usual setup of a game."""
    setup = make_setup(game)
    for strategy, games in KINDS:
        yield line(f"{game},{setup.players},base", setup, strategy, games)


def kept(file: Path = FILE) -> dict[str, str]:
    """The digests in a list, keyed by the rest of their lines."""
    rows = file.read_text().splitlines()[1:]
    return {head: digest for head, _, digest in (row.rpartition(",") for row in rows)}


def write() -> None:
    for file, made in ((FILE, lines), (FIRST_FILE, first_lines)):
        file.write_text(
            "".join(f"{text}\n" for text in (HEAD, *(text for game in game_names() for text in made(game))))
        )
