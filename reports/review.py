"""The page of `houle review`: what decided a game, the chance to win move by move, and every decision."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.play.review import Judged, Review, side_words
from houle.analysis.result import shown_side
from houle.analysis.stats.estimate import PERCENT, POINTS
from houle.reports.blocks import (
    Block,
    Column,
    Part,
    Report,
    Section,
    bullets,
    exact,
    figure,
    lead,
    note,
    position,
    seat_words,
    table,
    text,
)
from houle.reports.figures.review import draw
from houle.reports.names import setup_title
from houle.reports.positions import ringed
from houle.reports.versions import made_by

DRAWN = 3  # positions of costly moves


def make_review_report(result: Review, side: int = 0, date: str | None = None) -> Report:
    """The report of one side."""
    sections = [_verdict(result, side), _course(result, side), _costly(result, side), _all(result, side)]
    title = f"{setup_title(result.setup)}: what decided the game"
    facts = {"worlds of a decision": result.worlds, "seed": result.seed, "made by": made_by()}
    part = Part("The review", sections, title)
    return Report(
        result.setup.ruleset.name, title, f"A review for {side_words(result.setup, side)}", facts,
        date or datetime.date.today().isoformat(), [part], [],
    )  # fmt: skip


def _verdict(result: Review, side: int) -> Section:
    account, who = result.account(side), side_words(result.setup, side)
    section = Section("verdict", "In short")
    section.add(
        lead(
            "{who} started with a chance of {first} and ended with {result}. Its own choices changed it by {own}, "
            "cards and other players by {rest}.",
            who=f"{who[0].upper()}{who[1:]}",
            first=exact(account.first, PERCENT),
            result=exact(account.result, PERCENT),
            own=exact(-account.lost, POINTS),
            rest=exact(account.rest, POINTS),
        ),
        *(text("{line}.", line=seat_words(line)) for line in result.ending),
    )
    worst = result.deciding(side)
    if worst:
        section.add(text("The costliest choices:"), bullets([_cost(one) for one in worst]))
    else:
        section.add(text("None of its choices certainly cost anything."))
    if account.swings:
        section.add(
            text("The largest changes by cards and other players:"), bullets([_swing(*one) for one in account.swings])
        )
    section.results["review"] = result
    section.repeat = [result.repeat()]
    return section


def _cost(one: Judged) -> Block:
    return text(
        "Move {number}, seat {seat}: {made} instead of {best}: {change}.",
        number=one.number,
        seat=one.seat + 1,
        made=seat_words(one.made),
        best=seat_words(one.best),
        change=one.loss.scale(-1),
    )


def _swing(after: int, change: float) -> Block:
    return text("After move {after}: {change}.", after=after, change=exact(change, POINTS))


def _course(result: Review, side: int) -> Section:
    section = Section("chance", "The chance to win, move by move")
    caption = "The chance to win, from what the player to move knew. Thick lines: lost by its own choices."
    account = result.account(side)
    alt = f"From {account.first:.0%} to {account.result:.0%}."
    section.add_figure(figure("chance", caption, alt), partial(_draw, result, side))
    return section


def _draw(result: Review, side: int, path: Any) -> Any:
    return draw(result, path, side)


def _costly(result: Review, side: int) -> Section:
    section = Section("costly", "The moves that decided it")
    worst = result.deciding(side)[:DRAWN]
    if worst:
        section.add(
            text("As the player saw the game. A solid ring marks the better move, a dashed ring the move made.")
        )
    for one in worst:
        rows = ringed([{**row, "cards": [dict(card) for card in row["cards"]]} for row in one.rows], *one.cards)
        moves = [
            ("best", text("Better: {move}", move=seat_words(one.best))),
            ("other", text("Played: {move}", move=seat_words(one.made))),
        ]
        alt = shown_side(f"Move {one.number}: {one.best} is better than {one.made}.")
        section.add(position(_cost(one), rows, alt, moves))
    if not worst:
        section.add(text("No single move decided it."))
    return section


def _all(result: Review, side: int) -> Section:
    section = Section("decisions", "Every decision")
    columns = [Column("move", "move"), Column("seat", "seat"), Column("made", "move made", "seats"),
               Column("before", "chance before"), Column("after", "chance after"), Column("loss", "loss"),
               Column("best", "better move", "seats")]  # fmt: skip
    rows: list[Sequence[Any]] = [
        [one.number, one.seat + 1, one.made, one.before, one.after, one.loss, "" if one.is_best else one.best]
        for one in result.decisions
    ]
    section.add(
        table(
            "decisions", "Every decision: the chance of the side that moved, from what that seat knew.", columns, rows
        ),
        note(
            "At every decision all moves are tried in {worlds} imagined worlds and played on by rules of thumb. One "
            "half of the worlds chooses the best move, the other half scores it, so a loss may be below 0 if moves "
            "are equal.",
            worlds=result.worlds,
        ),
    )
    section.repeat = [result.repeat()]
    return section
