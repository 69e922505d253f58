"""`houle balance`: how even a table is, and how its games go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import options, results
from houle.cli.framework import text as tables

if TYPE_CHECKING:
    from houle.analysis.fairness.balance import Balance
    from houle.cli.framework.progress import Watch

GAMES = 100_000


@click.command()
@options.setup_options
@options.strategy_option
@click.option(
    "-n", "--games", type=options.Whole(2, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=GAMES, show_default=True,
    metavar="N", help="How many games.",
)  # fmt: skip
@options.seed_option
@options.threads_option
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def balance(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    games: int,
    seed: int,
    threads: int | None,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """Show how even GAME is, and how its games go.

    Wins of every seat with a chi-square test over all of them; how long games are; how often the winner was behind, how
    often the lead changes, how early the winner leads for good. 95% intervals. What a game does not have is said. The
    thumb plays unless -s says otherwise. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle balance vague-verte -p 4
      houle balance land-unter -p 5 -s thumb -n 1e5 --figure balance.png
    """
    from houle.analysis.fairness.balance import read_balance
    from houle.analysis.sampling.lineups import usual_strategy

    results.check_files(out, figure)
    setup = asked.setup()
    names = options.strategies(strategy or (usual_strategy(setup),), setup.players)

    def job(watch: Watch) -> Balance:
        return read_balance(setup, games, seed, names, threads, watch)

    result: Balance = results.play(ctx, games, as_json or quiet, job)
    repeat = ["balance", *asked.words(setup), *options.strategy_words(names), "-n", str(result.games)]
    repeat += ["--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.balance import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe(result: Balance) -> str:
    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}, {tables.deciders(result.strategies)}"]
    lines += [f"{tables.plural(result.games, 'game')}, seed {result.seed}, 95% intervals", ""]
    lines.append(tables.columns(["side", "wins"], [[name, results.shown(win, True)] for name, win in result.sides]))
    if result.even is not None:
        even = result.even
        odds = f"p = {even.p:.2g}" if even.p >= 1e-12 else "p < 1e-12"
        freedom = f"{tables.plural(even.freedom, 'degree')} of freedom"
        text = f"even?    chi-square {even.statistic:.1f}, {freedom}, {odds}: {verdict(result)}"
        lines += ["", tables.paragraph(text, 0, 9)]
    rows = [[measure.about, results.shown(measure.value, measure.percent), f"{measure.value.n:,}"]
            for measure in result.measures]  # fmt: skip
    lines += ["", tables.columns(["course", "", "n"], rows, flexible=(0,), right=(2,)), ""]
    lines += [tables.paragraph(f"none     {text}", 0, 9) for text in result.missing]
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup, result.strategies)])


def verdict(result: Balance) -> str:
    """What the test says, in words; other strategies in other seats are no test of seats."""
    if len(set(result.strategies)) > 1:
        return "the seats, and who sits there, make a difference" if small(result) else "no difference shows"
    ends = sorted(result.sides, key=lambda side: side[1].value)
    if not small(result):
        return "no difference between the sides shows"
    return f"{ends[-1][0]} wins most, {ends[0][0]} least"


def small(result: Balance) -> bool:
    return result.even is not None and result.even.p < 0.05
