"""`houle sweep`: every combination of settings, and which of them fit a target."""

from __future__ import annotations

import click

import houle
from houle.cli.commands.compare import (
    about,
    asked_grid,
    head,
    margin_option,
    measure_option,
    names_of,
    until_sure_option,
)
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import EACH_WHO, several_setups_options


@analysis_command(strategies=EACH_WHO, setups=several_setups_options)
@measure_option
@click.option(
    "--target",
    multiple=True,
    metavar="TARGET",
    help="List the setups in a range first, as in win=35%..45% or win=40%@thumb.",
)
@until_sure_option
@margin_option
@click.option("--cards", is_flag=True, help="Instead: take each card out, or add one, and rank the cards.")
def sweep(
    call: Call,
    measure: tuple[str, ...],
    target: tuple[str, ...],
    until_sure: bool,
    margin: float | None,
    cards: bool,
) -> None:
    """Play every combination of the settings you give.

    Repeat -v, -p, -s or --rules, or give several values with --set KEY=A,B or KEY=LOW..HIGH. houle plays every
    combination and shows one line for each. With --target it first lists the combinations that fit, then the others,
    nearest first. A target with one value allows 2 percentage points more or less for a rate, and 2% for other numbers.

    \b
    Examples:
      houle sweep wave --set hand.back=0..4 --set talk=silent,points,known,open -p 2 -p 3 -p 4
      houle sweep wave --set hand.back=0..4 -s thumb --target win=35%..45% -o hands.png
      houle sweep wave --set hand.back=0..4 --target win=35%..45% --until-sure --margin 0.5
      houle sweep vague-verte --set road=5..9 -p 2 -p 4 --measure length --dry-run
      houle sweep sea-change -p 4 --cards
    """
    if cards:
        result = call.play(houle.card_effects, call.setup)
        call.show(result, text.said(result.blocks()), head(result))
        return
    names = names_of(measure)
    grid = asked_grid(call, names, strict=False)
    if len(grid.arms) + len(grid.left_out) == 1:
        several = "--set KEY=A,B or KEY=LOW..HIGH, or several -p, -v, -s or --rules"
        raise click.UsageError(f"sweep: nothing varies; give {several}. For one setup use houle simulate")
    result = call.play(
        houle.sweep,
        grid,
        strategies=None,
        measures=names,
        targets=target,
        until_sure=until_sure,
        margin=margin,
        about=about(grid),
    )
    call.show(result, text.said(result.blocks()), head(result))
