"""WAVE: what a seat sees of a state, and the worlds that it imagines."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.cards.piles import add_card, card_at, count_in_use, count_places
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.cards.write_numbers import mark_cards
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.types import (
    Action,
    Card,
    Cards,
    Flag,
    Key,
    Label,
    Number,
    Numbers,
    Rules,
    Seat,
    State,
    Stream,
)
from houle.solver.games.wave import rules as game
from houle.solver.games.wave.rules import MAX_CARDS, MAX_HAND, MAX_SEATS
from houle.solver.interface.seen import cards, choice, each_seat, mark, number, numbers, row, seat_number, seen

# ---- What a seat sees
#
# A card of a hand is known by its place in it. What the others could conclude about a place is known to all, the
# signals too. The first kernels say which cards of a hand a seat does not see.


@kernel
def unseen(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards in the holder's hand that `seat` does not know."""
    if rules.dummy and holder == game.DUMMY:
        return state.back[holder]
    if rules.talk == game.OPEN:
        return ZERO
    if holder == seat:
        return state.back[holder] & ~state.public if rules.talk < game.KNOWN else ZERO
    return state.front[holder] & ~state.public


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know: in hands, face down in the wave, in the pile."""
    cards = state.sunk & ~sunk_known(state, rules, seat)
    for holder in range(rules.seats):
        cards |= unseen(state, rules, holder, seat)
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card < game.INVERT_COLOURS else ZERO
    return cards


@kernel
def sunk_known(state: State, rules: Rules, seat: Seat) -> Any:
    return state.sunk if rules.talk == game.OPEN else state.sunk_known[seat]


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken: the card, or only the slot if it goes face down unseen.

    Players choose their own back cards by slot, before anyone shows them.
    """
    if action == game.NO_SWAP or action >= game.POINT:
        return U8(2048) + U8(action)
    acting = state.acting
    own = state.mover == seat
    card = game.named(state, action)
    if own or (game.HIDE <= action < game.SWAP and has(unseen(state, rules, acting, seat), card)):
        return U8(512) + U8(action) if own else U8(1024) + U8(state.slot[card])
    return U8(action & ~(game.HIDE - 1)) + U8(card)


DIRECTIONS = ("clockwise", "anticlockwise")
ORDERS = ("colours", "numbers")


def _largest_hand(rules: Rules) -> Number:
    return max(rules.places[0], rules.places[game.DUMMY])


def _signal(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    """1 + the code of a card; 0: not given, -1: no card."""
    code = np.int64(state.signals[who])
    return np.int64(0) if code == game.NONE else np.int64(-1) if code == game.AT_NONE else code + 1


def _wave(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """1 + the card of each cell; -1 for a face-down card."""
    for cell in range(np.int64(state.laid) + 1):
        card = np.int64(state.cells[cell])
        out[at + cell] = -1 if card == game.FACEDOWN else card + 1


def _seen_face_down(state: State, rules: Rules, seat: Seat, who: Seat) -> Cards:
    return sunk_known(state, rules, seat) & sunk_known(state, rules, who) & state.sunk


@kernel
def _inversions(state: State, rules: Rules, first: Card, last: Card) -> Number:
    """How many inversion cards of these sorts are in the pile; they are among its added cards."""
    found = np.int64(0)
    if rules.tide_colours or rules.tide_numbers:
        for i in range(count_places(state), count_in_use(state)):
            found += 1 if first <= card_at(state, i) <= last else 0
    return found


def _pile(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(state.pile_left) - _inversions(state, rules, game.INVERT_COLOURS, game.INVERT_NUMBERS)


def _places(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """1 + the card in each place of a hand; 0: no card, -1: an unseen card."""
    hidden = unseen(state, rules, who, seat)
    for place in range(np.int64(rules.places[who])):
        card = U8(state.held[who, place])
        if card != U8(game.NONE):
            out[at + place] = -1 if has(hidden, card) else np.int64(card) + 1


def _may_be(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For each place of a hand the cards that it may hold for those who do not see it."""
    width = np.int64(rules.width)
    for place in range(np.int64(rules.places[who])):
        if state.held[who, place] != game.NONE:
            mark_cards(out, at + place * width, state.may[who, place] & rules.cards, width)


def _with_tide(rules: Rules) -> Flag:
    return rules.tide_colours or rules.tide_numbers


SEEN = seen(
    seat_number("to move", "mover"),
    seat_number("turn", "acting"),
    seat_number("last surfer", "surfer", line="last surfer", when="dummy"),
    each_seat(number("signal", _signal), when="signals"),
    row("wave", _wave, "deck_size", line="wave", when="nazare"),
    each_seat(cards("seen face down", _seen_face_down, "width"), when="nazare"),
    number("cards face down", "facedown", when="nazare"),
    number("cards laid", "laid"),
    mark("top", "top", "width"),
    cards("laid", "seen", "width"),
    number("pile", _pile, line="pile", fact="pile"),
    choice("direction", DIRECTIONS, "turned", line="direction", fact="play goes"),
    cards("inverted", "order", len(ORDERS), when=_with_tide),
    number(
        "inversions of colours",
        lambda state, rules, seat, who: _inversions(state, rules, game.INVERT_COLOURS, game.INVERT_COLOURS),
        fact="inversions of colours left",
        when="tide_colours",
    ),
    number(
        "inversions of numbers",
        lambda state, rules, seat, who: _inversions(state, rules, game.INVERT_NUMBERS, game.INVERT_NUMBERS),
        fact="inversions of numbers left",
        when="tide_numbers",
    ),
    mark("virage", "virage", "width", line="virage", when="virage"),
    choice("swap", ("open", "closed"), "asked", line="swap", when="virage"),
    mark("taken", "taken", "width", line="taken", optional=True, when="virage"),
    cards("known to all", "public", "width", line="known to all", optional=True, when="virage"),
    each_seat(
        cards("front", lambda state, rules, seat, who: state.front[who] & ~unseen(state, rules, who, seat), "width"),
        cards("back", lambda state, rules, seat, who: state.back[who] & ~unseen(state, rules, who, seat), "width"),
        numbers("places", _places, _largest_hand),
        cards("back places", lambda state, rules, seat, who: game.slots_of(state, state.back[who]), _largest_hand),
    ),
    each_seat(
        numbers(
            "may be", _may_be, lambda rules: max(rules.places[0], rules.places[game.DUMMY]) * np.int64(rules.width)
        ),
        when="tracks",
    ),
)


# ---- Samples random worlds from what a surfer cannot see


MAX_TRIES = 10_000
WHOLE = game.STATE.itemsize


@kernel
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one."""
    start_world(state, key)
    stream = derive(key, U8(9))
    for _ in range(MAX_TRIES):
        dealt, stream = _deal_hidden(state, rules, seat, stream)
        if not dealt or seat == state.mover or not _stuck(state, rules):
            return dealt
    return False


@kernel
def in_use(state: State, rules: Rules) -> Number:
    return WHOLE if rules.tracks else game.WITHOUT_MAY


@outlined
def recall(past: State, rules: Rules, seat: Seat, now: State, world: State) -> Flag:
    """Makes `past` what it was if the imagined world is the real one.

    A card that the seat could not see then is known by now, or it still lies in its slot and the world says what it
    is. The seat knows which, because it sees when a slot is emptied. Nobody knows which unseen card went face down
    where, so a decision of a player who still held such a card says nothing.
    """
    hidden = unlocated(now, rules, seat)
    signal = game.is_signal(past)
    depends, decisive = False, True
    for holder in range(rules.seats):
        old = unseen(past, rules, holder, seat) & hidden
        # A signal depends on the adviser's front cards and on the back cards of others, such as the reader's own.
        depends |= old != ZERO and (not signal or seat == holder or past.mover == holder)
        decisive &= old & now.sunk == ZERO
        _put_back(past, rules, seat, holder, old, now, world)
    if past.asked:
        past.playable = game.choosable(past, rules) & game.fitting(past, rules)
    return depends and decisive


@kernel
def _put_back(past: State, rules: Rules, seat: Seat, holder: Seat, old: Any, now: State, world: State) -> None:
    """Puts the world's cards into the slots that hold these cards of a hand."""
    new = ZERO
    dummy = rules.dummy and holder == game.DUMMY
    for slot in range(rules.up + rules.down if dummy else rules.front + rules.back):
        card = U8(past.held[holder, slot])
        if card == game.NONE or not has(old, card):
            continue
        if has(now.sunk, card):
            known = sunk_known(now, rules, seat)
            card = nth(world.sunk & ~known, count(now.sunk & ~known & (single(card) - ONE)))
        else:
            card = U8(world.held[holder, slot])
        past.held[holder, slot] = card
        past.slot[card] = slot
        new |= single(card)
    if past.front[holder] & old != ZERO:
        past.front[holder] = (past.front[holder] & ~old) | new
    else:
        past.back[holder] = (past.back[holder] & ~old) | new


@kernel
def _stuck(state: State, rules: Rules) -> Flag:
    """Whether the player to move has no playable card. The game would then be over, which the others would know."""
    return state.mover >= 0 and state.asked and not rules.nazare and state.playable == ZERO


@kernel
def _deal_hidden(state: State, rules: Rules, seat: Seat, stream: Stream) -> tuple[Flag, Stream]:
    """Redeals what the seat does not see; returns whether that succeeded, and the stream after it.

    Slots with fewer candidates than all hidden cards choose first, each among its candidates. If two choose the same
    card, all start again: this is uniform over the consistent deals. The remaining cards go anywhere.
    """
    hidden = unlocated(state, rules, seat)
    taken = ZERO
    chosen = local_empty((MAX_SEATS, MAX_HAND), np.uint8)
    exact = not rules.tracks
    for _ in range(MAX_TRIES if rules.tracks else 0):
        taken = ZERO
        exact = True
        for holder in range(rules.seats):
            slots = game.slots_of(state, unseen(state, rules, holder, seat))
            while slots != ZERO and exact:
                slot = lowest(slots)
                slots = without_lowest(slots)
                candidates = state.may[holder, slot] & hidden
                if candidates == hidden:
                    chosen[holder, slot] = game.NONE
                    continue
                stream = advance(stream)
                card = nth(candidates, below(stream, count(candidates)))
                exact = not has(taken, card)
                taken |= single(card)
                chosen[holder, slot] = card
        if exact:
            break
    if not exact:
        return False, stream
    return True, _fill(state, rules, seat, hidden & ~taken, chosen, stream)


@kernel
def _fill(state: State, rules: Rules, seat: Seat, rest: Any, chosen: Any, stream: Stream) -> Stream:
    """Fills hidden slots with their chosen card or a random one of the rest; what is left is the pile."""
    pool = local_empty(MAX_CARDS, np.uint8)
    left = 0
    while rest != ZERO:
        pool[left] = lowest(rest)
        rest = without_lowest(rest)
        left += 1
    # All slots are noted first, because dealing cards overwrites the slots of the others.
    slots = local_empty((MAX_SEATS, MAX_HAND), np.uint8)
    old = local_empty(MAX_SEATS, np.uint64)
    for holder in range(rules.seats):
        old[holder] = unseen(state, rules, holder, seat)
        places = game.slots_of(state, old[holder])
        for i in range(count(places)):
            slots[holder, i] = lowest(places)
            places = without_lowest(places)
    for holder in range(rules.seats):
        new = ZERO
        for i in range(count(old[holder])):
            slot = slots[holder, i]
            card = chosen[holder, slot] if rules.tracks else np.uint8(game.NONE)
            if card == game.NONE:
                stream = advance(stream)
                j = below(stream, left)
                card = pool[j]
                left -= 1
                pool[j] = pool[left]
            state.held[holder, slot] = card
            state.slot[card] = slot
            new |= single(card)
        if state.front[holder] & old[holder] != ZERO:
            state.front[holder] = (state.front[holder] & ~old[holder]) | new
        else:
            state.back[holder] = (state.back[holder] & ~old[holder]) | new
    known = sunk_known(state, rules, seat)
    lost = count(state.sunk & ~known)
    state.sunk = known
    for _ in range(lost):
        stream = advance(stream)
        j = below(stream, left)
        state.sunk |= single(pool[j])
        left -= 1
        pool[j] = pool[left]
    _fill_pile(state, pool, left)
    if state.asked and state.mover >= 0:
        state.playable = game.choosable(state, rules) & game.fitting(state, rules)
    return stream


@kernel
def _fill_pile(state: State, pool: Any, left: Number) -> None:
    """A pile of the first `left` cards of the pool and the inversion cards that are still in it."""
    colours = numbers = 0
    for i in range(count_places(state), count_in_use(state)):
        colours += 1 if card_at(state, i) == game.INVERT_COLOURS else 0
        numbers += 1 if card_at(state, i) == game.INVERT_NUMBERS else 0
    for i in range(left):
        state.pile[i] = pool[i]
    state.pile_left = left
    state.gaps = state.added = state.stacked = 0
    for _ in range(colours):
        add_card(state, game.INVERT_COLOURS)
    for _ in range(numbers):
        add_card(state, game.INVERT_NUMBERS)
