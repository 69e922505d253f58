"""VAGUE & ATTAQUE: rules of thumb, as features of moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, THREE, TWO, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Categories, Features, Moves, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_attaque import effects
from houle.solver.games.vague_attaque import state as game
from houle.solver.games.vague_attaque.deck import POWERS
from houle.solver.games.vague_attaque.knows import unseen
from houle.solver.games.vague_attaque.zones import spot_of

# ---- How useful a card is to a hand, from what its player may see
#
# The usefulness of a souvenir depends on where it could be laid: from nowhere to third on a place.


USELESS, WAITING = 4, 8  # a souvenir in hand that fits nothing; one for a place in the hand
BEGINS, SECOND, THIRD = 12, 20, 36  # the first, second or third souvenir on a place that may be loaded


@kernel
def open_spots_by_load(state: State, seat: Seat) -> Any:
    """The spots that a seat may load, by what is there: nothing, one souvenir, two."""
    empty, one, two = ZERO, ZERO, ZERO
    spots = state.open[seat]
    while spots != ZERO:
        spot = lowest(spots)
        bit = single(spot)
        lying = count(state.on[spot])
        if lying == ZERO:
            empty |= bit
        elif lying == ONE:
            one |= bit
        else:
            two |= bit
        spots = without_lowest(spots)
    return empty, one, two


@kernel
def use_of(state: State, rules: Rules, souvenir: Card, levels: Any, held: Any) -> Any:
    """How useful a souvenir is in the hand; `held`: the spots of places in the hand."""
    bears = rules.bears[souvenir]
    fits = bears & ~(state.needy & rules.shared[souvenir])
    if fits & levels[2] != ZERO:
        return THIRD
    if fits & levels[1] != ZERO:
        return SECOND
    if fits & levels[0] != ZERO:
        return BEGINS
    return WAITING if bears & held != ZERO else USELESS


@kernel
def count_matching(rules: Rules, souvenirs: Any, spot: Any) -> Any:
    """How many of these souvenirs match a place."""
    n = 0
    while souvenirs != ZERO:
        n += 1 if has(rules.bears[lowest(souvenirs)], spot) else 0
        souvenirs = without_lowest(souvenirs)
    return n


@outlined
def mean_use(state: State, rules: Rules, seat: Seat, levels: Any, held: Any) -> Any:
    """How useful a souvenir from the pile is on average; any that the seat has not located may be there."""
    if not effects.can_draw(state, game.SOUVENIRS):
        return 0
    cards = ZERO
    if state.left[game.SOUVENIRS] > 0:
        for i in range(state.left[game.SOUVENIRS]):
            cards |= single(state.pile[game.SOUVENIRS, i])
        for other in range(rules.seats):
            cards |= unseen(state, other, seat) & game.ALL_SOUVENIRS
    else:
        for i in range(state.thrown[game.SOUVENIRS]):
            cards |= single(state.discard[game.SOUVENIRS, i])
    n, total, symbols = np.int64(count(cards)), 0, cards & rules.on_ship
    while cards != ZERO:
        # In the solo game a souvenir with the ship's symbol is lost when drawn.
        if not rules.solo or not has(symbols, lowest(cards)):
            total += use_of(state, rules, lowest(cards), levels, held)
        cards = without_lowest(cards)
    return total // n


@kernel
def use_on_table(state: State, rules: Rules, seat: Seat, card: Card, levels: Any, held: Any) -> Any:
    """How useful a souvenir or place in a zone would be to a seat."""
    if card < U8(game.FIRST_PLACE):
        return use_of(state, rules, card, levels, held)
    mates = count_matching(rules, state.hand[seat] & game.ALL_SOUVENIRS, card - U8(game.FIRST_PLACE))
    return BEGINS if mates > 0 else WAITING


# ---- The rules of thumb and the categories of moves, by what the deciding player may see
#
# The chances of a duel are in units of 1/16. Gold encounters are open to all, so a parry in another hand is known.


# The rules of thumb; advice.toml has their sentences.
FEATURES = (
    "complete",
    "build",
    "follow",
    "two_shared",
    "anchor",
    "ship",
    "lay_place",
    "places_short",
    "keep_useful",
    "keep_place",
    "keep_gold",
    "duel",
    "duel_gain",
    "rob",
    "stakes",
    "fear_ship",
)
(
    COMPLETE,
    BUILD,
    FOLLOW,
    TWO_SHARED,
    ANCHOR,
    LOADS_SHIP,
    LAY_PLACE,
    PLACES_SHORT,
    KEEP_USEFUL,
    KEEP_PLACE,
    KEEP_GOLD,
    DUEL,
    DUEL_GAIN,
    ROB,
    STAKES,
    FEAR_SHIP,
) = range(16)

WINS = 8  # for completing the last place needed; 1 for any other place
WANTED = 2  # unfinished places to have
ODDS = 16  # unit of a chance
LOST = 4  # the cost of a lost duel, in usefulness of cards


@kernel
def _danger(state: State, rules: Rules) -> Any:
    """Solo: how bad one more souvenir on the ship is, times 4."""
    room = np.int64(rules.ship_limit) - np.int64(count(state.on[game.SHIP]))
    return 256 if room <= 1 else 64 // room


@kernel
def _symbol_danger(state: State, rules: Rules) -> Any:
    """The same for a draw: by the share of the pile that has the ship's symbol."""
    cards, symbols = 0, 0
    if state.left[game.SOUVENIRS] > 0:
        cards = np.int64(state.left[game.SOUVENIRS])
        for i in range(cards):
            symbols += 1 if has(rules.on_ship, state.pile[game.SOUVENIRS, i]) else 0
    else:
        cards = np.int64(state.thrown[game.SOUVENIRS])
        for i in range(cards):
            symbols += 1 if has(rules.on_ship, state.discard[game.SOUVENIRS, i]) else 0
    return _danger(state, rules) * symbols // max(cards, 1)


@kernel
def _lead(state: State, rules: Rules, seat: Seat) -> Any:
    """3 for a side that needs only one more place, else 1."""
    done = np.int64(state.validated[seat])
    if rules.partner[seat] != seat:
        done += np.int64(state.validated[rules.partner[seat]])
    return 3 if done + 1 >= np.int64(rules.target) else 1


@kernel
def _harm(state: State, rules: Rules, card: Card) -> Any:
    """How much the owner of a card loses with it."""
    spot = spot_of(state, card)
    loss = 3 if count(state.on[spot]) == TWO else 1
    return loss * _lead(state, rules, U8(state.owner[spot]))


@kernel
def _odds(rules: Rules, bonus: Any, place: Any) -> Any:
    """The chances that a duel is won and that it is lost."""
    faces = np.int64(rules.die)
    low = max(faces - bonus, 0)
    pairs = float(faces * faces)
    lost = low * max(low - 1, 0) / 2.0 / pairs
    won = 1.0 - lost - low / pairs
    if place:
        return won * won * (3.0 - 2.0 * won), lost * lost * (3.0 - 2.0 * lost)
    return won, lost


@kernel
def _rate_duel(state: State, rules: Rules, seat: Seat, card: Card, levels: Any, held: Any, row: Any) -> None:
    bonus = 1 if state.power[seat] == effects.SABRE else 0
    won, lost = _odds(rules, bonus, card >= U8(game.FIRST_PLACE))
    owner = U8(state.owner[spot_of(state, card)])
    if (state.gold[owner] | state.gold[rules.partner[owner]]) & rules.parry != ZERO:
        won /= 4.0
        lost /= 4.0
    row[DUEL] = 1
    row[DUEL_GAIN] = np.int64((won * use_on_table(state, rules, seat, card, levels, held) - lost * LOST) * ODDS)
    row[ROB] = np.int64(won * _harm(state, rules, card) * ODDS)


@kernel
def _rate_anchor(state: State, rules: Rules, seat: Seat, souvenir: Card, rest: Any, row: Any) -> None:
    anchor = rules.anchor[souvenir]
    if anchor == effects.ANCHOR_PLACES:
        while rest != ZERO:
            other = lowest(rest)
            if state.open[seat] & rules.bears[other] & ~(state.needy & rules.shared[other]) != ZERO:
                row[ANCHOR] = 3
                return
            rest = without_lowest(rest)
    elif anchor == effects.ANCHOR_DRAWS_PLACE:
        row[ANCHOR] = 1
    elif anchor != effects.NO_ANCHOR:
        row[ANCHOR] = 0 if anchor == effects.ANCHOR_STEALS and rules.solo else 2


@kernel
def _rate_lay(state: State, rules: Rules, seat: Seat, souvenir: Card, spot: Any, row: Any) -> None:
    rest = state.hand[seat] & game.ALL_SOUVENIRS & ~single(souvenir)
    lying = state.on[spot] | single(souvenir)
    n = count(lying)
    row[BUILD] = np.int64(n)
    _rate_anchor(state, rules, seat, souvenir, rest, row)
    if n == THREE:
        owner = U8(state.owner[spot]) if state.owner[spot] < rules.seats else seat
        row[COMPLETE] = WINS if _lead(state, rules, owner) == 3 else 1
        return
    needy = n == TWO and lying & rules.dedicated == ZERO
    fitting = rest & rules.dedicated if needy else rest
    mates = count_matching(rules, fitting, spot)
    row[FOLLOW] = min(mates, 3 - np.int64(n))
    row[TWO_SHARED] = 1 if needy and mates == 0 else 0
    if spot == U8(game.SHIP):
        # In the middle, the other player completes it; in a zone, two souvenirs keep it there but one does not.
        row[LOADS_SHIP] = np.int64(n) if rules.middle else 2 - np.int64(n)


@kernel
def _rate_keep(
    state: State, rules: Rules, card: Card, sign: Any, levels: Any, held: Any, souvenirs: Any, row: Any
) -> None:
    """Rates a card that stays in the hand or comes to it (sign 1), or leaves it (-1)."""
    if card < U8(game.FIRST_PLACE):
        row[KEEP_USEFUL] += sign * use_of(state, rules, card, levels, held)
    elif card < U8(game.FIRST_ENCOUNTER):
        row[KEEP_PLACE] += sign * (1 + count_matching(rules, souvenirs, card - U8(game.FIRST_PLACE)))
    else:
        row[KEEP_GOLD] += sign


@kernel
def _rate_answer(state: State, rules: Rules, seat: Seat, card: Card, levels: Any, held: Any, row: Any) -> None:
    """Rates a yes or no: a steady hand, a parry, a mooring for the partner, or in the solo game the power."""
    if state.phase == game.POWER:
        row[FEAR_SHIP] = 0 if card == ONE else _danger(state, rules)
        row[KEEP_GOLD] = -1 if card == ONE else 0
        return
    if card == ZERO:
        return
    row[KEEP_GOLD] = -1
    if state.phase == game.MOORING:
        row[STAKES] = (3 if levels[2] != ZERO else 1) * _lead(state, rules, seat)
        return
    target = U8(state.target)
    row[STAKES] = _harm(state, rules, target)
    if state.phase == game.STEADY:
        row[STAKES] += use_on_table(state, rules, seat, target, levels, held) // USELESS


@outlined
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    seat = U8(state.mover)
    phase = state.phase
    hand = state.hand[seat]
    souvenirs, held = hand & game.ALL_SOUVENIRS, (hand & game.ALL_PLACES) >> U8(game.FIRST_PLACE)
    levels = open_spots_by_load(state, seat)
    unfinished = np.int64(count(state.open[seat] & ~single(game.SHIP)))
    missing = WANTED - unfinished - np.int64(count(held))
    mean = mean_use(state, rules, seat, levels, held) if phase in (game.EXPLORE, game.REFILL) else 0
    for i in range(n):
        row = table[i]
        for k in range(len(FEATURES)):
            row[k] = 0
        verb, card, spot = moves[i] >> game.VERB, U8(moves[i] & 127), U8((moves[i] >> game.SPOT) & 31)
        if verb in (game.V_LAY, game.V_EXTRA):
            _rate_lay(state, rules, seat, card, spot, row)
            if verb == game.V_LAY and state.laid >= effects.allowance(state, rules):
                row[KEEP_GOLD] = -1
        elif verb == game.V_PLACE:
            row[LAY_PLACE] = 1 + count_matching(rules, souvenirs, card - U8(game.FIRST_PLACE))
            row[PLACES_SHORT] = WANTED - unfinished
        elif phase == game.EXPLORE:
            if verb == game.V_DRAW:
                row[KEEP_USEFUL] = mean
                row[FEAR_SHIP] = _symbol_danger(state, rules) if rules.solo else 0
            elif verb == game.V_HOOK:
                top = U8(state.discard[game.SOUVENIRS, U8(state.thrown[game.SOUVENIRS]) - ONE])
                row[KEEP_USEFUL] = use_of(state, rules, top, levels, held)
            else:
                row[KEEP_USEFUL] = -use_of(state, rules, card, levels, held)
                row[PLACES_SHORT] = missing
        elif phase == game.ENCOUNTER:
            if verb == game.V_DUEL:
                _rate_duel(state, rules, seat, card, levels, held, row)
        elif phase == game.STEAL:
            row[ROB] = np.int64(effects.hand_size(state, card)) + ODDS * _lead(state, rules, card)
        elif phase == game.REFILL:
            row[KEEP_USEFUL] = mean if card == game.SOUVENIRS else 0
            row[PLACES_SHORT] = missing if card == game.PLACES else 0
        elif phase in (game.STEADY, game.PARRY, game.MOORING, game.POWER):
            _rate_answer(state, rules, seat, card, levels, held, row)
        elif verb in (game.V_KEEP, game.V_RETAIN):
            _rate_keep(state, rules, card, 1, levels, held, souvenirs, row)
        elif verb in (game.V_DISCARD, game.V_LOSE, game.V_DROP, game.V_GIVE):
            _rate_keep(state, rules, card, -1, levels, held, souvenirs, row)
            if verb == game.V_DISCARD:
                _rate_anchor(state, rules, seat, card, souvenirs & ~single(card), row)


# The sorts of moves, which a player can be told never to make.
CATEGORIES = ("duel", "adventure", "hook", "swap", "place", "discard", "stop", "power", "help")
_VERB = {"place": "lay place", "help": "mooring"}
_BITS = np.zeros(len(game.VERBS), np.uint64)  # the category of each verb
for _i, _name in enumerate(CATEGORIES):
    _BITS[game.VERBS.index(_VERB.get(_name, _name))] = 1 << _i
_HELP = _BITS[game.V_MOORING]


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    verb = action >> game.VERB
    if verb in (game.V_STEADY, game.V_PARRY, game.V_MOORING, game.V_POWER) and action & 1 == 0:
        return ZERO
    if verb == game.V_STEADY:
        return ZERO if state.mover == state.seat else _HELP
    if verb == game.V_PARRY:
        return ZERO if state.mover == state.owner[spot_of(state, U8(state.target))] else _HELP
    return _BITS[verb]


# ---- How close a seat is to winning, as numbers for the learned evaluation


FLAG = 32
_POWERS = 28
_SEATS = _POWERS + len(POWERS)
_SHIP_ROOM = _SEATS + game.MAX_SEATS


@kernel
def _fitting(state: State, rules: Rules, souvenirs: Any) -> Any:
    """The spots where one of these souvenirs may be laid."""
    spots = ZERO
    while souvenirs != ZERO:
        souvenir = lowest(souvenirs)
        spots |= rules.bears[souvenir] & ~(state.needy & rules.shared[souvenir])
        souvenirs = without_lowest(souvenirs)
    return spots


@outlined
def prospects(state: State, rules: Rules, seat: Seat, out: Numbers) -> None:
    hand = state.hand[seat]
    souvenirs, held = hand & game.ALL_SOUVENIRS, (hand & game.ALL_PLACES) >> U8(game.FIRST_PLACE)
    partner = rules.partner[seat]
    need = np.int64(rules.target) - np.int64(state.validated[seat])
    if partner != seat:
        need -= np.int64(state.validated[partner])
    distance = (np.int64(seat) + np.int64(rules.seats) - np.int64(state.seat)) % np.int64(rules.seats)
    empty, one, two = open_spots_by_load(state, seat)
    fits = _fitting(state, rules, souvenirs)
    completes = np.int64(count(two & fits))
    out[0] = 16 * need
    out[1] = FLAG if need == 1 else 0
    out[2] = 16 * distance
    out[3] = FLAG if distance == 0 else 0
    out[4] = 16 * completes
    out[5] = 16 * np.int64(count(two & ~fits))
    out[6] = 16 * np.int64(count(one & fits))
    out[7] = 16 * np.int64(count(one & ~fits))
    out[8] = 16 * np.int64(count(empty & fits))
    out[9] = 16 * np.int64(count(empty & ~fits))
    places = held
    while places != ZERO:
        mates = count_matching(rules, souvenirs, lowest(places))
        out[10 if mates > 0 else 11] += 16
        places = without_lowest(places)
    out[12] = 8 * np.int64(count(souvenirs))
    levels, rest = (empty, one, two), souvenirs
    while rest != ZERO:
        out[13] += use_of(state, rules, lowest(rest), levels, held) // 4
        rest = without_lowest(rest)
    gold = state.gold[seat]
    out[14] = 16 * np.int64(count(gold & rules.parry))
    out[15] = 16 * np.int64(count(gold & rules.steady))
    out[16] = 16 * np.int64(count(gold & rules.mooring))
    out[17] = 8 * np.int64(effects.hand_size(state, seat))
    if state.owner[game.SHIP] == seat:
        out[18] = FLAG
        out[19] = 16 * np.int64(count(state.on[game.SHIP]))
    if rules.middle:
        out[20] = 16 * np.int64(count(state.on[game.SHIP]))
    out[21] = FLAG if need == 1 and completes > 0 else 0
    out[22] = 64 if need == 1 and completes > 0 and distance == 0 else 0
    out[23] = FLAG if need == 1 and two != ZERO else 0
    out[24] = np.int64(state.left[game.SOUVENIRS])
    out[25] = 16 * np.int64(count(two & fits & single(game.SHIP)))
    out[26] = FLAG if partner != seat else 0
    out[27] = min(np.int64(state.turns), 120)
    if rules.solo:
        out[_SHIP_ROOM] = 8 * (np.int64(rules.ship_limit) - np.int64(count(state.on[game.SHIP])))
    out[_POWERS + np.int64(state.power[seat])] = FLAG
    out[_SEATS + np.int64(rules.seats) - 1] = FLAG
