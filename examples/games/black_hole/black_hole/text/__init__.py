"""Black Hole in words: names of cards and moves, the state as plain data and as text."""

from __future__ import annotations

from typing import Any

from black_hole.plain import name
from black_hole.state import NOTHING
from houle.own_game import Setup, State


def piles(state: State, setup: Setup) -> list[list[int]]:
    height = int(setup.options["height"])
    return [
        [int(card) for card in state.cards[pile * height : pile * height + int(state.left[pile])]]
        for pile in range(int(setup.options["piles"]))
    ]


def action_name(state: State, setup: Setup, action: int) -> str:
    return name(piles(state, setup)[action][-1])


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    hole = int(state.hole)
    return {"hole": -1 if hole == NOTHING else hole, "piles": piles(state, setup), "laid": int(state.laid)}


def show(state: State, setup: Setup) -> str:
    hole = "nothing" if state.hole == NOTHING else name(int(state.hole))
    rows = "; ".join(", ".join(map(name, pile)) for pile in piles(state, setup) if pile)
    return f"hole: {hole}\npiles, the last card on top: {rows}"


def number_of_cards(snapshot: dict[str, Any]) -> int:
    """Cards in the game; those in the hole stay there."""
    return int(snapshot["laid"]) + sum(map(len, snapshot["piles"]))
