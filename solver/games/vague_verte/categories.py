"""VAGUE VERTE: categories of moves that a player can be forbidden to make, judged by what the player sees."""

from __future__ import annotations

from houle.solver.cards.bits import U8, ZERO, has
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Categories, Rules, State
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.play import CARD_BITS
from houle.solver.games.vague_verte.state import DRAW_FACEUP, DRAW_STOCK, DUCKS, FACEUP, GREEN_LIGHTS, RED_LIGHTS

CATEGORIES = (
    ("faceup", "drawing from the face-up pile"),
    ("pile", "laying a card on the face-up pile"),
    ("breakdown", "laying a breakdown on another player's road"),
    ("ducks", "laying ducks on another player's road"),
    ("red_light", "putting up a red light"),
    ("green_light", "removing a red light"),
    ("attack", "breakdowns, ducks and red lights"),
)
_FACEUP, _PILE, _BREAKDOWN, _DUCKS, _RED, _GREEN, _ATTACK = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    if action >= DRAW_STOCK:
        return _FACEUP if action == DRAW_FACEUP else ZERO
    target, card = U8(action) >> CARD_BITS, U8(action) & RING
    if target == U8(FACEUP):
        return _PILE
    if has(rules.group[DUCKS], card):
        return _DUCKS | _ATTACK
    if has(rules.group[RED_LIGHTS], card):
        return _RED | _ATTACK
    if has(rules.group[GREEN_LIGHTS], card):
        return _GREEN
    for group in range(DUCKS):
        if has(rules.group[group], card):
            return _BREAKDOWN | _ATTACK
    return ZERO
