"""VAGUE & ATTAQUE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.state import FIRST_ARTEFACT, FIRST_ENCOUNTER, FIRST_PLACE, SHIP_CARD
from houle.solver.games.vague_attaque.text import card_name, snapshot
from houle.solver.games.vague_attaque.text.names import called, title
from houle.solver.games.vague_attaque.text.position import hidden_cards
from houle.solver.matches.views import Face, Row, row, shown
from houle.solver.rules import Setup


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen = snapshot(state, setup)
    cards = setup.options["deck"].cards

    def card(number: int) -> Face:
        move = card_name(number) if number < FIRST_ARTEFACT else ""
        if number < FIRST_PLACE:
            return {"name": str(cards["souvenir"][number]["name"]), "paint": "yellow", "move": move}
        if number < FIRST_ENCOUNTER:
            if number == SHIP_CARD:
                return {
                    "name": "ship, stays this round" if seen["ship_waits"] else "ship",
                    "paint": "sky",
                    "move": move,
                }
            return {"name": f"{called(setup, number)} {move}", "paint": "sky", "move": move}
        if number < FIRST_ARTEFACT:
            return {"name": str(cards["encounter"][number - FIRST_ENCOUNTER]["name"]), "paint": "grey", "move": move}
        return {"name": str(cards["artefact"][number - FIRST_ARTEFACT]["name"]), "paint": "pink"}

    rows = [row("your artefact", [card(seen["artefact"][viewer])])]
    if seen["pending"] >= 0:
        rows.append(row("encounter", [card(seen["pending"])]))
    for seat, zone in enumerate(seen["zones"]):
        who = "your places" if seat == viewer else f"places of player {seat + 1}"
        rows.append(row(who, (card(number) for place, lying in zone for number in (place, *lying)), True))
    rows.append(row("your hand", map(card, seen["hands"][viewer]), True))
    return shown(rows)


def move_in_words(setup: Setup, move: str) -> str:
    """A move with cards by their names in the deck; seats count from 0, as in all moves."""
    cards = setup.options["deck"].cards

    def name(match: re.Match[str]) -> str:
        return str(cards[match[1]][int(match[2])]["name"])

    return re.sub(r"\b(souvenir|encounter) (\d+)", name, move)


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: unseen cards in other hands have no name."""
    others = [seat for seat in range(setup.players) if seat != viewer]
    unseen = [card for holder in others for card in hidden_cards(after, holder, viewer)]
    names = sorted((name for card in unseen for name in (title(setup, card), called(setup, card))), key=len)
    lines = []
    for line in events:
        for name in reversed(names):
            line = line.replace(name, "a card")
        lines.append(line)
    return lines
