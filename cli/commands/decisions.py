"""`houle decisions`: how much there is to decide, and how much hangs on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch
from houle.solver.ruleset import RulesetError

if TYPE_CHECKING:
    from houle.analysis.strategy.decisions import Decisions, Group

GAMES = 40
ALPHA = 0.05


@click.command()
@options.setup_options
@click.option(
    "-s", "--strategy", default="flat:200", show_default=True, metavar="NAME", help="The search in every seat: flat:N."
)
@click.option(
    "-n", "--games", type=options.Whole(2, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=GAMES, show_default=True,
    metavar="N", help="How many games.",
)  # fmt: skip
@click.option(
    "--alpha", type=float, default=ALPHA, show_default=True, metavar="X", help="False alarms that a test may raise."
)
@options.seed_option
@options.threads_option
@click.option("--dry-run", is_flag=True, help="Say how long it would take, from one game.")
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def decisions(
    ctx: click.Context,
    asked: options.Asked,
    strategy: str,
    games: int,
    alpha: float,
    seed: int,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """What players of GAME decide about, and what hangs on it.

    Flat search in every seat notes each decision: how many moves there are, and by how much the best one is better
    than the second best, than a random one and than the thumb's own, in the search's measure of the end (0 to 1). The
    best is chosen on one half of the imagined worlds and scored on the other. Intervals are clustered by game.
    -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle decisions wave -p 3 -s flat:200
      houle decisions land-unter -p 4 -s flat:100 -n 20 --figure decisions.png
      houle decisions vague-verte --dry-run
    """
    from houle.analysis.strategy import decisions as analysis

    results.check_files(out, figure)
    if not 0 < alpha < 0.5:
        raise RulesetError(f"--alpha: {alpha:g} is not allowed; allowed: a number between 0 and 0.5")
    setup = asked.setup()
    search = analysis.searching(strategy)
    if dry_run:
        from houle.solver.run import default_threads

        one = analysis.note_decisions(setup, search, 1, seed, 0, alpha, 1)
        minutes = one.seconds * games / (threads or default_threads()) / 60
        found = f"{tables.plural(games, 'game')}, {one.whole.decisions:,} decisions in the first of them"
        click.echo(f"{tables.table_line(setup)}, {search.text} in every seat\n{found}, about {minutes:.1f} minutes")
        return

    def job(watch: Watch) -> Decisions:
        return analysis.note_decisions(setup, search, games, seed, 0, alpha, threads, watch)

    result: Decisions = results.play(ctx, games, as_json or quiet, job)
    repeat = ["decisions", *asked.words(setup), "-s", search.text, "-n", str(result.games)]
    repeat += (["--alpha", str(alpha)] if alpha != ALPHA else []) + ["--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.decisions import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe(result: Decisions) -> str:
    """The whole game in a list, then its phases and seats in tables."""
    from houle.analysis.strategy.decisions import MEASURES, SHARES

    setup, whole = result.setup, result.whole
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}, {result.strategy} in every seat"]
    counted = f"{tables.plural(whole.decisions, 'decision')}, {whole.choices:,} of them with a choice"
    lines += [f"{tables.plural(result.games, 'game')} of seed {result.seed}: {counted}; 95% intervals", ""]
    rows = [[MEASURES[name], results.shown(whole.estimates[name], name in SHARES)] for name in MEASURES]
    lines.append(tables.columns(["measure", "estimate"], rows))
    parts = (("phase", "decisions of a game, in order"), ("seat", "seat"))
    for part, title in parts:
        groups = [group for group in result.groups if group.part == part]
        lines += ["", _table(title, groups)]
    half = (result.line_up.strategies[0].budget + 1) // 2
    text = (
        "stakes   differences of the search's measure of the end, from 0 to 1, where there is a choice; the best move "
        "was chosen on one half of the worlds and scored on the other. A choice matters if its best move beats a "
        f"random one beyond the error of those {half} worlds, with {100 * result.alpha:g}% false alarms taken off; "
        "more worlds see smaller stakes."
    )
    lines += ["", tables.paragraph(text, 0, 9)]
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup)])


def _table(title: str, groups: list[Group]) -> str:
    rows = []
    for group in groups:
        found = group.estimates
        if not group.choices:
            rows.append([group.label, f"{group.decisions:,}", results.shown(found["kinds"]), "no choice", "", ""])
            continue
        rows.append(
            [
                group.label,
                f"{group.decisions:,}",
                results.shown(found["kinds"]),
                results.shown(found["second"]),
                results.shown(found["random"]),
                results.shown(found["matters"], True),
            ]
        )
    heads = [title, "n", "moves that differ", "best against second", "best against random", "matters"]
    return tables.columns(heads, rows, right=(1,))
