"""`houle simulate --rotate`: a line-up taken to every seat on the same deals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Stop, Watch
from houle.cli.main import INTERRUPTED

if TYPE_CHECKING:
    from houle.analysis.strategy.rotation import Rotation
    from houle.solver.ruleset import Setup


def simulate_rotated(
    ctx: click.Context,
    asked: options.Asked,
    setup: Setup,
    names: tuple[str, ...],
    deals: int,
    seed: int,
    first: int,
    threads: int | None,
    as_json: bool,
    out: str | None,
    quiet: bool,
) -> None:
    """What `simulate` does instead, with --rotate."""
    from houle.analysis.strategy.rotation import rotate

    games = deals * setup.players
    try:
        with Watch(games, silent=as_json or quiet) as watch:

            def progress(done: int, seconds: float) -> None:
                watch(done * setup.players, seconds)

            result = rotate(setup, names, deals, seed, first, threads, progress)
    except Stop:
        click.echo("houle: interrupted before the first games were counted", err=True)
        ctx.exit(INTERRUPTED)
    repeat = ["simulate", *asked.arguments(setup), *options.strategy_words(names), "--rotate"]
    repeat += ["-n", str(result.deals.number), "--seed", str(seed)] + (["--first", str(first)] if first else [])
    text = json.dumps(result.as_json(), indent=2) + "\n"
    if out:
        options.write_out(out, text if out.endswith(".json") else result.frame().to_csv(index=False))
    if as_json:
        click.echo(text, nl=False)
    else:
        click.echo(describe(result))
        click.echo(f"repeat   {options.shell_line(repeat)}")
    if result.interrupted:
        line = f"interrupted: {result.deals.number:,} of {deals:,} deals are counted; exactly this part again:"
        click.echo(f"houle: {line} {options.shell_line(repeat)}", err=True)
        ctx.exit(INTERRUPTED)


def describe(result: Rotation) -> str:
    """A row per player of the line-up, whatever the seat."""
    setup = result.setup
    rows = []
    for player in result.players:
        win, score = player.win, player.score
        wins = tables.estimate(100 * win.value, 100 * win.low, 100 * win.high, "%")
        rows.append([player.name, player.strategy, wins, tables.estimate(score.value, score.low, score.high)])
    last = result.first + result.deals.number - 1
    numbers = f"seed {result.seed}, numbers {result.first:,} to {last:,}"
    return "\n".join(
        [
            *tables.differences(setup),
            f"{tables.table_line(setup)}, the line-up rotated over all seats",
            f"{tables.plural(result.deals.number, 'deal')} of {numbers}, each played {setup.players} times",
            "",
            tables.columns(["player", "strategy", "wins", setup.score], rows),
            "",
            "intervals clustered by deal",
            f"time     {result.seconds:.2f} s, {result.games / max(result.seconds, 1e-9):,.0f} games a second",
            f"digests  rules {setup.digest}, result {result.digest}",
            *tables.notes(setup),
        ]
    )
