"""`houle assumptions`: which results depend on rules that the rulebook leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.cli.commands.compare import measure_option, names_of, smallest_differences
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import confirm_option
from houle.solver.errors import StrategyError
from houle.solver.rules import value_shown

if TYPE_CHECKING:
    from houle import Assumptions
    from houle.analysis.comparison.assumptions import Turned


@analysis_command(least=2)
@measure_option
@confirm_option
def assumptions(call: Call, measure: tuple[str, ...], confirm: bool) -> None:
    """Show which unclear rules of a game change its results.

    Some rulebooks leave questions open, and houle has to assume an answer. This command changes one such rule at a
    time, plays the same deals again, and lists the rules by how much they change the results.

    \b
    Examples:
      houle assumptions wave -p 3
      houle assumptions land-unter -p 4 -n 1e5 --measure win
      houle assumptions wave --dry-run
    """
    from houle.analysis.comparison.open_rules import turned_grids

    measures = names_of(measure)
    if len(call.strategy or ()) > 1:
        raise StrategyError("-s: give it only once here; for one player per seat use commas")
    about: list[str] = []
    if call.dry_run:
        grids, _ = turned_grids(call.setup, call.strategies)
        turns = ", ".join(turn.label for some, _ in grids for turn in some)
        about = [text.paragraph(f"changes: {turns}", 0, 9)]
        about += [text.count_of(sum(len(grid.arms) for _, grid in grids), "setup")]
        about += smallest_differences(call, [grid for _, grid in grids], measures)
        about.append("This is for one rule by itself; with many rules a difference must be larger to be certain.")
    result = call.play(houle.assumptions, call.setup, measures=measures, confirm=confirm, about=about)
    call.show(result, page(result), head(result))


def head(result: Assumptions) -> list[str]:
    return [
        *text.differences(result.setup),
        f"{result.setup.ruleset.title}: rules that the rulebook leaves open, changed one at a time",
        f"{text.count_of(result.games, 'game')} of each, {text.deciders(result.strategies)}; {text.INTERVALS}",
    ]


def page(result: Assumptions) -> list[str]:
    """What depends on open rules, then the changed rules, largest effect first."""
    picks: text.Picks = [
        ("changed rule", changed_rule),
        ("source", lambda one: one.turn.source),
        ("affects most", lambda one: one.most.name),
        ("difference", lambda one: one.most.difference and one.most.difference.interval),
        ("verdict", lambda one: one.most.verdict and one.most.verdict.text),
    ]
    lines = [*text.said(result.sentences()), ""]
    lines += [text.table(result.ranked, picks, flexible=("changed rule", "verdict")), ""]
    lines += text.said(result.not_known())
    lines.append(text.joint_line(result.differences))
    if check := result.confirmed:
        what = f"{check.turn.label}, {check.measure}"
        lines.append(text.confirmed_line(what, check.again, check.fresh, check.picked))
    why: dict[str, list[str]] = {}
    for label, reason in result.left_out:
        why.setdefault(reason, []).append(label)
    lines += text.left_out_lines(("; ".join(labels), reason) for reason, labels in why.items())
    return [
        *lines,
        *text.finding_lines(finding for comparison in result.comparisons for finding in comparison.findings),
    ]


def changed_rule(one: Turned) -> str:
    plain = value_shown(one.turn.knob.default_for(one.turn.players))
    return one.turn.label.replace(",", ", ").replace(",  ", ", ") + ("" if "[" in plain else f", not {plain}")
