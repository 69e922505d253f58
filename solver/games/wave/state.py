"""WAVE: the records, the action codes, and how knobs become a RULES record.

A card is colour * (numbers per colour) + number, so a set of cards is one 64-bit integer. Whether one card beats
another depends only on the two inversions; the four tables of what beats what are built here, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.piles import PILE_FIELDS, full_pile, lay_out_pile
from houle.solver.cards.streams import STREAM_FIELDS
from houle.solver.compiler.types import AllRules, Rules
from houle.solver.interface import blank
from houle.solver.rules import KnobError, Setup, load

MAX_SEATS = 4
MAX_CARDS = 64
MAX_HAND = 32
DUMMY = 2  # the dummy's seat with two surfers
NONE = 255  # no card, no slot, no cell
FACEDOWN = 254  # a cell with a face-down card
AT_NONE = 254  # a signal that points at no card
INVERT_COLOURS, INVERT_NUMBERS = 100, 101  # inversion cards in the pile

# Actions. A front card is named by its card and a back card by its slot, because its owner may not know it.
BACK = 64  # + slot: play from the back; below: play that front card
HIDE = 128  # + the same codes: lay face down (Nazare)
SWAP = 256  # + the same codes: lay down for the Virage card
NO_SWAP = 384
POINT = 512  # + the same codes: point at that card of the acting hand
POINT_NONE = 640
MAX_MOVES = 2 * MAX_HAND + 1

TALKS = ("silent", "points", "known", "open")
SILENT, POINTS, KNOWN, OPEN = range(4)

COUNTS = ("moves", "turns", "rounds")
RATES: dict[str, tuple[str, str]] = {}

RULES = np.dtype(
    [
        ("deck_size", "u1"),  # cards in the deck
        ("seats", "u1"),  # hands, including the dummy's
        ("sides", "u1"),  # 1: the team
        ("side", "u1", 8),  # side of each seat
        ("dummy", "u1"),  # 1 with two surfers: seat 2 is the dummy
        ("front", "u1"),  # cards of a surfer that the owner sees
        ("back", "u1"),  # cards of a surfer that the others see
        ("up", "u1"),  # face-up cards of the dummy
        ("down", "u1"),  # face-down cards of the dummy
        ("places", "u1", MAX_SEATS),  # places of each hand
        ("width", "u1"),  # 1 + the highest card
        ("dummy_swaps", "u1"),
        ("virage", "u1"),
        ("must_fit", "u1"),  # the last Virage card must beat the top
        ("tide_colours", "u1"),
        ("tide_numbers", "u1"),
        ("nazare", "u1"),
        ("free", "u1"),  # Nazare: face down also by choice
        ("facedown_reverses", "u1"),
        ("talk", "u1"),  # SILENT .. OPEN
        ("signals", "u1"),  # 1 if surfers point at cards before a decision
        ("tracks", "u1"),  # 1 if players remember what they learn about slots (`may` in STATE)
        ("next", "u1", (2, MAX_SEATS)),  # seat after a seat, clockwise and anticlockwise
        ("left", "u1", MAX_CARDS),  # Nazare: cell to the left of a cell, or NONE
        ("below", "u1", MAX_CARDS),  # Nazare: cell below a cell, or NONE
        ("deck", "u1", MAX_CARDS),  # the cards, ascending
        ("reverse", "u8"),  # cards with the reverse symbol
        ("cards", "u8"),  # all cards of the deck
        ("beats", "u8", (4, MAX_CARDS)),  # per order (bit 0 colours, bit 1 numbers inverted) and card: what beats it
        ("pile", full_pile(MAX_CARDS)),  # the cards as they lie before the deal
        ("wave", "u1"),  # marker
    ],
    align=True,
)

_FIELDS: list[Any] = [
    *STREAM_FIELDS,
    ("playable", "u8"),  # cards the acting hand may lay face up, at its play decision
    ("front", "u8", MAX_SEATS),  # front cards per seat (the dummy's face-up ones)
    ("back", "u8", MAX_SEATS),  # back cards per seat (the dummy's face-down ones)
    ("public", "u8"),  # cards in hands that everyone has seen (former Virage cards)
    ("seen", "u8"),  # cards laid face up, the start card included
    ("sunk", "u8"),  # cards laid face down
    ("sunk_known", "u8", MAX_SEATS),  # those of them that a seat has seen
    ("top", "u1"),  # the card to beat; Nazare: the last card laid, NONE if face down
    ("order", "u1"),  # bit 0: colours inverted, bit 1: numbers inverted
    ("turned", "u1"),  # direction of play: 0 clockwise, 1 anticlockwise
    ("acting", "u1"),  # the seat whose hand is in use
    ("mover", "i1"),  # the seat whose strategy decides, an adviser before a signal; -1 when over
    ("decider", "u1"),  # the seat that decides for the acting hand, after the signals
    ("random_signals", "u1"),  # random signals so far, which count the moments of the random stream
    ("signals", "u1", MAX_SEATS),  # per adviser at this decision: the code of a card, AT_NONE, or NONE if not given
    ("surfer", "u1"),  # the surfer who laid the last card
    ("asked", "u1"),  # 1 once this turn's swap is decided or was not offered
    ("taken", "u1"),  # card taken in this turn's swap, or NONE
    ("virage", "u1"),  # the Virage card, or NONE
    ("laid", "u1"),  # cards laid after the start card
    ("facedown", "u1"),  # cards laid face down
    ("pile_left", "u1"),  # cards in the pile
    ("pile", "u1", MAX_CARDS + 4),  # undealt cards and inversion cards
    ("held", "u1", (MAX_SEATS, MAX_HAND)),  # card in each slot of a hand, or NONE
    ("slot", "u1", MAX_CARDS),  # slot of a card that is in a hand
    ("cells", "u1", MAX_CARDS),  # Nazare: card in each cell, or FACEDOWN; cell 0 is the start card
    *PILE_FIELDS,
    ("wave", "u1"),  # marker
]
# `may`: the cards that each slot of a hand may hold, for seats that cannot see it. It is large and few setups need it
# (rules.tracks). It stands at the end of a state, so that copies can leave it out.
STATE = np.dtype([*_FIELDS, ("may", "u8", (MAX_SEATS, MAX_HAND))], align=True)
WITHOUT_MAY = np.dtype(_FIELDS, align=True).itemsize


def cards_named(options: Mapping[str, Any], knob: str) -> set[int]:
    """The cards that a list of patterns means: `white 0`, `white *`, `* 0`."""
    colours, numbers = options["deck.colours"], options["deck.numbers"]
    cards = set()
    for pattern in options[knob]:
        colour, _, number = pattern.rpartition(" ")
        if colour not in (*colours, "*") or number not in (*map(str, numbers), "*"):
            raise KnobError(
                knob,
                f"{pattern!r} is not a card; write a colour and a number (`{colours[0]} {numbers[0]}`), or * for any",
            )
        cards |= {
            c * len(numbers) + n
            for c in range(len(colours))
            for n in range(len(numbers))
            if colour in (colours[c], "*") and number in (str(numbers[n]), "*")
        }
    return cards


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    colours, numbers = options["deck.colours"], options["deck.numbers"]
    if len(set(colours)) != len(colours) or not colours:
        raise KnobError("deck.colours", "allowed: at least one colour, each only once")
    if sorted(set(numbers)) != numbers or not numbers:
        raise KnobError("deck.numbers", "allowed: at least one number, in rising order, each only once")
    if len(colours) * len(numbers) > MAX_CARDS:
        raise KnobError(
            "deck.numbers", f"{len(colours)} colours x {len(numbers)} numbers; allowed: at most {MAX_CARDS} cards"
        )
    width = len(numbers)
    cards = sorted(set(range(len(colours) * width)) - cards_named(options, "deck.missing"))
    reverse = cards_named(options, "deck.reverse")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.deck_size = len(cards)
    rules.dummy = players == 2
    rules.sides = 1
    rules.front, rules.back = options["hand.front"], options["hand.back"]
    rules.up, rules.down = options["dummy.up"], options["dummy.down"]
    if rules.front + rules.back == 0:
        raise KnobError("hand.front", "with hand.back = 0 a surfer's hand would be empty")
    dealt = players * (int(rules.front) + int(rules.back)) + (int(rules.up) + int(rules.down) if players == 2 else 0)
    needed = 1 + dealt + int(options["virage"])
    if needed > len(cards):
        raise KnobError("hand.front", f"the deal needs {needed} cards but the deck has {len(cards)}")

    rules.dummy_swaps = options["dummy_swaps"]
    rules.virage, rules.must_fit = options["virage"], options["virage_must_fit"]
    rules.tide_colours, rules.tide_numbers = options["tide.colours"], options["tide.numbers"]
    rules.nazare, rules.free = options["nazare"], options["facedown"] == "free"
    rules.facedown_reverses = options["facedown_reverses"]
    rules.talk = TALKS.index(options["talk"])
    rules.signals = rules.talk == POINTS
    rules.tracks = rules.talk < KNOWN or (rules.nazare and not rules.free)
    seats = rules.seats = max(players, 3)
    for seat in range(seats):
        rules.next[0, seat] = (seat + 1) % seats
        rules.next[1, seat] = (seat - 1) % seats
    rules.places[:seats] = int(rules.front) + int(rules.back)
    if rules.dummy:
        rules.places[DUMMY] = int(rules.up) + int(rules.down)
    rules.deck[: len(cards)], rules.width = cards, cards[-1] + 1
    _lay_out_deck(rules, options, players)
    rules.cards = sum(1 << card for card in cards)
    rules.reverse = sum(1 << card for card in reverse)
    for order in range(4):
        for low in range(len(colours) * width):
            rules.beats[order, low] = sum(1 << card for card in cards if _beats(card, low, width, order))
    if options["nazare"]:
        _lay_out_cells(rules, options["heights"], len(cards))
    return all_rules


def _beats(card: int, low: int, width: int, order: int) -> bool:
    colour, number = card // width - low // width, card % width - low % width
    return (colour < 0 if order & 1 else colour > 0) or (number < 0 if order & 2 else number > 0)


def _named_cards(options: Mapping[str, Any]) -> dict[str, int]:
    """The cards of a deck by name."""
    numbers, missing = options["deck.numbers"], cards_named(options, "deck.missing")
    names = [f"{colour} {number}" for colour in options["deck.colours"] for number in numbers]
    return {name: card for card, name in enumerate(names) if card not in missing}


def _lay_out_deck(rules: Rules, options: Mapping[str, Any], players: int) -> None:
    printed = {knob: load("wave").knobs[knob].default_for(players) for knob in options if knob.startswith("deck.")}
    lay_out_pile(rules.pile, list(_named_cards(printed)), _named_cards(options))


def _lay_out_cells(rules: Rules, heights: list[int], cards: int) -> None:
    if sum(heights) != cards:
        raise KnobError(
            "heights", f"the columns hold {sum(heights)} cards but the deck has {cards}; they must be equal"
        )
    starts = [sum(heights[:column]) for column in range(len(heights))]
    rules.left[:], rules.below[:] = NONE, NONE
    for column, height in enumerate(heights):
        for row in range(height):
            cell = starts[column] + row
            if row:
                rules.below[cell] = cell - 1
            if column and row < heights[column - 1]:
                rules.left[cell] = starts[column - 1] + row


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    return [("team", list(range(setup.players)))]


def score_range(setup: Setup) -> tuple[int, int]:
    return 0, int(setup.rules[0].deck_size)
