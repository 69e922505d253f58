"""LAND UNTER: who knows what.

A seat knows the pack it holds, the packs it held before, and every card it saw played from the others. Packs travel, so
a card seen in round 1 is known to be in that pack in round 2. It also knows how many lifebelts each pack has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.compiler.bits import ALL, ONE, U8, ZERO, count, has, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.piles import GAP, card_at, count_in_use
from houle.solver.compiler.streams import derive, mix
from houle.solver.compiler.types import Action, Label, Rules, Seat, State
from houle.solver.games.land_unter.play import lifebelts
from houle.solver.games.land_unter.state import TAKE

HIDDEN = U8(128)  # label of a card that another player commits in secret
REVEAL = U8(256)  # labels of the commitment that reveals all cards start here


@kernel
def secret(state: State, rules: Rules) -> Any:
    """Whether the cards committed in this trick are face down: nobody knows them, nor who has chosen already."""
    return not (rules.open or state.taking or state.mover < 0)


@kernel
def holding(state: State, rules: Rules, holder: Seat) -> Any:
    """The hand as everyone sees it: a card that is face down still belongs to it."""
    cards = state.hand[holder]
    if state.committed[holder] > 0 and secret(state, rules):
        cards |= single(U8(state.committed[holder]) - ONE)
    return cards


@kernel
def known(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards that `seat` knows to be in the holder's pack."""
    distance = np.int64(holder) - np.int64(seat)
    distance += np.int64(rules.seats) if distance < 0 else 0
    passed = 0 if rules.forgets else np.int64(state.rounds) - (1 if state.mover < 0 else 0)  # packs it held before
    if distance <= passed:
        return state.pack[holder]
    out = has(U8(state.out), holder)
    played = ZERO if out else state.pack[holder] & ~holding(state, rules, holder)
    return state.seen[holder] | played


@outlined
def knows(state: State, rules: Rules, seat: Seat) -> Label:
    """A 64-bit mix of all that `seat` knows: equal in every world it cannot tell apart."""
    hidden = secret(state, rules)
    key = derive(
        U8(state.out) | U8(state.rounds) << U8(8) | U8(state.trick) << U8(16),
        U8(state.taking) | U8(state.mover < 0) << ONE,
    )
    key = derive(key, U8(state.water[0]) | U8(state.water[1]) << U8(8) | U8(state.eliminations) << U8(16))
    key = derive(key, U8(state.tricks) | U8(state.moves) << U8(16))
    if not hidden:
        key = derive(key, U8(state.mover + 1) | U8(state.waiting) << U8(8))
    if rules.open:
        key = derive(key, U8(state.leader))
    rest = ZERO
    for i in range(count_in_use(state)):
        card = U8(card_at(state, i))
        rest += mix(card) if card != U8(GAP) else ZERO
    key = derive(key, rest)
    for holder in range(rules.seats):
        sure = known(state, rules, holder, seat)
        key = derive(key, sure)
        key = derive(key, holding(state, rules, holder) & sure)
        key = derive(key, lifebelts(rules, state.pack[holder]))
        points = U8(np.int64(state.points[holder]) + 32768)
        key = derive(key, U8(state.level[holder]) | U8(state.belts[holder]) << U8(8) | points << U8(16))
        key = derive(key, ZERO if hidden else U8(state.committed[holder]))
    return key


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken.

    A card committed in secret shows nothing. The last commitment reveals all cards. The player who commits last still
    chooses without seeing the others, so your own action is always just itself.
    """
    if action >= TAKE or rules.open or state.mover == seat:
        return U8(action)
    if count(U8(state.waiting)) > ONE:
        return HIDDEN
    key = U8(action)
    for holder in range(rules.seats):
        key = derive(key, U8(state.committed[holder]))
    return key & (ALL >> ONE) | REVEAL


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Weather cards are unique; two water cards of the same value are the same."""
    return U8(TAKE) + U8(state.water[action - TAKE]) if action >= TAKE else U8(action)
