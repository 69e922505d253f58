"""VAGUE & ATTAQUE: what a seat sees.

Of a card in another hand that the seat has not seen, the back shows its pile, how many shuffles ago it entered it, and
who has seen it. In teams everyone also knows what it cannot be and which clues are about it.
"""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import U8, ZERO, lowest, single, without_lowest
from houle.solver.cards.write_numbers import ahead, mark_cards, put
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.types import Cards, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_attaque.clues import clues_about
from houle.solver.games.vague_attaque.deck import ARTEFACTS
from houle.solver.games.vague_attaque.knowledge import in_hands, knowers, under_glass, unseen
from houle.solver.games.vague_attaque.piles import hand_size
from houle.solver.games.vague_attaque.state import (
    ALL_PLACES,
    ALL_SOUVENIRS,
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    MAX_CLUES,
    MAX_PILE,
    NONE,
    PHASES,
    PILES,
    PLACES,
    SHIP_CARD,
    SOUVENIRS,
    SPOTS,
)
from houle.solver.games.vague_attaque.worlds import MAX_HIDDEN, list_backs
from houle.solver.interface.seen import (
    Part,
    cards,
    choice,
    each_other,
    each_seat,
    flag,
    mark,
    number,
    numbers,
    row,
    seat_number,
    seen,
)

STEPS = ("wait", "to the encounter", "to landing", "to tidying", "to the ship", "to the next turn")
MOST = 255
CARDS = SHIP_CARD  # souvenirs and places
DEALT = np.int64(3)  # cards of the first hand
BACK, CLUES, IS_NOT = 3, 3, 4  # numbers of a back; in teams: where its clues are, and from where on what it is not


def back_width(rules: Rules) -> Number:
    """How many numbers describe the back of a card."""
    return IS_NOT + FIRST_PLACE if rules.partner[0] != 0 else BACK


def hand_width(rules: Rules) -> Number:
    """The same for all hidden cards of a hand. Since the last turn of its player, the turn of every other player may
    have added a card, and in the present turn two are added."""
    most = DEALT
    for power in range(len(rules.limit)):
        most = max(most, np.int64(rules.limit[power]))
    return (most + np.int64(rules.seats) + 1) * (IS_NOT + FIRST_PLACE if rules.partner[0] != 0 else BACK)


_each, _all = kernel(back_width), kernel(hand_width)


@kernel
def _card(card: Number) -> Number:
    """1 + the number of a card; 0 for none."""
    return np.int64(0) if card == NONE else np.int64(card) + 1


@kernel
def _age(state: State, card: Number) -> Number:
    pile = SOUVENIRS if card < U8(FIRST_PLACE) else PLACES
    return np.int64(state.shuffles[pile]) - np.int64(state.batch[card])


@kernel
def _turned(who: Cards, seat: Seat, seats: Number) -> Cards:
    """A set of seats as seen from one of them."""
    return (who >> U8(seat)) | (who << U8(np.int64(seats) - np.int64(seat))) & (single(seats) - single(0))


def _open_card(name: str, field: str) -> Part:
    """A card that everyone sees, or none."""

    def put_card(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
        put(out, at, _card(state[field]))

    return row(name, put_card, 1, line=name, optional=True)


def _turned_up(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Cards that only others see are -1."""
    for i in range(2):
        put(out, at + i, -1 if state.drawn[i] != NONE and under_glass(state, seat) else _card(state.drawn[i]))


def _owners(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """0: nobody, 1: the seat that sees."""
    for spot in range(SPOTS):
        if state.owner[spot] != NONE:
            out[at + spot] = ahead(state.owner[spot], seat, rules.seats) + 1


def _spots(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Places count from 1, and 0 is none."""
    for spot in range(SPOTS):
        lying = state.on[spot]
        while lying != ZERO:
            out[at + np.int64(lowest(lying))] = spot + 1
            lying = without_lowest(lying)


@outlined
def _ages(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For each card that the seat has not seen, 1 + how many shuffles ago it last entered its pile."""
    cards = in_hands(state, rules, seat)
    for pile in (SOUVENIRS, PLACES):
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
    n = list_backs(state, rules, hidden & ALL_SOUVENIRS, backs, 0)
    n = list_backs(state, rules, hidden & ALL_PLACES, backs, n)
    each = np.int64(_each(rules))
    for i in range(min(np.int64(n), _all(rules) // each)):
        card, place = U8(backs[i]), at + i * each
        souvenir = card < U8(FIRST_PLACE)
        out[place] = 1 if souvenir else 2
        put(out, place + 1, _age(state, card))
        out[place + 2] = np.int64(_turned(knowers(state, rules, card), seat, rules.seats))
        if souvenir and each > BACK:
            out[place + CLUES] = np.int64(clues_about(state, card))
            mark_cards(out, place + IS_NOT, state.barred[card], FIRST_PLACE)


def _in_pile(pile: int, name: str) -> list[Part]:
    """How many cards a pile has, how often it was shuffled, and its discard, the top first."""

    def discarded(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
        thrown = np.int64(state.thrown[pile])
        for i in range(thrown):
            out[at + i] = np.int64(state.discard[pile, thrown - 1 - i]) + 1

    return [
        number(f"{name} left", lambda state, rules, seat, who: state.left[pile]),
        row(f"{name} discarded", discarded, MAX_PILE),
        number(f"{name} shuffles", lambda state, rules, seat, who: state.shuffles[pile]),
    ]


@outlined
def _clues(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """Of each clue some cards, then those that one of them is among. Backs say which clues are about hidden cards."""
    shown = ~in_hands(state, rules, seat)
    for clue in range(np.int64(state.clues)):
        place = at + clue * 2 * FIRST_PLACE
        mark_cards(out, place, state.clue_cards[clue] & shown, FIRST_PLACE)
        mark_cards(out, place + FIRST_PLACE, state.clue_fits[clue], FIRST_PLACE)


SEEN = seen(
    seat_number("to move", "mover"),
    seat_number("active", "seat"),
    number("winner", lambda state, rules, seat, who: ahead(state.winner, rules.side[seat], rules.sides)),
    mark("phase", "phase", len(PHASES), said=PHASES, line="phase"),
    mark("then", "then", len(STEPS), said=STEPS, line="then"),
    number("turns", line="turn", first=1, most=lambda rules: rules.max_turns, fact="turn"),
    number("cards laid", "moves"),
    number("duels"),
    *[number(name, line=name, optional=True, most=MOST) for name in ("bonus", "laid", "lent", "thefts")],
    *[flag(name, line=name) for name in ("ship waits", "power used", "place laid", "refused")],
    _open_card("encounter", "pending"),
    _open_card("target", "target"),
    row("turned up", _turned_up, 2, line="turned up", optional=True),
    numbers("owner of each place", _owners, SPOTS),
    numbers("place under each souvenir", _spots, FIRST_PLACE),
    each_seat(
        choice(
            "artefact",
            [f"artefact {number}" for number in range(ARTEFACTS)],
            lambda state, rules, seat, who: np.int64(state.artefact[who]) - FIRST_ARTEFACT,
            line="artefact",
        ),
        cards("gold", "gold", FIRST_ARTEFACT - FIRST_ENCOUNTER),
        cards("hand", lambda state, rules, seat, who: state.hand[who] & ~unseen(state, who, seat), CARDS),
        number("validated", fact="validated"),
        number("cards", lambda state, rules, seat, who: hand_size(state, who), fact="cards"),
    ),
    cards(
        "known to all",
        lambda state, rules, seat, who: state.public & ~in_hands(state, rules, seat),
        CARDS,
        line="known to all",
        optional=True,
    ),
    each_seat(cards("known", lambda state, rules, seat, who: state.known[who] & ~in_hands(state, rules, seat), CARDS)),
    *[part for pile, name in enumerate(PILES) for part in _in_pile(pile, name)],
    numbers("unseen cards", _ages, CARDS),
    each_other(numbers("hidden cards", _backs, hand_width)),
    numbers("clues", _clues, MAX_CLUES * 2 * FIRST_PLACE, when=lambda rules: rules.partner[0] != 0),
)
