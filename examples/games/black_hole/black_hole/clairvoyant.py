"""Black Hole solved: can all cards still go into the hole, and in which order? The answer is exact or "unresolved".

The search goes depth first. A position is what lies on the piles and the rank in the hole. Suits do not matter, and
piles of one card differ only by its rank. Such a position is exactly one number below 2^64, and lost positions are
stored.

Two tests prove a position lost, both from counts only. The cards to come are a walk along the ring of ranks that visits
every rank as often as cards of it are left. Whether such a walk exists, from the rank in the hole to a rank at the
bottom of a pile, follows from how often it must pass between each two neighbours. On a ring of 13 this has one solution
for every end, which must not be negative anywhere nor fall into two parts.

Ranks that are hard to reach go first, and high piles. If that fails, the search starts again with some noise on that
order, because an early mistake would cost it the rest of its nodes. Positions proven lost stay lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from black_hole.state import DECK, NOTHING, RANKS, SUITS
from houle.own_game import (
    ONE,
    U8,
    ZERO,
    Moves,
    Number,
    Rules,
    Setup,
    State,
    bits,
    blank,
    derive,
    kernel,
    mix,
    outlined,
)

UNWINNABLE, WINNABLE, UNRESOLVED = 0, 1, -1
LONGEST_LINE = DECK
SLOT_BITS = 21  # size of the table of lost positions
STAMP = U8(32)
HIGH, SCARCE, ALIKE = 64, 16, 32  # rating per card of its pile, per neighbour left, per card of its rank
NOISE, NOISE_SHIFT = 4, U8(58)  # 64 steps of 4
BUDGET, ATTEMPTS = 1_000, 4  # nodes of a first attempt; attempts before that doubles

MEMORY = np.dtype(
    [
        ("table", "u8", (1 << SLOT_BITS, 2)),  # lost positions; which search found them, and its effort
        ("stamp", "u8"),  # number of this search
        ("single", "u8", RANKS),  # what a pile of one card adds to the number of a position
        ("higher", "u8", DECK),  # what a pile adds for every card above its lowest
        ("ranks", "i8", (DECK, DECK)),  # pile x card, the bottom first
        ("left", "i8", DECK),  # cards of each pile
        ("count", "i8", RANKS),  # cards left of each rank
        ("bottom", "i8", RANKS),  # piles whose lowest card has this rank
        ("far", "u8", RANKS),  # passages that a walk with this end makes one time less, as bits
        ("moves", "i8", (DECK, DECK)),  # at every ply: rating and pile
        ("untried", "i8", DECK),
        ("taken", "i8", DECK),  # the pile that was taken from
        ("hole", "i8", DECK + 1),
        ("key", "u8", DECK + 1),
        ("since", "i8", DECK + 1),  # nodes when the ply was opened
    ],
    align=True,
)


def solver_memory(setup: Setup) -> Any:
    """The memory that `solve` works in: 32 MB, reused by every search."""
    memory = blank(MEMORY)
    place = RANKS + 1  # ranks of the hole, or nothing in it
    for rank in range(RANKS):
        memory[0].single[rank] = place
        place *= SUITS + 1
    for pile in range(int(setup.options["piles"])):
        memory[0].higher[pile] = place
        place *= int(setup.options["height"])
    # One visit less to a rank takes 1/2 from its two passages, gives 1/2 to the next ones, and so on.
    for end in range(RANKS):
        memory[0].far[end] = sum(1 << (end + step) % RANKS for step in range(RANKS) if step % 2 == 0)
    return memory


@kernel
def _walkable(rules: Rules, memory: Any, hole: Number) -> Any:
    """Whether some walk along the ring visits every rank as often as cards of it are left."""
    count = memory.count
    twice = np.int64(0)  # twice the passages between king and ace, before an end is taken off
    for rank in range(RANKS):
        twice = 2 * count[rank] + (rank == hole) - twice
    # Passage r is between r and r + 1. They are all odd here, or no end fits; the end makes them even.
    if twice & 1 == 0:
        return False
    passages = twice
    scarce = ones = ZERO
    for rank in range(RANKS):
        passages = 2 * (2 * count[rank] + (rank == hole)) - passages
        if passages < -1:
            return False
        if passages == -1:
            scarce |= ONE << U8(rank)
        elif passages == 1:
            ones |= ONE << U8(rank)
    for end in range(RANKS):
        less = memory.far[end]
        if memory.bottom[end] > 0 and scarce & less == ZERO:
            unused = (ones & less) | (scarce & ~less)
            if _in_one_part(unused) and (rules.wrap or unused >> U8(RANKS - 1) & ONE != ZERO):
                return True
    return False


@kernel
def _in_one_part(unused: Any) -> Any:
    """Whether the passages that are used are side by side on the ring."""
    turned = (unused << ONE | unused >> U8(RANKS - 1)) & U8((1 << RANKS) - 1)
    starts = unused & ~turned  # unused ones after a used one
    return starts & (starts - ONE) == ZERO


@kernel
def _slot(memory: Any, key: Any) -> Any:
    return mix(key) >> U8(64 - SLOT_BITS) & ~ONE


@kernel
def _is_dead(memory: Any, key: Any) -> Any:
    slot = _slot(memory, key)
    for place in (slot, slot | ONE):
        if memory.table[place, 0] == key and memory.table[place, 1] >> STAMP == memory.stamp:
            return True
    return False


@kernel
def _note_dead(memory: Any, key: Any, effort: Any) -> None:
    """Stores a lost position in place of the one of two that took less effort to find."""
    slot = _slot(memory, key)
    table, other = memory.table, slot | ONE
    first = table[slot, 1] if table[slot, 1] >> STAMP == memory.stamp else ZERO
    second = table[other, 1] if table[other, 1] >> STAMP == memory.stamp else ZERO
    place = slot if first <= second else other
    table[place, 0] = key
    table[place, 1] = memory.stamp << STAMP | U8(effort)


@kernel
def _same(memory: Any, pile: Number, other: Number) -> Any:
    if memory.left[pile] != memory.left[other]:
        return False
    same = True
    for i in range(memory.left[pile]):
        same &= memory.ranks[pile, i] == memory.ranks[other, i]
    return same


@kernel
def _list_moves(rules: Rules, memory: Any, ply: Number, attempt: Number) -> None:
    """Writes the piles whose top card fits, with their ratings; of equal piles only one."""
    moves, hole, n = memory.moves[ply], memory.hole[ply], 0
    for pile in range(rules.piles):
        left = memory.left[pile]
        if left == 0:
            continue
        rank = memory.ranks[pile, left - 1]
        near = U8(rules.near[rank])
        if hole < RANKS and near >> U8(hole) & ONE == ZERO:
            continue
        again = False
        for i in range(n):
            again |= _same(memory, pile, moves[i] & 255)
        if again:
            continue
        rating = HIGH * left + ALIKE * memory.count[rank]
        while near != ZERO:
            rating -= SCARCE * memory.count[bits.lowest(near)]
            near = bits.without_lowest(near)
        if attempt > 0:
            rating += NOISE * np.int64(derive(U8(attempt * DECK + ply), U8(pile)) >> NOISE_SHIFT)
        moves[n] = (rating << 8) + pile
        n += 1
    memory.untried[ply] = n


@kernel
def _best_move(memory: Any, ply: Number) -> Any:
    """Returns the best-rated pile that was not tried yet."""
    moves, last = memory.moves[ply], memory.untried[ply] - 1
    best = last
    for i in range(last):
        if moves[i] > moves[best]:
            best = i
    pile = moves[best] & 255
    moves[best] = moves[last]
    memory.untried[ply] = last
    return pile


@kernel
def _key_of_pile(memory: Any, pile: Number) -> Any:
    """What a pile adds to the number of a position."""
    left = memory.left[pile]
    if left == 0:
        return ZERO
    return memory.single[memory.ranks[pile, 0]] if left == 1 else memory.higher[pile] * U8(left - 1)


@kernel
def _take(memory: Any, ply: Number, pile: Number) -> None:
    """Plays the top card of a pile into the next ply."""
    key = memory.key[ply] - _key_of_pile(memory, pile)
    memory.left[pile] -= 1
    rank = memory.ranks[pile, memory.left[pile]]
    memory.count[rank] -= 1
    if memory.left[pile] == 0:
        memory.bottom[rank] -= 1
    memory.taken[ply] = pile
    memory.hole[ply + 1] = rank
    memory.key[ply + 1] = key + _key_of_pile(memory, pile)


@kernel
def _put_back(memory: Any, ply: Number) -> None:
    """Undoes the move played from a ply."""
    pile = memory.taken[ply]
    rank = memory.ranks[pile, memory.left[pile]]
    if memory.left[pile] == 0:
        memory.bottom[rank] += 1
    memory.left[pile] += 1
    memory.count[rank] += 1


@kernel
def _open(state: State, rules: Rules, memory: Any) -> Any:
    """Writes the state as ply 0; returns how many cards are left."""
    memory.stamp += ONE
    if memory.stamp >> STAMP != ZERO:
        # Stamps start again after four billion searches; old entries must not look current.
        memory.stamp = ONE
        memory.table[:, 1] = ZERO
    memory.count[:] = 0
    memory.bottom[:] = 0
    memory.hole[0] = RANKS if state.hole == NOTHING else state.hole >> 2
    memory.key[0] = ZERO
    cards = 0
    for pile in range(rules.piles):
        memory.left[pile] = state.left[pile]
        cards += memory.left[pile]
        for i in range(memory.left[pile]):
            rank = state.cards[pile * rules.height + i] >> 2
            memory.ranks[pile, i] = rank
            memory.count[rank] += 1
        if memory.left[pile] > 0:
            memory.bottom[memory.ranks[pile, 0]] += 1
        memory.key[0] += _key_of_pile(memory, pile)
    return cards


@outlined
def solve(state: State, rules: Rules, limit: Number, line: Moves, memories: Any) -> Any:
    """(status, length, nodes): WINNABLE with the piles to the end in line[:length], UNWINNABLE, or UNRESOLVED.

    `limit` is in nodes (cards tried), `line` has room for LONGEST_LINE actions, `memories` comes from `solver_memory`.
    """
    memory = memories[0]
    cards = _open(state, rules, memory)
    if cards == 0:
        return WINNABLE, 0, 0
    nodes = attempt = 0
    budget = BUDGET
    while True:
        ply = 0
        _list_moves(rules, memory, 0, attempt)
        stop = min(nodes + budget, limit)
        while True:
            if memory.untried[ply] == 0:
                if ply == 0:
                    return UNWINNABLE, 0, nodes
                _note_dead(memory, memory.key[ply] + U8(memory.hole[ply]), nodes - memory.since[ply])
                ply -= 1
                _put_back(memory, ply)
                continue
            if nodes >= stop:
                break
            nodes += 1
            _take(memory, ply, _best_move(memory, ply))
            if ply + 1 == cards:
                for i in range(cards):
                    line[i] = memory.taken[i]
                return WINNABLE, cards, nodes
            hole = memory.hole[ply + 1]
            if _walkable(rules, memory, hole) and not _is_dead(memory, memory.key[ply + 1] + U8(hole)):
                ply += 1
                memory.since[ply] = nodes
                _list_moves(rules, memory, ply, attempt)
            else:
                _put_back(memory, ply)
        while ply > 0:
            ply -= 1
            _put_back(memory, ply)
        if nodes >= limit:
            return UNRESOLVED, 0, nodes
        attempt += 1
        if attempt % ATTEMPTS == 0:
            budget *= 2
