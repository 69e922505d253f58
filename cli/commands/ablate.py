"""`houle ablate`: what a player loses without one kind of move or one rule of thumb."""

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


@analysis_command(
    games=ABLATION_GAMES, least=2, unit="deals", strategies="Which player is restricted (default: thumb)."
)
@click.option(
    "--never", multiple=True, metavar="KIND", help="A kind of move that the player may not make; several with commas."
)
@click.option(
    "--without", multiple=True, metavar="RULE", help="A rule of thumb that the player ignores; several with commas."
)
def ablate(call: Call, never: tuple[str, ...], without: tuple[str, ...]) -> None:
    """Measure what each rule of thumb is worth by leaving it out.

    The player plays the same deals without one rule of thumb, or without one kind of move, and the table shows what
    that costs, the most costly first. In competitive games one player is restricted, in each seat in turn; otherwise
    the whole team is. Without --never and --without, all rules and kinds of moves are tried.

    \b
    Examples:
      houle ablate vague-verte -p 3 -s thumb
      houle ablate wave -v virage --never swap,reverse -n 20000
      houle ablate land-unter -s flat:50 --never high -n 200 --figure high.png
    """
    named: dict[str, Any] = {} if not never and not without else {"never": _names(never), "without": _names(without)}
    result = call.play(houle.ablate, call.setup, **named)
    call.show(result, page(result), head(result))


def _names(words: tuple[str, ...]) -> list[str]:
    return [name.strip() for word in words for name in word.replace("+", ",").split(",") if name.strip()]


def head(result: Ablation) -> list[str]:
    setup = result.setup
    who = "the whole team is" if result.one_sided and setup.players > 1 else "one side, in each seat in turn, is"
    if result.one_sided and setup.players == 1:
        who = "the player is"
    counted = f"{text.count_of(result.games, 'deal')}, {text.count_of(result.plays, 'game')}"
    return text.head(result, who=f"everyone plays {result.strategy.text}; {who} restricted", counted=counted)


def page(result: Ablation) -> list[str]:
    """What each restriction costs, and which change nothing."""
    lines = [*text.said(result.sentences()), ""]
    costly = [restriction for restriction in result.rows if restriction.cost]
    idle = [restriction for restriction in result.rows if not restriction.cost]
    if costly:
        heads = ["", "", f"{result.goal.head} lost", "certain", f"{result.setup.score} more", "possible", "made"]
        rows = [_row(restriction) for restriction in costly]
        if result.goal.is_score:  # the column would say the same again
            heads, *rows = ([*row[:4], *row[5:]] for row in (heads, *rows))
        lines += [text.columns(heads, rows, right=(len(heads) - 2, len(heads) - 1)), ""]
    lines += [text.paragraph(f"{each.option} {each.name}: {each.remark}", 0, 2) for each in idle]
    lines += [""] if costly and idle else []
    lines += [text.paragraph(f"{each.option} {each.name}: {each.text}", 0, 2) for each in costly]
    many = (
        f"certain: also when all {len(costly)} are judged together. Possible, made: in how many decisions. The "
        "first row is the restriction that certainly costs most"
    )
    return [*lines, "", text.paragraph(many, 0, 2)] if len(costly) > 1 else lines


def _row(each: AblationRow) -> list[str]:
    seen = each.chances
    often = [f"{100 * n / max(seen.decisions, 1):.1f}%" for n in (seen.possible, seen.made)] if seen else ["", ""]
    return [each.option, each.name, text.cell(each.cost), "yes" if each.stands else "", text.cell(each.score), *often]
