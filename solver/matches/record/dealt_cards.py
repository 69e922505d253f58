"""The dealt cards of a record, typed in from a real game. Cards that are not named are dealt at random.

    dealt top: white 3
    dealt seat 1 front: red 2, navy 4, sky 0
    dealt seat 2 lifebelts: 4
    dealt 30 seat 1: blue 4, yellow 0        after move 30, in games that deal again or pass hands on

Places are those of `houle openings --deal`; cards may be `?`. A fact of the opening, such as the lifebelts of a hand,
may be a line too: deals are tried until one agrees with all lines.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from houle.solver.errors import PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.opening import Fact, board_of, facts_of
from houle.solver.matches.record.line_parser import Places
from houle.solver.matches.record.typed_cards import PlacedCard, arrange, check_wishes
from houle.solver.rules import Setup

DEALT = "dealt "
MOST_DEALS = 4_000  # tried until one agrees with all facts
AT_ONCE = 100


def opening_match(setup: Setup, dealt: Places) -> Match:
    """A match with these cards dealt. Raises PositionError if there is none."""
    facts, places = _facts_of(setup, dealt)
    match = Match(setup, 0)
    wishes = _wishes(setup, places, match.states)
    for first in range(0, MOST_DEALS, AT_ONCE):
        matches = [Match(setup, 0, number) for number in range(first, first + (AT_ONCE if facts else 1))]
        openings = np.concatenate([each.states for each in matches]).view(np.recarray)
        if wishes:
            arrange(openings, setup, wishes)
        fits = np.ones(len(openings), bool)
        for fact, seat, value in facts:
            assert fact.read is not None
            values = np.asarray(fact.read(openings))
            fits &= (values if values.ndim == 1 else values[:, seat]) == value
        if fits.any():
            row = int(np.argmax(fits))
            matches[row].states = openings[row : row + 1].copy()
            return matches[row]
    names = ", ".join(f"{DEALT}seat {seat + 1} {fact.name}" for fact, seat, _ in facts)
    raise PositionError(f"record: {names}: none of {MOST_DEALS:,} deals agrees with the cards and with this")


def with_hindsight(dealt: Places, seen_later: Places) -> Places:
    """The cards dealt, with cards of the opening that were seen later."""
    places = {place.removesuffix(" hand"): list(cards) for place, cards in dealt.items()}
    for place, cards in seen_later.items():
        known = places.setdefault(place, [])
        known += [card for card in cards if card not in known]
    return places


def deal_anew(match: Match, dealt: Places, number: int) -> None:
    """Puts the typed cards of a new round into the match. Hands that are passed on are only checked."""
    if match.setup.game.hands_rotate:
        _check_hands(match, dealt, number)
        return
    if not match.setup.game.openings.DEALT_ANEW:
        raise PositionError(f"record: {DEALT}{number}: {match.setup.ruleset.name} deals cards only at the start")
    wishes = _wishes(match.setup, dealt, match.states, f"{number} ")
    arrange(match.states, match.setup, wishes)


def _check_hands(match: Match, dealt: Places, number: int) -> None:
    """Checks that a hand that was passed on holds the cards typed for it."""
    board = board_of(match.setup)
    cards = board.faces[match.setup.game.openings.take_apart(match.states, match.setup)[0]]
    for wish in _wishes(match.setup, dealt, match.states, f"{number} "):
        if wish.face not in cards[board.places[wish.place]]:
            problem = f"{wish.card} is not in this hand; write such a line after the last move of every round"
            raise PositionError(f"record: {DEALT}{number} {from_1(wish.place)}: {problem}")


def _wishes(setup: Setup, places: Places, dealt: Any, after: str = "") -> list[PlacedCard]:
    """The wishes of the lines. `?`, or `3 ?`, is any card. A complete hand keeps its order."""
    named = [
        (place.removesuffix(" hand"), [word for word in words if not re.fullmatch(r"(\d{1,3} *)?\?", word)])
        for place, words in places.items()
    ]
    wishes = check_wishes(setup, named, dealt, f"record: {DEALT}{after}".rstrip()) if named else []
    left = {wish.place: list(wish.positions) for wish in wishes}
    whole = {place for place, room in left.items() if len(room) == sum(wish.place == place for wish in wishes)}
    return [replace(wish, positions=(left[wish.place].pop(0),)) if wish.place in whole else wish for wish in wishes]


def _facts_of(setup: Setup, dealt: Places) -> tuple[list[tuple[Fact, int, int]], Places]:
    """Splits the lines into facts of hands (fact, seat, value) and lines that name cards."""
    known = {fact.name: fact for fact in facts_of(setup) if fact.read is not None and not fact.labels}
    facts, places = [], {}
    for place, words in dealt.items():
        match = re.fullmatch(r"seat ([1-9]\d?) (.+)", place)
        if not match or match[2] not in known:
            places[place] = words
            continue
        text = " ".join(words)
        if int(match[1]) > setup.players or not re.fullmatch(r"\d{1,4}", text):
            problem = f"{text[:40]!r}: write a whole number, for a seat from 1 to {setup.players}"
            raise PositionError(f"record: {DEALT}{place}: {problem}")
        facts.append((known[match[2]], int(match[1]) - 1, int(text)))
    return facts, places
