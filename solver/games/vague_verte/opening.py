"""Vague Verte: the seat, the kinds of cards in the first hand, and the face-up card."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.piles import cards_in_piles
from houle.solver.compiler.types import States
from houle.solver.games.vague_verte.state import MAX_CARDS, build_deck
from houle.solver.matches.opening import (
    ELSEWHERE,
    Board,
    CardChange,
    Fact,
    Values,
    as_sets,
    count,
    hand_places,
    has,
    members,
    seat_fact,
    set_of,
)
from houle.solver.rules import Setup

KINDS = ("car", "breakdown", "tow", "ambulance", "ducks", "red light", "green light")
WORDS = ("cars", "breakdowns", "tows", "ambulances", "ducks", "red lights", "green lights")


def kind(name: str) -> str:
    return next(start for start in KINDS if name.startswith(start))


def facts(setup: Setup) -> list[Fact]:
    rules, seats = setup.rules[0], setup.players
    deck = build_deck(setup.options)
    kinds = np.array([KINDS.index(kind(name)) for name in deck])
    cars = [card for card in range(len(deck)) if kinds[card] == 0]

    def hands(openings: States) -> Any:
        return openings.hand[:, :seats]

    def held(openings: States, *wanted: int) -> Values:
        return count(hands(openings), set_of(np.flatnonzero(np.isin(kinds, wanted))))

    def matches(openings: States) -> Values:
        """Pairs of cars of a hand that can follow one another."""
        both: Values = np.zeros((len(openings), seats), np.int64)
        for card in cars:
            both += has(hands(openings), card) * count(hands(openings), int(rules.follow[card]) & ~(1 << card))
        return both // 2

    def first_faceup(openings: States) -> Values:
        """The face-up card, for the seat that may take it first."""
        of_seats = np.full((len(openings), seats), ELSEWHERE)
        of_seats[:, 0] = kinds[openings.faceup[:, 0]]
        return of_seats

    facts = [seat_fact(setup)]
    for i, word in enumerate(WORDS):
        facts.append(Fact(word, f"{word} in the first hand", lambda o, i=i: held(o, i), most=16))  # type: ignore[misc]
    facts += [
        Fact("attacks", "breakdowns, ducks and red lights in the first hand", lambda o: held(o, 1, 4, 5), most=16),
        Fact("face-up card", "the first face-up card, for seat 0, who may take it", first_faceup, labels=KINDS),
    ]
    if setup.options["match"] != "none":  # if any car may follow any other, the number of cars is enough
        about = "pairs of cars in the first hand that can follow each other"
        facts.append(Fact("cars that match", about, matches, most=120))
    return facts


def cards(setup: Setup) -> list[str]:
    """The deck, card by card."""
    return build_deck(setup.options)


def card_changes(setup: Setup) -> list[CardChange]:
    """One card less and one more of every kind; a car or a breakdown in every colour."""
    numbers = dict.fromkeys(setup.options["deck.cars"])
    changes = [CardChange(f"car {number}", "out", "deck.cars", "-", number) for number in numbers]
    changes += [CardChange(f"car {number}", "one more", "deck.cars", "+", number) for number in numbers]
    for word in ("breakdowns", "tows", "ambulances", "ducks", "red_lights", "green_lights"):
        name, knob = word.replace("_", " "), f"deck.{word}"
        now = setup.options[knob]
        changes += [CardChange(name, "one less", knob, "", now - 1)] if now else []
        changes.append(CardChange(name, "one more", knob, "", now + 1))
    return changes


def board(setup: Setup) -> Board:
    """The hands, the face-up card, the stock."""
    rules, deck = setup.rules[0], build_deck(setup.options)
    size = int(rules.hand)
    places = hand_places([size] * setup.players, 0) | {"top": [size * setup.players]}
    names = {name: int(rules.face[card]) for card, name in enumerate(deck)}
    return Board(places, dict.fromkeys(places, names), rules.face.astype(np.int64))


def take_apart(openings: States, setup: Setup) -> Values:
    rules, games = setup.rules[0], len(openings)
    hands = members(np.ascontiguousarray(openings.hand[:, : setup.players]), int(rules.hand)).reshape(games, -1)
    left = int(rules.deck_size) - hands.shape[1] - 1
    return np.concatenate(
        [hands, openings.faceup[:, :1], cards_in_piles(openings, MAX_CARDS)[:, :left]], axis=1
    ).astype(np.int64)


def put_together(openings: States, setup: Setup, cards: Values) -> None:
    """Nothing of the first turn depends on the cards."""
    size = int(setup.rules[0].hand)
    dealt = size * setup.players
    openings.hand[:, : setup.players] = as_sets(cards[:, :dealt].reshape(-1, setup.players, size))
    openings.faceup[:, 0] = cards[:, dealt]
    openings.pile[:, : cards.shape[1] - dealt - 1] = cards[:, dealt + 1 :]
    openings.gaps = openings.added = 0
