"""VAGUE VERTE: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, list_cards, lowest, nth, single, without_lowest
from houle.solver.cards.piles import full_pile, lay_out_pile, next_card, numbered, open_pile, pile_fields
from houle.solver.cards.streams import STREAM_FIELDS, advance, below, start_round
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, AllRules, Card, Flag, Moves, Number, Numbers, Rules, Seat, State, Stream
from houle.solver.interface import UTILITY, WIN, blank
from houle.solver.rules import KnobError, Setup, load

# ---- The records, the action codes, and how knobs become a RULES record
#
# Cards are numbered in this order: cars (by colour), breakdowns (by colour), tows, ambulances, ducks, red lights,
# green lights. So a set of cards is one 64-bit integer. Another one is `targets` in STATE: a bit for every road and
# row that some card could be aimed at.


MAX_SEATS = 4
MAX_CARDS = 64
MAX_ROAD = 12
MAX_HAND = 16
COLOURS = ("red", "yellow", "green", "blue")
NONE = 255  # no card, no seat

DRAW, PLAY = 0, 1  # the two decisions of a turn

# Actions. A card is laid on a target: action = target * 64 + card.
FACEUP = 0  # target: the face-up pile
ROAD = 4  # target + seat: the next square of that seat's road (a tow: its last one)
ROW = 16  # target + row (from 1): where a red light is put up or taken away
DRAW_STOCK, DRAW_FACEUP = 2048, 2049
MAX_MOVES = (MAX_HAND + 1) * (MAX_ROAD + 1)

# Cards that are aimed at something, in groups that share their targets: breakdowns by colour, ducks, red lights, green
# lights. The bits of `targets` are 4 * group + seat for the first five groups, then:
DUCKS, RED_LIGHTS, GREEN_LIGHTS = 4, 5, 6
GROUPS = 7
STARTED = 20  # + seat: the first car is on the road
DARK = 32  # + row: no red light is active there
LIT = 48  # + row: a red light is active there
COLUMN = 0x11_1111  # all bits of seat 0
EVERY_SEAT = 0xF_FFFF  # the targets of the first five groups

COUNTS = ("moves", "turns", "rounds", "plays", "discards", "laid")
RATES: dict[str, tuple[str, str]] = {"discard_share": ("discards", "laid")}

RULES = np.dtype(
    [
        ("deck_size", "u1"),  # cards in the deck
        ("seats", "u1"),
        ("sides", "u1"),  # one per seat
        ("side", "u1", 8),  # side of each seat
        ("next", "u1", MAX_SEATS),  # seat after a seat
        ("road", "u1"),  # squares of a road
        ("hand", "u1"),  # cards dealt to a seat
        ("forced_play", "u1"),  # 1: no card may be laid on the face-up pile while one can be played
        ("max_turns", "u2"),
        ("cars", "u8"),
        ("tows", "u8"),
        ("ambulances", "u8"),
        ("ducks", "u8"),
        ("red_lights", "u8"),
        ("group", "u8", GROUPS),  # the cards of each group
        ("aims", "u8", GROUPS),  # the bits of `targets` that a group may be aimed at
        ("follow", "u8", MAX_CARDS),  # what may be laid next on a road that ends with this card, ignoring lights
        ("opens", "u8", MAX_CARDS),  # bits of seat 0 in `targets` if this is the last card of its road
        ("within", "u8", MAX_ROAD + 1),  # which of them the number of filled squares allows
        ("same", "u8", MAX_CARDS),  # all cards with the face of this card
        ("face", "u1", MAX_CARDS),  # the lowest of them, which represents the face
        ("pile", full_pile(MAX_CARDS)),  # the cards as they lie before the deal
        ("vague_verte", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("targets", "u8"),  # what cards can be aimed at, see STARTED, DARK and LIT
        ("hand", "u8", MAX_SEATS),
        ("own", "u8", MAX_SEATS),  # cards that the seat may lay on its own road now
        ("follow", "u8", MAX_SEATS),  # the same, ignoring red lights
        ("shown", "u8", MAX_SEATS),  # cards of the hand that everyone knows, because they were on the face-up pile
        ("not_in", "u8", MAX_CARDS),  # forced_play: what everyone knows this hand card cannot be
        ("last_seen", "u2", MAX_CARDS),  # how many reshuffles there had been when everyone last saw this card
        ("reshuffles", "u2"),
        ("turns", "u2"),  # turns finished, missed ones included
        ("plays", "u2"),  # cards played on the board
        ("discards", "u2"),  # cards laid on the face-up pile
        ("mover", "i1"),  # the seat that decides; -1 when over
        ("seat", "u1"),  # the seat whose turn it is (was, when over)
        ("stage", "u1"),  # DRAW or PLAY
        ("drawn", "u1"),  # card taken this turn, or NONE
        ("winner", "u1"),  # seat, or NONE
        ("filled", "u1", MAX_SEATS),  # squares filled
        ("last", "u1", MAX_SEATS),  # last card laid on the road, or NONE
        ("missed", "u1", MAX_SEATS),  # turns still to miss
        ("pile_left", "u1"),  # cards in the stock
        ("faceup_left", "u1"),
        ("bottom", "u1"),  # where the face-up pile begins in its ring
        ("pile", "u1", MAX_CARDS),  # the stock
        ("faceup", "u1", MAX_CARDS),  # a ring: faceup_left cards upwards from `bottom`
        ("light", "u1", MAX_ROAD + 1),  # red light beside each row (from 1), if LIT is set
        ("road", "u1", (MAX_SEATS, 2 * MAX_ROAD)),  # card on each square; from MAX_ROAD on, the tows on them
        *pile_fields(MAX_CARDS + 8),
        ("vague_verte", "u1"),  # marker
    ],
    align=True,
)


def build_deck(options: Mapping[str, Any]) -> list[str]:
    """The name of every card, in the order of their numbers."""
    deck = [f"car {colour} {number}" for colour in COLOURS for number in options["deck.cars"]]
    deck += [f"breakdown {colour}" for colour in COLOURS for _ in range(options["deck.breakdowns"])]
    for name in ("tow", "ambulance", "ducks", "red light", "green light"):
        knob = name.replace(" ", "_")
        deck += [name] * options["deck.ducks" if name == "ducks" else f"deck.{knob}s"]
    return deck


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    deck = build_deck(options)
    if not options["deck.cars"]:
        raise KnobError("deck.cars", "no numbers; allowed: at least one, because a road starts with a car")
    if len(deck) > MAX_CARDS:
        raise KnobError("deck.cars", f"the deck would have {len(deck)} cards; allowed: at most {MAX_CARDS}")
    needed = players * options["hand"] + 1
    if needed > len(deck):
        raise KnobError("hand", f"the deal needs {needed} cards but the deck has {len(deck)}")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.deck_size = len(deck)
    printed = build_deck({name: knob.default_for(players) for name, knob in load("vague-verte").knobs.items()})
    lay_out_pile(rules.pile, numbered(printed), {name: card for card, name in enumerate(numbered(deck))})
    rules.seats = rules.sides = players
    for seat in range(players):
        rules.side[seat] = seat
        rules.next[seat] = (seat + 1) % players
    rules.road, rules.hand, rules.max_turns = options["road"], options["hand"], options["max_turns"]
    rules.forced_play = options["forced_play"]

    def cards(start: str) -> int:
        return sum(1 << card for card, name in enumerate(deck) if name.startswith(start))

    rules.cars, rules.tows, rules.ambulances = cards("car"), cards("tow"), cards("ambulance")
    rules.ducks, rules.red_lights = cards("ducks"), cards("red light")
    rules.group[:] = [
        *(cards(f"breakdown {colour}") for colour in COLOURS),
        *map(cards, ("ducks", "red light", "green light")),
    ]
    rows = sum(1 << row for row in range(1, options["road"] + 1))
    rules.aims[:] = [*(0xF << 4 * group for group in range(DUCKS + 1)), rows << DARK, rows << LIT]
    for card, name in enumerate(deck):
        rules.same[card] = sum(1 << other for other, face in enumerate(deck) if face == name)
        rules.face[card] = deck.index(name)
        rules.follow[card] = sum(1 << other for other in _followers(deck, name, options["match"]))
        rules.opens[card] = _openings(name)
    for filled in range(MAX_ROAD + 1):
        rules.within[filled] = _allowed(filled, options["road"], options["attack_last_square"])
    return all_rules


def _followers(deck: list[str], name: str, match: str) -> list[int]:
    """The cards that may be laid after a card (a tow: on it). Ducks change nothing, so nothing follows them."""
    kind, *face = name.split()
    if kind == "breakdown":
        return [card for card, other in enumerate(deck) if other == "tow"]
    if kind not in ("car", "tow", "ambulance"):
        return []
    any_car = kind != "car" or match == "none"
    cars = [(card, other.split()[1:]) for card, other in enumerate(deck) if other.startswith("car")]
    return [card for card, other in cars if any_car or other[0] == face[0] or other[1] == face[1]]


def _openings(name: str) -> int:
    """The bits of `targets` for a road that ends with this card, ignoring red lights and its length."""
    kind, *face = name.split()
    bits = 1 << STARTED
    if kind in ("car", "tow", "ambulance", "ducks"):
        bits |= 1 << 4 * DUCKS
    if kind == "car":
        bits |= 1 << 4 * COLOURS.index(face[0])
    return bits


def _allowed(filled: int, road: int, attack_last: bool) -> int:
    """Which attacks the next square allows: on the last one none, or only breakdowns."""
    breakdowns = sum(1 << 4 * colour for colour in range(len(COLOURS)))
    if filled + 1 < road:
        return COLUMN
    if filled + 1 == road and attack_last:
        return breakdowns | 1 << STARTED
    return 1 << STARTED


def score_range(setup: Setup) -> tuple[int, int]:
    return 0, int(setup.rules[0].road)


# ---- What lies on roads and beside rows, and what that allows
#
# What every road allows (`own`, `targets`) is updated when a card or a light changes it, so a decision only counts
# bits. All cards that go on a road, your own or a rival's, take one path.


RING = U8(MAX_CARDS - 1)  # positions in the face-up pile's ring wrap around


@kernel
def aims(state: State, seat: Seat) -> Any:
    """The targets that `seat` may aim cards at: never its own road, and nothing before its first car."""
    targets, seat = state.targets, U8(seat)
    started = (targets >> (U8(STARTED) + seat)) & ONE
    return targets & ~(U8(COLUMN & EVERY_SEAT) << seat) & (ZERO - started)


@kernel
def target_numbers(open_to: Any) -> Any:
    """How many targets each group has, in four bits each; the seats are counted in parallel."""
    seats = open_to & U8(EVERY_SEAT)
    seats -= seats >> ONE & U8(0x5_5555)
    seats = (seats & U8(0x3_3333)) + (seats >> U8(2) & U8(0x3_3333))
    dark = count(open_to & (U8(0xFFFF) << U8(DARK)))
    lit = count(open_to >> U8(LIT))
    return seats | dark << U8(4 * RED_LIGHTS) | lit << U8(4 * GREEN_LIGHTS)


@kernel
def playable(state: State, rules: Rules, seat: Seat) -> Any:
    """All cards that `seat` could play on the board now if it held them."""
    cards = state.own[seat]
    open_to = aims(state, seat)
    for group in range(GROUPS):
        if open_to & rules.aims[group] != ZERO:
            cards |= rules.group[group]
    return cards


@kernel
def fill(state: State, rules: Rules, owner: Any, card: Card) -> None:
    """Lays a card on the next square of a road. A tow goes on the last card, ducks cost a turn."""
    tow = (rules.tows >> card) & ONE
    ducks = (rules.ducks >> card) & ONE
    filled = U8(state.filled[owner])
    state.road[owner, filled + (U8(MAX_ROAD - 1) if tow != ZERO else ZERO)] = card
    filled += ONE - tow
    state.filled[owner] = filled
    state.last[owner] = card
    state.missed[owner] += ducks
    if ducks == ZERO:
        state.follow[owner] = rules.follow[card]
    state.targets = _survey(state, rules, owner, filled, state.targets)
    if filled == U8(rules.road) and owner == U8(state.seat):
        state.winner = state.seat


@kernel
def _survey(state: State, rules: Rules, owner: Any, filled: Any, targets: Any) -> Any:
    """Updates what a started road allows: `own`, and its bits in the targets, which are returned."""
    opens = rules.opens[state.last[owner]]
    barred = has(targets, U8(LIT) + filled)
    moving = has(opens, 4 * DUCKS)
    state.own[owner] = rules.ambulances if barred and moving else state.follow[owner]
    bits = opens & (U8(1 << STARTED) if barred else rules.within[filled])
    owner = U8(owner)
    return (targets & ~(U8(COLUMN) << owner)) | (bits << owner)


@kernel
def switch_light(state: State, rules: Rules, row: Any, card: Card) -> None:
    """Puts up a red light or removes one. A removed light goes under the face-up pile, the green light on top of it."""
    targets = state.targets ^ (single(U8(DARK) + row) | single(U8(LIT) + row))
    if has(rules.red_lights, card):
        state.light[row] = card
    else:
        bottom = U8(state.bottom)
        state.faceup[(bottom - ONE) & RING] = card
        bottom = (bottom - U8(2)) & RING
        state.faceup[bottom] = state.light[row]
        state.bottom = bottom
        state.faceup_left += 2
    for owner in range(rules.seats):
        filled = U8(state.filled[owner])
        if filled == row:
            targets = _survey(state, rules, owner, filled, targets)
    state.targets = targets


# ---- The squares filled, who has won, and the utility of an end for a search


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    for seat in range(rules.seats):
        scores[seat] = state.filled[seat]


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """The squares filled."""
    round_scores(state, rules, out)


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    for seat in range(rules.seats):
        shares[seat] = WIN if state.winner == seat else 0
    return state.winner == NONE


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.plays
    out[1] += state.turns
    out[2] += 1
    out[3] += state.plays
    out[4] += state.discards
    out[5] += state.plays + state.discards


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """Nearly all utility is the win; the squares filled distinguish lost games."""
    for seat in range(rules.seats):
        win = 19 * UTILITY // 20 if state.winner == seat else 0
        out[seat] = win + UTILITY // 20 * np.int64(state.filled[seat]) // np.int64(rules.road)


# ---- The course of play. Draw a card, lay one, then the next seat


CARD_BITS = U8(6)


@kernel
def deal(state: State, rules: Rules) -> None:
    """Deals hands card by card around the table, then the first card of the face-up pile."""
    cards = rules.deck_size
    for card in range(cards):
        state.last_seen[card] = 0
        state.not_in[card] = ZERO
    open_pile(state, rules.pile)
    state.reshuffles = state.turns = state.plays = state.discards = 0
    state.targets = rules.aims[RED_LIGHTS]
    for seat in range(rules.seats):
        state.hand[seat] = state.shown[seat] = ZERO
        state.own[seat] = state.follow[seat] = rules.cars
        state.filled[seat] = state.missed[seat] = 0
        state.last[seat] = NONE
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            state.hand[seat] |= single(next_card(state))
    state.winner = state.drawn = NONE
    state.bottom = 0
    state.faceup[0] = next_card(state)
    state.faceup_left = 1
    _begin_turn(state, rules, 0)


@kernel
def _begin_turn(state: State, rules: Rules, seat: Seat) -> None:
    """Opens the turn of `seat`, or of the first seat after it that has anything to decide."""
    while state.turns < rules.max_turns:
        if state.missed[seat] > 0:
            state.missed[seat] -= 1
        else:
            if state.faceup_left == 0 or state.pile_left == 0:
                _refill(state)
            state.seat = seat
            state.mover = seat
            state.stage = DRAW if state.faceup_left > 0 else PLAY
            if state.faceup_left > 0 or state.hand[seat] != ZERO:
                return
        state.turns += 1
        state.seat = seat
        seat = rules.next[seat]
    state.mover = -1


@outlined
def _refill(state: State) -> None:
    """Turns up a card if the face-up pile is empty; makes a new stock from all but its top card if the stock is."""
    if state.faceup_left == 0 and state.pile_left > 0:
        state.bottom = 0
        state.faceup[0] = next_card(state)
        state.faceup_left = 1
    if state.pile_left == 0 and state.faceup_left > 1:
        state.reshuffles += 1
        below_top = U8(state.faceup_left) - ONE
        position = U8(state.bottom)
        for i in range(below_top):
            card = state.faceup[position]
            state.pile[i] = card
            state.last_seen[card] = state.reshuffles
            position = (position + ONE) & RING
        state.pile_left = below_top
        state.gaps = state.added = state.stacked = 0
        start_round(state, state.reshuffles)
        state.bottom = position
        state.faceup_left = 1


@kernel
def _target(bit: Any) -> Any:
    """The target of an action, from its bit in `targets`."""
    return U8(ROW) | (bit & U8(15)) if bit >= U8(DARK) else U8(ROAD) | (bit & U8(3))


@kernel
def _code(target: Any, card: Card) -> Any:
    return np.int64((U8(target) << CARD_BITS) | U8(card))


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    if state.stage == DRAW:
        moves[0] = DRAW_FACEUP
        moves[1] = DRAW_STOCK
        return 2 if state.pile_left > 0 else 1
    seat = state.seat
    hand = state.hand[seat]
    n = list_cards(hand & state.own[seat], _code(U8(ROAD) + U8(seat), ZERO), moves, 0)
    open_to = aims(state, seat)
    for group in range(GROUPS):
        spots = open_to & rules.aims[group]
        while spots != ZERO:
            n = list_cards(hand & rules.group[group], _code(_target(lowest(spots)), ZERO), moves, n)
            spots = without_lowest(spots)
    if n == 0 or not rules.forced_play:
        n = list_cards(hand, _code(U8(FACEUP), ZERO), moves, n)
    return n


@kernel
def random_move(state: State, rules: Rules) -> Action:
    stream = advance(state.choice)
    state.choice = stream
    if state.stage == DRAW:
        sources = U8(2) if state.pile_left > 0 else ONE
        return np.int64(DRAW_FACEUP) - np.int64(below(stream, sources))
    target, card = _random_play(state, rules, stream)
    return _code(target, card)


@kernel
def _random_play(state: State, rules: Rules, stream: Stream) -> Any:
    """A target and a card for it, uniform over all pairs; they are counted by group, not listed."""
    seat = state.seat
    hand = state.hand[seat]
    own = hand & state.own[seat]
    open_to = aims(state, seat)
    on_road = count(own)
    plays = on_road
    numbers = target_numbers(open_to)
    for group in range(GROUPS):
        plays += count(hand & rules.group[group]) * (numbers >> U8(4 * group) & U8(15))
    lays = ZERO if rules.forced_play and plays > ZERO else count(hand)
    i = below(stream, plays + lays)
    if i < lays:
        return U8(FACEUP), nth(hand, i)
    i -= lays
    if i < on_road:
        return U8(ROAD) + U8(seat), nth(own, i)
    i -= on_road
    group = 0
    while True:
        cards, ways = hand & rules.group[group], numbers & U8(15)
        actions = count(cards) * ways
        if i < actions:
            return _target(nth(open_to & rules.aims[group], i % ways)), nth(cards, i // ways)
        i -= actions
        numbers >>= U8(4)
        group += 1


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    if action >= DRAW_STOCK:
        _draw(state, rules, action == DRAW_STOCK)
    else:
        _lay(state, rules, U8(action) >> CARD_BITS, U8(action) & RING)


@kernel
def _draw(state: State, rules: Rules, from_stock: Any) -> None:
    seat = state.seat
    if from_stock:
        card = next_card(state)
        if rules.forced_play:
            state.not_in[card] = ZERO
    else:
        left = U8(state.faceup_left) - ONE
        card = state.faceup[(U8(state.bottom) + left) & RING]
        state.faceup_left = left
        state.shown[seat] |= single(card)
    state.hand[seat] |= single(card)
    state.drawn = card
    state.stage = PLAY


@kernel
def _lay(state: State, rules: Rules, target: Any, card: Card) -> None:
    """Lays a card of the hand on its target and ends the turn."""
    seat = state.seat
    if rules.forced_play and target == U8(FACEUP):
        _show_stuck(state, rules, seat)
    _leave_hand(state, rules, seat, card)
    if target == U8(FACEUP):
        state.discards += 1
        left = U8(state.faceup_left)
        state.faceup[(U8(state.bottom) + left) & RING] = card
        state.faceup_left = left + ONE
    else:
        state.plays += 1
        if target < U8(ROW):
            fill(state, rules, target - U8(ROAD), card)
        else:
            switch_light(state, rules, target - U8(ROW), card)
    state.turns += 1
    state.drawn = NONE
    if state.winner == NONE:
        _begin_turn(state, rules, rules.next[seat])
    else:
        state.mover = -1


@kernel
def _leave_hand(state: State, rules: Rules, seat: Seat, card: Card) -> None:
    """Takes a card out of a hand. Everyone sees only its face, so one known card of that face is no longer known."""
    bit = single(card)
    state.hand[seat] &= ~bit
    shown = state.shown[seat]
    known = shown & rules.same[card]
    if known != ZERO and known & bit == ZERO:
        # The equal card that stays takes the place of the one laid.
        stays = lowest(known)
        state.shown[seat] = shown & ~single(stays)
        state.last_seen[stays] = state.last_seen[card]
        state.not_in[stays] = state.not_in[card]
    else:
        state.shown[seat] = shown & ~bit


@outlined
def _show_stuck(state: State, rules: Rules, seat: Seat) -> None:
    """With forced play, a player who lays a card on the pile shows that no card of the hand can be played."""
    cards = playable(state, rules, seat)
    hand = state.hand[seat]
    while hand != ZERO:
        state.not_in[lowest(hand)] |= cards
        hand = without_lowest(hand)
