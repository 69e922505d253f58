"""`houle compare`: what a change of rules, table or strategy does, on the same games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import fewer_option
from houle.solver.errors import InputError
from houle.solver.ruleset import variant_name

if TYPE_CHECKING:
    from houle import Comparison, Sweep
    from houle.analysis.comparison.compare import Row
    from houle.analysis.comparison.planning import Planned
    from houle.analysis.sampling.grid import Grid

SHORT_NAME = 32  # columns of an arm's name that is never broken
CAN_SHOW = "can show: the smallest difference that as many games show 4 times in 5"
DECIDED = (
    "decided  by two sequential tests: no difference is called one in 5% of all runs at most, one of the margin is "
    "called smaller in 5%; the intervals hold at such a stop"
)

measure_option = click.option(
    "--measure", multiple=True, metavar="NAME", help="What to compare or show: win, score, length, draws ..."
)

margin_option = click.option(
    "--margin", multiple=True, metavar="[NAME=]X",
    help="Smallest difference that matters: 0.5 (points, of every rate), win=0.5%, score=0.1.",
)  # fmt: skip


@analysis_command(
    least=2,
    strategies="Who decides; every -s is a table of its own. The thumb by default (houle players GAME).",
    first=True,
    dry_run=True,
)
@measure_option
@margin_option
@click.option(
    "--until-decided", is_flag=True,
    help="Play until every difference has a known sign or is known to be below its margin; -n is then the most.",
)  # fmt: skip
@fewer_option
def compare(
    call: Call, measure: tuple[str, ...], margin: tuple[str, ...], until_decided: bool, search_games: int | None
) -> None:
    """Compare arms of GAME with the first of them, on the same games.

    Every repeated -v, -p, -s, --rules and every value of --set KEY=A,B is an arm; several of them combine. The first
    arm is what the others are compared with. Games are paired, so that the luck of the deal cancels; other numbers of
    players play games of their own. `-v base` and `--rules base` are the printed rules.

    \b
    Examples:
      houle compare wave -v base -v virage -v tide-colours
      houle compare wave --set hand.back=2,3 --measure score
      houle compare wave -v base -v tide-colours --measure win --until-decided --margin 0.5
      houle compare wave --rules base --rules my.toml -s thumb -n 1e6
      houle compare vague-verte -p 3 --set attack_last_square=false,true
    """
    grid = call.grid(strict=True)
    points, margins = parse_margins(margin)
    games = call.games if call.given("games") or not until_decided else None
    if call.dry_run:
        click.echo("\n".join(plan(call, grid, names_of(measure), search_games)))
        return
    result = call.play(
        houle.compare, grid, strategies=None, games=games, first=call.first, measures=names_of(measure),
        margins=margins, margin=points, until_decided=until_decided, search_games=search_games,
        total=call.games * len(grid.arms),
    )  # fmt: skip
    call.tell(result, page(result), head(result), result.repeat(call.asked.grid_words(grid.line_ups)))


def names_of(texts: tuple[str, ...]) -> list[str]:
    """Names as typed: repeated, or with commas between."""
    return [name.strip() for text in texts for name in text.split(",")]


def parse_margins(texts: tuple[str, ...]) -> tuple[float | None, dict[str, float]]:
    """`0.5` -> points of every rate; `win=0.5%` -> 0.005, where a rate may be written as a share, too."""
    points, found = None, {}
    for pair in texts:
        name, named, value = (part.strip() for part in pair.partition("="))
        try:
            if named:
                found[name] = float(value[:-1]) / 100 if value.endswith("%") else float(value)
            else:
                points = float(name.removesuffix("%"))
        except ValueError:
            raise InputError(f"--margin: {pair!r} is not allowed; write 0.5, win=0.5% or score=0.1") from None
    return points, found


def plan(call: Call, grid: Grid, measures: list[str], search_games: int | None) -> list[str]:
    """Games, time and what they can show, from a few games of every arm."""
    from houle.analysis.comparison.planning import games_of
    from houle.analysis.sampling.timing import time_needed

    parts = games_of(grid.arms, call.games, search_games)
    needed = text.needed(time_needed(parts, call.seed, call.threads))
    return [f"{text.plural(len(grid.arms), 'arm')}, {needed}", *shown_by(call, [grid], measures, search_games)]


def shown_by(
    call: Call, grids: list[Grid], measures: list[str], search_games: int | None = None, pairs: bool = True
) -> list[str]:
    """The smallest differences that so many games can show, a line a measure."""
    from houle.analysis.comparison.planning import plan_differences

    spans: dict[str, list[Planned]] = {}
    for grid in grids:
        for part in plan_differences(grid.arms, call.games, call.seed, measures, search_games, pairs):
            spans.setdefault(part.name, []).append(part)
    lines = []
    for name, parts in spans.items():
        ends = min(part.least for part in parts), max(part.greatest for part in parts)
        span = text.span_of(*ends, parts[0].percent)
        lines.append(f"{name}: from {span} on a difference would be shown, 4 times in 5")
    return lines


def head(result: Comparison) -> list[str]:
    """How users' own arms differ from print, what all arms share, and how many games."""
    return [
        *text.grid_differences(result.grid),
        common_line(result),
        f"{games_line(result)}, seed {result.seed}, 95% intervals",
    ]


def games_line(result: Comparison | Sweep, what: str = "arm") -> str:
    """How many games of each arm, and whether that is enough where they were played until it is."""
    counts = sorted({result.played.tally(arm).games for arm in range(len(result.arms))})
    number = text.plural(counts[-1], "game") if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} games"
    if result.until is None:
        return f"{number} of each {what}"
    return f"{number} of each {what}, {'until all was decided' if result.until.reached else 'not all is decided'}"


def common_line(result: Comparison) -> str:
    """What all arms share."""
    arms = result.arms
    words = [result.setup.ruleset.title]
    if len({arm.setup.players for arm in arms}) == 1:
        words.append(text.plural(result.setup.players, "player"))
    names = {variant_name(arm.setup) for arm in arms}
    if len(names) == 1:
        words.append(min(names))
    elif len({arm.setup.variants for arm in arms}) == 1 and result.setup.variants:
        words.append(" + ".join(result.setup.variants))
    if len(result.grid.line_ups) == 1:
        words.append(text.deciders(result.strategies))
    return ", ".join(words)


def page(result: Comparison) -> list[str]:
    """A table for every measure, and what must be known to read it."""
    lines: list[str] = []
    for measure in result.measures:
        lines += [*table([row for row in result.rows if row.measure == measure]), ""]
    lines.append(CAN_SHOW)
    if result.differences > 1:
        lines.append(text.paragraph(together(result), 0, 9))
    if result.until:
        lines.append(text.paragraph(DECIDED, 0, 9))
    if result.unpaired:
        others = ", ".join(arm.label for arm in result.unpaired)
        why = f"another number of players than {result.arms[0].label} is another deal"
        lines.append(text.paragraph(f"unpaired {others}: {why}; these intervals are for independent games", 0, 9))
    return [*lines, *text.finding_lines(result.findings)]


def together(result: Comparison) -> str:
    """Which differences are certain beside all the others: one in twenty of them looks so by chance alone."""
    arms = {row.number: row.arm.label for row in result.rows}
    sure = [f"{arms[number]} ({measure})" for number, measure in sorted(result.standing)]
    said = "; ".join(sure) if sure else "none"
    return f"certain  beside all {result.differences} differences of this page together (Holm): {said}"


def table(rows: list[Row]) -> list[str]:
    """Every arm, and below it what the pairs were worth."""
    lines, utility, changed, odds, percent = [], [], [], [], rows[0].percent
    for row in rows:
        found = row.difference
        difference = text.shown(found.interval, percent).replace("%", "", 1) if found else ""
        verdict = row.verdict.text if row.verdict else "the others beside it"
        smallest = text.amount(row.detectable, percent) if row.detectable is not None else ""
        lines.append([row.arm.label, text.shown(row.value, percent), difference, smallest, verdict])
        if found and found.changed is not None:
            changed.append(f"{row.arm.label} {found.changed:,} of {text.plural(found.interval.n, 'game')}")
        if found and found.odds is not None:
            odds.append(f"{row.arm.label} {text.shown(found.odds)}")
        if found and found.variance_ratio is not None and found.games_saved is not None:
            saved = f", {found.games_saved:,} games saved" if found.games_saved > 0 else ""
            utility.append(f"{row.arm.label} {found.variance_ratio:.2f}{saved}")
    heads = [rows[0].name, "estimate", "difference" + (", points" if percent else ""), "can show", "verdict"]
    # Short names stay whole.
    flexible = (4,) if max(len(line[0]) for line in lines) <= SHORT_NAME else (0, 4)
    notes = {
        "games that came out otherwise": changed,
        "ratio of the odds": odds,
        "the same deals for all are worth": utility,
    }
    told = [text.paragraph(f"{what}: {'; '.join(some)}", 0, 2) for what, some in notes.items() if some]
    return [text.columns(heads, lines, flexible=flexible), *told]
