"""`houle tune`: finds the weights of a player's rules of thumb."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_SEED
from houle.cli.framework import options
from houle.cli.framework import text as tables
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.progress import Stop, Watch

if TYPE_CHECKING:
    from houle.analysis.tuning.search import Tuned
    from houle.analysis.tuning.task import Task

GENERATIONS, POPULATION, GAMES, SEED = 40, 16, 1000, 1000
MOST_GAMES = 10**9
SAMPLE = 400  # deals that tell how long it will take


@click.command()
@options.setup_options
@click.option("--name", default="thumb", show_default=True, metavar="NAME", help="Whose weights: thumb, rival ...")
@click.option(
    "--generations",
    type=options.Whole(1, 100_000),
    default=GENERATIONS,
    show_default=True,
    metavar="N",
    help="Rounds of the search.",
)
@click.option(
    "--population",
    type=options.Whole(4, 1000),
    default=POPULATION,
    show_default=True,
    metavar="N",
    help="Candidates in each.",
)
@click.option(
    "-n",
    "--games",
    type=options.Whole(2, MOST_GAMES),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Deals each candidate plays in a generation.",
)
@click.option(
    "--seed",
    type=options.Whole(0, MOST_SEED // 2),
    default=SEED,
    show_default=True,
    metavar="N",
    help="First training seed, 1000 or above; every generation takes the next.",
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="Who sits on the other sides, each kind in turn; by default the present weights.",
)
@click.option("--fresh", is_flag=True, help="Start from nothing, not from the present weights.")
@click.option(
    "--minutes", type=click.FloatRange(min=0, min_open=True), metavar="X", help="End the search after this time."
)
@click.option(
    "--check-seed",
    type=options.Whole(0, MOST_SEED),
    default=7,
    show_default=True,
    metavar="N",
    help="Seed below 1000 on which the result is measured.",
)
@click.option(
    "--check-games",
    type=options.Whole(100, MOST_GAMES),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Games of that measurement.",
)
@options.threads_option
@click.option("--dry-run", is_flag=True, help="Say what would be done and how long it takes.")
@click.option("--write", is_flag=True, help="Put the weights into the weights file if they are better.")
@options.json_option
@options.quiet_option
@click.pass_context
def tune(
    ctx: click.Context,
    asked: options.Asked,
    name: str,
    generations: int,
    population: int,
    games: int,
    seed: int,
    opponents: tuple[str, ...],
    fresh: bool,
    minutes: float | None,
    check_seed: int,
    check_games: int,
    threads: int | None,
    dry_run: bool,
    write: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the weights of GAME's rules of thumb.

    CMA-ES on common random numbers: all candidates of a generation play the same deals, every generation new ones. The
    best is compared with the present weights on other training deals, and measured once on an evaluation seed. Also
    finds the temperature of the novice, who gets half of what the thumb has over random.

    \b
    Examples:
      houle tune wave -p 3 --dry-run
      houle tune wave -p 3 -v nazare --generations 60 --write
    """
    from houle.analysis.tuning import search as tuning
    from houle.analysis.tuning import task as training
    from houle.analysis.tuning import weights_file as weights
    from houle.solver.strategies.player import split

    setup = asked.setup()
    others = tuple(part for text in opponents for part in split(text))
    task = training.Task(
        setup, name, generations, population, games, seed, others, fresh, minutes, check_seed, check_games, threads
    )
    if dry_run:
        click.echo(describe_plan(task))
        return
    words = ["tune", *asked.words(setup), "--name", name]
    after = ["--population", str(population), "-n", str(games), "--seed", str(seed)]
    after += [word for other in others for word in ("--opponent", other)] + (["--fresh"] if fresh else [])
    after += ["--check-seed", str(check_seed), "--check-games", str(check_games)]
    try:
        with Watch(task.total_games, silent=as_json or quiet) as watch:
            found = tuning.tune(task, watch.tell)
    except (Stop, tuning.Interrupted) as fault:
        done = fault.generations if isinstance(fault, tuning.Interrupted) else 0
        line = "interrupted"
        if done:
            part = options.shell_line([*words, "--generations", str(done), *after])
            line += f" after {tables.plural(done, 'generation')}; this ends there: {part}"
        click.echo(f"houle: {line}", err=True)
        ctx.exit(INTERRUPTED)
    command = options.shell_line([*words, "--generations", str(found.generations), *after])
    player = weights.entry(found, command)
    written = weights.store(setup.ruleset.name, player) if write and found.improved else None
    if as_json:
        click.echo(json.dumps({**player, **_facts(found), "written": bool(written)}, indent=2))
        return
    click.echo(weights.as_toml(player), nl=False)
    click.echo("\n" + describe(found))
    if write:
        click.echo(f"written  {written}" if written else "not written: no better than the present weights")
    click.echo(f"repeat   {command}")


def _facts(found: Tuned) -> dict[str, object]:
    better = found.better
    return {
        "generations": found.generations,
        "better": {"gain": better.value, "low": better.low, "high": better.high, "n": better.n} if better else None,
        "reach": {
            other or "alone": {"rate": reach.value, "low": reach.low, "high": reach.high, "n": reach.n}
            for other, reach in found.reach.items()
        },
        "idle": list(found.idle),
        "seconds": found.seconds,
    }


def describe(found: Tuned) -> str:
    from houle.analysis.tuning.weights_file import reach_text

    task = found.task
    lines = [f"reaches  {reach_text(found)}"]
    if found.better:
        value, low, high = (100 * x for x in (found.better.value, found.better.low, found.better.high))
        gain = tables.estimate(value, low, high)
        lines.append(f"gain     {gain} percentage points over the present weights, on {found.better.n:,} other deals")
    if found.novice is None:
        lines.append("novice   none: the thumb is not better than random")
    if found.idle:
        lines.append(
            tables.paragraph(f"idle     {', '.join(found.idle)}: never tell two moves apart at this table", 0, 9)
        )
    lines.append(f"search   {_search(task, found.generations)}, {found.games:,} games")
    lines.append(f"time     {found.seconds:.1f} s")
    return "\n".join(lines)


def _search(task: Task, generations: int) -> str:
    return f"{tables.plural(generations, 'generation')} of {task.population} candidates on {task.games:,} deals each"


def describe_plan(task: Task) -> str:
    """What would be done, with the time that a few games predict."""
    from houle.analysis.sampling.same_deals import same_deals
    from houle.analysis.tuning.task import thumb

    arm = task.arm(task.present or thumb({}))
    rate = SAMPLE * len(arm) / same_deals(task.setup, [arm], task.seed, SAMPLE, 0, task.threads).seconds
    whom = ", ".join(other.text for other in task.others)
    start = "nothing" if task.fresh or not task.present else "the present ones"
    last = task.seed + task.generations + 2
    lines = [
        tables.table_line(task.setup),
        f"weights  {task.name}, starting from {start}",
        f"search   {_search(task, task.generations)}" + (f", against {whom}, from every side" if whom else ""),
        f"seeds    {task.seed} to {last} for training, {task.check_seed} for the measurement",
        f"in all   {tables.plural(task.total_games, 'game')}, about {task.total_games / rate / 60:.1f} minutes",
    ]
    return "\n".join(lines)
