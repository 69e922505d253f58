"""LAND UNTER: categories of moves that a player can be forbidden to make, judged by what the player sees."""

from __future__ import annotations

from houle.solver.cards.bits import ONE, U8, ZERO, count, single
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Categories, Rules, State
from houle.solver.games.land_unter.state import TAKE

CATEGORIES = (
    ("lowest", "playing the lowest weather card of the hand"),
    ("highest", "playing the highest weather card of the hand"),
    ("low", "playing a card of the lowest third of the deck"),
    ("middle", "playing a card of the middle third of the deck"),
    ("high", "playing a card of the highest third of the deck"),
)
_LOWEST, _HIGHEST, _LOW, _MIDDLE, _HIGH = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    if action >= TAKE:
        return ZERO
    card = U8(action)
    hand = state.hand[state.mover]
    below = count(hand & (single(card) - ONE))
    third = U8(3) * card // U8(rules.weather)
    bits = _LOWEST if below == ZERO else ZERO
    bits |= _HIGHEST if below + ONE == count(hand) else ZERO
    return bits | (_LOW if third == ZERO else _MIDDLE if third == ONE else _HIGH)
