"""Vague & Attaque: the seat, the artefact, and the place and souvenirs of the first hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from houle.solver.compiler.types import States
from houle.solver.games.vague_attaque import deck
from houle.solver.games.vague_attaque.state import (
    ALL_PLACES,
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    SHIP_CARD,
)
from houle.solver.games.vague_attaque.text.names import called, card_name, place_names
from houle.solver.matches.opening import (
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
from houle.solver.rules import Deck, Setup

HAND = 3  # two souvenirs and a place
LAST = FIRST_ARTEFACT + deck.ARTEFACTS


def facts(setup: Setup) -> list[Fact]:
    rules, seats = setup.rules[0], setup.players
    cards = setup.options["deck"].cards
    names = tuple(str(card["name"]) for card in cards["artefact"])
    anchored = set_of(s for s in range(deck.SOUVENIRS) if rules.anchor[s])
    places = tuple(place_names(setup.options["deck"])[: deck.SHIP_PLACE])

    def hands(openings: States) -> Any:
        return openings.hand[:, :seats]

    def place(openings: States) -> Values:
        """The place in the hand, from 0 to 9; each has two cards."""
        lowest = count((hands(openings) & ALL_PLACES) - np.uint64(1))  # bits below the one that is set
        return (lowest - FIRST_PLACE) // 2

    def matching(openings: States) -> Values:
        """Souvenirs of the hand that can be laid on its own place."""
        own = np.uint64(3) << (2 * place(openings)).astype(np.uint64)
        fits = np.zeros(own.shape, np.int64)
        for souvenir in range(deck.SOUVENIRS):
            fits += has(hands(openings), souvenir) & (own & rules.bears[souvenir] != 0)
        return fits

    facts = [
        seat_fact(setup),
        Fact("artefact", "the artefact", lambda o: o.artefact[:, :seats] - FIRST_ARTEFACT, labels=names),
        Fact("place", "the place in the first hand", place, labels=places),
        Fact("souvenirs that match", "souvenirs of the first hand that fit its place", matching, most=2),
        Fact("dedicated souvenirs", "souvenirs of the first hand that belong to only one place",
             lambda o: count(hands(o), rules.dedicated), most=2),
        Fact("anchors", "souvenirs of the first hand with an anchor", lambda o: count(hands(o), anchored), most=2),
        Fact("ship souvenirs", "souvenirs of the first hand with the ship's symbol",
             lambda o: count(hands(o), rules.on_ship), most=2),
    ]  # fmt: skip
    if rules.solo:
        facts.pop(1)
    return facts


def cards(setup: Setup) -> list[str]:
    """The names of souvenirs, encounters and artefacts."""
    own = setup.options["deck"].cards
    return [str(card["name"]) for kind in ("souvenir", "encounter", "artefact") for card in own[kind]]


# The key of a card's text, and what an entry without a text has.
BLANK: dict[str, tuple[str, dict[str, str]]] = {
    "souvenir": ("anchor", {"anchor": "none"}),
    "encounter": ("effect", {"effect": "calm", "colour": "blue"}),
    "artefact": ("power", {"power": "none"}),
}


def card_changes(setup: Setup) -> list[CardChange]:
    """Every text: all cards lose it, or one more card without a text gets it."""
    own = setup.options["deck"]
    changes = []
    for kind, (key, blank) in BLANK.items():
        entries = own.cards[kind]
        texts = Counter(str(card.get(key, blank[key])) for card in entries)
        plain = next((number for number, card in enumerate(entries) if card.get(key, blank[key]) == blank[key]), None)
        for text in (text for text in texts if text != blank[key]):
            bearers = [number for number, card in enumerate(entries) if card.get(key) == text]
            name = f"{kind} {text}" if len(bearers) > 1 else f"{kind} {entries[bearers[0]]['name']}"
            lost = "without its text" if len(bearers) == 1 else f"all {len(bearers)} lose the text"
            held = str(entries[bearers[0]]["name"]) if kind == "artefact" else ""
            changes.append(CardChange(name, lost, "deck", "", _reprinted(own, kind, bearers, blank), held))
            if plain is not None:
                words = {part: entries[bearers[0]][part] for part in blank}
                changes.append(CardChange(name, "one more", "deck", "", _reprinted(own, kind, [plain], words)))
    return changes


def _reprinted(own: Deck, kind: str, numbers: list[int], words: dict[str, str]) -> Deck:
    """A deck with another text on some cards."""
    entries = [{**card, **(words if i in numbers else {})} for i, card in enumerate(own.cards[kind])]
    return Deck(f"{own.name}, changed", {**own.cards, kind: entries}, own.names)


def board(setup: Setup) -> Board:
    """Every hand (its place, its souvenirs), all artefacts, dealt or not, and the piles from the top."""
    rules, seats = setup.rules[0], setup.players
    places = hand_places([HAND] * seats, 0)
    position = HAND * seats
    if not rules.solo:
        places |= {f"seat {seat} artefact": [position + seat] for seat in range(seats)}
        position += deck.ARTEFACTS
    ordered = ("souvenirs", "places", "encounters")
    for pile, dealt in enumerate((2 * seats, seats, 0)):
        size = int(rules.cards[pile]) - dealt
        places[ordered[pile]] = list(range(position, position + size))
        position += size
    lying, dealt_out = names_of_cards(setup, 0, FIRST_ARTEFACT), names_of_cards(setup, FIRST_ARTEFACT, LAST)
    names = {place: dealt_out if "artefact" in place else lying for place in places}
    absent = {}
    if seats <= 2:
        doubles = range(FIRST_PLACE + 1, SHIP_CARD, 2)
        why = f"places have no second copy {'in the solo game' if rules.solo else 'with two players'}"
        absent = {name.lower(): why for card in doubles for name in (card_name(card), called(setup, card))}
    return Board(places, names, np.arange(256), ordered, absent)


def names_of_cards(setup: Setup, first: int, last: int) -> dict[str, int]:
    """The cards by kind and number and, if only one card has it, by the name in the deck, with or without the words in
    brackets at its end. If only one copy of a place is in play, its letter may be left out."""
    cards = setup.options["deck"].cards
    titles = {souvenir: card["name"] for souvenir, card in enumerate(cards["souvenir"])}
    titles |= {FIRST_ENCOUNTER + encounter: card["name"] for encounter, card in enumerate(cards["encounter"])}
    titles |= {FIRST_ARTEFACT + artefact: card["name"] for artefact, card in enumerate(cards["artefact"])}
    words = [str(title).lower() for title in titles.values()]
    short = [word.partition(" (")[0] for word in words]
    names = {card_name(card): card for card in range(first, min(last, FIRST_ARTEFACT)) if card != SHIP_CARD}
    for card, word, start in zip(titles, words, short, strict=True):
        if first <= card < last:
            names |= {" ".join(start.split()): card} if short.count(start) == 1 else {}
            names |= {" ".join(word.split()): card} if words.count(word) == 1 else {}
    for card in range(max(first, FIRST_PLACE), min(last, SHIP_CARD)):
        names[called(setup, card).lower()] = card
        if setup.players <= 2 and (card - FIRST_PLACE) % 2 == 0:
            place = (card - FIRST_PLACE) // 2
            names[f"place {place}"] = names[place_names(setup.options["deck"])[place].lower()] = card
    return names


def kind_of(face: int) -> int:
    """Souvenirs, places, encounters and artefacts never take each other's places."""
    return sum(face >= first for first in (FIRST_PLACE, FIRST_ENCOUNTER, FIRST_ARTEFACT))


def take_apart(openings: States, setup: Setup) -> Values:
    rules, seats, games = setup.rules[0], setup.players, len(openings)
    hands = np.ascontiguousarray(openings.hand[:, :seats])
    parts = [members(hands, HAND).reshape(games, -1)]
    if not rules.solo:
        parts += [openings.artefact[:, :seats], openings.scratch[:, seats:] + FIRST_ARTEFACT]
    for pile, dealt in enumerate((2 * seats, seats, 0)):
        parts.append(openings.pile[:, pile, : int(rules.cards[pile]) - dealt][:, ::-1])  # the top comes last
    return np.concatenate(parts, axis=1).astype(np.int64)


def put_together(openings: States, setup: Setup, cards: Values) -> None:
    rules, seats = setup.rules[0], setup.players
    position = HAND * seats
    openings.hand[:, :seats] = as_sets(cards[:, :position].reshape(-1, seats, HAND))
    if not rules.solo:
        artefacts = cards[:, position : position + deck.ARTEFACTS]
        openings.artefact[:, :seats] = artefacts[:, :seats]
        openings.scratch[:] = artefacts - FIRST_ARTEFACT
        openings.power[:, :seats] = rules.power[artefacts[:, :seats] - FIRST_ARTEFACT]
        position += deck.ARTEFACTS
    for pile, dealt in enumerate((2 * seats, seats, 0)):
        size = int(rules.cards[pile]) - dealt
        openings.pile[:, pile, :size] = cards[:, position : position + size][:, ::-1]
        position += size
