"""WAVE: the rules of play.

For speed, a turn of the base game reads each field once, and random facts (front or back, reverse or not) are computed
rather than branched on. Variants are branches on fixed knobs, which cost nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, ONE, U8, ZERO, count, has, list_cards, lowest, nth, single, without_lowest
from houle.solver.cards.piles import add_card, next_card, one_of, open_pile, take_aside
from houle.solver.cards.streams import advance, below, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Moves, Number, Rules, Seat, State
from houle.solver.games.wave.board import choosable, code_of, fitting, hand, is_signal, named, pointable, slots_of
from houle.solver.games.wave.seen import learn, sink
from houle.solver.games.wave.state import (
    AT_NONE,
    BACK,
    DUMMY,
    FACEDOWN,
    HIDE,
    INVERT_COLOURS,
    INVERT_NUMBERS,
    KNOWN,
    NO_SWAP,
    NONE,
    POINT,
    POINT_NONE,
    SWAP,
)
from houle.solver.rules import Setup

SIGNAL = U8(0x7369_676E)  # part of a key, for random signals


@kernel
def deal(state: State, rules: Rules) -> None:
    """Start card, hands card by card around the table (front, then back), Virage card, inversion cards."""
    open_pile(state, rules.pile)
    state.public = state.sunk = ZERO
    state.order = state.turned = state.surfer = 0
    state.laid = state.facedown = state.random_signals = 0
    state.top = next_card(state)
    state.cells[0] = state.top
    state.seen = single(state.top)
    for seat in range(rules.seats):
        state.front[seat] = state.back[seat] = state.sunk_known[seat] = ZERO
    _deal_hands(state, rules, state.front, rules.front, rules.up, 0, 0)
    _deal_hands(state, rules, state.back, rules.back, rules.down, rules.front, rules.up)
    state.virage = take_aside(state) if rules.virage else NONE
    for _ in range(2):
        if rules.tide_colours:
            add_card(state, INVERT_COLOURS)
        if rules.tide_numbers:
            add_card(state, INVERT_NUMBERS)
    _begin_turn(state, rules, 0)


@kernel
def _deal_hands(state: State, rules: Rules, hands: Any, each: Any, dummys: Any, slot: Any, dummys_slot: Any) -> None:
    """Deals `each` cards to every surfer and `dummys` to the dummy, into the slots from `slot` on."""
    seats, with_dummy = U8(rules.seats), rules.dummy
    printed = not state.gaps | state.added
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
                    card = next_card(state)
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
        card = next_card(state)
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
    if rules.dummy | rules.virage | rules.nazare | state.added | state.gaps:
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
        state.mover = _next_adviser(state, rules, state.mover)
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
            shown = single(one_of(state, back, count(back)))  # its next card, at random
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


def action_kinds(setup: Setup, seat: int) -> list[int]:
    rules = setup.rules[0]
    cards = [int(card) for card in rules.deck[: int(rules.deck_size)]]
    cards += [BACK + slot for slot in range(int(rules.front) + int(rules.back))]
    kinds = list(cards)
    kinds += [HIDE + card for card in cards] if rules.nazare else []
    kinds += [NO_SWAP, *(SWAP + card for card in cards)] if rules.virage else []
    return kinds + ([POINT_NONE, *(POINT + card for card in cards)] if rules.signals else [])
