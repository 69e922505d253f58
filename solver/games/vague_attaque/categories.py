"""VAGUE & ATTAQUE: categories of moves that a player can be forbidden to make, judged by what the player sees."""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import U8, ZERO
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Categories, Rules, State
from houle.solver.games.vague_attaque.state import V_MOORING, V_PARRY, V_POWER, V_STEADY, VERB, VERBS
from houle.solver.games.vague_attaque.zones import spot_of

CATEGORIES = (
    ("duel", "naming a card in a duel"),
    ("adventure", "meeting an encounter instead of a duel"),
    ("hook", "drawing from the discards with the hook"),
    ("swap", "giving a souvenir for a place"),
    ("place", "laying a place"),
    ("discard", "discarding a souvenir when landing"),
    ("stop", "ending the landing"),
    ("power", "using the once-per-game power"),
    ("help", "spending a gold card for the partner"),
)
_VERB = {"place": "lay place", "help": "mooring"}
_BITS = np.zeros(len(VERBS), np.uint64)  # the category of each verb
for _i, (_name, _) in enumerate(CATEGORIES):
    _BITS[VERBS.index(_VERB.get(_name, _name))] = 1 << _i
_HELP = _BITS[V_MOORING]


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    verb = action >> VERB
    if verb in (V_STEADY, V_PARRY, V_MOORING, V_POWER) and action & 1 == 0:
        return ZERO
    if verb == V_STEADY:
        return ZERO if state.mover == state.seat else _HELP
    if verb == V_PARRY:
        return ZERO if state.mover == state.owner[spot_of(state, U8(state.target))] else _HELP
    return _BITS[verb]
