"""WAVE's solver stores positions with their dead cards: those that lose if they are laid from there.

A position is stored without the card on top, because what a turn leads to does not depend on it. In Nazare the cards
on the wave's edge that a later cell will touch are part of it.
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ALL, ONE, U8, ZERO
from houle.solver.cards.streams import STEP, mix
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Number, Rules
from houle.solver.games.wave.foresight import WAYS
from houle.solver.games.wave.state import NONE

DEAD, EFFORT = 6, 7  # words of an entry of the table, after those of the position
META = 3  # the word of a position that holds the number of the search
STAMP_SHIFT = U8(32)
EDGE_SHIFT, EDGE_CARDS = U8(6), 10  # cards of the wave's edge per word


@kernel
def look_up(rules: Rules, memory: Any, ply: Number, cell: Any) -> Any:
    """Writes the position into memory.key; returns the first of its entries in the table."""
    at, key = memory.plies[ply], memory.key
    hands = at.hands
    key[0] = hands[0] | hands[1] | hands[2] | hands[3]
    key[1] = hands[1] | hands[3]
    key[2] = hands[2] | hands[3]
    key[META] = (
        memory.stamp << STAMP_SHIFT
        | U8(at.virage) << U8(24)
        | U8(ply) << U8(16)
        | U8(at.up) << U8(8)
        | U8(at.seat) << ONE
        | U8(at.turned)
    )
    mixed = mix(key[0] ^ mix(key[1] ^ mix(key[2] ^ mix(key[META] * STEP))))
    if rules.nazare:
        word, cards = 4, 0
        key[4] = key[5] = ZERO
        for later in range(cell + 1, rules.deck_size):
            left = rules.left[later]
            if left != NONE:
                if left >= cell:
                    break
                if cards == EDGE_CARDS:
                    word = 5
                cards += 1
                key[word] = key[word] << EDGE_SHIFT | U8(memory.cells[left])
        mixed = mix(mixed ^ mix(key[4] ^ mix(key[5] + STEP)))
    return (mixed >> memory.shift) & ~U8(WAYS - 1)


@kernel
def _is_key(memory: Any, place: Any) -> Any:
    table, key = memory.table, memory.key
    same = table[place, META] == key[META] and table[place, 0] == key[0] and table[place, 1] == key[1]
    return same and table[place, 2] == key[2] and table[place, 4] == key[4] and table[place, 5] == key[5]


@kernel
def dead_cards(memory: Any, place: Any) -> Any:
    for _ in range(WAYS):
        if _is_key(memory, place):
            return memory.table[place, DEAD]
        place += ONE
    return ZERO


@kernel
def note_dead(memory: Any, place: Any, dead: Any, effort: Any) -> None:
    """Adds dead cards to a position; a new position replaces the entry that took the least effort to find."""
    table = memory.table
    chosen, least = place, ALL
    for _ in range(WAYS):
        if _is_key(memory, place):
            table[place, DEAD] |= dead
            table[place, EFFORT] += effort
            return
        known = table[place, EFFORT] if table[place, META] >> STAMP_SHIFT == memory.stamp else ZERO
        if known < least:
            chosen, least = place, known
        place += ONE
    for word in range(6):
        table[chosen, word] = memory.key[word]
    table[chosen, DEAD] = dead
    table[chosen, EFFORT] = effort
