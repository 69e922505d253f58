"""Facts about hidden cards: worlds are even over all deals that fit them, and their words can be read back."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from houle.solver import interface
from houle.solver.cards.bits import members
from houle.solver.cards.cardsets import add, put, words
from houle.solver.cards.rows import append, forget, take_known, tell
from houle.solver.compiler.kernels import kernel
from houle.solver.declared.fields import Fields, about, cards, fields, number, ordered, per_seat, placed
from houle.solver.declared.kernels import MISFIT, NEVER, clearing_deal, draw_fitting, make_determinize
from houle.solver.matches.record.card_names import read_fact, words_of_fact
from tests.support.scenes import assert_even

HANABI_LIKE = [f"{suit}{rank}" for suit in "RYGBW" for rank in range(1, 6)]
NUMBERS = [str(card) for card in range(30)]
SPACED = [f"{colour} {rank}" for colour in ("red", "blue", "sea green") for rank in range(4)] + ["joker"]


def drawn_once(sets: list[set[int]], left: set[int], size: int, luck: Any) -> tuple[int, ...] | None:
    """One try to draw a card for each set; None if it failed."""
    masks, room, drawn = (
        np.zeros((max(len(sets), 1), words(size)), np.uint64),
        np.zeros(words(size), np.uint64),
        (np.zeros(max(len(sets), 1), np.int64)),
    )
    for mask, one in zip(masks, sets, strict=False):
        put(mask, one)
    put(room, left)
    fits = draw_fitting(masks, len(sets), room, drawn, luck)
    return tuple(drawn[: len(sets)].tolist()) if fits else None


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sets", "size"),
    [
        ([{0, 1}, {1, 2}, {2, 0}], 6),
        ([{0, 1, 2, 3}, {2, 3}, {3, 4, 5}], 6),
        ([{0, 1, 2}, {2, 3, 4}, {4, 5, 0}, {1, 3, 5}], 6),
        ([{0, 65, 69}, {65, 69}, {1, 65}], 70),  # sets of two words
        ([{0, 1, 2}] * 3, 4),
    ],
    ids=["circle", "nested", "four sets", "two words", "the same set"],
)
def test_every_way_to_draw_is_equally_likely(sets: list[set[int]], size: int) -> None:
    luck, counts = np.zeros(2, np.uint64), Counter[tuple[int, ...]]()
    for _ in range(2_500):
        if (way := drawn_once(sets, set(range(size)), size, luck)) is not None:
            counts[way] += 1
    ways = [way for way in product(*sets) if len({*way}) == len(way)]
    assert_even(counts, ways)


@pytest.mark.quick
def test_known_cards_are_drawn_at_once() -> None:
    """Whole deals fit with a chance of 5 in 10 million here; every draw of single cards fits."""
    luck = np.zeros(2, np.uint64)
    for _ in range(20):
        assert drawn_once([{card} for card in (3, 19, 7, 0, 11)], set(range(20)), 60, luck) == (3, 19, 7, 0, 11)
    assert drawn_once([{1}, {1}], {0, 1}, 60, luck) is None
    assert luck[MISFIT] == NEVER  # no other try can fit


def clues(size: int = 7) -> Fields:
    """Hands that all others see, with facts, a hand that only its seat sees, with facts about all of it, and a pile."""
    return placed(
        fields(
            public={"gone": cards(size)},
            own={"held": per_seat(cards(size))},
            others={"hand": per_seat(ordered(size, 3))},
            hidden={"pile": cards(size)},
            facts={"may": about("hand"), "void": about("held")},
        ),
        2,
    )


@kernel
def deal(state: Any, rules: Any) -> None:
    append(state.hand[0], 5)
    append(state.hand[0], 2)
    append(state.hand[1], 0)
    add(state.held[0], 3)
    add(state.held[1], 4)
    add(state.gone, 6)
    add(state.pile, 1)


@pytest.fixture(scope="module")
def dealt() -> tuple[Any, Any, Any]:
    """A state with cards 0 to 6 of 7: both hands, a held card each, one gone, a pile; all facts are open."""
    declared = clues()
    states, rules = interface.blank(declared.state("toy"))[0], interface.blank(declared.rules("toy", {}))[0]
    rules.seats = 2

    clearing_deal(declared, states.dtype, deal)(states, rules)
    return states, rules, make_determinize(declared, None)


@pytest.mark.compiled
def test_worlds_are_even_over_deals_that_fit(dealt: tuple[Any, Any, Any]) -> None:
    """Seat 0 sees the hand of seat 1 and its own held card; 1, 2, 4, 5 are hidden, and facts exclude some places."""
    state, rules, determinize = dealt[0].copy(), *dealt[1:]
    put(state.may[0][0], [1, 4, 5])
    put(state.may[0][1], [1, 2, 4])
    put(state.void[1], [2, 4, 5])
    counts = Counter[tuple[int, ...]]()
    for key in range(1_500):
        world = state.copy()
        assert determinize(world, rules, 0, np.uint64(key))
        assert [world.hand[1].tolist(), members(world.held[0])] == [[0, -1, -1], [3]]
        assert world.may.tolist() == state.may.tolist()
        counts[(*world.hand[0][:2].tolist(), *members(world.held[1]), *members(world.pile))] += 1
    ways = [
        way for way in permutations((1, 2, 4, 5)) if way[0] in (1, 4, 5) and way[1] in (1, 2, 4) and way[2] in (2, 4, 5)
    ]
    assert_even(counts, ways)


@pytest.mark.compiled
def test_facts_start_open_and_follow_their_cards(dealt: tuple[Any, Any, Any]) -> None:
    state = dealt[0].copy()
    everything = list(range(7))
    assert [members(fact) for fact in (*state.may[0], *state.may[1], *state.void[:2])] == [everything] * 10
    high = np.zeros(1, np.uint64)
    put(high, [4, 5, 6])
    append(state.hand[0], 6)
    tell(state.hand[0], state.may[0], high)
    assert [members(fact) for fact in state.may[0]] == [[4, 5, 6], [0, 1, 2, 3], [4, 5, 6], everything]
    assert take_known(state.hand[0], state.may[0], 0) == 5
    append(state.hand[0], 1)
    assert state.hand[0].tolist() == [2, 6, 1]
    assert [members(fact) for fact in state.may[0]] == [[0, 1, 2, 3], [4, 5, 6], everything, everything]
    forget(state.may[0])
    assert [members(fact) for fact in state.may[0]] == [everything] * 4


@pytest.mark.quick
@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        (fields(others={"hand": cards(10)}), "others: hand must be per_seat(...)"),
        (fields(others={"bid": per_seat(number())}), "bid is hidden and not cards; write determinize"),
        (
            fields(others={"hand": per_seat(cards(9))}, facts={"may": about("hnad")}),
            "facts: may is about hnad, which is no field of hidden cards; did you mean hand?",
        ),
        (
            fields(public={"top": cards(9)}, hidden={"pile": cards(9)}, facts={"may": about("top")}),
            "facts: may is about top, which is no field of hidden cards; allowed: pile",
        ),
        (fields(hidden={"piles": cards(9, 2)}, facts={"may": about("piles")}), "facts: may is about piles, an array"),
        (
            fields(hidden={"pile": cards(9)}, facts={"may": about("pile"), "is": about("pile")}),
            "facts: may: there are other facts about pile",
        ),
    ],
)
def test_invalid_facts_are_refused_in_a_line(declared: Fields, fault: str) -> None:
    faults = list(placed(declared, 2).faults(True))
    assert any(fault in problem for problem in faults)
    assert all("\n" not in problem for problem in faults)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("names", "some", "said"),
    [
        (HANABI_LIKE, HANABI_LIKE, "any"),
        (HANABI_LIKE, ["R4"], "R4"),
        (HANABI_LIKE, HANABI_LIKE[:5], "R"),
        (HANABI_LIKE, HANABI_LIKE[3::5], "4"),
        (HANABI_LIKE, HANABI_LIKE[5:], "not R"),
        (HANABI_LIKE, ["R3", "R4", "R5", "Y3", "Y4", "Y5"], "R|Y 3-5"),
        (HANABI_LIKE, ["R1", "G4"], "R1|G4"),
        (NUMBERS, NUMBERS[15:], "15-29"),
        (SPACED, ["red 2", "blue 2"], "red|blue 2"),
        (SPACED, ["joker"], "joker"),
    ],
)
def test_facts_are_written_short(names: list[str], some: list[str], said: str) -> None:
    assert words_of_fact(names, some) == said
    assert read_fact(names, said.upper() if said.isascii() and names is SPACED else said) == some


@pytest.mark.quick
def test_all_facts_can_be_read_back() -> None:
    luck = np.random.default_rng(3)
    for names in (HANABI_LIKE, NUMBERS, SPACED):
        for share in (0.1, 0.5, 0.9):
            for _ in range(30):
                some = [name for name in names if luck.random() < share]
                assert read_fact(names, words_of_fact(names, some)) == some
        assert [read_fact(names, words) for words in ("", "purple", "R1|", "not", "|")] == [None] * 5
