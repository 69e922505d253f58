"""The page and the figures of the almanac, from the rows in docs/data/almanac."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houle.analysis.studies.cell import Cell
from houle.solver.rules import game_names, load
from tools import labels
from tools.almanac.cells import (
    DOCS,
    FOLDER,
    NO_DIGEST,
    Key,
    all_cells,
    earlier_rules,
    is_bound,
    kept,
    key,
    shown_digest,
    shown_strategy,
)
from tools.almanac.findings import COUNTS, FINDINGS, findings
from tools.rows import Row

PAGE = DOCS / "method" / "almanac.md"
FINE = 0.1  # wanted half width of an interval of the bound, in points

# Colours for the colour-blind (Okabe and Ito).
COLOURS = {
    "random": "#999999", "family": "#e69f00", "seasoned": "#0072b2", "expert": "#d55e00", "clairvoyant": "#009e73",
}  # fmt: skip

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
            lines += labels.beside_print(game)
    lines += ["## How to read the tables", "", HOW_TO_READ]
    lines += [*([NO_DIGEST] if any(not row["digest"] for row in rows.values()) else []), ""]
    lines += [*running_time(cells, rows), ""]
    for game, own in by_game.items():
        if own:
            title = load(game).title
            lines += [f"## {title}: all setups", "", *earlier_rules(game, own)]
            lines += [f"![Wins in every setup of {title}](../data/almanac/{game}.svg)", ""]
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


def table_lines(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "| " + " | ".join("---" for _ in names) + " |"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def game_table(rows: list[Row], turns: str) -> Iterator[str]:
    versus = any(row["first_seat"] for row in rows)
    more = ["first side's excess, points", "draws, %"] if versus else []
    head = ["players", "variant", "who plays", "wins, %", *more, "score", turns, "games", "played", "digest"]

    def parts(row: Row) -> Iterator[str]:
        open_deals = f", {100 * float(row['unresolved']):.2f}% unresolved" if row["unresolved"] else ""
        yield from (row["players"], row["variant"], shown_strategy(row["strategy"]), percent(row, "win") + open_deals)
        yield from (percent(row, "first_seat"), percent(row, "draws")) if versus else ()
        yield number(row, "score")
        yield f"{float(row['turns']):.3g}" if row["turns"] else ""
        yield from (f"{int(row['games']):,}", f"{row['version']}, {row['played']}", shown_digest(row))

    return table_lines(head, map(parts, rows))


def half_width(row: Row) -> float:
    return 50 * (float(row["win_high"]) - float(row["win_low"]))


def missing(cells: Sequence[Cell], rows: dict[Key, Row]) -> list[str]:
    """What the almanac lacks, or does not know as precisely as wanted."""
    lines = ["## What is missing", ""]
    left = [f"{' '.join(key(cell)[:3])} {shown_strategy(key(cell)[3])}" for cell in cells if key(cell) not in rows]
    lines += [f"- Not played yet: {', '.join(left)}."] if left else []
    there = [cell for cell in cells if key(cell) in rows]
    fewer = [" ".join(key(cell)) for cell in there if rows[key(cell)]["games"] != str(cell.games)]
    lines += [f"- Played with other counts than in docs/data/almanac.toml: {', '.join(fewer)}."] if fewer else []
    bounds = [rows[key(cell)] for cell in there if is_bound(cell.strategies[0])]
    coarse = [f"{title(row)} {half_width(row):.2g}" for row in bounds if half_width(row) > 1.2 * FINE]
    lines += [f"- Known less precisely than ±{FINE:g} points, bound: {', '.join(coarse)}."] if coarse else []
    return [*lines, ""] if len(lines) > 2 else []


def title(row: Row) -> str:
    return " ".join((row["game"], row["players"], row["variant"], shown_strategy(row["strategy"])))


def draw() -> None:
    """Draws one figure for each game: wins of the first side by setup and player, with intervals."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams["svg.hashsalt"] = "almanac"  # the same numbers give the same file
    import matplotlib.pyplot as plt

    for game in game_names():
        own = [row for row in kept().values() if row["game"] == game]
        places = list(dict.fromkeys((row["players"], row["variant"]) for row in own))
        if not own:
            continue
        figure, axes = plt.subplots(figsize=(7, 1.2 + 0.36 * len(places)), layout="constrained")
        for shift, (strategy, colour) in enumerate(COLOURS.items()):
            rows = [row for row in own if strategy == shown_strategy(row["strategy"])]
            if not rows:
                continue
            heights = [places.index((row["players"], row["variant"])) + 0.13 * (shift - 2) for row in rows]
            wins, low, high = ([100 * float(row[name]) for row in rows] for name in ("win", "win_low", "win_high"))
            errors = [[w - a for w, a in zip(wins, low, strict=True)], [b - w for w, b in zip(wins, high, strict=True)]]
            axes.errorbar(wins, heights, xerr=errors, fmt="o", ms=3.5, color=colour, label=strategy)
        axes.set_yticks(range(len(places)), [f"{players} players, {variant}" for players, variant in places])
        axes.invert_yaxis()
        axes.set_xlim(left=0)
        axes.set_xlabel("wins of the first side, %, with 95% intervals")
        axes.set_title(f"{load(game).title}: docs/data/almanac.toml", loc="left", fontsize=10)
        axes.grid(axis="x", color="#dddddd")
        axes.legend(fontsize=8, frameon=False)
        figure.savefig(FOLDER / f"{game}.svg", metadata={"Date": None})
        plt.close(figure)
