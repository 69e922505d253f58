"""`houle compare`: what a change of rules, players or strategy does, on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import EACH_WHO, refit_option, several_setups_options
from houle.solver.errors import InputError
from houle.solver.rules import variant_name

if TYPE_CHECKING:
    from houle import Grid, Table
    from houle.analysis.sampling.grid import Arm

measure_option = click.option(
    "--measure",
    multiple=True,
    metavar="NAME",
    help="What to measure: win, win@family, score, length:p90, draws, seat-gap, ...",
)

margin_option = click.option(
    "--margin",
    type=float,
    metavar="X",
    help="Smallest difference that matters: percentage points for rates, else units.",
)
until_sure_option = click.option(
    "--until-sure",
    is_flag=True,
    help="Play until all is known, or nearer than the margin; at most -n games.",
)


@analysis_command(least=2, strategies=EACH_WHO, setups=several_setups_options)
@measure_option
@margin_option
@until_sure_option
@click.option("--open-rules", is_flag=True, help="Change each rule that the rulebook does not settle, one at a time.")
@refit_option
def compare(
    call: Call,
    measure: tuple[str, ...],
    margin: float | None,
    until_sure: bool,
    open_rules: bool,
) -> None:
    """Compare variants of a game on the same deals.

    One variant is compared with the printed rules. Repeat -v, -p, -s or --rules, or give several values with --set
    KEY=A,B: each combination is then compared with the first, on the same deals if the number of players is the same.

    --open-rules plays every other answer to what the rulebook does not settle in this setup, one at a time, and lists
    the answers by how much they change the results. `houle rules` lists the open rules.

    \b
    Examples:
      houle compare wave --rules my.toml
      houle compare wave --rules my.toml -s family -s seasoned
      houle compare wave -v base -v tide-colours --measure win --until-sure --margin 0.5
      houle compare wave -p 3 -v nazare --open-rules
    """
    from houle.analysis.tables.compare import beside_print

    names = names_of(measure)
    if open_rules:
        if until_sure:
            raise InputError("--open-rules: cannot be combined with --until-sure")
        if len(call.asked.grid(call.strategy or (), strict=True).arms) > 1:
            raise InputError(
                "--open-rules: several setups are given; allowed: one -p, -v, -s, --rules, one value of --set"
            )
        result = call.play(houle.open_rules, call.setup, measures=names, margin=margin)
        call.show(result, text.said(result.blocks()), head(result))
        return
    grid = beside_print(asked_grid(call, names, strict=True))
    grid = replace(grid, arms=tuple(refitted(call, arm) for arm in grid.arms))
    result = call.play(
        houle.compare, grid, strategies=None, measures=names, margin=margin, until_sure=until_sure, about=about(grid)
    )
    blocks = [*result.blocks(), *(result.pairing() if call.is_verbose else [])]
    lines = [*text.said(blocks), *call.refit_lines(arm.setup for arm in grid.arms)]
    call.show(result, lines, head(result))


def refitted(call: Call, arm: Arm) -> Arm:
    """An arm whose players are fitted to its rules, if that is asked for."""
    setup = call.refitted(arm.setup)
    return arm if setup is arm.setup else replace(arm, line_up=replace(arm.line_up, setup=setup))


def names_of(texts: tuple[str, ...]) -> list[str]:
    """Names from a repeated option, split at commas."""
    return [name.strip() for text in texts for name in text.split(",")]


def asked_grid(call: Call, measures: Sequence[str], strict: bool) -> Grid:
    """All setups that the options describe, with the players of -s or of the measures."""
    from houle.analysis.measures.measures import by_player
    from houle.analysis.tables.compare import players_of_measures

    return call.asked.grid(tuple(players_of_measures(by_player(measures), call.strategies) or ()), strict)


def about(grid: Grid) -> list[str]:
    """What --dry-run says of a grid: its axes, what cannot be played, and how many setups are left."""
    axes = [f"{axis}: {', '.join(grid.shown(axis, value) for value in values)}" for axis, values in grid.axes.items()]
    return [*axes, *text.left_out_lines(grid.left_out), text.count_of(len(grid.arms), "setup")]


def head(result: Table) -> list[str]:
    """Changed rules, what all arms share, and how many games."""
    until = result.until
    known = "" if until is None else ", until all was known" if until.reached else ", and not all is known yet"
    changed = text.grid_differences(result.grid) if result.grid else text.differences(result.setup)
    return [*changed, common_line(result), f"{text.of_each(result, 'game')}{known}; {text.INTERVALS}"]


def common_line(result: Table) -> str:
    """What all arms share."""
    arms = result.arms
    words = [result.setup.ruleset.title]
    if len({arm.setup.players for arm in arms}) == 1:
        words.append(text.count_of(result.setup.players, "player"))
    names = {variant_name(arm.setup) for arm in arms}
    if len(names) == 1:
        words.append(min(names))
    elif len({arm.setup.variants for arm in arms}) == 1 and result.setup.variants:
        words.append(" + ".join(result.setup.variants))
    if len({arm.strategies for arm in arms if len(set(arm.strategies)) > 1} | {arm.strategies[0] for arm in arms}) == 1:
        words.append(text.deciders(arms[0].strategies))
    return ", ".join(words) + text.only_random(result.setup)
