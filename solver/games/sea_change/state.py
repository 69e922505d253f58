"""SEA CHANGE: the records, the action codes, and how knobs become a RULES record.

A card is colour * 16 + value. A set of cards is two words: the first four colours in word 0 and red in word 1, so small
decks need only one. "No colour" and "no value" are numbers just above the real ones with their own masks in RULES, so
the legal cards are found without checking whether a trick has begun.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.piles import PILE_FIELDS, full_pile, lay_out_pile
from houle.solver.cards.streams import STREAM_FIELDS
from houle.solver.compiler.types import AllRules
from houle.solver.interface import blank
from houle.solver.rules import KnobError, Setup, load

MAX_SEATS = 8
MAX_COLOURS = 5
MAX_VALUES = 16
MAX_CARDS = MAX_COLOURS * MAX_VALUES
MAX_HAND = 40
COLOURS = ("yellow", "blue", "violet", "green", "red")
NO_COLOUR = 5  # nothing led yet, no trump yet
NO_VALUE = 16  # no card played before in this trick
PLAYER, AI = 0, 1  # the sides of the solo game; the AI's cards come from the pile
SOLO_DUTY = 8  # value of which the solo player must capture a card

# The parts of a card's number.
WORD = U8(6)  # card >> WORD: the word of a set that holds it
IN_WORD = U8(63)
COLOUR = U8(4)  # card >> COLOUR: its colour
VALUE = U8(15)

# Actions: the card's number.
MAX_MOVES = MAX_HAND

COUNTS = ("moves", "turns", "rounds", "sea_changes")
RATES: dict[str, tuple[str, str]] = {"sea_changes_per_round": ("sea_changes", "rounds")}


RULES = np.dtype(
    [
        ("deck_size", "u1"),  # cards in the deck
        ("seats", "u1"),  # players (1 in the solo game)
        ("sides", "u1"),  # seats, teams, or player and AI
        ("side", "u1", 8),  # side of each seat
        ("solo", "u1"),  # 1: the AI leads every trick and plays its last card, both from the pile
        ("stock", "u1"),  # 1 with two players: each draws after playing, while the pile lasts
        ("wide", "u1"),  # 1 if cards of the fifth colour are in play: word 1 is in use
        ("hand", "u1"),  # cards dealt to a seat
        ("in_trick", "u1"),  # cards of a full trick
        ("tricks", "u1"),  # tricks of a round
        ("colours", "u1"),  # colours in play
        ("target", "u1"),  # victory points that end the game
        ("points", "i2", MAX_VALUES),  # points of a captured card by value; zeros are scored at the end
        ("zero", "i2"),  # points of a captured zero that is not of the trump
        ("trump_zero", "i2"),  # points of the captured zero of the last trump
        ("deck", "u1", MAX_CARDS),  # the cards, ascending
        ("of_colour", "u8", (NO_COLOUR + 1, 2)),  # all cards of a colour, by word; NO_COLOUR: every card
        ("of_value", "u8", (NO_VALUE + 1, 2)),  # all cards of a value, by word; NO_VALUE: none
        ("pile", full_pile(MAX_CARDS)),  # the cards as they lie before the deal
        ("sea_change", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("hand", "u8", (MAX_SEATS, 2)),  # cards of each seat, by word
        ("captured", "u8", (MAX_SEATS, 2)),  # cards each side captured in this round, by word
        ("moves", "u4"),  # cards played in the game, including the AI's
        ("turns", "u4"),  # tricks finished in the game
        ("rounds", "u2"),  # rounds finished in the game
        ("all_changes", "u4"),  # sea changes of the finished rounds
        ("changes", "u1"),  # sea changes of this round
        ("mover", "i1"),  # the seat to play; -1 when over
        ("leader", "u1"),  # who led this trick (1, the AI, in the solo game)
        ("starter", "u1"),  # who led the first trick of the round, left of the dealer
        ("led", "u1"),  # colour to follow, or NO_COLOUR before the lead
        ("trump", "u1"),  # colour of the trump, or NO_COLOUR before the first card of the round
        ("value", "u1"),  # value of the card played just before in this trick, or NO_VALUE
        ("laid", "u1"),  # cards in this trick
        ("trick", "u1", MAX_SEATS),  # those cards, in order
        ("tricks_left", "u1"),  # tricks to finish in this round, this one included
        ("void", "u1", MAX_SEATS),  # bit per colour: the seat could not follow it, and drew no card since
        ("barred", "u1", (MAX_SEATS, MAX_COLOURS)),  # two players: how many cards of a hand are not of a colour
        ("points", "i2", MAX_SEATS),  # points of each side in this round, zeros not counted
        ("vp", "u1", MAX_SEATS),  # victory points of each side
        ("ended", "u1"),  # 1 if the last action ended a round
        ("scores", "i2", MAX_SEATS),  # points of each side in the round that ended last
        ("won", "u1"),  # bit per side: it got a victory point in that round
        ("pile_left", "u1"),  # cards in the pile
        ("pile", "u1", MAX_CARDS),  # cards in no hand
        *PILE_FIELDS,
        ("sea_change", "u1"),  # marker
    ],
    align=True,
)


def seating(layout: str, players: int) -> list[int]:
    """The side of each seat: teams take turns to seat a member, as long as they have one left."""
    if layout == "none":
        return list(range(players))
    left = [int(size) for size in layout.split("v")]
    if sum(left) != players:
        raise KnobError(
            "teams", f"{layout} is for {sum(left)} players, not {players}; `none` is allowed for any number"
        )
    sides = []
    while any(left):
        for team, members in enumerate(left):
            if members:
                sides.append(team)
                left[team] -= 1
    return sides


def _numbered_cards(options: Mapping[str, Any]) -> list[int]:
    return [
        colour * MAX_VALUES + value for colour in range(options["deck.colours"]) for value in options["deck.values"]
    ]


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    colours, values, hand = options["deck.colours"], options["deck.values"], options["hand"]
    if sorted(set(values)) != values or not values:
        raise KnobError("deck.values", "allowed: at least one value, in rising order, each only once")
    if len(options["points"]) != MAX_VALUES:
        raise KnobError("points", f"{len(options['points'])} numbers; allowed: 16, one for each value from 0 to 15")
    cards = _numbered_cards(options)
    solo = players == 1
    needed = 3 * hand if solo else players * hand
    if needed > len(cards):
        raise KnobError("hand", f"a round needs {needed} cards but the deck has {len(cards)}")
    stock = len(cards) - 2 * hand if players == 2 else 0
    if stock % 2:
        raise KnobError("hand", f"the stock of two players would have {stock} cards; it must be even")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.deck_size = len(cards)
    rules.seats = players
    sides = [PLAYER, AI] if solo else seating(options["teams"], players)
    if solo and options["teams"] != "none":
        raise KnobError("teams", "the solo game has no teams; allowed: none")
    rules.side[: len(sides)] = sides
    rules.sides = max(sides) + 1
    rules.solo, rules.stock = solo, players == 2
    rules.wide = colours == MAX_COLOURS
    rules.hand, rules.colours = hand, colours
    rules.in_trick = 3 if solo else players
    rules.tricks = hand + stock // 2
    largest = max(sides.count(side) for side in sides)
    rules.target = options["target"] if options["teams"] == "none" else options["team_target"] or largest + 1
    rules.points[1:] = options["points"][1:]
    rules.zero, rules.trump_zero = options["points"][0], options["trump_zero"]
    rules.deck[: len(cards)] = cards
    printed = {knob: load("sea-change").knobs[knob].default_for(players) for knob in ("deck.colours", "deck.values")}
    lay_out_pile(rules.pile, _numbered_cards(printed), {card: card for card in cards})
    for card in cards:
        word, bit = card >> 6, np.uint64(1 << (card & 63))
        rules.of_colour[card // MAX_VALUES, word] |= bit
        rules.of_colour[NO_COLOUR, word] |= bit
        rules.of_value[card % MAX_VALUES, word] |= bit
    return all_rules


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    if setup.players == 1:
        return [("player", [0]), ("ai", [])]
    sides = seating(setup.options["teams"], setup.players)
    if setup.options["teams"] == "none":
        return [(f"seat {seat}", [seat]) for seat in sides]
    return [
        (f"team {team}", [seat for seat, side in enumerate(sides) if side == team]) for team in range(max(sides) + 1)
    ]


def score_range(setup: Setup) -> tuple[int, int]:
    """The scores of capturing all cards that cost points, and all that bring points; one zero is the trump's."""
    options = setup.options
    colours, points = options["deck.colours"], options["points"]
    each = [points[value] for value in options["deck.values"] if value]
    low, high = (colours * sum(pick(0, value) for value in each) for pick in (min, max))
    if 0 in options["deck.values"]:
        zeros = [(colours - 1) * points[0], options["trump_zero"]]
        low, high = low + sum(min(0, value) for value in zeros), high + sum(max(0, value) for value in zeros)
    return low, high
