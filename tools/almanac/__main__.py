"""`make almanac`: the cells of docs/almanac.toml that are missing or whose digest changed, and the page made of all.

    python docs/almanac.py [--minutes 120] [--only GAME|STRATEGY|skill] plays here (HOULE_DEVICE=gpu: on a card)
    python docs/almanac.py --ask cells.json                             what another machine shall play
    python docs/almanac.py --answers answers.json                       what it played, checked
    python docs/almanac.py --page                                       plays nothing
    python docs/almanac.py --release 0.2.0                              what later pages are compared with

What does not fit into the minutes is listed as missing; search is what waits.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

from almanac_answers import ask, take_in
from almanac_cells import all_cells, as_row, kept, key, searches, stands, write_rows
from almanac_page import PAGE, RELEASE, RELEASE_COLUMNS, draw, page
from almanac_skill import play_skill

from houle import simulate
from houle.solver.run.device import chosen_device
from houle.solver.strategies.names import parse


def play(end: float, only: str | None) -> None:
    """Drops the rows that no longer stand, then plays until the clock says `end`: what does not search first."""
    cells, rows = all_cells(), kept()
    asked = [cell for cell in cells if not only or only in (*key(cell), parse(cell.strategies[0]).name)]
    open_cells = [cell for cell in asked if not stands(cell, rows.get(key(cell)))]
    wanted = {key(cell) for cell in cells} - {key(cell) for cell in open_cells}
    rows = {name: row for name, row in rows.items() if name in wanted}
    write_rows(rows, cells)
    for cell in sorted(open_cells, key=lambda cell: searches(cell.strategies[0])):
        if time.monotonic() > end:
            break
        found = simulate(cell.setup, strategies=cell.strategies, games=cell.games, seed=cell.seed)
        rows[key(cell)] = as_row(cell, found, chosen_device())
        write_rows(rows, cells)
        print(*key(cell), rows[key(cell)]["seconds"], "s", flush=True)
    print(f"{len(open_cells)} cells were missing or did not stand any more; {len(rows)} of {len(cells)} are there")


def keep_release(name: str) -> None:
    with RELEASE.open("w", newline="") as file:
        writer = csv.DictWriter(file, RELEASE_COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(row | {"release": name} for row in kept().values())


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays what the almanac lacks and writes its page.")
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--only", help="a game, a strategy, or skill")
    parser.add_argument("--ask", type=Path, metavar="FILE")
    parser.add_argument("--answers", type=Path, metavar="FILE")
    parser.add_argument("--release", metavar="VERSION")
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if asked.ask:
        ask(asked.ask)
        return
    if asked.release:
        keep_release(asked.release)
    elif asked.answers:
        take_in(asked.answers)
    elif not asked.page:
        end = time.monotonic() + 60 * asked.minutes
        if asked.only != "skill":
            play(end, asked.only)
        if asked.only in (None, "skill"):
            play_skill(end)
    draw()
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
