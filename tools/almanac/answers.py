"""Cells that another machine plays: what it is asked, and how its answers become rows that are as good as our own.

It gets tables, players, seeds and stretches of games, and gives back whole-number tallies, a stretch at a time. Here
the tallies are added up and named by the same digest that playing them here would have. The first and the last stretch
are short; they are played again here, to the last integer, and an answer in which one of them differs is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from almanac_cells import all_cells, as_row, kept, key, searches, stands, write_rows

from houle.analysis.sampling.simulation import Simulation
from houle.analysis.studies.cells import Cell
from houle.analysis.studies.serialize import tally_from
from houle.solver.run import Run, play_chunk
from houle.solver.strategies.player import seat_strategies
from houle.solver.tally import Tally

ENDS = 5  # games at either end of a cell, which are played again here


def stretches(cell: Cell) -> list[list[int]]:
    """[first game, games] of the stretches of a cell: a short one at either end, which are played again here."""
    games = cell.games
    return [[0, games]] if games <= 2 * ENDS else [[0, ENDS], [ENDS, games - 2 * ENDS], [games - ENDS, ENDS]]


def question(cell: Cell) -> dict[str, Any]:
    """A cell as data: all that decides its games, and the digests by which both sides know that they mean the same."""
    setup, line_up = cell.setup, seat_strategies(cell.setup, cell.strategies)
    return {
        "game": setup.ruleset.name,
        "players": setup.players,
        "variants": list(setup.variants),
        "strategies": list(line_up.names),
        "seed": cell.seed,
        "games": cell.games,
        "stretches": stretches(cell),
        "rules": setup.digest,
        "line_up": list(line_up.digests),
    }


def ask(path: Path) -> None:
    """Writes the search cells that are missing or no longer stand, in the order of docs/almanac.toml."""
    rows = kept()
    wanted = [cell for cell in all_cells() if searches(cell.strategies[0]) and not stands(cell, rows.get(key(cell)))]
    path.write_text(json.dumps([question(cell) for cell in wanted], indent=1))
    print(f"{len(wanted)} cells, {sum(cell.games for cell in wanted):,} games: {path}")


def counted(cell: Cell, answer: dict[str, Any]) -> Tally:
    """All games of an answer, once both of its ends were played again; a ValueError where anything differs."""
    if [[part["first"], part["games"]] for part in answer["parts"]] != stretches(cell):
        raise ValueError("other stretches than were asked for")
    tallies = [tally_from(cell.setup, part["tally"]) for part in answer["parts"]]
    total = Tally.empty(cell.setup)
    for (first, games), tally in zip(stretches(cell), tallies, strict=True):
        sums = tally.sums
        if tally.games != games or sums.histogram.sum(axis=1).max(initial=0) > tally.entries:
            raise ValueError(f"the tally of games {first} to {first + games - 1} does not hold {games} games")
        total.add(tally)
    for position in {0, len(tallies) - 1}:
        first, games = stretches(cell)[position]
        own = play_chunk(cell.setup, cell.strategies, cell.seed, first, games)
        if json.dumps(own.as_data()) != json.dumps(tallies[position].as_data()):
            raise ValueError(f"games {first} to {first + games - 1} end otherwise here")
    return total


def take_in(path: Path) -> None:
    """Answers become rows; what is refused is said, and nothing of it is kept."""
    cells, rows = all_cells(), kept()
    asked = {json.dumps(question(cell)): cell for cell in cells}
    taken = 0
    for answer in json.loads(path.read_text()):
        cell = asked.get(json.dumps(answer["question"]))
        if cell is None:
            told = answer["question"]
            print(f"not asked today: {told['game']} {told['players']} {told['variants']} {told['strategies'][0]}")
            continue
        try:
            tally = counted(cell, answer)
        except ValueError as fault:
            print(f"refused: {cell.label}: {fault}")
            continue
        line_up = seat_strategies(cell.setup, cell.strategies)
        run = Run(cell.setup, line_up, cell.seed, 0, tally, cell.games, float(answer["seconds"]))
        rows[key(cell)] = as_row(cell, Simulation(run), str(answer["device"]))
        write_rows(rows, cells)
        taken += 1
    print(f"{taken} cells taken in")
