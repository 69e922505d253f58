"""WAVE: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards import piles
from houle.solver.cards.bits import ALL, ONE, U8, ZERO, count, has, list_cards, lowest, nth, single, without_lowest
from houle.solver.cards.streams import STREAM_FIELDS, advance, below, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import (
    Action,
    AllRules,
    Card,
    Flag,
    Moves,
    Number,
    Numbers,
    Rules,
    Seat,
    State,
)
from houle.solver.interface import UTILITY, WIN, blank
from houle.solver.rules import KnobError, Setup, load

# ---- The records, the action codes, and how knobs become a RULES record
#
# A card is colour * (numbers per colour) + number, so a set of cards is one 64-bit integer. Whether one card beats
# another depends only on the two inversions; the four tables of what beats what are built here, once.


MAX_SEATS = 4
MAX_CARDS = 64
MAX_HAND = 32
DUMMY = 2  # the dummy's seat with two surfers
FIRST = np.uint8(0)  # a seat or a slot; of the type of such fields, so that kernels are compiled once
NONE = 255  # no card, no slot, no cell
FACEDOWN = 254  # a cell with a face-down card
AT_NONE = 254  # a signal that points at no card
INVERT_COLOURS, INVERT_NUMBERS = 100, 101  # inversion cards in the pile

# Actions. A front card is named by its card and a back card by its slot, because its owner may not know it.
BACK = 64  # + slot: play from the back; below: play that front card
HIDE = 128  # + the same codes: lay face down (Nazare)
SWAP = 256  # + the same codes: lay down for the Virage card
NO_SWAP = 384
POINT = 512  # + the same codes: point at that card of the acting hand
POINT_NONE = 640
MAX_MOVES = 2 * MAX_HAND + 1

TALKS = ("silent", "points", "known", "open")
SILENT, POINTS, KNOWN, OPEN = range(4)

RULES = np.dtype(
    [
        ("deck_size", "u1"),  # cards in the deck
        ("seats", "u1"),  # hands, including the dummy's
        ("sides", "u1"),  # 1: the team
        ("side", "u1", 8),  # side of each seat
        ("dummy", "u1"),  # 1 with two surfers: seat 2 is the dummy
        ("front", "u1"),  # cards of a surfer that the owner sees
        ("back", "u1"),  # cards of a surfer that the others see
        ("up", "u1"),  # face-up cards of the dummy
        ("down", "u1"),  # face-down cards of the dummy
        ("places", "u1", MAX_SEATS),  # places of each hand
        ("width", "u1"),  # 1 + the highest card
        ("dummy_swaps", "u1"),
        ("virage", "u1"),
        ("must_fit", "u1"),  # the last Virage card must beat the top
        ("tide_colours", "u1"),
        ("tide_numbers", "u1"),
        ("nazare", "u1"),
        ("free", "u1"),  # Nazare: face down also by choice
        ("facedown_reverses", "u1"),
        ("talk", "u1"),  # SILENT .. OPEN
        ("signals", "u1"),  # 1 if surfers point at cards before a decision
        ("tracks", "u1"),  # 1 if players remember what they learn about slots (`may` in STATE)
        ("next", "u1", (2, MAX_SEATS)),  # seat after a seat, clockwise and anticlockwise
        ("left", "u1", MAX_CARDS),  # Nazare: cell to the left of a cell, or NONE
        ("below", "u1", MAX_CARDS),  # Nazare: cell below a cell, or NONE
        ("deck", "u1", MAX_CARDS),  # the cards, ascending
        ("reverse", "u8"),  # cards with the reverse symbol
        ("cards", "u8"),  # all cards of the deck
        ("beats", "u8", (4, MAX_CARDS)),  # per order (bit 0 colours, bit 1 numbers inverted) and card: what beats it
        ("pile", piles.full_pile(MAX_CARDS)),  # the cards as they lie before the deal
        ("wave", "u1"),  # marker
    ],
    align=True,
)

_FIELDS: list[Any] = [
    *STREAM_FIELDS,
    ("playable", "u8"),  # cards the acting hand may lay face up, at its play decision
    ("front", "u8", MAX_SEATS),  # front cards per seat (the dummy's face-up ones)
    ("back", "u8", MAX_SEATS),  # back cards per seat (the dummy's face-down ones)
    ("public", "u8"),  # cards in hands that everyone has seen (former Virage cards)
    ("seen", "u8"),  # cards laid face up, the start card included
    ("sunk", "u8"),  # cards laid face down
    ("sunk_known", "u8", MAX_SEATS),  # those of them that a seat has seen
    ("top", "u1"),  # the card to beat; Nazare: the last card laid, NONE if face down
    ("order", "u1"),  # bit 0: colours inverted, bit 1: numbers inverted
    ("turned", "u1"),  # direction of play: 0 clockwise, 1 anticlockwise
    ("acting", "u1"),  # the seat whose hand is in use
    ("mover", "i1"),  # the seat whose strategy decides, an adviser before a signal; -1 when over
    ("decider", "u1"),  # the seat that decides for the acting hand, after the signals
    ("random_signals", "u1"),  # random signals so far, which count the moments of the random stream
    ("signals", "u1", MAX_SEATS),  # per adviser at this decision: the code of a card, AT_NONE, or NONE if not given
    ("surfer", "u1"),  # the surfer who laid the last card
    ("asked", "u1"),  # 1 once this turn's swap is decided or was not offered
    ("taken", "u1"),  # card taken in this turn's swap, or NONE
    ("virage", "u1"),  # the Virage card, or NONE
    ("laid", "u1"),  # cards laid after the start card
    ("facedown", "u1"),  # cards laid face down
    ("pile_left", "u1"),  # cards in the pile
    ("pile", "u1", MAX_CARDS + 4),  # undealt cards and inversion cards
    ("held", "u1", (MAX_SEATS, MAX_HAND)),  # card in each slot of a hand, or NONE
    ("slot", "u1", MAX_CARDS),  # slot of a card that is in a hand
    ("cells", "u1", MAX_CARDS),  # Nazare: card in each cell, or FACEDOWN; cell 0 is the start card
    *piles.pile_fields(MAX_CARDS + 8),
    ("wave", "u1"),  # marker
]
# `may`: the cards that each slot of a hand may hold, for seats that cannot see it. It is large and few setups need it
# (rules.tracks). It stands at the end of a state, so that copies can leave it out.
STATE = np.dtype([*_FIELDS, ("may", "u8", (MAX_SEATS, MAX_HAND))], align=True)
WITHOUT_MAY = np.dtype(_FIELDS, align=True).itemsize


def cards_named(options: Mapping[str, Any], knob: str) -> set[int]:
    """The cards that a list of patterns means: `white 0`, `white *`, `* 0`."""
    colours, numbers = options["deck.colours"], options["deck.numbers"]
    cards = set()
    for pattern in options[knob]:
        colour, _, number = pattern.rpartition(" ")
        if colour not in (*colours, "*") or number not in (*map(str, numbers), "*"):
            raise KnobError(
                knob,
                f"{pattern!r} is not a card; write a colour and a number (`{colours[0]} {numbers[0]}`), or * for any",
            )
        cards |= {
            c * len(numbers) + n
            for c in range(len(colours))
            for n in range(len(numbers))
            if colour in (colours[c], "*") and number in (str(numbers[n]), "*")
        }
    return cards


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    colours, numbers = options["deck.colours"], options["deck.numbers"]
    if len(set(colours)) != len(colours) or not colours:
        raise KnobError("deck.colours", "allowed: at least one colour, each only once")
    if sorted(set(numbers)) != numbers or not numbers:
        raise KnobError("deck.numbers", "allowed: at least one number, in rising order, each only once")
    if len(colours) * len(numbers) > MAX_CARDS:
        raise KnobError(
            "deck.numbers", f"{len(colours)} colours x {len(numbers)} numbers; allowed: at most {MAX_CARDS} cards"
        )
    width = len(numbers)
    cards = sorted(set(range(len(colours) * width)) - cards_named(options, "deck.missing"))
    reverse = cards_named(options, "deck.reverse")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.deck_size = len(cards)
    rules.dummy = players == 2
    rules.sides = 1
    rules.front, rules.back = options["hand.front"], options["hand.back"]
    rules.up, rules.down = options["dummy.up"], options["dummy.down"]
    if rules.front + rules.back == 0:
        raise KnobError("hand.front", "with hand.back = 0 a surfer's hand would be empty")
    dealt = players * (int(rules.front) + int(rules.back)) + (int(rules.up) + int(rules.down) if players == 2 else 0)
    needed = 1 + dealt + int(options["virage"])
    if needed > len(cards):
        raise KnobError("hand.front", f"the deal needs {needed} cards but the deck has {len(cards)}")

    rules.dummy_swaps = options["dummy_swaps"]
    rules.virage, rules.must_fit = options["virage"], options["virage_must_fit"]
    rules.tide_colours, rules.tide_numbers = options["tide.colours"], options["tide.numbers"]
    rules.nazare, rules.free = options["nazare"], options["facedown"] == "free"
    rules.facedown_reverses = options["facedown_reverses"]
    rules.talk = TALKS.index(options["talk"])
    rules.signals = rules.talk == POINTS
    rules.tracks = rules.talk < KNOWN or (rules.nazare and not rules.free)
    seats = rules.seats = max(players, 3)
    for seat in range(seats):
        rules.next[0, seat] = (seat + 1) % seats
        rules.next[1, seat] = (seat - 1) % seats
    rules.places[:seats] = int(rules.front) + int(rules.back)
    if rules.dummy:
        rules.places[DUMMY] = int(rules.up) + int(rules.down)
    rules.deck[: len(cards)], rules.width = cards, cards[-1] + 1
    _lay_out_deck(rules, options, players)
    rules.cards = sum(1 << card for card in cards)
    rules.reverse = sum(1 << card for card in reverse)
    for order in range(4):
        for low in range(len(colours) * width):
            rules.beats[order, low] = sum(1 << card for card in cards if _beats(card, low, width, order))
    if options["nazare"]:
        _lay_out_cells(rules, options["heights"], len(cards))
    return all_rules


def _beats(card: int, low: int, width: int, order: int) -> bool:
    colour, number = card // width - low // width, card % width - low % width
    return (colour < 0 if order & 1 else colour > 0) or (number < 0 if order & 2 else number > 0)


def _named_cards(options: Mapping[str, Any]) -> dict[str, int]:
    """The cards of a deck by name."""
    numbers, missing = options["deck.numbers"], cards_named(options, "deck.missing")
    names = [f"{colour} {number}" for colour in options["deck.colours"] for number in numbers]
    return {name: card for card, name in enumerate(names) if card not in missing}


def _lay_out_deck(rules: Rules, options: Mapping[str, Any], players: int) -> None:
    printed = {knob: load("wave").knobs[knob].default_for(players) for knob in options if knob.startswith("deck.")}
    piles.lay_out_pile(rules.pile, list(_named_cards(printed)), _named_cards(options))


def _lay_out_cells(rules: Rules, heights: list[int], cards: int) -> None:
    if sum(heights) != cards:
        raise KnobError(
            "heights", f"the columns hold {sum(heights)} cards but the deck has {cards}; they must be equal"
        )
    starts = [sum(heights[:column]) for column in range(len(heights))]
    rules.left[:], rules.below[:] = NONE, NONE
    for column, height in enumerate(heights):
        for row in range(height):
            cell = starts[column] + row
            if row:
                rules.below[cell] = cell - 1
            if column and row < heights[column - 1]:
                rules.left[cell] = starts[column - 1] + row


def score_range(setup: Setup) -> tuple[int, int]:
    return 0, int(setup.rules[0].deck_size)


# ---- What lies on the table and in the acting hand, which cards fit, and how an action names a card


@kernel
def fitting(state: State, rules: Rules) -> Any:
    """All cards that could be laid face up now."""
    beats = rules.beats[state.order]
    if not rules.nazare:
        return beats[state.top]
    cell = state.laid + 1
    fits = ALL
    left, under = rules.left[cell], rules.below[cell]
    if left != NONE and state.cells[left] != FACEDOWN:
        fits &= beats[state.cells[left]]
    if under != NONE and state.cells[under] != FACEDOWN:
        fits &= beats[state.cells[under]]
    return fits


@kernel
def hand(state: State, rules: Rules) -> Any:
    """The cards the acting seat may choose from. The dummy plays only its face-up cards."""
    seat = state.acting
    if rules.dummy and seat == DUMMY:
        return state.front[seat]
    return state.front[seat] | state.back[seat]


@kernel
def choosable(state: State, rules: Rules) -> Any:
    """The hand without the card just taken in a swap."""
    cards = hand(state, rules)
    return cards if state.taken == NONE else cards & ~single(state.taken)


@kernel
def pointable(state: State, rules: Rules) -> Any:
    """The cards that the others may point at: back cards that this decision may use, or the dummy's face-up cards."""
    if not state.asked:
        cards = hand(state, rules)
    else:
        cards = state.playable
        if rules.nazare and (rules.free or cards == ZERO):
            cards |= choosable(state, rules)
    dummy = rules.dummy and state.acting == DUMMY
    return cards if dummy else cards & state.back[state.acting]


@kernel
def is_signal(state: State) -> Flag:
    """Whether the next decision is a signal to the surfer who decides after it."""
    return state.mover >= 0 and state.mover != state.decider


@kernel
def code_of(state: State, card: Card) -> Any:
    """How an action names a card of the acting hand."""
    back = has(state.back[state.acting], card)
    return np.int64(BACK + state.slot[card]) if back else np.int64(card)


@kernel
def named(state: State, action: Action) -> Any:
    """The card that an action names (any action but NO_SWAP and POINT_NONE)."""
    code = action & (HIDE - 1)
    return U8(state.held[state.acting, code - BACK]) if code >= BACK else U8(code)


@kernel
def slots_of(state: State, cards: Any) -> Any:
    """The slots of these cards of one hand, as a set, so their order says nothing about the cards."""
    slots = ZERO
    while cards != ZERO:
        slots |= single(state.slot[lowest(cards)])
        cards = without_lowest(cards)
    return slots


# ---- The cards left over, when the team wins, and the utility of an end for a search


@kernel
def cards_left(state: State, rules: Rules) -> Any:
    """The score: cards not laid, or in Nazare cards laid face down."""
    return state.facedown if rules.nazare else rules.deck_size - 1 - state.laid


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    scores[0] = cards_left(state, rules)


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    shares[0] = WIN if cards_left(state, rules) == 0 else 0
    return False


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.laid
    out[1] += state.laid - (rules.virage and state.virage == NONE)  # the last Virage card is nobody's turn
    out[2] += 1


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """A win has twice the utility of the best loss; below that every card left counts."""
    left = cards_left(state, rules)
    size = np.int64(rules.deck_size)
    out[0] = UTILITY if left == 0 else UTILITY // 2 * (size - left) // size


# ---- The rules of play
#
# For speed, a turn of the base game reads each field once, and random facts (front or back, reverse or not) are
# computed rather than branched on. Variants are branches on fixed knobs, which cost nothing.


SIGNAL = U8(0x7369_676E)  # part of a key, for random signals


@kernel
def deal(state: State, rules: Rules) -> None:
    """Start card, hands card by card around the table (front, then back), Virage card, inversion cards."""
    piles.open_pile(state, rules.pile)
    state.public = state.sunk = ZERO
    state.order = state.turned = state.surfer = 0
    state.laid = state.facedown = state.random_signals = 0
    state.top = piles.next_card(state)
    state.cells[0] = state.top
    state.seen = single(state.top)
    for seat in range(rules.seats):
        state.front[seat] = state.back[seat] = state.sunk_known[seat] = ZERO
    _deal_hands(state, rules, state.front, rules.front, rules.up, FIRST, FIRST)
    _deal_hands(state, rules, state.back, rules.back, rules.down, rules.front, rules.up)
    state.virage = piles.take_aside(state) if rules.virage else NONE
    for _ in range(2):
        if rules.tide_colours:
            piles.add_card(state, INVERT_COLOURS)
        if rules.tide_numbers:
            piles.add_card(state, INVERT_NUMBERS)
    _begin_turn(state, rules, FIRST)


@kernel
def _deal_hands(state: State, rules: Rules, hands: Any, each: Any, dummys: Any, slot: Any, dummys_slot: Any) -> None:
    """Deals `each` cards to every surfer and `dummys` to the dummy, into the slots from `slot` on."""
    seats, with_dummy = U8(rules.seats), rules.dummy
    printed = not state.gaps | state.added | state.stacked
    stream, left = state.deal, U8(state.pile_left)
    for i in range(max(each, dummys) if with_dummy else each):
        for seat in range(seats):
            dummy = with_dummy and seat == DUMMY
            if i < (dummys if dummy else each):
                if printed:  # the same as next_card, with the numbers in registers, which saves a twentieth of a game
                    stream = advance(stream)
                    j = below(stream, left)
                    left -= ONE
                    card = state.pile[j]
                    state.pile[j] = state.pile[left]
                else:
                    card = piles.next_card(state)
                hands[seat] |= _hold(state, rules, seat, i + (dummys_slot if dummy else slot), card)
    if printed:
        state.deal = stream
        state.pile_left = left


@kernel
def _hold(state: State, rules: Rules, seat: Seat, slot: Any, card: Card) -> Any:
    """Puts a card into a slot of a hand; returns it as a set for the caller to add to front or back."""
    state.held[seat, slot] = card
    state.slot[card] = slot
    if rules.tracks:
        state.may[seat, slot] = ALL
    return single(card)


@kernel
def _draw(state: State) -> Any:
    """The card drawn after a play, or NONE; inversion cards take effect and are replaced at once."""
    while state.pile_left > 0:
        card = piles.next_card(state)
        if card < INVERT_COLOURS:
            return card
        state.order ^= 1 if card == INVERT_COLOURS else 2
    return NONE


@kernel
def _begin_turn(state: State, rules: Rules, seat: Seat) -> None:
    dummy = rules.dummy and seat == DUMMY
    state.acting = seat
    state.decider = state.surfer if dummy else seat
    state.taken = NONE
    state.asked = 1
    if rules.talk < KNOWN and not dummy:
        learn(state, state.back[seat], seat, fitting(state, rules))
    if rules.virage and (rules.dummy_swaps or not dummy) and count(hand(state, rules)) > ONE:
        state.asked = 0
        _open_decision(state, rules)
    else:
        _offer_play(state, rules)


@kernel
def _open_decision(state: State, rules: Rules) -> None:
    """Gives the decision to the surfer who decides, or first to the others, who signal."""
    state.mover = state.decider
    if rules.signals:
        for seat in range(rules.seats):
            state.signals[seat] = NONE
        if pointable(state, rules) != ZERO:
            state.mover = _next_adviser(state, rules, state.acting)


@kernel
def _next_adviser(state: State, rules: Rules, seat: Seat) -> Any:
    """The next surfer after a seat who signals at this decision, then the surfer who decides."""
    nexts = rules.next[state.turned]
    seat = nexts[seat]
    while seat != state.acting:
        if seat != state.decider and not (rules.dummy and seat == DUMMY):
            return seat
        seat = nexts[seat]
    return state.decider


@kernel
def _offer_play(state: State, rules: Rules) -> None:
    """Opens the play decision; without a playable card the game ends (in Nazare a card goes face down)."""
    fits = fitting(state, rules)
    state.playable = choosable(state, rules) & fits
    if state.playable == ZERO:
        if not rules.nazare:
            state.mover = -1
        elif rules.tracks and not rules.free:
            # Being stuck shows the others that none of the front cards fits.
            seat = state.acting
            learn(state, choosable(state, rules) & state.front[seat], seat, fits)
    if rules.nazare or state.playable != ZERO:
        _open_decision(state, rules)


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    """Lists the mover's actions in an order that the mover knows, because searches break ties by it."""
    if state.mover < 0:
        return 0
    if is_signal(state):
        moves[0] = POINT_NONE
        return _list(state, rules, pointable(state, rules), POINT, moves, 1)
    n = 0
    if not state.asked:
        moves[0] = NO_SWAP
        n = _list(state, rules, hand(state, rules), SWAP, moves, 1)
        return n
    n = _list(state, rules, state.playable, 0, moves, 0)
    if rules.nazare and (rules.free or n == 0):
        n = _list(state, rules, choosable(state, rules), HIDE, moves, n)
    return n


@kernel
def _list(state: State, rules: Rules, cards: Any, base: Any, moves: Moves, n: Number) -> Any:
    """Adds an action for each of these cards of the acting hand, the lowest card first."""
    if rules.talk < KNOWN:
        return _list_unseen(state, cards, base, moves, n)
    while cards != ZERO:
        moves[n] = base + code_of(state, lowest(cards))
        cards = without_lowest(cards)
        n += 1
    return n


@outlined
def _list_unseen(state: State, cards: Any, base: Any, moves: Moves, n: Number) -> Any:
    """The same if a surfer does not know their back cards: first the front cards, then the back cards by slot."""
    back = state.back[state.acting]
    n = list_cards(cards & ~back, base, moves, n)
    return list_cards(slots_of(state, cards & back), base + np.int64(BACK), moves, n)


@kernel
def _random_choice(state: State, rules: Rules) -> Any:
    """A random decision: what is done (0 to play, HIDE, SWAP, NO_SWAP) and with which card."""
    stream = advance(state.choice)
    state.choice = stream
    if not state.asked:
        cards = hand(state, rules)
        i = below(stream, count(cards) + ONE)
        return (NO_SWAP, ZERO) if i == ZERO else (SWAP, nth(cards, i - ONE))
    cards = state.playable
    fits = count(cards)
    if rules.nazare and (rules.free or fits == ZERO):
        others = choosable(state, rules)
        i = below(stream, fits + count(others))
        return (0, nth(cards, i)) if i < fits else (HIDE, nth(others, i - fits))
    return 0, nth(cards, below(stream, fits))


@kernel
def random_move(state: State, rules: Rules) -> Action:
    if is_signal(state):
        cards = pointable(state, rules)
        state.random_signals += 1
        i = below(derive(derive(state.root, SIGNAL), state.random_signals), count(cards) + ONE)
        return POINT_NONE if i == ZERO else POINT + code_of(state, nth(cards, i - ONE))
    what, card = _random_choice(state, rules)
    return NO_SWAP if what == NO_SWAP else what + code_of(state, card)


@kernel
def random_ply(state: State, rules: Rules) -> None:
    """Chooses and acts without coding the card as an action in between, which would cost a tenth of a game.

    Random players do not heed signals, so none are given here.
    """
    what, card = _random_choice(state, rules)
    _act(state, rules, what, card)


@kernel
def random_round(state: State, rules: Rules) -> Number:
    """Plays random plies to the end of the game; returns how many."""
    if rules.dummy | rules.virage | rules.nazare | state.added | state.gaps | state.stacked:
        plies = 0
        while state.mover >= 0:
            random_ply(state, rules)
            plies += 1
        return plies
    return _random_base_game(state, rules)


@kernel
def _random_base_game(state: State, rules: Rules) -> Number:
    """The same for games in which no variant adds to a turn: all that a turn changes stays in registers."""
    choice, stream, left = state.choice, state.deal, U8(state.pile_left)
    turned, seat, top = U8(state.turned), U8(state.acting), U8(state.top)
    seen, playable, order = state.seen, state.playable, state.order
    seats, reverse, laid = rules.seats, rules.reverse, 0
    while playable != ZERO:
        choice = advance(choice)
        top = nth(playable, below(choice, count(playable)))
        bit = single(top)
        back = state.back[seat]
        from_back = (back >> top) & ONE
        front = state.front[seat] & ~bit
        back &= ~bit
        slot = state.slot[top]
        turned ^= (reverse >> top) & ONE
        seen |= bit
        laid += 1
        drawn = NONE
        if left > ZERO:
            stream = advance(stream)
            i = below(stream, left)
            left -= ONE
            drawn = state.pile[i]
            state.pile[i] = state.pile[left]
            state.slot[drawn] = slot
            to_front = ALL * from_back
            front |= single(drawn) & to_front
            back |= single(drawn) & ~to_front
        state.held[seat, slot] = drawn
        state.front[seat] = front
        state.back[seat] = back
        playable = ZERO
        after = U8(rules.next[turned, seat])
        for _ in range(seats):
            cards = state.front[after] | state.back[after]
            if cards != ZERO:
                seat = after
                playable = cards & rules.beats[order, top]
                break
            after = U8(rules.next[turned, after])
    state.choice, state.deal, state.pile_left = choice, stream, left
    state.turned, state.acting, state.top = turned, seat, top
    state.seen, state.playable = seen, playable
    state.laid += laid
    state.mover = -1
    return laid


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    what = action & ~(HIDE - 1)
    if what >= POINT:
        state.signals[state.mover] = AT_NONE if what == POINT_NONE else action - POINT
        state.mover = _next_adviser(state, rules, np.uint8(state.mover))
        return
    _act(state, rules, what, ZERO if what == NO_SWAP else named(state, action))


@kernel
def _act(state: State, rules: Rules, what: Any, card: Card) -> None:
    if what >= SWAP:
        if what == SWAP:
            _swap(state, rules, card)
        state.asked = 1
        _offer_play(state, rules)
    else:
        _lay(state, rules, card, what == HIDE)


@kernel
def _swap(state: State, rules: Rules, card: Card) -> None:
    """The Virage card becomes a front card in the slot of the card laid down; everyone has seen both."""
    seat, taken = state.acting, state.virage
    state.front[seat] = (state.front[seat] & ~single(card)) | _hold(state, rules, seat, state.slot[card], taken)
    state.back[seat] &= ~single(card)
    state.public = (state.public & ~single(card)) | single(taken)
    state.virage = card
    state.taken = taken


@kernel
def _lay(state: State, rules: Rules, card: Card, facedown: Any) -> None:
    """Lays a card, draws, and passes the turn on."""
    seat = state.acting
    dummy = rules.dummy and seat == DUMMY
    bit = single(card)
    back = state.back[seat]
    from_back = (back >> card) & ONE
    front = state.front[seat] & ~bit
    back &= ~bit
    slot = state.slot[card]
    reverses = (rules.reverse >> card) & ONE
    state.laid += 1
    if rules.dummy and not dummy:
        state.surfer = seat
    if rules.nazare:
        state.cells[state.laid] = FACEDOWN if facedown else card
        if facedown:
            sink(state, rules, seat, card, from_back)
            reverses &= U8(rules.facedown_reverses)
    if rules.virage:
        state.public &= ~bit
    state.top = NONE if facedown else card
    state.seen |= ZERO if facedown else bit
    turned = U8(state.turned) ^ reverses
    state.turned = turned

    drawn = _draw(state)
    if drawn != NONE:
        new = _hold(state, rules, seat, slot, drawn)
        to_front = ALL * from_back if not dummy else ALL
        front |= new & to_front
        back |= new & ~to_front
    else:
        state.held[seat, slot] = NONE
        if dummy and back != ZERO:
            shown = single(piles.one_of(state, back, count(back)))  # its next card, at random
            front |= shown
            back &= ~shown
    state.front[seat] = front
    state.back[seat] = back

    nexts = rules.next[turned]
    seat = nexts[seat]
    for _ in range(rules.seats):
        if state.front[seat] | state.back[seat] != ZERO:
            _begin_turn(state, rules, seat)
            return
        seat = nexts[seat]
    _finish(state, rules)


@kernel
def _finish(state: State, rules: Rules) -> None:
    """All hands are empty: the Virage card, if any, is laid last."""
    state.mover = -1
    state.playable = ZERO
    if state.virage == NONE:
        return
    card = state.virage
    fits = has(fitting(state, rules), card) or not rules.must_fit
    if fits or rules.nazare:
        state.virage = NONE
        state.laid += 1
        state.top = card if fits else NONE
        state.seen |= single(card) if fits else ZERO
        if rules.nazare:
            state.cells[state.laid] = card if fits else FACEDOWN
            state.facedown += 0 if fits else 1


@kernel
def learn(state: State, cards: Any, seat: Seat, fits: Any) -> None:
    """Notes for the slot of each of these cards whether it fits, for seats that cannot see it."""
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        state.may[seat, state.slot[card]] &= fits if has(fits, card) else ~fits


@kernel
def sink(state: State, rules: Rules, seat: Seat, card: Card, from_back: Any) -> None:
    """Notes who has seen a card that goes face down: its owner or the others, or everyone if it was public."""
    bit = single(card)
    dummy = rules.dummy and seat == DUMMY
    public = dummy or has(state.public, card) or (from_back == ONE and rules.talk >= KNOWN)
    state.facedown += 1
    state.sunk |= bit
    for other in range(rules.seats):
        if public or (other == seat) != (from_back == ONE):
            state.sunk_known[other] |= bit
