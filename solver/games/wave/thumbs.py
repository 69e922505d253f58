"""WAVE: the rules of thumb and the categories of moves, by what the deciding surfer may see.

Counts cover the cards not laid yet. If a surfer does not know one of their back cards (silent and points), it is
rated as the average over the cards that its slot may still hold. A signal is rated by what the adviser sees: the back
card that it points at, and the adviser's own front cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, ONE, THREE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Action, Card, Categories, Features, Flag, Moves, Number, Rules, Seat, State
from houle.solver.games.wave import rules as game
from houle.solver.games.wave.knows import unseen

# The rules of thumb; advice.toml has their sentences.
FEATURES = (
    "room",
    "next_ready",
    "next_risk",
    "next_choice",
    "second_ready",
    "awkward",
    "keeps_awkward",
    "reverses",
    "from_back",
    "own_choice",
    "lone",
    "swap",
    "swap_gain",
    "swap_fits",
    "hide",
    "hide_awkward",
    "point",
    "point_ready",
    "point_risk",
    "point_choice",
    "point_second",
    "point_room",
    "point_awkward",
    "point_agrees",
    "point_swap",
    "follow_next",
    "follow_others",
    "follow_none",
    "swap_last",
    "point_last",
)
(
    ROOM,
    NEXT_READY,
    NEXT_RISK,
    NEXT_CHOICE,
    SECOND_READY,
    AWKWARD,
    KEEPS_AWKWARD,
    REVERSES,
    FROM_BACK,
    OWN_CHOICE,
    LONE,
    SWAP_COST,
    SWAP_GAIN,
    SWAP_FITS,
    HIDE_COST,
    HIDE_AWKWARD,
    POINTS_AT,
    POINT_READY,
    POINT_RISK,
    POINT_CHOICE,
    POINT_SECOND,
    POINT_ROOM,
    POINT_AWKWARD,
    POINT_AGREES,
    POINT_SWAP,
    FOLLOW_NEXT,
    FOLLOW_OTHERS,
    FOLLOW_NONE,
    SWAP_LAST,
    POINT_LAST,
) = range(30)

OF_LAYS = 11  # the first features: those of laying a card face up
RISK = 64  # unit of a chance
SHARE = 64  # unit of a share of the cards left


@kernel
def _tops(state: State, rules: Rules, card: Card, left: Any) -> Any:
    """How many of these cards this card could be laid on: those that beat it in the opposite order."""
    return count(rules.beats[state.order ^ 3, card] & left)


@kernel
def _chance_of_none(hidden: Any, good: Any, cards: Any) -> Any:
    """Chance, in 1/64, that none of `cards` cards drawn from `hidden` is among the `good` ones."""
    chance = float(RISK)
    for i in range(cards):
        if hidden > i:
            chance *= max(hidden - good - i, 0) / (hidden - i)
    return np.int64(chance)


@kernel
def _next_with_cards(state: State, rules: Rules, seat: Seat, turned: Any) -> Any:
    """The next seat in a direction that holds cards."""
    other = rules.next[turned, seat]
    for _ in range(rules.seats - 1):
        if state.front[other] | state.back[other] != ZERO:
            break
        other = rules.next[turned, other]
    return other


@kernel
def _neighbours(state: State, rules: Rules, turned: Any) -> Any:
    """In a direction: the next seat's known cards, how many of its cards are unknown, the second seat's known cards."""
    viewer = state.mover
    after = _next_with_cards(state, rules, state.acting, turned)
    second = _next_with_cards(state, rules, after, turned)
    dummy = rules.dummy and after == game.DUMMY
    secret = ZERO if dummy else unseen(state, rules, after, viewer)
    cards = state.front[after] if dummy else state.front[after] | state.back[after]
    theirs = state.front[second] if rules.dummy and second == game.DUMMY else state.front[second] | state.back[second]
    return cards & ~secret, np.int64(count(secret)), theirs & ~unseen(state, rules, second, viewer)


@kernel
def _follows(state: State, rules: Rules, card: Card, facedown: Any) -> Any:
    """The cards that can be laid after a card. In the great wave the next cell has its own neighbours."""
    beats = rules.beats[state.order]
    if not rules.nazare:
        return beats[card]
    this = state.laid + 1
    cell = this + 1
    if cell >= rules.deck_size:
        return ALL
    fits = ALL
    for neighbour in (rules.left[cell], rules.below[cell]):
        if neighbour == this:
            fits &= ALL if facedown else beats[card]
        elif neighbour != game.NONE and state.cells[neighbour] != game.FACEDOWN:
            fits &= beats[state.cells[neighbour]]
    return fits


@kernel
def _second_ready(state: State, rules: Rules, options: Any, theirs: Any) -> Flag:
    """Whether the second surfer can follow one of the next surfer's options with a known card."""
    while options != ZERO:
        step = lowest(options)
        options = without_lowest(options)
        if theirs & rules.beats[state.order, step] & ~single(step) != ZERO:
            return True
    return False


@kernel
def _rate_lay(
    state: State, rules: Rules, card: Card, facedown: Any, left: Any, hidden: Any, own: Any, ahead: Any, values: Any
) -> None:
    """Adds to `values` the features of laying a card that is known (or assumed) to be `card`."""
    bit = single(card)
    rest = left & ~bit
    follows = _follows(state, rules, card, facedown)
    reverses = has(rules.reverse, card) and (not facedown or rules.facedown_reverses)
    known, unknown, theirs = ahead[1] if reverses != (state.turned == 1) else ahead[0]
    ready = known & follows & ~bit
    values[ROOM] += count(rest & follows)
    values[NEXT_READY] += 1 if ready != ZERO else 0
    values[NEXT_CHOICE] += min(count(ready), THREE)
    if ready == ZERO:
        values[NEXT_RISK] += _chance_of_none(np.int64(count(hidden)), np.int64(count(hidden & follows)), unknown)
    values[SECOND_READY] += 1 if _second_ready(state, rules, ready, theirs & ~bit) else 0
    cards = np.int64(count(rest))
    awkward = cards - np.int64(_tops(state, rules, card, rest))
    if facedown:
        values[HIDE_COST] += 1
        values[HIDE_AWKWARD] += awkward
    else:
        values[AWKWARD] += awkward
    fits = own & follows & ~bit
    values[OWN_CHOICE] += count(fits)
    while fits != ZERO:
        values[KEEPS_AWKWARD] += cards - np.int64(_tops(state, rules, lowest(fits), rest))
        fits = without_lowest(fits)
    values[REVERSES] += 1 if reverses else 0
    values[LONE] += 1 if count(known) + U8(unknown) == ONE else 0


@kernel
def _laid_last(state: State, rules: Rules, card: Card, left: Any) -> Any:
    """What a swap gains by a card that is laid last instead of the Virage card, because nothing has to follow it.

    The fewer cards can follow a card, the more: a card that none can follow ends the game unless it is laid last.
    """
    beats = rules.beats[state.order]
    mine = SHARE // (1 + np.int64(count(beats[card] & left & ~single(card))))
    return mine - SHARE // (1 + np.int64(count(beats[state.virage] & left & ~single(state.virage))))


@kernel
def _rate_swap(state: State, rules: Rules, card: Card, left: Any, values: Any) -> None:
    """Adds to `values` the features of swapping away a card that is known (or assumed) to be `card`."""
    values[SWAP_COST] += 1
    gain = np.int64(_tops(state, rules, state.virage, left)) - np.int64(_tops(state, rules, card, left))
    gain = SHARE * gain // np.int64(count(left))
    # The Virage card is laid last: once the pile is empty, a card that fits on many others is better left there.
    values[SWAP_GAIN] += gain if state.pile_left > 0 else -gain
    values[SWAP_LAST] += _laid_last(state, rules, card, left)


@kernel
def _rate_signal(
    state: State, rules: Rules, card: Card, facedown: Any, left: Any, hidden: Any, ahead: Any, values: Any
) -> None:
    """Writes the features of pointing at a card, as the adviser sees it."""
    bit = single(card)
    rest = left & ~bit
    follows = _follows(state, rules, card, facedown)
    reverses = has(rules.reverse, card) and (not facedown or rules.facedown_reverses)
    known, unknown, theirs = ahead[1] if reverses != (state.turned == 1) else ahead[0]
    ready = known & follows & ~bit
    values[POINT_READY] = 1 if ready != ZERO else 0
    values[POINT_CHOICE] = min(count(ready), THREE)
    values[POINT_SECOND] = 1 if _second_ready(state, rules, ready, theirs & ~bit) else 0
    if ready == ZERO:
        values[POINT_RISK] = _chance_of_none(np.int64(count(hidden)), np.int64(count(hidden & follows)), unknown)
    cards = max(np.int64(count(rest)), 1)
    values[POINT_ROOM] = SHARE * np.int64(count(rest & follows)) // cards
    values[POINT_AWKWARD] = SHARE * (cards - np.int64(_tops(state, rules, card, rest))) // cards


@outlined
def _signal_features(
    state: State, rules: Rules, moves: Moves, n: Number, left: Any, hidden: Any, ahead: Any, table: Features
) -> None:
    for i in range(n):
        values = table[i]
        for k in range(len(FEATURES)):
            values[k] = 0
        if moves[i] == game.POINT_NONE:
            continue
        values[POINTS_AT] = 1
        for other in range(rules.seats):
            values[POINT_AGREES] += 1 if state.signals[other] == moves[i] - game.POINT else 0
        card = game.named(state, moves[i])
        if not state.asked:
            values[POINT_SWAP] = 1
            values[POINT_LAST] = _laid_last(state, rules, card, left)
            continue
        _rate_signal(state, rules, card, not has(state.playable, card), left, hidden, ahead, values)


@kernel
def _rate_following(state: State, rules: Rules, action: Action, adviser: Seat, values: Any) -> None:
    """Writes what the signals say about an action; `adviser` is the next surfer."""
    code = action & (game.HIDE - 1)
    for other in range(rules.seats):
        signal = state.signals[other]
        if signal == code:
            values[FOLLOW_NEXT if other == adviser else FOLLOW_OTHERS] += 1
        elif signal == game.AT_NONE and code < game.BACK:
            values[FOLLOW_NONE] += 1


@kernel
def _lay_features(
    state: State, rules: Rules, moves: Moves, n: Number, left: Any, hidden: Any, own: Any, ahead: Any, table: Features
) -> None:
    """The features where every move lays a known card face up: computed in registers, then written."""
    for i in range(n):
        values = local_zeros(OF_LAYS, np.int64)
        _rate_lay(state, rules, game.named(state, moves[i]), False, left, hidden, own, ahead, values)
        values[FROM_BACK] = 1 if moves[i] >= game.BACK else 0
        for k in range(OF_LAYS):
            table[i, k] = values[k]
        for k in range(OF_LAYS, len(FEATURES)):
            table[i, k] = 0


@outlined
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    viewer = state.mover
    known = state.seen
    for holder in range(rules.seats):
        known |= (state.front[holder] | state.back[holder]) & ~unseen(state, rules, holder, viewer)
    if rules.virage:
        known |= single(state.virage)
    left = rules.cards & ~state.seen
    hidden = rules.cards & ~known
    own_secret = unseen(state, rules, state.acting, viewer) if state.acting == viewer else ZERO
    own = game.hand(state, rules) & ~own_secret
    ahead = (_neighbours(state, rules, 0), _neighbours(state, rules, 1))
    if game.is_signal(state):
        _signal_features(state, rules, moves, n, left, hidden, ahead, table)
        return
    if rules.talk >= game.KNOWN and not rules.nazare and state.asked:
        _lay_features(state, rules, moves, n, left, hidden, own, ahead, table)
        return
    adviser = _next_with_cards(state, rules, state.acting, np.int64(state.turned))
    for i in range(n):
        values = table[i]
        for k in range(len(FEATURES)):
            values[k] = 0
        action = moves[i]
        if action == game.NO_SWAP:
            continue
        if rules.signals:
            _rate_following(state, rules, action, adviser, values)
        card = game.named(state, action)
        secret = has(own_secret, card)
        facedown = game.HIDE <= action < game.SWAP
        cards = single(card)
        if secret:
            fits = game.fitting(state, rules)
            cards = state.may[state.acting, (action & (game.HIDE - 1)) - game.BACK] & hidden
            if action < game.SWAP:
                cards &= fits if not facedown else ~fits if not rules.free else ALL
        number = np.int64(count(cards))
        while cards != ZERO:
            if action >= game.SWAP:
                _rate_swap(state, rules, lowest(cards), left, values)
            else:
                _rate_lay(state, rules, lowest(cards), facedown, left, hidden, own, ahead, values)
            cards = without_lowest(cards)
        if number > 1:
            for k in range(POINTS_AT):
                values[k] //= number
            values[SWAP_LAST] //= number
        if action < game.SWAP:
            values[FROM_BACK] = 1 if action & (game.HIDE - 1) >= game.BACK else 0
            continue
        fits = game.hand(state, rules) & game.fitting(
            state, rules
        )  # which slots fit is known, even if the cards are not
        if has(fits, card):
            values[SWAP_FITS] = 6 if fits == single(card) else 1


# The sorts of moves, which a player can be told never to make.
CATEGORIES = ("swap", "hide", "reverse", "back", "front")
_SWAP, _HIDE, _REVERSE, _BACK, _FRONT = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    if action == game.NO_SWAP or action >= game.POINT:
        return ZERO
    if action >= game.SWAP:
        return _SWAP
    if action >= game.HIDE:
        return _HIDE
    card = game.named(state, action)
    unknown = has(unseen(state, rules, state.acting, state.mover), card)
    turns = has(rules.reverse, card) and not unknown
    return (_BACK if action >= game.BACK else _FRONT) | (_REVERSE if turns else ZERO)
