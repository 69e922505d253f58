"""WAVE: kernels and reference agree on signals and on what each surfer knows, under every talk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.analysis.checks.against_plain import decisions_beside
from houle.solver.cards.bits import members
from houle.solver.games.wave.rules import DUMMY, NONE
from houle.solver.matches.match import Match
from tests import cases
from tests.support.beside import reference

pytestmark = pytest.mark.compiled


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
