"""SEA CHANGE: categories of moves that a player can be forbidden to make, judged by what the player sees."""

from __future__ import annotations

from houle.solver.cards.bits import U8, ZERO
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Categories, Rules, State
from houle.solver.games.sea_change.state import COLOUR, SOLO_DUTY, VALUE

CATEGORIES = (
    ("change", "playing the value just played, which changes the trump"),
    ("trump", "playing a trump on another colour"),
    ("lead_trump", "leading the trump"),
    ("shed", "playing neither the led colour nor a trump"),
    ("eight", "playing an eight"),
)
_CHANGE, _TRUMP, _LEAD, _SHED, _EIGHT = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    card = U8(action)
    colour, value = card >> COLOUR, card & VALUE
    follows, trumps = colour == U8(state.led), colour == U8(state.trump)
    bits = _EIGHT if value == U8(SOLO_DUTY) else ZERO
    if state.laid == 0:
        return bits | (_LEAD if trumps else ZERO)
    if value == U8(state.value):
        bits |= _CHANGE
    elif not follows:
        bits |= _TRUMP if trumps else _SHED
    return bits
