"""WAVE: what a seat sees.

A card of a hand is known by its place in it. What the others could conclude about a place is known to all, the
signals too. knowledge.py says which cards of a hand a seat does not see.
"""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import U8, has
from houle.solver.cards.piles import card_at, count_in_use, count_places
from houle.solver.cards.write_numbers import mark_cards
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Card, Cards, Flag, Number, Numbers, Rules, Seat, State
from houle.solver.games.wave.board import slots_of
from houle.solver.games.wave.knowledge import sunk_known, unseen
from houle.solver.games.wave.state import AT_NONE, DUMMY, FACEDOWN, INVERT_COLOURS, INVERT_NUMBERS, NONE
from houle.solver.interface.seen import cards, choice, each_seat, mark, number, numbers, row, seat_number, seen

DIRECTIONS = ("clockwise", "anticlockwise")
ORDERS = ("colours", "numbers")


def _deck(rules: Rules) -> Number:
    return rules.width


def _largest_hand(rules: Rules) -> Number:
    return max(rules.places[0], rules.places[DUMMY])


def _signal(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    """1 + the code of a card; 0: not given, -1: no card."""
    code = np.int64(state.signals[who])
    return np.int64(0) if code == NONE else np.int64(-1) if code == AT_NONE else code + 1


def _wave(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """1 + the card of each cell; -1 for a face-down card."""
    for cell in range(np.int64(state.laid) + 1):
        card = np.int64(state.cells[cell])
        out[at + cell] = -1 if card == FACEDOWN else card + 1


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
    return np.int64(state.pile_left) - _inversions(state, rules, INVERT_COLOURS, INVERT_NUMBERS)


def _places(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """1 + the card in each place of a hand; 0: no card, -1: an unseen card."""
    hidden = unseen(state, rules, who, seat)
    for place in range(np.int64(rules.places[who])):
        card = U8(state.held[who, place])
        if card != U8(NONE):
            out[at + place] = -1 if has(hidden, card) else np.int64(card) + 1


def _may_be(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For each place of a hand the cards that it may hold for those who do not see it."""
    width = np.int64(rules.width)
    for place in range(np.int64(rules.places[who])):
        if state.held[who, place] != NONE:
            mark_cards(out, at + place * width, state.may[who, place] & rules.cards, width)


def _with_tide(rules: Rules) -> Flag:
    return rules.tide_colours or rules.tide_numbers


def _with_virage(rules: Rules) -> Flag:
    return rules.virage


def _with_nazare(rules: Rules) -> Flag:
    return rules.nazare


SEEN = seen(
    seat_number("to move", "mover"),
    seat_number("turn", "acting"),
    seat_number("last surfer", "surfer", line="last surfer", when=lambda rules: rules.dummy),
    each_seat(number("signal", _signal), when=lambda rules: rules.signals),
    row("wave", _wave, lambda rules: rules.deck_size, line="wave", when=_with_nazare),
    each_seat(cards("seen face down", _seen_face_down, _deck), when=_with_nazare),
    number("cards face down", "facedown", when=_with_nazare),
    number("cards laid", "laid"),
    mark("top", "top", _deck),
    cards("laid", "seen", _deck),
    number("pile", _pile, line="pile", fact="pile"),
    choice("direction", DIRECTIONS, "turned", line="direction", fact="play goes"),
    cards("inverted", "order", len(ORDERS), when=_with_tide),
    number(
        "inversions of colours",
        lambda state, rules, seat, who: _inversions(state, rules, INVERT_COLOURS, INVERT_COLOURS),
        fact="inversions of colours left",
        when=lambda rules: rules.tide_colours,
    ),
    number(
        "inversions of numbers",
        lambda state, rules, seat, who: _inversions(state, rules, INVERT_NUMBERS, INVERT_NUMBERS),
        fact="inversions of numbers left",
        when=lambda rules: rules.tide_numbers,
    ),
    mark("virage", "virage", _deck, line="virage", when=_with_virage),
    choice("swap", ("open", "closed"), "asked", line="swap", when=_with_virage),
    mark("taken", "taken", _deck, line="taken", optional=True, when=_with_virage),
    cards("known to all", "public", _deck, line="known to all", optional=True, when=_with_virage),
    each_seat(
        cards("front", lambda state, rules, seat, who: state.front[who] & ~unseen(state, rules, who, seat), _deck),
        cards("back", lambda state, rules, seat, who: state.back[who] & ~unseen(state, rules, who, seat), _deck),
        numbers("places", _places, _largest_hand),
        cards("back places", lambda state, rules, seat, who: slots_of(state, state.back[who]), _largest_hand),
    ),
    each_seat(
        numbers("may be", _may_be, lambda rules: max(rules.places[0], rules.places[DUMMY]) * np.int64(rules.width)),
        when=lambda rules: rules.tracks,
    ),
)
