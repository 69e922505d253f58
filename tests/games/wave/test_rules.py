"""WAVE: the rulebook's worked examples, the tricky rules, and imagined worlds against enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile
from houle.solver.games.wave.rules import FACEDOWN, NONE
from houle.solver.interface import WIN
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.wave.scene import Hand, card, play, scene, small_deck
from tests.support.amounts import some
from tests.support.scenes import assert_even

pytestmark = pytest.mark.quick

OTHERS: list[Hand] = [(["navy 4"], []), (["navy 3"], [])]


def test_the_rulebooks_first_turns() -> None:
    hands: list[Hand] = [(["yellow 4", "white 1"], ["red 4"]), (["sky 1", "white 2"], []), (["navy 3", "white 3"], [])]
    match = scene(make_setup("wave", 3), "yellow 2", hands, ["white 4", "white 5", "orange 0", "orange 1"])
    for seat, move in enumerate(("yellow 4", "sky 1", "navy 3", "red 4")):
        assert int(match.state.acting) == seat % 3
        play(match, f"play {move}")


def test_nazare_a_card_must_beat_left_and_below() -> None:
    """Only the yellow 5 beats both a yellow 1 and a sky 3: red 3 and sky 1 beat one of them."""
    setup = make_setup("wave", 3, ["nazare"])
    match = scene(setup, "white 2", [(["yellow 5", "red 3"], ["sky 1"]), *OTHERS], ["yellow 2"])
    state = match.state
    # Cells 1 and 2 are column 2; cell 3 is the foot of column 3, cell 4 above it with cell 2 to its left.
    state.cells[:4] = [card(setup, name) for name in ("white 2", "white 4", "yellow 1", "sky 3")]
    state.laid = 3
    state.playable = state.front[0] | state.back[0]
    for name in ("yellow 1", "sky 3"):
        state.playable &= setup.rules[0].beats[0, card(setup, name)]
    assert match.names() == ["play yellow 5"]
    play(match, "play yellow 5")
    assert match.snapshot()["wave"][-1] == card(setup, "yellow 5")


def test_nazare_stuck_surfer_lays_any_card_down() -> None:
    match = scene(make_setup("wave", 3, ["nazare"]), "sky 4", [(["white 1", "white 2"], []), *OTHERS], ["yellow 2"])
    assert sorted(match.names()) == ["hide white 1", "hide white 2"]
    play(match, "hide white 2")
    state = match.state
    assert (int(state.cells[1]), int(state.facedown)) == (FACEDOWN, 1)
    assert int(state.turned) == 0  # its reverse symbol does nothing
    assert len(match.names()) == 1  # anything is higher than a face-down card, and the cell above it has no left


def test_virage_the_card_taken_waits_a_turn() -> None:
    setup = make_setup("wave", 3, ["virage"])
    match = scene(setup, "white 3", [(["red 4", "red 5"], []), *OTHERS], ["yellow 1"], virage="sky 5")
    assert sorted(match.names()) == ["no swap", "swap red 4", "swap red 5"]
    play(match, "swap red 4")
    assert int(match.state.virage) == card(setup, "red 4")
    assert match.names() == ["play red 5"]


@pytest.mark.parametrize(("last", "must_fit", "won"), [("red 5", True, 1), ("white 1", True, 0), ("white 1", False, 1)])
def test_virage_the_last_card_must_fit(last: str, must_fit: bool, won: int) -> None:
    setup = make_setup("wave", 3, ["virage"], {"virage_must_fit": must_fit})
    match = scene(setup, "white 3", [(["red 4"], []), ([], []), ([], [])], [], virage=last)
    match.state.asked, match.state.laid = 1, 31
    play(match, "play red 4")
    assert match.to_move() < 0
    assert match.result()["shares"] == [won * WIN]
    assert int(match.state.virage) == (NONE if won else card(setup, last))


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
    setup = make_setup("wave", 3, (), small_deck(talk=talk) | {"deck.missing": ["white 0"]})
    compared = 0
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
        imagined = (match.imagine(seat, key).state for key in range(50 * len(worlds)))
        assert_even(
            Counter(tuple(int(one.held[holder, slot]) for holder, slot, _ in slots) for one in imagined), worlds
        )
        compared += 1
    assert compared >= 8
