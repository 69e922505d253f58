"""`houle simulate`: many games, and what they come to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from houle.analysis.sampling.simulation import MOST_GAMES, simulate_setup
from houle.cli.commands.simulate_rotated import simulate_rotated
from houle.cli.framework import options
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Stop, Watch
from houle.cli.main import INTERRUPTED

if TYPE_CHECKING:
    from houle.analysis import Simulation


@click.command()
@options.setup_options
@options.strategy_option
@options.games_option
@options.seed_option
@click.option(
    "--first",
    type=options.Whole(0, MOST_GAMES),
    default=0,
    metavar="N",
    help="Index of the first game.",
)
@click.option(
    "--precision",
    type=float,
    metavar="POINTS",
    help="Play until every side's win rate is known to +- POINTS percentage points; -n is then the most.",
)
@click.option("--rotate", is_flag=True, help="Take the line-up to every seat on the same deals; -n counts deals.")
@options.threads_option
@options.json_option
@options.out_option
@options.quiet_option
@click.pass_context
def simulate(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    games: int,
    seed: int,
    first: int,
    precision: float | None,
    rotate: bool,
    threads: int | None,
    as_json: bool,
    out: str | None,
    quiet: bool,
) -> None:
    """Play many games of GAME; win rates and scores.

    With 95% intervals. The same seed gives the same games on any machine. Ctrl-C shows what is done so far.
    -o writes .json or .csv.

    \b
    Examples:
      houle simulate wave -p 3 -n 1e6
      houle simulate wave -v virage+nazare --set hand.front=4 --json
      houle simulate wave --rules my.toml -o result.csv
      houle simulate wave -p 3 --precision 0.3
      houle simulate sea-change -p 4 -s thumb,random,random,random --rotate
    """
    from houle.analysis.sampling.precision import PreciseSimulation, check_precision, simulate_precisely

    options.check_out(out, (".json", ".csv"))
    setup = asked.setup()
    names = options.strategies(strategy, setup.players)
    if rotate:
        if precision is not None:
            raise click.UsageError("--rotate: not possible together with --precision; give -n")
        simulate_rotated(ctx, asked, setup, names, games, seed, first, threads, as_json, out, quiet)
        return
    if precision is not None:
        check_precision(precision)
        games = MOST_GAMES if ctx.get_parameter_source("games") is ParameterSource.DEFAULT else games
    result: Simulation
    try:
        with Watch(games, silent=as_json or quiet) as watch:
            if precision is None:
                result = simulate_setup(setup, games, seed, names, first, threads, watch)
            else:
                result = simulate_precisely(setup, precision, seed, names, first, threads, watch, watch.expect, games)
    except Stop:
        click.echo("houle: interrupted before the first games were counted", err=True)
        ctx.exit(INTERRUPTED)
    repeat = ["simulate", *asked.arguments(setup), *options.strategy_words(names)]
    if precision is None or result.run.interrupted:
        repeat += ["-n", str(result.games)]
    elif games != MOST_GAMES:
        repeat += ["-n", str(games)]
    repeat += ["--precision", str(precision)] if precision is not None else []
    repeat += ["--seed", str(seed)] + (["--first", str(first)] if first else [])
    if out:
        options.write_out(out, as_text(result) if out.endswith(".json") else result.frame().to_csv(index=False))
    if as_json:
        click.echo(as_text(result), nl=False)
    else:
        click.echo(describe(result))
        if isinstance(result, PreciseSimulation):
            click.echo(result.verdict)
        click.echo(f"repeat   {options.shell_line(repeat)}")
    if result.run.interrupted:
        of = f" of {games:,}" if games != MOST_GAMES else ""
        line = f"interrupted: {result.games:,}{of} games are counted; exactly this part again:"
        click.echo(f"houle: {line} {options.shell_line(repeat)}", err=True)
        ctx.exit(INTERRUPTED)


def as_text(result: Simulation) -> str:
    return json.dumps(result.as_json(), indent=2) + "\n"


def describe(result: Simulation) -> str:
    """The result as a page of text: how the rules differ from print, who won how often, the scores."""
    setup, run = result.setup, result.run
    lines = tables.differences(setup)
    lines += [tables.table_line(setup) + ", " + tables.deciders(run.strategies)]
    last = run.first + result.games - 1
    lines += [f"{tables.plural(result.games, 'game')} of seed {run.seed}, numbers {run.first:,} to {last:,}"]
    rows = []
    for side in result.sides:
        win, score = side.win, side.score.interval
        rows.append(
            [
                side.name,
                tables.span(side.seats),
                tables.estimate(100 * win.value, 100 * win.low, 100 * win.high, "%"),
                tables.estimate(score.value, score.low, score.high),
            ]
        )
    lines += ["", tables.columns(["side", "seats", "wins", setup.score], rows), ""]
    if run.tally.entries != result.games:
        lines.append(f"scores   {run.tally.entries:,} in all, intervals clustered by game")
    draws = result.draws
    if draws.value > 0:
        lines.append(f"no winner {tables.estimate(100 * draws.value, 100 * draws.low, 100 * draws.high, '%')}")
    if result.unresolved is not None:
        lines.append(
            f"unresolved {100 * result.unresolved:.2f}% (within the solver's limit; the high end counts them as won)"
        )
    means = [f"{result.mean(name):.2f} {name}" for name in ("moves", "turns", "rounds") if result.mean(name)]
    lines.append(f"a game   {', '.join(means)}")
    if result.rates:
        rates = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in result.rates.items())
        lines.append(tables.paragraph(f"means    {rates}", 0, 9))
    lines.append(f"time     {run.seconds:.2f} s, {result.games_per_second:,.0f} games a second")
    lines.append(f"digests  rules {setup.digest}, result {run.digest}")
    return "\n".join([*lines, *tables.notes(setup, run.strategies)])
