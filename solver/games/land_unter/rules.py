"""LAND UNTER: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, list_cards, lowest, next_of, nth, single, without_lowest
from houle.solver.cards.piles import full_pile, lay_out_pile, next_card, numbered, one_of, open_pile, pile_fields
from houle.solver.cards.streams import STREAM_FIELDS, advance, below, start_round
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, AllRules, Flag, Moves, Number, Numbers, Rules, Seat, State
from houle.solver.interface import UTILITY, blank, share_among
from houle.solver.rules import KnobError, Setup, load

# ---- The records, the action codes, and how knobs become a RULES record
#
# Weather card w is bit w - 1, so a set of weather cards is one 64-bit integer; a set of seats is a small one. A pack
# is a hand as it was dealt: one seat after another plays it, and what was seen of it travels along.


MAX_SEATS = 5
MAX_CARDS = 64
MAX_WATER = 64
MAX_HAND = 21

# Actions: a weather card by its bit, below TAKE.
TAKE = 64  # + 0 or 1: the owner of the highest weather card takes that one of the two water cards
MAX_MOVES = MAX_HAND

COUNTS = ("moves", "turns", "rounds", "eliminations", "tricks")
RATES: dict[str, tuple[str, str]] = {
    "eliminations_per_round": ("eliminations", "rounds"),
    "tricks_per_round": ("tricks", "rounds"),
}

RULES = np.dtype(
    [
        ("seats", "u1"),
        ("sides", "u1"),  # one per seat
        ("side", "u1", 8),  # side of each seat: the seat itself
        ("weather", "u1"),  # weather cards in the deck
        ("hand", "u1"),  # weather cards of a hand, tricks of a round
        ("rounds", "u1"),  # rounds of a game
        ("open", "u1"),  # 1: weather cards are laid face up one after another
        ("choice", "u1"),  # 1: the owner of the highest card chooses a water card
        ("cascade", "u1"),  # 1: an elimination passes the loss on
        ("final_cascade", "u1"),  # 1: also if that ends the round
        ("forgets", "u1"),  # 1: nothing is remembered from earlier rounds
        ("belt", "i1"),  # points for a lifebelt kept
        ("lowest", "i1"),  # points for the lowest level
        ("eliminated", "i1"),  # points for a player who is eliminated
        ("water_cards", "u1"),
        ("water", "u1", MAX_WATER),  # values of the water cards, in the order of the knob
        ("cards", "u8"),  # all weather cards
        ("half", "u8"),  # weather cards with half a lifebelt
        ("whole", "u8"),  # weather cards with a whole lifebelt
        ("weather_pile", full_pile(MAX_CARDS)),  # the weather cards as they lie before the deal
        ("water_pile", full_pile(MAX_WATER)),  # the water cards as they lie before a round
        ("land_unter", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("hand", "u8", MAX_SEATS),  # weather cards in hand per seat, without a committed one; empty if out
        ("pack", "u8", MAX_SEATS),  # the full hand that a seat holds this round
        ("seen", "u8", MAX_SEATS),  # cards of that pack seen in finished rounds, or until its holder was out
        ("points", "i2", MAX_SEATS),  # of finished rounds
        ("mover", "i1"),  # the seat whose strategy decides; -1 when over
        ("out", "u1"),  # seats that are out of the round, a set
        ("waiting", "u1"),  # seats that still have to commit a card in this trick, a set
        ("taking", "u1"),  # 1 while the owner of the highest card chooses a water card
        ("leader", "u1"),  # open play: first seat of this trick
        ("trick", "u1"),  # tricks finished in this round
        ("rounds", "u1"),  # finished
        ("eliminations", "u1"),  # in the whole game
        ("tricks", "u2"),  # finished in the whole game
        ("moves", "u2"),  # weather cards played in finished tricks
        ("committed", "u1", MAX_SEATS),  # number of the weather card chosen in this trick, 0 = none
        ("level", "u1", MAX_SEATS),  # value of the top water card, 0 = none
        ("belts", "u1", MAX_SEATS),  # lifebelts now
        ("water", "u1", 2),  # the two water cards turned up, as drawn
        ("pile_left", "u1"),  # cards in the pile
        ("pile", "u1", MAX_CARDS),  # undrawn water cards (weather cards during the deal)
        *pile_fields(2 * MAX_CARDS + 2),
        ("land_unter", "u1"),  # marker
    ],
    align=True,
)


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    weather, hand = options["deck.weather"], options["hand"]
    water, halves = options["deck.water"], options["deck.halves"]
    if len(halves) < weather:
        raise KnobError("deck.halves", f"{len(halves)} values for {weather} cards; allowed: at least one for each card")
    if players * hand > weather:
        raise KnobError("hand", f"the deal needs {players * hand} weather cards but the deck has {weather}")
    if 2 * hand > len(water):
        raise KnobError("deck.water", f"{len(water)} cards for {hand} tricks; allowed: at least {2 * hand}")
    if options["final_cascade"] and not options["elimination_cascade"]:
        raise KnobError("final_cascade", "true is not allowed without elimination_cascade = true")

    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.seats = rules.sides = players
    rules.side[:players] = range(players)
    rules.weather, rules.hand = weather, hand
    rules.rounds = options["rounds"] or players
    rules.open, rules.choice = options["play"] == "open", options["winner_takes"] == "choice"
    rules.cascade, rules.final_cascade = options["elimination_cascade"], options["final_cascade"]
    rules.forgets = options["memory"] == "round"
    rules.belt, rules.eliminated, rules.lowest = (options[f"score.{name}"] for name in ("belt", "eliminated", "lowest"))
    rules.water_cards = len(water)
    rules.water[: len(water)] = water
    printed: dict[str, Any] = {name: knob.default_for(players) for name, knob in load("land-unter").knobs.items()}
    lay_out_pile(rules.weather_pile, range(printed["deck.weather"]), {card: card for card in range(weather)})
    lay_out_pile(rules.water_pile, numbered(printed["deck.water"]), dict(zip(numbered(water), water, strict=True)))
    rules.cards = (1 << weather) - 1
    rules.half, rules.whole = (sum(1 << i for i in range(weather) if halves[i] == halfs) for halfs in (1, 2))
    return all_rules


def most_belts(setup: Setup) -> int:
    """The lifebelts of the richest pack that can be dealt."""
    halves = setup.options["deck.halves"][: setup.options["deck.weather"]]
    return int(sum(sorted(halves)[-setup.options["hand"] :])) // 2


def score_range(setup: Setup) -> tuple[int, int]:
    """A round scores the points of an elimination, or lifebelts with or without those of the lowest level."""
    rules = setup.rules[0]
    rounds, belts, lowest = int(rules.rounds), int(rules.belt) * most_belts(setup), int(rules.lowest)
    out = int(rules.eliminated)
    return rounds * min(out, min(0, belts) + min(0, lowest)), rounds * max(out, max(0, belts) + max(0, lowest))


# ---- The score of a round, the outcome of a game, and its utility for a search
#
# Scores are entered once per game (the default `round_over`): hands travel, so only a whole game is fair to every
# seat.


GREATEST_LEAD = 4  # lifebelts per round; a greater lead has no more utility


@kernel
def score_round(state: State, rules: Rules, seats: Number) -> None:
    """Points for the seats still in the round (lifebelts, lowest level) and for those that are out.

    Cards that these seats have played are added to what was seen of their packs.
    """
    lowest: Any = 255
    for seat in range(rules.seats):
        if has(seats, seat):
            lowest = min(lowest, np.int64(state.level[seat]))
    for seat in range(rules.seats):
        if has(seats, seat):
            bonus = np.int64(rules.lowest) if state.level[seat] == lowest else 0
            state.points[seat] += np.int64(state.belts[seat]) * rules.belt + bonus
            state.seen[seat] |= state.pack[seat] & ~state.hand[seat]
        else:
            state.points[seat] += rules.eliminated


@kernel
def search_over(state: State, root: State) -> Flag:
    """A search looks no further than the round, because later hands hardly depend on how this one is played."""
    return state.mover < 0 or state.rounds > root.rounds


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    for seat in range(rules.seats):
        scores[seat] = state.points[seat]


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """The points so far, with those of the current round as if it ended now, without points for the lowest level."""
    for seat in range(rules.seats):
        kept = np.int64(state.belts[seat]) * rules.belt
        now = np.int64(rules.eliminated) if has(state.out, seat) else kept
        out[seat] = np.int64(state.points[seat]) + (0 if state.mover < 0 else now)


@kernel
def _winners(state: State, rules: Rules) -> Any:
    """The most points, and how many seats have them."""
    most, winners = np.int64(state.points[0]), 0
    for seat in range(rules.seats):
        most = max(most, np.int64(state.points[seat]))
    for seat in range(rules.seats):
        winners += 1 if state.points[seat] == most else 0
    return most, winners


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    most, _ = _winners(state, rules)
    share_among(state.points, most, rules.seats, shares)
    return False


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.tricks
    out[2] += state.rounds
    out[3] += state.eliminations
    out[4] += state.tricks


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """The lead after a round; at the end of the game half the lead and half the share of the win.

    A lead counts half over the best rival and half over the mean of all rivals: with rounds to come, a player who is
    behind now may still win.
    """
    most, winners = _winners(state, rules)
    total: Any = 0
    for seat in range(rules.seats):
        total += np.int64(state.points[seat])
    others = np.int64(rules.seats) - 1
    # Leads are in fractions of a point, so that the mean of the rivals is a whole number.
    greatest = 2 * others * GREATEST_LEAD * np.int64(rules.rounds) * max(1, abs(np.int64(rules.belt)))
    for seat in range(rules.seats):
        mine, best = np.int64(state.points[seat]), np.int64(-32768)
        for other in range(rules.seats):
            if other != seat:
                best = max(best, np.int64(state.points[other]))
        lead = 2 * others * mine - others * best - (total - mine)
        out[seat] = UTILITY // 2 * (greatest + min(greatest, max(-greatest, lead))) // greatest
        if state.mover < 0:
            share = UTILITY // winners if mine == most else 0
            out[seat] = (out[seat] + share) // 2


# ---- The rules of play
#
# Seats commit weather cards one after another, in secret play too, because nobody's choice depends on what others
# have committed. The last commitment resolves the trick and deals what the next decision needs.


ROUND = U8(8)  # moments of chance: the start of a round and the end of each trick
ALONE = U8(2)  # a round is over once at most this many players are left in it


@kernel
def deal(state: State, rules: Rules) -> None:
    """Deals packs card by card around the table, then begins the first round."""
    open_pile(state, rules.weather_pile)
    for seat in range(rules.seats):
        state.pack[seat] = state.seen[seat] = ZERO
        state.points[seat] = 0
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            state.pack[seat] |= single(next_card(state))
    state.rounds = state.eliminations = 0
    state.tricks = state.moves = 0
    _begin_round(state, rules)


@kernel
def lifebelts(rules: Rules, cards: Any) -> Any:
    """The lifebelts of a pack: two halves make one, a single half is lost."""
    return (count(cards & rules.half) + (count(cards & rules.whole) << ONE)) >> ONE


@outlined
def _begin_round(state: State, rules: Rules) -> None:
    start_round(state, state.rounds)
    open_pile(state, rules.water_pile)
    for seat in range(rules.seats):
        pack = state.pack[seat]
        state.hand[seat] = pack
        state.belts[seat] = lifebelts(rules, pack)
        state.level[seat] = state.committed[seat] = 0
    state.out = state.trick = state.taking = 0
    if rules.open:
        state.leader = _richest(state, rules)
    _begin_trick(state, rules)


@kernel
def _richest(state: State, rules: Rules) -> Any:
    """The seat with the most lifebelts; ties are broken at random."""
    most, seats = U8(0), ZERO
    for seat in range(rules.seats):
        belts = U8(state.belts[seat])
        if belts > most:
            most, seats = belts, ZERO
        if belts == most:
            seats |= single(seat)
    return one_of(state, seats, U8(state.rounds) << ROUND)


@kernel
def playing(state: State, rules: Rules) -> Any:
    """The seats still in the round, as a set."""
    return (single(rules.seats) - ONE) & ~U8(state.out)


@kernel
def _begin_trick(state: State, rules: Rules) -> None:
    """Turns up two water cards and gives the turn to the leader, or in secret play to the lowest seat."""
    state.water[0] = next_card(state)
    state.water[1] = next_card(state)
    seats = playing(state, rules)
    state.waiting = seats
    state.mover = np.int64(state.leader) if rules.open else np.int64(lowest(seats))


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    if state.taking:
        moves[0], moves[1] = TAKE, TAKE + 1
        return 2
    return list_cards(state.hand[state.mover], 0, moves, 0)


@kernel
def random_move(state: State, rules: Rules) -> Action:
    stream = advance(state.choice)
    state.choice = stream
    if state.taking:
        return np.int64(U8(TAKE) + below(stream, U8(2)))
    cards = state.hand[state.mover]
    return np.int64(nth(cards, below(stream, count(cards))))


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    if action < TAKE:
        seat = U8(state.mover)
        state.hand[seat] &= ~single(action)
        state.committed[seat] = action + 1
        waiting = U8(state.waiting) & ~single(seat)
        state.waiting = waiting
        if waiting != ZERO:
            state.mover = next_of(waiting, seat)
            return
    highest, second = _two_highest(state, rules)
    if rules.choice and action < TAKE:
        state.taking = 1
        state.mover = highest
        return
    chosen = action - TAKE if rules.choice else np.int64(state.water[0] > state.water[1])
    state.taking = 0
    state.level[highest] = state.water[chosen]
    state.level[second] = state.water[1 - chosen]
    _end_trick(state, rules)


@kernel
def _two_highest(state: State, rules: Rules) -> Any:
    """The owners of the highest and of the second highest card of the trick."""
    first = second = ZERO
    for seat in range(rules.seats):
        card = U8(state.committed[seat]) << U8(3) | U8(seat)
        second = max(second, min(first, card))
        first = max(first, card)
    return first & U8(7), second & U8(7)


@kernel
def _end_trick(state: State, rules: Rules) -> None:
    seats = playing(state, rules)
    state.moves += count(seats)
    state.tricks += 1
    state.trick += 1
    losers = _flood(state, rules, seats)
    for seat in range(rules.seats):
        state.committed[seat] = 0
    seats = playing(state, rules)
    if count(seats) <= ALONE or state.trick == rules.hand:
        _end_round(state, rules, seats)
        return
    if rules.open:
        _next_leader(state, seats, losers)
    _begin_trick(state, rules)


@kernel
def _flood(state: State, rules: Rules, seats: Number) -> Any:
    """The highest level costs a lifebelt, or the round if there is none; returns who lost a lifebelt."""
    while True:
        highest, holders = ZERO, ZERO
        for seat in range(rules.seats):
            highest = max(highest, U8(state.level[seat]))
        for seat in range(rules.seats):
            holders |= U8(U8(state.level[seat]) == highest) << U8(seat)
        holders &= seats
        losers = ZERO
        while holders != ZERO:
            seat = lowest(holders)
            holders = without_lowest(holders)
            if state.belts[seat] > 0:
                state.belts[seat] -= 1
                losers |= single(seat)
            else:
                _eliminate(state, seat)
                seats &= ~single(seat)
        if losers != ZERO or seats == ZERO or not rules.cascade:
            return losers
        if count(seats) <= ALONE and not rules.final_cascade:
            return losers


@outlined
def _eliminate(state: State, seat: Seat) -> None:
    """Puts a seat out of the round; the rest of its hand stays hidden."""
    state.seen[seat] |= state.pack[seat] & ~state.hand[seat]
    state.hand[seat] = ZERO
    state.level[seat] = 0
    state.out |= single(seat)
    state.eliminations += 1


@outlined
def _next_leader(state: State, seats: Number, losers: Any) -> None:
    """Left of the player who lost a lifebelt (of several, the one with fewest now); else the leader or the next in."""
    if losers != ZERO:
        fewest, poorest = U8(255), ZERO
        while losers != ZERO:
            seat = lowest(losers)
            losers = without_lowest(losers)
            belts = U8(state.belts[seat])
            if belts < fewest:
                fewest, poorest = belts, ZERO
            if belts == fewest:
                poorest |= single(seat)
        state.leader = next_of(seats, one_of(state, poorest, (U8(state.rounds) << ROUND) + U8(state.trick)))
    elif not has(seats, state.leader):
        state.leader = next_of(seats, U8(state.leader))


@outlined
def _end_round(state: State, rules: Rules, seats: Number) -> None:
    """Scores a round; then every pack goes to the left neighbour and the next round begins."""
    score_round(state, rules, seats)
    state.rounds += 1
    if state.rounds == rules.rounds:
        state.mover = -1
        return
    last = rules.seats - 1
    pack, seen = state.pack[last], state.seen[last]
    for seat in range(last, 0, -1):
        state.pack[seat], state.seen[seat] = state.pack[seat - 1], state.seen[seat - 1]
    state.pack[0], state.seen[0] = pack, seen
    if rules.forgets:
        for seat in range(rules.seats):
            state.seen[seat] = ZERO
    _begin_round(state, rules)
