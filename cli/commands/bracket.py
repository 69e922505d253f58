"""`houle bracket`: how hard a table is, from play at random up to what nobody can beat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.analysis.difficulty.bracket import DEALS, SEARCH_DEALS
from houle.analysis.limits import MOST_GAMES
from houle.cli.commands.study_tables import duration
from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch

if TYPE_CHECKING:
    from houle.analysis.difficulty.bracket import Bracket


@click.command()
@options.setup_options
@options.strategy_option
@click.option(
    "-n", "--games", type=options.Whole(2, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=DEALS, show_default=True,
    metavar="N", help="How many deals.",
)  # fmt: skip
@click.option(
    "--search-games", type=options.Whole(1, MOST_GAMES), default=SEARCH_DEALS, show_default=True,
    metavar="N", help="How many of them for strategies that search.",
)  # fmt: skip
@options.seed_option
@options.threads_option
@results.dry_option
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def bracket(
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
    figure: str | None,
    quiet: bool,
) -> None:
    """Say how hard a table of GAME is, and for whom.

    Plays at random, as a beginner, by rules of thumb, with search, and as the clairvoyant bound, on the same deals:
    how often each wins, the rulebook's bands, mean and quantiles of the score. For games that a team or a player alone
    wins or loses. -s gives other strategies from the weakest. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle bracket wave -p 3
      houle bracket wave -p 4 -v nazare -s random,thumb -n 1e5 --figure nazare.png
      houle bracket vague-attaque -p 1 --search-games 50
    """
    from houle.analysis.difficulty.bracket import bracket_setup, levels_of, stage_games
    from houle.solver.strategies.names import split

    results.check_files(out, figure)
    setup = asked.setup()
    texts = [part for text in strategy for part in split(text)]
    stages, left_out = levels_of(setup, texts)
    number = sum(len(arms) * stage_games(arms, games, search_games) for arms in stages)
    if dry_run:
        from houle.analysis.sampling.timing import expected_seconds
        from houle.solver.run import default_threads

        workers = threads or default_threads()
        seconds = sum(
            expected_seconds(arms, stage_games(arms, games, search_games), seed, workers) for arms in stages
        )  # fmt: skip
        click.echo("strategies: " + ", ".join(arm.label for arms in stages for arm in arms))
        for text, why in left_out:
            click.echo(f"left out {text}: {why}")
        threads_text = tables.plural(workers, "thread")
        click.echo(f"{tables.plural(number, 'game')}, about {duration(seconds)} on {threads_text}")
        return

    def job(watch: Watch) -> Bracket:
        return bracket_setup(setup, games, search_games, seed, texts, threads, watch)

    result: Bracket = results.play(ctx, number, as_json or quiet, job)
    repeat = ["bracket", *asked.words(setup), *(["-s", ",".join(texts)] if texts else [])]
    repeat += ["-n", str(games), "--search-games", str(search_games), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.bracket import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe(result: Bracket) -> str:
    """Wins and scores of every strategy, then the rulebook's bands, then the verdict."""
    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}; seed {result.seed}, 95% intervals", ""]
    rows = []
    for level in result.levels:
        low, middle, high = (f"{found.value:.0f}" for found in level.quantiles.values())
        row = [level.strategy, f"{level.tally.games:,}", results.shown(level.win, True), level.word or "the bound"]
        rows.append([*row, results.shown(level.score, False), f"{low}/{middle}/{high}"])
    heads = ["strategy", "deals", "wins", "that is", setup.score, "10/50/90%"]
    lines += [tables.columns(heads, rows, flexible=(3,), right=(1,)), ""]
    own = result.levels[0].bands if result.levels else ()
    if own:
        rows = [
            [level.strategy, *(f"{100 * found.value:.1f} ±{100 * found.half:.1f}" for found in level.shares)]
            for level in result.levels
        ]
        lines += [tables.columns([f"% with {setup.score}", *(band.label for band in own)], rows, right=range(1, 9))]
        lines += [tables.paragraph("bands    " + "; ".join(f"{band.label} {band.word}" for band in own), 0, 9), ""]
    lines += [tables.paragraph(f"verdict  {text}", 0, 9) for text in result.verdict]
    lines += [tables.paragraph(f"left out {text}: {why}", 0, 9) for text, why in result.left_out]
    lines += results.finding_lines(result.findings)
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup, [level.strategy for level in result.levels])])
