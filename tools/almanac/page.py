"""The page of the almanac, from the rows in docs/data/almanac."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houle.analysis.studies.cell import Cell
from houle.solver.rules import game_names, load
from tools.almanac.cells import (
    DOCS,
    Key,
    all_cells,
    earlier_rules,
    kept,
    key,
    shown_strategy,
)
from tools.almanac.findings import COUNTS, FINDINGS, findings
from tools.rows import Row, table

PAGE = DOCS / "method" / "almanac.md"

WHAT = """\
What players win in every game, every printed variant and with every number of players. To our knowledge these are the
first published figures for these games. First what a designer should know of each game, then all numbers. A number in
brackets is a 95% interval. *Families* are simulated people who know the game, slip now and then and think a little
([levels of people](levels.md), [tested on real people](people.md))."""

HOW_TO_READ = """\
The players are random play, a family, seasoned people, the best search of the game (`expert`), and an exact solver that
sees all cards (`clairvoyant`), which bounds what anybody can win ([what difficulty means](difficulty.md)). Wins are
those of the first side in percent (the team, the first seat or the player) when all players play alike. The excess is
how much more than a fair share the first side wins, where sides of one size compete. `docs/data/almanac/GAME.csv` has
the command, the seed and the digest of every row."""


def page() -> str:
    cells, rows = all_cells(), kept()
    made = "<!-- Written by `make almanac`: change docs/data/almanac.toml instead. -->"
    lines = ["# The almanac", "", made, "", WHAT, ""]
    lines += [f"## Up to {COUNTS[FINDINGS]} findings for each game", ""]
    by_game = {
        game: [rows[key(cell)] for cell in cells if key(cell) in rows and key(cell)[0] == game] for game in game_names()
    }
    for game, own in by_game.items():
        if own:
            lines += [f"### {load(game).title}", "", *findings(game), "", *earlier_rules(game, own)]
    lines += ["## How to read the tables", "", HOW_TO_READ]
    lines += [""]
    lines += [*running_time(cells, rows), ""]
    for game, own in by_game.items():
        if own:
            title = load(game).title
            lines += [f"## {title}: all setups", "", *earlier_rules(game, own)]
            lines += [*game_table(by_setup(own), load(game).turns), ""]
    return "\n".join([*lines, *missing(cells, rows)])


def running_time(cells: Sequence[Cell], rows: dict[Key, Row]) -> list[str]:
    """When, on what and for how long it was played."""
    if not rows:
        return []
    dates = sorted({row["played"] for row in rows.values()})
    seconds = sum(float(row["seconds"]) for row in rows.values())
    have = f"{sum(key(cell) in rows for cell in cells)} of {len(cells)} cells"
    every = [row["version"] for row in rows.values()]
    by_version = ", ".join(f"{every.count(one)} of {one}" for one in sorted(set(every)))
    return [
        f"Played on {' and '.join(dates)}: {have}; {seconds:,.0f} s on one to eight cores.",
        f"Rows by version of houle: {by_version}.",
    ]


def by_setup(rows: list[Row]) -> list[Row]:
    """Rows grouped by setup."""
    order = list(dict.fromkeys((row["players"], row["variant"]) for row in rows))
    return sorted(rows, key=lambda row: order.index((row["players"], row["variant"])))


def percent(row: Row, name: str) -> str:
    """In percent, with more digits for small rates."""
    if not row[name]:
        return ""
    value, low, high = (100 * float(row[part]) for part in (name, f"{name}_low", f"{name}_high"))
    digits = 1 if high >= 5 or name == "first_seat" else 2 if high >= 0.1 else 3
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def number(row: Row, name: str) -> str:
    return f"{float(row[name]):.3g} ({float(row[f'{name}_low']):.3g} to {float(row[f'{name}_high']):.3g})"


def game_table(rows: list[Row], turns: str) -> list[str]:
    versus = any(row["first_seat"] for row in rows)
    more = ["first side's excess, points", "draws, %"] if versus else []
    head = ["players", "variant", "who plays", "wins, %", *more, "score", turns, "games", "played", "digest"]

    def parts(row: Row) -> Iterator[str]:
        open_deals = f", {100 * float(row['unresolved']):.2f}% unresolved" if row["unresolved"] else ""
        yield from (row["players"], row["variant"], shown_strategy(row["strategy"]), percent(row, "win") + open_deals)
        yield from (percent(row, "first_seat"), percent(row, "draws")) if versus else ()
        yield number(row, "score")
        yield f"{float(row['turns']):.3g}" if row["turns"] else ""
        yield from (f"{int(row['games']):,}", f"{row['version']}, {row['played']}", f"`{row['digest']}`")

    return table(head, map(parts, rows))


def missing(cells: Sequence[Cell], rows: dict[Key, Row]) -> list[str]:
    """What the almanac lacks, or has from other counts of games."""
    left = [f"{' '.join(key(cell)[:3])} {shown_strategy(key(cell)[3])}" for cell in cells if key(cell) not in rows]
    there = [cell for cell in cells if key(cell) in rows]
    fewer = [" ".join(key(cell)) for cell in there if rows[key(cell)]["games"] != str(cell.games)]
    lines = [f"- Not played yet: {', '.join(left)}."] if left else []
    lines += [f"- Played with other counts than in docs/data/almanac.toml: {', '.join(fewer)}."] if fewer else []
    return ["## What is missing", "", *lines, ""] if lines else []
