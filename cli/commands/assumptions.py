"""`houle assumptions GAME `: which results stand on print, and which on our reading of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.comparison.measures import is_percent
from houle.cli.commands.compare import shown_by
from houle.cli.framework import text
from houle.cli.framework.command import Call
from houle.solver.errors import InputError
from houle.solver.ruleset import value_shown

if TYPE_CHECKING:
    from houle import Assumptions
    from houle.analysis.comparison.assumptions import Turned


def assumptions(call: Call, measures: list[str], confirm: bool = True) -> None:
    """What `sweep` does instead, with --assumed."""
    from houle.analysis.comparison.unsettled import turned_grids
    from houle.analysis.sampling.timing import time_needed

    if len(call.strategy or ()) > 1:
        raise InputError("--assumed: give one -s at most")
    tables, _ = turned_grids(call.setup, call.strategies)
    number = sum(len(grid.arms) for _, grid in tables)
    if call.dry_run:
        time = time_needed([(grid.arms, call.games) for _, grid in tables], call.seed, call.threads)
        turns = ", ".join(turn.label for some, _ in tables for turn in some)
        click.echo(text.paragraph(f"turned: {turns}", 0, 8))
        click.echo(f"{text.plural(number, 'cell')}, {text.needed(time)}")
        click.echo("\n".join(shown_by(call, [grid for _, grid in tables], measures)))
        click.echo("one by one; beside all the others of the page (Holm) it takes more")
        return
    total = call.games * (number + 2 * confirm)
    result = call.play(houle.assumptions, call.setup, measures=measures, confirm=confirm, total=total)
    call.tell(result, page(result), head(result))


def head(result: Assumptions) -> list[str]:
    return [
        *text.differences(result.setup),
        f"{result.setup.ruleset.title}: rules that the rulebook does not settle, turned one at a time",
        f"{text.plural(result.games, 'game')} of each, seed {result.seed}, {text.deciders(result.strategies)}, "
        "95% intervals",
    ]


def page(result: Assumptions) -> list[str]:
    """The turns by what they change, then what follows for every measure."""
    heads = ["rule turned", "ours is", "changes most", "difference", "verdict"]
    lines = [text.columns(heads, [line(one) for one in result.ranked], flexible=(0, 4)), ""]
    lines += [text.paragraph(sentence, 0, 9) for sentence in result.sentences]
    many = f"certain  beside all {result.differences} differences of this page together (Holm), not one by one"
    lines.append(text.paragraph(many, 0, 9))
    found = result.confirmed
    if found:
        percent = is_percent(found.measure)
        picked, fresh = (text.shown(one, percent) for one in (found.picked, found.fresh))
        word = "confirmed" if found.again else "not confirmed"
        told = f"{picked} on the games that picked it, {fresh} on as many fresh ones"
        lines.append(text.paragraph(f"{word} {found.turn.label}, {found.measure}: {told}", 0, 9))
    why: dict[str, list[str]] = {}
    for label, reason in result.left_out:
        why.setdefault(reason, []).append(label)
    lines += [text.paragraph(f"left out {'; '.join(labels)}: {reason}", 0, 9) for reason, labels in why.items()]
    return [*lines, *text.finding_lines(finding for found in result.comparisons for finding in found.findings)]


def line(one: Turned) -> list[str]:
    row, turn = one.most, one.turn
    plain = value_shown(turn.knob.default_for(turn.players))
    label = turn.label.replace(",", ", ").replace(",  ", ", ") + ("" if "[" in plain else f", not {plain}")
    difference = text.shown(row.difference.interval, row.percent) if row.difference else ""
    return [label, turn.knob.provenance, row.name, difference, row.verdict.text if row.verdict else ""]
