"""VAGUE VERTE: the tricky rules on hand-made tables, and what a seat may conclude."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import pytest

from houle.solver.errors import InputError
from houle.solver.games.vague_verte.state import LIT, NONE, build_deck
from houle.solver.match import Match
from houle.solver.ruleset import make_setup


def table_of(
    hands: list[list[str]], faceup: list[str] | None = None, stock: int | None = None, **settings: Any
) -> Match:
    """A table at its first turn with these hands and this face-up pile; `stock` limits the stock."""
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
    """Plays actions by name, each after a draw from the stock where a draw is due."""
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
    assert options(table_of([hand, []])) == {"play car red 1", "play car blue 2"}


def test_a_breakdown_stops_only_a_car_of_its_colour_and_a_tow_frees_it() -> None:
    table = table_of(
        [["car red 1", "car blue 4", "tow", "red light"], ["car green 2", "breakdown red", "breakdown blue"]]
    )
    do(table, "play car red 1", "play car green 2", "lay car blue 4")
    assert {name for name in options(table) if "breakdown" in name} == {"play breakdown red on seat 0"}
    do(table, "play breakdown red on seat 0")
    assert "play tow" in options(table)
    assert "play red light at row 3" in table.names()
    assert not any(name.startswith("play car") for name in table.names())
    do(table, "play tow")
    assert [named(table, square) for square in table.snapshot()["roads"][0]] == [
        ["car red 1"],
        ["breakdown red", "tow"],
    ]
    assert not any("seat 0" in name for name in options(table) if "breakdown" in name)  # a tow is no car
    assert int(table.state.own[0]) == int(table.setup.rules[0].cars)


def test_a_red_light_bars_the_step_beyond_its_row() -> None:
    table = table_of([["car red 1", "car red 2", "car red 3"], ["car blue 1", "car blue 2", "red light"]])
    do(table, "play car red 1", "play car blue 1", "play car red 2", "play red light at row 1")
    assert "play car red 3" in options(table)  # beyond the row: free
    do(table, "play car red 3")
    assert "play car blue 2" not in options(table)  # on the row: stopped


def test_rows_take_one_red_light_each_the_last_row_too() -> None:
    table = table_of([["car red 1", "red light", "red light"], ["car blue 1"]], road=3)
    do(table, "play car red 1", "play car blue 1", "play red light at row 3")
    skip(table)
    lights = {name for name in options(table) if name.startswith("play red light")}
    assert lights == {"play red light at row 1", "play red light at row 2"}


def test_a_green_light_sends_both_lights_under_the_pile() -> None:
    table = table_of([["car red 1", "red light"], ["car blue 1", "green light"]], ["tow", "ducks"])
    do(table, "play car red 1", "play car blue 1", "play red light at row 2", "play green light at row 2")
    assert named(table, table.snapshot()["faceup"]) == ["red light", "green light", "tow", "ducks"]
    assert set(table.snapshot()["lights"]) == {-1}


def test_the_ambulance_passes_a_red_light_and_nothing_else() -> None:
    table = table_of(
        [
            ["car red 1", "ambulance", "car red 2", "red light"],
            ["car blue 1", "red light", "breakdown red", "tow"],
        ]
    )
    do(table, "play car red 1", "play car blue 1")
    assert "play ambulance" not in options(table)  # nothing stops it
    do(table, "play red light at row 2", "play red light at row 1")
    assert {name for name in options(table) if "light" not in name} == {"play ambulance"}
    do(table, "play ambulance")
    assert int(table.state.filled[0]) == 2
    assert "play breakdown red on seat 0" not in options(table)  # an ambulance is no car, and row 2 is barred
    do(table, "lay breakdown red")
    assert "play car red 2" not in options(table)  # the light in the next row stops it again


def test_no_ambulance_on_a_breakdown() -> None:
    table = table_of([["car red 1", "ambulance", "red light"], ["car blue 1", "breakdown red"]])
    do(table, "play car red 1", "play car blue 1", "lay red light", "play breakdown red on seat 0")
    table.state.targets ^= 1 << (LIT + 2)
    assert "play ambulance" not in options(table)


def test_attacks_respect_red_lights() -> None:
    table = table_of([["car red 1", "red light"], ["car blue 1", "breakdown red", "ducks"]])
    do(table, "play car red 1", "play car blue 1", "play red light at row 1")
    assert not any("seat 0" in name for name in options(table))


def test_ducks_fill_a_square_and_cost_a_turn_each() -> None:
    table = table_of([["car red 1"], ["car blue 1", "ducks"], ["car green 1", "ducks"]])
    do(table, "play car red 1", "play car blue 1", "play car green 1")
    skip(table)
    do(table, "play ducks on seat 0", "play ducks on seat 0")
    assert int(table.state.filled[0]) == 3
    assert (table.to_move(), int(table.state.missed[0]), int(table.state.turns)) == (1, 1, 7)
    skip(table)
    skip(table)
    assert (table.to_move(), int(table.state.missed[0]), int(table.state.turns)) == (1, 0, 10)


def test_no_ducks_on_a_breakdown_and_no_breakdown_behind_ducks() -> None:
    table = table_of(
        [["car red 1"], ["car blue 1", "breakdown red", "ducks"], ["car green 1", "breakdown blue", "ducks"]]
    )
    do(table, "play car red 1", "play car blue 1", "play car green 1")
    skip(table)
    do(table, "play breakdown red on seat 0")
    assert "play ducks on seat 0" not in options(table)
    do(table, "play ducks on seat 1")
    skip(table)
    assert table.to_move() == 2
    assert "play breakdown blue on seat 1" not in options(table)


@pytest.mark.parametrize("allowed", [False, True])
def test_attacks_on_the_last_square(allowed: bool) -> None:
    cars = ["car red 1", "car red 2", "tow"]
    table = table_of([cars, ["car blue 1", "breakdown red", "ducks"]], road=3, attack_last_square=allowed)
    do(table, "play car red 1", "play car blue 1", "play car red 2")
    attacks = {name for name in options(table) if "seat 0" in name}
    assert attacks == ({"play breakdown red on seat 0"} if allowed else set())
    if allowed:
        do(table, "play breakdown red on seat 0")
        assert (table.to_move(), int(table.state.winner)) == (0, NONE)
        do(table, "play tow")
        assert (table.to_move(), table.result()["shares"]) == (-1, [840, 0])


def test_matching_looks_through_ducks_but_not_through_tows() -> None:
    hand = ["car red 1", "car red 2", "car blue 1", "car blue 2"]
    table = table_of([hand, ["car green 1", "ducks", "breakdown red"]], ["car green 4"], match="colour_or_number")
    do(table, "play car red 1", "play car green 1")
    assert options(table) == {"play car red 2", "play car blue 1"}
    do(table, "lay car green 4", "play ducks on seat 0")
    skip(table)
    assert {name for name in options(table) if "green" not in name} == {"play car red 2", "play car blue 1"}
    do(table, "play car red 2", "play breakdown red on seat 0")
    table.state.hand[0] |= table.setup.rules[0].tows
    do(table, "play tow")
    skip(table)
    assert {"play car blue 1", "play car blue 2"} <= options(table)


def test_forced_play_leaves_no_discard_while_something_can_be_played() -> None:
    table = table_of([["car red 1", "ducks"], ["ducks"]], forced_play=True)
    do(table, "draw face-up")
    assert table.names() == ["play car red 1"]
    do(table, "play car red 1")
    table.state.stage = 1  # seat 1 with its one card
    assert table.names() == ["lay ducks"]


def test_an_empty_stock_is_made_of_the_face_up_pile_but_for_its_top() -> None:
    table = table_of([["car red 1"], ["car blue 1"]], ["ducks", "red light"], stock=1)
    do(table, "draw stock", "play car red 1")
    assert named(table, table.snapshot()["faceup"]) == ["red light"]
    assert named(table, table.snapshot()["stock"]) == ["ducks"]


def test_an_empty_face_up_pile_is_begun_from_the_stock() -> None:
    table = table_of([["car red 1"], ["car blue 1"]], ["ducks"], stock=2)
    do(table, "draw face-up", "play car red 1")
    seen = table.snapshot()
    assert (len(seen["faceup"]), len(seen["stock"]), table.names()) == (1, 1, ["draw face-up", "draw stock"])
    do(table, "draw face-up", "play car blue 1")
    assert (len(table.snapshot()["stock"]), table.names()) == (0, ["draw face-up"])


def test_nothing_to_draw_and_nothing_to_lay() -> None:
    table = table_of([["car red 1", "car red 2"], ["car blue 1"]], ["ducks"], stock=0)
    do(table, "draw face-up", "play car red 1")
    assert (table.to_move(), table.names()) == (1, ["play car blue 1", "lay car blue 1"])
    do(table, "play car blue 1", "play car red 2")
    assert (table.to_move(), int(table.state.turns)) == (0, 4)  # seat 1 passed


def test_the_turn_limit_is_a_draw_but_a_win_on_the_last_turn_counts() -> None:
    table = table_of([["car red 1", "car red 2", "car red 3"], ["car blue 1"]], road=3, max_turns=10)
    do(table, "play car red 1", "play car blue 1", "play car red 2")
    skip(table)
    table.state.turns = 9
    late = Match(table.setup, seed=1)
    late.states = table.states.copy()
    do(table, "play car red 3")
    assert (table.result()["shares"], table.result()["drawn"]) == ([840, 0], False)
    do(late, "lay car red 3")
    assert (late.to_move(), late.result()["shares"], late.result()["drawn"]) == (-1, [0, 0], True)


def test_a_deck_must_have_cars_and_suffice_for_the_deal() -> None:
    for settings, words in (
        ({"deck.cars": []}, "without cars"),
        ({"deck.tows": 20}, "at most 64"),
        ({"hand": 16}, "the deal needs 65 cards"),
    ):
        with pytest.raises(InputError, match=words):
            make_setup("vague-verte", 4, (), settings)


def test_random_moves_are_uniform_over_physical_actions() -> None:
    hand = ["car red 1", "car red 1", "breakdown blue", "ducks", "red light", "green light", "green light"]
    table = table_of([hand, ["car blue 1", "red light"], ["car blue 2", "tow", "tow"]])
    do(
        table,
        "play car red 1",
        "play car blue 1",
        "play car blue 2",
        "lay car red 1",
        "play red light at row 3",
        "lay tow",
    )
    do(table, "draw face-up")
    moves = table.moves()
    assert sum("green light at" in table.name(move) for move in moves) == 2
    assert sum("breakdown" in table.name(move) for move in moves) == 3
    drawn = Counter(table.random_move() for _ in range(200 * len(moves)))
    assert set(drawn) == set(moves)
    assert sum((n - 200) ** 2 / 200 for n in drawn.values()) < len(moves) + 5 * (2 * len(moves)) ** 0.5


# What a seat knows. Worlds are compared by the hands of the others; the stock is the rest.


def worlds(match: Match, seat: int, number: int) -> Counter[tuple[tuple[int, ...], ...]]:
    """How often each world comes up, as the hands of all seats."""
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for key in range(number):
        world = match.imagine(seat, 1000 + key)
        assert world.knows(seat) == match.knows(seat)
        found[tuple(tuple(hand) for hand in world.snapshot()["hands"])] += 1
    return found


def assert_uniform(found: Counter[Any], expected: set[Any]) -> None:
    assert set(found) == expected
    mean = sum(found.values()) / len(expected)
    freedom = len(expected) - 1
    assert sum((n - mean) ** 2 / mean for n in found.values()) < freedom + 5 * (2 * freedom) ** 0.5 + 5


def deals(cards: list[int], sizes: list[int]) -> set[tuple[tuple[int, ...], ...]]:
    """Every way to deal hands of these sizes."""
    found = set()
    for order in permutations(cards, sum(sizes)):
        cuts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        found.add(tuple(tuple(sorted(order[a:b])) for a, b in pairwise(cuts)))
    return found


SMALL: dict[str, Any] = {
    "deck__cars": [1], "deck__breakdowns": 0, "deck__tows": 2, "deck__ambulances": 1, "deck__ducks": 1,
    "deck__red_lights": 1, "deck__green_lights": 0, "hand": 2,
}  # fmt: skip
RED, YELLOW, GREEN, BLUE, TOW, OTHER_TOW, AMBULANCE, DUCKS, RED_LIGHT = range(9)


def test_unseen_cards_are_anywhere() -> None:
    table = table_of([["car red 1", "tow"], ["car blue 1", "ducks"], ["tow", "red light"]], ["ambulance"], **SMALL)
    hidden = [YELLOW, GREEN, BLUE, OTHER_TOW, DUCKS, RED_LIGHT]
    expected = {((RED, TOW), *rest) for rest in deals(hidden, [2, 2])}
    assert_uniform(worlds(table, 0, 4000), expected)


def test_a_card_taken_face_up_stays_known_until_it_is_laid() -> None:
    table = table_of([["car red 1", "tow"], ["car blue 1", "ducks"], ["tow", "red light"]], ["ambulance"], **SMALL)
    do(table, "lay tow", "draw face-up", "play car blue 1")
    assert all(TOW in hands[1] for hands in worlds(table, 0, 50))
    assert all(TOW in hands[1] for hands in worlds(table, 2, 50))


def test_an_equal_card_laid_may_be_the_known_one() -> None:
    table = table_of([["car red 1", "tow"], ["tow", "ducks"], ["car blue 1", "red light"]], ["ambulance"], **SMALL)
    do(table, "lay tow", "draw face-up")  # seat 1 now holds both tows, one of them known
    table.apply(OTHER_TOW)  # and lays the other one
    assert int(table.state.shown[1]) == 0
    assert {len(hands[1]) for hands in worlds(table, 0, 10)} == {2}
    assert any(TOW not in hands[1] for hands in worlds(table, 0, 50))


def test_a_reshuffled_stock_is_known_as_a_set() -> None:
    table = table_of(
        [["car red 1"], ["car yellow 1"], ["car green 1"]],
        ["tow", "tow", "ducks", "red light"],
        stock=1,
        **SMALL,
    )
    do(table, "draw stock", "play car red 1")  # the stock is empty: two tows and the ducks become the new one
    assert int(table.state.reshuffles) == 1
    own = table.snapshot()["hands"][0]
    hidden_before = [YELLOW, GREEN]
    assert_uniform(worlds(table, 0, 500), {(tuple(own), *rest) for rest in deals(hidden_before, [1, 1])})
    do(table, "draw stock")  # seat 1 has one of them, seat 2 none
    expected = {
        (tuple(own), tuple(sorted((mine, drawn))), (other,))
        for mine, other in permutations(hidden_before)
        for drawn in (TOW, OTHER_TOW, DUCKS)
    }
    assert_uniform(worlds(table, 0, 2000), expected)


def test_a_forced_player_who_discards_has_nothing_to_play() -> None:
    hands = [["car red 1", "tow"], ["ambulance", "ducks"], ["tow", "red light"]]
    table = table_of(hands, ["car blue 1"], forced_play=True, **SMALL)
    table.state.pile[:2] = [YELLOW, GREEN]
    do(table, "play car red 1")
    state = table.state
    state.hand[1] |= 1 << RED_LIGHT  # a third card in the place of a draw
    state.hand[2] ^= 1 << RED_LIGHT
    state.stage = 1
    do(table, "lay red light")
    own, hidden = tuple(table.snapshot()["hands"][0]), [YELLOW, GREEN, AMBULANCE, DUCKS, OTHER_TOW]
    hidden = [card for card in hidden if card not in own]
    expected = {(own, *rest) for rest in deals(hidden, [2, 1]) if not {YELLOW, GREEN} & set(rest[0])}
    assert_uniform(worlds(table, 0, 1500), expected)


def test_equal_cards_are_one_kind() -> None:
    table = table_of([["car red 1", "car red 1", "car red 2"], []])
    do(table, "draw face-up")
    kinds = Counter(table.seen(move, 1) for move in table.moves())
    assert sorted(kinds.values()) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("variant", ["base", "forced"])
def test_a_world_depends_on_what_the_seat_knows_alone(variant: str) -> None:
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
