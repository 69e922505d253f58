"""SEA CHANGE: every number of players and team layout, and every knob changed."""

from typing import Any

LAYOUTS = {
    "2v2": 4,
    "3v2": 5,
    "2v2v1": 5,
    "2v2v2": 6,
    "3v3": 6,
    "3v2v2": 7,
    "2v2v2v1": 7,
    "2v2v2v2": 8,
    "4v4": 8,
}

CASES: list[tuple[int, tuple[str, ...], dict[str, Any]]] = [(players, (), {}) for players in range(1, 9)]
CASES += [(players, (layout,), {}) for layout, players in LAYOUTS.items()]
CASES += [
    (4, (), {"teams": "2v2"}),
    (4, ("2v2",), {"team_target": 1}),
    (5, ("3v2",), {"team_target": 9}),
    (6, (), {"target": 1}),
    (1, (), {"target": 1}),
    (2, (), {"target": 5}),
    (3, (), {"target": 9}),
    (1, (), {"hand": 4}),
    (2, (), {"hand": 1}),
    (2, (), {"hand": 4}),
    (2, (), {"hand": 15}),
    (3, (), {"hand": 6}),
    (8, ("2v2v2v2",), {"hand": 3}),
    (3, (), {"trump_zero": 0}),
    (4, (), {"trump_zero": -7}),
    (3, (), {"points": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}),
    (3, (), {"points": [-2, 1, 2, 3, 4, 5, 6, 7, -8, 9, -10, 11, -12, 13, 14, -15]}),
    (2, (), {"points": [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}),
    (8, (), {"points": [20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20], "trump_zero": 20}),
    (
        8,
        ("4v4",),
        {"points": [-20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20]},
    ),
    (1, (), {"deck.colours": 5}),
    (1, (), {"deck.colours": 5, "hand": 16}),
    (1, (), {"deck.values": [0, 4, 5, 6, 7, 9, 10, 11, 12, 13]}),
    (2, (), {"deck.colours": 5, "hand": 8}),
    (2, (), {"deck.colours": 5, "deck.values": list(range(16)), "hand": 40}),
    (3, (), {"deck.colours": 5, "hand": 16}),
    (3, (), {"deck.colours": 1, "deck.values": list(range(16)), "hand": 5}),
    (4, (), {"deck.colours": 5}),
    (5, (), {"deck.colours": 4, "hand": 8}),
    (3, (), {"deck.values": [1, 2, 3, 8, 13, 14, 15], "hand": 7}),
    (6, (), {"deck.values": [0, 8, 9], "hand": 2}),
    (7, ("3v2v2",), {"deck.values": [0, 4, 5, 6, 7, 8, 9, 10, 11, 12], "hand": 7}),
]

# Every knob changes how a random game goes.
SILENT_KNOBS: set[str] = set()


def number_of_cards(snapshot: dict[str, Any]) -> int:
    """Every card of the round, wherever it is; the number must not change."""
    held = [*snapshot["hands"], *snapshot["captured"], snapshot["pile"], snapshot["trick"]]
    return sum(map(len, held))
