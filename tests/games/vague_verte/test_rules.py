"""VAGUE VERTE: the tricky rules in hand-made positions, and what a seat may conclude."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from houle.solver.errors import InputError
from houle.solver.games.vague_verte.rules import NONE, build_deck
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.vague_verte.scene import do, match_with, skip
from tests.support.scenes import all_deals, assert_even

pytestmark = pytest.mark.quick


def seen(match: Match) -> dict[str, Any]:
    """What a row may name of a position."""
    deck, snapshot = build_deck(match.setup.options), match.snapshot()

    def named(cards: Any) -> Any:
        return [named(one) if isinstance(one, list) else deck[one] for one in cards]

    return {
        "moves": set(match.names()),
        "plays": {name for name in match.names() if name.startswith("play")},
        "road": named(snapshot["roads"][0]),
        "faceup": named(snapshot["faceup"]),
        "stock": named(snapshot["stock"]),
        "to move": match.to_move(),
        **{name: int(match.state[name]) for name in ("turns", "winner", "pile_left", "faceup_left")},
        **{name: match.state[name][0].item() for name in ("filled", "missed")},
        "lights": {row for row, light in enumerate(snapshot["lights"], 1) if light >= 0},
        "result": (match.result()["shares"], match.result()["drawn"]) if match.to_move() < 0 else None,
    }


def row(name: str, hands: list[str], moves: str, expected: dict[str, Any], faceup: str = "tow", **settings: Any) -> Any:
    """A row of the table: hands, the face-up pile, some moves, and what is expected after them.

    `skip` takes the face-up card and lays it back. Draws from the stock bring any card, so `may` and `may not` name
    only some moves, the latter also by the beginning of their names.
    """
    held = [hand.split(", ") if hand else [] for hand in hands]
    return pytest.param(held, faceup.split(", "), settings, moves.split(", ") if moves else [], expected, id=name)


RED_AND_BLUE = "play car red 1, play car blue 1"
THREE_CARS = f"{RED_AND_BLUE}, play car green 1, skip"
LIT_FIRST = f"{RED_AND_BLUE}, skip, play red light at row 1"
ROWS = [
    row(
        "a road begins with a car",
        ["car red 1, car blue 2, red light, ambulance, breakdown red, ducks", ""],
        "draw face-up",
        {"plays": {"play car red 1", "play car blue 2"}},
    ),
    row(
        "a breakdown meets a car of its colour",
        ["car red 1", "car green 2, breakdown red, breakdown blue"],
        "play car red 1, play car green 2, skip, draw face-up",
        {"may": ["play breakdown red on seat 0"], "may not": ["play breakdown blue on seat 0"]},
    ),
    row(
        "it stops all but tows and lights",
        ["car red 1, car red 2, tow, red light", "car green 2, breakdown red"],
        "play car red 1, play car green 2, skip, play breakdown red on seat 0, draw face-up",
        {"may": ["play tow", "play red light at row 3"], "may not": ["play car"]},
    ),
    row(
        "a tow frees it and fills no square",
        ["car red 1, tow", "car green 2, breakdown red"],
        "play car red 1, play car green 2, skip, play breakdown red on seat 0, play tow",
        {"road": [["car red 1"], ["breakdown red", "tow"]], "filled": 2},
    ),
    row(
        "a tow is no car",
        ["car red 1, tow", "car green 2, breakdown red, breakdown red"],
        "play car red 1, play car green 2, skip, play breakdown red on seat 0, play tow, draw face-up",
        {"may not": ["play breakdown red on seat 0"]},
    ),
    row(
        "beyond a red light the road is free",
        ["car red 1, car red 2, car red 3", "car blue 1, car blue 2, red light"],
        f"{RED_AND_BLUE}, play car red 2, play red light at row 1, draw face-up",
        {"may": ["play car red 3"]},
    ),
    row(
        "on its row it stops",
        ["car red 1, car red 2, car red 3", "car blue 1, car blue 2, red light"],
        f"{RED_AND_BLUE}, play car red 2, play red light at row 1, skip, draw face-up",
        {"may not": ["play car"]},
    ),
    row(
        "each row takes one red light",
        ["car red 1, red light, red light", "car blue 1"],
        f"{RED_AND_BLUE}, play red light at row 3, skip, draw face-up",
        {"may": ["play red light at row 1", "play red light at row 2"], "may not": ["play red light at row 3"]},
        road=3,
    ),
    row(
        "a green light puts both under the pile",
        ["car red 1, red light", "car blue 1, green light"],
        f"{RED_AND_BLUE}, play red light at row 2, play green light at row 2",
        {"faceup": ["red light", "green light", "tow", "ducks"], "lights": set()},
        faceup="tow, ducks",
    ),
    row(
        "without a light an ambulance stays",
        ["car red 1, ambulance", "car blue 1"],
        f"{RED_AND_BLUE}, draw face-up",
        {"may not": ["play ambulance"]},
    ),
    row(
        "at a light only an ambulance goes on",
        ["car red 1, ambulance, car red 2", "car blue 1, red light"],
        LIT_FIRST + ", draw face-up",
        {"may": ["play ambulance"], "may not": ["play car red", "play tow"]},
    ),
    row(
        "it fills a square",
        ["car red 1, ambulance", "car blue 1, red light"],
        f"{LIT_FIRST}, play ambulance",
        {"filled": 2},
    ),
    row(
        "the light in the next row stops again",
        ["car red 1, ambulance, car red 2, red light", "car blue 1, red light"],
        f"{RED_AND_BLUE}, play red light at row 2, play red light at row 1, play ambulance, skip, draw face-up",
        {"may not": ["play car red 2"]},
    ),
    row(
        "an ambulance is no car",
        ["car red 1, ambulance", "car blue 1, red light, breakdown red"],
        f"{LIT_FIRST}, play ambulance, draw face-up",
        {"may not": ["play breakdown red on seat 0"]},
    ),
    row(
        "attacks respect red lights",
        ["car red 1, red light", "car blue 1, breakdown red, ducks"],
        f"{RED_AND_BLUE}, play red light at row 1, draw face-up",
        {"may not": ["play breakdown red on seat 0", "play ducks on seat 0"]},
    ),
    row(
        "ducks fill a square and cost turns",
        ["car red 1", "car blue 1, ducks", "car green 1, ducks"],
        f"{THREE_CARS}, play ducks on seat 0, play ducks on seat 0",
        {"filled": 3, "to move": 1, "missed": 1, "turns": 7},
    ),
    row(
        "these add up",
        ["car red 1", "car blue 1, ducks", "car green 1, ducks"],
        f"{THREE_CARS}, play ducks on seat 0, play ducks on seat 0, skip, skip",
        {"to move": 1, "missed": 0, "turns": 10},
    ),
    row(
        "no ducks on a breakdown",
        ["car red 1", "car blue 1, breakdown red", "car green 1, ducks"],
        f"{THREE_CARS}, play breakdown red on seat 0, draw face-up",
        {"may": ["play ducks on seat 1"], "may not": ["play ducks on seat 0"]},
    ),
    row(
        "no breakdown on ducks",
        ["car red 1", "car blue 1, breakdown red", "car green 1, ducks, breakdown blue"],
        f"{THREE_CARS}, skip, play ducks on seat 1, skip, draw face-up",
        {"to move": 2, "may not": ["play breakdown blue on seat 1"]},
    ),
    row(
        "no attack on the last square",
        ["car red 1, car red 2, tow", "car blue 1, breakdown red, ducks"],
        f"{RED_AND_BLUE}, play car red 2, draw face-up",
        {"may not": ["play breakdown red on seat 0", "play ducks on seat 0"]},
        road=3,
    ),
    row(
        "unless the rules allow a breakdown",
        ["car red 1, car red 2, tow", "car blue 1, breakdown red, ducks"],
        f"{RED_AND_BLUE}, play car red 2, draw face-up",
        {"may": ["play breakdown red on seat 0"], "may not": ["play ducks on seat 0"]},
        road=3,
        attack_last_square=True,
    ),
    row(
        "which does not win",
        ["car red 1, car red 2, tow", "car blue 1, breakdown red"],
        f"{RED_AND_BLUE}, play car red 2, play breakdown red on seat 0",
        {"to move": 0, "winner": NONE},
        road=3,
        attack_last_square=True,
    ),
    row(
        "but the tow does",
        ["car red 1, car red 2, tow", "car blue 1, breakdown red"],
        f"{RED_AND_BLUE}, play car red 2, play breakdown red on seat 0, play tow",
        {"to move": -1, "result": ([840, 0], False)},
        road=3,
        attack_last_square=True,
    ),
    row(
        "a car matches by colour or number",
        ["car red 1, car red 2, car blue 1, car blue 2", "car green 1"],
        "play car red 1, play car green 1, draw face-up",
        {"may": ["play car red 2", "play car blue 1"], "may not": ["play car blue 2"]},
        match="colour_or_number",
    ),
    row(
        "it matches through ducks",
        ["car red 1, car red 2, car blue 1, car blue 2", "car green 1, ducks"],
        "play car red 1, play car green 1, skip, play ducks on seat 0, skip, draw face-up",
        {"may": ["play car red 2", "play car blue 1"], "may not": ["play car blue 2"]},
        match="colour_or_number",
    ),
    row(
        "not through tows",
        ["car red 1, tow, car blue 1, car blue 2", "car green 1, breakdown red"],
        "play car red 1, play car green 1, skip, play breakdown red on seat 0, play tow, skip, draw face-up",
        {"may": ["play car blue 1", "play car blue 2"]},
        match="colour_or_number",
    ),
    row(
        "forced play forbids discards",
        ["car red 1, ducks", "ducks"],
        "draw face-up",
        {"moves": {"play car red 1"}},
        forced_play=True,
    ),
    row(
        "an empty stock is remade without the top",
        ["car red 1", "car blue 1"],
        "draw stock, play car red 1",
        {"faceup": ["red light"], "stock": ["ducks"]},
        faceup="ducks, red light",
        stock=1,
    ),
    row(
        "an empty face-up pile takes from the stock",
        ["car red 1", "car blue 1"],
        "draw face-up, play car red 1",
        {"faceup_left": 1, "pile_left": 1, "moves": {"draw face-up", "draw stock"}},
        faceup="ducks",
        stock=2,
    ),
    row(
        "the last card of the stock lies face up",
        ["car red 1", "car blue 1"],
        "draw face-up, play car red 1, draw face-up, play car blue 1",
        {"pile_left": 0, "moves": {"draw face-up"}},
        faceup="ducks",
        stock=2,
    ),
    row(
        "without cards to draw the hand is played",
        ["car red 1, car red 2", "car blue 1"],
        "draw face-up, play car red 1",
        {"to move": 1, "moves": {"play car blue 1", "discard car blue 1"}},
        faceup="ducks",
        stock=0,
    ),
    row(
        "an empty hand passes",
        ["car red 1, car red 2", "car blue 1"],
        "draw face-up, play car red 1, play car blue 1, play car red 2",
        {"to move": 0, "turns": 4},
        faceup="ducks",
        stock=0,
    ),
]


@pytest.mark.parametrize(("hands", "faceup", "settings", "moves", "expected"), ROWS)
def test_moves_do_what_the_rules_say(
    hands: list[list[str]], faceup: list[str], settings: dict[str, Any], moves: list[str], expected: dict[str, Any]
) -> None:
    match = match_with(hands, faceup, **settings)
    for name in moves:
        if name == "skip":
            skip(match)
        else:
            do(match, name)
    found = seen(match)
    found["may"] = sorted(found["moves"].intersection(expected.get("may", ())), key=expected.get("may", []).index)
    found["may not"] = [
        name for name in expected.get("may not", ()) if not any(one.startswith(name) for one in found["moves"])
    ]
    assert {name: found[name] for name in expected} == expected


def test_impossible_decks_are_refused() -> None:
    for settings, words in (
        ({"deck.cars": []}, "deck.cars: no numbers"),
        ({"deck.tows": 20}, "at most 64"),
        ({"hand": 16}, "the deal needs 65 cards"),
    ):
        with pytest.raises(InputError, match=words):
            make_setup("vague-verte", 4, (), settings)


# What a seat knows. Worlds are compared by the hands of the others; the stock is the rest.


def worlds(match: Match, seat: int, number: int) -> Counter[tuple[tuple[int, ...], ...]]:
    """How often each world comes up, as the hands of all seats."""
    times: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for key in range(number):
        world = match.imagine(seat, 1000 + key)
        assert world.knows(seat) == match.knows(seat)
        times[tuple(tuple(hand) for hand in world.snapshot()["hands"])] += 1
    return times


SMALL: dict[str, Any] = {
    "deck.cars": [1],
    "deck.breakdowns": 0,
    "deck.tows": 2,
    "deck.ambulances": 1,
    "deck.ducks": 1,
    "deck.red_lights": 1,
    "deck.green_lights": 0,
    "hand": 2,
}
RED, YELLOW, GREEN, BLUE, TOW, OTHER_TOW, AMBULANCE, DUCKS, RED_LIGHT = range(9)


@pytest.mark.compiled
@pytest.mark.parametrize("number", [1_500, pytest.param(4_000, marks=pytest.mark.slow)])
def test_unseen_cards_are_anywhere(number: int) -> None:
    match = match_with([["car red 1", "tow"], ["car blue 1", "ducks"], ["tow", "red light"]], ["ambulance"], **SMALL)
    hidden = [YELLOW, GREEN, BLUE, OTHER_TOW, DUCKS, RED_LIGHT]
    expected = {((RED, TOW), *rest) for rest in all_deals(hidden, [2, 2])}
    assert_even(worlds(match, 0, number), expected)


def test_card_taken_face_up_stays_known() -> None:
    match = match_with([["car red 1", "tow"], ["car blue 1", "ducks"], ["tow", "red light"]], ["ambulance"], **SMALL)
    do(match, "discard tow", "draw face-up", "play car blue 1")
    assert all(TOW in hands[1] for hands in worlds(match, 0, 50))
    assert all(TOW in hands[1] for hands in worlds(match, 2, 50))


def test_laid_equal_card_may_be_the_known_one() -> None:
    match = match_with([["car red 1", "tow"], ["tow", "ducks"], ["car blue 1", "red light"]], ["ambulance"], **SMALL)
    do(match, "discard tow", "draw face-up")  # seat 1 now holds both tows, one of them known
    match.apply(OTHER_TOW)  # and lays the other one
    assert int(match.state.shown[1]) == 0
    assert {len(hands[1]) for hands in worlds(match, 0, 10)} == {2}
    assert any(TOW not in hands[1] for hands in worlds(match, 0, 50))


@pytest.mark.compiled
def test_a_reshuffled_stock_is_known_as_a_set() -> None:
    match = match_with(
        [["car red 1"], ["car yellow 1"], ["car green 1"]],
        ["tow", "tow", "ducks", "red light"],
        stock=1,
        **SMALL,
    )
    do(match, "draw stock", "play car red 1")  # the stock is empty: two tows and the ducks become the new one
    assert int(match.state.reshuffles) == 1
    own = match.snapshot()["hands"][0]
    hidden_before = [YELLOW, GREEN]
    assert_even(worlds(match, 0, 500), {(tuple(own), *rest) for rest in all_deals(hidden_before, [1, 1])})
    do(match, "draw stock")  # seat 1 has one of them, seat 2 none
    expected = {
        (tuple(own), tuple(sorted((mine, drawn))), (other,))
        for mine, other in permutations(hidden_before)
        for drawn in (TOW, OTHER_TOW, DUCKS)
    }
    assert_even(worlds(match, 0, 1000), expected)


@pytest.mark.compiled
def test_forced_discard_shows_nothing_is_playable() -> None:
    hands = [["car red 1", "tow"], ["ambulance", "ducks"], ["tow", "red light"]]
    match = match_with(hands, ["car blue 1"], forced_play=True, **SMALL)
    match.state.pile[:2] = [YELLOW, GREEN]
    do(match, "play car red 1")
    state = match.state
    state.hand[1] |= 1 << RED_LIGHT  # a third card in the place of a draw
    state.hand[2] ^= 1 << RED_LIGHT
    state.stage = 1
    do(match, "discard red light")
    own, hidden = tuple(match.snapshot()["hands"][0]), [YELLOW, GREEN, AMBULANCE, DUCKS, OTHER_TOW]
    hidden = [card for card in hidden if card not in own]
    ways = all_deals(hidden, [2, 1], lambda place, hand: place > 0 or not {YELLOW, GREEN} & set(hand))
    assert_even(worlds(match, 0, 1500), {(own, *rest) for rest in ways})


def test_equal_cards_are_one_kind() -> None:
    match = match_with([["car red 1", "car red 1", "car red 2"], []])
    do(match, "draw face-up")
    kinds = Counter(match.seen(move, 1) for move in match.moves())
    assert sorted(kinds.values()) == [1, 1, 1, 2, 2]
