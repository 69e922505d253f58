"""`houle sweep`: every combination of settings, and which of them fit a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.cli.commands.compare import (
    DETECTS,
    games_line,
    margin_option,
    measure_option,
    names_of,
    parse_margins,
    smallest_differences,
)
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import EACH_WHO, confirm_option, same_search_games_option

if TYPE_CHECKING:
    from houle import Sweep
    from houle.analysis.comparison.sweep import CellOfSweep
    from houle.analysis.sampling.grid import Grid

MOST_LINES = 60  # of a table on the screen
FEW_MEASURES = 2  # with more there is no room for the column "detects"
DECIDED = (
    "by two sequential tests at each end of the target range: a setup exactly at an end is called inside or "
    "outside in at most 5% of runs. Perhaps: closer to an end than the margin. The intervals allow for stopping early"
)


@analysis_command(strategies=EACH_WHO)
@measure_option
@click.option(
    "--target", multiple=True, metavar="NAME=VALUE|LOW..HIGH[@PLAYER]",
    help="List the setups in a range, as in win=35%..45%, or win=40%@thumb for what the player thumb wins.",
)  # fmt: skip
@click.option(
    "--until-decided", is_flag=True,
    help="Play until each setup is known to fit the targets or not; -n is then the maximum.",
)  # fmt: skip
@margin_option
@same_search_games_option
@confirm_option
@click.option("--plot", type=click.Choice(["line", "heat"]), help="Kind of figure (default: whichever fits).")
def sweep(
    call: Call,
    measure: tuple[str, ...],
    target: tuple[str, ...],
    until_decided: bool,
    margin: tuple[str, ...],
    search_games: int | None,
    confirm: bool,
    plot: str | None,
) -> None:
    """Play every combination of the settings you give.

    Repeat -v, -p, -s or --rules, or give several values with --set KEY=A,B or KEY=LOW..HIGH. houle plays every
    combination and shows one line for each. With --target it first lists the combinations that fit, then the others,
    nearest first. A target with one value allows 2 percentage points more or less for a rate, and 2% for other numbers.

    \b
    Examples:
      houle sweep wave --set hand.back=0..4 --set talk=silent,points,known,open -p 2 -p 3 -p 4
      houle sweep wave --set hand.back=0..4 -s thumb --target win=35%..45% --figure hands.png
      houle sweep wave --set hand.back=0..4 -s family -s thumb --target win=40%@family
      houle sweep wave --set hand.back=0..4 --target win=35%..45% --until-decided --margin 0.5
      houle sweep vague-verte --set road=5..9 -p 2 -p 4 --measure length --dry-run
    """
    from houle.analysis.comparison.compare import players_of_measures
    from houle.analysis.comparison.sweep import check_sweep
    from houle.analysis.measures.measures import by_player
    from houle.analysis.measures.targets import parse_target

    asked = by_player(names_of(measure))
    measures = [name for names in asked.values() for name in names]
    grid = call.asked.grid(tuple(players_of_measures(asked, call.strategies) or ()), strict=False)
    check_sweep(grid, measures, [parse_target(wanted, "--target", grid.arms[0].setup) for wanted in target])
    if len(grid.arms) + len(grid.left_out) == 1:
        several = "--set KEY=A,B or KEY=LOW..HIGH, or several -p, -v, -s or --rules"
        raise click.UsageError(f"sweep: nothing varies; give {several}. For one setup use houle simulate")
    points, margins = parse_margins(margin)
    call = call.usually(grid)
    if until_decided and not target:
        raise click.UsageError("--until-decided: there is nothing to decide; give --target too")
    if call.dry_run:
        click.echo("\n".join(plan(call, grid, measures, search_games, confirm and bool(target))))
        return
    result = call.play(
        houle.sweep, grid, strategies=None, measures=measures, targets=target,
        games=call.games if call.given("games") or not until_decided else None, until_decided=until_decided,
        margin=points, margins=margins, search_games=search_games, confirm=confirm,
    )  # fmt: skip
    again = result.repeat(call.asked.words(strategies=grid.line_ups))
    call.show(result, page(result), head(result), again, lambda path: result.plot(path, plot))


def plan(call: Call, grid: Grid, measures: list[str], search_games: int | None, confirm: bool) -> list[str]:
    """What --dry-run prints: setups, games, time, and the differences that so many games can show."""
    from houle.analysis.comparison.sweep import plan_sweep

    axes = [f"{axis}: {', '.join(grid.shown(axis, value) for value in values)}" for axis, values in grid.axes.items()]
    needed = call.needed(plan_sweep(grid, call.games, search_games, confirm))
    smallest = smallest_differences(call, [grid], measures, search_games, pairs=False)
    return [
        *axes,
        *text.left_out_lines(grid.left_out),
        f"{text.count_of(len(grid.arms), 'setup')}, {needed}",
        *smallest,
    ]


def head(result: Sweep) -> list[str]:
    who = "" if "strategies" in result.grid.axes else f", {text.deciders(result.arms[0].strategies)}"
    return [
        *text.grid_differences(result.grid),
        f"{result.setup.ruleset.title}, {text.count_of(len(result.arms), 'setup')}{who}",
        f"{games_line(result, 'setup')}; {text.INTERVALS}",
    ]


def page(result: Sweep) -> list[str]:
    """A line per setup; with a target those that fit first, and by how much the others miss it."""
    lines = targeted(result) if result.targets else [table(result, result.cells), ""]
    lines += confirmation(result)
    lines += [DETECTS] if len(result.measures) <= FEW_MEASURES else []
    lines += [text.labelled("decided", DECIDED)] if result.until else []
    return [*lines, *text.left_out_lines(result.grid.left_out), *text.finding_lines(result.findings)]


def targeted(result: Sweep) -> list[str]:
    wanted, lines = " and ".join(target.text for target in result.targets), []
    for kind, words in (("inside", "certainly"), ("perhaps", "perhaps (the interval reaches into the range)")):
        cells = [cell for cell in result.cells if cell.target == kind]
        lines += [f"{wanted}, {words}: {text.count_of(len(cells), 'setup')}"]
        lines += [*([table(result, cells)] if cells else []), ""]
    cells = sorted((cell for cell in result.cells if cell.target == "outside"), key=lambda cell: distance(result, cell))
    nearest_first = ", nearest first" if len(cells) > 1 else ""
    lines += [f"outside: {text.count_of(len(cells), 'setup')}{nearest_first}"]
    lines += [*([table(result, cells)] if cells else []), ""]
    others = [cell for cell in result.cells if cell.target is None]
    return [*lines, *([f"of other players: {text.count_of(len(others), 'setup')}", table(result, others), ""]
                      if others else [])]  # fmt: skip


def confirmation(result: Sweep) -> list[str]:
    """The setup that fits best, on the games that picked it and on new ones."""
    check = result.confirmed
    if check is None:
        return []
    numbers = [
        f"{result.named(name)} {fresh.text()} on {check.games:,} new games, "
        f"{check.picked[name].text()} on the games that picked it"
        for name, fresh in check.fresh.items()
    ]
    word = "confirmed" if check.again else "perhaps only, by new games:"
    return [text.paragraph(f"{word} {check.arm.label} fits best: {'; '.join(numbers)}", 0, 9)]


def distance(result: Sweep, cell: CellOfSweep) -> float:
    """How far a setup is from the targets, in widths of the targets."""
    return sum(abs(off) / ((target.high - target.low) or 1.0) for target, off in result.off(cell))


def missed(result: Sweep, cell: CellOfSweep) -> str:
    """`too hard by 3.2 points`, for each missed target; `win too low by 3.2 points` in competitive games."""
    words = []
    for target, off in result.off(cell):
        amount = text.amount(abs(off), result.percent(target.measure))
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
        heads += [name if name == "score" and several else result.named(name), *(["detects"] if roomy else [])]
    rows = []
    for cell, words in zip(cells[:MOST_LINES], off, strict=False):
        row = [result.grid.shown(axis, cell.arm.values[axis]) for axis in axes]
        row += [f"{result.played.tally(cell.number).games:,}"] if uneven else []
        for name in result.measures:
            unit = f" {cell.arm.setup.score}" if name == "score" and several else ""
            row.append(text.cell(cell.measures[name]) + unit)
            row += [text.amount(cell.detectable(name), result.percent(name))] if roomy else []
        rows.append([*row, *([words] if any(off) else [])])
    flexible = [*range(len(axes)), *([len(heads)] if any(off) else [])]
    shown = text.columns([*heads, *(["that is"] if any(off) else [])], rows, flexible=flexible)
    more = len(cells) - MOST_LINES
    return shown if more <= 0 else f"{shown}\nand {more} more; -o FILE.csv has them all"
