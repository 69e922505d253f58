"""WAVE: the start card, the hands, and the cards that reverse the direction of play."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.piles import cards_in_piles
from houle.solver.compiler.types import States
from houle.solver.games.wave.state import DUMMY, INVERT_COLOURS, INVERT_NUMBERS, KNOWN, MAX_CARDS, NONE
from houle.solver.games.wave.text import card_name
from houle.solver.matches.opening import ALL, Board, CardChange, Fact, Values, as_sets, count, has, set_of
from houle.solver.rules import Setup


def facts(setup: Setup) -> list[Fact]:
    rules, options = setup.rules[0], setup.options
    seats, players = int(rules.seats), setup.players
    colours, width = tuple(options["deck.colours"]), len(options["deck.numbers"])
    beats, reverse = rules.beats[0], rules.reverse
    deck = rules.deck[: int(rules.deck_size)]
    followers = count(beats[: len(colours) * width])  # how many cards beat a card
    strong = set_of(card for card in deck if 3 * followers[card] < rules.deck_size)

    def all_hands(openings: States) -> Any:
        return np.bitwise_or.reduce((openings.front | openings.back)[:, :seats], axis=1)

    def hands(openings: States) -> Any:
        return (openings.front | openings.back)[:, :players]

    def kinds(openings: States, divide: bool) -> Values:
        """How many colours (or numbers) a hand has."""
        groups = [card // width if divide else card % width for card in range(64)]
        masks = [set_of(card for card in deck if groups[card] == group) for group in sorted(set(groups))]
        return sum((count(hands(openings), mask) > 0).astype(np.int64) for mask in masks)  # type: ignore[return-value]

    facts = [
        Fact("start colour", "colour of the start card", lambda o: o.top // width, labels=colours),
        Fact(
            "start number", "number of the start card", lambda o: o.top % width,
            labels=tuple(map(str, options["deck.numbers"])),
        ),
        Fact("start followers", "cards of the deck that beat the start card", lambda o: followers[o.top]),
        Fact("reverses in hands", "cards in all hands that reverse the direction",
             lambda o: count(all_hands(o), reverse)),
        Fact("strong cards in hands", "cards in all hands that less than a third of the deck beats",
             lambda o: count(all_hands(o), strong)),
        Fact("first hand fits", "cards of the first surfer that beat the start card",
             lambda o: count(hands(o)[:, 0], beats[o.top])),
        Fact("own hand fits", "cards of a surfer that beat the start card",
             lambda o: count(hands(o), beats[o.top][:, None])),
        Fact("own reverses", "cards of a surfer that reverse the direction", lambda o: count(hands(o), reverse)),
        Fact("own strong cards", "cards of a surfer that less than a third of the deck beats",
             lambda o: count(hands(o), strong)),
        Fact("own colours", "different colours in a surfer's hand", lambda o: kinds(o, True)),
        Fact("own numbers", "different numbers in a surfer's hand", lambda o: kinds(o, False)),
    ]  # fmt: skip
    if rules.virage:
        facts.append(
            Fact("Virage followers", "cards of the deck that beat the Virage card", lambda o: followers[o.virage])
        )
    return facts


def _slots(setup: Setup) -> list[tuple[int, int]]:
    """Cards in front and in back of every hand."""
    rules = setup.rules[0]
    own, dummys = (int(rules.front), int(rules.back)), (int(rules.up), int(rules.down))
    return [dummys if rules.dummy and seat == DUMMY else own for seat in range(int(rules.seats))]


def cards(setup: Setup) -> list[str]:
    """The deck, card by card."""
    rules = setup.rules[0]
    return [card_name(setup, int(card)) for card in rules.deck[: int(rules.deck_size)]]


def card_changes(setup: Setup) -> list[CardChange]:
    """Every card out of the deck, missing cards back in, and the reverse symbol on cards without it."""
    rules = setup.rules[0]
    dealt = [int(card) for card in rules.deck[: int(rules.deck_size)]]
    plain = [card_name(setup, card) for card in dealt if not has(rules.reverse, card)]
    back = [name for name in setup.options["deck.missing"] if "*" not in name]
    return [
        *(CardChange(name, "out", "deck.missing", "+", name) for name in cards(setup)),
        *(CardChange(name, "in", "deck.missing", "-", name) for name in back),
        *(CardChange(name, "reverses", "deck.reverse", "+", name) for name in plain),
    ]


def board(setup: Setup) -> Board:
    """The start card, the hands slot by slot (front, then back), the Virage card, the pile."""
    places = {"top": [0]}
    position = 1
    for seat, (front, back) in enumerate(_slots(setup)):
        name = "dummy" if setup.rules[0].dummy and seat == DUMMY else f"seat {seat}"
        parts = ("up", "down") if name == "dummy" else ("front", "back")
        whole = list(range(position, position + front + back))
        places |= {name: whole, f"{name} {parts[0]}": whole[:front], f"{name} {parts[1]}": whole[front:]}
        position += front + back
    if setup.rules[0].virage:
        places["virage"] = [position]
    width = len(setup.options["deck.numbers"])
    names = {card_name(setup, card).lower(): card for card in range(len(setup.options["deck.colours"]) * width)}
    return Board(places, dict.fromkeys(places, names), np.arange(256))


def hides_own_cards(setup: Setup) -> bool:
    """Whether surfers do not see their own back cards."""
    return bool(setup.rules[0].talk < KNOWN)


def take_apart(openings: States, setup: Setup) -> Values:
    hands = [openings.held[:, seat, : sum(sizes)] for seat, sizes in enumerate(_slots(setup))]
    virage = [openings.virage[:, None]] if setup.rules[0].virage else []
    parts = [openings.top[:, None], *hands, *virage]
    left = int(setup.rules[0].deck_size) - sum(part.shape[1] for part in parts)
    return np.concatenate([*parts, cards_in_piles(openings, MAX_CARDS)[:, :left]], axis=1).astype(np.int64)


def put_together(openings: States, setup: Setup, cards: Values) -> None:
    """Lays out the cards and opens the first turn, as `deal` does."""
    rules, rows = setup.rules[0], np.arange(len(cards))
    openings.top = openings.cells[:, 0] = cards[:, 0]
    openings.seen = as_sets(cards[:, :1])
    position = 1
    for seat, (front, back) in enumerate(_slots(setup)):
        hand = cards[:, position : position + front + back]
        openings.held[:, seat, : front + back] = hand
        openings.front[:, seat], openings.back[:, seat] = as_sets(hand[:, :front]), as_sets(hand[:, front:])
        for slot in range(front + back):
            openings.slot[rows, hand[:, slot]] = slot
        if rules.tracks:
            openings.may[:, seat, : front + back] = ALL
        position += front + back
    if rules.virage:
        openings.virage = cards[:, position]
        position += 1
    left = cards.shape[1] - position
    openings.pile[:, :left] = cards[:, position:]
    inversions = 2 * ([INVERT_NUMBERS] * int(rules.tide_numbers) + [INVERT_COLOURS] * int(rules.tide_colours))
    openings.pile[:, openings.pile.shape[1] - len(inversions) :] = inversions
    openings.pile_left, openings.gaps, openings.added = left + len(inversions), 0, len(inversions)
    _begin(openings, setup, rules.beats[0][cards[:, 0]])


def _begin(openings: States, setup: Setup, fits: Any) -> None:
    """The first turn: what may be laid, what silent talk reveals, and whether the game is already over."""
    rules, (front, back) = setup.rules[0], _slots(setup)[0]
    openings.mover = openings.decider = 0

    def learn(slots: range, who: Any) -> None:
        for slot in slots:
            fitting = has(fits, openings.held[:, 0, slot])
            openings.may[:, 0, slot] &= np.where(who, np.where(fitting, fits, ~fits), ALL)

    if rules.talk < KNOWN:
        learn(range(front, front + back), True)
    pointable = openings.back[:, 0]
    if rules.signals:
        openings.signals[:, : int(rules.seats)] = NONE
    if rules.virage and front + back > 1:  # first of all a swap is offered
        if rules.signals:
            openings.mover[pointable != 0] = rules.next[0, 0]
        return
    openings.playable = (openings.front[:, 0] | openings.back[:, 0]) & fits
    stuck = openings.playable == 0
    if not rules.nazare:
        openings.mover[stuck] = -1
    elif rules.tracks and not rules.free:
        learn(range(front), stuck)
    if rules.signals:
        usable = np.where(stuck | bool(rules.free), ALL, openings.playable) if rules.nazare else openings.playable
        openings.mover[pointable & usable != 0] = rules.next[0, 0]
