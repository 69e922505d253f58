"""VAGUE & ATTAQUE: the zones, what may lie where, and what the questions to a partner tell about a hand."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, TWO, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Number, Rules, Seat, Side, State
from houle.solver.games.vague_attaque.state import ALL_SOUVENIRS, FIRST_PLACE, MAX_CLUES, NONE, OVER, SHIP

# ---- The places in play, what is on them, and what can be laid where
#
# `open`, `exposed` and `needy` follow from `owner` and `on`. They are updated card by card, so counting what can be
# laid or named in a duel takes a few instructions.


@kernel
def fitting_spots(state: State, rules: Rules, seat: Seat, souvenir: Card) -> Any:
    """The spots that a seat could lay this souvenir on."""
    return state.open[seat] & rules.bears[souvenir] & ~(state.needy & rules.shared[souvenir])


@kernel
def count_placements(state: State, rules: Rules, seat: Seat) -> Any:
    """How many (souvenir in hand, spot) pairs the seat could lay."""
    cards = state.hand[seat] & ALL_SOUVENIRS
    spots, needy = state.open[seat], state.needy
    n = ZERO
    while cards != ZERO:
        souvenir = lowest(cards)
        n += count(spots & rules.bears[souvenir] & ~(needy & rules.shared[souvenir]))
        cards = without_lowest(cards)
    return n


@kernel
def nth_placement(state: State, rules: Rules, seat: Seat, n: Number) -> Any:
    """The n-th (souvenir, spot) pair that the seat could lay, in the order of count_placements."""
    cards = state.hand[seat] & ALL_SOUVENIRS
    while True:
        souvenir = lowest(cards)
        fits = fitting_spots(state, rules, seat, souvenir)
        here = count(fits)
        if n < here:
            return souvenir, nth(fits, n)
        n -= here
        cards = without_lowest(cards)


@kernel
def targets(state: State, rules: Rules) -> Any:
    """The cards that the active seat may name in a duel."""
    own = rules.side[state.seat]
    cards = ZERO
    if not rules.solo:
        for side in range(rules.sides):
            cards |= state.exposed[side]
        cards &= ~state.exposed[own]
    return cards


@kernel
def bare(rules: Rules, spot: Any) -> Any:
    """What an empty spot adds to the exposed cards: itself, but the ship only if it can be won."""
    return ZERO if spot == U8(SHIP) and not rules.ship_stealable else single(spot + U8(FIRST_PLACE))


@kernel
def allow(state: State, rules: Rules, seat: Seat, spot: Any) -> None:
    """Lets the seat and its partner load the spot from now on."""
    state.open[seat] |= single(spot)
    state.open[rules.partner[seat]] |= single(spot)


@kernel
def forbid(state: State, rules: Rules, seat: Seat, spot: Any) -> None:
    state.open[seat] &= ~single(spot)
    state.open[rules.partner[seat]] &= ~single(spot)


@kernel
def lay_place(state: State, rules: Rules, seat: Seat, card: Card) -> None:
    spot = card - U8(FIRST_PLACE)
    state.hand[seat] &= ~single(card)
    state.owner[spot] = seat
    state.on[spot] = ZERO
    state.exposed[rules.side[seat]] |= single(card)
    allow(state, rules, seat, spot)
    state.moves += 1


@kernel
def lay_souvenir(state: State, rules: Rules, seat: Seat, souvenir: Card, spot: Any) -> Any:
    """Lays a souvenir from a hand; True if that wins the game."""
    bit = single(souvenir)
    before = state.on[spot]
    lying = before | bit
    n = count(before)
    state.hand[seat] &= ~bit
    state.on[spot] = lying
    state.spot[souvenir] = spot
    state.moves += 1
    owner = state.owner[spot]
    if n == TWO:
        return _validate(state, rules, seat, spot)
    if n == ONE and lying & rules.dedicated == ZERO:
        state.needy |= single(spot)
    if owner != NONE:
        side = rules.side[owner]
        state.exposed[side] = (state.exposed[side] | bit) & ~single(spot + U8(FIRST_PLACE))
    return False


@outlined
def _validate(state: State, rules: Rules, seat: Seat, spot: Any) -> Any:
    """Validates a place with its third souvenir: nothing on it can be touched any more. True if that wins."""
    owner = U8(state.owner[spot])
    if owner == U8(NONE):
        owner = seat
        state.owner[spot] = owner
        for other in range(U8(rules.seats)):
            forbid(state, rules, other, spot)
    forbid(state, rules, owner, spot)
    side = rules.side[owner]
    state.exposed[side] &= ~state.on[spot]
    state.needy &= ~single(spot)
    state.validated[owner] += 1
    pooled = state.validated[owner]
    if U8(rules.partner[owner]) != owner:
        pooled += state.validated[rules.partner[owner]]
    if pooled >= rules.target:
        win(state, U8(side))
        return True
    return False


@kernel
def lift_souvenir(state: State, rules: Rules, souvenir: Card) -> None:
    """Takes a souvenir off an unvalidated place in somebody's zone."""
    bit = single(souvenir)
    spot = U8(state.spot[souvenir])
    lying = state.on[spot] & ~bit
    side = rules.side[state.owner[spot]]
    state.on[spot] = lying
    state.needy &= ~single(spot)
    exposed = state.exposed[side] & ~bit
    state.exposed[side] = exposed | bare(rules, spot) if lying == ZERO else exposed


@kernel
def take_place(state: State, rules: Rules, seat: Seat, spot: Any) -> None:
    """Moves a place to another zone with everything on it (fewer than three souvenirs)."""
    owner = U8(state.owner[spot])
    lying = state.on[spot]
    cards = bare(rules, spot) if lying == ZERO else lying
    state.exposed[rules.side[owner]] &= ~cards
    state.exposed[rules.side[seat]] |= cards
    forbid(state, rules, owner, spot)
    allow(state, rules, seat, spot)
    state.owner[spot] = seat


@outlined
def move_ship(state: State, rules: Rules) -> None:
    """Moves the ship to the right, unless it lies in the middle or two souvenirs hold it."""
    if rules.seats > 2 and count(state.on[SHIP]) < TWO:
        holder = U8(state.owner[SHIP])
        take_place(state, rules, (U8(rules.seats) if holder == ZERO else holder) - ONE, U8(SHIP))


@kernel
def win(state: State, side: Side) -> None:
    """Ends the game at once; the current turn counts as played."""
    state.winner = side
    state.turns += 1
    state.mover = -1
    state.phase = OVER


@kernel
def spot_of(state: State, card: Card) -> Any:
    """The spot of a card that a duel names: its own, or the one it lies on."""
    return U8(state.spot[card]) if card < U8(FIRST_PLACE) else card - U8(FIRST_PLACE)


# ---- What everyone learns about a hand when its player's partner is asked something (teams)
#
# Gold cards are open, so an answer does not show who holds one. But whether the partner is asked at all depends on
# souvenirs that nobody else sees. The partner is asked for an extra souvenir only if none in the player's hand fits,
# and for a mooring only if one does. So "none fits" bars souvenirs from this hand. "One fits" is a clue: at least one
# of these cards is among those that could be laid.


@kernel
def _fitting(state: State, rules: Rules, seat: Seat) -> Any:
    """All souvenirs that the seat could lay if they were in its hand."""
    souvenirs = ZERO
    for souvenir in range(U8(len(state.barred))):
        if fitting_spots(state, rules, seat, souvenir) != ZERO:
            souvenirs |= single(souvenir)
    return souvenirs


@outlined
def note_none_fits(state: State, rules: Rules, seat: Seat) -> None:
    """Notes that no souvenir in this hand could be laid; everyone knows it from now on."""
    fits = _fitting(state, rules, seat)
    for souvenir in range(U8(len(state.barred))):
        if has(state.hand[seat], souvenir):
            state.barred[souvenir] |= fits


@outlined
def note_one_fits(state: State, rules: Rules, seat: Seat) -> None:
    """Notes that a souvenir in this hand could be laid; everyone knows it from now on.

    Clues that this one makes needless are dropped. If there are too many, the oldest is forgotten.
    """
    cards, fits = state.hand[seat] & ALL_SOUVENIRS, _fitting(state, rules, seat)
    if cards & fits & state.public != ZERO:
        return
    cards &= ~state.public
    _drop_settled(state, rules)
    kept = 0
    for i in range(state.clues):
        if cards & ~state.clue_cards[i] != ZERO or fits & ~state.clue_fits[i] != ZERO:
            _move_clue(state, i, kept)
            kept += 1
    if kept == MAX_CLUES:
        kept -= 1
        for i in range(kept):
            _move_clue(state, i + 1, i)
    state.clue_cards[kept], state.clue_fits[kept] = cards, fits
    state.clues = kept + 1


@kernel
def _drop_settled(state: State, rules: Rules) -> None:
    """Drops clues about cards that everyone has seen since; they say nothing more about the others."""
    hidden = ZERO
    for seat in range(rules.seats):
        hidden |= state.hand[seat]
    _drop_shown(state, state.public | ~hidden)


@outlined
def drop_shuffled(state: State, souvenirs: Any) -> None:
    """Drops clues about souvenirs that everyone saw in the discard and that go back into the pile."""
    _drop_shown(state, souvenirs)


@kernel
def _drop_shown(state: State, shown: Any) -> None:
    kept = 0
    for i in range(state.clues):
        if state.clue_cards[i] & state.clue_fits[i] & shown == ZERO:
            _move_clue(state, i, kept)
            state.clue_cards[kept] &= ~shown
            kept += 1
    state.clues = kept


@kernel
def _move_clue(state: State, i: Number, to: Any) -> None:
    state.clue_cards[to], state.clue_fits[to] = state.clue_cards[i], state.clue_fits[i]


@kernel
def clues_about(state: State, souvenir: Card) -> Any:
    """The clues whose cards include a souvenir, as a set."""
    clues = ZERO
    for i in range(U8(state.clues)):
        if has(state.clue_cards[i], souvenir):
            clues |= single(i)
    return clues
