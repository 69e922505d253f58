"""`houle sweep`: a grid of settings, which of them are as hard as wanted, and how long it will take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.commands.study_tables import duration
from houle.cli.commands.sweep_assumed import sweep_assumed
from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch

if TYPE_CHECKING:
    from houle.analysis.comparison.sweep import CellOfSweep, Sweep
    from houle.analysis.sampling.grid import Grid

MOST_LINES = 60  # of a table on the screen


@click.command()
@options.setup_options
@options.strategy_option
@click.option("--measure", multiple=True, metavar="NAME", help="What to show: win, score, length, draws ...")
@click.option("--target", multiple=True, metavar="NAME=LOW..HIGH", help="List the settings in a range: win=35%..45%.")
@click.option("--assumed", is_flag=True, help="Turn every rule that the rulebook does not settle, and rank them.")
@options.games_option
@options.seed_option
@options.threads_option
@results.dry_option
@options.json_option
@options.out_option
@results.figure_option
@click.option("--plot", type=click.Choice(["line", "heat"]), help="Kind of figure; chosen by the grid otherwise.")
@options.quiet_option
@click.pass_context
def sweep(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    measure: tuple[str, ...],
    target: tuple[str, ...],
    assumed: bool,
    games: int,
    seed: int,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
    out: str | None,
    figure: str | None,
    plot: str | None,
    quiet: bool,
) -> None:
    """Play every combination of settings of GAME.

    Repeated -v, -p, -s and --rules, and every value of --set KEY=A,B or KEY=LOW..HIGH, make an axis of the grid.
    --target lists the combinations whose interval lies inside, or overlaps, a range. --assumed turns every rule that
    the rulebook does not settle instead, and ranks them by what they change. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle sweep wave --set hand.back=0..4 --set talk=silent,advice,open -p 2 -p 3 -p 4 -s thumb
      houle sweep wave --set hand.back=0..4 -s thumb --target win=35%..45% --figure hands.png
      houle sweep vague-verte --set road=5..9 -p 2 -p 4 -s thumb --measure length --dry-run
      houle sweep wave --assumed -p 3 -s thumb
    """
    from houle.analysis.comparison.sweep import check_sweep, parse_target, sweep_grid

    results.check_files(out, figure)
    measures = [name.strip() for text in measure for name in text.split(",")]
    if assumed:
        if target or plot:
            raise click.UsageError("--assumed: not possible together with --target or --plot")
        sweep_assumed(ctx, asked, strategy, measures, games, seed, threads, dry_run, as_json, out, figure, quiet)
        return
    grid = results.grid_of(asked, strategy, strict=False)
    targets = [parse_target(text) for text in target]
    check_sweep(grid, measures, targets)
    if figure and not grid.axes:
        raise click.UsageError("--figure: a grid of one cell has nothing to draw")
    if dry_run:
        click.echo(describe_plan(grid, games, seed, threads))
        return

    def job(watch: Watch) -> Sweep:
        return sweep_grid(grid, games, seed, measures, targets, threads, watch)

    result: Sweep = results.play(ctx, games * len(grid.arms), as_json or quiet, job)
    repeat = ["sweep", *results.grid_words(asked, strategy)]
    for option, values in (("--measure", measures), ("--target", target)):
        for value in values:
            repeat += [option, value]
    # Several lots cut short have no number in common.
    played = result.played
    repeat += ["-n", str(played.lots[0].number if len(played.lots) == 1 else played.asked), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.sweep import draw as picture

        picture(result, path, plot)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe_plan(grid: Grid, games: int, seed: int, threads: int | None) -> str:
    """Cells, games and time, from a few games of every kind of cell."""
    from houle.analysis.sampling.timing import expected_seconds
    from houle.solver.run import default_threads

    workers = threads or default_threads()
    seconds = expected_seconds(grid.arms, games, seed, workers)
    lines = [f"{axis}: {', '.join(map(_text, values))}" for axis, values in grid.axes.items()]
    lines += _left_out(grid)
    work = f"{tables.plural(len(grid.arms), 'cell')}, {tables.plural(games * len(grid.arms), 'game')}"
    lines.append(f"{work}, about {duration(seconds)} on {tables.plural(workers, 'thread')}")
    return "\n".join(lines)


def _text(value: object) -> str:
    from houle.analysis.sampling.grid import value_text

    return value_text(value)


def _left_out(grid: Grid) -> list[str]:
    return [tables.paragraph(f"left out {label}: {why}", 0, 9) for label, why in grid.left_out]


def describe(result: Sweep) -> str:
    """A line per cell; with a target those that hit it first."""
    played, arms = result.played, result.grid.arms
    lines = [f"{arms[0].setup.ruleset.title}, {tables.plural(len(arms), 'cell')}"]
    lines += [f"{tables.plural(played.asked, 'game')} of each cell, seed {played.seed}, 95% intervals"]
    if not result.targets:
        lines += ["", _table(result, result.cells)]
    else:
        wanted = " and ".join(target.text for target in result.targets)
        for kind, words in (("inside", "certainly"), ("perhaps", "perhaps (the interval overlaps)")):
            cells = [cell for cell in result.cells if cell.target == kind]
            lines += ["", f"{wanted}, {words}: {tables.plural(len(cells), 'cell')}"]
            lines += [_table(result, cells)] if cells else []
        outside = sum(cell.target == "outside" for cell in result.cells)
        lines += ["", f"outside: {tables.plural(outside, 'cell')}"]
    lines += ["", *_left_out(result.grid), *results.finding_lines(result.findings)]
    rate = played.games / played.seconds if played.seconds else 0.0
    lines.append(f"time     {played.seconds:.1f} s, {rate:,.0f} games a second")
    lines.append(f"digests  result {result.digest}")
    strategies = [name for arm in arms for name in arm.strategies]
    return "\n".join([*lines, *tables.notes(arms[0].setup, strategies)])


def _table(result: Sweep, cells: list[CellOfSweep]) -> str:
    from houle.analysis.comparison.measures import is_percent, measure_name

    axes = list(result.grid.axes)
    setups = {cell.arm.setup.score for cell in cells}
    heads = [*axes, *("score" if name == "score" and len(setups) > 1 else measure_name(name, cells[0].arm.setup)
                      for name in result.measures)]  # fmt: skip
    rows = []
    for cell in cells[:MOST_LINES]:
        row = [_text(cell.arm.values[axis]) for axis in axes]
        for name in result.measures:
            unit = f" {cell.arm.setup.score}" if name == "score" and len(setups) > 1 else ""
            row.append(results.shown(cell.measures[name], is_percent(name)) + unit)
        rows.append(row)
    text = tables.columns(heads, rows, flexible=range(len(axes)))
    more = len(cells) - MOST_LINES
    return text if more <= 0 else f"{text}\nand {more} more; -o FILE.csv has them all"
