"""`houle ladder`: every strategy against the one below it, on the same deals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import options
from houle.cli.framework import text as tables
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.progress import Stop, Watch

if TYPE_CHECKING:
    from houle.analysis.stats.intervals import Interval
    from houle.analysis.strategy.ladder import Ladder, Plan

DEALS, SEARCH_DEALS = 10_000, 400


@click.command()
@options.setup_options
@options.strategy_option
@click.option(
    "-n", "--games", type=options.Whole(2, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=DEALS, show_default=True,
    metavar="N", help="How many deals.",
)  # fmt: skip
@click.option(
    "--search-games", type=options.Whole(2, MOST_GAMES), default=SEARCH_DEALS, show_default=True,
    metavar="N", help="How many of them for rungs that search.",
)  # fmt: skip
@options.seed_option
@options.threads_option
@click.option("--dry-run", is_flag=True, help="Say what would be played and how long it takes.")
@options.json_option
@options.out_option
@options.quiet_option
@click.pass_context
def ladder(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    games: int,
    search_games: int,
    seed: int,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
    out: str | None,
    quiet: bool,
) -> None:
    """Compare strategies of GAME, each with the one below it.

    Every rung is played on the same deals, with 95% intervals. Where players compete, one side of the rung meets the
    rung below on all other sides, from every seat in turn; n counts deals. -s gives the rungs from the lowest, one
    name each. -o writes .json.

    \b
    Examples:
      houle ladder wave -p 3
      houle ladder wave -v nazare -s random,thumb,flat:100 -n 2000 --search-games 200
    """
    from houle.analysis.strategy import ladder as rungs
    from houle.solver.strategies.player import split

    options.check_out(out, (".json",))
    setup = asked.setup()
    texts = [part for text in strategy for part in split(text)]
    strategies, left_out = rungs.standing(setup, texts or rungs.RUNGS)
    planned = rungs.plan(setup, strategies, games, search_games)
    if dry_run:
        click.echo(describe_plan(planned, left_out, seed, threads))
        return
    try:
        with Watch(planned.games, silent=as_json or quiet) as watch:
            result = rungs.climb(planned, left_out, seed, threads, watch.tell)
    except Stop:
        click.echo("houle: interrupted before the first games were counted", err=True)
        ctx.exit(INTERRUPTED)
    text = json.dumps(result.as_json(), indent=2) + "\n"
    if out:
        options.write_out(out, text)
    repeat = ["ladder", *asked.words(setup), "-s", ",".join(one.text for one in strategies), "-n", str(games)]
    repeat += ["--search-games", str(search_games), "--seed", str(seed)]
    if as_json:
        click.echo(text, nl=False)
    else:
        click.echo(describe(result))
        click.echo(f"repeat   {options.shell_line(repeat)}")
    if result.interrupted:
        click.echo("houle: interrupted: the intervals are for the deals that were played", err=True)
        ctx.exit(INTERRUPTED)


def describe(result: Ladder) -> str:
    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}; seed {result.seed}, 95% intervals", ""]
    rows = []
    for rung in result.rungs:
        row = [rung.strategy, f"{rung.win.n:,}" if rung.win else "", _percent(rung.win), _number(rung.score)]
        if result.fair is None:
            row += [_percent(rung.gain), _number(rung.score_gain)]
        else:
            row.insert(1, rung.below)
        rows.append(row)
    heads = ["rung", "deals", "wins", setup.score]
    if result.fair is None:
        heads += ["wins more than the one below", f"{setup.score} more"]
        lines.append(tables.columns(heads, rows, right=(1,)))
    else:
        heads.insert(1, "against")
        lines.append(tables.columns(heads, rows, right=(2,)))
        lines.append(f"\nOne side of the rung, from every seat in turn; equal players win {100 * result.fair:.1f}%.")
    lines.append("")
    lines += [f"left out {text}: {why}" for text, why in result.left_out]
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup, [rung.strategy for rung in result.rungs])])


def _percent(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return tables.estimate(100 * interval.value, 100 * interval.low, 100 * interval.high, "%")


def _number(interval: Interval | None) -> str:
    return "" if interval is None else tables.estimate(interval.value, interval.low, interval.high)


def describe_plan(planned: Plan, left_out: list[tuple[str, str]], seed: int, threads: int | None) -> str:
    """What would be played, with the time that a few deals of it predict."""
    from houle.analysis.sampling.same_deals import same_deals

    lines = [tables.table_line(planned.setup)]
    seconds = 0.0
    for stage, sample in zip(planned.stages, (100, 1), strict=True):
        if stage.arms:
            deals = min(sample, stage.deals)
            seconds += same_deals(planned.setup, stage.arms, seed, deals, 0, threads).seconds * stage.deals / deals
            lines.append(f"{stage.name}: {stage.deals:,} deals, {tables.plural(stage.games, 'game')}")
    lines.append("rungs: " + ", ".join(one.text for one in planned.strategies))
    lines += [f"left out {text}: {why}" for text, why in left_out]
    lines.append(f"in all {tables.plural(planned.games, 'game')}, about {seconds / 60:.1f} minutes")
    return "\n".join(lines)
