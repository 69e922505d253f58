"""SEA CHANGE: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, left_of, list_cards, nth, single
from houle.solver.cards.piles import full_pile, lay_out_pile, next_card, open_pile, pile_fields
from houle.solver.cards.streams import STREAM_FIELDS, advance, below, start_round
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Action, AllRules, Card, Flag, Moves, Number, Numbers, Rules, Seat, Side, State
from houle.solver.games import defining
from houle.solver.interface import MAX_SIDES, UTILITY, WIN, blank, share_among
from houle.solver.rules import KnobError, Setup, load

# ---- The records, the action codes, and how knobs become a RULES record
#
# A card is colour * 16 + value. A set of cards is two words: the first four colours in word 0 and red in word 1, so
# small decks need only one. "No colour" and "no value" are numbers just above the real ones with their own masks in
# RULES, so the legal cards are found without checking whether a trick has begun.


MAX_SEATS = 8
MAX_COLOURS = 5
MAX_VALUES = 16
MAX_CARDS = MAX_COLOURS * MAX_VALUES
MAX_HAND = 40
COLOURS = ("yellow", "blue", "violet", "green", "red")
NO_COLOUR = 5  # nothing led yet, no trump yet
NO_VALUE = 16  # no card played before in this trick
PLAYER, AI = 0, 1  # the sides of the solo game; the AI's cards come from the pile
SOLO_DUTY = 8  # value of which the solo player must capture a card

# The parts of a card's number.
WORD = U8(6)  # card >> WORD: the word of a set that holds it
IN_WORD = U8(63)
COLOUR = U8(4)  # card >> COLOUR: its colour
VALUE = U8(15)

# Actions: the card's number.
MAX_MOVES = MAX_HAND

COUNTS = ("moves", "turns", "rounds", "sea_changes")
RATES: dict[str, tuple[str, str]] = {"sea_changes_per_round": ("sea_changes", "rounds")}


RULES = np.dtype(
    [
        ("deck_size", "u1"),  # cards in the deck
        ("seats", "u1"),  # players (1 in the solo game)
        ("sides", "u1"),  # seats, teams, or player and AI
        ("side", "u1", 8),  # side of each seat
        ("solo", "u1"),  # 1: the AI leads every trick and plays its last card, both from the pile
        ("stock", "u1"),  # 1 with two players: each draws after playing, while the pile lasts
        ("wide", "u1"),  # 1 if cards of the fifth colour are in play: word 1 is in use
        ("hand", "u1"),  # cards dealt to a seat
        ("in_trick", "u1"),  # cards of a full trick
        ("tricks", "u1"),  # tricks of a round
        ("colours", "u1"),  # colours in play
        ("target", "u1"),  # victory points that end the game
        ("points", "i2", MAX_VALUES),  # points of a captured card by value; zeros are scored at the end
        ("zero", "i2"),  # points of a captured zero that is not of the trump
        ("trump_zero", "i2"),  # points of the captured zero of the last trump
        ("deck", "u1", MAX_CARDS),  # the cards, ascending
        ("of_colour", "u8", (NO_COLOUR + 1, 2)),  # all cards of a colour, by word; NO_COLOUR: every card
        ("of_value", "u8", (NO_VALUE + 1, 2)),  # all cards of a value, by word; NO_VALUE: none
        ("pile", full_pile(MAX_CARDS)),  # the cards as they lie before the deal
        ("sea_change", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("hand", "u8", (MAX_SEATS, 2)),  # cards of each seat, by word
        ("captured", "u8", (MAX_SEATS, 2)),  # cards each side captured in this round, by word
        ("moves", "u4"),  # cards played in the game, including the AI's
        ("turns", "u4"),  # tricks finished in the game
        ("rounds", "u2"),  # rounds finished in the game
        ("all_changes", "u4"),  # sea changes of the finished rounds
        ("changes", "u1"),  # sea changes of this round
        ("mover", "i1"),  # the seat to play; -1 when over
        ("leader", "u1"),  # who led this trick (1, the AI, in the solo game)
        ("starter", "u1"),  # who led the first trick of the round, left of the dealer
        ("led", "u1"),  # colour to follow, or NO_COLOUR before the lead
        ("trump", "u1"),  # colour of the trump, or NO_COLOUR before the first card of the round
        ("value", "u1"),  # value of the card played just before in this trick, or NO_VALUE
        ("laid", "u1"),  # cards in this trick
        ("trick", "u1", MAX_SEATS),  # those cards, in order
        ("tricks_left", "u1"),  # tricks to finish in this round, this one included
        ("void", "u1", MAX_SEATS),  # bit per colour: the seat could not follow it, and drew no card since
        ("barred", "u1", (MAX_SEATS, MAX_COLOURS)),  # two players: how many cards of a hand are not of a colour
        ("points", "i2", MAX_SEATS),  # points of each side in this round, zeros not counted
        ("vp", "u1", MAX_SEATS),  # victory points of each side
        ("ended", "u1"),  # 1 if the last action ended a round
        ("scores", "i2", MAX_SEATS),  # points of each side in the round that ended last
        ("won", "u1"),  # bit per side: it got a victory point in that round
        ("pile_left", "u1"),  # cards in the pile
        ("pile", "u1", MAX_CARDS),  # cards in no hand
        *pile_fields(MAX_CARDS + 8),
        ("sea_change", "u1"),  # marker
    ],
    align=True,
)


def seating(layout: str, players: int) -> list[int]:
    """The side of each seat: teams take turns to seat a member, as long as they have one left."""
    if layout == "none":
        return list(range(players))
    left = [int(size) for size in layout.split("v")]
    if sum(left) != players:
        raise KnobError(
            "teams", f"{layout} is for {sum(left)} players, not {players}; `none` is allowed for any number"
        )
    sides = []
    while any(left):
        for team, members in enumerate(left):
            if members:
                sides.append(team)
                left[team] -= 1
    return sides


def _numbered_cards(options: Mapping[str, Any]) -> list[int]:
    return [
        colour * MAX_VALUES + value for colour in range(options["deck.colours"]) for value in options["deck.values"]
    ]


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    colours, values, hand = options["deck.colours"], options["deck.values"], options["hand"]
    if sorted(set(values)) != values or not values:
        raise KnobError("deck.values", "allowed: at least one value, in rising order, each only once")
    if len(options["points"]) != MAX_VALUES:
        raise KnobError("points", f"{len(options['points'])} numbers; allowed: 16, one for each value from 0 to 15")
    cards = _numbered_cards(options)
    solo = players == 1
    needed = 3 * hand if solo else players * hand
    if needed > len(cards):
        raise KnobError("hand", f"a round needs {needed} cards but the deck has {len(cards)}")
    stock = len(cards) - 2 * hand if players == 2 else 0
    if stock % 2:
        raise KnobError("hand", f"the stock of two players would have {stock} cards; it must be even")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.deck_size = len(cards)
    rules.seats = players
    sides = [PLAYER, AI] if solo else seating(options["teams"], players)
    if solo and options["teams"] != "none":
        raise KnobError("teams", "the solo game has no teams; allowed: none")
    rules.side[: len(sides)] = sides
    rules.sides = max(sides) + 1
    rules.solo, rules.stock = solo, players == 2
    rules.wide = colours == MAX_COLOURS
    rules.hand, rules.colours = hand, colours
    rules.in_trick = 3 if solo else players
    rules.tricks = hand + stock // 2
    largest = max(sides.count(side) for side in sides)
    rules.target = options["target"] if options["teams"] == "none" else options["team_target"] or largest + 1
    rules.points[1:] = options["points"][1:]
    rules.zero, rules.trump_zero = options["points"][0], options["trump_zero"]
    rules.deck[: len(cards)] = cards
    printed = {knob: load("sea-change").knobs[knob].default_for(players) for knob in ("deck.colours", "deck.values")}
    lay_out_pile(rules.pile, _numbered_cards(printed), {card: card for card in cards})
    for card in cards:
        word, bit = card >> 6, np.uint64(1 << (card & 63))
        rules.of_colour[card // MAX_VALUES, word] |= bit
        rules.of_colour[NO_COLOUR, word] |= bit
        rules.of_value[card % MAX_VALUES, word] |= bit
    return all_rules


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    if setup.players == 1:
        return [("player", [0]), ("ai", [])]
    return defining.side_names(setup)


def score_range(setup: Setup) -> tuple[int, int]:
    """The scores of capturing all cards that cost points, and all that bring points; one zero is the trump's."""
    options = setup.options
    colours, points = options["deck.colours"], options["points"]
    each = [points[value] for value in options["deck.values"] if value]
    low, high = (colours * sum(pick(0, value) for value in each) for pick in (min, max))
    if 0 in options["deck.values"]:
        zeros = [(colours - 1) * points[0], options["trump_zero"]]
        low, high = low + sum(min(0, value) for value in zeros), high + sum(max(0, value) for value in zeros)
    return low, high


# ---- The points of a round, who wins the game, and the utility of an end for a search


OUT = 255  # the tie-break of a side below the target: behind all others
LOWEST = np.int64(-1_000_000)  # below every score
CLOSE = 6  # a lead of this many points has half of the greatest utility that a lead can have
PER_POINT = 3  # each victory point multiplies the odds to win the game by this


@kernel
def _has_trump_zero(state: State, side: Side) -> Any:
    card = U8(state.trump) << COLOUR
    return has(state.captured[side, card >> WORD], card & IN_WORD)


@kernel
def count_of(rules: Rules, value: Any, low: Any, high: Any) -> Any:
    """How many cards of a value are in a set of two words."""
    return count(low & rules.of_value[value, 0]) + count(high & rules.of_value[value, 1])


@kernel
def captured_of(state: State, rules: Rules, side: Side, value: Any) -> Any:
    """The same for what a side captured in this round."""
    return count_of(rules, value, state.captured[side, 0], state.captured[side, 1])


@kernel
def score_round(state: State, rules: Rules) -> Any:
    """Settles the zeros and gives the best sides a victory point; True if that ends the game."""
    best = LOWEST
    for side in range(rules.sides):
        score = np.int64(state.points[side])
        if rules.zero != 0:
            score += np.int64(rules.zero) * np.int64(captured_of(state, rules, side, 0))
        if _has_trump_zero(state, side):
            score += np.int64(rules.trump_zero) - np.int64(rules.zero)
        state.scores[side] = score
        best = max(best, score)
    won = np.int64(0)
    for side in range(rules.sides):
        won |= np.int64(state.scores[side] == best) << side
    if rules.solo and captured_of(state, rules, PLAYER, SOLO_DUTY) == ZERO:
        won = np.int64(1 << AI)
    over = False
    for side in range(rules.sides):
        state.vp[side] += won >> side & 1
        over = over or state.vp[side] >= rules.target
    state.won = won
    return over


@kernel
def round_over(state: State) -> Flag:
    return state.ended != 0


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    for side in range(rules.sides):
        scores[side] = state.scores[side]


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """Victory points first, then the points of the round under way."""
    for side in range(rules.sides):
        out[side] = 1000 * np.int64(state.vp[side]) + (0 if state.mover < 0 else np.int64(state.points[side]))


@kernel
def _tie_break(state: State, side: Side) -> Any:
    """The tie-break among sides at the target, lowest first: the trump's zero, else the fewest captured cards."""
    cards = ONE + count(state.captured[side, 0]) + count(state.captured[side, 1])
    return ZERO if _has_trump_zero(state, side) else cards


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    """The tie-break decides among the sides at the target; sides that are still equal share the win."""
    ranks, best = local_zeros(MAX_SIDES, np.int64), np.int64(OUT)
    for side in range(rules.sides):
        ranks[side] = np.int64(_tie_break(state, side)) if state.vp[side] >= rules.target else OUT
        best = min(best, ranks[side])
    share_among(ranks, best, rules.sides, shares)
    return False


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.rounds
    out[3] += state.all_changes


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """Two thirds for the odds to win the game by victory points, one third for the lead in the round."""
    if state.mover < 0:
        outcome(state, rules, out)
        for side in range(rules.sides):
            out[side] *= UTILITY // WIN
    else:
        total = 0
        for side in range(rules.sides):
            out[side] = 1
            for _ in range(state.vp[side]):
                out[side] *= PER_POINT
            total += out[side]
        for side in range(rules.sides):
            out[side] = UTILITY * out[side] // total
    for side in range(rules.sides):
        rival = LOWEST
        for other in range(rules.sides):
            rival = max(rival, np.int64(state.scores[other])) if other != side else rival
        lead = np.int64(state.scores[side]) - rival
        out[side] = (2 * out[side] + UTILITY // 2 + UTILITY // 2 * lead // (abs(lead) + CLOSE)) // 3


# ---- The rules of play
#
# For speed, playing a card reads each field once, and random facts (follow, sea change, trump or not) are computed
# rather than branched on. The solo game, the stock and a fifth colour are branches on fixed knobs.


@kernel
def deal(state: State, rules: Rules) -> None:
    for side in range(rules.sides):
        state.vp[side] = state.scores[side] = 0
    state.moves = state.turns = state.rounds = state.all_changes = 0
    state.won = state.ended = 0
    _deal_round(state, rules, 0)


@outlined
def _deal_round(state: State, rules: Rules, starter: Any) -> None:
    """Deals hands card by card around the table; the rest stays in the pile.

    The first seat always gets the first card, so a round's hands do not depend on how the last round ended.
    """
    start_round(state, state.rounds)
    open_pile(state, rules.pile)
    for holder in range(rules.seats):
        state.hand[holder, 0] = state.hand[holder, 1] = ZERO
        state.void[holder] = 0
        if rules.stock:
            for colour in range(MAX_COLOURS):
                state.barred[holder, colour] = 0
    for side in range(rules.sides):
        state.captured[side, 0] = state.captured[side, 1] = ZERO
        state.points[side] = 0
    printed = not state.gaps | state.added | state.stacked
    stream, left = state.deal, U8(state.pile_left)
    for _ in range(rules.hand):
        for seat in range(U8(rules.seats)):
            if printed:  # the same as next_card, with the numbers in registers
                stream = advance(stream)
                i = below(stream, left)
                left -= ONE
                card = U8(state.pile[i])
                state.pile[i] = state.pile[left]
            else:
                card = U8(next_card(state))
            state.hand[seat, card >> WORD] |= single(card & IN_WORD)
    if printed:
        state.deal = stream
        state.pile_left = left
    state.starter = starter
    state.changes = 0
    state.trump = NO_COLOUR
    state.tricks_left = rules.tricks
    _begin_trick(state, rules, starter)


@kernel
def _begin_trick(state: State, rules: Rules, leader: Any) -> None:
    state.leader = leader
    state.laid = 0
    state.led = NO_COLOUR
    state.value = NO_VALUE
    state.mover = leader
    if rules.solo:
        state.leader = AI
        state.mover = PLAYER
        if state.tricks_left > 0:
            _lay(state, U8(next_card(state)))


@kernel
def _lay(state: State, card: Card) -> Any:
    """Adds a card to the trick, with a sea change if it has the value of the card before; True if it shows a void."""
    colour, value = card >> COLOUR, card & VALUE
    laid = U8(state.laid)
    led = colour if laid == ZERO else U8(state.led)
    trump = U8(state.trump)
    changes = value == U8(state.value)
    state.trick[laid] = card
    state.laid = laid + ONE
    state.led = led
    state.value = value
    state.trump = colour if changes or trump == U8(NO_COLOUR) else trump
    state.changes += U8(changes)
    return colour != led and not changes


@kernel
def playable(state: State, rules: Rules, word: Any) -> Any:
    """The cards of one word that may be played: the led colour and the value just played, or all if none follows."""
    seat = U8(state.mover)
    led, value = U8(state.led), U8(state.value)
    follows = state.hand[seat, 0] & rules.of_colour[led, 0]
    if rules.wide:
        follows |= state.hand[seat, 1] & rules.of_colour[led, 1]
    cards = state.hand[seat, word]
    return cards & (rules.of_colour[led, word] | rules.of_value[value, word]) if follows != ZERO else cards


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    n = 0
    for word in range(2 if rules.wide else 1):
        n = list_cards(playable(state, rules, word), word << 6, moves, n)
    return n


@kernel
def random_move(state: State, rules: Rules) -> Action:
    stream = advance(state.choice)
    state.choice = stream
    cards = playable(state, rules, 0)
    number = count(cards)
    if rules.wide:
        more = playable(state, rules, 1)
        i = below(stream, number + count(more))
        return np.int64(nth(cards, i)) if i < number else np.int64(64) + np.int64(nth(more, i - number))
    return np.int64(nth(cards, below(stream, number)))


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    card = U8(action)
    seat = U8(state.mover)
    led = U8(state.led)
    state.ended = 0
    state.hand[seat, card >> WORD] &= ~single(card & IN_WORD)
    void = U8(_lay(state, card)) << led
    if rules.stock:
        _bar(state, rules, seat, card, led, void != ZERO)
        if state.pile_left > 0:
            drawn = U8(next_card(state))
            state.hand[seat, drawn >> WORD] |= single(drawn & IN_WORD)
            state.void[seat] = 0
            void = ZERO
    state.void[seat] |= void
    if rules.solo:
        _lay(state, U8(next_card(state)))
    if state.laid == rules.in_trick:
        _finish_trick(state, rules)
    else:
        state.mover = left_of(rules, seat)


@kernel
def _bar(state: State, rules: Rules, seat: Seat, card: Card, led: Any, void: Any) -> None:
    """Notes what a hand that draws is known not to hold.

    Order a hand by when its cards came. The first `barred` of them came before their owner last failed to follow a
    colour, so they are not of that colour. The card played now counts as the oldest it may have been, because that
    leaves the widest choice to the other cards.
    """
    place = state.barred[seat, card >> COLOUR]
    for colour in range(rules.colours):
        if state.barred[seat, colour] > place:
            state.barred[seat, colour] -= 1
    if void:
        state.barred[seat, led] = count(state.hand[seat, 0]) + count(state.hand[seat, 1])


@kernel
def strength(card: Card, led: Any, trump: Any) -> Any:
    """How high a card is in a trick."""
    colour = card >> COLOUR
    return card & VALUE | U8(colour == led) << U8(4) | U8(colour == trump) << U8(5)


@kernel
def _finish_trick(state: State, rules: Rules) -> None:
    """The highest trump takes the trick, else the highest card of the led colour; the winner leads."""
    led, trump = U8(state.led), U8(state.trump)
    low, high = ZERO, ZERO
    best = ZERO
    points = 0
    in_trick = U8(rules.in_trick)
    for i in range(in_trick):
        card = U8(state.trick[i])
        colour, value = card >> COLOUR, card & VALUE
        best = max(best, strength(card, led, trump) << COLOUR | U8(i))
        points += rules.points[value]
        if rules.wide:
            red = U8(colour == U8(4))
            high |= red << value
            low |= (ONE - red) << (card & IN_WORD)
        else:
            low |= single(card)
    winner = best & VALUE
    if rules.solo:
        side = U8(PLAYER) if winner == ONE else U8(AI)
        seat = U8(PLAYER)
    else:
        seat = U8(state.leader) + winner
        seat = seat - in_trick if seat >= in_trick else seat
        side = U8(rules.side[seat])
    state.captured[side, 0] |= low
    if rules.wide:
        state.captured[side, 1] |= high
    state.points[side] += points
    state.moves += in_trick
    state.turns += 1
    state.tricks_left -= 1
    _begin_trick(state, rules, seat)
    if state.tricks_left == 0:
        state.mover = -1
        _finish_round(state, rules)


@outlined
def _finish_round(state: State, rules: Rules) -> None:
    """Scores a round and deals the next one, unless the game is over."""
    over = score_round(state, rules)
    state.ended = 1
    state.rounds += 1
    state.all_changes += state.changes
    if not over:
        _deal_round(state, rules, left_of(rules, U8(state.starter)))
