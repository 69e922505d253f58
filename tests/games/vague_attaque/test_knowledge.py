"""VAGUE & ATTAQUE: what a seat knows; worlds are uniform over all that it cannot rule out."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from houle.solver.matches.match import Match
from tests.games.vague_attaque.scene import copied, encounter, place, scene
from tests.support.scenes import act, assert_even

pytestmark = pytest.mark.compiled

P0, P1, P2, P4 = (place(number) for number in (0, 1, 2, 4))


def imagined(match: Match, seat: int, worlds: int = 300) -> list[list[list[int]]]:
    """The hands in many worlds of a seat."""
    return [match.imagine(seat, key).snapshot()["hands"] for key in range(worlds)]


def where(hands: list[list[list[int]]], card: int) -> set[int]:
    """The seats that hold a card in some world; -1 if none does."""
    return {next((seat for seat, hand in enumerate(world) if card in hand), -1) for world in hands}


def test_only_unseen_cards_are_imagined() -> None:
    match = scene(hands={0: [0, P0], 1: [1, 2, P1], 2: [3, encounter("parry")]})
    hands = imagined(match, 0)
    assert all(world[0] == [0, P0] for world in hands)
    assert all([len(hand) for hand in world] == [2, 3, 2] for world in hands)
    assert where(hands, 1) == {1, 2, -1}
    assert where(hands, P1) == {1, -1}, "everyone saw that seat 2 drew no place"
    assert where(hands, encounter("parry")) == {2}, "gold cards are shown when drawn"


def test_stolen_card_is_known_to_both_players() -> None:
    match = scene(3, "encounter", hands={0: [9], 1: [1, 2]}, tops=[encounter("steal_random")])
    act(match, "adventure", "steal from seat 1")
    stolen = next(card for card in (1, 2) if card in match.snapshot()["hands"][0])
    assert where(imagined(match, 1), stolen) == {0}
    assert where(imagined(match, 0), stolen) == {0}
    assert where(imagined(match, 2), stolen) == {0, 1, -1}


def test_hook_and_duel_cards_are_known_to_all() -> None:
    match = scene(powers={0: "hook"}, discards=[8], hands={0: [9], 1: [1]})
    act(match, "hook")
    assert where(imagined(match, 1), 8) == {0}
    duel = scene(phase="encounter", zones={1: {P0: [0]}}, hands={0: [9, P4], 2: [1]})
    for luck in range(60):
        match = copied(duel)
        match.state.chance = luck * 0x9E37_79B9_7F4A_7C15 % 2**64
        act(match, "duel souvenir 0")
        if 0 in match.snapshot()["hands"][0]:
            assert where(imagined(match, 2), 0) == {0}
            return
    pytest.fail("never won")


def test_reshuffle_separates_piles_from_hands() -> None:
    """Once the pile was used up, everyone knows which cards are in hands and which were shuffled."""
    discards = list(range(30, 41))
    match = scene(hands={0: [0], 1: [1, 2, 3], 2: list(range(4, 30))}, discards=discards)
    act(match, "draw")
    drawn = next(card for card in match.snapshot()["hands"][0] if card >= 30)
    hands = imagined(match, 1)
    assert where(hands, drawn) == {0, -1}
    assert where(hands, 35) == {0, -1}
    assert where(hands, 0) == {0, 2}
    assert where(hands, 20) == {0, 2}, "no earlier card can be in the pile"


@pytest.mark.quick
def test_only_the_owner_sees_spyglass_cards() -> None:
    match = scene(powers={0: "spyglass"}, tops=[12, 5], hands={1: [3]})
    act(match, "draw")
    assert {tuple(match.imagine(0, key).state.drawn.tolist()) for key in range(50)} == {(12, 5)}
    worlds = {tuple(match.imagine(1, key).state.drawn.tolist()) for key in range(50)}
    assert len(worlds) > 30
    keep = next(action for action in match.moves() if match.name(action) == "keep souvenir 5")
    assert match.seen(keep, 0)[0] != match.seen(keep, 1)[0], "the others see the discarded one"


def test_asking_the_partner_shows_that_nothing_fits() -> None:
    zones = {0: {P0: [], P1: [], P2: []}}
    match = scene(4, "land", variants=("teams",), zones=zones, hands={0: [3, 8, 10, 12], 2: [5], 3: [14]})
    act(match, "lay souvenir 3 on place 1a")
    assert match.to_move() == 2
    fitting = {0, 1, 2, 4, 5} | {22 + j for j in range(19) if {0, 1, 2} & {j % 11, (j + 3) % 11, (j + 7) % 11}}
    for seat in (1, 2, 3):
        for world in imagined(match, seat):
            assert not fitting & set(world[0])
    assert where(imagined(match, 1), 0) == {2, 3, -1}


@pytest.mark.parametrize("times", [10, pytest.param(30, marks=pytest.mark.slow)])
def test_worlds_are_uniform_over_all_that_is_possible(times: int) -> None:
    """Six unseen souvenirs: two in seat 1's hand, one in seat 2's, three in the pile, whose order counts."""
    known = list(range(6, 41))
    match = scene(hands={0: known, 1: [0, 1], 2: [2]})
    seen: Counter[tuple[int, ...]] = Counter()
    for key in range(360 * times):
        world = match.imagine(0, key)
        hands = [int(world.state.hand[seat]) for seat in (1, 2)]
        seen[(*hands, *world.state.pile[0, :3].tolist())] += 1
    possible = {(1 << a | 1 << b, 1 << c, *rest) for a, b, c, *rest in permutations(range(6))}
    assert len(possible) == 360
    assert_even(seen, possible)


def test_worlds_are_uniform_where_something_is_ruled_out() -> None:
    """One of two cards of the partner cannot be souvenir 0 or 1; the remaining pairs come equally often."""
    known = list(range(5, 41))
    match = scene(4, variants=("teams",), hands={0: known, 2: [3, 4]})
    match.state.barred[3] = 0b00011
    seen = Counter(int(match.imagine(0, key).state.hand[2]) for key in range(6_000))
    # (barred card, other card): the first one of 2, 3, 4, the second any other of five.
    ways = Counter(1 << a | 1 << b for a, b in permutations(range(5), 2) if a > 1)
    assert_even(seen, ways)


@pytest.mark.quick
def test_equal_cards_are_of_one_kind() -> None:
    gold = [encounter("parry"), encounter("parry", 1), encounter("steady_hand")]
    match = scene(phase="lose", hands={0: [0, P0, place(0, 1), P1, *gold]})
    kinds = {match.name(action): match.seen(action, 0)[1] for action in match.moves()}
    assert kinds["lose encounter 24"] == kinds["lose encounter 25"] != kinds["lose encounter 27"]
    assert kinds["lose place 0a"] == kinds["lose place 0b"] != kinds["lose place 1a"]
    match = scene(phase="land", zones={0: {P0: [], place(0, 1): []}}, hands={0: [0]})
    kinds = {match.name(action): match.seen(action, 0)[1] for action in match.moves()}
    assert kinds["lay souvenir 0 on place 0a"] == kinds["lay souvenir 0 on place 0b"]
    match = scene(phase="land", zones={0: {P0: [22], place(0, 1): []}}, hands={0: [0]})
    kinds = {match.name(action): match.seen(action, 0)[1] for action in match.moves()}
    assert kinds["lay souvenir 0 on place 0a"] != kinds["lay souvenir 0 on place 0b"]
