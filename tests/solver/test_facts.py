"""Facts about hidden cards: worlds are even over all deals that fit them, and their words can be read back."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houle.analysis.play.playouts import Playouts
from houle.solver import interface
from houle.solver.cards.bits import U8, members
from houle.solver.cards.cardsets import add, put, words
from houle.solver.cards.counting import MAX_KINDS
from houle.solver.cards.rows import append, forget, take_known, tell
from houle.solver.compiler.kernels import kernel
from houle.solver.declared.fields import Fields, about, cards, fields, number, ordered, per_seat, placed
from houle.solver.declared.kernels import (
    MISFIT,
    MISSES,
    NEVER,
    PATIENCE,
    clearing_deal,
    clearing_determinize,
    draw_known,
    make_determinize,
)
from houle.solver.errors import WorldError
from houle.solver.interface import entries
from houle.solver.matches.match import Match
from houle.solver.matches.record.card_names import read_fact, words_of_fact
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, look_in, make_setup
from tests.support.amounts import some
from tests.support.call import good
from tests.support.scenes import all_deals, assert_even

HANABI_LIKE = [f"{suit}{rank}" for suit in "RYGBW" for rank in range(1, 6)]
NUMBERS = [str(card) for card in range(30)]
SPACED = [f"{colour} {rank}" for colour in ("red", "blue", "sea green") for rank in range(4)] + ["joker"]


def drawn_once(sets: list[set[int]], left: set[int], size: int, luck: Any) -> tuple[int, ...] | None:
    """Draws a card for each set once; None if it failed."""
    masks, room, drawn, kinds = (
        np.zeros((max(len(sets), 1), words(size)), np.uint64),
        np.zeros(words(size), np.uint64),
        np.zeros(max(len(sets), 1), np.int64),
        np.zeros((MAX_KINDS, words(size)), np.uint64),
    )
    for mask, one in zip(masks, sets, strict=False):
        put(mask, one)
    put(room, left)
    fits = draw_known(masks, len(sets), room, drawn, kinds, luck)
    return tuple(drawn[: len(sets)].tolist()) if fits else None


@pytest.mark.quick
@pytest.mark.parametrize(("misses", "worlds"), [(0, 2_500), (int(PATIENCE), 300)], ids=["tries", "counting"])
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
def test_every_way_to_draw_is_equally_likely(sets: list[set[int]], size: int, misses: int, worlds: int) -> None:
    luck, counts = np.zeros(3, np.uint64), Counter[tuple[int, ...]]()
    for _ in range(worlds):
        luck[MISSES] = misses
        if (way := drawn_once(sets, set(range(size)), size, luck)) is not None:
            counts[way] += 1
    ways = [way for way in product(*sets) if len({*way}) == len(way)]
    assert misses == 0 or counts.total() == worlds
    assert_even(counts, ways)


@pytest.mark.quick
def test_ways_are_counted_after_many_misses() -> None:
    """Few tries fit where two hands need nearly all of what one of them may hold."""
    sets = [{*range(10), *range(20, 24)}] * 12 + [{*range(10, 24)}] * 12
    luck, tries = np.zeros(3, np.uint64), 0
    while (way := drawn_once(sets, set(range(24)), 24, luck)) is None:
        tries += 1
    assert tries <= PATIENCE
    assert sorted(way) == list(range(24))


@pytest.mark.quick
def test_tries_go_on_where_ways_are_too_many() -> None:
    """Seventeen different facts, or as many kinds of cards, are not counted."""
    for sets in ([{card, card + 1} for card in range(17)], [{*range(20)} - {card} for card in range(16)]):
        luck = np.array([0, 0, PATIENCE], np.uint64)
        ways = [drawn_once(sets, set(range(20)), 20, luck) for _ in range(50)]
        assert int(luck[MISSES]) - int(PATIENCE) == ways.count(None) > 0
        assert all(way is None or len({*way}) == len(way) for way in ways)


@pytest.mark.quick
def test_known_cards_are_drawn_at_once() -> None:
    """Whole deals fit with a chance of 5 in 10 million here; every draw of single cards fits."""
    luck = np.zeros(3, np.uint64)
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
def test_a_failed_world_keeps_no_hidden_card(dealt: tuple[Any, Any, Any]) -> None:
    state, rules, determinize = dealt[0].copy(), *dealt[1:]
    declared = clues()
    put(state.void[1], [6])  # a card that all see on the table
    assert not clearing_determinize(declared, state.dtype, determinize)(state, rules, 0, np.uint64(1))
    assert [np.unique(state[name]).tolist() for name in declared.secret] == [[0], [-1], [0]]
    assert members(state.gone) == [6]


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


FOLLOW = Path(__file__).parents[1] / "support" / "toys" / "follow"


def follow(players: int = 3, **knobs: int) -> Setup:
    """A trick game in which all cards are dealt, and facts come from shown cards and from suits not followed."""
    look_in(FOLLOW)
    return make_setup("follow", players, (), knobs)


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "ranks"), [(3, 5), (4, 7), (4, 13)])
def test_worlds_are_found_where_all_cards_are_dealt(players: int, ranks: int) -> None:
    positions = 0
    for seed in range(some(3)):
        match = Match(follow(players, ranks=ranks), seed)
        while (seat := match.to_move()) >= 0:
            world = match.imagine(seat, match.ply)
            assert world.knows(seat) == match.knows(seat)
            for hand, may in zip(world.snapshot()["hand"], world.snapshot()["may"], strict=True):
                assert {*hand} <= {*may}
            match.apply(match.random_move())
            positions += 1
    assert positions > 40


@pytest.mark.compiled
def test_worlds_of_tricks_are_even() -> None:
    """Seat 2 leads, two others hold eight cards, and all have shown one: every deal that fits comes as often."""
    match = Match(follow(ranks=3), seed=1)
    seat, snapshot = match.to_move(), match.snapshot()
    others = [other for other in range(3) if other != seat]
    unseen = [card for other in others for card in snapshot["hand"][other]]
    sizes = [len(snapshot["hand"][other]) for other in others]
    ways = all_deals(unseen, sizes, lambda place, hand: {*hand} <= {*snapshot["may"][others[place]]})
    worlds = [match.imagine(seat, key).snapshot()["hand"] for key in range(20 * len(ways))]
    assert_even(Counter(tuple(tuple(hands[other]) for other in others) for hands in worlds), ways)
    assert 1 < len(ways) < 70  # of all deals


@pytest.mark.compiled
def test_facts_of_a_deal_stay() -> None:
    match = Match(follow(), seed=1)
    lowest = [min(hand) for hand in match.snapshot()["hand"]]
    for seat, may in enumerate(match.snapshot()["may"]):
        assert len(may) == 18
        assert [card in may for card in lowest] == [owner == seat for owner in range(3)]


def without_worlds() -> Match:
    """A game in which no deal agrees with the facts."""
    match = Match(follow(), seed=1)
    match.state.may[1] = 0
    return match


CONTRADICTION = r"^follow, 3 players, move 1: no deal agrees with what seat 1 knows$"


@pytest.mark.compiled
def test_contradicting_facts_are_said_in_a_line() -> None:
    match = without_worlds()
    with pytest.raises(WorldError, match=CONTRADICTION):
        match.imagine(0, 1)
    states = match.states.copy()
    assert not entries.replace_unknown(states, match.setup.rules, 0, U8(1))
    assert not states[0].hand.any()


@pytest.mark.slow
def test_nobody_plays_on_with_the_real_hands() -> None:
    """Where no deal agrees with the facts, a search decides as a thumb, and advice is refused."""
    match = without_worlds()
    with pytest.raises(WorldError, match=CONTRADICTION):
        Playouts(match, 0).play(4)
    thumb, search = (seat_strategies(match.setup, [strategy]) for strategy in ("thumb", "flat:8"))
    assert match.decide(search) == match.decide(thumb)


@pytest.mark.slow
def test_a_game_of_tricks_is_reviewed_and_advised(tmp_path: Path) -> None:
    """Without counting, one world in some hundred was not found, which ended both."""
    game = ["--game-path", str(FOLLOW)]
    setup, record = ["follow", "-p", "4", "--set", "ranks=13"], str(tmp_path / "game.txt")
    good(*game, "trace", *setup, "-s", "random", "--record", record)
    assert "mistake" in good(*game, "review", record, "--worlds", "20")
    assert "play " in good(*game, "advise", *setup, "--from", "1/0/20", "--worlds", "200")


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
