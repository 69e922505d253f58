"""`make almanac`: play the cells of docs/data/almanac.toml that are missing or out of date, and write the page.

    python -m tools.almanac [--minutes 120] [--only GAME|STRATEGY]   play here
    python -m tools.almanac --page                                   play nothing

Cells that do not fit into the minutes are listed as missing. Cells of search are played last.
"""

from __future__ import annotations

import argparse
import time

from houle import Simulation, simulate
from houle.analysis.studies.cell import Cell
from tools.almanac.cells import all_cells, as_row, is_current, kept, key, searches, shown_strategy, write_cells
from tools.almanac.page import PAGE, page


def play(end: float, only: str | None) -> None:
    """Plays what is missing or out of date until the time `end`, cells without search first; rows stay until then."""
    cells, rows = all_cells(), kept()
    asked = [cell for cell in cells if not only or only in names(cell)]
    open_cells = [cell for cell in asked if not is_current(cell, rows.get(key(cell)))]
    for cell in sorted(open_cells, key=lambda cell: searches(cell.strategies[0])):
        if time.monotonic() > end:
            break
        result = simulate(cell.setup, strategies=cell.strategies, games=cell.games, seed=cell.seed)
        assert isinstance(result, Simulation)
        rows[key(cell)] = as_row(cell, result)
        write_cells(rows, cells)
        print(*key(cell), rows[key(cell)]["seconds"], "s", flush=True)
    have = sum(key(cell) in rows for cell in cells)
    print(f"{len(open_cells)} cells were missing or out of date; {have} of {len(cells)} are played")


def names(cell: Cell) -> tuple[str, ...]:
    """What `--only` may say of a cell."""
    return (*key(cell), shown_strategy(cell.strategies[0]), cell.strategies[0].partition("[")[0].partition(":")[0])


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the missing cells of the almanac and write its page.")
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--only", help="a game or a strategy")
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if not asked.page:
        play(time.monotonic() + 60 * asked.minutes, asked.only)
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
