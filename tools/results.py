"""`make results`: the numbers of the README, as docs/data/results.csv: every base game with three and four players.

    python -m tools.results [GAME...]

Where all win together: what each level and the expert win. Where players compete: what a seasoned player wins against
family players, how much more than a fair share the first seat wins, and how long games are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import houle
from houle.analysis.players.line_ups import EXPERT
from houle.analysis.players.named_players import levels
from houle.analysis.stats.estimate import Estimate
from houle.solver.rules import Setup, game_names
from tools.almanac.cells import DOCS, stamp
from tools.rows import Row, read_rows, write_rows

FILE = DOCS / "data" / "results.csv"
COLUMNS = ("game", "players", "what", "value", "low", "high", "n", "seed", "played", "version", "command")
PLAYERS = (3, 4)
GAMES, SEARCH_GAMES, DEALS, SEED = 40_000, 400, 2_000, 61
BETTER, OTHERS = "seasoned", "family"


def rows_of(setup: Setup) -> Iterator[Row]:
    """Every number of a setup."""
    if setup.one_sided:
        for names, games in (([level.name for level in levels()], GAMES), ([EXPERT], SEARCH_GAMES)):
            found = houle.difficulty(setup, strategies=names, games=games, seed=SEED)
            for level in found.of("win"):
                yield _row(setup, level.label, level.value, found.repeat())
        return
    seats = houle.balance(setup, strategies=BETTER, games=GAMES // 2, seed=SEED)
    fair = seats.fair or 0.0
    yield _row(setup, "edge", seats.sides[0][1].shift(-fair), seats.repeat())
    for name in ("turns_50", "turns_90", "endless"):
        length = seats.measure(name)
        if length:
            yield _row(setup, name, length, seats.repeat())
    better = houle.strength(setup, strategies=[OTHERS, BETTER], games=DEALS, seed=SEED)
    yield _row(setup, "better", better.of("win")[0].value, better.repeat())


def _row(setup: Setup, what: str, value: Estimate, command: str) -> Row:
    ends = {name: f"{getattr(value, name):.6g}" for name in ("value", "low", "high")}
    facts = {"game": setup.ruleset.name, "players": str(setup.players), "what": what, **ends, "n": str(value.n)}
    return {**facts, "seed": str(SEED), **stamp(), "command": command}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("games", nargs="*", default=list(game_names()), help="of which the rows are played again")
    asked = options.parse_args().games
    rows = read_rows(FILE)
    for game in asked:
        for players in PLAYERS:
            found = list(rows_of(houle.setup(game, players=players)))
            rows = [row for row in rows if (row["game"], row["players"]) != (game, str(players))] + found
            print(game, players, flush=True)
    order = [(game, str(players)) for game in game_names() for players in PLAYERS]
    rows.sort(key=lambda row: order.index((row["game"], row["players"])))
    write_rows(FILE, COLUMNS, rows)


if __name__ == "__main__":
    main()
