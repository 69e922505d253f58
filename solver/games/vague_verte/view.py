"""VAGUE VERTE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.vague_verte.state import DRAW_STOCK, build_deck
from houle.solver.games.vague_verte.text import snapshot
from houle.solver.matches.views import Face, Row, line, row, shown
from houle.solver.rules import Setup


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen = snapshot(state, setup)
    deck = build_deck(setup.options)

    def card(number: int) -> Face:
        name = deck[number]
        painted = next((word for word in name.replace("-", " ").split() if word in ("red", "green", "blue", "yellow",
                       "orange", "white", "black", "pink", "purple")), "paper")  # fmt: skip
        return {"name": name, "paint": painted, "move": name}

    rows = [row("face-up pile, top", map(card, seen["faceup"][-1:]))]
    lights = [
        {"top": str(place), "name": "row, red light" if number >= 0 else "row",
         "paint": "red" if number >= 0 else "grey", "move": f"row {place}"}
        for place, number in enumerate(seen["lights"], 1)
    ]  # fmt: skip
    rows.append(row("rows of the road", lights, True))
    for seat, road in enumerate(seen["roads"]):
        who = "your road" if seat == viewer else f"road of player {seat + 1}"
        rows.append(row(who, (card(square[-1]) for square in road)))
    rows.append(row("your hand", map(card, seen["hands"][viewer]), True))
    rows.append(line("cards left to draw", f"{len(seen['stock'])}"))
    return shown(rows)


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: cards that others draw from the stock are not shown."""
    unseen = action == DRAW_STOCK and int(before.mover) != viewer
    return ["draws a card"] if unseen else list(events)
