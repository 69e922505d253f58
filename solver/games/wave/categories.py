"""WAVE: categories of moves that a player can be forbidden to make, judged by what the player sees."""

from __future__ import annotations

from houle.solver.cards.bits import U8, ZERO, has
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Categories, Rules, State
from houle.solver.games.wave.board import named
from houle.solver.games.wave.knowledge import unseen
from houle.solver.games.wave.state import BACK, HIDE, NO_SWAP, POINT, SWAP

CATEGORIES = (
    ("swap", "swapping a card for the Virage card"),
    ("hide", "laying a card face down"),
    ("reverse", "playing a card that turns the direction of play"),
    ("back", "playing a card of the back, which the others see"),
    ("front", "playing a card of the front, which its owner sees"),
)
_SWAP, _HIDE, _REVERSE, _BACK, _FRONT = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    if action == NO_SWAP or action >= POINT:
        return ZERO
    if action >= SWAP:
        return _SWAP
    if action >= HIDE:
        return _HIDE
    card = named(state, action)
    unknown = has(unseen(state, rules, state.acting, state.mover), card)
    turns = has(rules.reverse, card) and not unknown
    return (_BACK if action >= BACK else _FRONT) | (_REVERSE if turns else ZERO)
