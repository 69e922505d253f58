"""WAVE in words: card and action names, the state as plain data and as text."""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import members
from houle.solver.games.wave.state import BACK, DUMMY, FACEDOWN, HIDE, NO_SWAP, NONE, SWAP
from houle.solver.ruleset import Setup
from houle.solver.types import State


def card_name(setup: Setup, card: int) -> str:
    numbers = setup.options["deck.numbers"]
    return f"{setup.options['deck.colours'][card // len(numbers)]} {numbers[card % len(numbers)]}"


def action_name(state: State, setup: Setup, action: int) -> str:
    if action == NO_SWAP:
        return "no swap"
    code = action & (HIDE - 1)
    card = int(state.held[state.acting, code - BACK]) if code >= BACK else code
    verb = "swap" if action >= SWAP else "hide" if action >= HIDE else "play"
    return f"{verb} {card_name(setup, card)}"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state in plain numbers and lists, as tests/reference/wave.py has it."""
    rules = setup.rules[0]
    seats = range(int(rules.seats))
    over = int(state.mover) < 0

    def card(value: Any) -> int:
        return -1 if int(value) in (NONE, FACEDOWN) else int(value)

    return {
        "acting": -1 if over else int(state.acting),
        "direction": -1 if state.turned else 1,
        "front": [members(state.front[seat]) for seat in seats],
        "back": [members(state.back[seat]) for seat in seats],
        "pile": sorted(int(value) for value in state.pile[: int(state.pile_left)]),
        "top": card(state.top),
        "virage": card(state.virage),
        "taken": card(state.taken),
        "asked": bool(state.asked),
        "inverted": [bool(state.order & 1), bool(state.order & 2)],
        "wave": [card(value) for value in state.cells[: int(state.laid) + 1]] if rules.nazare else [],
        "facedown": int(state.facedown),
        "laid": int(state.laid),
        "over": over,
    }


def show(state: State, setup: Setup) -> str:
    """The table as text: what lies open, then every hand (front | back)."""
    rules = setup.rules[0]
    seen = snapshot(state, setup)

    def names(cards: list[int]) -> str:
        return ", ".join(card_name(setup, card) for card in cards) or "none"

    def single(card: int) -> str:
        return "face down" if card < 0 else card_name(setup, card)

    facts = [
        f"top {single(seen['top'])}",
        f"pile {len(seen['pile'])}",
        "clockwise" if seen["direction"] > 0 else "against the clock",
    ]
    if rules.virage:
        facts.append(f"Virage {single(seen['virage'])}" if seen["virage"] >= 0 else "Virage card laid")
    facts += [f"{what} inverted" for what, on in zip(("colours", "numbers"), seen["inverted"], strict=True) if on]
    lines = ["; ".join(facts)]
    for seat in range(int(rules.seats)):
        who = "dummy " if rules.dummy and seat == DUMMY else f"seat {seat}"
        lines.append(f"  {who}  {names(seen['front'][seat])} | {names(seen['back'][seat])}")
    if rules.nazare:
        lines.append("  wave    " + " / ".join(" ".join(column) for column in _columns(seen["wave"], setup)))
    return "\n".join(lines)


def _columns(cells: list[int], setup: Setup) -> list[list[str]]:
    """The laid part of the great wave, a list per column from the bottom up."""
    columns, start = [], 0
    for height in setup.options["heights"]:
        part = cells[start : start + height]
        if part:
            columns.append(["##" if card < 0 else card_name(setup, card) for card in part])
        start += height
    return columns
