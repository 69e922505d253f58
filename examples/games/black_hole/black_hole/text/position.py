"""Black Hole: a position as text.

hole: ace of spades                  the card on top of it; none before the first
pile 1: 5 of clubs, king of hearts   the cards of a pile, the last on top; none if it is empty
"""

from __future__ import annotations

from black_hole.plain import name
from black_hole.state import DECK, FIRST, NOTHING
from houle.own_game import Known, Lines, Places, Setup, State, bits


def name_of_card(setup: Setup, card: int) -> str:
    return name(card)


def _piles(known: Known, who: int) -> Places:
    """A line per pile."""
    height, cards = int(known.setup.options["height"]), known["cards"]
    piles = [cards[first : first + height] for first in range(0, len(cards), height)]
    return {f"pile {i}": [name(card - 1) for card in pile if card] for i, pile in enumerate(piles, 1)}


LINES = {"cards": _piles}


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
            raise lines.fault(place, f"{len(cards)} cards; allowed: at most {height}")
        for j, card in enumerate(cards):
            if card in where or card < 0:
                raise lines.fault(
                    place,
                    f"{name(card)} is also at {where[card]}"
                    if card in where
                    else "all cards are open; write their names",
                )
            where[card] = place
            state.cards[i * height + j] = card
        state.left[i] = len(cards)
        if cards:
            state.tops[cards[-1] >> 2] |= bits.single(i)
    state.laid = number * height - int(state.left[:number].sum())
    if len(hole) > 1 or (not hole and (given or state.laid)) or min(hole, default=0) < 0:
        raise lines.fault("hole", "write the card on top of it")
    state.hole = hole[0] if hole else NOTHING
    state.mover = seat
