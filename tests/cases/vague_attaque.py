"""VAGUE & ATTAQUE: every number of players, teams, every included deck, and every knob changed."""

from collections.abc import Mapping
from typing import Any

from houle.solver.rules import Setup

CASES: list[tuple[int, tuple[str, ...], dict[str, Any]]] = [(players, (), {}) for players in (1, 2, 3, 4, 5)]
CASES += [(4, ("teams",), {}), (4, ("teams",), {"partner_gold": "parry"})]
CASES += [
    (1, (), {"deck": "rough-sea"}),
    (1, (), {"deck": "three-dedicated"}),
    (2, (), {"deck": "three-dedicated", "max_turns": 60}),
    (3, (), {"deck": "smooth-sea", "max_turns": 60}),
    (4, ("teams",), {"deck": "rough-sea", "max_turns": 60}),
    (2, (), {"die": 8}),
    (3, (), {"die": 2, "max_turns": 60}),
    (4, ("teams",), {"die": 20, "max_turns": 60}),
    (4, ("teams",), {"die": 20, "max_turns": 60, "partner_gold": "parry"}),
    (3, (), {"ship_stealable": True}),
    (3, (), {"ship_resumes": "same_round", "max_turns": 60}),
    (4, ("teams",), {"ship_resumes": "same_round", "max_turns": 60}),
    (5, (), {"ship_stealable": True, "hand_limit": 3, "max_turns": 60}),
    (4, ("teams",), {"ship_stealable": True, "die": 3, "max_turns": 60}),
    (4, (), {"teams": "2v2", "target": 1}),
    (2, (), {"max_turns": 10}),
    (1, (), {"max_turns": 12}),
    (3, (), {"max_turns": 40}),
    (2, (), {"hand_limit": 1}),
    (3, (), {"hand_limit": 20, "chest_limit": 20, "max_turns": 60}),
    (2, (), {"chest_limit": 1}),
    (5, (), {"chest_limit": 15, "max_turns": 60}),
    (1, (), {"target": 1, "hand_limit": 8}),
    (2, (), {"target": 5, "max_turns": 100}),
    (3, (), {"target": 1}),
    (1, (), {"ship_limit": 1}),
    (1, (), {"ship_limit": 9, "target": 5}),
    (1, (), {"ship_limit": 9, "target": 9, "max_turns": 5000}),
]

# Every knob is a rule of play.
SILENT_KNOBS: set[str] = set()

# Cards that are in no pile, hand or zone during these decisions.
TURNED_UP = {"spyglass": 2, "power": 1, "retain": 1}


def cards(snapshot: dict[str, Any]) -> list[int]:
    """Every card whose place the snapshot shows, including artefacts."""
    listed = [card for hand in snapshot["hands"] for card in hand]
    for zone in snapshot["zones"]:
        for place, lying in zone:
            listed += [place, *lying]
    if snapshot["ship_holder"] < 0:
        listed += [61, *snapshot["ship_cards"]]
    for piles in (snapshot["decks"], snapshot["discards"]):
        listed += [card for pile in piles.values() for card in pile]
    return listed + [snapshot["pending"]] * (snapshot["pending"] >= 0) + snapshot["artefact"]


def number_of_cards(snapshot: dict[str, Any]) -> int:
    listed = cards(snapshot)
    assert len(set(listed)) == len(listed)
    return len(listed) + TURNED_UP.get(snapshot["phase"], 0)


def reference_knobs(setup: Setup) -> dict[str, Any]:
    """The knobs in the form of the plain reference: the deck as lists of what its cards do."""
    cards = setup.options["deck"].cards
    deck = {
        "souvenirs": [
            {"places": card["places"], "dedicated": card["dedicated"], "anchor": _anchor(card)}
            for card in cards["souvenir"]
        ],
        "encounters": [
            {"gold": card["colour"] == "gold", "effect": card["effect"], "solo": card["solo"]}
            for card in cards["encounter"]
        ],
        "artefacts": [card["power"] for card in cards["artefact"]],
        "solo_die": list(cards["solo_die"]["faces"]),
    }
    return {**setup.options, "deck": deck}


def _anchor(card: Mapping[str, Any]) -> str | None:
    anchor = card.get("anchor", "none")
    return None if anchor == "none" else str(anchor)
