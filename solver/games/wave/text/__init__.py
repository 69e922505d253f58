"""WAVE in words: names of cards and actions, the state as data and as text, events, the cards drawn."""

from __future__ import annotations

from collections import Counter
from typing import Any

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.games.wave.board import is_signal
from houle.solver.games.wave.state import (
    AT_NONE,
    BACK,
    DUMMY,
    FACEDOWN,
    HIDE,
    INVERT_COLOURS,
    INVERT_NUMBERS,
    NO_SWAP,
    NONE,
    POINT,
    POINT_NONE,
    SWAP,
)
from houle.solver.matches.known import Known
from houle.solver.matches.views import read
from houle.solver.rules import Setup


def card_name(setup: Setup, card: int) -> str:
    numbers = setup.options["deck.numbers"]
    return f"{setup.options['deck.colours'][card // len(numbers)]} {numbers[card % len(numbers)]}"


def action_name(state: State, setup: Setup, action: int) -> str:
    if action == NO_SWAP:
        return "no swap"
    if action >= POINT:
        return f"point {signal_name(setup, AT_NONE if action == POINT_NONE else action - POINT)}"
    code = action & (HIDE - 1)
    card = int(state.held[state.acting, code - BACK]) if code >= BACK else code
    action_type = "swap" if action >= SWAP else "hide" if action >= HIDE else "play"
    return f"{action_type} {card_name(setup, card)}"


def signal_name(setup: Setup, signal: int, before: str = "") -> str:
    """What a signal points at: the place of a back card in the hand, from 1, a card of the dummy, or `none`."""
    if signal == AT_NONE:
        return "none"
    return f"{before}{signal - BACK + 1}" if signal >= BACK else card_name(setup, signal)


def others_in_turn(setup: Setup, acting: int, turned: int) -> list[int]:
    """The seats after the acting one, in the direction of play."""
    seats = int(setup.rules[0].seats)
    return [(acting + (-step if turned else step)) % seats for step in range(1, seats)]


def signals_given(known: Known) -> list[tuple[int, int]]:
    """Who pointed at this decision, in order, and the code of the card or AT_NONE."""
    order = others_in_turn(known.setup, known["turn"], known["direction"])
    signals = [(seat, known["signal", seat]) for seat in order]
    return [(seat, code - 1 if code > 0 else AT_NONE) for seat, code in signals if code]


def asked(state: State, setup: Setup) -> str:
    """What the surfer to move decides, as a question; seats count from 0."""
    rules, hand = setup.rules[0], hand_name(setup, int(state.acting))
    if is_signal(state):
        return f"Which card of {hand} do you point at?"
    if rules.virage and not state.asked:
        return "Do you swap a card for the Virage card?"
    if rules.dummy and int(state.acting) == DUMMY:
        return f"Which card do you play for {hand}?"
    return "Which card do you add to the wave?" if rules.nazare else "Which card do you play?"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/wave.py uses."""
    state, rules = read(state), read(setup.rules[0])
    seats = range(int(rules.seats))
    over = int(state.mover) < 0

    def card(value: Any) -> int:
        return -1 if int(value) in (NONE, FACEDOWN) else int(value)

    return {
        "acting": -1 if over else int(state.acting),
        "direction": -1 if state.turned else 1,
        "front": [members(state.front[seat]) for seat in seats],
        "back": [members(state.back[seat]) for seat in seats],
        "pile": cards_in_pile(state),
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
    """The whole state as text: the open cards, then every hand. Nazare adds what must be beaten next, and the wave."""
    rules = setup.rules[0]
    seen = snapshot(state, setup)

    def names(cards: list[int]) -> str:
        return ", ".join(card_name(setup, card) for card in cards) or "none"

    def single(card: int) -> str:
        return "face down" if card < 0 else card_name(setup, card)

    facts = [
        *([] if rules.nazare else [f"top {single(seen['top'])}"]),
        f"pile {len(seen['pile'])}",
        "clockwise" if seen["direction"] > 0 else "anticlockwise",
    ]
    if rules.virage:
        facts.append(f"Virage {single(seen['virage'])}" if seen["virage"] >= 0 else "Virage card laid")
    facts += [f"{what} inverted" for what, on in zip(("colours", "numbers"), seen["inverted"], strict=True) if on]
    lines = ["; ".join(facts)]
    for seat in range(int(rules.seats)):
        dummy = rules.dummy and seat == DUMMY
        who, open_to, hidden = ("dummy ", "face up", "face down") if dummy else (f"seat {seat}", "front", "back")
        lines.append(f"  {who}  {open_to} {names(seen['front'][seat])} | {hidden} {names(seen['back'][seat])}")
    if rules.nazare:
        lines += _next_cell(seen, setup)
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


def _next_cell(seen: dict[str, Any], setup: Setup) -> list[str]:
    """Where the next card of the great wave goes, and the neighbours it must beat."""
    rules, cells = setup.rules[0], seen["wave"]
    cell = len(cells)
    if cell >= int(rules.deck_size):
        return []
    column, row = 1, cell
    for height in setup.options["heights"]:
        if row < height:
            break
        column, row = column + 1, row - height

    def neighbour(place: int) -> str:
        if place == NONE:
            return "nothing"
        return "a face-down card (any card beats it)" if cells[place] < 0 else card_name(setup, cells[place])

    left, below = neighbour(int(rules.left[cell])), neighbour(int(rules.below[cell]))
    return [f"  next    column {column}, row {row + 1} from the bottom: must beat {left} on the left and {below} below"]


def hand_name(setup: Setup, seat: int) -> str:
    """The name of a hand: the dummy's or a seat's."""
    return "the dummy" if setup.rules[0].dummy and seat == DUMMY else f"seat {seat}"


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """The events of a move: the card drawn, changes of order and direction, seats that are skipped."""
    old, new, seat = snapshot(before, setup), snapshot(after, setup), int(before.acting)
    if action == NO_SWAP or action >= POINT:
        return []
    if action >= SWAP:
        taken, laid = (card_name(setup, seen["virage"]) for seen in (old, new))
        return [f"takes the Virage card {taken} as a front card; the Virage card is now {laid}"]
    events = []
    if old["direction"] != new["direction"]:
        events.append(f"reverse: play now goes {'clockwise' if new['direction'] > 0 else 'anticlockwise'}")
    events += _drawn(old, new, setup, seat)
    step, reached = new["direction"], int(after.acting)
    seats = int(setup.rules[0].seats)
    passed = (seat + step) % seats
    while not new["over"] and passed != reached:
        events.append(f"{hand_name(setup, passed)} has no cards and is skipped")
        passed = (passed + step) % seats
    return events


def _drawn(old: dict[str, Any], new: dict[str, Any], setup: Setup, seat: int) -> list[str]:
    """The inversion cards that came up, then the card that was drawn or that the dummy turned up."""
    who = f"{hand_name(setup, seat)} " if hand_name(setup, seat) == "the dummy" else ""
    gone = Counter(old["pile"]) - Counter(new["pile"])
    events = []
    for card, what, place in ((INVERT_COLOURS, "colour", 0), (INVERT_NUMBERS, "number", 1)):
        if gone[card]:
            order = "inverted" if new["inverted"][place] else "normal"
            cards = f"{gone[card]} {what} inversion card{'s' if gone[card] > 1 else ''}"
            events.append(f"{who}draws {cards}: {what}s are now {order}")
    held = set(old["front"][seat]) | set(old["back"][seat])
    front, back = (set(new[side][seat]) - held for side in ("front", "back"))
    if front or back:
        (card,) = front | back
        where = "" if who else " as a front card" if front else " as a back card"
        events.append(f"{who}draws {card_name(setup, card)}{where}")
    elif who and (turned := set(new["front"][seat]) & set(old["back"][seat])):
        events.append(f"the pile is empty: the dummy turns up {card_name(setup, turned.pop())}")
    else:
        events.append(f"{who}draws nothing: the pile is empty")
    return events


def ending(state: State, setup: Setup) -> list[str]:
    """Who is stuck and on which card, or that all cards are laid, and what happened to the Virage card."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    hands = [front + back for front, back in zip(seen["front"], seen["back"], strict=True)]
    if any(hands):
        seat, top = int(state.acting), card_name(setup, seen["top"])
        choice = seen["front"][seat] if hand_name(setup, seat) == "the dummy" else hands[seat]
        cards = ", ".join(card_name(setup, card) for card in choice if card != seen["taken"]) or "no other card"
        return [f"{hand_name(setup, seat)} is stuck with {cards}: nothing beats the top card {top}"]
    if rules.nazare:
        return [f"the wave is complete with {seen['facedown']} cards face down"]
    if seen["virage"] >= 0:
        virage, top = card_name(setup, seen["virage"]), card_name(setup, seen["top"])
        return [f"all hands are empty, but the Virage card {virage} does not beat the top card {top}"]
    return ["all cards are laid" + (", the Virage card last" if rules.virage else "")]


INVERSIONS = {INVERT_COLOURS: "colour inversion", INVERT_NUMBERS: "number inversion"}


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The card drawn, and the inversion cards that came before it."""
    gone = Counter(cards_in_pile(before)) - Counter(cards_in_pile(after))
    return [(_name(card, setup),) for card in gone.elements()]


def pile_names(state: State, setup: Setup) -> set[str]:
    """The names of the cards that may be drawn."""
    return {_name(card, setup) for card in cards_in_pile(state)}


def place_of(state: State, setup: Setup, action: int, viewer: int | None = None) -> int:
    """The place in the hand, from 1, of a move's card; 0 if it has none or the viewer knows the card itself."""
    if action == NO_SWAP or action >= POINT:
        return 0
    code, holder = action & (HIDE - 1), int(state.acting)
    slot = code - BACK if code >= BACK else int(state.slot[code])
    if viewer is not None and Known.of(state, setup, viewer)["places", holder][slot] > 0:
        return 0
    return slot + 1


def _name(card: int, setup: Setup) -> str:
    return INVERSIONS[card] if card in INVERSIONS else card_name(setup, card)
