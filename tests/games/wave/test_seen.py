"""WAVE: which surfers notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houle.solver.cards.bits import members
from houle.solver.games.wave.rules import AT_NONE, DUMMY, STATE
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.seen import noticing

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2}
EVERYWHERE = ("mover", "acting", "top", "turned", "laid", "pile_left", "seen")
OF_VARIANTS = (
    ("order", ("tide-colours",)), ("asked", ("virage",)), ("taken", ("virage",)),
    ("virage", ("virage",)), ("public", ("virage",)), ("facedown", ("nazare",)), ("cells", ("nazare",)),
)  # fmt: skip
# The last ones follow from what is known: what fits from hands and the top card, who decides from whose turn it is.
HIDDEN = ("root", "deal", "chance", "choice", "random_signals", "gaps", "playable", "decider",
          "stack", "stacked")  # fmt: skip
OF_SCENES = ("surfer", "signals", "front", "back", "held", "slot", "pile", "added", "may", "sunk", "sunk_known")


def a_match(*variants: str, players: int = 3, **settings: Any) -> Match:
    match = Match(make_setup("wave", players, variants, settings), 6)
    for _ in range(3):
        match.apply(match.random_move())
    assert match.to_move() >= 0
    return match


def flipped(field: str, place: int = 0) -> Callable[[Any], None]:
    """A change: another number, or another one of several."""

    def change(state: Any) -> None:
        if state[field].shape:
            state[field].flat[place] ^= 1
        else:
            state[field] ^= 1

    return change


def lowest(cards: Any) -> int:
    return int(members(int(cards))[0])


def hold(state: Any, holder: int, part: str, gone: int, came: int) -> None:
    """Replaces a card of a hand by another one, in the same place."""
    place = int(state.slot[gone])
    state[part][holder] = int(state[part][holder]) & ~(1 << gone) | 1 << came
    state.held[holder, place], state.slot[came] = came, place


def dealt_otherwise(holder: int, part: str) -> Callable[[Any], None]:
    """A change: the lowest card of one part of a hand and a card of the pile change places."""

    def change(state: Any) -> None:
        card, other = lowest(state[part][holder]), int(state.pile[0])
        state.pile[0] = card
        hold(state, holder, part, card, other)

    return change


def in_other_places(holder: int, *parts: str) -> Callable[[Any], None]:
    """A change: two cards of a hand change places."""

    def change(state: Any) -> None:
        first, second = (members(int(state[part][holder]))[-number] for number, part in enumerate(parts, 1))
        places = int(state.slot[first]), int(state.slot[second])
        for card, place in ((first, places[1]), (second, places[0])):
            state.held[holder, place], state.slot[card] = card, place

    return change


def test_every_field_is_tested() -> None:
    of_variants = {field for field, _ in OF_VARIANTS}
    assert {*EVERYWHERE, *of_variants, *HIDDEN, *OF_SCENES, "wave"} == set(STATE.names or ())


@pytest.mark.parametrize("field", EVERYWHERE)
def test_everyone_sees_the_table(field: str) -> None:
    assert noticing(a_match(), flipped(field)) == ALL


@pytest.mark.parametrize(("field", "variants"), OF_VARIANTS)
def test_everyone_sees_the_cards_of_variants(field: str, variants: tuple[str, ...]) -> None:
    assert noticing(a_match(*variants), flipped(field)) == ALL


@pytest.mark.parametrize("field", HIDDEN)
def test_nobody_sees_random_streams_and_bookkeeping(field: str) -> None:
    assert noticing(a_match(), flipped(field)) == set()


def test_the_last_surfer_counts_with_the_dummy() -> None:
    assert noticing(a_match(players=2), flipped("surfer")) == {0, 1}
    assert noticing(a_match(), flipped("surfer")) == set()


def test_everyone_sees_where_others_point() -> None:
    def change(state: Any) -> None:
        state.signals[1] = AT_NONE if int(state.signals[1]) != AT_NONE else 64

    assert noticing(a_match(talk="points"), change) == ALL
    assert noticing(a_match(talk="known"), change) == set()


@pytest.mark.parametrize(
    ("talk", "front", "back"),
    [("points", {1}, {0, 2}), ("silent", {1}, {0, 2}), ("known", {1}, ALL), ("open", ALL, ALL)],
)
def test_talk_decides_who_sees_cards_of_hands(talk: str, front: set[int], back: set[int]) -> None:
    """Cards in the pile are hidden, so only the hand tells of the exchange."""
    assert noticing(a_match(talk=talk), dealt_otherwise(1, "front")) == front
    assert noticing(a_match(talk=talk), dealt_otherwise(1, "back")) == back


def test_surfers_see_the_face_up_cards_of_the_dummy() -> None:
    assert noticing(a_match(players=2, talk="open"), dealt_otherwise(DUMMY, "front")) == {0, 1}
    assert noticing(a_match(players=2, talk="open"), dealt_otherwise(DUMMY, "back")) == set()


def test_everyone_sees_former_virage_cards() -> None:
    match = a_match("virage")
    card = lowest(match.state.front[1])
    match.state.public = 1 << card
    assert noticing(match, dealt_otherwise(1, "front")) == ALL


def test_only_those_who_see_cards_see_them_change_places() -> None:
    match = a_match()
    match.state.may[:] = 2**64 - 1
    assert noticing(match, in_other_places(1, "front", "front")) == {1}
    assert noticing(match, in_other_places(1, "back", "back")) == {0, 2}
    assert noticing(match, in_other_places(1, "front", "back")) == ALL


def test_everyone_sees_which_cards_are_turned() -> None:
    def change(state: Any) -> None:
        card = lowest(state.front[1])
        state.front[1] = int(state.front[1]) & ~(1 << card)
        state.back[1] = int(state.back[1]) | 1 << card

    assert noticing(a_match(), change) == ALL


def test_everyone_sees_the_last_card_of_a_place_go() -> None:
    def change(state: Any) -> None:
        card = lowest(state.front[1])
        state.front[1] = int(state.front[1]) & ~(1 << card)
        state.held[1, int(state.slot[card])] = 255

    assert noticing(a_match(), change) == ALL


def test_everyone_remembers_what_a_place_may_hold() -> None:
    """What those who do not see a card could conclude is known to all; places without a card tell nothing."""

    def change(place: int) -> Callable[[Any], None]:
        def other(state: Any) -> None:
            state.may[1, place] = int(state.may[1, place]) ^ 1 << 7

        return other

    assert noticing(a_match(), change(0)) == ALL
    assert noticing(a_match(), change(5)) == set()
    assert noticing(a_match(talk="known"), change(0)) == set()


def test_nobody_sees_the_order_of_the_pile() -> None:
    def change(state: Any) -> None:
        state.pile[0], state.pile[1] = int(state.pile[1]), int(state.pile[0])

    assert noticing(a_match(), change) == set()


def test_everyone_knows_which_inversion_cards_are_left() -> None:
    def of_another_sort(state: Any) -> None:
        state.pile[-1] ^= 1

    def fewer(state: Any) -> None:
        state.added -= 1

    for change in (of_another_sort, fewer):
        assert noticing(a_match("tide-colours", "tide-numbers"), change) == ALL


def face_down(match: Match, seats: set[int], card: int = 9) -> Match:
    """A card lies face down that only these seats have seen."""
    match.state.sunk = 1 << card
    for seat in seats:
        match.state.sunk_known[seat] = 1 << card
    return match


@pytest.mark.parametrize("seats", [{1}, {0, 2}, ALL])
def test_those_who_saw_face_down_cards_know_them(seats: set[int]) -> None:
    def change(state: Any) -> None:
        state.sunk = 1 << 10
        for seat in seats:
            state.sunk_known[seat] = 1 << 10

    assert noticing(face_down(a_match("nazare"), seats), change) == seats
    assert noticing(face_down(a_match("nazare", talk="open"), seats), change) == ALL


def test_who_saw_a_face_down_card_is_known_to_those_who_did() -> None:
    def change(state: Any) -> None:
        state.sunk_known[2] = 0

    assert noticing(face_down(a_match("nazare"), {1, 2}), change) == {1, 2}
