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

from houle.analysis import simulate
from houle.solver.run.device import chosen_device


def play(end: float, only: str | None) -> None:
    """Plays until the clock says `end`: players that do not search first, then search in the order of the file."""
    cells, rows = all_cells(), kept()
    done = 0
    for cell in sorted(cells, key=lambda cell: searches(cell.strategies[0])):
        if time.monotonic() > end:
            break
        if (only and only not in key(cell)) or stands(cell, rows.get(key(cell))):
            continue
        found = simulate(cell.setup, strategies=cell.strategies, games=cell.games, seed=cell.seed)
        rows[key(cell)] = as_row(cell, found, chosen_device())
        write_rows(rows, cells)
        done += 1
        print(*key(cell), rows[key(cell)]["seconds"], "s", flush=True)
    wanted = {key(cell) for cell in cells}
    write_rows({name: row for name, row in rows.items() if name in wanted}, cells)
    print(f"{done} cells played, {len(wanted & rows.keys())} of {len(wanted)} there")


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
