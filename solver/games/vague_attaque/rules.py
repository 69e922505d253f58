"""VAGUE & ATTAQUE: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, THREE, TWO, U8, ZERO, count, left_of, list_cards, lowest, nth, without_lowest
from houle.solver.cards.streams import advance, below, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Flag, Moves, Number, Numbers, Rules, Seat, Side, State, Stream
from houle.solver.games.vague_attaque import effects, zones
from houle.solver.games.vague_attaque import state as game
from houle.solver.games.vague_attaque.state import COUNTS as COUNTS
from houle.solver.games.vague_attaque.state import MAX_MOVES as MAX_MOVES
from houle.solver.games.vague_attaque.state import RATES as RATES
from houle.solver.games.vague_attaque.state import RULES as RULES
from houle.solver.games.vague_attaque.state import STATE as STATE
from houle.solver.games.vague_attaque.state import make_rules as make_rules
from houle.solver.games.vague_attaque.state import score_range as score_range
from houle.solver.games.vague_attaque.state import side_names as side_names
from houle.solver.interface import UTILITY, WIN

# ---- The moves at every decision, listed or chosen at random


@kernel
def code(verb: Any, card: Card, spot: Any) -> Any:
    return np.int64(verb) << game.VERB | np.int64(spot) << game.SPOT | np.int64(card)


@kernel
def choose(state: State, rules: Rules) -> Any:
    """A random legal action, as (verb, card, spot)."""
    stream = advance(state.choice)
    state.choice = stream
    phase = state.phase
    if phase == game.EXPLORE:
        souvenirs = effects.swappable(state)
        hook = ONE if effects.may_hook(state) else ZERO
        i = below(stream, ONE + hook + count(souvenirs))
        if i > hook:
            return game.V_SWAP, nth(souvenirs, i - hook - ONE), ZERO
        return game.V_DRAW if i == ZERO else game.V_HOOK, ZERO, ZERO
    if phase == game.ENCOUNTER:
        cards = zones.targets(state, rules)
        i = below(stream, ONE + count(cards))
        if i == ZERO:
            return game.V_ADVENTURE, ZERO, ZERO
        return game.V_DUEL, nth(cards, i - ONE), ZERO
    if phase == game.LAND:
        return _choose_landing(state, rules, stream)
    return _choose_other(state, rules, phase, stream)


@kernel
def _choose_landing(state: State, rules: Rules, stream: Stream) -> Any:
    seat = U8(state.seat)
    places, wasted = effects.layable_places(state), effects.wasteable(state)
    here, away = count(places), count(wasted)
    loads = zones.count_placements(state, rules, seat) if effects.may_load(state, rules) else ZERO
    i = below(stream, ONE + here + away + loads)
    if i == ZERO:
        return game.V_STOP, ZERO, ZERO
    i -= ONE
    if i < here:
        return game.V_PLACE, nth(places, i), ZERO
    i -= here
    if i < away:
        return game.V_DISCARD, nth(wasted, i), ZERO
    souvenir, spot = zones.nth_placement(state, rules, seat, i - away)
    return game.V_LAY, souvenir, spot


@outlined
def _choose_other(state: State, rules: Rules, phase: Any, stream: Stream) -> Any:
    """The decisions asked for within a phase."""
    seat = U8(state.mover)
    verb = HAND_VERBS[phase]
    if verb >= 0:
        return verb, effects.nth_in_hand(state, seat, below(stream, effects.hand_size(state, seat))), ZERO
    if phase == game.EXTRA:
        i = below(stream, ONE + zones.count_placements(state, rules, seat))
        if i == ZERO:
            return game.V_DECLINE, ZERO, ZERO
        souvenir, spot = zones.nth_placement(state, rules, seat, i - ONE)
        return game.V_EXTRA, souvenir, spot
    if phase == game.SPYGLASS:
        return game.V_KEEP, U8(state.drawn[below(stream, TWO)]), ZERO
    if phase == game.STEAL:
        seats = effects.victims(state, rules, seat)
        return game.V_STEAL, nth(seats, below(stream, count(seats))), ZERO
    if phase == game.REFILL:
        piles = refills(state)
        return game.V_REFILL, nth(piles, below(stream, count(piles))), ZERO
    return ANSWERS[phase], below(stream, TWO), ZERO


# The verb of a decision about one card of the hand, and of one between yes and no, by its phase; -1 for the others.
HAND_VERBS, ANSWERS = np.full(len(game.PHASES), -1), np.full(len(game.PHASES), -1)
for _phase in ("lose", "drop", "give", "retain"):
    HAND_VERBS[game.PHASES.index(_phase)] = game.VERBS.index(_phase)
for _phase in ("steady", "parry", "mooring", "power"):
    ANSWERS[game.PHASES.index(_phase)] = game.VERBS.index(_phase)


@kernel
def refills(state: State) -> Any:
    """The piles that an empty hand can draw from, as a set."""
    return (ONE if effects.can_draw(state, game.SOUVENIRS) else ZERO) | (
        TWO if effects.can_draw(state, game.PLACES) else ZERO
    )


@kernel
def random_move(state: State, rules: Rules) -> Action:
    verb, card, spot = choose(state, rules)
    return code(verb, card, spot)


@outlined
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    seat = U8(state.mover)
    phase = state.phase
    verb = HAND_VERBS[phase]
    if verb >= 0:
        n = list_cards(state.hand[seat], code(verb, ZERO, 0), moves, 0)
        return list_cards(state.gold[seat], code(verb, U8(game.FIRST_ENCOUNTER), 0), moves, n)
    if phase == game.EXPLORE:
        moves[0] = code(game.V_DRAW, 0, 0)
        n = 1
        if effects.may_hook(state):
            moves[1] = code(game.V_HOOK, 0, 0)
            n = 2
        return list_cards(effects.swappable(state), code(game.V_SWAP, ZERO, 0), moves, n)
    if phase == game.ENCOUNTER:
        moves[0] = code(game.V_ADVENTURE, 0, 0)
        return list_cards(zones.targets(state, rules), code(game.V_DUEL, ZERO, 0), moves, 1)
    if phase == game.LAND:
        moves[0] = code(game.V_STOP, 0, 0)
        n = list_cards(effects.layable_places(state), code(game.V_PLACE, ZERO, 0), moves, 1)
        n = list_cards(effects.wasteable(state), code(game.V_DISCARD, ZERO, 0), moves, n)
        return _list_placements(state, rules, game.V_LAY, moves, n) if effects.may_load(state, rules) else n
    if phase == game.EXTRA:
        moves[0] = code(game.V_DECLINE, 0, 0)
        return _list_placements(state, rules, game.V_EXTRA, moves, 1)
    if phase == game.STEAL:
        return list_cards(effects.victims(state, rules, seat), code(game.V_STEAL, ZERO, 0), moves, 0)
    if phase == game.REFILL:
        return list_cards(refills(state), code(game.V_REFILL, ZERO, 0), moves, 0)
    first, second = (0, 1) if phase != game.SPYGLASS else (state.drawn[0], state.drawn[1])
    verb = game.V_KEEP if phase == game.SPYGLASS else ANSWERS[phase]
    moves[0] = code(verb, first, 0)
    moves[1] = code(verb, second, 0)
    return 2


@kernel
def _list_placements(state: State, rules: Rules, verb: Any, moves: Moves, n: Number) -> Any:
    seat = U8(state.mover)
    cards = state.hand[seat] & game.ALL_SOUVENIRS
    while cards != ZERO:
        souvenir = lowest(cards)
        cards = without_lowest(cards)
        spots = zones.fitting_spots(state, rules, seat, souvenir)
        while spots != ZERO:
            moves[n] = code(verb, souvenir, lowest(spots))
            spots = without_lowest(spots)
            n += 1
    return n


# ---- The validated places, who has won, and the utility of an end for a search


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    """Validated places per side; the ship in the solo game scores its souvenirs."""
    for side in range(rules.sides):
        scores[side] = 0
    for seat in range(rules.seats):
        scores[rules.side[seat]] += state.validated[seat]
    if rules.solo:
        scores[1] = count(state.on[game.SHIP])


@kernel
def _loaded(state: State, rules: Rules, side: Side) -> Any:
    """Souvenirs on the places of a side."""
    souvenirs = 0
    for spot in range(game.SPOTS):
        owner = state.owner[spot]
        if owner != game.NONE and rules.side[owner] == side:
            souvenirs += np.int64(count(state.on[spot]))
    return souvenirs


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """Validated places, then souvenirs on places. Solo: how close player and ship are to winning, in thousandths."""
    round_scores(state, rules, out)
    for side in range(rules.sides):
        out[side] = 100 * out[side] + _loaded(state, rules, side)
    if rules.solo:
        out[0] = 1000 * _loaded(state, rules, 0) // (3 * np.int64(rules.target))
        out[1] = 1000 * np.int64(count(state.on[game.SHIP])) // max(1, np.int64(rules.ship_limit))


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    for side in range(rules.sides):
        shares[side] = WIN if side == state.winner else 0
    return state.winner < 0


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.turns // rules.seats
    out[3] += state.duels
    out[4] += 1 if _ship_won(state, rules) else 0


@kernel
def _ship_won(state: State, rules: Rules) -> Any:
    """Whether the ship decided the game: it is among the winners' places, or it beat the solo player."""
    if state.winner < 0 or rules.solo:
        return state.winner == 1
    holder = state.owner[game.SHIP]
    return holder != game.NONE and rules.side[holder] == state.winner and count(state.on[game.SHIP]) == THREE


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """A win has all the utility; otherwise up to half of it, for the share of the needed souvenirs that are laid."""
    needed = 3 * np.int64(rules.target)
    for side in range(rules.sides):
        loaded = min(_loaded(state, rules, side), needed)
        out[side] = UTILITY if side == state.winner else UTILITY // 2 * loaded // needed
    if rules.solo:
        out[1] = UTILITY - out[0]


# ---- The deal, the turn and its phases, and what an action does


ARTEFACTS = U8(3)  # their part of the deal, after the three piles


@outlined
def deal(state: State, rules: Rules) -> None:
    """Shuffles each pile with its own random numbers, deals the artefacts, then a place and two souvenirs each.

    Piles that a record orders are not shuffled.
    """
    for pile in range(U8(3)):
        cards = U8(rules.cards[pile])
        for i in range(cards):
            state.pile[pile, i] = rules.pile[pile, i]
        state.left[pile] = cards
        state.thrown[pile] = 0
        state.shuffles[pile] = 0
        if not rules.ordered:
            effects.shuffle(state.pile[pile], cards, derive(state.deal, pile))
    for card in range(len(state.batch)):
        state.batch[card] = 0
    for card in range(len(state.barred)):
        state.barred[card] = ZERO
    for spot in range(game.SPOTS):
        state.on[spot] = ZERO
        state.owner[spot] = game.NONE
    for seat in range(rules.seats):
        state.hand[seat] = state.gold[seat] = state.open[seat] = state.known[seat] = ZERO
        state.exposed[seat] = ZERO
        state.validated[seat] = 0
    state.needy = state.public = ZERO
    _deal_artefacts(state, rules)
    for source in (game.PLACES, game.SOUVENIRS, game.SOUVENIRS):
        for seat in range(U8(rules.seats)):
            effects.draw_to_hand(state, rules, seat, source)
    if rules.middle:
        zones.allow(state, rules, ZERO, U8(game.SHIP))
        zones.allow(state, rules, ONE, U8(game.SHIP))
    elif not rules.solo:
        state.owner[game.SHIP] = 0
        state.exposed[0] = zones.bare(rules, U8(game.SHIP))
        zones.allow(state, rules, ZERO, U8(game.SHIP))
    state.pending = state.target = state.drawn[0] = state.drawn[1] = game.NONE
    state.bonus = state.ship_waits = state.power_used = state.clues = 0
    state.duels = state.turns = 0
    state.moves = 0
    state.winner = -1
    _begin_turn(state, ZERO)


@kernel
def _deal_artefacts(state: State, rules: Rules) -> None:
    """Deals a random artefact to each seat; the solo player has the hook."""
    if rules.solo:
        state.artefact[0] = game.FIRST_ARTEFACT + rules.hook
        state.power[0] = rules.power[rules.hook]
        return
    for i in range(len(rules.power)):
        state.scratch[i] = rules.artefacts[i]
    if not rules.ordered:
        effects.shuffle(state.scratch, U8(len(rules.power)), derive(state.deal, ARTEFACTS))
    for seat in range(rules.seats):
        state.artefact[seat] = game.FIRST_ARTEFACT + state.scratch[seat]
        state.power[seat] = rules.power[state.scratch[seat]]


@kernel
def _begin_turn(state: State, seat: Seat) -> None:
    state.seat = seat
    state.place_laid = 0
    state.laid = state.lent = state.refused = state.thefts = 0
    effects.ask(state, seat, game.EXPLORE, game.WAIT)


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    _act(state, rules, action >> game.VERB, U8(action & 127), U8((action >> game.SPOT) & 31))


@kernel
def random_ply(state: State, rules: Rules) -> None:
    verb, card, spot = choose(state, rules)
    _act(state, rules, verb, card, spot)


@kernel
def _act(state: State, rules: Rules, verb: Any, card: Card, spot: Any) -> None:
    phase = state.phase
    if phase == game.EXPLORE:
        step = effects.explore(state, rules, verb, card)
    elif phase == game.ENCOUNTER:
        step = effects.name_target(state, rules, card) if verb == game.V_DUEL else _adventure(state, rules)
    elif phase == game.LAND:
        step = effects.land(state, rules, verb, card, spot)
    else:
        step = _settle(state, rules, phase, verb, card, spot)
    _go_on(state, rules, step)


@outlined
def _settle(state: State, rules: Rules, phase: Any, verb: Any, card: Card, spot: Any) -> Any:
    """Carries out a decision asked for within a phase; returns the next step."""
    seat = U8(state.mover)
    then = state.then
    if phase in (game.LOSE, game.DROP):
        effects.discard_from_hand(state, seat, card)
    elif phase == game.SPYGLASS:
        effects.keep(state, seat, card)
    elif phase == game.STEADY:
        return effects.answer_steady(state, rules, card == ONE)
    elif phase == game.PARRY:
        return effects.answer_parry(state, rules, card == ONE)
    elif phase == game.MOORING:
        return effects.answer_mooring(state, rules, card == ONE)
    elif phase == game.EXTRA:
        if verb != game.V_DECLINE:
            return effects.lay(state, rules, seat, card, spot, then)
    elif phase == game.STEAL:
        effects.steal(state, seat, card)
    elif phase == game.GIVE:
        effects.hand_over(state, seat, left_of(rules, seat), card)
    elif phase == game.REFILL:
        effects.draw_to_hand(state, rules, seat, card)
    elif phase == game.RETAIN:
        effects.retain(state, rules, card)
    elif card == ONE:
        state.power_used = 1
        return effects.ask(state, seat, game.RETAIN, then)
    else:
        return effects.load_ship(state, rules, U8(state.drawn[0]), then)
    return then


@kernel
def _go_on(state: State, rules: Rules, step: Any) -> None:
    """Carries out what needs no decision, up to the next one."""
    if step == game.TO_ENCOUNTER:
        effects.ask(state, U8(state.seat), game.ENCOUNTER, game.WAIT)
        return
    if step == game.TO_LAND:
        if state.pending != game.NONE:
            effects.discard(state, U8(state.pending))
            state.pending = game.NONE
        if effects.ask_for_mooring(state, rules):
            return
        if effects.may_land(state, rules):
            effects.ask(state, U8(state.seat), game.LAND, game.WAIT)
            return
        step = game.TO_TIDY
    if step == game.TO_TIDY:
        step = _tidy(state, rules)
    if step == game.TO_SHIP:
        step = effects.ship_turn(state, rules) if rules.solo else game.TO_NEXT
    if step == game.TO_NEXT:
        _end_turn(state, rules)


@kernel
def _adventure(state: State, rules: Rules) -> Any:
    card = effects.draw(state, rules, game.ENCOUNTERS)
    if card == U8(game.NONE):
        return game.TO_LAND
    effect = effects.encounter_effect(rules, card)
    if effect >= effects.FIRST_GOLD:
        effects.put_in(state, U8(state.seat), card)
        return game.TO_LAND
    state.pending = card
    return effects.resolve(state, rules, effect)


@kernel
def _tidy(state: State, rules: Rules) -> Any:
    """Enforces the hand limit; an empty hand draws a card."""
    seat = U8(state.seat)
    cards = effects.hand_size(state, seat)
    if cards > U8(rules.limit[state.power[seat]]):
        return effects.ask(state, seat, game.DROP, game.TO_TIDY)
    if cards == ZERO and (effects.can_draw(state, game.SOUVENIRS) or effects.can_draw(state, game.PLACES)):
        return effects.ask(state, seat, game.REFILL, game.TO_SHIP)
    return game.TO_SHIP


@kernel
def _end_turn(state: State, rules: Rules) -> None:
    seat = left_of(rules, U8(state.seat))
    state.turns += 1
    if seat == ZERO:
        if not state.ship_waits:
            zones.move_ship(state, rules)
        state.ship_waits = 0
    if state.turns >= rules.max_turns:
        state.mover = -1
        state.phase = game.OVER
    else:
        _begin_turn(state, seat)
