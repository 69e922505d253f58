"""SEA CHANGE: who notices a change of each field, and positions in which captured cards are forgotten."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from houle.analysis.play.advise import advise
from houle.solver.errors import PositionError
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import read_position, write_position
from houle.solver.rules import Setup, make_setup
from tests.reference import sea_change as reference
from tests.support.scenes import assert_even
from tests.support.seen import Row, flipped, put, wrongly_noticed

pytestmark = pytest.mark.compiled

WORLDS = 2_000


def reached(setup: Setup, seed: int, plies: int) -> Match:
    """A game after some random moves of its first round."""
    match = Match(setup, seed)
    for _ in range(plies):
        match.apply(match.random_move())
    return match


def forgetful(match: Match) -> str:
    """The position of the seat to move, without the names of captured cards."""

    def question(line: re.Match[str]) -> str:
        number = len(line[2].split(",")) if line[2] != "none" else 0
        return f"{line[1]}{number} ?" if number else line[0]

    return re.sub(r"(captured: )(.*)", question, write_position(match).as_text())


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_worlds_hold_every_card_once(players: int) -> None:
    """The seat's own hand, the trick, hand sizes and voids stay; points are those of the captured cards."""
    setup = make_setup("sea-change", players)
    match = reached(setup, 7, 8 if players == 1 else 5 * players + 1)
    read, real = read_position(forgetful(match)), match.snapshot()
    assert read.forgotten is not None
    assert read_position(read.as_text()) == read
    seat, deck = read.seat, sorted(int(card) for card in setup.rules[0].deck[: int(setup.rules[0].deck_size)])
    captured = set()
    for key in range(40):
        world = read.match().imagine(seat, key)
        seen = world.snapshot()
        cards = [*seen["pile"], *(card for hand in seen["hands"] for card in hand)]
        cards += [card for side in seen["captured"] for card in side] + [card for _, card in seen["trick"]]
        assert sorted(cards) == deck
        assert seen["hands"][seat] == real["hands"][seat]
        assert [len(hand) for hand in seen["hands"]] == [len(hand) for hand in real["hands"]]
        assert [len(side) for side in seen["captured"]] == [len(side) for side in real["captured"]]
        assert all(
            not void or all(card // 16 != colour for card in hand)
            for hand, voids in zip(seen["hands"], seen["void"], strict=True)
            for colour, void in enumerate(voids)
        )
        values = [sum(setup.options["points"][card % 16] for card in side if card % 16) for side in seen["captured"]]
        assert seen["points"] == values
        captured.add(str(seen["captured"]))
    assert len(captured) > 20


def test_every_way_to_deal_is_equally_likely() -> None:
    """Two hands of one card, one of them void in blue, and 27 captured cards, against all ways to deal."""
    text = (
        "game: sea-change; players: 3; seat: 1; first leader: 1; trump: violet; seat 1 hand: violet 9; "
        "seat 2 void: blue; seat 1 captured: 9 ?; seat 2 captured: 12 ?; seat 3 captured: 6 ?"
    )
    read = read_position(text)
    deck = [card for card in reference.printed_deck(3) if reference.card_name(card) != "violet 9"]
    ways = [(one, other) for one, other in permutations(deck, 2) if reference.colour_of(one) != 1]
    hands, piles = Counter[tuple[int, int]](), Counter[int]()
    for key in range(WORLDS):
        seen = read.match().imagine(0, key).snapshot()
        hands[seen["hands"][1][0], seen["hands"][2][0]] += 1
        piles.update(seen["captured"][0])
    assert_even(hands, ways, all_seen=False)
    # A card is captured by seat 1 in 9 of the 27 places in which it is captured.
    for card in deck:
        held = sum(number for way, number in hands.items() if card in way)
        assert piles[card] == pytest.approx((WORLDS - held) / 3, rel=0.15)


def test_advice_does_not_depend_on_forgotten_cards() -> None:
    """Two games that differ only in who captured what give the same advice, and no named player is asked."""
    match = reached(make_setup("sea-change", 3), 3, 16)
    text = forgetful(match)
    names = [
        card
        for side in write_position(match).lines()
        if side.endswith("captured")
        for card in write_position(match).lines()[side]
    ]
    advice = advise(text, worlds=60)
    assert names
    assert not any(name in str(advice.summary()["position"]) for name in names)
    assert all(move.players == () for move in advice.moves)
    assert "remember" in advice.unasked
    assert advise(text, worlds=60).digest == advice.digest


def test_forgotten_cards_must_be_whole_tricks() -> None:
    text = "game: sea-change; players: 3; seat: 1; trump: blue; seat 1 hand: blue 4, blue 5; seat 1 captured: 4 ?"
    with pytest.raises(PositionError, match=r"seat 1 captured: 4 cards; allowed: whole tricks of 3 cards"):
        read_position(text)
    with pytest.raises(PositionError, match=r"seat 1 hand: 2 cards; after 1 tricks it has 9"):
        read_position(text.replace("4 ?", "3 ?"))


ALL = {0, 1, 2}
PUBLIC = (
    "mover",
    "leader",
    "starter",
    "led",
    "trump",
    "value",
    "changes",
    "all_changes",
    "moves",
    "rounds",
    "ended",
    "tricks_left",
    "won",
    "pile_left",
)
OF_ALL = {"void": (2,), "vp": (2,), "points": (2,), "scores": (2,), "captured": (1, 0)}
HIDDEN = ("root", "deal", "chance", "choice", "turns", "pile")  # turns follow from rounds and tricks left


def after_some_moves(players: int = 3) -> Match:
    match = Match(make_setup("sea-change", players), 5)
    for _ in range(4):
        match.apply(match.random_move())
    return match


def swapped(state: Any) -> None:
    """Seats 1 and 2 exchange their lowest cards."""
    one, other = (int(state.hand[seat, 0]) & -int(state.hand[seat, 0]) for seat in (1, 2))
    for seat, gone, came in ((1, one, other), (2, other, one)):
        state.hand[seat, 0] = int(state.hand[seat, 0]) & ~gone | came


def table() -> Iterator[Row]:
    match = after_some_moves()
    yield from ((field, match, flipped(field), ALL) for field in PUBLIC)
    yield from ((field, match, flipped(field, *place), ALL) for field, place in OF_ALL.items())
    yield from ((field, match, flipped(field), set()) for field in HIDDEN)
    yield "cards of two hands", match, swapped, {1, 2}
    yield "cards of the trick", match, flipped("trick", 0), ALL
    two = after_some_moves(2)
    yield "what a hand cannot hold", two, put("barred", (1, 2), int(two.state.barred[1, 2]) + 1), {0, 1}


def test_who_notices_a_change() -> None:
    assert wrongly_noticed(table()) == {}
