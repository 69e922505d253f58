"""LAND UNTER: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.land_unter.text import snapshot, trick_after
from houle.solver.games.land_unter.text.position import is_secret
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, line, row, shown, tally
from houle.solver.rules import Setup

# Drawn above the number of a card.
WAVES = "M2 10q3-4 6 0t6 0t6 0M2 15q3-4 6 0t6 0t6 0"
CLOUD = "M7 18a4 4 0 0 1 0-8a5 5 0 0 1 10-1a4 4 0 0 1 0 9z"


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    water = [{"top": str(value), "name": "water", "paint": "water", "icon": WAVES, "move": f"take {value}"}
             for value in seen["water"]]  # fmt: skip
    choosing = "first take a water card" if state.taking else ""
    hand = [{"top": str(value), "name": "weather", "icon": CLOUD, "move": f"play {value}", "blocked": choosing}
            for value in seen["hands"][viewer]]  # fmt: skip
    rows = [row("water cards of this trick", water, True, region=MIDDLE)]
    cards = [] if is_secret(state, rules) else [(seat, card) for seat, card in enumerate(seen["committed"]) if card]
    rows.append(row("this trick", _played(cards)))
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    rows += [
        line("round", f"{seen['round'] + 1} of {int(rules.rounds)}"),
        line("trick", f"{seen['trick'] + 1} of {int(rules.hand)}"),
        *([line("leads", f"seat {seen['leader']}")] if seen["leader"] >= 0 else []),
        tally("points", seen["points"]),
        tally("lifebelts", ["out" if out else belts for out, belts in zip(seen["out"], seen["belts"], strict=True)]),
        tally("water level", ["–" if out else level for out, level in zip(seen["out"], seen["level"], strict=True)]),
    ]
    return shown(rows)


def _played(cards: Iterable[tuple[int, int]]) -> list[Face]:
    return [{"top": str(card), "name": "weather", "icon": CLOUD, "owner": f"seat {seat}"} for seat, card in cards]


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """The trick that a card ended; see `views`."""
    if int(after.tricks) == int(before.tricks):
        return None
    cards, *takers = trick_after(before, setup, action)
    cards = {} if int(after.rounds) > int(before.rounds) else cards  # the hands have moved on
    waters = ", ".join(f"seat {seat} took water {water}" for seat, water in takers)
    return row(f"last trick: {waters}", _played(cards.items()), layout="past")


def is_revealed(before: State, now: State) -> bool:
    """Whether everyone knows by now a card that was chosen face down."""
    return int(now.tricks) > int(before.tricks)


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.rounds) + 1}, trick {int(state.trick) + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a trick: everyone sees all of them."""
    return list(events)
