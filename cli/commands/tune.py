"""`houle tune`: finds the weights of a player's rules of thumb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import (
    CHECK_GAMES,
    CHECK_SEED,
    MOST_SEED,
    SEARCH_TUNING_GAMES,
    TRAINING_SEED,
    TUNING_GAMES,
    TUNING_GENERATIONS,
    TUNING_POPULATION,
)
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import Whole, seed_option_of

if TYPE_CHECKING:
    from houle import SearchTuning, Tuning
    from houle.analysis.tuning.task import TuningTask

MOST_CHECKED = 10**9


@analysis_command(
    games=TUNING_GAMES, least=2, counted="Deals each candidate plays in a generation.", strategies=None, figure=False,
    seed=seed_option_of(TRAINING_SEED, "First training seed, 1000 or above; every generation takes the next."),
    dry_run=True,
)  # fmt: skip
@click.option("--name", default="thumb", show_default=True, metavar="NAME", help="Whose weights: thumb, rival ...")
@click.option(
    "--generations", type=Whole(1, 100_000), default=TUNING_GENERATIONS, show_default=True, metavar="N",
    help="Rounds of the search.",
)  # fmt: skip
@click.option(
    "--population", type=Whole(4, 1000), default=TUNING_POPULATION, show_default=True, metavar="N",
    help="Candidates in each.",
)  # fmt: skip
@click.option(
    "--opponent", "opponents", multiple=True, metavar="NAME[,NAME...]",
    help="Who sits on the other sides, each kind in turn; by default the present weights.",
)  # fmt: skip
@click.option("--fresh", is_flag=True, help="Start from nothing, not from the present weights.")
@click.option(
    "--minutes", type=click.FloatRange(min=0, min_open=True), metavar="X", help="End the search after this time."
)
@click.option(
    "--check-seed", type=Whole(0, MOST_SEED), default=CHECK_SEED, show_default=True, metavar="N",
    help="Seed below 1000 on which the result is measured.",
)  # fmt: skip
@click.option(
    "--check-games", type=Whole(100, MOST_CHECKED), default=CHECK_GAMES, show_default=True, metavar="N",
    help="Games of that measurement.",
)  # fmt: skip
@click.option(
    "--search", metavar="NAME", help="Leave the weights, and find the caution and noise of this search: flat:50."
)
@click.option("--write", is_flag=True, help="Put the weights into the weights file if they are better.")
def tune(call: Call, search: str | None, write: bool, **task: Any) -> None:
    """Find the weights of GAME's rules of thumb.

    CMA-ES on common random numbers: all candidates of a generation play the same deals, every generation new ones. The
    best is compared with the present weights on other training deals, and measured once on an evaluation seed. Also
    finds the temperature of the novice, who gets half of what the thumb has over random. With --search it finds how
    careful a search should be with the present weights: how sure it must be to leave the thumb's move, and how noisy
    the players are that it imagines.

    \b
    Examples:
      houle tune wave -p 3 --dry-run
      houle tune wave -p 3 -v nazare --generations 60 --write
      houle tune wave -p 3 --search flat:50 -n 100
    """
    from houle.analysis.tuning.search import plan_tuning

    if search is not None:
        calibrate(call, search, write)
        return
    if call.dry_run:
        plan = plan_tuning(call.setup, games=call.games, seed=call.seed, threads=call.threads, **task)
        click.echo("\n".join(plan_lines(plan)))
        return
    result = call.play(houle.tune, call.setup, **task)
    result = result.store() if write else result
    call.tell(result, page(result, write), [result.toml.rstrip()])


def calibrate(call: Call, search: str, write: bool) -> None:
    """Caution and noise of a search; nothing of it can be told beforehand."""
    games = call.games if call.given("games") else SEARCH_TUNING_GAMES
    result = call.play(houle.tune_search, call.setup, search, games=games)
    result = result.store() if write else result
    call.tell(result, search_page(result, write), text.differences(call.setup))


def search_page(result: SearchTuning, write: bool) -> list[str]:
    """Every candidate, what was chosen and what it has over the thumb."""
    score = result.setup.score
    rows = [[f"{one.caution:g}", f"{one.noise:g}", text.shown(one.win, True), text.shown(one.score)]
            for one in result.tried]  # fmt: skip
    lines = [
        text.table_line(result.setup),
        "",
        text.columns(["caution", "noise", "wins", score], rows, right=(0, 1)),
        "",
    ]
    over = [text.shown(gain, True).replace("%", "", 1) for gain in (result.over_thumb, result.over_present)]
    lines.append(f"chosen   caution {result.caution:g}, noise {result.noise:g} for {result.search.text}")
    lines.append(
        f"gain     {over[0]} points over the thumb, {over[1]} over the present settings, on {result.deals} deals"
    )
    lines.append(f"{score:<8} {text.shown(result.score_over_thumb)} more than the thumb")
    if write:
        lines.append(f"written  {result.written}" if result.written else "not written: as the present settings are")
    return lines


def page(result: Tuning, write: bool) -> list[str]:
    """What was reached, and what became of it."""
    lines = [*text.differences(result.setup), text.table_line(result.setup), f"reaches  {result.reach_text}"]
    if result.better:
        gain = text.shown(result.better, percent=True).replace("%", "", 1)
        lines.append(f"gain     {gain} percentage points over the present weights, on {result.better.n:,} other deals")
    if result.idle:
        idle = f"idle     {', '.join(result.idle)}: never tell two moves apart at this table"
        lines.append(text.paragraph(idle, 0, 9))
    lines.append(f"search   {_search(result.task)}, {result.games:,} games")
    if write:
        better = f"written  {result.written}" if result.written else "not written: no better than the present weights"
        lines.append(better)
    return lines


def _search(task: TuningTask) -> str:
    generations = text.plural(task.generations, "generation")
    return f"{generations} of {task.population} candidates on {task.games:,} deals each"


def plan_lines(task: TuningTask) -> list[str]:
    """What would be done, with the time that a few games predict."""
    whom = ", ".join(other.text for other in task.others)
    start = "nothing" if task.fresh or not task.present else "the present ones"
    return [
        *text.differences(task.setup),
        text.table_line(task.setup),
        f"weights  {task.name}, starting from {start}",
        f"search   {_search(task)}" + (f", against {whom}, from every side" if whom else ""),
        f"seeds    {task.seed} to {task.last_seed} for training, {task.check_seed} for the measurement",
        f"in all   {text.plural(task.total_games, 'game')}, about {task.expected_seconds() / 60:.1f} minutes",
    ]
