"""Sea Change: the first hands of a game, and each seat's distance from the first lead. One round is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from houle.solver.cards.piles import cards_in_piles
from houle.solver.compiler.types import States
from houle.solver.games.sea_change.state import COLOURS, MAX_CARDS, MAX_VALUES
from houle.solver.games.sea_change.text import card_name
from houle.solver.matches.opening import Board, CardChange, Fact, Values, count, hand_places
from houle.solver.rules import Setup

DEALT_ANEW = True  # every round deals new hands; a record may state those of later rounds too
REMARK = "Every round deals new hands, so one round is played: a game to one victory point."


def scene(setup: Setup) -> tuple[Setup, str]:
    return replace(setup, options={**setup.options, "target": 1, "team_target": 1}), REMARK


def facts(setup: Setup) -> list[Fact]:
    rules, seats = setup.rules[0], setup.players
    values = setup.options["deck.values"]
    high = values[-max(1, len(values) // 4)]
    points = [int(rules.zero), *map(int, rules.points[1:])]

    def of(openings: States, masks: Any) -> Values:
        """How many cards of each hand are in a set of two words."""
        return count(openings.hand[:, :seats, 0], masks[0]) + count(openings.hand[:, :seats, 1], masks[1])

    def of_value(openings: States, *wanted: int) -> Values:
        return sum((of(openings, rules.of_value[value]) for value in wanted), np.zeros((1, seats), np.int64))

    def by_colour(openings: States) -> Values:
        return np.stack([of(openings, rules.of_colour[colour]) for colour in range(int(rules.colours))], axis=2)

    def pairs(openings: States) -> Values:
        """Pairs of cards of the same value: with either you can change the trump after the other."""
        held = [of(openings, rules.of_value[value]) for value in values]
        return sum((each * (each - 1) // 2 for each in held), np.zeros((1, seats), np.int64))

    def hand_points(openings: States) -> Values:
        return sum((points[value] * of(openings, rules.of_value[value]) for value in values),
                   np.zeros((1, seats), np.int64))  # fmt: skip

    of_hands = [
        Fact("longest colour", "cards of the longest colour", lambda o: by_colour(o).max(axis=2)),
        Fact("colours missing", "colours missing from the hand", lambda o: (by_colour(o) == 0).sum(axis=2)),
        Fact("high cards", f"cards of value {high} or more", lambda o: of_value(o, *(v for v in values if v >= high))),
        Fact("sum of values", "sum of the values of the hand",
             lambda o: sum(value * of(o, rules.of_value[value]) for value in values), most=40 * MAX_VALUES),
        Fact("points in hand", "points of the hand's cards when captured", hand_points, -400, 400),
        Fact("pairs", "pairs of cards of the same value", pairs, most=800),
        *(Fact(name, f"cards of value {value}", lambda o, value=value: of_value(o, value))  # type: ignore[misc]
          for value, name in ((8, "eights"), (0, "zeros"), (9, "nines")) if value in values),
    ]  # fmt: skip
    if rules.solo:
        lead_colour, lead_value = (lambda o: o.trick[:, 0] // MAX_VALUES), (lambda o: o.trick[:, 0] % MAX_VALUES)
        names = tuple(COLOURS[: int(rules.colours)])
        return [
            Fact("first colour", "colour of the AI's first card, which is the first trump", lead_colour, labels=names),
            Fact("first value", "value of the AI's first card", lead_value, most=MAX_VALUES - 1),
            *of_hands,
        ]

    def distance(openings: States) -> Values:
        away: Values = (np.arange(seats) - openings.starter[:, None].astype(np.int64)) % seats
        return away

    away_from_lead = Fact("distance from the lead", "seats after the one that leads first", distance, most=seats - 1)
    return [away_from_lead, *of_hands]


def cards(setup: Setup) -> list[str]:
    """The deck, card by card."""
    rules = setup.rules[0]
    return [card_name(int(card)) for card in rules.deck[: int(rules.deck_size)]]


def card_changes(setup: Setup) -> list[CardChange]:
    """Every value out of all colours."""
    return [CardChange(f"every {value}", "out", "deck.values", "-", value) for value in setup.options["deck.values"]]


def board(setup: Setup) -> Board:
    """The hands; in the solo game also the AI's first card; for two players also the stock, in no order."""
    rules = setup.rules[0]
    places = hand_places([int(rules.hand)] * setup.players, 0)
    if rules.solo:
        places["lead"] = [int(rules.hand)]
    if rules.stock:
        places["stock"] = list(range(int(rules.hand) * setup.players, int(rules.deck_size)))
    every = range(int(rules.colours) * MAX_VALUES)
    names = {card_name(card): card for card in every}
    players = "alone" if setup.players == 1 else f"with {setup.players} players"
    colours = setup.options["deck.colours"]
    why = (
        f"is not in play {players}"
        if "deck.colours" not in setup.changed
        else f"is not in play: deck.colours={colours}"
    )
    absent = {
        f"{colour} {value}": f"{colour} {why}"
        for colour in COLOURS[int(rules.colours) :]
        for value in range(MAX_VALUES)
    }
    return Board(places, dict.fromkeys(places, names), np.arange(256), absent=absent)


def take_apart(openings: States, setup: Setup) -> Values:
    rules, games = setup.rules[0], len(openings)
    bits = openings.hand[:, : setup.players, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    hands = np.nonzero(bits.reshape(games, setup.players, -1))[-1].reshape(games, -1)
    parts = [hands, openings.trick[:, :1]] if rules.solo else [hands]
    left = int(rules.deck_size) - sum(part.shape[1] for part in parts)
    return np.concatenate([*parts, cards_in_piles(openings, MAX_CARDS)[:, :left]], axis=1).astype(np.int64)


def put_together(openings: States, setup: Setup, cards: Values) -> None:
    rules, size = setup.rules[0], int(setup.rules[0].hand)
    dealt = size * setup.players
    hands = cards[:, :dealt].reshape(-1, setup.players, size)
    for word in range(2):
        bits = np.left_shift(np.uint64(1), (hands & 63).astype(np.uint64))
        openings.hand[:, : setup.players, word] = np.bitwise_or.reduce(
            np.where(hands >> 6 == word, bits, np.uint64(0)), 2
        )
    if rules.solo:
        lead = openings.trick[:, 0] = cards[:, dealt]
        openings.led = openings.trump = lead // MAX_VALUES
        openings.value = lead % MAX_VALUES
        dealt += 1
    openings.pile[:, : cards.shape[1] - dealt] = cards[:, dealt:]
    openings.gaps = openings.added = 0
