"""WAVE: the rulebook's worked examples, the tricky rules, and imagined worlds against enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from scipy.stats import chisquare

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile
from houle.solver.games.wave.rules import FACEDOWN, NONE
from houle.solver.interface import WIN
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.amounts import some

pytestmark = pytest.mark.quick

COLOURS = ("white", "yellow", "orange", "red", "sky", "navy")


def card(name: str) -> int:
    colour, number = name.split()
    return COLOURS.index(colour) * 6 + int(number)


def cards(*names: str) -> int:
    return sum(1 << card(name) for name in names)


def set_position(
    match: Match, top: str, hands: list[tuple[list[str], list[str]]], pile: list[str] | None = None
) -> None:
    """Sets up a position: the top card and every seat's front and back; seat 0 to play."""
    state = match.state
    state.top = state.cells[0] = card(top)
    state.seen = cards(top)
    state.laid = state.facedown = state.order = state.turned = 0
    for seat, (front, back) in enumerate(hands):
        state.front[seat], state.back[seat] = cards(*front), cards(*back)
        state.held[seat] = NONE
        for slot, name in enumerate(front + back):
            state.held[seat, slot] = card(name)
            state.slot[card(name)] = slot
    if pile is not None:
        state.pile_left, state.gaps, state.added = len(pile), 0, 0
        state.pile[: len(pile)] = [card(name) for name in pile]
    state.acting = state.mover = 0
    state.asked, state.taken = 1, NONE
    refresh(match)


def refresh(match: Match) -> None:
    """Computes what is playable in the hand-made position."""
    state, rules = match.state, match.setup.rules[0]
    state.playable = (state.front[0] | state.back[0]) & rules.beats[0, state.top]


def play(match: Match, name: str) -> None:
    while match.is_signal():
        match.apply(match.moves()[0])
    match.apply(next(action for action in match.moves() if match.name(action) == name))


def test_the_rulebooks_first_turns() -> None:
    match = Match(make_setup("wave", 3), seed=1, game=1)
    set_position(
        match,
        "yellow 2",
        [(["yellow 4", "white 1"], ["red 4"]), (["sky 1", "white 2"], []), (["navy 3", "white 3"], [])],
        pile=["white 4", "white 5", "orange 0", "orange 1"],
    )
    for seat, move in enumerate(("yellow 4", "sky 1", "navy 3", "red 4")):
        assert int(match.state.acting) == seat % 3
        play(match, f"play {move}")


def test_a_reverse_goes_back_to_the_surfer_before() -> None:
    match = Match(make_setup("wave", 3), seed=1, game=1)
    set_position(
        match,
        "navy 3",
        [(["red 4"], ["sky 5"]), (["sky 0"], ["navy 1"]), (["navy 4"], ["white 5"])],
        pile=["yellow 1", "yellow 2", "yellow 3"],
    )
    play(match, "play red 4")
    play(match, "play sky 0")
    assert int(match.state.acting) == 0
    assert match.snapshot()["direction"] == -1


def test_drawn_card_goes_to_the_other_side() -> None:
    for move, grows in (("play red 4", "back"), ("play sky 5", "front")):
        match = Match(make_setup("wave", 3), seed=1, game=1)
        set_position(match, "white 3", [(["red 4"], ["sky 5"]), (["navy 4"], []), (["navy 3"], [])], pile=["yellow 1"])
        play(match, move)
        assert card("yellow 1") in match.snapshot()[grows][0]


@pytest.mark.parametrize(("left", "won"), [(0, True), (1, False)])
def test_team_wins_with_no_card_left(left: int, won: bool) -> None:
    match = Match(make_setup("wave", 3), seed=1)
    match.state.laid = int(match.setup.rules[0].deck_size) - 1 - left
    match.state.mover = -1
    assert match.result()["scores"] == [left]
    assert match.result()["shares"] == [WIN if won else 0]


def test_nazare_a_card_must_beat_left_and_below() -> None:
    """Only the yellow 5 beats both a yellow 1 and a sky 3: red 3 and sky 1 beat one of them."""
    setup = make_setup("wave", 3, ["nazare"])
    match = Match(setup, seed=1, game=1)
    hand = (["yellow 5", "red 3"], ["sky 1"])
    set_position(match, "white 2", [hand, (["navy 4"], []), (["navy 3"], [])], pile=["yellow 2"])
    state = match.state
    # Cells 1 and 2 are column 2; cell 3 is the foot of column 3, cell 4 above it with cell 2 to its left.
    state.cells[:4] = [card("white 2"), card("white 4"), card("yellow 1"), card("sky 3")]
    state.laid = 3
    state.playable = (state.front[0] | state.back[0]) & setup.rules[0].beats[0, card("yellow 1")]
    state.playable &= setup.rules[0].beats[0, card("sky 3")]
    assert match.names() == ["play yellow 5"]
    play(match, "play yellow 5")
    assert match.snapshot()["wave"][-1] == card("yellow 5")


def test_nazare_stuck_surfer_lays_any_card_down() -> None:
    setup = make_setup("wave", 3, ["nazare"])
    match = Match(setup, seed=1, game=1)
    set_position(match, "sky 4", [(["white 1", "white 2"], []), (["navy 4"], []), (["navy 3"], [])], pile=["yellow 2"])
    assert sorted(match.names()) == ["hide white 1", "hide white 2"]
    play(match, "hide white 2")
    state = match.state
    assert int(state.cells[1]) == FACEDOWN
    assert int(state.facedown) == 1
    assert int(state.turned) == 0  # its reverse symbol does nothing
    assert len(match.names()) == 1  # anything is higher than a face-down card, and the cell above it has no left


def test_virage_the_card_taken_waits_a_turn() -> None:
    match = Match(make_setup("wave", 3, ["virage"]), seed=1, game=1)
    set_position(match, "white 3", [(["red 4", "red 5"], []), (["navy 4"], []), (["navy 3"], [])], pile=["yellow 1"])
    match.state.virage = card("sky 5")
    match.state.asked = 0
    assert sorted(match.names()) == ["no swap", "swap red 4", "swap red 5"]
    play(match, "swap red 4")
    assert int(match.state.virage) == card("red 4")
    assert match.names() == ["play red 5"]


@pytest.mark.parametrize(("last", "must_fit", "won"), [("red 5", True, 1), ("white 1", True, 0), ("white 1", False, 1)])
def test_virage_the_last_card_must_fit(last: str, must_fit: bool, won: int) -> None:
    match = Match(make_setup("wave", 3, ["virage"], {"virage_must_fit": must_fit}), seed=1, game=1)
    set_position(match, "white 3", [(["red 4"], []), ([], []), ([], [])], pile=[])
    match.state.virage, match.state.laid = card(last), 31
    play(match, "play red 4")
    assert match.to_move() < 0
    assert match.result()["shares"] == [won * WIN]
    assert int(match.state.virage) == (NONE if won else card(last))


def test_silent_slots_remember_what_did_not_fit() -> None:
    setup = make_setup("wave", 3, (), {"talk": "silent"})
    for game in range(some(10)):
        match = Match(setup, seed=8, game=game)
        while match.to_move() >= 0:
            state = match.state
            seat = int(state.acting)
            for own in members(state.back[seat]):
                may = int(state.may[seat, state.slot[own]])
                assert may >> own & 1
                fits = int(setup.rules[0].beats[0, state.top])
                assert may & fits in (0, may)  # known to fit now or not: all candidates do, or none
            match.apply(match.random_move())


TINY: dict[str, Any] = {
    "deck.colours": ["white", "red", "navy"],
    "deck.numbers": [0, 1, 2],
    "deck.missing": ["white 0"],
    "deck.reverse": ["* 0"],
    "hand.front": 1,
    "hand.back": 1,
}


def hidden_slots(match: Match, seat: int) -> tuple[list[int], list[tuple[int, int, int]]]:
    """The cards whose location a seat does not know, and the slots (holder, slot, candidates) that hide some."""
    state, talk = match.state, match.setup.options["talk"]
    slots, pool = [], cards_in_pile(state)
    for holder in range(3):
        own = holder == seat
        secret = (
            0 if talk == "open" or (own and talk != "silent") else state.back[holder] if own else state.front[holder]
        )
        for held in members(secret):
            slot = int(state.slot[held])
            may = int(state.may[holder, slot]) if match.setup.rules[0].tracks else (1 << 64) - 1
            slots.append((holder, slot, may))
            pool.append(held)
    return sorted(pool), slots


@pytest.mark.compiled
@pytest.mark.parametrize("talk", ["silent", "known"])
def test_imagined_worlds_are_uniform(talk: str) -> None:
    """On a tiny deck every consistent world is listed; each must come up equally often."""
    setup = make_setup("wave", 3, (), {**TINY, "talk": talk})
    pvalues = []
    for game in range(30):
        match = Match(setup, seed=2, game=game)
        for _ in range(game % 3):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        if (seat := match.to_move()) < 0:
            continue
        pool, slots = hidden_slots(match, seat)
        worlds = {
            chosen
            for chosen in permutations(pool, len(slots))
            if all(may >> held & 1 for held, (_, _, may) in zip(chosen, slots, strict=True))
        }
        if not 2 <= len(worlds) <= 60:
            continue
        seen: Counter[tuple[int, ...]] = Counter()
        for key in range(50 * len(worlds)):
            world = match.imagine(seat, key).state
            seen[tuple(int(world.held[holder, slot]) for holder, slot, _ in slots)] += 1
        assert set(seen) <= worlds
        pvalues.append(chisquare([seen[world] for world in worlds]).pvalue)
    assert len(pvalues) >= 8
    assert min(pvalues) > 1e-4
