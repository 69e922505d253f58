"""`make almanac`: the cells of docs/almanac.toml that are missing or whose digest changed, and the page made of all.

    python docs/almanac.py [--minutes 10] [--page]

A cell that was played is kept in docs/almanac/GAME.csv with its digest and that of its first games; these few are
played again each time, so that a cell is played anew as soon as rules, weights or code change what happens in it. What
does not fit into the minutes is listed as missing. `--page` plays nothing.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from houle.analysis import simulate
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.intervals import Interval
from houle.analysis.studies.cells import Cell
from houle.analysis.studies.spec import read_spec
from houle.solver.ruleset import game_names, load, variant_name

DOCS = Path(__file__).parent
SPEC, PAGE, FOLDER = DOCS / "almanac.toml", DOCS / "almanac.md", DOCS / "almanac"
PROBE = 20  # games that are played again to see whether a cell still stands
COLUMNS = (
    "game", "players", "variant", "strategy", "win", "win_low", "win_high", "first_seat", "first_seat_low",
    "first_seat_high", "score", "score_low", "score_high", "turns", "draws", "draws_low", "draws_high", "unresolved",
    "games", "seed", "rules", "probe", "digest", "seconds", "played", "command",
)  # fmt: skip

# Colours that most people who confuse colours can tell apart (Okabe and Ito).
COLOURS = {"random": "#999999", "novice": "#e69f00", "thumb": "#0072b2", "clairvoyant": "#009e73"}

WHAT = """\
Every game, every printed variant, every number of players, by players that do not search, and the bound of an exact
solver with open cards where there is one. To our knowledge these are the first published figures for these games. Each
row can be had again: its command, seed and digest stand in `docs/almanac/GAME.csv`."""

Row = dict[str, str]


def key(cell: Cell) -> tuple[str, ...]:
    return (cell.setup.ruleset.name, str(cell.setup.players), variant_name(cell.setup), cell.strategies[0])


def key_of(row: Row) -> tuple[str, ...]:
    return (row["game"], row["players"], row["variant"], row["strategy"])


def kept() -> dict[tuple[str, ...], Row]:
    rows: dict[tuple[str, ...], Row] = {}
    for file in sorted(FOLDER.glob("*.csv")):
        with file.open() as lines:
            rows |= {key_of(row): row for row in csv.DictReader(lines)}
    return rows


def probe(cell: Cell) -> str:
    few = min(PROBE if "clairvoyant" not in cell.strategies else 1, cell.games)
    return simulate(cell.setup, strategies=cell.strategies, games=few, seed=cell.seed).digest


def stands(cell: Cell, row: Row | None) -> bool:
    """Whether a row is what the cell would come to today."""
    if row is None or (row["games"], row["seed"]) != (str(cell.games), str(cell.seed)):
        return False
    return row["rules"] == cell.setup.digest and row["probe"] == probe(cell)


def three(name: str, value: Interval | None) -> Row:
    if value is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), "")
    return {name: f"{value.value:.6g}", f"{name}_low": f"{value.low:.6g}", f"{name}_high": f"{value.high:.6g}"}


def played(cell: Cell) -> Row:
    """A cell as a row: the first side, and the first seat's excess where seats compete."""
    found: Simulation = simulate(cell.setup, strategies=cell.strategies, games=cell.games, seed=cell.seed)
    side, sides = found.sides[0], len(found.sides)
    seats = sides > 1 and all(len(one.seats) == 1 for one in found.sides) and sides == cell.setup.players
    excess = Interval(side.win.value - 1 / sides, side.win.low - 1 / sides, side.win.high - 1 / sides, side.win.n)
    data = found.as_json()
    row: Row = dict(zip(COLUMNS, key(cell), strict=False))
    row |= three("win", side.win) | three("first_seat", excess if seats else None) | three("score", side.score.interval)
    row |= three("draws", found.draws if sides > 1 else None)
    row["turns"] = f"{data['turns']['mean']:.6g}" if "turns" in data else ""
    row["unresolved"] = "" if found.unresolved is None else f"{found.unresolved:.6g}"
    row |= {"games": str(found.games), "seed": str(cell.seed), "rules": cell.setup.digest, "digest": found.digest}
    row |= {"probe": probe(cell), "seconds": f"{found.seconds:.1f}", "command": found.repeat()}
    row["played"] = datetime.now(UTC).strftime("%Y-%m-%d")
    return row


def write_rows(rows: dict[tuple[str, ...], Row], order: list[Cell]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in game_names():
        own = [rows[key(cell)] for cell in order if key(cell) in rows and key(cell)[0] == game]
        if own:
            with (FOLDER / f"{game}.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(own)


def play(minutes: float) -> None:
    cells, rows = list(read_spec(SPEC).cells), kept()
    end = time.monotonic() + 60 * minutes
    done = 0
    for cell in cells:
        if time.monotonic() > end:
            break
        if not stands(cell, rows.get(key(cell))):
            rows[key(cell)] = played(cell)
            write_rows(rows, cells)
            done += 1
            print(" ".join(key(cell)), rows[key(cell)]["seconds"], "s", flush=True)
    wanted = {key(cell) for cell in cells}
    write_rows({name: row for name, row in rows.items() if name in wanted}, cells)
    print(f"{done} cells played, {len(wanted & rows.keys())} of {len(wanted)} there")


def percent(row: Row, name: str) -> str:
    """In percent, with enough digits to tell a small rate from none."""
    if not row[name]:
        return ""
    value, low, high = (100 * float(row[part]) for part in (name, f"{name}_low", f"{name}_high"))
    digits = 1 if high >= 5 or name == "first_seat" else 2 if high >= 0.1 else 3
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def number(row: Row, name: str) -> str:
    return f"{float(row[name]):.3g} ({float(row[f'{name}_low']):.3g} to {float(row[f'{name}_high']):.3g})"


def page() -> str:
    cells, rows = list(read_spec(SPEC).cells), kept()
    seconds = sum(float(row["seconds"]) for row in rows.values())
    dates = sorted({row["played"] for row in rows.values()})
    lines = ["# The almanac", "", "<!-- Made by `make almanac`; change docs/almanac.toml instead. -->", ""]
    lines += [WHAT]
    if rows:
        lines += ["", f"Played on {' and '.join(dates)}: {len(rows)} of {len(cells)} cells, {seconds:.0f} s of play."]
    lines += [
        "",
        "Wins are of the first side in percent (the team, the first seat, the player), all seats playing alike.",
    ]
    lines += [
        "Behind every number its 95% interval. Who plays: [what difficulty means](explanation/difficulty.md).",
        "",
    ]
    for game in game_names():
        own = [rows[key(cell)] for cell in cells if key(cell) in rows and key(cell)[0] == game]
        if own:
            picture = [f"![Wins at every table of {load(game).title}](almanac/{game}.svg)", ""]
            lines += [f"## {load(game).title}", "", *picture, *game_table(own, load(game).turns), ""]
    return "\n".join([*lines, *missing(cells, rows)])


def game_table(rows: list[Row], turns: str) -> Iterator[str]:
    versus = any(row["first_seat"] for row in rows)
    head = [
        "players",
        "variant",
        "who plays",
        "wins, %",
        *(["first seat's excess, points", "draws, %"] if versus else []),
    ]
    head += ["score", turns, "games", "digest"]
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" for _ in head) + " |"
    for row in rows:
        more = [percent(row, "first_seat"), percent(row, "draws")] if versus else []
        length = f"{float(row['turns']):.3g}" if row["turns"] else ""
        open_deals = f", {100 * float(row['unresolved']):.1f}% unresolved" if row["unresolved"] else ""
        parts = [row["players"], row["variant"], row["strategy"], percent(row, "win") + open_deals, *more]
        yield (
            "| "
            + " | ".join([*parts, number(row, "score"), length, f"{int(row['games']):,}", f"`{row['digest']}`"])
            + " |"
        )


def draw() -> None:
    """A figure a game: wins of the first side at every table, for every kind of player, with intervals."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams["svg.hashsalt"] = "almanac"  # the same file for the same numbers
    import matplotlib.pyplot as plt

    for game in game_names():
        own = [row for row in kept().values() if row["game"] == game]
        tables = list(dict.fromkeys((row["players"], row["variant"]) for row in own))
        if not own:
            continue
        figure, axes = plt.subplots(figsize=(7, 1.2 + 0.3 * len(tables)), layout="constrained")
        for shift, (strategy, colour) in enumerate(COLOURS.items()):
            rows = [row for row in own if row["strategy"] == strategy]
            if not rows:
                continue
            places = [tables.index((row["players"], row["variant"])) + 0.18 * (shift - 1) for row in rows]
            wins, low, high = ([100 * float(row[name]) for row in rows] for name in ("win", "win_low", "win_high"))
            errors = [[w - a for w, a in zip(wins, low, strict=True)], [b - w for w, b in zip(wins, high, strict=True)]]
            axes.errorbar(wins, places, xerr=errors, fmt="o", ms=4, color=colour, label=strategy)
        axes.set_yticks(range(len(tables)), [f"{players} players, {variant}" for players, variant in tables])
        axes.invert_yaxis()
        axes.set_xlim(left=0)
        axes.set_xlabel("wins of the first side, %, with 95% intervals")
        axes.set_title(f"{load(game).title}: docs/almanac.toml", loc="left", fontsize=10)
        axes.grid(axis="x", color="#dddddd")
        axes.legend(fontsize=8, frameon=False)
        figure.savefig(FOLDER / f"{game}.svg", metadata={"Date": None})
        plt.close(figure)


def missing(cells: list[Cell], rows: dict[tuple[str, ...], Row]) -> list[str]:
    """What the almanac does not have."""
    lines = ["## What is missing", ""]
    lines += ["- Search (`flat:50`, `ismcts:400`) and the shares of skill and luck: no cell is played yet."]
    lines += ["- A bound to 0.1 points where it has fewer than 200,000 deals; the games of every row are said."]
    left = [" ".join(key(cell)) for cell in cells if key(cell) not in rows]
    fewer = [" ".join(key(cell)) for cell in cells if key(cell) in rows and rows[key(cell)]["games"] != str(cell.games)]
    lines += [f"- Not played yet: {', '.join(left)}."] if left else []
    lines += [f"- Played with other counts than docs/almanac.toml asks for: {', '.join(fewer)}."] if fewer else []
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays what the almanac lacks and writes its page.")
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--page", action="store_true")
    asked: Any = parser.parse_args()
    if not asked.page:
        play(asked.minutes)
    draw()
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
