"""LAND UNTER in words: action names, the state as plain data and as text."""

from __future__ import annotations

from typing import Any

from houle.solver.games.land_unter.state import TAKE
from houle.solver.ruleset import Setup
from houle.solver.types import State


def numbers(cards: int) -> list[int]:
    """The numbers of a set of weather cards, ascending."""
    bits = int(cards)
    return [card + 1 for card in range(bits.bit_length()) if bits >> card & 1]


def action_name(state: State, setup: Setup, action: int) -> str:
    return f"take {int(state.water[action - TAKE])}" if action >= TAKE else f"play {action + 1}"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state in plain numbers and lists, as tests/reference/land_unter.py has it."""
    rules = setup.rules[0]
    seats = range(int(rules.seats))
    over = int(state.mover) < 0
    return {
        "hands": [numbers(state.hand[seat]) for seat in seats],
        "packs": [numbers(state.pack[seat]) for seat in seats],
        "belts": [int(state.belts[seat]) for seat in seats],
        "level": [int(state.level[seat]) for seat in seats],
        "out": [bool(state.out >> seat & 1) for seat in seats],
        "committed": [int(state.committed[seat]) for seat in seats],
        "water": [] if over else [int(value) for value in state.water],
        "pile": sorted(int(value) for value in state.pile[: int(state.pile_left)]),
        "trick": int(state.trick),
        "round": int(state.rounds),
        "leader": int(state.leader) if rules.open else -1,
        "points": [int(state.points[seat]) for seat in seats],
        "eliminations": int(state.eliminations),
        "tricks": int(state.tricks),
        "over": over,
    }


def show(state: State, setup: Setup) -> str:
    """The table as text: round, trick and water, then every seat with its level, lifebelts, points and hand."""
    seen = snapshot(state, setup)
    if seen["over"]:
        facts = [f"over after {seen['round']} rounds"]
    else:
        low, high = sorted(seen["water"])
        facts = [f"round {seen['round'] + 1}, trick {seen['trick'] + 1}", f"water {low} and {high}"]
        facts += [f"leader seat {seen['leader']}"] * (seen["leader"] >= 0)
    lines = ["; ".join(facts)]
    for seat in range(setup.players):
        where = "out" if seen["out"][seat] else f"level {seen['level'][seat]:2}, belts {seen['belts'][seat]}"
        chosen = f"; chose {seen['committed'][seat]}" if seen["committed"][seat] else ""
        hand = " ".join(map(str, seen["hands"][seat])) or "none"
        lines.append(f"  seat {seat}  {where}, points {seen['points'][seat]}  hand {hand}{chosen}")
    return "\n".join(lines)
