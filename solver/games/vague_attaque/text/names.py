"""VAGUE & ATTAQUE: names of cards, by kind and number and as the deck calls them.

A place has the number that deck files give it, 0 to 9, and its two copies are a and b. `place 1a` is the first card of
place 1, which the default deck calls the lighthouse: `lighthouse (a)`.
"""

from __future__ import annotations

from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.deck import SHIP_PLACE
from houle.solver.games.vague_attaque.state import FIRST_ARTEFACT, FIRST_ENCOUNTER, FIRST_PLACE, SHIP_CARD
from houle.solver.rules import Deck, Setup

COPIES = "ab"
ANCHOR_WORDS = {
    "draw_souvenir": "draw a souvenir",
    "place_souvenir": "lay one more souvenir",
    "steal": "steal a random card",
    "draw_place": "draw a place",
}
EFFECT_WORDS = {
    "calm": "nothing happens",
    "draw_souvenir": "draw a souvenir",
    "draw_place": "draw a place",
    "discard_choice": "discard a card of your choice",
    "all_discard_random": "everyone discards a random card",
    "all_draw_souvenir": "everyone draws a souvenir",
    "steal_random": "steal a random card from an opponent of your choice",
    "give_left": "give a card of your choice to your left neighbour",
    "all_pass_left": "everyone passes a random card to the left",
    "move_ship": "the ship moves to the right",
    "parry": "gold: parries a duel",
    "steady_hand": "gold: +1 on each of your dice in a duel you start",
    "extra_mooring": "gold: one more souvenir in phase III",
}
POWER_WORDS = {
    "none": "does nothing",
    "hook": "in phase I you may take the top souvenir of the discards",
    "spyglass": "draw two souvenirs in phase I and keep one",
    "compass": "lay two souvenirs in phase III",
    "sabre": "+1 on each of your dice in duels you start",
    "chest": "a larger hand limit",
}
DIE_WORDS = {
    "nothing": "nothing happens",
    "discard_random": "a random card of the hand is discarded",
    "discard_souvenir": "a random souvenir of an unvalidated place is discarded",
    "ship_if_symbol": "the top souvenir is turned up, and goes on the ship if it has the ship's symbol",
    "ship_always": "the top souvenir goes on the ship",
}


def card_name(card: int) -> str:
    """The canonical name of a card: its kind and number."""
    if card < FIRST_PLACE:
        return f"souvenir {card}"
    if card < SHIP_CARD:
        place, copy = divmod(card - FIRST_PLACE, 2)
        return f"place {place}{COPIES[copy]}"
    return "ship" if card == SHIP_CARD else f"encounter {card - FIRST_ENCOUNTER}"


def spot_of(state: State, card: int) -> int:
    """The spot of a card that a duel names: its own, or the one it lies on."""
    return int(state.spot[card]) if card < FIRST_PLACE else card - FIRST_PLACE


def place_names(deck: Deck) -> list[str]:
    """The names of the places in a deck, the ship last."""
    return [*deck.names.get("place", [f"place {place}" for place in range(SHIP_PLACE)]), "ship"]


def called(setup: Setup, card: int) -> str:
    """A card by its name in the deck, with its number if another card of the deck has the same name."""
    cards = setup.options["deck"].cards
    if FIRST_PLACE <= card < FIRST_ENCOUNTER:
        place, copy = divmod(card - FIRST_PLACE, 2)
        return "ship" if card == SHIP_CARD else f"{place_names(setup.options['deck'])[place]} ({COPIES[copy]})"
    kind, first = ("souvenir", 0) if card < FIRST_PLACE else ("encounter", FIRST_ENCOUNTER)
    if card >= FIRST_ARTEFACT:
        return str(cards["artefact"][card - FIRST_ARTEFACT]["name"])
    names = [one["name"] for one in cards[kind]]
    name = str(names[card - first])
    return name if names.count(name) == 1 else f"{name} [{card_name(card)}]"


def title(setup: Setup, card: int) -> str:
    """A card with what it does: the places of a souvenir and its anchor, the effect of an encounter."""
    facts = facts_of(setup, card)
    return f"{called(setup, card)} [{facts}]" if facts and card < FIRST_ARTEFACT else called(setup, card)


def facts_of(setup: Setup, card: int) -> str:
    """What a card does: the places of a souvenir and its anchor, the effect of an encounter or an artefact."""
    cards = setup.options["deck"].cards
    if card < FIRST_PLACE:
        souvenir = cards["souvenir"][card]
        names = place_names(setup.options["deck"])
        bears = "/".join(names[place] for place in souvenir["places"])
        anchor = souvenir.get("anchor", "none")
        facts = bears if souvenir["dedicated"] else f"shared, {bears}"
        return facts + ("" if anchor == "none" else f"; anchor: {ANCHOR_WORDS[anchor]}")
    if card < FIRST_ENCOUNTER:
        return ""
    if card < FIRST_ARTEFACT:
        return EFFECT_WORDS[cards["encounter"][card - FIRST_ENCOUNTER]["effect"]]
    return POWER_WORDS[cards["artefact"][card - FIRST_ARTEFACT]["power"]]
