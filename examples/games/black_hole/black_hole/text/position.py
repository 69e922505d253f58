"""Black Hole: a position in lines.

hole: ace of spades                  the card on top of it; none before the first
pile 1: 5 of clubs, king of hearts   the cards of a pile, the last on top; none where it is used up
"""

from __future__ import annotations

from black_hole.plain import name
from black_hole.state import DECK, FIRST, NOTHING
from black_hole.text import piles
from houle.solver.bitset import single
from houle.solver.record.lines import Lines, Places
from houle.solver.ruleset import Setup
from houle.solver.types import State


def write(state: State, setup: Setup, seat: int) -> Places:
    """All that there is: everything lies open."""
    found: Places = {"hole": [] if state.hole == NOTHING else [name(int(state.hole))]}
    return found | {f"pile {i}": [name(card) for card in pile] for i, pile in enumerate(piles(state, setup), 1)}


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state."""
    names = {name(card): card for card in range(DECK)}
    number, height = int(setup.options["piles"]), int(setup.options["height"])
    given = setup.options["first"] == "ace"
    hole = lines.cards("hole", names) or []
    where = dict.fromkeys([*hole, *([FIRST] if given else [])], "hole")
    for i in range(number):
        place = f"pile {i + 1}"
        cards = lines.cards(place, names) or []
        if len(cards) > height:
            raise lines.fault(place, f"{len(cards)} cards; a pile has {height} at most")
        for j, card in enumerate(cards):
            if card in where or card < 0:
                raise lines.fault(place, f"{name(card)} is at {where[card]} too" if card in where else "all lies open")
            where[card] = place
            state.cards[i * height + j] = card
        state.left[i] = len(cards)
        if cards:
            state.tops[cards[-1] >> 2] |= single(i)
    state.laid = number * height - int(state.left[:number].sum())
    if len(hole) > 1 or (not hole and (given or state.laid)) or min(hole, default=0) < 0:
        raise lines.fault("hole", "write the card on top of it")
    state.hole = hole[0] if hole else NOTHING
    state.mover = seat
