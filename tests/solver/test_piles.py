"""Draws from a pile: every order is equally likely, and a variant changes as few draws as possible."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from houle.solver.cards.piles import (
    GAP,
    add_card,
    card_at,
    cards_in_pile,
    count_in_use,
    full_pile,
    lay_out_pile,
    lay_stack,
    next_card,
    open_pile,
    pile_fields,
    take_aside,
)
from houle.solver.cards.streams import STREAM_FIELDS, derive
from houle.solver.interface import blank
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup
from houle.solver.run.playout import play_chunk
from tests.support.amounts import some

pytestmark = pytest.mark.quick

ROOM = 12
STATE = np.dtype([*STREAM_FIELDS, ("pile_left", "u1"), ("pile", "u1", ROOM), *pile_fields(ROOM)], align=True)
RULES = np.dtype([("pile", full_pile(ROOM))], align=True)
PRINTED = "abcdefgh"

# Decks by the letters of their cards: the printed one, fewer cards, more, both, and a very different one.
DECKS = {"printed": "abcdefgh", "less": "acdegh", "more": "abcdefghxy", "other": "bcdfhx", "strange": "uvwax"}


def cards_of(letters: str) -> dict[str, int]:
    return {letter: ord(letter) for letter in letters}


def drawn(letters: str, key: int, printed: str = PRINTED, aside: int = 0, added: str = "") -> str:
    """All cards of a deck in the order of draws; after the first, `aside` cards are removed and `added` ones added."""
    rules, state = blank(RULES)[0], blank(STATE)[0]
    lay_out_pile(rules.pile, printed, cards_of(letters))
    state.deal = derive(np.uint64(key), np.uint64(1))
    open_pile(state, rules.pile)
    order = [next_card(state)] if aside else []
    order += [take_aside(state) for _ in range(aside)]
    for letter in added:
        add_card(state, ord(letter))
    while state.pile_left:
        order.append(next_card(state))
    return "".join(map(chr, order))


@pytest.mark.compiled
@pytest.mark.parametrize("draws", [1_200, pytest.param(4_800, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("letters", "printed", "aside", "added"),
    [
        ("abcd", "abcd", 0, ""),
        ("abcd", "abxcyd", 0, ""),  # gaps
        ("abcd", "ab", 0, ""),  # added cards
        ("abcd", "azbx", 0, ""),  # both
        ("abcd", "abcd", 1, ""),  # a card taken aside
        ("abcd", "azbcx", 1, ""),
        ("abc", "abc", 1, "d"),  # and one added then
        ("ab", "xab", 0, "cd"),
    ],
)
def test_every_order_is_equally_likely(letters: str, printed: str, aside: int, added: str, draws: int) -> None:
    orders = Counter(drawn(letters, key, printed, aside, added=added) for key in range(draws))
    every = ["".join(order) for order in permutations(letters + added)]
    if aside and added:  # only cards of the deck are taken aside
        every = [order for order in every if added not in order[:2]]
    assert set(orders) <= set(every)
    assert chisquare([orders[order] for order in every]).pvalue > 1e-4


@pytest.mark.parametrize("name", DECKS)
def test_every_card_is_drawn_once(name: str) -> None:
    for key in range(some(30)):
        assert sorted(drawn(DECKS[name], key, aside=2, added="z")) == sorted(DECKS[name] + "z")


@pytest.mark.compiled
def test_added_cards_leave_the_others_in_their_order() -> None:
    for key in range(some(60)):
        plain, more = drawn("abcdefgh", key), drawn("abcdefghxy", key)
        assert "".join(card for card in more if card not in "xy") == plain
        assert "".join(card for card in drawn("abcdefgh", key, added="z") if card != "z") == plain


def test_a_missing_card_changes_one_draw_at_most() -> None:
    """Another card replaces it, and that card is replaced in turn where it would have come."""
    for key in range(some(60)):
        plain, less = drawn("abcdefgh", key), drawn("abcdegh", key)
        out = "f"
        for i, card in enumerate(less):
            if plain[i] == out:
                out = card
            assert card == out or card == plain[i]
        assert plain[len(less) :] == out


def test_cards_taken_aside_keep_later_draws() -> None:
    changed = 0
    for key in range(200):
        plain, less = drawn("abcdefgh", key), drawn("abcdefgh", key, aside=1)
        rest = less[0] + less[2:]
        before = plain.index(less[1])
        assert rest[:before] == plain[:before]
        changed += sum(card != other for card, other in zip(rest, plain, strict=False))
    assert changed < 200 * 2.5  # 1/7 + 1/6 + .. + 1/2 on average, of seven cards


def test_card_at_visits_every_card() -> None:
    state = blank(STATE)[:1]
    rules = blank(RULES)[0]
    lay_out_pile(rules.pile, PRINTED, cards_of(DECKS["other"]))
    state[0].deal = 5
    open_pile(state[0], rules.pile)
    gone = {next_card(state[0]), take_aside(state[0])}
    left = sorted(set(cards_of(DECKS["other"]).values()) - gone)
    looked_at = [int(card_at(state[0], i)) for i in range(count_in_use(state[0]))]
    assert sorted(card for card in looked_at if card != GAP) == cards_in_pile(state[0]) == left


def opened(letters: str, *stack: int) -> tuple[Any, Any]:
    """A full pile with some cards on the stack, and its rules."""
    rules, state = blank(RULES)[0], blank(STATE)[0]
    lay_out_pile(rules.pile, PRINTED, cards_of(letters))
    lay_stack(state, [GAP, *stack])
    open_pile(state, rules.pile)
    return state, rules


@pytest.mark.parametrize("name", DECKS)
def test_stacked_cards_are_drawn_first(name: str) -> None:
    """Wherever they lie: between gaps, or added by a variant. Then luck draws the others."""
    wanted = sorted(cards_of(DECKS[name]).values(), reverse=True)
    for number in range(len(wanted) + 1):
        state, _ = opened(DECKS[name], *wanted[:number])
        order = [int(next_card(state)) for _ in range(int(state.pile_left))]
        assert order[:number] == wanted[:number]
        assert sorted(order) == sorted(wanted)
        assert (int(state.stacked), int(state.pile_left)) == (0, 0)


def test_a_card_taken_aside_may_be_stacked() -> None:
    state, _ = opened("abcdefgh", ord("c"), ord("g"))
    assert [int(next_card(state)), int(take_aside(state))] == [ord("c"), ord("g")]
    assert cards_in_pile(state) == [ord(letter) for letter in "abdefh"]


def test_stacked_cards_wait_for_a_full_pile() -> None:
    state, rules = opened("abcdefgh", ord("b"), GAP, ord("f"))
    assert int(next_card(state)) == ord("b")
    plain, _ = opened("abcdefgh", ord("b"))
    next_card(plain)
    assert int(next_card(state)) == int(next_card(plain))  # by luck
    assert int(state.stacked) == 2
    open_pile(state, rules.pile)
    assert int(next_card(state)) == ord("f")


@pytest.mark.parametrize("change", ["another card", "a card shuffled in"])
def test_a_pile_that_changed_has_no_order(change: str) -> None:
    state, _ = opened("abcdefgh", ord("z") if change == "another card" else ord("a"), ord("b"))
    if change == "a card shuffled in":
        add_card(state, ord("y"))
    else:
        next_card(state)
    assert int(state.stacked) == 0


def openings(setup: Setup, number: int) -> Any:
    dealt = blank(setup.game.STATE, number)
    play_chunk(seat_strategies(setup, ("random",)), 3, 0, number, openings=dealt)
    return dealt


@pytest.mark.compiled
@pytest.mark.parametrize("variant", ["virage", "tide-colours", "tide-numbers", "nazare"])
def test_variants_of_wave_deal_the_same_hands(variant: str) -> None:
    plain, other = openings(make_setup("wave", 3), 100), openings(make_setup("wave", 3, [variant]), 100)
    for field in ("top", "front", "back"):
        assert (plain[field] == other[field]).all()
