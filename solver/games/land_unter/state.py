"""LAND UNTER: the records, the action codes, and how knobs become a RULES record.

Weather card w is bit w - 1, so a set of weather cards is one 64-bit integer; a set of seats is a small one. A pack is a
hand as it was dealt: one seat after another plays it, and what was seen of it travels along.
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

MAX_SEATS = 5
MAX_CARDS = 64
MAX_WATER = 64
MAX_HAND = 21

# Actions: a weather card by its bit, below TAKE.
TAKE = 64  # + 0 or 1: the owner of the highest weather card takes that one of the two water cards
MAX_MOVES = MAX_HAND

COUNTS = ("moves", "turns", "rounds", "eliminations", "tricks")
RATES: dict[str, tuple[str, str]] = {
    "eliminations_per_round": ("eliminations", "rounds"),
    "tricks_per_round": ("tricks", "rounds"),
}

RULES = np.dtype(
    [
        ("seats", "u1"),
        ("sides", "u1"),  # one per seat
        ("side", "u1", 8),  # side of each seat: the seat itself
        ("weather", "u1"),  # weather cards in the deck
        ("hand", "u1"),  # weather cards of a hand, tricks of a round
        ("rounds", "u1"),  # rounds of a game
        ("open", "u1"),  # 1: weather cards are laid face up one after another
        ("choice", "u1"),  # 1: the owner of the highest card chooses a water card
        ("cascade", "u1"),  # 1: an elimination passes the loss on
        ("final_cascade", "u1"),  # 1: also if that ends the round
        ("forgets", "u1"),  # 1: nothing is remembered from earlier rounds
        ("belt", "i1"),  # points for a lifebelt kept
        ("lowest", "i1"),  # points for the lowest level
        ("eliminated", "i1"),  # points for a player who is eliminated
        ("water_cards", "u1"),
        ("water", "u1", MAX_WATER),  # values of the water cards, in the order of the knob
        ("cards", "u8"),  # all weather cards
        ("half", "u8"),  # weather cards with half a lifebelt
        ("whole", "u8"),  # weather cards with a whole lifebelt
        ("weather_pile", full_pile(MAX_CARDS)),  # the weather cards as they lie before the deal
        ("water_pile", full_pile(MAX_WATER)),  # the water cards as they lie before a round
        ("land_unter", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("hand", "u8", MAX_SEATS),  # weather cards in hand per seat, without a committed one; empty if out
        ("pack", "u8", MAX_SEATS),  # the full hand that a seat holds this round
        ("seen", "u8", MAX_SEATS),  # cards of that pack seen in finished rounds, or until its holder was out
        ("points", "i2", MAX_SEATS),  # of finished rounds
        ("mover", "i1"),  # the seat whose strategy decides; -1 when over
        ("out", "u1"),  # seats that are out of the round, a set
        ("waiting", "u1"),  # seats that still have to commit a card in this trick, a set
        ("taking", "u1"),  # 1 while the owner of the highest card chooses a water card
        ("leader", "u1"),  # open play: first seat of this trick
        ("trick", "u1"),  # tricks finished in this round
        ("rounds", "u1"),  # finished
        ("eliminations", "u1"),  # in the whole game
        ("tricks", "u2"),  # finished in the whole game
        ("moves", "u2"),  # weather cards played in finished tricks
        ("committed", "u1", MAX_SEATS),  # number of the weather card chosen in this trick, 0 = none
        ("level", "u1", MAX_SEATS),  # value of the top water card, 0 = none
        ("belts", "u1", MAX_SEATS),  # lifebelts now
        ("water", "u1", 2),  # the two water cards turned up, as drawn
        ("pile_left", "u1"),  # cards in the pile
        ("pile", "u1", MAX_CARDS),  # undrawn water cards (weather cards during the deal)
        *PILE_FIELDS,
        ("land_unter", "u1"),  # marker
    ],
    align=True,
)


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    weather, hand = options["deck.weather"], options["hand"]
    water, halves = options["deck.water"], options["deck.halves"]
    if len(halves) < weather:
        raise KnobError("deck.halves", f"{len(halves)} values for {weather} cards; allowed: at least one for each card")
    if players * hand > weather:
        raise KnobError("hand", f"the deal needs {players * hand} weather cards but the deck has {weather}")
    if 2 * hand > len(water):
        raise KnobError("deck.water", f"{len(water)} cards for {hand} tricks; allowed: at least {2 * hand}")
    if options["final_cascade"] and not options["elimination_cascade"]:
        raise KnobError("final_cascade", "true is not allowed without elimination_cascade = true")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.seats = rules.sides = players
    rules.side[:players] = range(players)
    rules.weather, rules.hand = weather, hand
    rules.rounds = options["rounds"] or players
    rules.open, rules.choice = options["play"] == "open", options["winner_takes"] == "choice"
    rules.cascade, rules.final_cascade = options["elimination_cascade"], options["final_cascade"]
    rules.forgets = options["memory"] == "round"
    rules.belt, rules.eliminated, rules.lowest = (options[f"score.{name}"] for name in ("belt", "eliminated", "lowest"))
    rules.water_cards = len(water)
    rules.water[: len(water)] = water
    printed: dict[str, Any] = {name: knob.default_for(players) for name, knob in load("land-unter").knobs.items()}
    lay_out_pile(rules.weather_pile, range(printed["deck.weather"]), {card: card for card in range(weather)})
    lay_out_pile(rules.water_pile, numbered(printed["deck.water"]), dict(zip(numbered(water), water, strict=True)))
    rules.cards = (1 << weather) - 1
    rules.half, rules.whole = (sum(1 << i for i in range(weather) if halves[i] == halfs) for halfs in (1, 2))
    return all_rules


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    return [(f"seat {seat}", [seat]) for seat in range(setup.players)]


def most_belts(setup: Setup) -> int:
    """The lifebelts of the richest pack that can be dealt."""
    halves = setup.options["deck.halves"][: setup.options["deck.weather"]]
    return int(sum(sorted(halves)[-setup.options["hand"] :])) // 2


def score_range(setup: Setup) -> tuple[int, int]:
    """A round scores the points of an elimination, or lifebelts with or without those of the lowest level."""
    rules = setup.rules[0]
    rounds, belts, lowest = int(rules.rounds), int(rules.belt) * most_belts(setup), int(rules.lowest)
    out = int(rules.eliminated)
    return rounds * min(out, min(0, belts) + min(0, lowest)), rounds * max(out, max(0, belts) + max(0, lowest))
