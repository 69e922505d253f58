"""VAGUE VERTE in words: names of cards and actions, the state as data and as text, events, the cards drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.games.vague_verte.state import (
    DRAW,
    DRAW_STOCK,
    FACEUP,
    LIT,
    MAX_CARDS,
    MAX_ROAD,
    NONE,
    ROAD,
    ROW,
    build_deck,
)
from houle.solver.matches.known import Known
from houle.solver.matches.views import read
from houle.solver.rules import Setup


def action_name(state: State, setup: Setup, action: int) -> str:
    if action >= DRAW_STOCK:
        return "draw stock" if action == DRAW_STOCK else "draw face-up"
    target, card = divmod(action, MAX_CARDS)
    name = build_deck(setup.options)[card]
    if target == FACEUP:
        return f"discard {name}"
    if target >= ROW:
        return f"play {name} at row {target - ROW}"
    aimed = name.startswith(("breakdown", "ducks"))
    return f"play {name} on seat {target - ROAD}" if aimed else f"play {name}"


def spoken(state: State, setup: Setup, action: int) -> str:
    """A move for people: where a card is drawn from, and which card lies there."""
    if action == DRAW_STOCK:
        return "draw from the stock"
    if action > DRAW_STOCK:
        top = snapshot(state, setup)["faceup"][-1]
        return f"take {build_deck(setup.options)[top]} from the face-up pile"
    return action_name(state, setup, action)


def asked(state: State, setup: Setup) -> str:
    """What the player to move decides, as a question."""
    return "Where do you draw a card?" if state.stage == DRAW else "Which card do you play or discard?"


def renamed(move: str) -> str:
    """The name of a move in a record of an earlier version: a discard was called `lay`."""
    return f"discard {move[4:]}" if move.startswith("lay ") else move


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/vague_verte.py uses."""
    state, rules = read(state), read(setup.rules[0])
    seats = range(int(rules.seats))
    over = int(state.mover) < 0
    ring = [int(state.faceup[(int(state.bottom) + i) % MAX_CARDS]) for i in range(int(state.faceup_left))]

    def card(value: Any) -> int:
        return -1 if int(value) == NONE else int(value)

    def lit(row: int) -> bool:
        return bool(int(state.targets) >> (LIT + row) & 1)

    return {
        "hands": [members(state.hand[seat]) for seat in seats],
        "stock": cards_in_pile(state),
        "faceup": ring,
        "roads": [_road(state, setup, seat) for seat in seats],
        "missed": [int(state.missed[seat]) for seat in seats],
        "lights": [int(state.light[row]) if lit(row) else -1 for row in range(1, int(rules.road) + 1)],
        "seat": int(state.seat),
        "drawn": card(state.drawn),
        "stage": "over" if over else "draw" if state.stage == DRAW else "play",
        "turn": int(state.turns),
        "winner": card(state.winner),
        "out_of_play": [],
    }


def _road(state: State, setup: Setup, seat: int) -> list[list[int]]:
    """The cards on each square; a breakdown is covered by a tow unless it is the last card of the road."""
    deck = build_deck(setup.options)
    filled, squares = int(state.filled[seat]), []
    for square in range(filled):
        card = int(state.road[seat, square])
        standing = square == filled - 1 and int(state.last[seat]) == card
        covered = deck[card].startswith("breakdown") and not standing
        squares.append([card, int(state.road[seat, MAX_ROAD + square])] if covered else [card])
    return squares


def squares_of(known: Known, seat: int) -> list[list[str]]:
    """The names of the cards on each square of a road, as a seat knows them."""
    deck, road, last = build_deck(known.setup.options), known["road", seat], known["last card", seat]
    standing = len(road) - 1 if road[-1:] == [last] else -1  # a breakdown elsewhere is covered by a tow
    return [[deck[card], "tow"] if deck[card].startswith("breakdown") and square != standing else [deck[card]]
            for square, card in enumerate(road)]  # fmt: skip


def counted(numbers: Sequence[int]) -> list[int]:
    """The cards of a list that says how many there are of each."""
    return [card for card, number in enumerate(numbers) for _ in range(number)]


def show(state: State, setup: Setup) -> str:
    """The whole state as text: piles and lights, then every seat's road and hand."""
    seen = snapshot(state, setup)
    deck = build_deck(setup.options)

    def names(cards: list[int]) -> str:
        return ", ".join(deck[card] for card in cards) or "none"

    top = names(seen["faceup"][-1:])
    facts = [
        f"turn {seen['turn'] + (seen['stage'] != 'over')}",
        f"stock {len(seen['stock'])}",
        f"face-up {len(seen['faceup'])}, top {top}",
    ]
    lights = [str(row) for row, card in enumerate(seen["lights"], 1) if card >= 0]
    if lights:
        facts.append(f"red light at row {', '.join(lights)}")
    lines = ["; ".join(facts)]
    for seat, road in enumerate(seen["roads"]):
        squares = " > ".join(" + ".join(deck[card] for card in cards) for cards in road) or "not started"
        waits = f" (misses {seen['missed'][seat]})" if seen["missed"][seat] else ""
        lines.append(f"  seat {seat}  {squares}{waits} | {names(seen['hands'][seat])}")
    return "\n".join(lines)


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """The events of a move: the card drawn, turns that ducks will cost, missed turns, new piles."""
    old, new = snapshot(before, setup), snapshot(after, setup)
    deck = build_deck(setup.options)
    if action >= DRAW_STOCK:
        return [f"draws {deck[new['drawn']]}"]
    target, card = divmod(action, MAX_CARDS)
    events = []
    if deck[card].startswith("ducks") and ROAD <= target < ROW:
        events.append(f"seat {target - ROAD} will miss a turn")
    events += _passed_over(old, new, target - ROAD if events else -1, setup)
    if new["stage"] == "over":
        return events
    if not old["faceup"] and new["faceup"] and new["faceup"][0] in old["stock"]:
        events.append(f"the face-up pile was empty: {deck[new['faceup'][0]]} is turned up")
    if len(new["stock"]) > len(old["stock"]):
        events.append(f"the stock was empty: {len(new['stock'])} cards of the face-up pile are shuffled as a new stock")
    return events


def _passed_over(old: dict[str, Any], new: dict[str, Any], ducked: int, setup: Setup) -> list[str]:
    """The turns between this one and the next decision: missed because of ducks, or with nothing to draw or discard."""
    events, waits = [], list(old["missed"])
    if ducked >= 0:
        waits[ducked] += 1
    for turn in range(old["turn"] + 1, new["turn"]):
        seat = (old["seat"] + turn - old["turn"]) % setup.players
        why = "misses this turn because of ducks" if waits[seat] else "has nothing to draw and no card to discard"
        waits[seat] -= 1 if waits[seat] else 0
        events.append(f"turn {turn + 1}: seat {seat} {why}")
    return events


def end_conditions(states: Any, setup: Setup) -> dict[str, Any]:
    """Which of these final states ended in each way."""
    return {"a road is complete": states.winner != NONE, "no card is left": states.winner == NONE}


def ending(state: State, setup: Setup) -> list[str]:
    """Who reached the end of the road, or that nobody did in time."""
    seen = snapshot(state, setup)
    if seen["winner"] >= 0:
        return [f"seat {seen['winner']} reaches the end of the road in turn {seen['turn']}"]
    return [f"nobody reaches the end of a road in {seen['turn']} turns"]


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The card drawn, or turned up because the face-up pile was empty."""
    deck, gone = build_deck(setup.options), set(cards_in_pile(before)) - set(cards_in_pile(after))
    return [(deck[card],) for card in sorted(gone)]


def pile_names(state: State, setup: Setup) -> set[str]:
    """The names of the cards that may be drawn."""
    deck = build_deck(setup.options)
    return {deck[card] for card in cards_in_pile(state)}
