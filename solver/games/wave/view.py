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
from houle.solver.matches.views import Face, Row, hidden, line, row, shown
from houle.solver.rules import Setup


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    acting = seen["acting"]

    def card(number: int) -> Face:
        name = card_name(setup, number)
        colour, _, top = name.rpartition(" ")
        mark = "reverse" if int(rules.reverse) >> number & 1 else ""
        return {"top": top, "name": colour, "paint": colour, "mark": mark, "move": name}

    def cards(numbers: list[int], shown: bool) -> list[Face]:
        return [card(number) for number in numbers] if shown else hidden(len(numbers))

    on_pile = [card(seen["top"])] if seen["top"] >= 0 else hidden(1)
    rows = _great_wave(seen["wave"], setup, card) if rules.nazare else [row("to beat", on_pile)]
    if seen["virage"] >= 0:
        rows.append(row("Virage card", [card(seen["virage"])]))
    for step in range(int(rules.seats)):
        seat = (acting + step) % int(rules.seats)
        dummy = bool(rules.dummy) and seat == DUMMY
        who = "dummy" if dummy else "you" if seat == viewer else f"surfer {seat + 1}"
        front = dummy or seat == viewer or rules.talk == OPEN
        rows.append(row(f"{who}, front", cards(seen["front"][seat], front), seat == acting))
        if dummy:
            rows.append(row(f"{who}, back", hidden(len(seen["back"][seat]))))
        else:
            rows.append(row(f"{who}, back", _back_cards(state, setup, seat, viewer, card), seat == acting))
    if rules.signals:
        rows.append(line("signals", _signals(state, setup, viewer)))
    rows.append(line("cards laid", f"{seen['laid']}; {len(seen['pile'])} in the pile"))
    turned = [f"{what} inverted" for what, on in zip(("colours", "numbers"), seen["inverted"], strict=True) if on]
    way = "clockwise" if seen["direction"] > 0 else "anticlockwise"
    rows.append(line("play goes", "; ".join([way, *turned])))
    return shown(rows)


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
            one |= {"pointing": [_surfer(other, viewer) for other in pointing]} if pointing else {}
            if is_signal(state):
                one["move"] = str(place)  # as signals name it
        faces.append(one)
    return faces


def _surfer(seat: int, viewer: int) -> str:
    return "you" if seat == viewer else f"surfer {seat + 1}"


def _signals(state: State, setup: Setup, viewer: int) -> str:
    """Where the others point, in words."""
    words = []
    for seat in advisers(state, setup):
        signal = int(state.signals[seat])
        if signal != NONE:
            what = "no card" if signal == AT_NONE else signal_name(setup, signal, "card ")
            words.append(f"{_surfer(seat, viewer)} point{'' if seat == viewer else 's'} at {what}")
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


def _great_wave(cells: list[int], setup: Setup, card: Callable[[int], Face]) -> list[Row]:
    """Nazare: what the next card must beat, and the columns so far, from the bottom up."""
    rules, cell = setup.rules[0], len(cells)
    rows = []
    if cell < int(rules.deck_size):
        for where, place in (("on the left", int(rules.left[cell])), ("below", int(rules.below[cell]))):
            if place != NONE:
                rows.append(row(f"to beat {where}", [card(cells[place])] if cells[place] >= 0 else hidden(1)))
    start = 0
    for number, height in enumerate(setup.options["heights"], 1):
        part = cells[start : start + height]
        rows.append(row(f"column {number}", [card(one) if one >= 0 else hidden(1)[0] for one in part]))
        start += height
    return rows


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
