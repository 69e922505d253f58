"""WAVE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from houle.solver.compiler.types import State
from houle.solver.games.wave.board import is_signal
from houle.solver.games.wave.state import AT_NONE, BACK, DUMMY, KNOWN, NONE, OPEN
from houle.solver.games.wave.text import card_name, signal_name, snapshot
from houle.solver.games.wave.text.seen import advisers
from houle.solver.matches.views import HAND, MIDDLE, SEAT, Face, Row, hidden, line, row, shown
from houle.solver.rules import Setup

CALLED = {"the dummy": "Vaimiti"}  # at the table, as the rulebook does


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    acting = seen["acting"]
    blocked = _blocked(seen, setup)

    def card(number: int) -> Face:
        name = card_name(setup, number)
        colour, _, top = name.rpartition(" ")
        mark = "reverse" if int(rules.reverse) >> number & 1 else ""
        return {"top": top, "name": colour, "paint": colour, "mark": mark, "move": name}

    def cards(numbers: list[int], shown: bool) -> list[Face]:
        return [card(number) for number in numbers] if shown else hidden(len(numbers))

    rows = []
    if rules.nazare:
        rows.append(_great_wave(seen["wave"], setup, card))
    else:
        rows.append(row("to beat", [card(seen["top"])] if seen["top"] >= 0 else hidden(1)))
    if seen["virage"] >= 0:
        rows.append(row("Virage card", [card(seen["virage"])]))
    for step in range(int(rules.seats)):
        seat = (acting + step) % int(rules.seats)
        mine = seat == acting
        if rules.dummy and seat == DUMMY:
            up = [one | {"blocked": blocked} if mine else one for one in cards(seen["front"][seat], True)]
            rows.append(row("Vaimiti, face up", up, mine, region=HAND if mine else MIDDLE))
            rows.append(row("Vaimiti, face down", hidden(len(seen["back"][seat]))))
            continue
        front = cards(seen["front"][seat], seat == viewer or rules.talk == OPEN)
        back = _back_cards(state, setup, seat, viewer, card)
        region = HAND if seat == viewer else SEAT
        for label, part in (("front", front), ("back", back)):
            faces = [one | {"blocked": blocked} for one in part] if mine and seat == viewer else part
            rows.append(row(label, faces, mine, seat=seat, region=region))
    if rules.nazare:
        rows.append(line("to beat", _to_beat(seen["wave"], setup)))
    if rules.signals:
        rows.append(line("pointing", _signals(state, setup)))
    rows.append(line("cards laid", f"{seen['laid'] + 1} of {int(rules.deck_size)}"))
    rows.append(line("pile", f"{len(seen['pile'])} cards"))
    turned = [f"{what} inverted" for what, on in zip(("colours", "numbers"), seen["inverted"], strict=True) if on]
    rows.append(line("play goes", "; ".join([f"{'clockwise' if seen['direction'] > 0 else 'anticlockwise'}", *turned])))
    return shown(rows)


def _blocked(seen: dict[str, Any], setup: Setup) -> str:
    """Why a card cannot be played."""
    if setup.rules[0].virage and not seen["asked"]:
        return "first decide about the swap"
    if setup.rules[0].nazare:
        return "it must beat the card on its left and the card below it, in number or in colour"
    return f"neither its number nor its colour is higher than {card_name(setup, seen['top'])}"


def _back_cards(state: State, setup: Setup, seat: int, viewer: int, card: Callable[[int], Face]) -> list[Face]:
    """The back cards of a surfer by place; the owner sees only their backs, with the place as a number."""
    rules, acting = setup.rules[0], seat == int(state.acting)
    unseen = seat == viewer and rules.talk < KNOWN
    faces = []
    for place, number in enumerate(map(int, state.held[seat]), 1):
        if number == NONE or not int(state.back[seat]) >> number & 1:
            continue
        shown = card(number)
        one = {"hidden": True, "top": str(place), "move": f"@{place}"} if unseen else shown
        if acting and rules.signals:
            one |= {} if unseen else {"place": str(place)}
            pointing = [other for other in advisers(state, setup) if int(state.signals[other]) == BACK + place - 1]
            one |= {"pointing": [f"seat {other}" for other in pointing]} if pointing else {}
            if is_signal(state):
                one["move"] = str(place)  # as signals name it
        faces.append(one)
    return faces


def _signals(state: State, setup: Setup) -> str:
    """Where the others point, in words."""
    words = []
    for seat in advisers(state, setup):
        signal = int(state.signals[seat])
        if signal != NONE:
            what = "no card" if signal == AT_NONE else signal_name(setup, signal, "card ")
            words.append(f"seat {seat} points at {what}")
    return "; ".join(words)


def move_in_words(setup: Setup, move: str) -> str:
    """`point 4` -> `point at card 4`; unseen cards by the number on their back, `hide` and `swap` in full."""
    move = re.sub(r"the card @(\d)", r"card \1", move)
    verb, _, what = move.partition(" ")
    if verb == "point":
        return "point at no card" if what == "none" else f"point at {'card ' if what.isdigit() else ''}{what}"
    return {"hide": f"lay {what} face down", "swap": f"swap {what} for the Virage card"}.get(verb, move)


def cards_in_places(states: Any, setup: Setup) -> Any:
    """The card in every slot of every hand, counted from 1, one row per state; 0 for an empty slot."""
    held = states.held.reshape(len(states), -1).astype(int)
    return np.where(held == NONE, 0, held + 1)


def _great_wave(cells: list[int], setup: Setup, card: Callable[[int], Face]) -> Row:
    """Nazare: the columns so far, from the bottom up; the place of the next card is marked."""
    faces, cell = [], 0
    for column, height in enumerate(setup.options["heights"], 1):
        for _ in range(height):
            if cell < len(cells):
                one = card(cells[cell]) if cells[cell] >= 0 else {"hidden": True}
            else:
                one = {"empty": True, "name": "next" if cell == len(cells) else ""}
            faces.append(one | {"column": column})
            cell += 1
    return row("the wave", faces, layout="columns")


def _to_beat(cells: list[int], setup: Setup) -> str:
    """Nazare: what the next card must beat."""
    rules, cell = setup.rules[0], len(cells)
    if cell >= int(rules.deck_size):
        return ""
    near = [("on the left", int(rules.left[cell])), ("below", int(rules.below[cell]))]
    words = [f"{card_name(setup, cells[place])} {where}" for where, place in near
             if place != NONE and cells[place] >= 0]  # fmt: skip
    return " and ".join(words) or "nothing: any card fits"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: only its owner sees a drawn front card, the others a back card."""
    rules, seat = setup.rules[0], int(before.acting)
    if rules.talk == OPEN or (bool(rules.dummy) and seat == DUMMY):
        return list(events)
    unseen = ("back" if rules.talk < KNOWN else "") if seat == viewer else "front"
    return [
        f"draws a {unseen} card" if unseen and re.fullmatch(rf"draws .* as a {unseen} card", line) else line
        for line in events
    ]
