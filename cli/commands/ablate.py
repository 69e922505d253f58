"""`houle ablate`: what a strategy loses if it may never do something, or ignores one of its rules of thumb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import ABLATION_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Ablation
    from houle.analysis.strategy.ablation import AblationRow


@analysis_command(games=ABLATION_GAMES, least=2, unit="deals", strategies="Who is restricted; the thumb by default.")
@click.option("--never", multiple=True, metavar="SORT", help="A sort of move it may never make; several with commas.")
@click.option("--without", multiple=True, metavar="RULE", help="A rule of thumb it ignores; several with commas.")
def ablate(call: Call, never: tuple[str, ...], without: tuple[str, ...]) -> None:
    """What a strategy of GAME loses by never doing something.

    Every sort of move that it may never make and every rule of thumb that it ignores, on the same deals, ranked by
    what it certainly costs. One side is restricted against unrestricted ones, from every seat in turn; where all play
    together the whole team is. Without --never and --without all of both are tried.

    \b
    Examples:
      houle ablate vague-verte -p 3 -s thumb
      houle ablate wave -v virage --never swap,reverse -n 20000
      houle ablate land-unter -s flat:50 --never high -n 200 --figure high.png
    """
    named: dict[str, Any] = {} if not never and not without else {"never": _names(never), "without": _names(without)}
    result = call.play(houle.ablate, call.setup, **named)
    call.tell(result, page(result), head(result))


def _names(words: tuple[str, ...]) -> list[str]:
    return [name.strip() for word in words for name in word.replace("+", ",").split(",") if name.strip()]


def head(result: Ablation) -> list[str]:
    setup = result.setup
    who = "the whole team" if result.one_sided and setup.players > 1 else "one side, from every seat in turn,"
    if result.one_sided and setup.players == 1:
        who = "the player"
    counted = f"{text.plural(result.games, 'deal')} of seed {result.seed}, {text.plural(result.plays, 'game')}"
    return [
        *text.differences(setup),
        f"{text.table_line(setup)}; {who} restricted, {result.strategy.text}",
        f"{counted}; 95% intervals, clustered by deal",
    ]


def page(result: Ablation) -> list[str]:
    """A table of what each restriction costs, and a list of those that cost nothing because nothing happens."""
    lines = [f"unrestricted it wins {text.shown(result.free, True)}", ""]
    costly = [restriction for restriction in result.restrictions if restriction.cost]
    idle = [restriction for restriction in result.restrictions if not restriction.cost]
    if costly:
        heads = ["", "", "wins lost, points", "certain", f"{result.setup.score} more", "can be made", "made"]
        lines += [text.columns(heads, [_row(restriction) for restriction in costly], right=(5, 6)), ""]
    lines += [text.paragraph(f"{each.option} {each.name}: {each.remark}", 0, 2) for each in idle]
    lines += [""] if costly and idle else []
    lines += [text.paragraph(f"{each.option} {each.name}: {each.text}", 0, 2) for each in costly]
    if any(each.stands and each.cost and each.cost.value < 0 for each in costly):
        among = "the restricted team" if result.one_sided else "among players who are not restricted, who is"
        lines += ["", text.paragraph(f"below 0: {among} wins more", 0, 2)]
    many = (
        f"certain: beside all {len(costly)} costs of this page together (Holm), not one by one; the first of the list "
        "is the one that certainly costs most"
    )
    return [*lines, "", text.paragraph(many, 0, 2)] if len(costly) > 1 else lines


def _row(each: AblationRow) -> list[str]:
    seen = each.chances
    often = [f"{100 * n / max(seen.decisions, 1):.1f}%" for n in (seen.possible, seen.made)] if seen else ["", ""]
    lost = text.shown(each.cost, True).replace("%", "", 1)
    return [each.option, each.name, lost, "yes" if each.stands else "", text.shown(each.score), *often]
