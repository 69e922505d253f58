"""Black Hole: everything is open, so a player sees all cards."""

from __future__ import annotations

from black_hole.state import DECK
from houle.own_game import Number, Numbers, Rules, Seat, State, seen


def _cards(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Every place of every pile, the bottom first: 1 + the card, 0 for none."""
    for pile in range(rules.piles):
        for i in range(state.left[pile]):
            out[at + pile * rules.height + i] = state.cards[pile * rules.height + i] + 1


SEEN = seen.seen(
    seen.mark("hole", "hole", DECK, line="hole"),
    seen.numbers("cards", _cards, lambda rules: rules.piles * rules.height),
)
