"""`houle setups`: chances given the start, and a start of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import options, results
from houle.cli.framework import text as tables

if TYPE_CHECKING:
    from houle.analysis.fairness.openings import FactTable, Setups
    from houle.analysis.stats.intervals import Interval
    from houle.cli.framework.progress import Watch

GAMES = 100_000
SHOWN = 8  # facts on the page, without --all


@click.command()
@options.setup_options
@options.strategy_option
@click.option(
    "--setup", "wish", metavar="TEXT|FILE", help='Cards that lie where you say: "top: white 3; seat 0: red 1".'
)
@click.option("--all", "every", is_flag=True, help="Show every fact, not only those that tell most.")
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
def setups(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    wish: str | None,
    every: bool,
    games: int,
    seed: int,
    threads: int | None,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """Show the chances of GAME given the start.

    Every fact of the start with its levels, the fact that tells most first; 95% intervals, clustered by game, and the
    difference from all starts. With --setup the cards you name lie where you say, the rest is dealt at random, and the
    result stands beside the free deal. A file holds the same text, one place a line. The thumb plays unless -s says
    otherwise. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle setups wave -p 3
      houle setups land-unter -p 4 --figure packs.png
      houle setups wave --setup "top: white 3; seat 0: navy 4, red 1"
    """
    from houle.analysis.fairness.openings import read_setups
    from houle.analysis.sampling.lineups import usual_strategy

    results.check_files(out, figure)
    setup = asked.setup()
    names = options.strategies(strategy or (usual_strategy(setup),), setup.players)
    repeat = ["setups", *asked.words(setup), *options.strategy_words(names)]
    if wish is not None:
        from houle.cli.commands.setups_custom import tell_arranged

        tell_arranged(ctx, setup, names, wish, games, seed, threads, repeat, as_json, out, figure, quiet)
        return

    def job(watch: Watch) -> Setups:
        return read_setups(setup, games, seed, names, threads, watch)

    result: Setups = results.play(ctx, games, as_json or quiet, job)
    repeat += ["-n", str(result.games), "--seed", str(seed)] + (["--all"] if every else [])

    def draw(path: Path) -> None:
        from houle.reports.figures.openings import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result, every), repeat, as_json, out, figure, draw)


def describe(result: Setups, every: bool = False) -> str:
    """A page: every fact with its levels, strongest first; then the packs of Land Unter apart from the seats."""
    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}, {tables.deciders(result.strategies)}"]
    lines.append(f"{tables.plural(result.games, 'game')}, seed {result.seed}, 95% intervals; n counts hands or tables")
    if result.remark:
        lines.append(tables.paragraph(result.remark))
    if not result.tables:
        lines.append("Every start was alike: no fact has two levels.")
    shown = result.tables if every else result.tables[:SHOWN]
    for table in shown:
        lines += ["", _fact(table, result.played.score)]
    rest = [table.name for table in result.tables[len(shown) :]]
    lines.append("")
    if rest:
        lines.append(tables.paragraph(f"weaker   {', '.join(rest)} (--all shows them)", 0, 9))
    if result.travel is not None:
        lines += travel_lines(result)
    lines.append(tables.paragraph("read     of many intervals one in twenty leaves out the truth", 0, 9))
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {result.played.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup, result.strategies)])


def _fact(table: FactTable, score: str) -> str:
    rows = [
        [
            level.level,
            f"{level.n:,}",
            results.shown(level.win, percent=True),
            more(level.win_more, percent=True),
            results.shown(level.score),
            more(level.score_more),
        ]
        for level in table.levels
    ]
    heads = [table.name, "n", "wins", "than all", score, "than all"]
    return f"{table.about}\n{tables.columns(heads, rows, right=(1,))}"


def more(interval: Interval, percent: bool = False) -> str:
    """A difference with its sign, and half of its interval's width."""
    scale, unit = (100, "%") if percent else (1, "")
    return f"{scale * interval.value:+.2f}{unit} ± {scale * interval.half:.2f}"


def travel_lines(result: Setups) -> list[str]:
    """Worth of the weather cards, seats and shares of the variance."""
    travel = result.travel
    if travel is None:
        return []
    worths = sorted(travel.worths, key=lambda worth: -worth[1].value)
    cells = [f"{card:>3} {worth.value:+.2f} ± {worth.half:.2f}" for card, worth in worths]
    across = max(1, (tables.window() + 3) // (len(max(cells, key=len, default="")) + 3))
    down = -(-len(cells) // across)
    score = result.played.score
    lines = [f"worth of each weather card: {score} a round more than an average card, with equal seats"]
    lines += ["   ".join(cells[row::down]).rstrip() for row in range(down)]
    seats = ", ".join(f"seat {seat} {more(worth)}" for seat, worth in travel.seats)
    lines += ["", tables.paragraph(f"seats    {score} a round with equal packs: {seats}", 0, 9)]
    if travel.parts:
        parts = ", ".join(f"{name} {results.shown(part, percent=True)}" for name, part in travel.parts)
        lines.append(tables.paragraph(f"variance of {score} within a round: {parts}", 0, 9))
    else:
        lines.append("variance packs and seats cannot be told apart unless a game has as many rounds as players")
    return lines
