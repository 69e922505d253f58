"""LAND UNTER in words: action names, the state as plain data and as text, and what a trick came to."""

from __future__ import annotations

from typing import Any

from houle.solver.games.land_unter.state import TAKE
from houle.solver.piles import cards_in_pile
from houle.solver.ruleset import Setup
from houle.solver.types import State
from houle.solver.views import read


def numbers(cards: int) -> list[int]:
    """The numbers of a set of weather cards, ascending; one after the other, since few of 60 are in it."""
    bits, found = int(cards), []
    while bits:
        found.append((bits & -bits).bit_length())
        bits &= bits - 1
    return found


def action_name(state: State, setup: Setup, action: int) -> str:
    return f"take {int(state.water[action - TAKE])}" if action >= TAKE else f"play {action + 1}"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state in plain numbers and lists, as tests/reference/land_unter.py has it."""
    state, rules = read(state), read(setup.rules[0])
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
        "pile": cards_in_pile(state),
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


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """What the last card of a trick brought about: water, lifebelts, who is out, and the points of a round.

    The next round is dealt within the same move; `again` plays it with no further round, so that nothing is covered.
    """
    old, new = snapshot(before, setup), snapshot(after, setup)
    if new["tricks"] == old["tricks"]:
        return []
    ended = new["round"] > old["round"]
    end = snapshot(again(rounds=new["round"]), setup) if ended else new
    played = dict(enumerate(old["committed"]))
    if action < TAKE:
        played[int(before.mover)] = action + 1
    played = {seat: card for seat, card in played.items() if card}
    first, second = sorted(played, key=lambda seat: -played[seat])[:2]
    waters = [int(value) for value in before.water]
    mine = waters[action - TAKE] if action >= TAKE else min(waters)
    other = sum(waters) - mine
    told = ["cards: " + ", ".join(f"seat {seat}: {card}" for seat, card in played.items())]
    told.append(f"seat {first} takes water {mine}, seat {second} water {other}")
    levels = {seat: old["level"][seat] for seat in played} | {first: mine, second: other}
    told += _flood(old, end, levels)
    return told + (_round_end(old, new, end, setup) if ended else [])


def _flood(old: dict[str, Any], end: dict[str, Any], levels: dict[int, int]) -> list[str]:
    """Who paid for the highest level; where all its holders are out, who is next."""
    lost = [seat for seat in levels if end["belts"][seat] < old["belts"][seat] and not end["out"][seat]]
    gone = sorted((seat for seat in levels if end["out"][seat]), key=lambda seat: -levels[seat])
    told = [f"seat {seat} has level {levels[seat]}, no lifebelt left, and is out of the round" for seat in gone]
    for seat in lost:
        told.append(f"seat {seat} has level {levels[seat]} and loses a lifebelt: {end['belts'][seat]} left")
    return told


def _round_end(old: dict[str, Any], new: dict[str, Any], end: dict[str, Any], setup: Setup) -> list[str]:
    """The points of a round, taken apart."""
    options = setup.options
    still = [seat for seat in range(setup.players) if not end["out"][seat]]
    lowest = min((end["level"][seat] for seat in still), default=-1)
    sums = []
    for seat in range(setup.players):
        gained = end["points"][seat] - old["points"][seat]
        if end["out"][seat]:
            why = "eliminated"
        else:
            belts = end["belts"][seat]
            why = f"{belts} lifebelt{'s' if belts != 1 else ''}"
            if end["level"][seat] == lowest and options["score.lowest"]:
                why += f" and the lowest level, {lowest}"
        sums.append(f"seat {seat} {gained:+d} ({why})")
    told = [f"round {new['round']} is over: {', '.join(sums)}"]
    return told if new["over"] else [*told, "every hand goes to the left neighbour"]
