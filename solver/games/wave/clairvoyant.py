"""WAVE with the whole future known: can the team still win, and how? The answer is exact or "unresolved"."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, ONE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.cards.streams import STEP, derive, mix
from houle.solver.compiler.kernels import entry, kernel, outlined
from houle.solver.compiler.types import AllRules, Card, Moves, Number, Rules, State, States
from houle.solver.games.wave import foresight
from houle.solver.games.wave.foresight import LONGEST_LINE, solver_memory
from houle.solver.games.wave.rules import DUMMY, MAX_SEATS, NONE, cards_left, choosable, fitting

# ---- A table of positions that cannot be won, with their dead cards: those that lose if they are laid from there
#
# A position is stored without the card on top, because what a turn leads to does not depend on it. In Nazare the
# cards on the wave's edge that a later cell will touch are part of it.


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
    return (mixed >> memory.shift) & ~U8(foresight.WAYS - 1)


@kernel
def _is_key(memory: Any, place: Any) -> Any:
    table, key = memory.table, memory.key
    same = table[place, META] == key[META] and table[place, 0] == key[0] and table[place, 1] == key[1]
    return same and table[place, 2] == key[2] and table[place, 4] == key[4] and table[place, 5] == key[5]


@kernel
def dead_cards(memory: Any, place: Any) -> Any:
    for _ in range(foresight.WAYS):
        if _is_key(memory, place):
            return memory.table[place, DEAD]
        place += ONE
    return ZERO


@kernel
def note_dead(memory: Any, place: Any, dead: Any, effort: Any) -> None:
    """Adds dead cards to a position; a new position replaces the entry that took the least effort to find."""
    table = memory.table
    chosen, least = place, ALL
    for _ in range(foresight.WAYS):
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


# ---- Can the team still win, and how? The answer is exact or "unresolved"
#
# The search goes depth first over turns (a swap, if any, and a card). What a turn leads to does not depend on the top
# card it was laid on. So a position is stored without its top, together with its dead cards: those that lose if laid
# from there. A position met again under another top tries only the cards that are not dead. In Nazare the cards on
# the wave's edge that a later cell will touch are part of the position.
#
# The search first lays cards that are hard to lay or hard to follow. If that fails, it starts again with some noise
# on the ratings, because an early mistake would cost it the rest of its nodes. Dead cards stay dead.


__all__ = ["LONGEST_LINE", "UNRESOLVED", "UNWINNABLE", "WINNABLE", "ask", "solve", "solver_memory"]

UNWINNABLE, WINNABLE, UNRESOLVED = 0, 1, -1


# Ratings. A card is tried sooner for each remaining card that it cannot be laid on or that cannot follow it (FOLLOW is
# indexed by how many neighbours will have to beat it: none, one as in a discard, two), and if it needs no swap.
LAY = 16
FOLLOW = (16, 12, 8)
SWAPPING = 64
NOISE, NOISE_SHIFT = 3, U8(58)  # 64 steps of 3
LEAST_BITS = 6  # address bits of the smallest part of the table
BUDGET, ATTEMPTS = 100, 4  # nodes of a first attempt; attempts before that doubles


@kernel
def _fitting(rules: Rules, memory: Any, ply: Number, cell: Any) -> Any:
    """All cards that fit at this ply, whose card goes into `cell`."""
    order = memory.plies[ply].order
    if not rules.nazare:
        return rules.beats[order, memory.cells[cell - 1]]
    left, under = rules.left[cell], rules.below[cell]
    fits = ALL
    if left != NONE:
        fits &= rules.beats[order, memory.cells[left]]
    if under != NONE:
        fits &= rules.beats[order, memory.cells[under]]
    return fits


@kernel
def _hopeless(rules: Rules, memory: Any, ply: Number, top: Any) -> Any:
    """Whether some card can never be laid, or more cards than the last one can never be followed."""
    free = 1 if rules.virage and not rules.must_fit else 0  # a last card that may be laid on anything
    at = memory.plies[ply]
    rest = at.rest
    under = rest | single(top)
    before, after = memory.before[at.row], memory.after[at.row]
    unlaid, unfollowed = 0, 0
    cards = rest
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        unlaid += before[card] & under == ZERO
        unfollowed += after[card] & rest == ZERO
    return unlaid > free or unfollowed > 1 + free


@kernel
def _noise(attempt: Any, ply: Number, card: Card) -> Any:
    return np.int64(derive(U8(attempt * 64 + ply), card) >> NOISE_SHIFT) * NOISE if attempt > 0 else 0


@kernel
def _list_turns(rules: Rules, memory: Any, ply: Number, cell: Any, cards: Any, swaps: Any, attempt: Any) -> None:
    """Writes the turns that lay one of these cards: the rating, then two bytes for the two cards."""
    at = memory.plies[ply]
    turns, rest, hand = at.turns, at.rest, at.hands[at.seat]
    before, after = memory.before[at.row], memory.after[at.row]
    follow = FOLLOW[memory.exits[cell]] if rules.nazare else FOLLOW[1]
    n = 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        rating = _noise(attempt, ply, card)
        rating -= LAY * np.int64(count(rest & before[card])) + follow * np.int64(count(rest & after[card]))
        turns[n] = (rating << 16) + (NONE << 8) + np.int64(card)
        n += 1
        downs = hand & ~single(card) if swaps else ZERO
        while downs != ZERO:
            down = lowest(downs)
            downs = without_lowest(downs)
            swapped = rating - SWAPPING + _noise(attempt, ply + 1, down)
            turns[n] = (swapped << 16) + np.int64(down << U8(8)) + np.int64(card)
            n += 1
    at.untried = n


@kernel
def _best_turn(at: Any) -> Any:
    """Takes the best-rated turn not tried yet and puts it behind the others."""
    turns, last = at.turns, U8(at.untried) - ONE
    best = last
    for i in range(last):
        if turns[i] > turns[best]:
            best = i
    turn = turns[best]
    turns[best] = turns[last]
    turns[last] = turn
    at.untried = last
    return turn


@kernel
def _take_turn(rules: Rules, memory: Any, ply: Number, cell: Any, turn: Any, down: Any) -> Any:
    """Plays a turn into the next ply, including who moves there; returns the card laid."""
    card, laid_down = U8(turn & 255), turn >> 8 & 255
    at, after = memory.plies[ply], memory.plies[ply + 1]
    seat = at.seat
    for other in range(MAX_SEATS):
        after.hands[other] = at.hands[other]
    hand = at.hands[seat] & ~single(card)
    virage, up, drawn = at.virage, at.up, at.drawn
    if laid_down != NONE:
        hand = (hand & ~single(laid_down)) | single(virage)
        virage = laid_down
    if drawn != NONE:
        hand |= single(drawn)
    elif rules.dummy and seat == DUMMY and up < down:
        hand |= single(memory.shown[up])
        up += 1
    after.hands[seat] = hand
    after.virage = virage
    after.up = up
    after.rest = at.rest & ~single(card)
    memory.cells[cell] = card
    turned = U8(at.turned) ^ ((rules.reverse >> card) & ONE)
    after.turned = turned
    for _ in range(rules.seats):
        seat = rules.next[turned, seat]
        if after.hands[seat] != ZERO:
            break
    after.seat = seat
    return card


@kernel
def _shift_of(limit: Number) -> Any:
    """How far to shift a hash, so the search uses a part of the table with two entries per node.

    A search of few nodes then stays in the fastest memory.
    """
    shift = U8(64 - foresight.TABLE_BITS)
    while shift < U8(64 - LEAST_BITS) and limit << 1 <= 1 << (63 - np.int64(shift)):
        shift += ONE
    return shift


@kernel
def _open(state: State, rules: Rules, memory: Any, plies: Number, limit: Number) -> Any:
    """Writes the state as ply 0; returns how many cards of the dummy are face down."""
    memory.stamp += ONE
    if memory.stamp >> STAMP_SHIFT != ZERO:
        # Stamps start again after four billion searches; old entries must not look current.
        memory.stamp = ONE
        memory.table[:, META] = ZERO
    memory.shift = _shift_of(limit)
    foresight.foresee(state, rules, memory, plies)
    foresight.relate(rules, memory, plies)
    rest = single(state.virage) if rules.virage else ZERO
    at = memory.plies[0]
    for seat in range(MAX_SEATS):
        at.hands[seat] = ZERO
    for seat in range(rules.seats):
        dummy = rules.dummy and seat == DUMMY
        at.hands[seat] = state.front[seat] if dummy else state.front[seat] | state.back[seat]
        rest |= state.front[seat] | state.back[seat]
    for ply in range(plies):
        if memory.plies[ply].drawn != NONE:
            rest |= single(memory.plies[ply].drawn)
    for cell in range(state.laid + 1 if rules.nazare else 0):
        memory.cells[cell] = state.cells[cell]
    memory.cells[state.laid] = state.top
    at.rest = rest
    at.seat, at.turned = state.acting, state.turned
    at.virage, at.up = state.virage, 0
    memory.key[4] = memory.key[5] = ZERO
    return count(state.back[DUMMY]) if rules.dummy else ZERO


@kernel
def _enter(rules: Rules, memory: Any, ply: Number, cell: Any, top: Any, nodes: Any, attempt: Any) -> Any:
    """Opens the ply that a turn led to; False if it is lost at once or already known to be lost."""
    at = memory.plies[ply]
    fits = at.hands[at.seat] & _fitting(rules, memory, ply, cell)
    if fits == ZERO or (not rules.nazare and _hopeless(rules, memory, ply, top)):
        return False
    alive = fits & ~dead_cards(memory, look_up(rules, memory, ply, cell))
    if alive == ZERO:
        return False
    at.fits = fits
    at.since = nodes
    _list_turns(rules, memory, ply, cell, alive, foresight.may_swap(rules, memory, ply), attempt)
    return True


@outlined
def solve(state: State, rules: Rules, limit: Number, line: Moves, memories: Any) -> Any:
    """(status, length, nodes): WINNABLE with the actions to the end in line[:length], UNWINNABLE, or UNRESOLVED.

    `limit` is in nodes (turns tried), `line` has room for LONGEST_LINE actions, `memories` comes from `solver_memory`.
    """
    memory = memories[0]
    if state.mover < 0:
        return WINNABLE if cards_left(state, rules) == 0 else UNWINNABLE, 0, 0
    if rules.nazare and state.facedown > 0:
        return UNWINNABLE, 0, 0
    first = np.int64(state.laid) + 1
    plies = np.int64(rules.deck_size) - first - np.int64(rules.virage)
    down = _open(state, rules, memory, plies, limit)
    opening = choosable(state, rules) & fitting(state, rules)
    swaps = rules.virage and not state.asked
    nodes = attempt = 0
    budget = BUDGET
    while True:
        ply = 0
        _list_turns(rules, memory, 0, first, opening, swaps, attempt)
        stop = min(nodes + budget, limit)
        while ply >= 0:
            at = memory.plies[ply]
            if at.untried == 0:
                if ply > 0:
                    note_dead(memory, look_up(rules, memory, ply, first + ply), at.fits, U8(nodes - at.since))
                ply -= 1
                continue
            if nodes >= stop:
                break
            nodes += 1
            cell = first + ply
            card = _take_turn(rules, memory, ply, cell, _best_turn(at), down)
            if ply + 1 < plies:
                if _enter(rules, memory, ply + 1, cell + 1, card, nodes, attempt):
                    ply += 1
            elif not (rules.virage and rules.must_fit) or has(
                _fitting(rules, memory, plies, cell + 1), memory.plies[plies].virage
            ):
                return WINNABLE, foresight.write_line(state, rules, memory, plies, line), nodes
        if ply < 0:
            return UNWINNABLE, 0, nodes
        if nodes >= limit:
            return UNRESOLVED, 0, nodes
        attempt += 1
        if attempt % ATTEMPTS == 0:
            budget *= 2


@entry
def ask(states: States, all_rules: AllRules, limit: Number, line: Any, memories: Any) -> Any:
    """`solve` for one state, called from Python."""
    return solve(states[0], all_rules[0], limit, line, memories)
