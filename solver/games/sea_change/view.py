"""SEA CHANGE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.sea_change.state import COLOURS, MAX_VALUES
from houle.solver.games.sea_change.text import card_name, snapshot
from houle.solver.matches.views import Face, Row, by_player, line, row, shown
from houle.solver.rules import Setup


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen = snapshot(state, setup)

    def card(number: int) -> Face:
        colour = COLOURS[number // MAX_VALUES]
        return {"top": str(number % MAX_VALUES), "name": colour, "paint": colour, "move": card_name(number)}

    trump = [] if seen["trump"] < 0 else [{"name": COLOURS[seen["trump"]], "paint": COLOURS[seen["trump"]]}]
    gone = [number for cards in seen["captured"] for number in cards]
    colours = {colour: sorted(number % MAX_VALUES for number in gone if COLOURS[number // MAX_VALUES] == colour)
               for colour in dict.fromkeys(COLOURS[number // MAX_VALUES] for number in sorted(gone))}  # fmt: skip
    played = "; ".join(f"{colour} {', '.join(map(str, values))}" for colour, values in colours.items())
    rows = [
        row("trump", trump),
        row("trick so far", (card(number) for _, number in seen["trick"])),
        row("your hand", map(card, seen["hands"][viewer]), True),
        line("played before", played or "nothing"),
        line("points", by_player(seen["points"], viewer)),
    ]
    return shown(rows)


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a card as the viewer sees them: cards that others draw are not shown."""
    own = int(before.mover) == viewer
    return [line if own or not line.startswith("draws ") else "draws a card" for line in events]
