"""LAND UNTER: secret and open play with every number of players, and every knob changed."""

from typing import Any

PLAIN_WATER = list(range(1, 25))
FLAT_WATER = [3, 3, 3, 3, 7, 7, 7, 7] * 3

CASES: list[tuple[int, tuple[str, ...], dict[str, Any]]] = [
    (players, chosen, settings)
    for players in (3, 4, 5)
    for chosen in ((), ("open",))
    for settings in ({}, {"winner_takes": "choice"}, {"final_cascade": True})
]
# With three players an elimination ends the round, so a cascade never begins.
CASES += [(players, chosen, {"elimination_cascade": False}) for players in (4, 5) for chosen in ((), ("open",))]
CASES += [
    (3, (), {"play": "open"}),
    (3, (), {"elimination_cascade": False, "winner_takes": "choice"}),
    (4, (), {"rounds": 1}),
    (3, (), {"rounds": 7}),
    (5, ("open",), {"rounds": 20, "hand": 2}),
    (4, (), {"memory": "round"}),
    (5, ("open",), {"memory": "round", "winner_takes": "choice"}),
    (3, (), {"hand": 1}),
    (4, (), {"hand": 5, "deck.weather": 20}),
    (5, ("open",), {"hand": 12, "deck.weather": 64, "deck.halves": [2] * 8 + [0] * 40 + [1] * 16}),
    (3, (), {"hand": 20, "deck.water": [*PLAIN_WATER, *PLAIN_WATER]}),
    (5, (), {"deck.halves": [0] * 60}),
    (5, ("open",), {"deck.halves": [0] * 54 + [2] * 6, "final_cascade": True}),
    (5, (), {"deck.halves": [0, 0, 0, 1, 0, 0] * 10, "elimination_cascade": False, "winner_takes": "choice"}),
    (4, (), {"deck.halves": [1] * 60}),
    (4, ("open",), {"deck.water": PLAIN_WATER}),
    (5, (), {"deck.water": FLAT_WATER}),
    (5, ("open",), {"deck.water": FLAT_WATER, "deck.halves": [0] * 50 + [1] * 10}),
    (4, (), {"deck.water": [99] * 30, "winner_takes": "choice"}),
    (3, (), {"score.belt": 2, "score.eliminated": 3, "score.lowest": -4}),
    (4, ("open",), {"score.belt": -1, "score.eliminated": -9, "score.lowest": 9}),
    (3, (), {"score.belt": 0, "score.eliminated": 0, "score.lowest": 0}),
]

# Knobs that change what a strategy may know, never how a random game goes.
SILENT_KNOBS = {"memory"}


def number_of_cards(snapshot: dict[str, Any]) -> int:
    """Weather cards that belong to a pack, and water cards in the pile, turned up or taken in this round."""
    weather = {card for place in ("packs", "hands") for cards in snapshot[place] for card in cards}
    weather |= set(snapshot["committed"]) - {0}
    return len(weather) + len(snapshot["pile"]) + len(snapshot["water"]) + 2 * snapshot["trick"]
