"""LAND UNTER: what a seat sees.

A seat knows the packs it has held and every card it saw played from the others, how many lifebelts each
pack has, and which water cards are left. Nobody knows who has already chosen a card in secret, so all that depends on
it is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, ONE, U8, ZERO, count, has, single
from houle.solver.cards.bits import count as size
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.cards.streams import derive
from houle.solver.cards.write_numbers import put
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Cards, Label, Number, Numbers, Rules, Seat, State
from houle.solver.games.land_unter.play import lifebelts
from houle.solver.games.land_unter.state import TAKE
from houle.solver.interface.seen import cards, choice, each_seat, flag, number, numbers, row, seat_number, seen

HIDDEN = U8(128)  # label of a card that another player commits in secret
REVEAL = U8(256)  # labels of the commitment that reveals all cards start here


@kernel
def secret(state: State, rules: Rules) -> Any:
    """Whether the cards committed in this trick are face down: nobody knows them, nor who has chosen already."""
    return not (rules.open or state.taking or state.mover < 0)


@kernel
def holding(state: State, rules: Rules, holder: Seat) -> Any:
    """The hand as everyone sees it: a card that is face down still belongs to it."""
    cards = state.hand[holder]
    if state.committed[holder] > 0 and secret(state, rules):
        cards |= single(U8(state.committed[holder]) - ONE)
    return cards


@kernel
def played(state: State, rules: Rules, holder: Seat) -> Any:
    """The cards played in this round; none if the holder is out, because they count as seen before."""
    out = has(U8(state.out), holder)
    return ZERO if out else state.pack[holder] & ~holding(state, rules, holder)


@kernel
def known(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards that `seat` knows to be in the holder's pack."""
    distance = np.int64(holder) - np.int64(seat)
    distance += np.int64(rules.seats) if distance < 0 else 0
    passed = 0 if rules.forgets else np.int64(state.rounds) - (1 if state.mover < 0 else 0)  # packs it held before
    if distance <= passed:
        return state.pack[holder]
    return state.seen[holder] | played(state, rules, holder)


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken.

    A card committed in secret shows nothing. The last commitment reveals all cards. The player who commits last still
    chooses without seeing the others, so your own action is always just itself.
    """
    if action >= TAKE or rules.open or state.mover == seat:
        return U8(action)
    if count(U8(state.waiting)) > ONE:
        return HIDDEN
    key = U8(action)
    for holder in range(rules.seats):
        key = derive(key, U8(state.committed[holder]))
    return key & (ALL >> ONE) | REVEAL


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Weather cards are unique; two water cards of the same value are the same."""
    return U8(TAKE) + U8(state.water[action - TAKE]) if action >= TAKE else U8(action)


HIGHEST = GAP - 1  # value of a water card


def _mover(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(-1) if secret(state, rules) else np.int64(state.mover)


def _water(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    put(out, put(out, at, state.water[0]), state.water[1])


def _pile(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for i in range(count_in_use(state)):
        out[at + np.int64(i)] = np.int64(card_at(state, i)) + 1


def _weather(rules: Rules) -> Number:
    return rules.weather


def _pack_size(rules: Rules) -> Number:
    return rules.hand


def _hand(state: State, rules: Rules, seat: Seat, who: Seat) -> Cards:
    """The known cards of a hand; if its holder is out, those that are left of the pack."""
    held = ~state.seen[who] if has(U8(state.out), who) else holding(state, rules, who)
    return known(state, rules, who, seat) & held


def _played(state: State, rules: Rules, seat: Seat, who: Seat) -> Cards:
    return played(state, rules, who)


def _card(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(0) if secret(state, rules) else np.int64(state.committed[who])


def _is_to_choose(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(0) if secret(state, rules) else np.int64(has(U8(state.waiting), who))


SEEN = seen(
    number("rounds", line="round", first=1, most=lambda rules: rules.rounds),
    number("tricks of the round", "trick", line="trick", first=1, most=_pack_size),
    numbers("water", _water, 2, line="water"),
    row("water left", _pile, lambda rules: np.int64(rules.water_pile.places) + np.int64(rules.water_pile.added)),
    number("water added", "added"),  # how many of those left, the last ones, are in no place of the printed pile
    seat_number("leader", line="leader", fact="leads", when=lambda rules: rules.open),
    choice("taking", ("play", "take"), line="step", optional=True),
    seat_number("to move", _mover),
    flag("over", lambda state, rules, seat, who: state.mover < 0),
    number("tricks"),
    number("cards played", "moves"),
    number("eliminations"),
    each_seat(
        cards("hand", _hand, _weather),
        cards("played", _played, _weather, line="played", optional=True),
        cards("seen before", "seen", _weather, line="seen before", optional=True),
        flag("out", lambda state, rules, seat, who: has(U8(state.out), who), line="out"),
        number("card", _card, line="card", optional=True),
        number("level", line="level", most=HIGHEST),
        number("lifebelts", "belts", line="lifebelts", most=_pack_size),
        number("lifebelts of the pack", lambda state, rules, seat, who: lifebelts(rules, state.pack[who]), line="pack"),
        number("points", lambda state, rules, seat, who: state.points[who], line="points", fact="points"),
        number("cards", lambda state, rules, seat, who: size(holding(state, rules, who))),
        flag("is to choose", _is_to_choose),
    ),
)
