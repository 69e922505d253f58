"""`houle decisions`: how much there is to decide, and how much hangs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import DECISIONS_GAMES, DECISIONS_LEAST, DECISIONS_SEARCH, LEAST_WORLDS
from houle.analysis.result import shown_side
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Decisions
    from houle.analysis.strategy.decisions import Group


SAMPLE = 6  # games of a dry run
SHORT_GAME = 0.2  # seconds; of longer ones a dry run plays one


@analysis_command(
    games=DECISIONS_GAMES, least=2, strategies=f"The search that judges: flat:N; {DECISIONS_SEARCH} by default.",
    first=True, dry_run=True,
)  # fmt: skip
@click.option(
    "--least", type=click.FloatRange(0.5, 50), default=100 * DECISIONS_LEAST, show_default=True, metavar="POINTS",
    help="How many points of win chance a choice must be worth to matter.",
)  # fmt: skip
def decisions(call: Call, least: float) -> None:
    """What players of GAME decide about, and what hangs on it.

    Thumbs play, and flat search judges every decision: how many moves there are, and by how much the best one is better
    than the second best, than a random one and than the thumb's own, in the search's measure of the end (0 to 1). The
    best is chosen on one half of the imagined worlds and scored on the other. Intervals are clustered by game.

    \b
    Examples:
      houle decisions wave -p 3 -s flat:200
      houle decisions land-unter -p 4 -s flat:100 -n 20 --figure decisions.png
      houle decisions vague-verte --dry-run
    """
    if call.dry_run:
        click.echo("\n".join(plan(call)))
        return
    result = call.play(houle.decisions, call.setup, first=call.first, least=least / 100)
    call.tell(result, page(result), head(result))


def plan(call: Call) -> list[str]:
    """What would be played, with the time that a few games predict: games of some tables differ a hundredfold.

    The games are judged in few worlds, and the time of a decision grows with the worlds.
    """
    from houle.analysis.sampling.lineups import one_strategy

    strategy = one_strategy("decisions", call.strategies, DECISIONS_SEARCH)
    few = min(LEAST_WORLDS, strategy.budget)
    words: dict[str, Any] = {
        "first": call.first,
        "threads": 1,
        "strategies": strategy.text.replace(f":{strategy.budget}", f":{few}", 1),
    }
    sample = call.play(houle.decisions, call.setup, games=1, **words)
    if sample.seconds < SHORT_GAME and call.games > 1:
        sample = call.play(houle.decisions, call.setup, games=min(SAMPLE, call.games), **words)
    time = text.duration(sample.expected_seconds(call.games, call.threads) * strategy.budget / max(few, 1))
    tried = f"the first {text.plural(sample.games, 'game')}: {text.plural(sample.whole.decisions, 'decision')}"
    return [
        f"{text.table_line(call.setup)}, thumbs play, {strategy.text} judges",
        f"{text.plural(call.games, 'game')}, about {time}, as {tried} predict; a game that drags on takes longer",
    ]


def head(result: Decisions) -> list[str]:
    whole = result.whole
    counted = f"{text.plural(whole.decisions, 'decision')}, {whole.choices:,} of them with a choice"
    return [
        *text.differences(result.setup),
        f"{text.table_line(result.setup)}, thumbs play, {result.strategy} judges",
        f"{text.plural(result.games, 'game')} of seed {result.seed}: {counted}; 95% intervals",
    ]


def page(result: Decisions) -> list[str]:
    """The whole game in a list, then its phases and seats in tables."""
    whole = result.whole.estimates
    rows = [[about, text.shown(whole[name], name in result.shares)] for name, about in result.measures.items()]
    lines = [text.columns(["measure", "estimate"], rows)]
    for part, title in (("phase", "decisions of a game, in order"), ("seat", "seat")):
        lines += ["", _table(title, [group for group in result.groups if group.part == part])]
    stakes = (
        "stakes   differences of the search's measure of the end, from 0 to 1, where there is a choice; the best move "
        "was chosen on one half of the worlds and scored on the other, so they are at least this. A choice matters if "
        f"its best move wins at least {100 * result.least:g} points more than a random one; how many do is read from "
        "the distribution behind the noisy gains, so that it does not hang on the number of worlds."
    )
    return [*lines, "", text.paragraph(stakes, 0, 9), *_reading(result)]


def _reading(result: Decisions) -> list[str]:
    if "nats" not in result.measures:
        return []
    told = (
        "plays    by how many nats the real hands explain what the others did better than an average deal that the "
        "seat cannot tell from the real one, if they are taken for blurred thumbs"
    )
    card = "; and the chance that this gives to the true card of a hidden place, where anything was told"
    told += (card if "card_read" in result.measures else "") + ". One decision of six is looked at."
    return [text.paragraph(told, 0, 9)]


def _table(title: str, groups: list[Group]) -> str:
    rows = []
    for group in groups:
        estimates = group.estimates
        row = [shown_side(group.label), f"{group.decisions:,}", text.shown(estimates["kinds"])]
        if group.choices:
            row += [text.shown(estimates["second"]), text.shown(estimates["random"])]
            row.append(text.shown(estimates["matters"], True))
        else:
            row += ["no choice", "", ""]
        if "nats" in estimates:
            row.append(text.shown(estimates["nats"]))
        if "card_read" in estimates:
            row.append(text.shown(estimates["card_read"], True))
        rows.append(row)
    heads = [title, "n", "moves that differ", "best against second", "best against random", "matters"]
    for name, head in (("nats", "plays tell"), ("card_read", "hidden card")):
        heads += [head] if any(name in group.estimates for group in groups) else []
    return text.columns(heads, rows, right=(1,))
