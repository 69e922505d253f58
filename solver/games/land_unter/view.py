"""LAND UNTER: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.land_unter.state import TAKE
from houle.solver.games.land_unter.text import trick_after
from houle.solver.matches.known import Known
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, line, row, tally
from houle.solver.rules import Setup

# Drawn above the number of a card.
WAVES = "M2 10q3-4 6 0t6 0t6 0M2 15q3-4 6 0t6 0t6 0"
CLOUD = "M7 18a4 4 0 0 1 0-8a5 5 0 0 1 10-1a4 4 0 0 1 0 9z"


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, viewer, taking = setup.rules[0], known.seat, bool(known["taking"])
    water: list[Face] = [
        {"top": str(value), "name": "water", "paint": "water", "icon": WAVES, "typed": str(value),
         "moves": (TAKE + value,) if rules.choice else ()}
        for value in (known["water"] if not known["over"] else ())
    ]  # fmt: skip
    hand = [_weather(card + 1) | {"moves": (card,), "blocked": "first take a water card" if taking else ""}
            for card in (known["hand", viewer] if not known["out", viewer] else ())]  # fmt: skip
    players = [*zip(known.each("out"), known.each("lifebelts"), known.each("level"), strict=True)]
    return [
        row("water cards of this trick", water, True, region=MIDDLE),
        row("this trick", _played((seat, card) for seat, card in enumerate(known.each("card")) if card)),
        row("hand", hand, True, seat=viewer, region=HAND),
        line("round", f"{known['rounds'] + 1} of {int(rules.rounds)}"),
        line("trick", f"{known['tricks of the round'] + 1} of {int(rules.hand)}"),
        tally("lifebelts", ["out" if out else belts for out, belts, _ in players]),
        tally("water level", ["–" if out else level for out, _, level in players]),
    ]


def _weather(number: int) -> Face:
    return {"top": str(number), "name": "weather", "icon": CLOUD, "typed": str(number)}


def _played(cards: Iterable[tuple[int, int]]) -> list[Face]:
    return [_weather(card) | {"owner": f"seat {seat}"} for seat, card in cards]


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
