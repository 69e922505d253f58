"""VAGUE VERTE: the tricky rules in hand-made positions, and what a seat may conclude."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import pytest

from houle.solver.errors import InputError
from houle.solver.games.vague_verte.rules import LIT, NONE, build_deck
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick


def match_with(
    hands: list[list[str]], faceup: list[str] | None = None, stock: int | None = None, **settings: Any
) -> Match:
    """The first turn with these hands and this face-up pile; `stock` limits the stock."""
    setup = make_setup(
        "vague-verte", len(hands), (), {key.replace("__", "."): value for key, value in settings.items()}
    )
    match = Match(setup, seed=1)
    left = dict(enumerate(build_deck(setup.options)))

    def take(name: str) -> int:
        card = next(card for card, face in left.items() if face == name)
        del left[card]
        return card

    state = match.state
    for seat, hand in enumerate(hands):
        state.hand[seat] = sum(1 << take(name) for name in hand)
    pile = [take(name) for name in (faceup if faceup is not None else ["tow"])]
    state.bottom, state.faceup_left = 0, len(pile)
    state.faceup[: len(pile)] = pile
    rest = list(left)[-stock:] if stock else [] if stock == 0 else list(left)
    state.pile_left, state.gaps, state.added = len(rest), 0, 0
    state.pile[: len(rest)] = rest
    return match


def do(match: Match, *names: str) -> None:
    """Plays actions by name, each after a draw from the stock if a draw is due."""
    for name in names:
        if not name.startswith("draw") and "draw stock" in match.names():
            match.apply(match.moves()[match.names().index("draw stock")])
        assert name in match.names()
        match.apply(match.moves()[match.names().index(name)])


def skip(match: Match) -> None:
    """Takes the face-up card and lays it back."""
    do(match, "draw face-up")
    match.apply(int(match.state.drawn))


def options(match: Match) -> set[str]:
    """What could be played on the board after a draw of the face-up card."""
    if "draw face-up" in match.names():
        do(match, "draw face-up")
    return {name for name in match.names() if name.startswith("play")}


def named(match: Match, cards: list[int]) -> list[str]:
    deck = build_deck(match.setup.options)
    return [deck[card] for card in cards]


def test_a_road_begins_with_a_car() -> None:
    hand = ["car red 1", "car blue 2", "red light", "ambulance", "breakdown red", "ducks"]
    assert options(match_with([hand, []])) == {"play car red 1", "play car blue 2"}


def test_breakdown_stops_its_colour_until_towed() -> None:
    match = match_with(
        [["car red 1", "car blue 4", "tow", "red light"], ["car green 2", "breakdown red", "breakdown blue"]]
    )
    do(match, "play car red 1", "play car green 2", "discard car blue 4")
    assert {name for name in options(match) if "breakdown" in name} == {"play breakdown red on seat 0"}
    do(match, "play breakdown red on seat 0")
    assert "play tow" in options(match)
    assert "play red light at row 3" in match.names()
    assert not any(name.startswith("play car") for name in match.names())
    do(match, "play tow")
    assert [named(match, square) for square in match.snapshot()["roads"][0]] == [
        ["car red 1"],
        ["breakdown red", "tow"],
    ]
    assert not any("seat 0" in name for name in options(match) if "breakdown" in name)  # a tow is no car
    assert int(match.state.own[0]) == int(match.setup.rules[0].cars)


def test_red_light_stops_at_its_row() -> None:
    match = match_with([["car red 1", "car red 2", "car red 3"], ["car blue 1", "car blue 2", "red light"]])
    do(match, "play car red 1", "play car blue 1", "play car red 2", "play red light at row 1")
    assert "play car red 3" in options(match)  # beyond the row: free
    do(match, "play car red 3")
    assert "play car blue 2" not in options(match)  # on the row: stopped


def test_each_row_takes_one_red_light() -> None:
    match = match_with([["car red 1", "red light", "red light"], ["car blue 1"]], road=3)
    do(match, "play car red 1", "play car blue 1", "play red light at row 3")
    skip(match)
    lights = {name for name in options(match) if name.startswith("play red light")}
    assert lights == {"play red light at row 1", "play red light at row 2"}


def test_green_light_puts_both_under_the_pile() -> None:
    match = match_with([["car red 1", "red light"], ["car blue 1", "green light"]], ["tow", "ducks"])
    do(match, "play car red 1", "play car blue 1", "play red light at row 2", "play green light at row 2")
    assert named(match, match.snapshot()["faceup"]) == ["red light", "green light", "tow", "ducks"]
    assert set(match.snapshot()["lights"]) == {-1}


def test_ambulance_passes_only_red_lights() -> None:
    match = match_with(
        [
            ["car red 1", "ambulance", "car red 2", "red light"],
            ["car blue 1", "red light", "breakdown red", "tow"],
        ]
    )
    do(match, "play car red 1", "play car blue 1")
    assert "play ambulance" not in options(match)  # nothing stops it
    do(match, "play red light at row 2", "play red light at row 1")
    assert {name for name in options(match) if "light" not in name} == {"play ambulance"}
    do(match, "play ambulance")
    assert int(match.state.filled[0]) == 2
    assert "play breakdown red on seat 0" not in options(match)  # an ambulance is no car, and row 2 is barred
    do(match, "discard breakdown red")
    assert "play car red 2" not in options(match)  # the light in the next row stops it again


def test_no_ambulance_on_a_breakdown() -> None:
    match = match_with([["car red 1", "ambulance", "red light"], ["car blue 1", "breakdown red"]])
    do(match, "play car red 1", "play car blue 1", "discard red light", "play breakdown red on seat 0")
    match.state.targets ^= 1 << (LIT + 2)
    assert "play ambulance" not in options(match)


def test_attacks_respect_red_lights() -> None:
    match = match_with([["car red 1", "red light"], ["car blue 1", "breakdown red", "ducks"]])
    do(match, "play car red 1", "play car blue 1", "play red light at row 1")
    assert not any("seat 0" in name for name in options(match))


def test_ducks_fill_a_square_and_cost_turns() -> None:
    match = match_with([["car red 1"], ["car blue 1", "ducks"], ["car green 1", "ducks"]])
    do(match, "play car red 1", "play car blue 1", "play car green 1")
    skip(match)
    do(match, "play ducks on seat 0", "play ducks on seat 0")
    assert int(match.state.filled[0]) == 3
    assert (match.to_move(), int(match.state.missed[0]), int(match.state.turns)) == (1, 1, 7)
    skip(match)
    skip(match)
    assert (match.to_move(), int(match.state.missed[0]), int(match.state.turns)) == (1, 0, 10)


def test_ducks_and_breakdowns_do_not_follow_each_other() -> None:
    match = match_with(
        [["car red 1"], ["car blue 1", "breakdown red", "ducks"], ["car green 1", "breakdown blue", "ducks"]]
    )
    do(match, "play car red 1", "play car blue 1", "play car green 1")
    skip(match)
    do(match, "play breakdown red on seat 0")
    assert "play ducks on seat 0" not in options(match)
    do(match, "play ducks on seat 1")
    skip(match)
    assert match.to_move() == 2
    assert "play breakdown blue on seat 1" not in options(match)


@pytest.mark.parametrize("allowed", [False, True])
def test_attacks_on_the_last_square(allowed: bool) -> None:
    cars = ["car red 1", "car red 2", "tow"]
    match = match_with([cars, ["car blue 1", "breakdown red", "ducks"]], road=3, attack_last_square=allowed)
    do(match, "play car red 1", "play car blue 1", "play car red 2")
    attacks = {name for name in options(match) if "seat 0" in name}
    assert attacks == ({"play breakdown red on seat 0"} if allowed else set())
    if allowed:
        do(match, "play breakdown red on seat 0")
        assert (match.to_move(), int(match.state.winner)) == (0, NONE)
        do(match, "play tow")
        assert (match.to_move(), match.result()["shares"]) == (-1, [840, 0])


def test_matching_looks_through_ducks_but_not_through_tows() -> None:
    hand = ["car red 1", "car red 2", "car blue 1", "car blue 2"]
    match = match_with([hand, ["car green 1", "ducks", "breakdown red"]], ["car green 4"], match="colour_or_number")
    do(match, "play car red 1", "play car green 1")
    assert options(match) == {"play car red 2", "play car blue 1"}
    do(match, "discard car green 4", "play ducks on seat 0")
    skip(match)
    assert {name for name in options(match) if "green" not in name} == {"play car red 2", "play car blue 1"}
    do(match, "play car red 2", "play breakdown red on seat 0")
    match.state.hand[0] |= match.setup.rules[0].tows
    do(match, "play tow")
    skip(match)
    assert {"play car blue 1", "play car blue 2"} <= options(match)


def test_forced_play_forbids_discards_if_playable() -> None:
    match = match_with([["car red 1", "ducks"], ["ducks"]], forced_play=True)
    do(match, "draw face-up")
    assert match.names() == ["play car red 1"]
    do(match, "play car red 1")
    match.state.stage = 1  # seat 1 with its one card
    assert match.names() == ["discard ducks"]


def test_empty_stock_is_remade_without_the_top() -> None:
    match = match_with([["car red 1"], ["car blue 1"]], ["ducks", "red light"], stock=1)
    do(match, "draw stock", "play car red 1")
    assert named(match, match.snapshot()["faceup"]) == ["red light"]
    assert named(match, match.snapshot()["stock"]) == ["ducks"]


def test_empty_face_up_pile_takes_from_stock() -> None:
    match = match_with([["car red 1"], ["car blue 1"]], ["ducks"], stock=2)
    do(match, "draw face-up", "play car red 1")
    seen = match.snapshot()
    assert (len(seen["faceup"]), len(seen["stock"]), match.names()) == (1, 1, ["draw face-up", "draw stock"])
    do(match, "draw face-up", "play car blue 1")
    assert (len(match.snapshot()["stock"]), match.names()) == (0, ["draw face-up"])


def test_nothing_to_draw_and_nothing_to_lay() -> None:
    match = match_with([["car red 1", "car red 2"], ["car blue 1"]], ["ducks"], stock=0)
    do(match, "draw face-up", "play car red 1")
    assert (match.to_move(), match.names()) == (1, ["play car blue 1", "discard car blue 1"])
    do(match, "play car blue 1", "play car red 2")
    assert (match.to_move(), int(match.state.turns)) == (0, 4)  # seat 1 passed


def test_turn_limit_is_a_draw() -> None:
    match = match_with([["car red 1", "car red 2", "car red 3"], ["car blue 1"]], road=3, max_turns=10)
    do(match, "play car red 1", "play car blue 1", "play car red 2")
    skip(match)
    match.state.turns = 9
    late = Match(match.setup, seed=1)
    late.states = match.states.copy()
    do(match, "play car red 3")
    assert (match.result()["shares"], match.result()["drawn"]) == ([840, 0], False)
    do(late, "discard car red 3")
    assert (late.to_move(), late.result()["shares"], late.result()["drawn"]) == (-1, [0, 0], True)


def test_impossible_decks_are_refused() -> None:
    for settings, words in (
        ({"deck.cars": []}, "deck.cars: no numbers"),
        ({"deck.tows": 20}, "at most 64"),
        ({"hand": 16}, "the deal needs 65 cards"),
    ):
        with pytest.raises(InputError, match=words):
            make_setup("vague-verte", 4, (), settings)


@pytest.mark.compiled
def test_random_moves_are_uniform_over_physical_actions() -> None:
    hand = ["car red 1", "car red 1", "breakdown blue", "ducks", "red light", "green light", "green light"]
    match = match_with([hand, ["car blue 1", "red light"], ["car blue 2", "tow", "tow"]])
    do(
        match,
        "play car red 1",
        "play car blue 1",
        "play car blue 2",
        "discard car red 1",
        "play red light at row 3",
        "discard tow",
    )
    do(match, "draw face-up")
    moves = match.moves()
    assert sum("green light at" in match.name(move) for move in moves) == 2
    assert sum("breakdown" in match.name(move) for move in moves) == 3
    drawn = Counter(match.random_move() for _ in range(200 * len(moves)))
    assert set(drawn) == set(moves)
    assert sum((n - 200) ** 2 / 200 for n in drawn.values()) < len(moves) + 5 * (2 * len(moves)) ** 0.5


# What a seat knows. Worlds are compared by the hands of the others; the stock is the rest.


def worlds(match: Match, seat: int, number: int) -> Counter[tuple[tuple[int, ...], ...]]:
    """How often each world comes up, as the hands of all seats."""
    times: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for key in range(number):
        world = match.imagine(seat, 1000 + key)
        assert world.knows(seat) == match.knows(seat)
        times[tuple(tuple(hand) for hand in world.snapshot()["hands"])] += 1
    return times


def assert_uniform(times: Counter[Any], expected: set[Any]) -> None:
    assert set(times) == expected
    mean = sum(times.values()) / len(expected)
    freedom = len(expected) - 1
    assert sum((n - mean) ** 2 / mean for n in times.values()) < freedom + 5 * (2 * freedom) ** 0.5 + 5


def deals(cards: list[int], sizes: list[int]) -> set[tuple[tuple[int, ...], ...]]:
    """Every way to deal hands of these sizes."""
    ways = set()
    for order in permutations(cards, sum(sizes)):
        cuts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        ways.add(tuple(tuple(sorted(order[a:b])) for a, b in pairwise(cuts)))
    return ways


SMALL: dict[str, Any] = {
    "deck__cars": [1], "deck__breakdowns": 0, "deck__tows": 2, "deck__ambulances": 1, "deck__ducks": 1,
    "deck__red_lights": 1, "deck__green_lights": 0, "hand": 2,
}  # fmt: skip
RED, YELLOW, GREEN, BLUE, TOW, OTHER_TOW, AMBULANCE, DUCKS, RED_LIGHT = range(9)


@pytest.mark.compiled
@pytest.mark.parametrize("number", [1_500, pytest.param(4_000, marks=pytest.mark.slow)])
def test_unseen_cards_are_anywhere(number: int) -> None:
    match = match_with([["car red 1", "tow"], ["car blue 1", "ducks"], ["tow", "red light"]], ["ambulance"], **SMALL)
    hidden = [YELLOW, GREEN, BLUE, OTHER_TOW, DUCKS, RED_LIGHT]
    expected = {((RED, TOW), *rest) for rest in deals(hidden, [2, 2])}
    assert_uniform(worlds(match, 0, number), expected)


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
    assert_uniform(worlds(match, 0, 500), {(tuple(own), *rest) for rest in deals(hidden_before, [1, 1])})
    do(match, "draw stock")  # seat 1 has one of them, seat 2 none
    expected = {
        (tuple(own), tuple(sorted((mine, drawn))), (other,))
        for mine, other in permutations(hidden_before)
        for drawn in (TOW, OTHER_TOW, DUCKS)
    }
    assert_uniform(worlds(match, 0, 1000), expected)


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
    expected = {(own, *rest) for rest in deals(hidden, [2, 1]) if not {YELLOW, GREEN} & set(rest[0])}
    assert_uniform(worlds(match, 0, 1500), expected)


def test_equal_cards_are_one_kind() -> None:
    match = match_with([["car red 1", "car red 1", "car red 2"], []])
    do(match, "draw face-up")
    kinds = Counter(match.seen(move, 1) for move in match.moves())
    assert sorted(kinds.values()) == [1, 1, 1, 2, 2]


@pytest.mark.compiled
@pytest.mark.parametrize("variant", ["base", "forced"])
def test_world_depends_only_on_what_is_known(variant: str) -> None:
    """From two worlds that a seat cannot tell apart, the same key leads to the same world."""
    match = Match(make_setup("vague-verte", 3, (variant,), {"deck.cars": [1, 2, 3, 4]}), seed=7)
    for ply in range(160):
        if match.to_move() < 0:
            break
        if ply % 8 == 0:
            for seat in range(3):
                other = match.imagine(seat, ply)
                assert match.imagine(seat, 99).snapshot() == other.imagine(seat, 99).snapshot()
        match.apply(match.random_move())
