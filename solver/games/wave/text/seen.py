"""WAVE: what a seat sees of a position, as the lines of position.py, and the names of moves as it sees them."""

from __future__ import annotations

from houle.solver.compiler.bits import members
from houle.solver.compiler.piles import cards_in_pile
from houle.solver.compiler.types import Rules, State, States
from houle.solver.games.wave.board import is_signal
from houle.solver.games.wave.state import (
    BACK,
    DUMMY,
    FACEDOWN,
    HIDE,
    INVERT_COLOURS,
    INVERT_NUMBERS,
    KNOWN,
    NO_SWAP,
    NONE,
    OPEN,
    POINT,
    SWAP,
)
from houle.solver.games.wave.text import action_name, card_name, hand_name, signal_name
from houle.solver.matches.record.lines import Places
from houle.solver.rules import Setup

DOWN = "down"  # a cell with a face-down card


def hidden_from(rules: Rules, front: int, back: int, public: int, holder: int, seat: int) -> int:
    """The cards of a hand that a seat does not see."""
    if rules.dummy and holder == DUMMY:
        return back
    if rules.talk == OPEN:
        return 0
    if holder == seat:
        return back & ~public if rules.talk < KNOWN else 0
    return front & ~public


def hand_parts(setup: Setup, holder: int) -> tuple[str, str]:
    """The names of the two parts of a hand: what its owner sees, and what the owner does not see."""
    if setup.rules[0].dummy and holder == DUMMY:
        return "dummy up", "dummy down"
    return f"seat {holder + 1} front", f"seat {holder + 1} back"


def hand_size(rules: Rules, holder: int) -> int:
    dummy = rules.dummy and holder == DUMMY
    return int(rules.up) + int(rules.down) if dummy else int(rules.front) + int(rules.back)


def hand_title(setup: Setup, holder: int) -> str:
    return hand_parts(setup, holder)[0].rpartition(" ")[0]


def card_names(setup: Setup) -> dict[str, int]:
    rules = setup.rules[0]
    return {card_name(setup, int(card)).lower(): int(card) for card in rules.deck[: int(rules.deck_size)]}


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move as `seat` sees it, before or after it is `done`: unseen cards are named by their place in the hand."""
    if action == NO_SWAP or action >= POINT or (done and not HIDE <= action < SWAP):
        return action_name(state, setup, action)
    code, holder, rules = action & (HIDE - 1), int(state.acting), setup.rules[0]
    card = int(state.held[holder, code - BACK]) if code >= BACK else code
    hands = int(state.front[holder]), int(state.back[holder])
    unseen = hidden_from(rules, *hands, int(state.public), holder, seat) >> card & 1
    if not unseen or (seat != int(state.mover) and not HIDE <= action < SWAP):
        return action_name(state, setup, action)
    action_type = "swap" if action >= SWAP else "hide" if action >= HIDE else "play"
    return f"{action_type} the card @{int(state.slot[card]) + 1}"


def write(state: State, setup: Setup, seat: int) -> Places:
    """What the seat sees, one line per place."""
    rules = setup.rules[0]

    def names(cards: int) -> list[str]:
        return [card_name(setup, card) for card in members(cards)]

    places: Places = {}
    if (rules.dummy and int(state.acting) == DUMMY) or is_signal(state):
        places["turn"] = [hand_title(setup, int(state.acting))]
    if rules.dummy:
        places["last surfer"] = [str(int(state.surfer) + 1)]
    if rules.signals:
        places |= _write_signals(state, setup)
    if rules.nazare:
        cells = [int(card) for card in state.cells[: int(state.laid) + 1]]
        places["wave"] = [DOWN if card == FACEDOWN else card_name(setup, card) for card in cells]
        for other in range(setup.players):
            known = int(state.sunk_known[other]) & int(state.sunk_known[seat]) & int(state.sunk)
            if known and rules.talk != OPEN:
                places[f"face down known to seat {other + 1}"] = names(known)
        if rules.talk == OPEN and int(state.sunk):
            places["face down known to seat 1"] = names(int(state.sunk))
    else:
        places["top"] = [card_name(setup, int(state.top))]
        places["laid"] = names(int(state.seen) & ~(1 << int(state.top)))
    pile = cards_in_pile(state)
    places["pile"] = [str(sum(card < INVERT_COLOURS for card in pile))]
    places["direction"] = ["anticlockwise" if state.turned else "clockwise"]
    if rules.tide_colours or rules.tide_numbers:
        places["inverted"] = [what for bit, what in enumerate(("colours", "numbers")) if int(state.order) >> bit & 1]
        left = {"colours": pile.count(INVERT_COLOURS), "numbers": pile.count(INVERT_NUMBERS)}
        places["inversion cards"] = [f"{number} {what}" for what, number in left.items() if number]
    if rules.virage:
        places["virage"] = [] if int(state.virage) == NONE else [card_name(setup, int(state.virage))]
        places["swap"] = ["closed" if state.asked else "open"]
        if int(state.taken) != NONE:
            places["taken"] = [card_name(setup, int(state.taken))]
        if int(state.public):
            places["known to all"] = names(int(state.public))
    for holder in range(int(rules.seats)):
        places |= _write_hand(state, setup, holder, seat)
    return places | (_write_clues(state, setup) if rules.tracks else {})


def _write_signals(state: State, setup: Setup) -> Places:
    """The signals given at this decision, in the order in which they were given."""
    given = [(seat, int(state.signals[seat])) for seat in advisers(state, setup) if int(state.signals[seat]) != NONE]
    words = [f"seat {seat + 1} {signal_name(setup, signal, '@')}" for seat, signal in given]
    return {"signals": words} if words else {}


def advisers(state: State, setup: Setup) -> list[int]:
    """The surfers who signal at this decision, in order."""
    rules, seats, acting = setup.rules[0], [], int(state.acting)
    nexts = rules.next[int(state.turned)]
    seat = int(nexts[acting])
    while seat != acting:
        if seat != int(state.decider) and not (rules.dummy and seat == DUMMY):
            seats.append(seat)
        seat = int(nexts[seat])
    return seats


def _write_hand(state: State, setup: Setup, holder: int, seat: int) -> Places:
    """Front and back in the order of the places; a card's place is written if the cards are not in this order."""
    rules = setup.rules[0]
    parts = int(state.front[holder]), int(state.back[holder])
    hidden = hidden_from(rules, *parts, int(state.public), holder, seat)
    by_part = [sorted(int(state.slot[card]) for card in members(part)) for part in parts]
    in_order = [slot for part in by_part for slot in part] == list(range(sum(map(len, by_part))))
    lines = {}
    for place, slots in zip(hand_parts(setup, holder), by_part, strict=True):
        cards = [int(state.held[holder, slot]) for slot in slots]
        words = ["?" if hidden >> card & 1 else card_name(setup, card) for card in cards]
        lines[place] = words if in_order else [f"{word} @{slot + 1}" for word, slot in zip(words, slots, strict=True)]
    return lines


def _write_clues(state: State, setup: Setup) -> Places:
    """What hidden cards of hands may be for seats that do not see them, unless they may be anything."""
    rules, lines = setup.rules[0], {}
    deck = int(rules.cards)
    for holder in range(int(rules.seats)):
        held = members(int(state.front[holder]) | int(state.back[holder]))
        for slot in sorted(int(state.slot[card]) for card in held):
            may = int(state.may[holder, slot]) & deck
            if may != deck:
                few = bin(may).count("1") <= bin(deck & ~may).count("1")
                words = [card_name(setup, other) for other in members(may if few else deck & ~may)]
                lines[f"{hand_title(setup, holder)} @{slot + 1} {'may be' if few else 'is not'}"] = words
    return lines


def how_it_ends(states: States, setup: Setup) -> list[str]:
    """How finished games ended: who was stuck, or that all cards are laid; in Nazare how many cards are face down."""
    rules = setup.rules[0]
    if rules.nazare:
        return [f"{int(number)} cards face down" for number in states.facedown]
    seats = int(rules.seats)
    holds = ((states.front | states.back)[:, :seats] != 0).any(axis=1)
    stuck = [f"{hand_name(setup, seat)} is stuck" for seat in range(seats)]
    complete = "all cards are laid" if not rules.virage else "all hands are empty"
    return [stuck[int(seat)] if held else complete for seat, held in zip(states.acting, holds, strict=True)]
