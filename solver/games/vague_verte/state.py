"""VAGUE VERTE: the records, the action codes, and how knobs become a RULES record.

Cards are numbered in this order: cars (by colour), breakdowns (by colour), tows, ambulances, ducks, red lights, green
lights. So a set of cards is one 64-bit integer. Another one is `targets` in STATE: a bit for every road and row that
some card could be aimed at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.piles import PILE_FIELDS, full_pile, lay_out_pile, numbered
from houle.solver.cards.streams import STREAM_FIELDS
from houle.solver.compiler.types import AllRules
from houle.solver.interface import blank
from houle.solver.rules import KnobError, Setup, load

MAX_SEATS = 4
MAX_CARDS = 64
MAX_ROAD = 12
MAX_HAND = 16
COLOURS = ("red", "yellow", "green", "blue")
NONE = 255  # no card, no seat

DRAW, PLAY = 0, 1  # the two decisions of a turn

# Actions. A card is laid on a target: action = target * 64 + card.
FACEUP = 0  # target: the face-up pile
ROAD = 4  # target + seat: the next square of that seat's road (a tow: its last one)
ROW = 16  # target + row (from 1): where a red light is put up or taken away
DRAW_STOCK, DRAW_FACEUP = 2048, 2049
MAX_MOVES = (MAX_HAND + 1) * (MAX_ROAD + 1)

# Cards that are aimed at something, in groups that share their targets: breakdowns by colour, ducks, red lights, green
# lights. The bits of `targets` are 4 * group + seat for the first five groups, then:
DUCKS, RED_LIGHTS, GREEN_LIGHTS = 4, 5, 6
GROUPS = 7
STARTED = 20  # + seat: the first car is on the road
DARK = 32  # + row: no red light is active there
LIT = 48  # + row: a red light is active there
COLUMN = 0x11_1111  # all bits of seat 0
EVERY_SEAT = 0xF_FFFF  # the targets of the first five groups

COUNTS = ("moves", "turns", "rounds", "plays", "discards", "laid")
RATES: dict[str, tuple[str, str]] = {"discard_share": ("discards", "laid")}

RULES = np.dtype(
    [
        ("deck_size", "u1"),  # cards in the deck
        ("seats", "u1"),
        ("sides", "u1"),  # one per seat
        ("side", "u1", 8),  # side of each seat
        ("next", "u1", MAX_SEATS),  # seat after a seat
        ("road", "u1"),  # squares of a road
        ("hand", "u1"),  # cards dealt to a seat
        ("forced_play", "u1"),  # 1: no card may be laid on the face-up pile while one can be played
        ("max_turns", "u2"),
        ("cars", "u8"),
        ("tows", "u8"),
        ("ambulances", "u8"),
        ("ducks", "u8"),
        ("red_lights", "u8"),
        ("group", "u8", GROUPS),  # the cards of each group
        ("aims", "u8", GROUPS),  # the bits of `targets` that a group may be aimed at
        ("follow", "u8", MAX_CARDS),  # what may be laid next on a road that ends with this card, ignoring lights
        ("opens", "u8", MAX_CARDS),  # bits of seat 0 in `targets` if this is the last card of its road
        ("within", "u8", MAX_ROAD + 1),  # which of them the number of filled squares allows
        ("same", "u8", MAX_CARDS),  # all cards with the face of this card
        ("face", "u1", MAX_CARDS),  # the lowest of them, which represents the face
        ("pile", full_pile(MAX_CARDS)),  # the cards as they lie before the deal
        ("vague_verte", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("targets", "u8"),  # what cards can be aimed at, see STARTED, DARK and LIT
        ("hand", "u8", MAX_SEATS),
        ("own", "u8", MAX_SEATS),  # cards that the seat may lay on its own road now
        ("follow", "u8", MAX_SEATS),  # the same, ignoring red lights
        ("shown", "u8", MAX_SEATS),  # cards of the hand that everyone knows, because they were on the face-up pile
        ("not_in", "u8", MAX_CARDS),  # forced_play: what everyone knows this hand card cannot be
        ("last_seen", "u2", MAX_CARDS),  # how many reshuffles there had been when everyone last saw this card
        ("reshuffles", "u2"),
        ("turns", "u2"),  # turns finished, missed ones included
        ("plays", "u2"),  # cards played on the board
        ("discards", "u2"),  # cards laid on the face-up pile
        ("mover", "i1"),  # the seat that decides; -1 when over
        ("seat", "u1"),  # the seat whose turn it is (was, when over)
        ("stage", "u1"),  # DRAW or PLAY
        ("drawn", "u1"),  # card taken this turn, or NONE
        ("winner", "u1"),  # seat, or NONE
        ("filled", "u1", MAX_SEATS),  # squares filled
        ("last", "u1", MAX_SEATS),  # last card laid on the road, or NONE
        ("missed", "u1", MAX_SEATS),  # turns still to miss
        ("pile_left", "u1"),  # cards in the stock
        ("faceup_left", "u1"),
        ("bottom", "u1"),  # where the face-up pile begins in its ring
        ("pile", "u1", MAX_CARDS),  # the stock
        ("faceup", "u1", MAX_CARDS),  # a ring: faceup_left cards upwards from `bottom`
        ("light", "u1", MAX_ROAD + 1),  # red light beside each row (from 1), if LIT is set
        ("road", "u1", (MAX_SEATS, 2 * MAX_ROAD)),  # card on each square; from MAX_ROAD on, the tows on them
        *PILE_FIELDS,
        ("vague_verte", "u1"),  # marker
    ],
    align=True,
)


def build_deck(options: Mapping[str, Any]) -> list[str]:
    """The name of every card, in the order of their numbers."""
    deck = [f"car {colour} {number}" for colour in COLOURS for number in options["deck.cars"]]
    deck += [f"breakdown {colour}" for colour in COLOURS for _ in range(options["deck.breakdowns"])]
    for name in ("tow", "ambulance", "ducks", "red light", "green light"):
        knob = name.replace(" ", "_")
        deck += [name] * options["deck.ducks" if name == "ducks" else f"deck.{knob}s"]
    return deck


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    deck = build_deck(options)
    if not options["deck.cars"]:
        raise KnobError("deck.cars", "no numbers; allowed: at least one, because a road starts with a car")
    if len(deck) > MAX_CARDS:
        raise KnobError("deck.cars", f"the deck would have {len(deck)} cards; allowed: at most {MAX_CARDS}")
    needed = players * options["hand"] + 1
    if needed > len(deck):
        raise KnobError("hand", f"the deal needs {needed} cards but the deck has {len(deck)}")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.deck_size = len(deck)
    printed = build_deck({name: knob.default_for(players) for name, knob in load("vague-verte").knobs.items()})
    lay_out_pile(rules.pile, numbered(printed), {name: card for card, name in enumerate(numbered(deck))})
    rules.seats = rules.sides = players
    for seat in range(players):
        rules.side[seat] = seat
        rules.next[seat] = (seat + 1) % players
    rules.road, rules.hand, rules.max_turns = options["road"], options["hand"], options["max_turns"]
    rules.forced_play = options["forced_play"]

    def cards(start: str) -> int:
        return sum(1 << card for card, name in enumerate(deck) if name.startswith(start))

    rules.cars, rules.tows, rules.ambulances = cards("car"), cards("tow"), cards("ambulance")
    rules.ducks, rules.red_lights = cards("ducks"), cards("red light")
    rules.group[:] = [
        *(cards(f"breakdown {colour}") for colour in COLOURS),
        *map(cards, ("ducks", "red light", "green light")),
    ]
    rows = sum(1 << row for row in range(1, options["road"] + 1))
    rules.aims[:] = [*(0xF << 4 * group for group in range(DUCKS + 1)), rows << DARK, rows << LIT]
    for card, name in enumerate(deck):
        rules.same[card] = sum(1 << other for other, face in enumerate(deck) if face == name)
        rules.face[card] = deck.index(name)
        rules.follow[card] = sum(1 << other for other in _followers(deck, name, options["match"]))
        rules.opens[card] = _openings(name)
    for filled in range(MAX_ROAD + 1):
        rules.within[filled] = _allowed(filled, options["road"], options["attack_last_square"])
    return all_rules


def _followers(deck: list[str], name: str, match: str) -> list[int]:
    """The cards that may be laid after a card (a tow: on it). Ducks change nothing, so nothing follows them."""
    kind, *face = name.split()
    if kind == "breakdown":
        return [card for card, other in enumerate(deck) if other == "tow"]
    if kind not in ("car", "tow", "ambulance"):
        return []
    any_car = kind != "car" or match == "none"
    cars = [(card, other.split()[1:]) for card, other in enumerate(deck) if other.startswith("car")]
    return [card for card, other in cars if any_car or other[0] == face[0] or other[1] == face[1]]


def _openings(name: str) -> int:
    """The bits of `targets` for a road that ends with this card, ignoring red lights and its length."""
    kind, *face = name.split()
    bits = 1 << STARTED
    if kind in ("car", "tow", "ambulance", "ducks"):
        bits |= 1 << 4 * DUCKS
    if kind == "car":
        bits |= 1 << 4 * COLOURS.index(face[0])
    return bits


def _allowed(filled: int, road: int, attack_last: bool) -> int:
    """Which attacks the next square allows: on the last one none, or only breakdowns."""
    breakdowns = sum(1 << 4 * colour for colour in range(len(COLOURS)))
    if filled + 1 < road:
        return COLUMN
    if filled + 1 == road and attack_last:
        return breakdowns | 1 << STARTED
    return 1 << STARTED


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    return [(f"seat {seat}", [seat]) for seat in range(setup.players)]


def score_range(setup: Setup) -> tuple[int, int]:
    return 0, int(setup.rules[0].road)
