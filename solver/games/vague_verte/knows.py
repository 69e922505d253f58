"""VAGUE VERTE: what a seat sees of a state, and the worlds that it imagines."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.cards.write_numbers import mark_cards, put
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Action, Card, Cards, Flag, Key, Label, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_verte.rules import DRAW_STOCK, LIT, MAX_CARDS, MAX_ROAD, NONE, RING
from houle.solver.interface import seen as table

# ---- What a seat sees
#
# Equal cards are counted in the place of the first of them; copies of a card have numbers next to each other. Players
# remember at which reshuffle everyone last saw a card. With forced play, a player who lays a card on the pile shows
# that no card of the hand could be played.


@kernel
def _stock(state: State) -> Any:
    cards = ZERO
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card != GAP else ZERO
    return cards


@kernel
def hidden_in_hand(state: State, holder: Seat, seat: Seat) -> Any:
    """The cards of a hand that `seat` does not see and has not seen taken."""
    return ZERO if holder == seat else state.hand[holder] & ~state.shown[holder]


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know."""
    cards = _stock(state)
    for holder in range(rules.seats):
        cards |= hidden_in_hand(state, holder, seat)
    return cards


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action: where a card is taken or laid, and the face of a card that is laid."""
    return kind(state, rules, action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Equal cards on the same target are the same action."""
    code = U8(action)
    return code if action >= DRAW_STOCK else code & ~RING | U8(rules.face[code & RING])


MOST_MISSED, MOST_RESHUFFLES = 99, 2**16 - 1
ROWS, FIRST_ROW = [str(1 + i) for i in range(MAX_ROAD)], U8(LIT + 1)


def _drawn(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """The card drawn this turn, if `seat` sees it."""
    if state.drawn != NONE and not has(hidden_in_hand(state, state.seat, seat), state.drawn):
        out[at] = np.int64(rules.face[state.drawn]) + 1


@kernel
def _in_pile(state: State, rules: Rules, i: Number) -> Card:
    """The i-th card of the face-up pile, from below."""
    return rules.face[state.faceup[(U8(state.bottom) + U8(i)) & RING]]


def _top(state: State, rules: Rules, seat: Seat, who: Seat) -> Card:
    return _in_pile(state, rules, np.int64(state.faceup_left) - 1) if state.faceup_left > 0 else NONE


def _pile(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for i in range(np.int64(state.faceup_left)):
        out[at + i] = np.int64(_in_pile(state, rules, i)) + 1


def _last(state: State, rules: Rules, seat: Seat, who: Seat) -> Card:
    return rules.face[state.last[who]] if state.last[who] != NONE else NONE


def _road(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for square in range(np.int64(state.filled[who])):
        out[at + square] = np.int64(rules.face[state.road[who, square]]) + 1


@kernel
def _count_faces(rules: Rules, some: Cards, out: Numbers, at: Number) -> None:
    while some != ZERO:
        out[at + np.int64(rules.face[lowest(some)])] += 1
        some = without_lowest(some)


def _hand(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    _count_faces(rules, state.hand[who] & ~hidden_in_hand(state, who, seat), out, at)


def _shown(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """The cards of the own hand that the others saw taken."""
    _count_faces(rules, state.hand[seat] & state.shown[seat], out, at)


@outlined
def _ages(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For every hidden card 1 + the reshuffle at which all last saw it, rising among copies of a card."""
    left = unlocated(state, rules, seat)
    while left != ZERO:
        card = lowest(left)
        left = without_lowest(left)
        age, place = np.int64(state.last_seen[card]) + 1, at + np.int64(rules.face[card])
        while out[place] != 0 and out[place] <= age:
            place += 1
        while age != 0:  # moves the later ones on
            later = np.int64(out[place])
            out[place] = age
            age = later
            place += 1


@kernel
def _is_before(state: State, card: Card, other: Card) -> Flag:
    if state.last_seen[card] != state.last_seen[other]:
        return state.last_seen[card] < state.last_seen[other]
    return state.not_in[card] < state.not_in[other]


@outlined
def _hidden(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For every hidden card of a hand 1 + the reshuffle at which all last saw it, and with forced play what it is not.

    They are listed by what is known of them, so the order does not tell what they are.
    """
    listed, left, n = local_empty(MAX_CARDS, np.uint64), hidden_in_hand(state, who, seat), 0
    while left != ZERO:
        card = lowest(left)
        left = without_lowest(left)
        i = n
        while i > 0 and _is_before(state, card, listed[i - 1]):
            listed[i] = listed[i - 1]
            i -= 1
        listed[i] = card
        n += 1
    for i in range(min(np.int64(n), np.int64(rules.hand) + 1)):
        at = put(out, at, np.int64(state.last_seen[listed[i]]) + 1)
        if rules.forced_play:
            at = mark_cards(out, at, state.not_in[listed[i]], np.int64(rules.deck_size))


def _about_hidden(rules: Rules) -> Number:
    """A hand holds one card more after a draw."""
    return (np.int64(rules.hand) + 1) * (1 + np.int64(rules.deck_size) * np.int64(rules.forced_play))


SEEN = table.seen(
    table.seat_number("to move", "mover"),
    table.seat_number("active", "seat"),
    table.choice("step", ("draw", "play"), "stage", line="step"),
    table.number("turns", line="turn", first=1, most="max_turns", fact="turn"),
    table.number("plays"),
    table.number("discards"),
    table.seat_number(
        "winner", lambda state, rules, seat, who: np.int64(-1) if state.winner == NONE else np.int64(state.winner)
    ),
    table.row("drawn", _drawn, 1, line="drawn", optional=True),
    table.number("stock", "pile_left", line="stock", most=MAX_CARDS),
    table.mark("top of the face-up pile", _top, "deck_size"),
    table.row("face-up pile", _pile, "deck_size", line="face-up"),
    table.cards(
        "red lights", lambda state, rules, seat, who: state.targets >> FIRST_ROW, "road", said=ROWS, line="red lights"
    ),
    table.numbers("shown", _shown, "deck_size"),
    table.each_seat(
        table.row("road", _road, "road"),
        table.mark("last card", _last, "deck_size"),
        table.number("squares", "filled", fact="squares"),
        table.number("misses", "missed", line="misses", most=MOST_MISSED, optional=True),
        table.numbers("hand", _hand, "deck_size"),
        table.number("cards", lambda state, rules, seat, who: count(state.hand[who]), fact="cards"),
    ),
    table.each_other(table.numbers("hidden in hand", _hidden, _about_hidden)),
    table.number("reshuffles", line="reshuffles", most=MOST_RESHUFFLES, optional=True),
    table.numbers("hidden cards", _ages, "deck_size"),
)


# ---- Samples random worlds from what a seat cannot see


MAX_TRIES = 10_000


@kernel
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one.

    Every hidden place of a hand takes one of its candidates; places with few candidates come first. A place draws among
    as many numbers as it could have candidates left at most. A number beyond those it really has starts all over again,
    which makes every consistent world equally likely.
    """
    start_world(state, key)
    stream = derive(key, U8(9))
    places = local_zeros(MAX_CARDS, np.uint8)
    candidates = local_zeros(MAX_CARDS, np.uint64)
    offered = local_zeros(MAX_CARDS, np.uint64)
    chosen = local_zeros(MAX_CARDS, np.uint8)
    hidden = unlocated(state, rules, seat)
    number = _list_places(state, rules, seat, hidden, places, candidates, offered)
    for i in range(number):
        offered[i] = count(candidates[i])
        for earlier in range(i):
            if candidates[earlier] & ~candidates[i] == ZERO:
                offered[i] -= ONE
    for _ in range(MAX_TRIES):
        taken, exact = ZERO, True
        for i in range(number):
            stream = advance(stream)
            free = candidates[i] & ~taken
            n = below(stream, offered[i])
            if n >= count(free):
                exact = False
                break
            chosen[i] = nth(free, n)
            taken |= single(chosen[i])
        if exact:
            _rearrange(state, rules, seat, hidden & ~taken, number, places, chosen)
            return True
    return False


@kernel
def _list_places(state: State, rules: Rules, seat: Seat, hidden: Any, places: Any, candidates: Any, ranks: Any) -> Any:
    """Lists the hidden places of hands (named by the card that is there) and their candidates, fewest first.

    Places of equal rank are the same to `seat`, so the order does not depend on what it cannot see.
    """
    number = 0
    while hidden != ZERO:
        age = _same_age(state, hidden)
        hidden &= ~age
        for holder in range(rules.seats):
            cards = hidden_in_hand(state, holder, seat) & age
            while cards != ZERO:
                card = lowest(cards)
                cards = without_lowest(cards)
                may = age & ~state.not_in[card]
                rank = derive(
                    derive(derive(U8(holder), state.last_seen[card]), state.not_in[card]), card == state.drawn
                )
                rank = count(may) << U8(56) | rank >> U8(8)
                i = number
                while i > 0 and ranks[i - 1] > rank:
                    places[i], candidates[i], ranks[i] = places[i - 1], candidates[i - 1], ranks[i - 1]
                    i -= 1
                places[i], candidates[i], ranks[i] = card, may, rank
                number += 1
    return number


@kernel
def _rearrange(state: State, rules: Rules, seat: Seat, rest: Any, number: Any, places: Any, chosen: Any) -> None:
    """Puts the chosen cards into their places with what is known of the places; the rest becomes the stock."""
    becomes = local_zeros(MAX_CARDS, np.uint8)
    ruled_out = local_empty(MAX_CARDS, np.uint64)
    for i in range(number):
        ruled_out[i] = state.not_in[places[i]]
    for i in range(number):
        becomes[places[i]] = chosen[i]
        state.not_in[chosen[i]] = ruled_out[i]
    for holder in range(rules.seats):
        cards = hidden_in_hand(state, holder, seat)
        hand = state.hand[holder] & ~cards
        if holder == state.seat and state.drawn != NONE and has(cards, state.drawn):
            state.drawn = becomes[state.drawn]
        while cards != ZERO:
            hand |= single(becomes[lowest(cards)])
            cards = without_lowest(cards)
        state.hand[holder] = hand
    state.gaps = state.added = state.stacked = 0
    for i in range(state.pile_left):
        state.pile[i] = lowest(rest)
        state.not_in[lowest(rest)] = ZERO
        rest = without_lowest(rest)


@kernel
def _same_age(state: State, cards: Any) -> Any:
    """Those of the cards that were last seen at the same reshuffle as the lowest of them."""
    age, same = state.last_seen[lowest(cards)], ZERO
    while cards != ZERO:
        if state.last_seen[lowest(cards)] == age:
            same |= single(lowest(cards))
        cards = without_lowest(cards)
    return same
