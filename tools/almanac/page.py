"""The almanac's page and figures, made of the rows in docs/almanac and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot
from statistics import NormalDist

from almanac_cells import DOCS, FOLDER, Key, Row, all_cells, is_bound, kept, key, read_rows, searches
from almanac_skill import read_skill, tables

from houle.analysis.studies.cells import Cell
from houle.solver.ruleset import game_names, load
from houle.solver.strategies.names import parse

PAGE, RELEASE = DOCS / "almanac.md", FOLDER / "release.csv"
RELEASE_COLUMNS = (
    "release", "game", "players", "variant", "strategy", "win", "win_low", "win_high", "games", "seed", "digest",
)  # fmt: skip
FINE = {"bound": 0.1, "search": 1.0}  # percentage points that are wanted, half the width of an interval

# Colours that most people who confuse colours can tell apart (Okabe and Ito).
COLOURS = {
    "random": "#999999", "novice": "#e69f00", "thumb": "#0072b2", "flat:50": "#cc79a7", "flat:200": "#d55e00",
    "clairvoyant": "#009e73",
}  # fmt: skip

WHAT = """\
Every game, every printed variant, every number of players: by players that do not search, by search, and the bound of
an exact solver with open cards where there is one. To our knowledge these are the first published figures for these
games. Each row can be had again: command, seed and digest stand in `docs/almanac/GAME.csv`, and the device that played
it. What a graphics card played has the digest that any machine gives it; its first and last games were played again on
a CPU, with the same result to the last integer."""

HOW_TO_READ = """\
Wins are of the first side in percent (the team, the first seat, the player), all seats playing alike. Its excess is
over an equal share, where sides of one size compete: what being the first is worth. Behind every number its 95%
interval. Who plays: [what difficulty means](explanation/difficulty.md)."""

SKILL = """\
`houle skill`; commands and digests are in `docs/almanac/skill.csv`. *Better play*: how far one thumb among players at
random (where all are one side: a table of thumbs) comes from winning as often as they do, 0, to winning always, 100.
*In the deal*: the part of who wins that two different players, equally strong, have in common on the same deals, from
the pair with the least to the pair with the most; empty where it is not known to 15 points. *Player, seat, deal, rest*:
what decides who wins, in percent of the variance, with one thumb among novices at every seat in turn and every deal
played four times; where all are one side, among thumbs, and there is only the deal and the rest."""


def page() -> str:
    cells, rows, skills = all_cells(), kept(), read_skill()
    lines = ["# The almanac", "", "<!-- Made by `make almanac`; change docs/almanac.toml instead. -->", "", WHAT, ""]
    lines += [*running_time(cells, rows, skills), ""]
    lines += [HOW_TO_READ, ""]
    for game in game_names():
        own = [rows[key(cell)] for cell in cells if key(cell) in rows and key(cell)[0] == game]
        if own:
            picture = [f"![Wins at every table of {load(game).title}](almanac/{game}.svg)", ""]
            lines += [f"## {load(game).title}", "", *picture, *game_table(by_table(own), load(game).turns), ""]
    if skills:
        lines += ["## Skill and luck", "", SKILL, "", *skill_table(skills), ""]
    return "\n".join([*lines, *since_release(rows), *missing(cells, rows, skills)])


def running_time(cells: list[Cell], rows: dict[Key, Row], skills: dict[Key, Row]) -> list[str]:
    """When, on what and for how long it was played."""
    if not rows:
        return []
    dates = sorted({row["played"] for row in (*rows.values(), *skills.values())})
    seconds: dict[str, float] = {}
    for row in rows.values():
        seconds[row["device"]] = seconds.get(row["device"], 0.0) + float(row["seconds"])
    seconds["cpu"] = seconds.get("cpu", 0.0) + sum(float(row["seconds"]) for row in skills.values())
    told = " and ".join(
        f"{number:.0f} s on {'two shared cores' if device == 'cpu' else device}" for device, number in seconds.items()
    )
    have = sum(key(cell) in rows for cell in cells)
    return [
        f"Played on {' and '.join(dates)}: {have} of {len(cells)} cells and the skill of {len(skills)} tables, {told}."
    ]


def by_table(rows: list[Row]) -> list[Row]:
    """Rows of a table together, in the order in which tables first come."""
    order = list(dict.fromkeys((row["players"], row["variant"]) for row in rows))
    return sorted(rows, key=lambda row: order.index((row["players"], row["variant"])))


def percent(row: Row, name: str) -> str:
    """In percent, with enough digits to tell a small rate from none."""
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
    head = ["players", "variant", "who plays", "wins, %", *more, "score", turns, "games", "digest"]

    def parts(row: Row) -> Iterator[str]:
        open_deals = f", {100 * float(row['unresolved']):.2f}% unresolved" if row["unresolved"] else ""
        yield from (row["players"], row["variant"], row["strategy"], percent(row, "win") + open_deals)
        yield from (percent(row, "first_seat"), percent(row, "draws")) if versus else ()
        yield number(row, "score")
        yield f"{float(row['turns']):.3g}" if row["turns"] else ""
        yield from (f"{int(row['games']):,}", f"`{row['digest']}`")

    return table_lines(head, map(parts, rows))


def skill_table(skills: dict[Key, Row]) -> Iterator[str]:
    head = ("game", "players", "variant", "better play", "in the deal, %", "player", "seat", "deal", "rest")
    head = (*head, "deals", "digest")

    def short(row: Row, name: str) -> str:
        """Whole percents; nothing where there is nothing to divide: one side, so neither its player nor its seat."""
        certain = row[f"{name}_low"] == row[f"{name}_high"]
        return "" if not row[name] or certain else str(round(100 * float(row[name])))

    def parts(row: Row) -> Iterator[str]:
        low, high = short(row, "least"), short(row, "most")
        yield from (load(row["game"]).title, row["players"], row["variant"], percent(row, "gap"))
        yield low if low == high else f"{low} to {high}"
        yield from (short(row, name) for name in ("player", "seat", "deal", "rest"))
        yield from (row["deals"], f"`{row['digest']}`")

    return table_lines(head, map(parts, skills.values()))


def since_release(rows: dict[Key, Row]) -> list[str]:
    """What differs from the last release: wins that changed by more than chance does, beside all other cells."""
    before = read_rows([RELEASE]) if RELEASE.exists() else {}
    both = [place for place in rows if place in before]
    if not both:
        return []
    release = next(iter(before.values()))["release"]
    same = {place for place in both if rows[place]["digest"] == before[place]["digest"]}
    others = [place for place in both if place not in same]
    changed = [(place, told) for place in others if (told := difference(rows[place], before[place], len(others)))]
    lines = [f"## Since {release}", ""]
    lines += [
        f"The same cells as {release} plays them (`docs/almanac/release.csv`): {len(both)} of {len(rows)} are there,"
        f" {len(same)} have the same digest; of the other {len(others)} {len(changed) or 'none'} differ in wins by more"
        " than chance does, all looked at together (Bonferroni).",
        "",
    ]
    head = ("game", "players", "variant", "who plays", release, "now", "difference, points")
    listed = [(load(place[0]).title, *place[1:], *told) for place, told in changed]
    return [*lines, *([*table_lines(head, listed), ""] if listed else [])]


def difference(now: Row, before: Row, tests: int = 1) -> tuple[str, str, str] | None:
    """Before, now and the difference in points (Newcombe's interval from both); None where it may be chance.

    `tests` differences are looked at together; the interval that is told is of this one alone.
    """
    new, old = ([100 * float(row[name]) for name in ("win", "win_low", "win_high")] for row in (now, before))
    gap = new[0] - old[0]
    below, above = hypot(new[0] - new[1], old[2] - old[0]), hypot(new[2] - new[0], old[0] - old[1])
    wider = NormalDist().inv_cdf(1 - 0.025 / tests) / NormalDist().inv_cdf(0.975)
    if gap - wider * below <= 0 <= gap + wider * above:
        return None
    return percent(before, "win"), percent(now, "win"), f"{gap:+.1f} ({gap - below:+.1f} to {gap + above:+.1f})"


def half_width(row: Row) -> float:
    return 50 * (float(row["win_high"]) - float(row["win_low"]))


def missing(cells: list[Cell], rows: dict[Key, Row], skills: dict[Key, Row]) -> list[str]:
    """What the almanac does not have, or not as finely as it is wanted."""
    lines = ["## What is missing", ""]
    left = [" ".join(key(cell)) for cell in cells if key(cell) not in rows]
    lines += [f"- Not played yet: {', '.join(left)}."] if left else []
    there = [cell for cell in cells if key(cell) in rows]
    fewer = [" ".join(key(cell)) for cell in there if rows[key(cell)]["games"] != str(cell.games)]
    lines += [f"- Played with other counts than docs/almanac.toml asks for: {', '.join(fewer)}."] if fewer else []
    for kind, wanted in FINE.items():
        own = [rows[key(cell)] for cell in there if kind_of(cell) == kind]
        coarse = [f"{told(row)} {half_width(row):.2g}" for row in own if half_width(row) > 1.2 * wanted]
        lines += [f"- Known less finely than +-{wanted:g} (points), {kind}: {', '.join(coarse)}."] if coarse else []
    without = [" ".join(place) for place in tables() if place not in skills]
    lines += [f"- Skill and luck: {', '.join(without)}."] if without else []
    return [*lines, ""] if len(lines) > 2 else []


def kind_of(cell: Cell) -> str:
    strategy = cell.strategies[0]
    return "bound" if is_bound(strategy) else "search" if searches(strategy) else ""


def told(row: Row) -> str:
    return " ".join((row["game"], row["players"], row["variant"], row["strategy"]))


def draw() -> None:
    """A figure a game: wins of the first side at every table, for every kind of player, with intervals."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams["svg.hashsalt"] = "almanac"  # the same file for the same numbers
    import matplotlib.pyplot as plt

    for game in game_names():
        own = [row for row in kept().values() if row["game"] == game]
        places = list(dict.fromkeys((row["players"], row["variant"]) for row in own))
        if not own:
            continue
        figure, axes = plt.subplots(figsize=(7, 1.2 + 0.36 * len(places)), layout="constrained")
        for shift, (strategy, colour) in enumerate(COLOURS.items()):
            rows = [row for row in own if strategy in (row["strategy"], parse(row["strategy"]).name)]
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
        axes.set_title(f"{load(game).title}: docs/almanac.toml", loc="left", fontsize=10)
        axes.grid(axis="x", color="#dddddd")
        axes.legend(fontsize=8, frameon=False)
        figure.savefig(FOLDER / f"{game}.svg", metadata={"Date": None})
        plt.close(figure)
