"""SEA CHANGE: what a seat sees of a state, and the worlds that it imagines."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, lowest, nth, single, without_lowest
from houle.solver.cards.counting import Groups, split
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.cards.write_numbers import ahead, put
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Flag, Key, Number, Numbers, Rules, Seat, State, Stream
from houle.solver.games.sea_change import rules as game
from houle.solver.games.sea_change.rules import MAX_CARDS, MAX_COLOURS, MAX_SEATS
from houle.solver.interface import seen as table

# ---- What a seat sees
#
# Players remember every card played. Of another hand they know how many cards it holds and which colours its owner
# could not follow; with two players, how many of its cards cannot be of a colour.


MOST_ROUNDS, MOST_CHANGES = 60_000, 255


def _deck(rules: Rules) -> Number:
    return np.int64(rules.colours) * game.MAX_VALUES


def _trick(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for i in range(np.int64(state.laid)):
        put(out, at + i, np.int64(state.trick[i]) + 1)


def _in_hand(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return count(state.hand[who, 0]) + count(state.hand[who, 1])


def _barred(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for colour in range(np.int64(rules.colours)):
        put(out, at + colour, state.barred[who, colour])


def _below_target(rules: Rules) -> Number:
    return rules.target - 1


SEEN = table.seen(
    table.seat_number("to move", "mover"),
    table.number("rounds", line="round", first=1, most=MOST_ROUNDS, fact="round"),
    table.seat_number("leader", fact="leads", when=lambda rules: rules.solo == 0),
    table.seat_number("first leader", "starter", line="first leader"),
    table.mark("led", "led", game.NO_COLOUR),
    table.mark("trump", "trump", game.NO_COLOUR, said=game.COLOURS, line="trump"),
    table.mark("value", "value", game.MAX_VALUES),
    table.number("sea changes", "changes", line="sea changes", most=MOST_CHANGES),
    table.number("sea changes before", "all_changes"),
    table.row("trick", _trick, "in_trick", line="trick"),
    table.number("tricks left"),
    table.number("cards played", "moves"),
    table.flag("round ended", "ended"),
    table.each_seat(
        table.cards("hand", "hand", _deck, words=2, line="hand", others=table.count("hand", _in_hand, line="hand")),
        table.number("cards", _in_hand, fact="cards"),
        table.number("side", lambda state, rules, seat, who: ahead(rules.side[who], rules.side[seat], rules.sides)),
        table.cards("void", "void", "colours", said=game.COLOURS, line="void", optional=True),
        table.numbers("not of colour", _barred, "colours", when="stock"),
    ),
    table.each_side(
        table.cards("captured", "captured", _deck, words=2, line="captured"),
        table.number("victory points", "vp", line="victory points", most=_below_target, fact="victory points"),
        table.number("points", fact="points"),
        table.number("last points", "scores"),
        table.flag("won last", lambda state, rules, seat, who: (state.won >> who) & 1),
    ),
    table.number("pile", "pile_left", line="pile"),
)


@kernel
def unlocated(state: State, rules: Rules, seat: Seat, unseen: Any) -> None:
    """Writes, by word, the cards whose location `seat` does not know: in the other hands and in the pile."""
    for word in range(2):
        unseen[word] = ZERO
        for holder in range(rules.seats):
            unseen[word] |= state.hand[holder, word] if holder != seat else ZERO
    for i in range(count_in_use(state)):
        card = U8(card_at(state, i))
        if card != U8(GAP):
            unseen[card >> game.WORD] |= single(card & game.IN_WORD)


# ---- Samples random worlds from what a seat cannot see
#
# What is known of a hand limits how many cards of each colour it may hold (cards/counting.py); which cards is open.
# Hands that lack the same colours form a group.
#
# With two players a hand draws, so a colour its owner could not follow may come back among cards drawn since then.


GROUPS = 1 << MAX_COLOURS  # one group of hands per set of colours that they lack
SEPARATE = U8(9)  # keeps the numbers drawn here apart from those that the world's own streams draw later


@outlined
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one.

    Hands about which the same is known are filled together: first how many cards of each colour such a group gets, then
    which cards, then to which hand. Hands that may hold anything are the last group, and the rest is the pile.
    """
    start_world(state, key)
    stream = derive(key, SEPARATE)
    unseen = local_empty(2, np.uint64)
    unlocated(state, rules, seat, unseen)
    left = local_zeros(MAX_COLOURS, np.int64)
    for colour in range(rules.colours):
        left[colour] = np.int64(count(unseen[colour >> 2] & rules.of_colour[colour, colour >> 2]))
    hands = local_zeros(MAX_SEATS, np.int64)
    group = local_zeros(MAX_SEATS, np.int64)
    sizes = local_zeros(GROUPS, np.int64)
    for holder in range(rules.seats):
        if holder != seat:
            hands[holder] = np.int64(count(state.hand[holder, 0]) + count(state.hand[holder, 1]))
            group[holder] = group_of(state, rules, holder, left)
            sizes[group[holder]] += hands[holder]
            state.hand[holder, 0] = state.hand[holder, 1] = ZERO
    shares = local_zeros((GROUPS, MAX_COLOURS), np.int64)
    cards = local_empty(2, np.uint64)
    hidden = 0 if seat != 0 else 1
    stream, exact = _share_out(rules, state.barred[hidden], left, sizes, shares, stream)
    for this in range(GROUPS - 1, -1, -1):
        if sizes[this] > 0 or this == 0:
            stream = _choose(rules, shares[this], unseen, cards, stream)
            stream = _hand_out(state, rules, cards if this > 0 else unseen, hands, group, this, stream)
    return exact


@kernel
def group_of(state: State, rules: Rules, holder: Seat, left: Any) -> Any:
    """The group of a hand: the colours it is known to lack, one bit each. Group 0 may hold any unseen card.

    A hand that draws lacks no colour for sure. It is in group 1 if some of its cards cannot be of some colour.
    """
    group = np.int64(0)
    for colour in range(rules.colours):
        if rules.stock:
            group |= np.int64(state.barred[holder, colour] > 0)
        elif left[colour] > 0:
            group |= np.int64(state.void[holder]) & np.int64(1 << colour)
    return group


@outlined
def _share_out(rules: Rules, barred: Any, left: Any, sizes: Any, shares: Numbers, stream: Stream) -> Any:
    """Writes the shares of every group except group 0; returns the stream and whether it succeeded.

    left: unseen cards per colour; sizes: cards per group; barred: of the one hidden hand, with two players.
    """
    who = local_zeros(MAX_SEATS, np.int64)
    room = local_zeros((MAX_SEATS, MAX_COLOURS), np.int64)
    size = local_zeros(MAX_SEATS, np.int64)
    groups = np.int64(0)
    for group in range(GROUPS - 1, 0, -1):
        if sizes[group] > 0:
            who[groups] = group
            groups += 1
    # The most restricted group comes first, because the later groups then depend least on the earlier ones.
    for k in range(1, groups):
        group, place = who[k], k
        while place > 0 and _open(rules, left, who[place - 1]) > _open(rules, left, group):
            who[place] = who[place - 1]
            place -= 1
        who[place] = group
    for k in range(groups):
        size[k] = sizes[who[k]]
        for colour in range(rules.colours):
            room[k, colour] = left[colour] if rules.stock or (who[k] >> colour) & 1 == 0 else 0
    share = local_zeros((MAX_SEATS, MAX_COLOURS), np.int64)
    late = barred[: rules.colours if rules.stock and groups > 0 else 0]
    stream, done = split(Groups(groups, np.int64(rules.colours), left, size, room, late), share, stream)
    for k in range(groups):
        for colour in range(rules.colours):
            shares[who[k], colour] = share[k, colour]
    return stream, done


@kernel
def _open(rules: Rules, left: Any, group: Any) -> Any:
    """How many unseen cards the hands of a group may hold."""
    number = 0
    for colour in range(rules.colours):
        number += left[colour] if (group >> colour) & 1 == 0 else 0
    return number


@kernel
def _choose(rules: Rules, share: Any, unseen: Any, cards: Any, stream: Stream) -> Any:
    """Moves a share of each colour, at random, from the unseen cards to `cards`."""
    cards[0] = cards[1] = ZERO
    for colour in range(rules.colours):
        word = colour >> 2
        for _ in range(share[colour]):
            left = unseen[word] & rules.of_colour[colour, word]
            stream = advance(stream)
            card = single(nth(left, below(stream, count(left))))
            unseen[word] &= ~card
            cards[word] |= card
    return stream


@kernel
def _hand_out(state: State, rules: Rules, cards: Any, hands: Any, group: Any, this: Any, stream: Stream) -> Any:
    """Deals cards at random to the hands of a group; what is left after the last group is the pile."""
    pool = local_empty(MAX_CARDS, np.uint8)
    n = ZERO
    for word in range(2):
        rest = cards[word]
        while rest != ZERO:
            pool[n] = lowest(rest) | U8(word) << game.WORD
            rest = without_lowest(rest)
            n += ONE
    for holder in range(rules.seats):
        if group[holder] == this:
            for _ in range(hands[holder]):
                stream = advance(stream)
                i = below(stream, n)
                n -= ONE
                card = U8(pool[i])
                pool[i] = pool[n]
                state.hand[holder, card >> game.WORD] |= single(card & game.IN_WORD)
    if this == 0:
        state.gaps = state.added = state.stacked = 0
        for i in range(state.pile_left):
            state.pile[i] = pool[i]
    return stream
