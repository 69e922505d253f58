"""VAGUE & ATTAQUE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.state import FIRST_ARTEFACT, FIRST_ENCOUNTER, FIRST_PLACE, NONE, SHIP_CARD
from houle.solver.games.vague_attaque.text import card_name, snapshot
from houle.solver.games.vague_attaque.text.names import called, facts_of, title
from houle.solver.games.vague_attaque.text.position import hidden_cards
from houle.solver.matches.views import HAND, MIDDLE, SEAT, Face, Row, line, row, shown, tally
from houle.solver.rules import Setup

PAINTS = (
    (FIRST_ARTEFACT, "pink"),
    (FIRST_ENCOUNTER, "grey"),
    (FIRST_PLACE, "sky"),
    (0, "yellow"),
)  # first card of a kind
FULL = 3  # souvenirs that complete a place
PHASE_WORDS = {
    "explore": "I, explore", "spyglass": "I, explore", "encounter": "II, adventure or duel", "steady": "II, duel",
    "parry": "II, duel", "lose": "II, duel", "land": "III, land", "extra": "III, land", "mooring": "III, land",
    "drop": "end of the turn", "refill": "end of the turn",
}  # fmt: skip


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    blocked = _blocked(seen["phase"])

    def card(number: int) -> Face:
        paint = next(paint for first, paint in PAINTS if number >= first)
        move = card_name(number) if number < FIRST_ARTEFACT else ""
        facts = facts_of(setup, number).replace("/", ", ").replace("; anchor: ", ", anchor: ")
        if number < FIRST_PLACE:
            shared = facts.removeprefix("shared, ")
            facts = f"dedicated, fits {facts}" if shared == facts else f"shared, fits {shared}"
        elif number < FIRST_ENCOUNTER:
            facts = "three souvenirs validate it"
        elif number >= FIRST_ARTEFACT:
            facts = f"artefact: {facts}"
        return {"name": called(setup, number), "paint": paint, "about": facts, "move": move, "wide": True}

    def stack(place: int, lying: list[int], seat: int | None) -> Row:
        note = "validated" if len(lying) >= FULL else ""
        if place == SHIP_CARD and seen["ship_waits"]:
            note = "stays this round"
        room = int(rules.ship_limit) if rules.solo and place == SHIP_CARD else FULL
        empty = [{"empty": True, "wide": True} for _ in range(room - len(lying))]
        cards = [card(place), *map(card, lying), *empty]
        return row(called(setup, place), cards, True, seat=seat, region=MIDDLE if seat is None else SEAT,
                   layout="stack", note=note)  # fmt: skip

    rows = []
    if seen["ship_holder"] < 0:
        rows.append(stack(SHIP_CARD, seen["ship_cards"], None))
    if seen["pending"] >= 0:
        rows.append(row("encounter", [card(seen["pending"])]))
    if seen["discards"]["souvenirs"]:
        rows.append(row("last souvenir discarded", [card(seen["discards"]["souvenirs"][-1])]))
    drawn = [int(number) for number in state.drawn if number != NONE] if viewer == seen["to_move"] else []
    rows.append(row("turned up", map(card, drawn), True, region=HAND))
    for step in range(1, setup.players + 1):
        seat = (viewer + step) % setup.players
        rows.append(row("artefact", [card(seen["artefact"][seat])], seat=seat, layout="stack"))
        rows += [stack(place, lying, seat) for place, lying in seen["zones"][seat]]
    hand = [card(number) | {"blocked": blocked} for number in seen["hands"][viewer]]
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    target = int(rules.target)
    partner = int(rules.partner[viewer])
    rows += [
        line("round", f"{seen['turn'] // setup.players + 1}"),
        line("phase", PHASE_WORDS.get(seen["phase"], "II, adventure")),
        line("turn of", f"seat {seen['seat']}" if seen["seat"] != viewer else ""),
        line("partner", f"seat {partner}" if partner != viewer else ""),
        line("wins with", f"{target} validated places" + (" of a team" if partner != viewer else "")),
        line("piles", ", ".join(f"{len(cards)} {name}" for name, cards in seen["decks"].items())),
        tally("validated", seen["validated"]),
        tally("cards", [len(cards) for cards in seen["hands"]]),
    ]
    return shown(rows)


def _blocked(phase: str) -> str:
    """Why a card of the hand cannot be played now."""
    return {
        "explore": "in phase I you only draw",
        "encounter": "cards of your hand are laid in phase III",
        "land": "it fits no open place of yours, or its third souvenir would leave no dedicated one",
        "extra": "it fits no open place of yours",
    }.get(phase, "it is not part of this decision")


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.turns) // setup.players + 1}"


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
    for words in events:
        for name in reversed(names):
            words = words.replace(name, "a card")
        lines.append(words)
    return lines
