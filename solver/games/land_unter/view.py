"""LAND UNTER: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.land_unter.text import snapshot
from houle.solver.matches.views import Row, by_player, line, row
from houle.solver.rules import Setup


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen = snapshot(state, setup)
    water = [{"top": str(value), "name": "water", "paint": "water", "move": f"take {value}"} for value in seen["water"]]
    hand = [{"top": str(value), "name": "weather", "move": f"play {value}"} for value in seen["hands"][viewer]]
    levels = []
    for seat, level in enumerate(seen["level"]):
        who = "you" if seat == viewer else f"player {seat + 1}"
        out = seen["out"][seat]
        belts = "out" if out else f"{seen['belts'][seat]} belts"
        levels.append({"top": "" if out else str(level), "name": f"{who} {belts}", "paint": "grey"})
    return [
        row("water cards of this trick", water, True),
        row("water levels and lifebelts", levels),
        row("your hand", hand, True),
        line("trick", f"{seen['trick'] + 1}"),
        line("points", by_player(seen["points"], viewer)),
    ]


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a trick: everyone sees all of them."""
    return list(events)
