"""WAVE: every combination of variants and players, and every knob changed."""

from itertools import combinations
from typing import Any

from houle.solver.rules import load

VARIANTS = ("virage", "tide-colours", "tide-numbers", "nazare")

CASES: list[tuple[int, tuple[str, ...], dict[str, Any]]] = [
    (players, chosen, {}) for size in range(5) for chosen in combinations(VARIANTS, size) for players in (2, 3, 4)
]
CASES += [
    (3, (), {"hand.front": 4, "hand.back": 1}),
    (4, ("virage",), {"hand.front": 0, "hand.back": 3}),
    (3, ("nazare",), {"hand.front": 1, "hand.back": 0}),
    (2, (), {"dummy.up": 1, "dummy.down": 4}),
    (2, ("virage", "nazare"), {"dummy.up": 5, "dummy.down": 0}),
    (2, ("virage",), {"dummy_swaps": True}),
    (2, ("virage", "nazare", "tide-colours"), {"dummy_swaps": True, "facedown": "free"}),
    (3, ("virage", "tide-numbers"), {"virage_must_fit": False}),
    (4, ("virage", "nazare"), {"virage_must_fit": False}),
    (3, ("nazare",), {"facedown": "free"}),
    (3, ("nazare",), {"facedown_reverses": True}),
    (2, ("nazare", "tide-numbers"), {"facedown": "free", "facedown_reverses": True}),
    (3, (), {"talk": "silent"}),
    (2, ("virage", "nazare"), {"talk": "silent"}),
    (4, ("virage", "tide-colours"), {"talk": "open"}),
    (4, ("virage", "nazare"), {"talk": "known"}),
    (3, (), {"bands": [0, 1, 3]}),
    (3, ("nazare",), {"heights": [4, 6, 8, 6, 4, 3, 3]}),
    (3, (), {"deck.colours": ["white", "green", "navy"], "deck.missing": [], "deck.reverse": ["white *"]}),
    (
        4,
        ("tide-numbers",),
        {"deck.numbers": [1, 3, 5, 7, 9, 11, 13], "deck.missing": ["* 13"], "deck.reverse": ["navy *", "* 1"]},
    ),
    (3, ("virage",), {"deck.missing": ["white 0", "navy 5", "red *"]}),
    (3, (), {"deck.reverse": []}),
    (3, (), {"virage": True, "tide.colours": True, "tide.numbers": True}),
    (3, (), {"nazare": True}),
]

# What a seat knows depends on the talk: every talk with every combination of variants and players.
KNOWLEDGE: list[tuple[int, tuple[str, ...], dict[str, Any]]] = [
    (players, chosen, {"talk": talk, **facedown})
    for talk in load("wave").knobs["talk"].choices
    for size in range(5)
    for chosen in combinations(VARIANTS, size)
    for facedown in ({}, {"facedown": "free"})[: 1 + ("nazare" in chosen)]
    for players in (2, 3, 4)
]

# Knobs that change what a strategy may know or how a score is read, never how a random game goes.
SILENT_KNOBS = {"talk", "bands"}


def cards(snapshot: dict[str, Any]) -> list[int]:
    """Every card whose place the snapshot shows; face-down and laid cards are only counted."""
    hands = [card for hand in snapshot["front"] + snapshot["back"] for card in hand]
    pile = [card for card in snapshot["pile"] if card < 100]
    return hands + pile + [snapshot["virage"]] * (snapshot["virage"] >= 0)


def number_of_cards(snapshot: dict[str, Any]) -> int:
    return len(cards(snapshot)) + snapshot["laid"] + 1
