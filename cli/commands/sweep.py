"""`houle sweep`: a grid of settings, which of them are as hard as wanted, and how long it will take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.cli.commands.assumptions import assumptions
from houle.cli.commands.compare import (
    CAN_SHOW,
    games_line,
    margin_option,
    measure_option,
    names_of,
    parse_margins,
    shown_by,
)
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import fewer_option

if TYPE_CHECKING:
    from houle import Sweep
    from houle.analysis.comparison.sweep import CellOfSweep
    from houle.analysis.sampling.grid import Grid

MOST_LINES = 60  # of a table on the screen
FEW_MEASURES = 2  # that leave room for what the games can show
DECIDED = (
    "decided  by two sequential tests at every edge of a target: a cell at the edge is called in or out in 5% of all "
    "runs at most; perhaps is what lies nearer to an edge than the margin; the intervals hold at such a stop"
)


@analysis_command(
    strategies="Who decides; every -s is a table of its own. The thumb by default (houle players GAME).",
    first=True,
    dry_run=True,
)
@measure_option
@click.option(
    "--target", multiple=True, metavar="NAME=VALUE|LOW..HIGH[@PLAYER]",
    help="List the settings in a range: win=35%..45%; win=40%@thumb is about 40% for thumbs.",
)  # fmt: skip
@click.option(
    "--until-decided", is_flag=True,
    help="Play until every cell is known to hit the targets, to miss one, or to lie at an edge; -n is then the most.",
)  # fmt: skip
@margin_option
@fewer_option
@click.option("--assumed", is_flag=True, help="Turn every rule that the rulebook does not settle, and rank them.")
@click.option(
    "--confirm/--no-confirm", default=True, show_default=True,
    help="Play what was picked again on as many fresh games: the cell that fits --target best, the first of --assumed.",
)  # fmt: skip
@click.option("--plot", type=click.Choice(["line", "heat"]), help="Kind of figure; chosen by the grid otherwise.")
def sweep(
    call: Call,
    measure: tuple[str, ...],
    target: tuple[str, ...],
    until_decided: bool,
    margin: tuple[str, ...],
    search_games: int | None,
    assumed: bool,
    confirm: bool,
    plot: str | None,
) -> None:
    """Play every combination of settings of GAME.

    Repeated -v, -p, -s and --rules, and every value of --set KEY=A,B or KEY=LOW..HIGH, make an axis of the grid.
    --target lists the combinations whose interval lies inside, or overlaps, a range, then the others, nearest first; a
    single value is 2 points more or less for a rate, else 2% of it. --assumed turns every rule that the rulebook does
    not settle instead, and ranks them by what they change.

    \b
    Examples:
      houle sweep wave --set hand.back=0..4 --set talk=silent,advice,open -p 2 -p 3 -p 4
      houle sweep wave --set hand.back=0..4 -s thumb --target win=35%..45% --figure hands.png
      houle sweep wave --set hand.back=0..4 -s novice -s thumb --target win=40@novice
      houle sweep wave --set hand.back=0..4 --target win=35%..45% --until-decided --margin 0.5
      houle sweep vague-verte --set road=5..9 -p 2 -p 4 --measure length --dry-run
      houle assumptions wave  -p 3 -s thumb
    """
    from houle.analysis.comparison.sweep import check_sweep
    from houle.analysis.comparison.targets import parse_target

    measures = names_of(measure)
    if assumed:
        if target or plot:
            raise click.UsageError("--assumed: not possible together with --target or --plot")
        if until_decided or margin or search_games is not None:
            raise click.UsageError("--assumed: not possible together with --until-decided, --margin or --search-games")
        assumptions(call, measures, confirm)
        return
    grid = call.grid(strict=False)
    check_sweep(grid, measures, [parse_target(wanted, "--target") for wanted in target])
    if len(grid.arms) + len(grid.left_out) == 1:
        several = "--set KEY=A,B or KEY=LOW..HIGH, or several -p, -v, -s or --rules"
        raise click.UsageError(f"a sweep needs something to vary: {several}; one table is for houle simulate")
    points, margins = parse_margins(margin)
    if until_decided and not target:
        raise click.UsageError("--until-decided: nothing is to be decided; give --target")
    if call.dry_run:
        click.echo("\n".join(plan(call, grid, measures, search_games)))
        return
    result = call.play(
        houle.sweep, grid, strategies=None, first=call.first, measures=measures, targets=target,
        games=call.games if call.given("games") or not until_decided else None, until_decided=until_decided,
        margin=points, margins=margins, search_games=search_games, confirm=confirm,
        total=call.games * (len(grid.arms) + bool(confirm and target)),
    )  # fmt: skip
    again = result.repeat(call.asked.grid_words(grid.line_ups))
    call.tell(result, page(result), head(result), again, lambda path: result.plot(path, plot))


def plan(call: Call, grid: Grid, measures: list[str], search_games: int | None) -> list[str]:
    """Cells, games, time and what they can show, from a few games of every kind of cell."""
    from houle.analysis.comparison.planning import games_of
    from houle.analysis.sampling.timing import time_needed

    axes = [f"{axis}: {', '.join(grid.shown(axis, value) for value in values)}" for axis, values in grid.axes.items()]
    parts = games_of(grid.arms, call.games, search_games, pairs=False)
    needed = text.needed(time_needed(parts, call.seed, call.threads))
    shown = shown_by(call, [grid], measures, search_games, pairs=False)
    return [*axes, *left_out(grid), f"{text.plural(len(grid.arms), 'cell')}, {needed}", *shown]


def left_out(grid: Grid) -> list[str]:
    return [text.paragraph(f"left out {label}: {why}", 0, 9) for label, why in grid.left_out]


def head(result: Sweep) -> list[str]:
    return [
        *text.grid_differences(result.grid),
        f"{result.setup.ruleset.title}, {text.plural(len(result.arms), 'cell')}",
        f"{games_line(result, 'cell')}, seed {result.seed}, 95% intervals",
    ]


def page(result: Sweep) -> list[str]:
    """A line per cell; with a target those that hit it first, and those that miss it by how much."""
    lines = targeted(result) if result.targets else [table(result, result.cells), ""]
    lines += confirmation(result)
    lines += [f"{CAN_SHOW}, here from another such cell"] if len(result.measures) <= FEW_MEASURES else []
    lines += [text.paragraph(DECIDED, 0, 9)] if result.until else []
    return [*lines, *left_out(result.grid), *text.finding_lines(result.findings)]


def targeted(result: Sweep) -> list[str]:
    wanted, lines = " and ".join(target.text for target in result.targets), []
    for kind, words in (("inside", "certainly"), ("perhaps", "perhaps (the interval overlaps)")):
        cells = [cell for cell in result.cells if cell.target == kind]
        lines += [f"{wanted}, {words}: {text.plural(len(cells), 'cell')}"]
        lines += [*([table(result, cells)] if cells else []), ""]
    cells = sorted((cell for cell in result.cells if cell.target == "outside"), key=lambda cell: distance(result, cell))
    nearest_first = ", nearest first" if len(cells) > 1 else ""
    lines += [f"outside: {text.plural(len(cells), 'cell')}{nearest_first}"]
    lines += [*([table(result, cells)] if cells else []), ""]
    others = [cell for cell in result.cells if cell.target is None]
    return [*lines, *([f"of other players: {text.plural(len(others), 'cell')}", table(result, others), ""]
                      if others else [])]  # fmt: skip


def confirmation(result: Sweep) -> list[str]:
    """The cell that fits best, by the games that picked it and by fresh ones."""
    found = result.confirmed
    if found is None:
        return []
    told = [
        f"{result.named(name)} {text.shown(found.picked[name], result.percent(name))} on the games that picked it, "
        f"{text.shown(fresh, result.percent(name))} on {found.games:,} fresh ones"
        for name, fresh in found.fresh.items()
    ]
    word = "confirmed" if found.again else f"{found.target}, not confirmed:"
    return [text.paragraph(f"{word} {found.arm.label} fits best: {'; '.join(told)}", 0, 9)]


def distance(result: Sweep, cell: CellOfSweep) -> float:
    """How far a cell is from what is wanted, in widths of the targets."""
    return sum(abs(off) / ((target.high - target.low) or 1.0) for target, off in result.off(cell))


def missed(result: Sweep, cell: CellOfSweep) -> str:
    """`too hard by 3.2 points`, for every target that is missed; where players compete `win too low by 3.2 points`."""
    words = []
    for target, off in result.off(cell):
        amount = f"{100 * abs(off):.2g} points" if result.percent(target.measure) else f"{abs(off):.2g}"
        if target.measure == "win" and cell.arm.setup.one_sided:
            words.append(f"too {'easy' if off > 0 else 'hard'} by {amount}")
        else:
            words.append(f"{result.named(target.measure)} too {'high' if off > 0 else 'low'} by {amount}")
    return ", ".join(words)


def table(result: Sweep, cells: list[CellOfSweep]) -> str:
    axes = list(result.grid.axes)
    several = len({cell.arm.setup.score for cell in cells}) > 1
    off = [missed(result, cell) for cell in cells]
    roomy, uneven = len(result.measures) <= FEW_MEASURES, result.played.uneven
    heads = [*axes, *(["games"] if uneven else [])]
    for name in result.measures:
        heads += [name if name == "score" and several else result.named(name), *(["can show"] if roomy else [])]
    rows = []
    for cell, words in zip(cells[:MOST_LINES], off, strict=False):
        row = [result.grid.shown(axis, cell.arm.values[axis]) for axis in axes]
        row += [f"{result.played.tally(cell.number).games:,}"] if uneven else []
        for name in result.measures:
            unit = f" {cell.arm.setup.score}" if name == "score" and several else ""
            row.append(text.shown(cell.measures[name], result.percent(name)) + unit)
            row += [text.amount(cell.detectable(name), result.percent(name))] if roomy else []
        rows.append([*row, *([words] if any(off) else [])])
    flexible = [*range(len(axes)), *([len(heads)] if any(off) else [])]
    shown = text.columns([*heads, *(["that is"] if any(off) else [])], rows, flexible=flexible)
    more = len(cells) - MOST_LINES
    return shown if more <= 0 else f"{shown}\nand {more} more; -o FILE.csv has them all"
