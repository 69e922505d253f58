"""`houle tune`: finds better weights for the rules of thumb of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import (
    CHECK_GAMES,
    TRAINING_SEED,
    TUNING_GAMES,
    TUNING_GENERATIONS,
    TUNING_POPULATION,
)
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import seed_option_of, whole_option

if TYPE_CHECKING:
    from houle import Tuning
    from houle.analysis.players.tuning_run import TuningTask

MOST_CHECKED = 10**9


@analysis_command(
    games=TUNING_GAMES,
    least=2,
    counted="How many deals each candidate plays per round.",
    strategies="Who plays on the other sides, one kind after the other (default: the present weights).",
    figure=False,
    seed=seed_option_of("First random seed for training, 1000 or more; each round takes one.", TRAINING_SEED),
)
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
@whole_option(
    "--check-games", least=100, most=MOST_CHECKED, default=CHECK_GAMES, help="How many games to measure the result."
)
@click.option("--save", is_flag=True, help="Store the result in the weights file of the game if it is better.")
def tune(call: Call, save: bool, **task: Any) -> None:
    """Improve the rules of thumb that simulated players follow.

    Each rule of thumb has a weight. houle tries many weights on the same deals (CMA-ES), compares the best with the
    present weights on other deals, and measures the result on deals that were not used before.

    \b
    Examples:
      houle tune wave -p 3 --dry-run
      houle tune wave -p 3 -v nazare --generations 60 --save
      houle tune land-unter -p 4 -s random -s thumb
    """
    from houle.analysis.players.tune import plan_tuning

    task["opponents"] = call.strategies
    about = plan_lines(plan_tuning(call.setup, games=call.games, seed=call.seed, **task))
    result = replace(call, strategy=None).play(houle.tune, call.setup, **task, about=about)
    result = result.store() if save else result
    call.show(result, page(result, save), [result.toml.rstrip()])


def saved(result: Tuning) -> str:
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
    start = "the present ones" if task.present else "nothing"
    return [
        *text.differences(task.setup),
        text.setup_title(task.setup),
        f"weights  {task.name}, starting from {start}",
        f"search   {_search(task)}" + (f", against {whom}, on each side in turn" if whom else ""),
        f"seeds    {task.seed} to {task.last_seed} for training, {task.check_seed} to measure the result",
    ]
