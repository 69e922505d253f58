"""VAGUE & ATTAQUE: the cards as data. Reads a deck file, checks it, and defines the words that the kernels interpret.

The rulebook prints how many cards there are but not what they say. So every card is an entry of a deck file. What it
does is one word of the vocabulary below; the position of a word is its code in the kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from houle.solver.rules import PROVENANCES, Deck, KnobError, nearest, read_deck

SOUVENIRS, ENCOUNTERS, ARTEFACTS, DIE_FACES = 41, 32, 5, 6
PLACES = 11  # the ten places and the ship, which is the last
SHIP_PLACE = 10

ANCHORS = ("none", "draw_souvenir", "place_souvenir", "steal", "draw_place")
BLUE = (
    "calm",
    "draw_souvenir",
    "draw_place",
    "discard_choice",
    "all_discard_random",
    "all_draw_souvenir",
    "steal_random",
    "give_left",
    "all_pass_left",
    "move_ship",
)
GOLD = ("parry", "steady_hand", "extra_mooring")
EFFECTS = BLUE + GOLD
POWERS = ("none", "hook", "spyglass", "compass", "sabre", "chest")
DIE_EFFECTS = ("nothing", "discard_random", "discard_souvenir", "ship_if_symbol", "ship_always")

# The entries of each kind of card: their keys and types.
ENTRIES: dict[str, dict[str, type]] = {
    "souvenir": {"name": str, "places": list, "dedicated": bool, "anchor": str, "provenance": str},
    "encounter": {"name": str, "colour": str, "effect": str, "solo": bool, "provenance": str},
    "artefact": {"name": str, "power": str, "provenance": str},
}
COUNTS = {"souvenir": SOUVENIRS, "encounter": ENCOUNTERS, "artefact": ARTEFACTS}
MAY_LACK = ("anchor",)
WORDS = {str: "text in quotes", bool: "true or false", list: "a list of whole numbers"}
TOP_KEYS = ("name", "about", *ENTRIES, "solo_die")


def check_deck(path: str | Path) -> list[str]:
    """Every fault of a deck file, each with its card; an empty list if the deck can be played."""
    try:
        return deck_faults(read_deck(str(path)).cards)
    except KnobError as fault:
        return [fault.problem]


def deck_faults(cards: Mapping[str, Any]) -> list[str]:
    """The faults of a deck: unknown keys and words, wrong types and counts, places that nobody could complete."""
    faults = [f"unknown key {key!r}{nearest(key, TOP_KEYS)}" for key in cards if key not in TOP_KEYS]
    for key in ("name", "about"):
        if not isinstance(cards.get(key, ""), str):
            faults.append(f"{key}: {cards[key]!r} is not allowed; allowed: text in quotes")
    for kind in ENTRIES:
        entries = cards.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(card, dict) for card in entries):
            faults.append(f"{kind}: not a list of cards; write each card as an entry [[{kind}]]")
            continue
        if len(entries) != COUNTS[kind]:
            faults.append(f"{kind}: {len(entries)} cards; allowed: exactly {COUNTS[kind]}")
        for number, card in enumerate(entries):
            where = f"{kind} {number + 1} ({card.get('name', 'without a name')})"
            faults += [f"{where}: {fault}" for fault in _entry_faults(kind, card)]
    if not faults:
        faults += _whole_deck_faults(cards)
    return faults + _die_faults(cards.get("solo_die", {}))


def _entry_faults(kind: str, card: Mapping[str, Any]) -> list[str]:
    entry = ENTRIES[kind]
    faults = [f"unknown key {key!r}{nearest(key, entry)}" for key in card if key not in entry]
    faults += [f"{key} is missing" for key in entry if key not in card and key not in MAY_LACK]
    wrong = [key for key in entry if key in card and not isinstance(card[key], entry[key])]
    faults += [f"{key}: {card[key]!r} is not allowed; allowed: {WORDS[entry[key]]}" for key in wrong]
    if faults:
        return faults
    faults += _unknown("provenance", card["provenance"], PROVENANCES)
    if kind == "souvenir":
        faults += _unknown("anchor", card.get("anchor", "none"), ANCHORS)
        faults += _place_faults(card["places"], card["dedicated"])
    elif kind == "artefact":
        faults += _unknown("power", card["power"], POWERS)
    else:
        faults += _unknown("colour", card["colour"], ("blue", "gold"))
        faults += _unknown("effect", card["effect"], EFFECTS)
        if not faults and (card["effect"] in GOLD) != (card["colour"] == "gold"):
            own = "gold" if card["effect"] in GOLD else "blue"
            faults.append(f"colour: {card['colour']} is not allowed; {card['effect']} is an effect of {own} cards")
    return faults


def _unknown(key: str, word: str, known: tuple[str, ...]) -> list[str]:
    return [] if word in known else [f"{key}: unknown {word!r}{nearest(word, known)}"]


def _place_faults(places: list[Any], dedicated: bool) -> list[str]:
    numbers = all(isinstance(place, int) and not isinstance(place, bool) and 0 <= place < PLACES for place in places)
    if not numbers or not places or len(set(places)) != len(places):
        allowed = f"one or more different numbers from 0 to {SHIP_PLACE} (the ship)"
        return [f"places: {places} is not allowed; allowed: {allowed}"]
    if dedicated and len(places) > 1:
        return [f"places: {places} is not allowed; a dedicated souvenir has exactly one place"]
    return []


def _whole_deck_faults(cards: Mapping[str, Any]) -> list[str]:
    souvenirs = cards["souvenir"]
    dedicated = {card["places"][0] for card in souvenirs if card["dedicated"]}
    faults = [
        f"place {place}{' (the ship)' if place == SHIP_PLACE else ''}: no dedicated souvenir; nobody could complete it"
        for place in range(PLACES)
        if place not in dedicated
    ]
    if not any(SHIP_PLACE in card["places"] for card in souvenirs):
        faults.append(f"souvenir: none has the ship's symbol (place {SHIP_PLACE}); the solo game needs one")
    return faults


def _die_faults(die: Any) -> list[str]:
    if not isinstance(die, dict) or "faces" not in die:
        return ["solo_die: missing or without faces; write a section [solo_die] with faces = [...]"]
    known = ("faces", "provenance")
    faults = [f"solo_die: unknown key {key!r}{nearest(key, known)}" for key in die if key not in known]
    faults += [
        f"solo_die: {fault}" for fault in _unknown("provenance", str(die.get("provenance", "assumed")), PROVENANCES)
    ]
    faces = die["faces"]
    if not isinstance(faces, list) or len(faces) != DIE_FACES:
        return [*faults, f"solo_die: faces: {faces!r} is not allowed; allowed: a list of {DIE_FACES} effects"]
    for number, face in enumerate(faces):
        faults += [f"solo_die: {fault}" for fault in _unknown(f"face {number + 1}", str(face), DIE_EFFECTS)]
    return faults


def checked(deck: Deck) -> Mapping[str, Any]:
    """The cards of a deck without faults; raises a KnobError with the first fault otherwise."""
    faults = deck_faults(deck.cards)
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise KnobError("deck", f"{deck}: {faults[0]}{more}")
    return deck.cards
