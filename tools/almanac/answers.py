"""Cells that another machine plays: the questions it gets, and how its answers become rows.

A question holds the setup, the players, the seed and ranges of games; the answer holds whole-number tallies, one for
each range. The first and the last range are short. They are played again here, and an answer is refused if any integer
differs. The rest is added up and gets the digest that playing it here would have given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from houle.analysis.sampling.backends import count_games
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.studies.cell import Cell
from houle.analysis.studies.serialize import tally_from
from houle.solver.run import Run
from houle.solver.run.tally import Tally
from tools.almanac.cells import all_cells, as_row, is_current, kept, key, searches, write_rows

ENDS = 5  # games at each end of a cell that are played again here


def ranges(cell: Cell) -> list[list[int]]:
    """[first game, games] of the ranges of a cell, with a short one at each end."""
    games = cell.games
    return [[0, games]] if games <= 2 * ENDS else [[0, ENDS], [ENDS, games - 2 * ENDS], [games - ENDS, ENDS]]


def question(cell: Cell) -> dict[str, Any]:
    """A cell as data: everything that decides its games, and the digests of its rules and players."""
    setup, line_up = cell.setup, cell.line_up
    return {
        "game": setup.ruleset.name,
        "players": setup.players,
        "variants": list(setup.variants),
        "strategies": list(line_up.names),
        "seed": cell.seed,
        "games": cell.games,
        "ranges": ranges(cell),
        "rules": setup.digest,
        "line_up": list(line_up.digests),
    }


def ask(path: Path) -> None:
    """Writes the search cells that are missing or out of date, in the order of docs/data/almanac.toml."""
    rows = kept()
    wanted = [
        cell for cell in all_cells() if searches(cell.strategies[0]) and not is_current(cell, rows.get(key(cell)))
    ]
    path.write_text(json.dumps([question(cell) for cell in wanted], indent=1))
    print(f"{len(wanted)} cells, {sum(cell.games for cell in wanted):,} games: {path}")


def counted(cell: Cell, answer: dict[str, Any]) -> Tally:
    """The tally of an answer, after both of its ends were played again; a ValueError if anything differs."""
    if [[part["first"], part["games"]] for part in answer["parts"]] != ranges(cell):
        raise ValueError("other ranges of games than were asked for")
    tallies = [tally_from(cell.setup, part["tally"]) for part in answer["parts"]]
    total = Tally.empty(cell.setup)
    for (first, games), tally in zip(ranges(cell), tallies, strict=True):
        sums = tally.sums
        if tally.games != games or sums.histogram.sum(axis=1).max(initial=0) > tally.entries:
            raise ValueError(f"the tally of games {first} to {first + games - 1} does not hold {games} games")
        total.add(tally)
    for position in {0, len(tallies) - 1}:
        first, games = ranges(cell)[position]
        own = count_games(cell.line_up, cell.seed, first, games)
        if json.dumps(own.as_data()) != json.dumps(tallies[position].as_data()):
            raise ValueError(f"games {first} to {first + games - 1} end differently here")
    return total


def read_answers(path: Path) -> None:
    """Turns answers into rows, and prints those that are refused."""
    cells, rows = all_cells(), kept()
    asked = {json.dumps(question(cell)): cell for cell in cells}
    added = 0
    for answer in json.loads(path.read_text()):
        cell = asked.get(json.dumps(answer["question"]))
        if cell is None:
            other = answer["question"]
            print(f"not asked: {other['game']} {other['players']} {other['variants']} {other['strategies'][0]}")
            continue
        try:
            tally = counted(cell, answer)
        except ValueError as fault:
            print(f"refused: {' '.join(key(cell))}: {fault}")
            continue
        run = Run(cell.setup, cell.line_up, cell.seed, 0, tally, cell.games, float(answer["seconds"]))
        rows[key(cell)] = as_row(cell, Simulation(run))
        write_rows(rows, cells)
        added += 1
    print(f"{added} cells added")
