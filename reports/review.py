"""The page of `houle review`: what decided a game, the chance to win move by move, and every decision."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.blocks import Block, Column, bullets, lead, note, seat_words, table, text
from houle.analysis.play import review_words as words
from houle.analysis.play.review import Judged, Review, side_words
from houle.analysis.result import setup_title
from houle.reports.blocks import Report, ReportPart, Section, figure, position
from houle.reports.cards import ringed
from houle.reports.figures.review import draw
from houle.reports.sections.appendix import made_by
from houle.solver.language.seats import from_1
from houle.solver.texts import capital

DRAWN = 3  # positions of costly moves


def make_review_report(result: Review, side: int = 0, date: str | None = None) -> Report:
    """The report of one side."""
    sections = [_verdict(result, side), _course(result, side), _costly(result, side), _all(result, side)]
    title = f"{setup_title(result.setup)}: what decided the game"
    facts = {"worlds of a decision": result.worlds, "seed": result.seed, "made by": made_by()}
    part = ReportPart("The review", sections, title)
    return Report(
        result.setup.ruleset.name, title, f"A review for {side_words(result.setup, side)}", facts,
        date or datetime.date.today().isoformat(), [part], [],
    )  # fmt: skip


def _verdict(result: Review, side: int) -> Section:
    account, who = result.account(side), side_words(result.setup, side)
    section = Section("verdict", "In short")
    section.add(
        lead("{line}", line=words.in_short(account, result.goal, capital(who), True, result.worlds)),
        *(text("{line}.", line=seat_words(line)) for line in result.ending),
    )
    worst = result.deciding(side)
    if worst:
        section.add(text("The costliest choices:"), bullets([_cost(one, result.worlds) for one in worst]))
    else:
        section.add(text("None of its choices certainly cost anything."))
    if account.swings:
        luck = [text("{line}", line=words.swing(one, result.goal, result.worlds)) for one in account.swings]
        section.add(text("The largest changes by luck:"), bullets(luck))
    section.results["review"] = result
    section.repeat = [result.repeat()]
    return section


def _cost(one: Judged, worlds: int) -> Block:
    return text("{line}", line=words.mistake(one, worlds))


def _course(result: Review, side: int) -> Section:
    goal = result.goal
    what = goal.pick("The chance to win", f"The {goal.score} to expect")
    section = Section("chance", f"{what}, move by move")
    caption = f"{what}, from what the player to move knew. Thick lines: lost by its own choices."
    account = result.account(side)
    first, last = (words.level(end, goal, result.worlds) for end in (account.first, account.result))
    alt = f"From {first} to {last}."
    section.add_figure(figure("chance", caption, alt), partial(draw, result, side))
    return section


def _costly(result: Review, side: int) -> Section:
    section = Section("costly", "The moves that decided it")
    worst = result.deciding(side)[:DRAWN]
    if worst:
        section.add(
            text("As the player saw the game. A solid ring marks the better move, a dashed ring the move made.")
        )
    for one in worst:
        rows = ringed([{**row, "cards": [card.copy() for card in row["cards"]]} for row in one.rows], *one.kinds)
        moves = [
            ("best", text("Better: {move}", move=seat_words(one.best))),
            ("other", text("Played: {move}", move=seat_words(one.made))),
        ]
        alt = f"Move {one.number}: {from_1(one.best)} is better than {from_1(one.made)}."
        section.add(position(_cost(one, result.worlds), rows, alt, moves))
    if not worst:
        section.add(text("No single move decided it."))
    return section


def _all(result: Review, side: int) -> Section:
    section, digits = Section("decisions", "Every decision"), result.digits
    what = result.goal.pick("chance", f"{result.goal.score} to expect")
    columns = [Column("move", "move"), Column("seat", "seat"), Column("made", "move made", "seats"),
               Column("before", f"{what} before"), Column("after", f"{what} after"), Column("loss", "the better move"),
               Column("best", "better move", "seats")]  # fmt: skip
    rows: list[Sequence[Any]] = [
        [
            one.number,
            one.seat + 1,
            one.made,
            one.before.short(digits),
            one.after.short(digits),
            words.cost(one, result.worlds) if one.is_mistake else "",
            one.best if one.is_mistake else "",
        ]
        for one in result.decisions
    ]
    section.add(
        table(
            "decisions", f"Every decision: the {what} of the side that moved, from what that seat knew.", columns, rows
        ),
        note(
            "At every decision all moves are tried in {worlds} imagined worlds and played on by rules of thumb. One "
            "half of the worlds chooses the best move, the other half scores it. A better move is named only if it "
            "is certainly better.",
            worlds=result.worlds,
        ),
    )
    section.repeat = [result.repeat()]
    return section
