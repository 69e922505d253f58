"""WAVE: the start card, the hands, the cards that turn the direction of play."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.analysis.openings import Fact, Values, count, set_of
from houle.solver.ruleset import Setup


def facts(setup: Setup) -> list[Fact]:
    rules, options = setup.rules[0], setup.options
    seats, players = int(rules.seats), setup.players
    width = len(options["deck.numbers"])
    beats, reverse = rules.beats[0], rules.reverse
    deck = rules.deck[: int(rules.wave)]
    followers = count(beats[: len(options["deck.colours"]) * width])  # how many cards beat a card
    strong = set_of(card for card in deck if 3 * followers[card] < rules.wave)

    def all_hands(openings: Any) -> Any:
        return np.bitwise_or.reduce((openings.front | openings.back)[:, :seats], axis=1)

    def hands(openings: Any) -> Any:
        return (openings.front | openings.back)[:, :players]

    def kinds(openings: Any, divide: bool) -> Values:
        """How many colours (or numbers) a hand has."""
        groups = [card // width if divide else card % width for card in range(64)]
        masks = [set_of(card for card in deck if groups[card] == group) for group in sorted(set(groups))]
        return sum((count(hands(openings), mask) > 0).astype(np.int64) for mask in masks)  # type: ignore[return-value]

    found = [
        Fact("start colour", "colour of the start card", lambda o: o.top // width, labels=tuple(options["deck.colours"])),
        Fact(
            "start number", "number of the start card", lambda o: o.top % width,
            labels=tuple(map(str, options["deck.numbers"])),
        ),
        Fact("start followers", "cards of the deck that beat the start card", lambda o: followers[o.top]),
        Fact("reverses in hands", "cards in all hands that turn the direction", lambda o: count(all_hands(o), reverse)),
        Fact("strong cards in hands", "cards in all hands that less than a third of the deck beats",
             lambda o: count(all_hands(o), strong)),
        Fact("first hand fits", "cards of the first surfer that beat the start card",
             lambda o: count(hands(o)[:, 0], beats[o.top])),
        Fact("own hand fits", "cards of a surfer that beat the start card",
             lambda o: count(hands(o), beats[o.top][:, None])),
        Fact("own reverses", "cards of a surfer that turn the direction", lambda o: count(hands(o), reverse)),
        Fact("own strong cards", "cards of a surfer that less than a third of the deck beats",
             lambda o: count(hands(o), strong)),
        Fact("own colours", "different colours in a surfer's hand", lambda o: kinds(o, True)),
        Fact("own numbers", "different numbers in a surfer's hand", lambda o: kinds(o, False)),
    ]  # fmt: skip
    if rules.virage:
        found.append(
            Fact("Virage followers", "cards of the deck that beat the Virage card", lambda o: followers[o.virage])
        )
    return found
