"""`houle survival`: how long games of WAVE live, where they die, and what is left over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch

if TYPE_CHECKING:
    from houle.analysis.difficulty.survival import Survival
    from houle.analysis.stats.intervals import Interval

MOST_CARDS = 8  # lines of a table of cards
STEP = 3  # cards between two lines of the curve


@click.command()
@options.setup_options
@options.strategy_option
@options.games_option
@options.seed_option
@options.threads_option
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def survival(
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
    """Show how long games of WAVE live.

    The chance to be alive at every card, on which card and at whom games die, and which cards are left over, with 95%
    intervals. Other games do not end by a card that cannot be laid. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle survival wave -p 3 -s thumb
      houle survival wave -p 4 -v tide-colours -s thumb -n 1e6 --figure deaths.png
    """
    from houle.analysis.difficulty.survival import check_mortal, survival_setup

    results.check_files(out, figure)
    setup = asked.setup()
    check_mortal(setup)
    names = options.strategies(strategy, setup.players)

    def job(watch: Watch) -> Survival:
        return survival_setup(setup, games, seed, names, threads, watch)

    result: Survival = results.play(ctx, games, as_json or quiet, job)
    repeat = ["survival", *asked.words(setup), *options.strategy_words(names)]
    repeat += ["-n", str(result.games), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.survival import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe(result: Survival) -> str:
    """The curve every few cards, then where games die, then the cards."""
    from houle.analysis.difficulty.survival import CLOSE

    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}, {tables.deciders(result.strategies)}"]
    number = tables.plural(result.games, "game")
    lines += [f"{number} of seed {result.seed}, {result.lost:,} lost; 95% intervals, each by itself", ""]
    last = len(result.alive) - 1
    rows = []
    for k in [*range(0, last, STEP), last]:
        dies = results.shown(result.dies[k], True) if k < last else ""
        rows.append([str(k), results.shown(result.alive[k], True), dies])
    lines += [tables.columns(["cards laid", "alive", "dies there, of those"], rows, right=(0,)), ""]
    rows = [[name, results.shown(found, True)] for name, found in result.died_at.items()]
    lines += [tables.columns(["dies at", "of the lost games"], rows), ""]
    heads = ["deadliest on top", "ends there", "left over when close", f"of games with 1 to {CLOSE} left"]
    pairs = zip(_most(result.deadly), _most(result.left_close), strict=True)
    rows = [[one, results.shown(a, True), other, results.shown(b, True)] for (one, a), (other, b) in pairs]
    lines += [tables.columns(heads, rows), ""]
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup, result.strategies)])


def _most(found: dict[str, Interval]) -> list[tuple[str, Interval]]:
    return sorted(found.items(), key=lambda item: -item[1].value)[:MOST_CARDS]
