"""LAND UNTER: who knows what.

A seat knows the pack it holds, the packs it held before, and every card it saw played from the others. Packs travel, so
a card seen in round 1 is known to be in that pack in round 2. It also knows how many lifebelts each pack has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, ONE, U8, ZERO, count, has, single
from houle.solver.cards.streams import derive
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Label, Rules, Seat, State
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
def played(state: State, rules: Rules, holder: Seat) -> Any:
    """The cards played in this round; none if the holder is out, because they count as seen before."""
    out = has(U8(state.out), holder)
    return ZERO if out else state.pack[holder] & ~holding(state, rules, holder)


@kernel
def known(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards that `seat` knows to be in the holder's pack."""
    distance = np.int64(holder) - np.int64(seat)
    distance += np.int64(rules.seats) if distance < 0 else 0
    passed = 0 if rules.forgets else np.int64(state.rounds) - (1 if state.mover < 0 else 0)  # packs it held before
    if distance <= passed:
        return state.pack[holder]
    return state.seen[holder] | played(state, rules, holder)


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
