"""WAVE: cards on the page mean the moves that they can make; seats know as much as the reference says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.analysis.checks.against_plain import decisions_beside
from houle.solver.cards.bits import members
from houle.solver.games.wave.rules import BACK, DUMMY, NO_SWAP, NONE, POINT, POINT_NONE
from houle.solver.invariants.play import decisions
from houle.solver.matches.match import Match
from houle.solver.matches.views import view_of
from houle.solver.rules import make_setup
from tests import cases
from tests.support.beside import reference

pytestmark = pytest.mark.compiled

IN_LIST = {NO_SWAP, POINT_NONE}  # moves without a card


def faces(match: Match, seat: int) -> list[dict[str, Any]]:
    """The cards that a surfer can click."""
    return [dict(card) for row in view_of(match.state, match.setup, seat) if row.get("own") for card in row["cards"]]


def meant(match: Match, seat: int, kind: int) -> list[dict[str, Any]]:
    return [card for card in faces(match, seat) if kind in card.get("moves", ())]


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
def test_each_move_is_one_card(choice: cases.Choice) -> None:
    """Every move that uses a card is meant by one card of the hand in turn, seen or not; no other card means a move."""
    checked = 0
    for setup in choice("wave"):
        for match, seat in decisions(setup, 1, 4, 5):
            kinds = {match.seen(action, seat)[1] for action in match.moves()}
            for kind in kinds:
                assert len(meant(match, seat, kind)) == (kind not in IN_LIST), f"{setup}: {match.name(kind)}"
                checked += 1
            others = [card for row in view_of(match.state, setup, seat) if not row.get("own") for card in row["cards"]]
            assert not any(card.get("moves") for card in others)
    assert checked > 100


def pointed(match: Match, kind: int) -> Match:
    """Both advisers point at this card."""
    while match.is_signal():
        match.apply(POINT + kind)
    return match


def test_a_card_that_others_point_at_can_be_played() -> None:
    """The unseen card carries the move, has its place on its back, and says who points at it."""
    for seed in range(20):
        match = Match(make_setup("wave", 3), seed)
        at = [action - POINT for action in match.moves() if action not in IN_LIST]
        if match.is_signal() and at:
            break
    pointed(match, at[0])
    seat = match.to_move()
    assert at[0] in match.moves()
    (card,) = meant(match, seat, at[0])
    assert (card["hidden"], card["top"]) == (True, str(at[0] - BACK + 1))
    assert card["pointing"] == [
        name for name in ("player 2", "player 3", "surfer 2", "surfer 3") if name in card["pointing"]
    ]
    assert len(card["pointing"]) == 2
    assert not any(name in card for name in ("name", "paint", "typed"))


def test_only_the_hand_in_turn_means_moves() -> None:
    """An adviser points at cards of the hand in turn; the adviser's own cards in the same places mean nothing."""
    match = Match(make_setup("wave", 3), 0)
    assert match.is_signal()
    seat = match.to_move()
    rows = {row["label"]: row for row in view_of(match.state, match.setup, seat)}
    assert not any(
        card.get("moves") or card.get("blocked") for card in [*rows["your front"]["cards"], *rows["your back"]["cards"]]
    )


def test_a_waiting_surfer_is_not_told_what_fits() -> None:
    """While the others point, no card of the hand says that it cannot be played."""
    match = Match(make_setup("wave", 3), 0)
    assert match.is_signal()
    assert not any(card.get("blocked") for card in faces(match, int(match.state.acting)))


def test_a_card_just_taken_says_why_it_cannot_be_played() -> None:
    match = Match(make_setup("wave", 3, ("virage",), {"talk": "known"}), 1)
    match.apply(next(action for action in match.moves() if action != NO_SWAP))
    (card,) = meant(match, match.to_move(), int(match.state.taken))
    assert card["blocked"] == "it was taken in this turn's swap"


def slots(match: Match, known: dict[str, Any]) -> Iterator[tuple[int, int, frozenset[int]]]:
    """The holder of every slot of the surfers' hands, the slot, and what it may hold as far as is known."""
    for holder, hand in enumerate(known["hands"][: match.setup.players]):
        cards = {**hand["front"], **hand["back"]}
        for slot in range(match.setup.options["hand.front"] + match.setup.options["hand.back"]):
            card = cards.get(slot + 1, NONE)
            yield holder, slot, card if isinstance(card, frozenset) else frozenset({card})


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
def test_kernels_know_as_much_as_the_reference(choice: cases.Choice) -> None:
    """Imagined worlds have only cards that are possible, and own and others' hidden cards do change in them."""
    for number, setup in enumerate(choice("wave")):
        signals, talk = 0, setup.options["talk"]
        uncertain, changed = set(), set()
        for match, plain in decisions_beside(setup, reference(setup), 1, number):
            signals += len(plain.advisers)
            for seat in range(setup.players):
                known, world = plain.knowledge(seat), match.imagine(seat, match.ply)
                for holder, slot, possible in slots(match, known):
                    here, there = (int(one.state.held[holder, slot]) for one in (match, world))
                    assert {here, there} <= possible, f"{cases.name(setup)}: seat {seat}, hand {holder}, slot {slot}"
                    if len(possible) > 1:
                        uncertain.add(holder == seat)
                        may = members(match.state.may[holder, slot]) if setup.rules[0].tracks else possible
                        assert known["unknown"].intersection(may) == possible
                    if here != there:
                        changed.add(holder == seat)
                sunk = match.state.sunk if talk == "open" else match.state.sunk_known[seat]
                assert members(sunk) == known["face down"]
                if setup.players == 2:
                    assert world.snapshot()["front"][DUMMY] == known["hands"][DUMMY]["face up"]
        assert changed == uncertain, cases.name(setup)
        assert (signals > 0) == (talk == "points")
