"""VAGUE VERTE: every combination of variants and players, and every knob changed."""

from itertools import combinations
from typing import Any

FEW = {
    "deck.cars": [1],
    "deck.breakdowns": 0,
    "deck.tows": 0,
    "deck.ambulances": 0,
    "deck.ducks": 0,
    "deck.red_lights": 1,
    "deck.green_lights": 1,
}
VARIANTS = ("match", "forced", "last-square")

CASES: list[tuple[int, tuple[str, ...], dict[str, Any]]] = [
    (players, chosen, {}) for size in range(4) for chosen in combinations(VARIANTS, size) for players in (2, 3, 4)
]
CASES += [
    (4, (), {"match": "colour_or_number"}),
    (3, (), {"forced_play": True}),
    (2, (), {"attack_last_square": True}),
    (2, (), {"road": 3}),
    (4, ("last-square",), {"road": 3}),
    (4, ("match",), {"road": 12, "max_turns": 1000}),
    (3, (), {"hand": 1}),
    (4, ("forced",), {"hand": 8}),
    (2, (), {"hand": 16}),
    (4, (), {"max_turns": 10}),
    (3, ("match",), {"max_turns": 41}),
    (2, (), {"deck.cars": [1, 2, 3, 4]}),
    (3, ("match",), {"deck.cars": [0, 5, 5, 9]}),
    (4, ("match", "forced"), {"deck.cars": [1, 2, 3, 4, 5, 6, 7, 8, 9]}),
    (3, ("last-square",), {"deck.breakdowns": 3}),
    (4, (), {"deck.breakdowns": 0, "deck.tows": 0}),
    (3, ("last-square",), {"deck.tows": 2, "deck.breakdowns": 3}),
    (2, (), {"deck.ambulances": 4, "deck.red_lights": 5}),
    (3, (), {"deck.ambulances": 0}),
    (3, (), {"deck.ducks": 7}),
    (4, ("forced",), {"deck.ducks": 0}),
    (4, (), {"deck.red_lights": 8, "deck.green_lights": 3, "deck.ambulances": 2}),
    (4, ("forced",), {"deck.red_lights": 0, "deck.green_lights": 8}),
    # Few cards: reshuffles, face-up piles of one card or none, hands that run empty, turns passed.
    (4, (), FEW | {"hand": 2, "deck.breakdowns": 1, "deck.tows": 1, "deck.ambulances": 1, "deck.ducks": 1}),
    (3, ("forced",), FEW | {"hand": 3, "deck.cars": [1, 2]}),
    (
        2,
        ("forced",),
        FEW | {"hand": 2, "road": 4, "deck.ducks": 1, "deck.red_lights": 0, "deck.green_lights": 0},
    ),
]

# Every knob changes how a random game goes.
SILENT_KNOBS: set[str] = set()


def number_of_cards(snapshot: dict[str, Any]) -> int:
    """Every card, wherever it is; the number must not change."""
    on_roads = sum(len(square) for road in snapshot["roads"] for square in road)
    lights = sum(light >= 0 for light in snapshot["lights"])
    return sum(map(len, snapshot["hands"])) + len(snapshot["stock"]) + len(snapshot["faceup"]) + on_roads + lights
