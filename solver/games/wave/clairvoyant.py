"""WAVE for a team that knows the whole future."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.games.wave.play import cards_left, choosable, fitting
from houle.solver.games.wave.state import BACK, DUMMY, INVERT_COLOURS, MAX_CARDS, MAX_HAND, MAX_SEATS, NO_SWAP, NONE, SWAP
from houle.solver.kernels import kernel, rare
from houle.solver.ruleset import Setup
from houle.solver.streams import advance, below, derive, mix

WINNABLE, UNWINNABLE, UNRESOLVED = 1, 0, -1
TABLE_BITS = 16
WAYS = U8(4)
WORDS = 8
MAX_TURNS = MAX_HAND * (MAX_HAND + 1)
CELL = U8(6)
BYTE = U8(8)

SEAT, TURNED, VIRAGE, SHOWN, LEFT = range(5)
FRAME = 5


class Memory(NamedTuple):
    draws: Any
    orders: Any
    shown: Any
    follow: Any
    hands: Any
    frames: Any
    gone: Any
    moves: Any
    wave: Any
    chosen: Any
    table: Any
    stamp: Any
    knob: Any


def solver_memory(setup: Setup) -> Memory:
    plies = MAX_CARDS + 2
    return Memory(
        draws=np.zeros(plies, np.uint8),
        orders=np.zeros(plies, np.uint8),
        shown=np.zeros(MAX_CARDS, np.uint8),
        follow=np.zeros((plies, 2, MAX_CARDS), np.uint64),
        hands=np.zeros((plies, MAX_SEATS), np.uint64),
        frames=np.zeros((plies, FRAME), np.int64),
        gone=np.zeros((plies, 2), np.uint64),
        moves=np.zeros((plies, MAX_TURNS), np.int64),
        wave=np.zeros(plies, np.uint8),
        chosen=np.zeros(plies, np.int64),
        table=np.zeros(((1 << TABLE_BITS) + 8, WORDS), np.uint64),
        stamp=np.zeros(1, np.uint64),
        knob=np.array([16, 4, 0, 0, 1, 1, 4, 4,0,0], np.int64),
    )


@kernel
def _foresee(state: Any, rules: Any, memory: Any) -> Any:
    """Draws."""
    stream = state.deal
    left = U8(state.pile_left)
    pile = memory.wave
    for i in range(left):
        memory.moves[0, i] = state.pile[i]
    pile = memory.moves[0]
    order = state.order
    n = 0
    memory.orders[0] = order
    while left > ZERO:
        drawn = NONE
        while left > ZERO and drawn == NONE:
            stream = advance(stream)
            i = below(stream, left)
            left -= ONE
            card = pile[i]
            pile[i] = pile[left]
            if card < INVERT_COLOURS:
                drawn = card
            else:
                order ^= 1 if card == INVERT_COLOURS else 2
        memory.draws[n] = drawn
        n += 1
        memory.orders[n] = order
    for k in range(n, MAX_CARDS + 1):
        memory.draws[k] = NONE
        memory.orders[k + 1] = order
    # the dummy
    down = state.back[DUMMY] if rules.dummy else ZERO
    stream = state.chance
    turned = 0
    while down != ZERO:
        cards = count(down)
        card = lowest(down)
        if cards > ONE:
            stream = advance(stream)
            skip = below(stream, cards)
            rest = down
            for _ in range(skip):
                rest = without_lowest(rest)
            card = lowest(rest)
        memory.shown[turned] = card
        turned += 1
        down &= ~single(card)
    return turned


@kernel
def _relations(rules: Any, memory: Any, plies: Any) -> None:
    """follow[k, 0, card]: what can be laid on card from ply k on; [k, 1, card]: on what card can be laid."""
    for k in range(plies, -1, -1):
        order = memory.orders[k]
        same = k < plies and order == memory.orders[k + 1]
        for i in range(rules.wave):
            card = rules.deck[i]
            if same:
                memory.follow[k, 0, card] = memory.follow[k + 1, 0, card]
                memory.follow[k, 1, card] = memory.follow[k + 1, 1, card]
            else:
                after = memory.follow[k + 1, 0, card] if k < plies else ZERO
                before = memory.follow[k + 1, 1, card] if k < plies else ZERO
                memory.follow[k, 0, card] = after | rules.beats[order, card]
                memory.follow[k, 1, card] = before | rules.beats[order ^ 3, card]


@kernel
def _fits(rules: Any, memory: Any, first: Any, ply: Any) -> Any:
    """What can be laid at this ply. wave[k] = card laid in cell (absolute)."""
    beats = rules.beats[memory.orders[ply]]
    cell = first + ply + 1
    if not rules.nazare:
        return beats[memory.wave[cell - 1]]
    left, under = rules.left[cell], rules.below[cell]
    fits = ~ZERO
    if left != NONE:
        fits &= beats[memory.wave[left]]
    if under != NONE:
        fits &= beats[memory.wave[under]]
    return fits


@kernel
def _hopeless(rules: Any, memory: Any, ply: Any, top: Any, rest: Any, strict: Any) -> Any:
    """A card with no pred, or two cards without succ."""
    last = 0
    before = rest | single(top)
    follow = memory.follow[ply, 0]
    under = memory.follow[ply, 1]
    cards = rest
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        if under[card] & before == ZERO:
            return True
        if follow[card] & rest == ZERO:
            last += 1
    if last > 1:
        return True
    if not strict:
        return False
    last = 0
    acting = memory.frames[ply, SEAT]
    for seat in range(rules.seats):
        cards = memory.hands[ply, seat]
        around = _around(rules, memory, ply, seat, rest)
        before = around | single(top) if seat == acting else around
        while cards != ZERO:
            card = lowest(cards)
            cards = without_lowest(cards)
            if under[card] & before == ZERO:
                return True
            if follow[card] & around == ZERO:
                last += 1
    return last > memory.knob[5]

@kernel
def _slot_of(rules: Any, memory: Any, ply: Any, first: Any, key: Any) -> Any:
    """Writes the exact position into key[0..5]; returns the hash."""
    hands = memory.hands[ply]
    frame = memory.frames[ply]
    key[0] = hands[0] | hands[1] | hands[2] | hands[3]
    key[1] = hands[1] | hands[3]
    key[2] = hands[2] | hands[3]
    key[3] = (
        memory.stamp[0] << U8(32)
        | U8(frame[VIRAGE]) << U8(24)
        | U8(ply) << U8(16)
        | U8(frame[SHOWN]) << U8(8)
        | U8(frame[SEAT]) << U8(1)
        | U8(frame[TURNED])
    )
    mixed = mix(key[0] ^ mix(key[1] + U8(0x9E3779B97F4A7C15)) ^ mix(key[2] ^ mix(key[3] * U8(0xD6E8FEB86659FD93))))
    if rules.nazare:
        # cards on the edge
        cell = U8(first + ply + 1)
        key[4] = key[5] = ZERO
        edge = ZERO
        word = 4
        for other in range(cell + ONE, min(cell + U8(24), U8(rules.wave))):
            left = rules.left[other]
            if left != NONE and left < cell:
                edge += ONE
                if edge == U8(11):
                    word = 5
                key[word] = key[word] << CELL | U8(memory.wave[left])
            if left != NONE and left >= cell:
                break
        mixed = mix(mixed ^ key[4]) ^ mix(key[5] + mixed)
    return (mixed >> U8(64 - TABLE_BITS)) & ~(WAYS - ONE)


@kernel
def _known_dead(memory: Any, slot: Any, key: Any) -> Any:
    table = memory.table
    for i in range(WAYS):
        entry = table[slot + U8(i)]
        if entry[3] == key[3] and entry[0] == key[0] and entry[1] == key[1] and entry[2] == key[2] and entry[4] == key[4] and entry[5] == key[5]:
            return entry[6]
    return ZERO


@kernel
def _note_dead(memory: Any, slot: Any, key: Any, dead: Any, ply: Any, effort: Any) -> None:
    table = memory.table
    victim = slot
    worst = U8(0xFFFFFFFFFFFFFFFF)
    for i in range(WAYS):
        entry = table[slot + U8(i)]
        if entry[3] == key[3] and entry[0] == key[0] and entry[1] == key[1] and entry[2] == key[2] and entry[4] == key[4] and entry[5] == key[5]:
            entry[6] |= dead
            entry[7] += effort
            return
        value = entry[7] if entry[3] >> U8(32) == memory.stamp[0] else ZERO
        if value < worst:
            worst = value
            victim = slot + U8(i)
    entry = table[victim]
    for k in range(6):
        entry[k] = key[k]
    entry[6] = dead
    entry[7] = effort


@kernel
def _scarce(memory: Any, n: Any) -> Any:
    return np.int64(512) // (np.int64(n) + memory.knob[8]) if memory.knob[6] else np.int64(40) - np.int64(n)


@kernel
def _urgency(memory: Any, ply: Any, card: Any, around: Any) -> Any:
    others = around & ~single(card)
    before = count(others & memory.follow[ply, 1, card])
    after = count(others & memory.follow[ply, 0, card])
    return memory.knob[0] * _scarce(memory, before) + memory.knob[1] * _scarce(memory, after)


@kernel
def _around(rules: Any, memory: Any, ply: Any, seat: Any, rest: Any) -> Any:
    """Cards that may come next to a card of this seat."""
    around = rest & ~memory.hands[ply, seat]
    if rules.seats == 4:
        around &= ~memory.hands[ply, (seat + 2) & 3]
    return around


@kernel
def _list(rules: Any, memory: Any, ply: Any, fits: Any, swaps: Any, rest: Any, attempt: Any) -> Any:
    """Writes the turns of this ply with their rating."""
    seat = memory.frames[ply, SEAT]
    hand = memory.hands[ply, seat]
    moves = memory.moves[ply]
    knob = memory.knob
    around = _around(rules, memory, ply, seat, rest)
    n = 0
    while fits != ZERO:
        card = lowest(fits)
        fits = without_lowest(fits)
        rating = _urgency(memory, ply, card, around)
        turned = U8(memory.frames[ply, TURNED]) ^ (rules.reverse >> card & ONE)
        after = rules.next[turned, seat]
        ready = memory.hands[ply, after] & rules.beats[memory.orders[ply + 1], card]
        if knob[2] > 0:
            theirs = _around(rules, memory, ply, after, rest)
            best = np.int64(0)
            while ready != ZERO:
                best = max(best, _urgency(memory, ply, lowest(ready), theirs))
                ready = without_lowest(ready)
            rating += best * knob[2] // 16
        rating //= 16
        if attempt > 0:
            rating += np.int64(mix(derive(U8(attempt), card) + U8(ply)) >> U8(58)) * knob[3]
        moves[n] = (rating << 16) + (NONE << 8) + np.int64(card)
        n += 1
        if swaps:
            down = hand & ~single(card)
            mine = rating - 64
            while down != ZERO:
                other = lowest(down)
                down = without_lowest(down)
                v = memory.frames[ply, VIRAGE]
                gain = np.int64(count(rest & ~memory.follow[ply, 1, other])) - np.int64(count(rest & ~memory.follow[ply, 1, v]))
                moves[n] = ((mine + gain * knob[4]) << 16) + np.int64(other << U8(8)) + np.int64(card)
                n += 1
    return n


@rare
def solve(state: Any, rules: Any, limit: Any, line: Any, memory: Any) -> Any:
    if state.mover < 0:
        return (WINNABLE if cards_left(state, rules) == 0 else UNWINNABLE), 0, 0
    if rules.nazare and state.facedown > 0:
        return UNWINNABLE, 0, 0
    memory.stamp[0] += ONE
    down = _foresee(state, rules, memory)
    first = np.int64(state.laid)
    plies = np.int64(rules.wave) - 1 - first - np.int64(rules.virage)
    _relations(rules, memory, plies)
    frames = memory.frames
    hands = memory.hands
    total = ZERO
    for seat in range(MAX_SEATS):
        hands[0, seat] = ZERO
    for seat in range(rules.seats):
        dummy = rules.dummy and seat == DUMMY
        hands[0, seat] = state.front[seat] if dummy else state.front[seat] | state.back[seat]
        total |= state.front[seat] | state.back[seat]
    for k in range(plies):
        if memory.draws[k] != NONE:
            total |= single(memory.draws[k])
    if rules.virage:
        total |= single(state.virage)
    if rules.nazare:
        for cell in range(first + 1):
            memory.wave[cell] = state.wave[cell]
    memory.wave[first] = state.top
    frames[0, SEAT] = state.acting
    frames[0, TURNED] = state.turned
    frames[0, VIRAGE] = state.virage
    frames[0, SHOWN] = 0
    key = np.zeros(8, np.uint64)
    nodes = 0
    attempt = 0
    budget = min(memory.knob[7], limit)
    opening = choosable(state, rules) & fitting(state, rules)
    may_swap = rules.virage and not state.asked
    wave = memory.wave
    gone = memory.gone
    gone[0, 0] = total
    while True:
        ply = 0
        frames[0, LEFT] = _list(rules, memory, 0, opening, may_swap, total, attempt)
        stop = nodes + budget
        while ply >= 0:
            n = frames[ply, LEFT]
            if n == 0:
                # all dead
                if ply > 0:
                    slot = _slot_of(rules, memory, ply, first, key)
                    _note_dead(memory, slot, key, gone[ply, 1], ply, U8(nodes - memory.chosen[ply]))
                ply -= 1
                continue
            if nodes >= stop:
                break
            nodes += 1
            # the best-rated
            moves = memory.moves[ply]
            best = 0
            for i in range(1, n):
                if moves[i] > moves[best]:
                    best = i
            move = moves[best]
            moves[best] = moves[n - 1]
            moves[n - 1] = move
            frames[ply, LEFT] = n - 1
            card = U8(move & 255)
            swapped = (move >> 8) & 255
            # child
            seat = frames[ply, SEAT]
            child = ply + 1
            for other in range(MAX_SEATS):
                hands[child, other] = hands[ply, other]
            mine = hands[ply, seat] & ~single(card)
            virage = frames[ply, VIRAGE]
            if swapped != NONE:
                mine = (mine & ~single(swapped)) | single(virage)
                virage = swapped
            drawn = memory.draws[ply]
            shown = frames[ply, SHOWN]
            if drawn != NONE:
                mine |= single(drawn)
            elif rules.dummy and seat == DUMMY and shown < down:
                mine |= single(memory.shown[shown])
                shown += 1
            hands[child, seat] = mine
            wave[first + child] = card
            turned = U8(frames[ply, TURNED]) ^ ((rules.reverse >> card) & ONE)
            rest = gone[ply, 0] & ~single(card)
            gone[child, 0] = rest
            if child == plies:
                if rules.virage and rules.must_fit:
                    if not has(_fits(rules, memory, first, child), virage):
                        continue
                length = _write_line(state, rules, memory, plies, line)
                return WINNABLE, length, nodes
            after = rules.next[turned, seat]
            while hands[child, after] == ZERO:
                after = rules.next[turned, after]
            fits = hands[child, after] & _fits(rules, memory, first, child)
            if fits == ZERO:
                continue
            frames[child, SEAT] = after
            strict = memory.knob[9] > 0 and plies - child >= memory.knob[9]
            if not rules.nazare and _hopeless(rules, memory, child, card, rest, strict):
                continue
            frames[child, TURNED] = turned
            frames[child, VIRAGE] = virage
            frames[child, SHOWN] = shown
            slot = _slot_of(rules, memory, child, first, key)
            dead = _known_dead(memory, slot, key)
            fits_left = fits & ~dead
            if fits_left == ZERO:
                continue
            gone[child, 1] = fits
            memory.chosen[child] = nodes
            swaps = rules.virage and (rules.dummy_swaps or not (rules.dummy and after == DUMMY)) and count(hands[child, after]) > ONE
            frames[child, LEFT] = _list(rules, memory, child, fits_left, swaps, rest, attempt)
            ply = child
        if ply < 0:
            return UNWINNABLE, 0, nodes
        if nodes >= limit:
            return UNRESOLVED, 0, nodes
        attempt += 1
        budget = min(budget * 2 if attempt % 4 == 0 else budget, limit - nodes)


@rare
def _write_line(state: Any, rules: Any, memory: Any, plies: Any, line: Any) -> Any:
    """The chosen turns as action codes."""
    slots = np.zeros(MAX_CARDS, np.int64)
    back = ZERO
    for seat in range(rules.seats):
        if not (rules.dummy and seat == DUMMY):
            back |= state.back[seat]
            cards = state.front[seat] | state.back[seat]
            while cards != ZERO:
                slots[lowest(cards)] = state.slot[lowest(cards)]
                cards = without_lowest(cards)
    n = 0
    for ply in range(plies):
        move = memory.moves[ply, memory.frames[ply, LEFT]]
        card = move & 255
        swapped = (move >> 8) & 255
        seat = memory.frames[ply, SEAT]
        dummy = rules.dummy and seat == DUMMY
        offered = rules.virage and (rules.dummy_swaps or not dummy) and count(memory.hands[ply, seat]) > ONE
        if ply == 0 and state.asked:
            offered = False
        if offered:
            if swapped == NONE:
                line[n] = NO_SWAP
            else:
                line[n] = SWAP + (BACK + slots[swapped] if has(back, swapped) else swapped)
                taken = memory.frames[ply, VIRAGE]
                slots[taken] = slots[swapped]
                back &= ~(single(swapped) | single(taken))
            n += 1
        line[n] = BACK + slots[card] if has(back, card) else card
        n += 1
        drawn = memory.draws[ply]
        if drawn != NONE and not dummy:
            slots[drawn] = slots[card]
            back = back & ~single(drawn) if has(back, card) else back | single(drawn)
    return n
