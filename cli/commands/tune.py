"""`houle tune`: finds better weights for the rules of thumb of a game."""

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
from houle.cli.framework.options import seed_option_of, whole_option

if TYPE_CHECKING:
    from houle import SearchTuning, Tuning
    from houle.analysis.tuning.tuning_run import TuningTask
    from houle.analysis.tuning.weights_file import TunedPlayer

MOST_CHECKED = 10**9


@analysis_command(
    games=TUNING_GAMES, least=2, counted="How many deals each candidate plays per round.", strategies=None,
    figure=False,
    seed=seed_option_of("First random seed for training, 1000 or more; each round takes one.", TRAINING_SEED),
)  # fmt: skip
@click.option(
    "--weights",
    "name",
    default="thumb",
    show_default=True,
    metavar="NAME",
    help="Which weights to improve: thumb, rival, ...",
)
@whole_option("--generations", least=1, most=100_000, default=TUNING_GENERATIONS, help="How many rounds to search.")
@whole_option(
    "--population", least=4, most=1000, default=TUNING_POPULATION, help="How many candidates to try per round."
)
@click.option(
    "--opponent", "opponents", multiple=True, metavar="NAME[,NAME...]",
    help="Who plays on the other sides, one kind after the other (default: the present weights).",
)  # fmt: skip
@click.option("--from-scratch", "fresh", is_flag=True, help="Do not start from the present weights.")
@click.option(
    "--minutes", type=click.FloatRange(min=0, min_open=True), metavar="X", help="Stop the search after this time."
)
@whole_option(
    "--check-seed", least=0, most=MOST_SEED, default=CHECK_SEED, help="Random seed below 1000 to measure the result."
)
@whole_option(
    "--check-games", least=100, most=MOST_CHECKED, default=CHECK_GAMES, help="How many games to measure the result."
)
@click.option("--search", metavar="NAME", help="Tune this search instead of the weights, as in flat:50.")
@click.option("--save", is_flag=True, help="Store the result in the weights file of the game if it is better.")
@click.option(
    "--for-this-setup",
    is_flag=True,
    help="With --save: store it only for setups with the same rules (default: for this number of players).",
)
def tune(call: Call, search: str | None, save: bool, for_this_setup: bool, **task: Any) -> None:
    """Improve the rules of thumb that simulated players follow.

    Each rule of thumb has a weight. houle tries many weights on the same deals (CMA-ES), compares the best with the
    present weights on other deals, and measures the result on deals that were not used before.

    With --search it tunes a search instead: how much it keeps to the rules of thumb (caution), and how often the
    players that it imagines slip (noise).

    \b
    Examples:
      houle tune wave -p 3 --dry-run
      houle tune wave -p 3 -v nazare --generations 60 --save
      houle tune wave -p 3 --search flat:50 -n 100
    """
    from houle.analysis.tuning.search import plan_tuning

    if search is not None:
        tune_search(call, search, save, for_this_setup)
        return
    task["for_this_setup"] = for_this_setup
    about = plan_lines(plan_tuning(call.setup, games=call.games, seed=call.seed, **task))
    result = call.play(houle.tune, call.setup, **task, about=about)
    result = result.store() if save else result
    call.show(result, page(result, save), [result.toml.rstrip()])


def tune_search(call: Call, search: str, save: bool, for_this_setup: bool) -> None:
    """Finds the caution and noise of a search."""
    games = call.games if call.given("games") else SEARCH_TUNING_GAMES
    about = [f"{text.setup_title(call.setup)}, {search}"]
    bound = {"for_this_setup": for_this_setup}
    result = call.play(houle.tune_search, call.setup, search, games=games, about=about, **bound)
    result = result.store() if save else result
    call.show(result, search_page(result, save), text.differences(call.setup))


def search_page(result: SearchTuning, save: bool) -> list[str]:
    """All candidates, which was chosen, and how much better it is than the rules of thumb."""
    from houle.analysis.measures.goal import Goal

    score = result.setup.score
    rows = [[f"{one.caution:g}", f"{one.noise:g}", one.win.text(), one.score.text()] for one in result.tried]
    lines = [
        text.setup_title(result.setup),
        "",
        text.columns(["caution", "noise", "wins", score], rows, right=(0, 1)),
        "",
    ]
    goal = Goal(result.setup)
    over = f"{goal.says(result.over_thumb)} over thumb, {goal.says(result.over_present)} over the present settings"
    lines.append(f"chosen   caution {result.caution:g}, noise {result.noise:g} for {result.search.text}")
    lines.append(f"gain     {over}, on {result.deals} deals")
    lines += [] if goal.is_score else [f"{score:<8} {result.score_over_thumb.text()} more than thumb"]
    if save:
        lines.append(saved(result) if result.written else "not saved: same as the present settings")
    return lines


def saved(result: TunedPlayer) -> str:
    """Where it was stored, and for which setups."""
    whom = ", ".join(f"{key}={value}" for key, value in result.entry["when"].items())
    return text.labelled("saved", f"{result.written}, for {whom}")


def page(result: Tuning, save: bool) -> list[str]:
    """What the new weights reach, and whether they were saved."""
    lines = [*text.differences(result.setup), text.setup_title(result.setup), f"reaches  {result.reach_text}"]
    if result.better:
        gain = f"{result.task.goal.says(result.better)} over the present weights"
        lines.append(f"gain     {gain}, on {result.better.n:,} other deals")
    if result.idle:
        lines.append(text.labelled("unused", f"{', '.join(result.idle)}: never differ between two moves in this setup"))
    lines.append(f"search   {_search(result.task)}, {result.games:,} games")
    if save:
        lines.append(saved(result) if result.written else "not saved: no better than the present weights")
    return lines


def _search(task: TuningTask) -> str:
    generations = text.count_of(task.generations, "round")
    return f"{generations} of {task.population} candidates on {task.games:,} deals each"


def plan_lines(task: TuningTask) -> list[str]:
    """What --dry-run prints."""
    whom = ", ".join(other.text for other in task.others)
    start = "nothing" if task.fresh or not task.present else "the present ones"
    return [
        *text.differences(task.setup),
        text.setup_title(task.setup),
        f"weights  {task.name}, starting from {start}",
        f"search   {_search(task)}" + (f", against {whom}, on each side in turn" if whom else ""),
        f"seeds    {task.seed} to {task.last_seed} for training, {task.check_seed} to measure the result",
    ]
