"""SEA CHANGE in words: card and action names, the state as plain data and as text."""

from __future__ import annotations

from typing import Any

from houle.solver.games.sea_change.state import AI, COLOURS, MAX_VALUES, NO_COLOUR, SOLO_DUTY
from houle.solver.ruleset import Setup
from houle.solver.types import State

# What the rulebook's text and worked examples fix about the points of a captured card.
PRINTED_POINTS = {0: 0, 2: -1, 4: 0, 5: 0, 6: 0, 8: -4, 9: 2, 10: 1}


def card_name(card: int) -> str:
    return f"{COLOURS[card // MAX_VALUES]} {card % MAX_VALUES}"


def members(words: Any) -> list[int]:
    """The cards of a set of two words, ascending."""
    bits = int(words[0]) | int(words[1]) << 64
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def action_name(state: State, setup: Setup, action: int) -> str:
    return f"play {card_name(action)}"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state in plain numbers and lists, as tests/reference/sea_change.py has it."""
    rules = setup.rules[0]
    seats, sides = int(rules.seats), range(int(rules.sides))
    over = int(state.mover) < 0

    def colour(value: Any) -> int:
        return -1 if int(value) == NO_COLOUR else int(value)

    def player(place: int) -> int:
        if rules.solo:
            return AI if place != 1 else 0
        return (int(state.leader) + place) % seats

    return {
        "hands": [members(state.hand[seat]) for seat in range(seats)],
        "pile": sorted(int(card) for card in state.pile[: int(state.pile_left)]),
        "trick": [[player(place), int(state.trick[place])] for place in range(int(state.laid))],
        "led": colour(state.led),
        "trump": colour(state.trump),
        "leader": int(state.leader),
        "dealer": (int(state.starter) - 1) % seats,
        "captured": [members(state.captured[side]) for side in sides],
        "points": [int(state.points[side]) for side in sides],
        "vp": [int(state.vp[side]) for side in sides],
        "round": int(state.rounds) - over,
        "sea_changes": int(state.changes),
        "void": [
            [bool(state.void[seat] >> colour & 1) for colour in range(int(rules.colours))] for seat in range(seats)
        ],
        "over": over,
    }


def show(state: State, setup: Setup) -> str:
    """The table as text: round and trump, the trick so far, then every hand with what its side has won."""
    rules = setup.rules[0]
    seen = snapshot(state, setup)
    sides = setup.game.side_names(setup)

    def names(cards: list[int]) -> str:
        return ", ".join(card_name(card) for card in cards) or "none"

    def who(seat: int) -> str:
        return ("player", "AI")[seat] if rules.solo else f"seat {seat}"

    trump = COLOURS[seen["trump"]] if seen["trump"] >= 0 else "none yet"
    facts = [f"round {seen['round'] + 1}", f"trump {trump}", f"sea changes {seen['sea_changes']}"]
    if rules.solo or rules.stock:
        facts.append(f"pile {len(seen['pile'])}")
    lines = ["; ".join(facts)]
    trick = ", ".join(f"{who(seat)} {card_name(card)}" for seat, card in seen["trick"])
    lines.append(f"  trick   {trick or 'not begun'}")
    for seat, hand in enumerate(seen["hands"]):
        voids = [COLOURS[colour] for colour, void in enumerate(seen["void"][seat]) if void]
        lines.append(f"  {who(seat)}  {names(hand)}" + (f" (void in {', '.join(voids)})" if voids else ""))
    standing = (
        f"{name} {points} ({vp} VP)" for (name, _), points, vp in zip(sides, seen["points"], seen["vp"], strict=True)
    )
    lines.append(f"  points  {', '.join(standing)}")
    return "\n".join(lines)


def house_rules(setup: Setup) -> list[str]:
    """Where the points contradict the rulebook or its worked examples, in words: that is a house rule.

    And where a solo player cannot win: no card can be captured that a round must not be without.
    """
    points = setup.options["points"]
    notes = [
        f"house rule: a captured {value} is worth {points[value]:+d}; the rulebook says {printed:+d}"
        for value, printed in PRINTED_POINTS.items()
        if points[value] != printed
    ]
    if points[7] + points[12] != 1:
        total = points[7] + points[12]
        notes.append(f"house rule: a 7 and a 12 are worth {total:+d} together; the rulebook says +1")
    if 2 * points[11] + points[15] != 3:
        total = 2 * points[11] + points[15]
        notes.append(f"house rule: two 11s and a 15 are worth {total:+d} together; the rulebook says +3")
    if setup.players == 1 and SOLO_DUTY not in setup.options["deck.values"]:
        duty = f"a round without a captured {SOLO_DUTY} is lost, and this deck has none"
        notes.append(f"the player loses every round: {duty} (deck.values)")
    return notes
