"""`python -m tools.bench`: time random play, search, a kernel beside C, or pages.

Machines are noisy, so each line is measured several times in turn, and ratios are taken within a turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from houle.solver.rules import game_names, load
from tools.bench import first_use, in_c, random_play, search, studio


@click.command()
@click.argument("games", nargs=-1)
@click.option("--repeats", type=click.IntRange(1, 99), default=5, show_default=True, help="Measurements of each line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("--search", "of_search", is_flag=True, help="Time search: plies in flat search, simulations of ismcts.")
@click.option("--in-c", "beside_c", is_flag=True, help="Compare random play of WAVE with the same in C (needs `cc`).")
@click.option(
    "--studio",
    "changes",
    type=click.IntRange(1, 999),
    help="Time so many changes of rules in the studio (needs Chromium).",
)
@click.option("--first-use", "of_first_use", is_flag=True, help="Time pages of games that are not compiled (Chromium).")
def bench(
    games: tuple[str, ...],
    repeats: int,
    as_json: bool,
    of_search: bool,
    beside_c: bool,
    changes: int | None,
    of_first_use: bool,
) -> None:
    """Time random play of GAMES (default: all) on one thread.

    Prints the median and the range of the repeats.

    \b
    Example:
      python -m tools.bench wave --repeats 9
    """
    names = [load(name).name for name in games or game_names()]
    describe: Callable[[dict[str, Any]], str]
    if changes:
        report, describe = studio.bench_studio(names, changes), studio.describe
    elif of_first_use:
        report, describe = first_use.bench_first_use(names), first_use.describe
    elif beside_c:
        report, describe = in_c.bench_in_c(repeats), in_c.describe
    elif of_search:
        report, describe = search.bench_search(names, repeats), search.describe
    else:
        report, describe = random_play.bench_random(names, repeats), random_play.describe
    click.echo(json.dumps(report, indent=1) if as_json else describe(report))


if __name__ == "__main__":
    bench()
