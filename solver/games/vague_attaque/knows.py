"""VAGUE & ATTAQUE: what a seat sees of a state, and the worlds that it imagines."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.cards.write_numbers import ahead, mark_cards, put
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
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
from houle.solver.games.vague_attaque import state as game
from houle.solver.games.vague_attaque.deck import ARTEFACTS
from houle.solver.games.vague_attaque.effects import hand_size, shuffle
from houle.solver.games.vague_attaque.zones import clues_about
from houle.solver.interface import seen as table

# ---- What a seat sees
#
# Of a card in another hand that the seat has not seen, the back shows its pile, how many shuffles ago it entered it,
# and who has seen it. In teams everyone also knows what it cannot be and which clues are about it.


MAX_HIDDEN = 61


@kernel
def unseen(state: State, holder: Seat, seat: Seat) -> Any:
    """The souvenirs and places in the holder's hand whose faces `seat` does not know."""
    return ZERO if holder == seat else state.hand[holder] & ~(state.public | state.known[seat])


@kernel
def in_hands(state: State, rules: Rules, seat: Seat) -> Any:
    """The same in all hands."""
    cards = ZERO
    for holder in range(rules.seats):
        cards |= unseen(state, holder, seat)
    return cards


@kernel
def under_glass(state: State, seat: Seat) -> Any:
    """Whether someone else is looking at two souvenirs through the spyglass."""
    return state.phase == game.SPYGLASS and state.mover != seat


@kernel
def knowers(state: State, rules: Rules, card: Card) -> Any:
    """The seats that saw this card go from hand to hand, as a set."""
    seats = ZERO
    for seat in range(rules.seats):
        if has(state.known[seat], card):
            seats |= single(seat)
    return seats


@kernel
def mark_of(state: State, rules: Rules, card: Card) -> Any:
    """What the back of a card shows: pile, batch, who has seen it, what it cannot be, which clues are about it."""
    souvenir = card < U8(game.FIRST_PLACE)
    shown = derive(U8(state.batch[card]), ONE if souvenir else ZERO)
    shown = derive(shown, knowers(state, rules, card))
    if not souvenir:
        return shown
    shown = derive(shown, state.barred[card])
    return derive(shown, clues_about(state, card)) if state.clues > 0 else shown


@kernel
def list_backs(state: State, rules: Rules, hidden: Any, cards: Any, first: Number) -> Any:
    """Lists hidden cards of a hand from place `first` on; returns the place after them.

    They come in the order of their marks; cards with equal marks are the same to those who have not seen them.
    """
    marks = local_empty(MAX_HIDDEN, np.uint64)
    n = first
    while hidden != ZERO:
        card = lowest(hidden)
        shown = mark_of(state, rules, card)
        i = n
        while i > first and marks[i - 1] > shown:
            cards[i], marks[i] = cards[i - 1], marks[i - 1]
            i -= 1
        cards[i], marks[i] = card, shown
        hidden = without_lowest(hidden)
        n += 1
    return n


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken: all of it, except cards kept or given out of its sight."""
    verb = action >> game.VERB
    card = U8(action & 127)
    if state.mover == seat:
        return U8(action)
    if verb == game.V_KEEP:
        other = state.drawn[1] if U8(state.drawn[0]) == card else state.drawn[0]
        return U8(game.V_KEEP << game.VERB) + U8(other)
    elsewhere = seat != (state.mover + 1) % rules.seats
    if (
        verb == game.V_GIVE
        and elsewhere
        and card < U8(game.FIRST_ENCOUNTER)
        and has(unseen(state, state.mover, seat), card)
    ):
        # A spot that no action has, and the back of the card.
        return (
            U8(game.V_GIVE << game.VERB)
            + U8(game.SPOTS << game.SPOT)
            + (mark_of(state, rules, card) << U8(game.VERB + 8))
        )
    return U8(action)


_OF_HAND = ("swap", "lay place", "discard", "lose", "drop", "keep", "give", "retain")
ABOUT_HAND = U8(sum(1 << game.VERBS.index(verb) for verb in _OF_HAND))  # verbs about a card of the own hand


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Equal for cards of the hand that do the same, and for a souvenir on either of two empty copies of a place."""
    verb = action >> game.VERB
    card = U8(action & 127)
    spot = U8((action >> game.SPOT) & 31)
    if verb == game.V_DUEL and card >= U8(game.FIRST_PLACE):
        return U8(game.V_DUEL << game.VERB) + U8(game.FIRST_PLACE) + _first_bare(state, card - U8(game.FIRST_PLACE))
    if verb in (game.V_LAY, game.V_EXTRA):
        return U8(verb << game.VERB) + (_first_bare(state, spot) << U8(game.SPOT)) + U8(rules.twin[card])
    if has(ABOUT_HAND, verb):
        return U8(verb << game.VERB) + U8(rules.twin[card])
    return U8(action)


@kernel
def _first_bare(state: State, spot: Any) -> Any:
    """The lower of two copies of a place in one zone if both are empty, else the spot itself."""
    if spot == U8(game.SHIP):
        return spot
    other = spot ^ ONE
    same = state.owner[other] == state.owner[spot] and state.on[other] | state.on[spot] == ZERO
    return min(spot, other) if same else spot


STEPS = ("wait", "to the encounter", "to landing", "to tidying", "to the ship", "to the next turn")
MOST = 255
CARDS = game.SHIP_CARD  # souvenirs and places
DEALT = np.int64(3)  # cards of the first hand
BACK, CLUES, IS_NOT = 3, 3, 4  # numbers of a back; in teams: where its clues are, and from where on what it is not


def back_width(rules: Rules) -> Number:
    """How many numbers describe the back of a card."""
    return IS_NOT + game.FIRST_PLACE if rules.partner[0] != 0 else BACK


def hand_width(rules: Rules) -> Number:
    """The same for all hidden cards of a hand. Since the last turn of its player, the turn of every other player may
    have added a card, and in the present turn two are added."""
    most = DEALT
    for power in range(len(rules.limit)):
        most = max(most, np.int64(rules.limit[power]))
    return (most + np.int64(rules.seats) + 1) * (IS_NOT + game.FIRST_PLACE if rules.partner[0] != 0 else BACK)


_each, _all = kernel(back_width), kernel(hand_width)


@kernel
def _card(card: Number) -> Number:
    """1 + the number of a card; 0 for none."""
    return np.int64(0) if card == game.NONE else np.int64(card) + 1


@kernel
def _age(state: State, card: Number) -> Number:
    pile = game.SOUVENIRS if card < U8(game.FIRST_PLACE) else game.PLACES
    return np.int64(state.shuffles[pile]) - np.int64(state.batch[card])


@kernel
def _turned(who: Cards, seat: Seat, seats: Number) -> Cards:
    """A set of seats as seen from one of them."""
    return (who >> U8(seat)) | (who << U8(np.int64(seats) - np.int64(seat))) & (single(seats) - single(0))


def _open_card(name: str, field: str) -> table.Part:
    """A card that everyone sees, or none."""

    def put_card(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
        put(out, at, _card(state[field]))

    return table.row(name, put_card, 1, line=name, optional=True)


def _turned_up(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Cards that only others see are -1."""
    for i in range(2):
        put(out, at + i, -1 if state.drawn[i] != game.NONE and under_glass(state, seat) else _card(state.drawn[i]))


def _owners(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """0: nobody, 1: the seat that sees."""
    for spot in range(game.SPOTS):
        if state.owner[spot] != game.NONE:
            out[at + spot] = ahead(state.owner[spot], seat, rules.seats) + 1


def _spots(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Places count from 1, and 0 is none."""
    for spot in range(game.SPOTS):
        lying = state.on[spot]
        while lying != ZERO:
            out[at + np.int64(lowest(lying))] = spot + 1
            lying = without_lowest(lying)


@outlined
def _ages(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For each card that the seat has not seen, 1 + how many shuffles ago it last entered its pile."""
    cards = in_hands(state, rules, seat)
    for pile in (game.SOUVENIRS, game.PLACES):
        for i in range(state.left[pile]):
            cards |= single(state.pile[pile, i])
    if under_glass(state, seat):
        cards |= single(state.drawn[0]) | single(state.drawn[1])
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        put(out, at + np.int64(card), _age(state, card) + 1)


@outlined
def _backs(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Of each hidden card its pile (1: souvenirs, 2: places), age, and who has seen it, as bits from the seat that sees
    on; in teams which clues are about it, as bits, and what it cannot be."""
    hidden, backs = unseen(state, who, seat), local_empty(MAX_HIDDEN, np.uint8)
    n = list_backs(state, rules, hidden & game.ALL_SOUVENIRS, backs, 0)
    n = list_backs(state, rules, hidden & game.ALL_PLACES, backs, n)
    each = np.int64(_each(rules))
    for i in range(min(np.int64(n), _all(rules) // each)):
        card, place = U8(backs[i]), at + i * each
        souvenir = card < U8(game.FIRST_PLACE)
        out[place] = 1 if souvenir else 2
        put(out, place + 1, _age(state, card))
        out[place + 2] = np.int64(_turned(knowers(state, rules, card), seat, rules.seats))
        if souvenir and each > BACK:
            out[place + CLUES] = np.int64(clues_about(state, card))
            mark_cards(out, place + IS_NOT, state.barred[card], game.FIRST_PLACE)


def _in_pile(pile: int, name: str) -> list[table.Part]:
    """How many cards a pile has, how often it was shuffled, and its discard, the top first."""

    def discarded(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
        thrown = np.int64(state.thrown[pile])
        for i in range(thrown):
            out[at + i] = np.int64(state.discard[pile, thrown - 1 - i]) + 1

    return [
        table.number(f"{name} left", lambda state, rules, seat, who: state.left[pile]),
        table.row(f"{name} discarded", discarded, game.MAX_PILE),
        table.number(f"{name} shuffles", lambda state, rules, seat, who: state.shuffles[pile]),
    ]


@outlined
def _clues(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Of each clue some cards, then those that one of them is among. Backs say which clues are about hidden cards."""
    shown = ~in_hands(state, rules, seat)
    for clue in range(np.int64(state.clues)):
        place = at + clue * 2 * game.FIRST_PLACE
        mark_cards(out, place, state.clue_cards[clue] & shown, game.FIRST_PLACE)
        mark_cards(out, place + game.FIRST_PLACE, state.clue_fits[clue], game.FIRST_PLACE)


SEEN = table.seen(
    table.seat_number("to move", "mover"),
    table.seat_number("active", "seat"),
    table.number("winner", lambda state, rules, seat, who: ahead(state.winner, rules.side[seat], rules.sides)),
    table.mark("phase", "phase", len(game.PHASES), said=game.PHASES, line="phase"),
    table.mark("then", "then", len(STEPS), said=STEPS, line="then"),
    table.number("turns", line="turn", first=1, most="max_turns", fact="turn"),
    table.number("cards laid", "moves"),
    table.number("duels"),
    *[table.number(name, line=name, optional=True, most=MOST) for name in ("bonus", "laid", "lent", "thefts")],
    *[table.flag(name, line=name) for name in ("ship waits", "power used", "place laid", "refused")],
    _open_card("encounter", "pending"),
    _open_card("target", "target"),
    table.row("turned up", _turned_up, 2, line="turned up", optional=True),
    table.numbers("owner of each place", _owners, game.SPOTS),
    table.numbers("place under each souvenir", _spots, game.FIRST_PLACE),
    table.each_seat(
        table.choice(
            "artefact",
            [f"artefact {number}" for number in range(ARTEFACTS)],
            lambda state, rules, seat, who: np.int64(state.artefact[who]) - game.FIRST_ARTEFACT,
            line="artefact",
        ),
        table.cards("gold", "gold", game.FIRST_ARTEFACT - game.FIRST_ENCOUNTER),
        table.cards("hand", lambda state, rules, seat, who: state.hand[who] & ~unseen(state, who, seat), CARDS),
        table.number("validated", fact="validated"),
        table.number("cards", lambda state, rules, seat, who: hand_size(state, who), fact="cards"),
    ),
    table.cards(
        "known to all",
        lambda state, rules, seat, who: state.public & ~in_hands(state, rules, seat),
        CARDS,
        line="known to all",
        optional=True,
    ),
    table.each_seat(
        table.cards("known", lambda state, rules, seat, who: state.known[who] & ~in_hands(state, rules, seat), CARDS)
    ),
    *[part for pile, name in enumerate(game.PILES) for part in _in_pile(pile, name)],
    table.numbers("unseen cards", _ages, CARDS),
    table.each_other(table.numbers("hidden cards", _backs, hand_width)),
    table.numbers("clues", _clues, game.MAX_CLUES * 2 * game.FIRST_PLACE, when=lambda rules: rules.partner[0] != 0),
)


# ---- Samples random worlds from what a seat cannot see
#
# Unseen cards are exchangeable within a batch (see `knowledge`), with two exceptions: a card cannot be what is barred
# for it, and worlds that contradict a clue are rejected. The world of a key depends only on what the seat knows:
# hidden cards are taken as sets, or in the order of what is visible of them. So a search decides the same wherever
# they really are.


MAX_TRIES = 100_000
FIRST_GLASS = 64  # holder of a card under a spyglass: this + its index there


@outlined
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one."""
    start_world(state, key)
    stream = derive(key, U8(9))
    for pile in (game.SOUVENIRS, game.PLACES):
        stream, exact = _deal_anew(state, rules, seat, pile, stream)
        if not exact:
            return False
    _sort(state.pile[game.ENCOUNTERS], U8(state.left[game.ENCOUNTERS]))
    shuffle(state.pile[game.ENCOUNTERS], U8(state.left[game.ENCOUNTERS]), stream)
    return True


@kernel
def _sort(cards: Any, n: Number) -> None:
    """Sorts the first n cards, which are encounters."""
    encounters = ZERO
    for i in range(n):
        encounters |= single(U8(cards[i]) - U8(game.FIRST_ENCOUNTER))
    for i in range(n):
        cards[i] = lowest(encounters) + U8(game.FIRST_ENCOUNTER)
        encounters = without_lowest(encounters)


@outlined
def _deal_anew(state: State, rules: Rules, seat: Seat, pile: Any, stream: Stream) -> Any:
    """Redeals the hidden cards of a pile's kind, each within its batch; returns the stream and whether it succeeded.

    Cards with barred values choose first, each among what it may be; the others follow; what is left of the last batch
    is the pile. If two chose the same card or a clue is not met, all start again: this is uniform over the consistent
    deals.
    """
    cards = local_empty(MAX_HIDDEN, np.uint8)
    holders = local_empty(MAX_HIDDEN, np.uint8)
    n = list_hidden(state, rules, seat, pile, cards, holders)
    pools = local_empty(MAX_HIDDEN, np.uint64)
    barred = local_zeros(MAX_HIDDEN, np.uint64)
    seen_by = local_zeros(MAX_HIDDEN, np.uint64)
    clues = local_zeros(MAX_HIDDEN, np.uint64)
    for i in range(n):
        card = cards[i]
        pools[i] = _pool(state, pile, cards, n, state.batch[card])
        seen_by[i] = knowers(state, rules, card)
        if pile == game.SOUVENIRS:
            barred[i] = state.barred[card]
            clues[i] = clues_about(state, card)
    chosen = local_empty(MAX_HIDDEN, np.uint8)
    taken = ZERO
    exact = False
    for _ in range(MAX_TRIES):
        exact = True
        taken = ZERO
        for i in range(n):
            if barred[i] != ZERO and exact:
                candidates = pools[i] & ~barred[i]
                stream = advance(stream)
                card = nth(candidates, below(stream, count(candidates)))
                exact = not has(taken, card)
                taken |= single(card)
                chosen[i] = card
        for i in range(n):
            if barred[i] == ZERO and exact:
                candidates = pools[i] & ~taken
                stream = advance(stream)
                card = nth(candidates, below(stream, count(candidates)))
                taken |= single(card)
                chosen[i] = card
        if exact and _follows_clues(state, pile, cards, chosen, clues, n):
            break
        exact = False
    if exact:
        _put_back(state, pile, cards, holders, chosen, n)
        _pass_on(state, rules, pile, cards, chosen, barred, seen_by, clues, n)
        stream = shuffle(state.pile[pile], U8(state.left[pile]), stream)
    return stream, exact


@kernel
def list_hidden(state: State, rules: Rules, seat: Seat, pile: Any, cards: Any, holders: Any) -> Any:
    """Lists the cards outside the pile that `seat` has not seen, and who holds them; returns how many."""
    of_pile = game.ALL_SOUVENIRS if pile == game.SOUVENIRS else ~game.ALL_SOUVENIRS
    n = 0
    for holder in range(rules.seats):
        first = n
        n = list_backs(state, rules, unseen(state, holder, seat) & of_pile, cards, first)
        for i in range(first, n):
            holders[i] = holder
    if under_glass(state, seat) and pile == game.SOUVENIRS:
        for i in range(2):
            cards[n] = state.drawn[i]
            holders[n] = FIRST_GLASS + i
            n += 1
    return n


@kernel
def _pool(state: State, pile: Any, cards: Any, n: Number, batch: Any) -> Any:
    """All that a hidden card of this batch may be: the unseen cards of the batch, in hands or in the pile."""
    pool = ZERO
    for i in range(n):
        if state.batch[cards[i]] == batch:
            pool |= single(cards[i])
    if batch == state.shuffles[pile]:
        for i in range(state.left[pile]):
            pool |= single(state.pile[pile, i])
    return pool


@kernel
def _follows_clues(state: State, pile: Any, cards: Any, chosen: Any, clues: Any, n: Number) -> Any:
    """Whether every clue is met, by a card that the seat has seen or by a chosen one."""
    if pile != game.SOUVENIRS or state.clues == 0:
        return True
    hidden = ZERO
    for i in range(n):
        hidden |= single(cards[i])
    for clue in range(U8(state.clues)):
        fits = state.clue_fits[clue]
        met = state.clue_cards[clue] & ~hidden & fits != ZERO
        for i in range(n):
            met = met or (has(clues[i], clue) and has(fits, chosen[i]))
        if not met:
            return False
    return True


@kernel
def _put_back(state: State, pile: Any, cards: Any, holders: Any, chosen: Any, n: Number) -> None:
    """Replaces every hidden card by the chosen one; the rest becomes the pile."""
    out_of_sight = ZERO
    for i in range(state.left[pile]):
        out_of_sight |= single(state.pile[pile, i])
    for i in range(n):
        card = cards[i]
        out_of_sight |= single(card)
        if holders[i] < FIRST_GLASS:
            state.hand[holders[i]] &= ~single(card)
    for i in range(n):
        card = chosen[i]
        out_of_sight &= ~single(card)
        if holders[i] < FIRST_GLASS:
            state.hand[holders[i]] |= single(card)
        else:
            state.drawn[holders[i] - FIRST_GLASS] = card
    for i in range(state.left[pile]):
        state.pile[pile, i] = lowest(out_of_sight)
        out_of_sight = without_lowest(out_of_sight)


@kernel
def _pass_on(
    state: State, rules: Rules, pile: Any, cards: Any, chosen: Any, barred: Any, seen_by: Any, clues: Any, n: Number
) -> None:
    """Transfers what is known of a hidden card to the one chosen for it."""
    for i in range(n):
        card = single(cards[i])
        for seat in range(rules.seats):
            state.known[seat] &= ~card
        if pile == game.SOUVENIRS:
            state.barred[cards[i]] = ZERO
            for clue in range(U8(state.clues)):
                state.clue_cards[clue] &= ~card
    for i in range(n):
        card = single(chosen[i])
        for seat in range(rules.seats):
            if has(seen_by[i], seat):
                state.known[seat] |= card
        if pile == game.SOUVENIRS:
            state.barred[chosen[i]] = barred[i]
            for clue in range(U8(state.clues)):
                if has(clues[i], clue):
                    state.clue_cards[clue] |= card
