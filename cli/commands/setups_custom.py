"""`houle setups --setup`: a start of one's own beside the free deal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework import results
from houle.cli.framework import text as tables

if TYPE_CHECKING:
    from houle.analysis.fairness.custom_opening import Arranged
    from houle.cli.framework.progress import Watch
    from houle.solver.ruleset import Setup


def tell_arranged(
    ctx: click.Context,
    setup: Setup,
    names: tuple[str, ...],
    wish: str,
    games: int,
    seed: int,
    threads: int | None,
    repeat: list[str],
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """Plays it and prints the result."""
    from houle.analysis.fairness.custom_opening import play_arranged

    def job(watch: Watch) -> Arranged:
        return play_arranged(setup, wish, games, seed, names, threads, watch)

    result: Arranged = results.play(ctx, games, as_json or quiet, job)
    repeat += ["--setup", result.wish, "-n", str(result.games), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.custom_opening import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe(result: Arranged) -> str:
    """A page: every side with the wish, with the free deal, and the difference on the same games."""
    from houle.cli.commands.setups import more

    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}, {tables.deciders(result.strategies)}"]
    lines.append(tables.paragraph(f"setup    {result.wish}; the rest is dealt at random", 0, 9))
    lines.append(
        f"{tables.plural(result.games, 'game')} of each, the same luck in both, seed {result.seed}, 95% intervals"
    )
    rows, scores = [], []
    for side in result.sides:
        wins = (results.shown(side.win, percent=True), results.shown(side.free_win, percent=True))
        rows.append([side.name, *wins, more(side.win_more, percent=True)])
        scores.append(
            [side.name, results.shown(side.score), results.shown(side.free_score), more(side.score_more)]
        )  # fmt: skip
    lines += ["", tables.columns(["wins", "this setup", "free deal", "more"], rows)]
    lines += ["", tables.columns([setup.score, "this setup", "free deal", "more"], scores), ""]
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup, result.strategies)])
