"""VAGUE & ATTAQUE: the rules of thumb and the categories of moves, by what the deciding player may see.

The chances of a duel are in units of 1/16. Gold encounters are open to all, so a parry in another hand is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, THREE, TWO, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Categories, Features, Moves, Number, Rules, Seat, State
from houle.solver.games.vague_attaque.duel import SABRE
from houle.solver.games.vague_attaque.effects import ANCHOR_DRAWS_PLACE, ANCHOR_PLACES, ANCHOR_STEALS, NO_ANCHOR
from houle.solver.games.vague_attaque.land import allowance
from houle.solver.games.vague_attaque.piles import hand_size
from houle.solver.games.vague_attaque.state import (
    ALL_PLACES,
    ALL_SOUVENIRS,
    ENCOUNTER,
    EXPLORE,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    MOORING,
    PARRY,
    PLACES,
    POWER,
    REFILL,
    SHIP,
    SOUVENIRS,
    SPOT,
    STEADY,
    STEAL,
    V_DISCARD,
    V_DRAW,
    V_DROP,
    V_DUEL,
    V_EXTRA,
    V_GIVE,
    V_HOOK,
    V_KEEP,
    V_LAY,
    V_LOSE,
    V_MOORING,
    V_PARRY,
    V_PLACE,
    V_POWER,
    V_RETAIN,
    V_STEADY,
    VERB,
    VERBS,
)
from houle.solver.games.vague_attaque.usefulness import (
    USELESS,
    count_matching,
    mean_use,
    open_spots_by_load,
    use_of,
    use_on_table,
)
from houle.solver.games.vague_attaque.zones import spot_of

FEATURES = (
    ("complete",
     "Complete a place whenever you can, above all the one that wins the game.",
     "Do not hurry to complete a place."),
    ("build",
     "Add to the place with the most souvenirs.",
     "Add to the place with the fewest souvenirs."),
    ("follow",
     "Lay souvenirs where others from your hand can follow.",
     "Ignore whether other souvenirs can follow."),
    ("two_shared",
     "Lay a second shared souvenir on a place even without a dedicated one for it.",
     "Do not lay a second shared souvenir on a place without a dedicated one for it."),
    ("anchor",
     "Use anchors: lay souvenirs that do something for you.",
     "Do not choose a souvenir for its anchor."),
    ("ship",
     "Load the ship.",
     "Do not load a ship that will sail on, or that a rival can complete next."),
    ("lay_place",
     "Lay places for which you hold souvenirs.",
     "Keep places in your hand for now."),
    ("places_short",
     "Have two unfinished places in front of you: fetch and lay places until then, but no more.",
     "Do not fetch places only to have two in front of you."),
    ("keep_useful",
     "Take and keep souvenirs that fit your places, above all those that complete one.",
     "Give up souvenirs before other cards."),
    ("keep_place",
     "Keep places for which you hold souvenirs.",
     "Give up places before other cards."),
    ("keep_gold",
     "Keep your gold cards for when they matter.",
     "Spend your gold cards."),
    ("duel",
     "Choose a duel over an adventure.",
     "Choose an adventure unless a duel brings more."),
    ("duel_gain",
     "Duel for cards you can use, if the odds are good and nobody can parry.",
     "Do not duel only for a card you can use."),
    ("rob",
     "Rob the player who is closest to winning, above all of a place that needs one more souvenir.",
     "Do not single out the player who is closest to winning."),
    ("stakes",
     "Use your gold cards when much is at stake.",
     "Keep your gold cards even when much is at stake."),
    ("fear_ship",
     "In the solo game, draw and load even if the ship is nearly full.",
     "In the solo game, draw and load less the fuller the ship is."),
)  # fmt: skip
(COMPLETE, BUILD, FOLLOW, TWO_SHARED, ANCHOR, LOADS_SHIP, LAY_PLACE, PLACES_SHORT, KEEP_USEFUL, KEEP_PLACE, KEEP_GOLD,
 DUEL, DUEL_GAIN, ROB, STAKES, FEAR_SHIP) = range(16)  # fmt: skip

WINS = 8  # for completing the last place needed; 1 for any other place
WANTED = 2  # unfinished places to have
ODDS = 16  # unit of a chance
LOST = 4  # the cost of a lost duel, in usefulness of cards


@kernel
def _danger(state: State, rules: Rules) -> Any:
    """Solo: how bad one more souvenir on the ship is, times 4."""
    room = np.int64(rules.ship_limit) - np.int64(count(state.on[SHIP]))
    return 256 if room <= 1 else 64 // room


@kernel
def _symbol_danger(state: State, rules: Rules) -> Any:
    """The same for a draw: by the share of the pile that has the ship's symbol."""
    cards, symbols = 0, 0
    if state.left[SOUVENIRS] > 0:
        cards = np.int64(state.left[SOUVENIRS])
        for i in range(cards):
            symbols += 1 if has(rules.on_ship, state.pile[SOUVENIRS, i]) else 0
    else:
        cards = np.int64(state.thrown[SOUVENIRS])
        for i in range(cards):
            symbols += 1 if has(rules.on_ship, state.discard[SOUVENIRS, i]) else 0
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
    bonus = 1 if state.power[seat] == SABRE else 0
    won, lost = _odds(rules, bonus, card >= U8(FIRST_PLACE))
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
    if anchor == ANCHOR_PLACES:
        while rest != ZERO:
            other = lowest(rest)
            if state.open[seat] & rules.bears[other] & ~(state.needy & rules.shared[other]) != ZERO:
                row[ANCHOR] = 3
                return
            rest = without_lowest(rest)
    elif anchor == ANCHOR_DRAWS_PLACE:
        row[ANCHOR] = 1
    elif anchor != NO_ANCHOR:
        row[ANCHOR] = 0 if anchor == ANCHOR_STEALS and rules.solo else 2


@kernel
def _rate_lay(state: State, rules: Rules, seat: Seat, souvenir: Card, spot: Any, row: Any) -> None:
    rest = state.hand[seat] & ALL_SOUVENIRS & ~single(souvenir)
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
    if spot == U8(SHIP):
        # In the middle, the other player completes it; in a zone, two souvenirs keep it there but one does not.
        row[LOADS_SHIP] = np.int64(n) if rules.middle else 2 - np.int64(n)


@kernel
def _rate_keep(
    state: State, rules: Rules, card: Card, sign: Any, levels: Any, held: Any, souvenirs: Any, row: Any
) -> None:
    """Rates a card that stays in the hand or comes to it (sign 1), or leaves it (-1)."""
    if card < U8(FIRST_PLACE):
        row[KEEP_USEFUL] += sign * use_of(state, rules, card, levels, held)
    elif card < U8(FIRST_ENCOUNTER):
        row[KEEP_PLACE] += sign * (1 + count_matching(rules, souvenirs, card - U8(FIRST_PLACE)))
    else:
        row[KEEP_GOLD] += sign


@kernel
def _rate_answer(state: State, rules: Rules, seat: Seat, card: Card, levels: Any, held: Any, row: Any) -> None:
    """Rates a yes or no: a steady hand, a parry, a mooring for the partner, or in the solo game the power."""
    if state.phase == POWER:
        row[FEAR_SHIP] = 0 if card == ONE else _danger(state, rules)
        row[KEEP_GOLD] = -1 if card == ONE else 0
        return
    if card == ZERO:
        return
    row[KEEP_GOLD] = -1
    if state.phase == MOORING:
        row[STAKES] = (3 if levels[2] != ZERO else 1) * _lead(state, rules, seat)
        return
    target = U8(state.target)
    row[STAKES] = _harm(state, rules, target)
    if state.phase == STEADY:
        row[STAKES] += use_on_table(state, rules, seat, target, levels, held) // USELESS


@outlined
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    seat = U8(state.mover)
    phase = state.phase
    hand = state.hand[seat]
    souvenirs, held = hand & ALL_SOUVENIRS, (hand & ALL_PLACES) >> U8(FIRST_PLACE)
    levels = open_spots_by_load(state, seat)
    unfinished = np.int64(count(state.open[seat] & ~single(SHIP)))
    missing = WANTED - unfinished - np.int64(count(held))
    mean = mean_use(state, rules, seat, levels, held) if phase in (EXPLORE, REFILL) else 0
    for i in range(n):
        row = table[i]
        for k in range(len(FEATURES)):
            row[k] = 0
        verb, card, spot = moves[i] >> VERB, U8(moves[i] & 127), U8((moves[i] >> SPOT) & 31)
        if verb in (V_LAY, V_EXTRA):
            _rate_lay(state, rules, seat, card, spot, row)
            if verb == V_LAY and state.laid >= allowance(state, rules):
                row[KEEP_GOLD] = -1
        elif verb == V_PLACE:
            row[LAY_PLACE] = 1 + count_matching(rules, souvenirs, card - U8(FIRST_PLACE))
            row[PLACES_SHORT] = WANTED - unfinished
        elif phase == EXPLORE:
            if verb == V_DRAW:
                row[KEEP_USEFUL] = mean
                row[FEAR_SHIP] = _symbol_danger(state, rules) if rules.solo else 0
            elif verb == V_HOOK:
                top = U8(state.discard[SOUVENIRS, U8(state.thrown[SOUVENIRS]) - ONE])
                row[KEEP_USEFUL] = use_of(state, rules, top, levels, held)
            else:
                row[KEEP_USEFUL] = -use_of(state, rules, card, levels, held)
                row[PLACES_SHORT] = missing
        elif phase == ENCOUNTER:
            if verb == V_DUEL:
                _rate_duel(state, rules, seat, card, levels, held, row)
        elif phase == STEAL:
            row[ROB] = np.int64(hand_size(state, card)) + ODDS * _lead(state, rules, card)
        elif phase == REFILL:
            row[KEEP_USEFUL] = mean if card == SOUVENIRS else 0
            row[PLACES_SHORT] = missing if card == PLACES else 0
        elif phase in (STEADY, PARRY, MOORING, POWER):
            _rate_answer(state, rules, seat, card, levels, held, row)
        elif verb in (V_KEEP, V_RETAIN):
            _rate_keep(state, rules, card, 1, levels, held, souvenirs, row)
        elif verb in (V_DISCARD, V_LOSE, V_DROP, V_GIVE):
            _rate_keep(state, rules, card, -1, levels, held, souvenirs, row)
            if verb == V_DISCARD:
                _rate_anchor(state, rules, seat, card, souvenirs & ~single(card), row)


CATEGORIES = (
    ("duel", "naming a card in a duel"),
    ("adventure", "meeting an encounter instead of a duel"),
    ("hook", "drawing from the discards with the hook"),
    ("swap", "giving a souvenir for a place"),
    ("place", "laying a place"),
    ("discard", "discarding a souvenir when landing"),
    ("stop", "ending the landing"),
    ("power", "using the once-per-game power"),
    ("help", "spending a gold card for the partner"),
)
_VERB = {"place": "lay place", "help": "mooring"}
_BITS = np.zeros(len(VERBS), np.uint64)  # the category of each verb
for _i, (_name, _) in enumerate(CATEGORIES):
    _BITS[VERBS.index(_VERB.get(_name, _name))] = 1 << _i
_HELP = _BITS[V_MOORING]


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    verb = action >> VERB
    if verb in (V_STEADY, V_PARRY, V_MOORING, V_POWER) and action & 1 == 0:
        return ZERO
    if verb == V_STEADY:
        return ZERO if state.mover == state.seat else _HELP
    if verb == V_PARRY:
        return ZERO if state.mover == state.owner[spot_of(state, U8(state.target))] else _HELP
    return _BITS[verb]
