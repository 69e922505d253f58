"""A guided first game: what the first decisions of a person are about, and what the rules of thumb would do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houle.analysis.advice.reasons import reasons
from houle.analysis.play.seat_view import possible_moves
from houle.analysis.play.table_game import Course
from houle.analysis.players.line_ups import line_up
from houle.solver.language.how_to_play import how_to_play
from houle.solver.matches.match import Match

DECISIONS = 5  # that are explained


@dataclass(frozen=True)
class Guidance:
    """The explanation of one decision."""

    number: int  # of the decision, from 1
    text: str  # what it is about and what to look at; empty if the game does not say
    move: str  # that the rules of thumb prefer, in English; empty without rules of thumb
    reason: str  # the rule that speaks most for it, in English; empty if none does


def guidance(course: Course, language: str) -> Guidance | None:
    """What to tell the person to move; None after the first decisions of this person."""
    own = [made for made in course.made if made.seat == course.to_move]
    if course.over or len(own) >= DECISIONS:
        return None
    page, text = how_to_play(course.setup, language), ""
    if page is not None and (kind := page.kind(course.match.names())) is not None:
        before = [page.kind(course.match_before(made).names()) for made in own]
        text = page.explanation(kind, before.count(kind))
    move, reason = _by_thumb(course.match)
    return Guidance(len(own) + 1, text, move, reason)


def _by_thumb(match: Match) -> tuple[str, str]:
    """The move that the rules of thumb rate highest, and the rule that counts most for it."""
    if not match.setup.game.has_features:
        return "", ""
    thumb = line_up(match.setup, ["thumb"] * match.setup.players)
    table = match.features()
    weights = np.asarray(thumb.records[match.to_move()].weights)[: table.shape[1]].astype(np.int64)
    moves = match.moves()
    best = moves[int(np.argmax(table @ weights))]
    why = reasons(match, thumb, best)
    if why is None:  # there is no other move
        return "", ""
    kind = match.seen(best, match.to_move())[1]
    words = next(one.words for one in possible_moves(match) if match.seen(moves[one.place], match.to_move())[1] == kind)
    return words, why.decided.sentence if why.decided is not None else ""
