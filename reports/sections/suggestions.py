"""Suggestions for a variant of your own: the smallest changes that make it a little easier or harder.

Where players compete, nothing is easy or hard; there the changes make games a little longer or shorter.
"""

from __future__ import annotations

from houle.analysis.blocks import OWN, Block, Column, about, note, table, text
from houle.analysis.designing.design import Design, design
from houle.analysis.designing.search import Proposal
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import estimate, is_percent, measure_title
from houle.analysis.sampling.experiment import play_arms
from houle.analysis.stats.estimate import Estimate
from houle.reports.blocks import Section
from houle.reports.context import Context
from houle.solver.rules import is_own

GAMES, FRESH = "suggestions_games", "suggestions_fresh"  # counts of an effort; quick reports have none
POINTS, SHARE = 0.05, 0.1  # the wanted change of the win rate, and of the length of a game or of the score
MOST_SHOWN = 3  # changes in each direction
WORDS = {"win": ("easier", "harder"), "score": ("easier", "harder"), "length": ("longer", "shorter")}


def fill(context: Context, section: Section) -> None:
    main, effort = context.main, context.effort
    if not is_own(main) or GAMES not in effort.counts:
        return
    games, fresh, strategy = effort.number(GAMES), effort.number(FRESH), context.level
    measure = main.goal if main.one_sided else "length"
    now = _now(context, measure, fresh)
    designs: list[tuple[str, Design]] = []
    ways = WORDS[measure] if Goal(main).sign > 0 else WORDS[measure][::-1]
    for i, (words, wanted) in enumerate(zip(ways, _wanted(measure, now), strict=True)):
        if measure == "win" and not 0 < wanted < 1:
            continue
        target = f"{measure}={100 * wanted:.2f}%" if is_percent(measure) else f"{measure}={wanted:.2f}"
        asked = f"{target}@{strategy}"
        result = design(main, targets=asked, **context.run(games, span=(i / 2, (i + 1) / 2)))
        designs.append((words, result))
    for words, result in designs:
        section.add(_conclusion(words, measure, now, result))
    if designs:
        how = note("All adjustable rules may change, several at once. The numbers are from new games.")
        section.add_fold("These changes in numbers", _table(context, measure, now, designs), how)
    section.results |= dict(designs)
    section.repeat = [context.again(result) for _, result in designs]


def _now(context: Context, measure: str, games: int) -> Estimate:
    return estimate(play_arms([context.arm(context.main)], context.spec.but(games=games)), 0, measure)


def _wanted(measure: str, now: Estimate) -> tuple[float, float]:
    if measure == "win":
        return now.value + POINTS, now.value - POINTS
    return now.value * (1 + SHARE), now.value * (1 - SHARE)


def _shown(result: Design) -> list[Proposal]:
    """The smallest changes, without "no change"."""
    return [proposal for proposal in result.proposals if proposal.changes][:MOST_SHOWN]


def _conclusion(words: str, measure: str, now: Estimate, result: Design) -> Block:
    step = "five points" if measure == "win" else "a tenth"
    names, who = [proposal.label for proposal in _shown(result)], result.wishes[0].people()
    if result.found and names:
        said = text(
            "To make it about {step} {way} than {now} for {who}, the smallest changes are: {changes}.",
            step=step,
            way=words,
            now=now,
            who=who,
            changes="; ".join(names),
        )
    else:
        said = text(
            "Nothing that was tried makes it {step} {way} than {now} for {who}; the nearest is: {changes}.",
            step=step,
            way=words,
            now=now,
            who=who,
            changes="; ".join(names) or "no change",
        )
    return about(said, result.wishes[0].who, measure)


def _table(context: Context, measure: str, now: Estimate, designs: list[tuple[str, Design]]) -> Block:
    rows = [["as it is", "", now, ""]]
    for words, result in designs:
        wish = result.wishes[0]
        rows += [[proposal.label, words, proposal.fresh.get(wish.key), proposal.hit] for proposal in _shown(result)]
    title = measure_title(measure, [context.main])
    columns = [
        Column("change", "change"),
        Column("way", "makes it"),
        Column("measure", title, OWN),
        Column("is", "on target"),
    ]
    caption = f"The smallest changes in each direction, in new games, when {context.everyone}."
    return table("suggestions", caption, columns, rows)
