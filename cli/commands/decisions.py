"""`houle decisions`: which decisions matter, and how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import DECISIONS_GAMES, DECISIONS_LEAST, DECISIONS_SEARCH
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import Decisions
    from houle.analysis.strategy.decisions import DecisionGroup


@analysis_command(
    games=DECISIONS_GAMES, least=2,
    strategies=f"The search that judges the moves: flat:N (default: {DECISIONS_SEARCH}).",
)  # fmt: skip
@click.option(
    "--least", type=click.FloatRange(0.5, 50), default=100 * DECISIONS_LEAST, show_default=True, metavar="POINTS",
    help="How many percentage points of win chance a decision must be worth to matter.",
)  # fmt: skip
def decisions(call: Call, least: float) -> None:
    """Show which decisions matter, and how much.

    Players that follow the rules of thumb play, and a search judges each of their decisions: how many moves were
    possible, and how much better the best move is than the second best, than a random one, and than the one they chose.

    \b
    Examples:
      houle decisions wave -p 3 -s flat:200
      houle decisions land-unter -p 4 -s flat:100 -n 20 --figure decisions.png
      houle decisions vague-verte --dry-run
    """
    who = f"{text.setup_title(call.setup)}, thumb plays, {', '.join(call.strategy or [DECISIONS_SEARCH])} judges"
    result = call.play(houle.decisions, call.setup, least=least / 100, about=[who])
    call.show(result, page(result), head(result))


def head(result: Decisions) -> list[str]:
    whole, games = result.whole, text.count_of(result.games, "game")
    counted = f"{games}: {text.count_of(whole.decisions, 'decision')}, {whole.choices:,} of them with a choice"
    return text.head(result, who=f"thumb plays, {result.strategy} judges", counted=counted)


def page(result: Decisions) -> list[str]:
    """The sentences and the whole game, then tables by phase and by seat."""
    lines = text.said([*result.sentences(), *result.details()])
    for part, title in (("phase", "part of the game"), ("seat", "seat")):
        lines += ["", _table(title, [group for group in result.groups if group.part == part])]
    return [*lines, *_reading(result)]


def _reading(result: Decisions) -> list[str]:
    """How to read the last columns, where plays tell something about hidden cards."""
    if "nats" not in result.measures:
        return []
    plays = (
        "tell: how much better the real hands explain what the others did than an average deal that the "
        "player to move cannot rule out (in nats), if the others play like the thumb with slips"
    )
    card = "; hidden card: the chance that this gives to the true card, where the plays say anything"
    plays += (card if "card_read" in result.measures else "") + ". One decision in six is looked at."
    return ["", text.labelled("plays", plays)]


def _table(title: str, groups: list[DecisionGroup]) -> str:
    picks: text.Picks = [
        (title, lambda group: from_1(group.label)),
        ("decisions", "decisions"),
        ("different moves", lambda group: group.estimates["kinds"]),
        ("best against second", lambda group: group.estimates["second"] if group.choices else "no choice"),
        ("best against random", lambda group: group.estimates["random"] if group.choices else ""),
        ("matters", lambda group: group.estimates["matters"] if group.choices else ""),
    ]
    if any("nats" in group.estimates for group in groups):
        picks.append(("plays tell", lambda group: group.estimates.get("nats")))
    if any("card_read" in group.estimates for group in groups):
        picks.append(("hidden card", lambda group: group.estimates.get("card_read")))
    return text.table(groups, picks)
