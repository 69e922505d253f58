"""WAVE: which surfers notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.solver.cards.bits import members
from houle.solver.games.wave.rules import AT_NONE, DUMMY, STATE
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.seen import Change, Row, exchanged_places, flipped, put, wrongly_noticed

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2}
EVERYWHERE = ("mover", "acting", "top", "turned", "laid", "pile_left", "seen")
OF_VARIANTS = {
    "order": "tide-colours",
    "asked": "virage",
    "taken": "virage",
    "virage": "virage",
    "public": "virage",
    "facedown": "nazare",
    "cells": "nazare",
}
# The last ones follow from what is known: what fits from hands and the top card, who decides from whose turn it is.
HIDDEN = ("root", "deal", "chance", "choice", "random_signals", "gaps", "playable", "decider", "stack", "stacked")
OF_SCENES = ("surfer", "signals", "front", "back", "held", "slot", "pile", "added", "may", "sunk", "sunk_known")


def a_match(*variants: str, players: int = 3, **settings: Any) -> Match:
    match = Match(make_setup("wave", players, variants, settings), 6)
    for _ in range(3):
        match.apply(match.random_move())
    assert match.to_move() >= 0
    return match


def lowest(cards: Any) -> int:
    return int(members(int(cards))[0])


def dealt_otherwise(holder: int, part: str) -> Change:
    """The lowest card of one part of a hand and a card of the pile change places.

    Cards in the pile are hidden, so only the hand tells of it.
    """

    def change(state: Any) -> None:
        gone, came = lowest(state[part][holder]), int(state.pile[0])
        state.pile[0], place = gone, int(state.slot[gone])
        state[part][holder] = int(state[part][holder]) & ~(1 << gone) | 1 << came
        state.held[holder, place], state.slot[came] = came, place

    return change


def in_other_places(*parts: str) -> Change:
    """Two cards of the hand of seat 1 change places."""

    def change(state: Any) -> None:
        first, second = (members(int(state[part][1]))[-number] for number, part in enumerate(parts, 1))
        places = int(state.slot[first]), int(state.slot[second])
        for card, place in ((first, places[1]), (second, places[0])):
            state.held[1, place], state.slot[card] = card, place

    return change


def turned_over(state: Any) -> None:
    card = lowest(state.front[1])
    state.front[1] = int(state.front[1]) & ~(1 << card)
    state.back[1] = int(state.back[1]) | 1 << card


def gone_from_its_place(state: Any) -> None:
    card = lowest(state.front[1])
    state.front[1] = int(state.front[1]) & ~(1 << card)
    state.held[1, int(state.slot[card])] = 255


def face_down(match: Match, seats: set[int], card: int = 9) -> Match:
    """A card lies face down that only these seats have seen."""
    match.state.sunk = 1 << card
    for seat in seats:
        match.state.sunk_known[seat] = 1 << card
    return match


def another_face_down(seats: set[int]) -> Change:
    def change(state: Any) -> None:
        state.sunk = 1 << 10
        for seat in seats:
            state.sunk_known[seat] = 1 << 10

    return change


def table() -> Iterator[Row]:
    match, points, known, two = a_match(), a_match(talk="points"), a_match(talk="known"), a_match(players=2)
    yield from ((field, match, flipped(field), ALL) for field in EVERYWHERE)
    for field, variant in OF_VARIANTS.items():
        played = a_match(variant)
        yield field, played, flipped(field, *(0,) * len(STATE[field].shape)), ALL
    yield from ((field, match, flipped(field, *(0,) * len(STATE[field].shape)), set()) for field in HIDDEN)
    yield "the last surfer, with a dummy", two, flipped("surfer"), {0, 1}
    yield "the last surfer", match, flipped("surfer"), set()
    pointing = put("signals", 1, AT_NONE if int(points.state.signals[1]) != AT_NONE else 64)
    yield "where others point", points, pointing, ALL
    yield "where others point, hands are known", known, pointing, set()
    for talk, front, back in (
        ("points", {1}, {0, 2}),
        ("silent", {1}, {0, 2}),
        ("known", {1}, ALL),
        ("open", ALL, ALL),
    ):
        yield f"a card in front, {talk}", a_match(talk=talk), dealt_otherwise(1, "front"), front
        yield f"a card at the back, {talk}", a_match(talk=talk), dealt_otherwise(1, "back"), back
    dummy = a_match(players=2, talk="open")
    yield "a face-up card of the dummy", dummy, dealt_otherwise(DUMMY, "front"), {0, 1}
    yield "a face-down card of the dummy", dummy, dealt_otherwise(DUMMY, "back"), set()
    virage = a_match("virage")
    virage.state.public = 1 << lowest(virage.state.front[1])
    yield "a former virage card in front", virage, dealt_otherwise(1, "front"), ALL
    free = a_match()
    free.state.may[:] = 2**64 - 1
    yield "two cards in front change places", free, in_other_places("front", "front"), {1}
    yield "two cards at the back change places", free, in_other_places("back", "back"), {0, 2}
    yield "one of each change places", free, in_other_places("front", "back"), ALL
    yield "a card is turned over", match, turned_over, ALL
    yield "a place has no card", match, gone_from_its_place, ALL
    # What those who do not see a card could conclude is known to all; places without a card tell nothing.
    yield "what a place may hold", match, flipped("may", 1, 0, bit=1 << 7), ALL
    yield "what a place without a card may hold", match, flipped("may", 1, 5, bit=1 << 7), set()
    yield "what a place may hold, hands are known", known, flipped("may", 1, 0, bit=1 << 7), set()
    yield "the order of the pile", match, exchanged_places("pile", 0, 1), set()
    tides = a_match("tide-colours", "tide-numbers")
    yield "another inversion card is left", tides, flipped("pile", -1), ALL
    yield "fewer inversion cards are left", tides, put("added", None, int(tides.state.added) - 1), ALL
    for seats in ({1}, {0, 2}, ALL):
        hidden, shown = face_down(a_match("nazare"), seats), face_down(a_match("nazare", talk="open"), seats)
        yield f"a card face down that {seats} saw", hidden, another_face_down(seats), seats
        yield f"a card face down that {seats} saw, open hands", shown, another_face_down(seats), ALL
    yield "who saw a card face down", face_down(a_match("nazare"), {1, 2}), put("sunk_known", 2, 0), {1, 2}


def test_every_field_is_tested() -> None:
    assert {*EVERYWHERE, *OF_VARIANTS, *HIDDEN, *OF_SCENES, "wave"} == set(STATE.names or ())


def test_who_notices_a_change() -> None:
    assert wrongly_noticed(table()) == {}
