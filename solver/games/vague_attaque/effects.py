"""VAGUE & ATTAQUE: what cards do: piles, encounters and anchors, exploring, duels, and laying."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, TWO, U8, ZERO, count, left_of, lowest, nth, single, without_lowest
from houle.solver.cards.streams import advance, at, below, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Number, Rules, Seat, State, Stream
from houle.solver.games.vague_attaque import state as game
from houle.solver.games.vague_attaque import zones
from houle.solver.games.vague_attaque.deck import ANCHORS, DIE_EFFECTS, EFFECTS, POWERS

# ---- How cards move between piles, hands and discards, and who sees them


GOLD_BASE = U8(game.FIRST_ENCOUNTER)

# Chance events of a turn: first the throws of a duel, then these.
TURN = U8(8)
PICK = U8(8)  # + seat: a card of each hand
SHIP_DIE, SHIP_DISCARDS, SHIP_SINKS = U8(16), U8(17), U8(18)
THEFT = U8(32)  # + earlier thefts in this turn


@kernel
def shuffle(cards: Any, n: Number, stream: Stream) -> Any:
    """Shuffles the first n cards in place; returns the stream after it."""
    i = U8(n)
    while i > ONE:
        stream = advance(stream)
        j = below(stream, i)
        i -= ONE
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
    return stream


@kernel
def draw(state: State, rules: Rules, pile: Any) -> Any:
    """Draws the top card of a pile; NONE if its discard is empty too."""
    left = U8(state.left[pile])
    if left == ZERO:
        left = _reshuffle(state, rules, pile)
        if left == ZERO:
            return U8(game.NONE)
    left -= ONE
    state.left[pile] = left
    return U8(state.pile[pile, left])


@outlined
def _reshuffle(state: State, rules: Rules, pile: Any) -> Any:
    """The sorted and shuffled discard becomes the pile; returns how many cards it has."""
    base = U8(game.FIRST_ENCOUNTER) if pile == game.ENCOUNTERS else ZERO
    cards = ZERO
    thrown = U8(state.thrown[pile])
    for i in range(thrown):
        cards |= single(U8(state.discard[pile, i]) - base)
    state.thrown[pile] = 0
    state.shuffles[pile] += 1
    if pile != game.ENCOUNTERS:
        state.public &= ~cards
        for seat in range(rules.seats):
            state.known[seat] &= ~cards
    if pile == game.SOUVENIRS and state.clues > 0:
        zones.drop_shuffled(state, cards)
    i = 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        state.pile[pile, i] = card + base
        if pile != game.ENCOUNTERS:
            state.batch[card] = state.shuffles[pile]
        if pile == game.SOUVENIRS:
            state.barred[card] = ZERO
        i += 1
    shuffle(state.pile[pile], thrown, derive(state.chance, (U8(state.shuffles[pile]) << TWO) + U8(pile)))
    state.left[pile] = thrown
    return thrown


@kernel
def can_draw(state: State, pile: Any) -> Any:
    return U8(state.left[pile]) + U8(state.thrown[pile]) > ZERO


@kernel
def draw_to_hand(state: State, rules: Rules, seat: Seat, pile: Any) -> None:
    """Draws a souvenir or a place."""
    card = draw(state, rules, pile)
    if card != U8(game.NONE):
        state.hand[seat] |= single(card)


@kernel
def discard(state: State, card: Card) -> None:
    pile = game.SOUVENIRS if card < U8(game.FIRST_PLACE) else game.PLACES if card < GOLD_BASE else game.ENCOUNTERS
    n = U8(state.thrown[pile])
    state.discard[pile, n] = card
    state.thrown[pile] = n + ONE


@kernel
def take_out(state: State, seat: Seat, card: Card) -> None:
    """Takes a card of any kind out of a hand."""
    if card < GOLD_BASE:
        state.hand[seat] &= ~single(card)
    else:
        state.gold[seat] &= ~single(card - GOLD_BASE)


@kernel
def put_in(state: State, seat: Seat, card: Card) -> None:
    if card < GOLD_BASE:
        state.hand[seat] |= single(card)
    else:
        state.gold[seat] |= single(card - GOLD_BASE)


@kernel
def discard_from_hand(state: State, seat: Seat, card: Card) -> None:
    take_out(state, seat, card)
    discard(state, card)


@kernel
def spend_gold(state: State, seat: Seat, cards: Any) -> None:
    """Discards the lowest of these gold cards."""
    e = lowest(cards)
    state.gold[seat] &= ~single(e)
    discard(state, e + GOLD_BASE)


@kernel
def hand_size(state: State, seat: Seat) -> Any:
    return count(state.hand[seat]) + count(state.gold[seat])


@kernel
def nth_in_hand(state: State, seat: Seat, n: Number) -> Any:
    """The n-th card of a hand, in rising order."""
    cards = state.hand[seat]
    plain = count(cards)
    return nth(cards, n) if n < plain else GOLD_BASE + nth(state.gold[seat], n - plain)


@kernel
def random_index(state: State, n: Number, what: Number) -> Any:
    """A random number below n; `what` distinguishes the chance events of one turn."""
    return below(at(state.chance, (U8(state.turns) << TURN) + U8(what)), n)


@kernel
def random_in_hand(state: State, seat: Seat, what: Number) -> Any:
    """A random card of a hand, which must not be empty."""
    return nth_in_hand(state, seat, random_index(state, hand_size(state, seat), what))


@kernel
def hand_over(state: State, giver: Any, taker: Any, card: Card) -> None:
    """Moves a card from hand to hand; both players have seen it."""
    take_out(state, giver, card)
    put_in(state, taker, card)
    if card < GOLD_BASE:
        state.known[giver] |= single(card)
        state.known[taker] |= single(card)


# ---- What the cards do: encounters, anchors, and in the solo game the ship's die
#
# Every effect returns the step that follows, or WAIT if it first asks for a decision, which then returns the step.


DRAW_SOUVENIR, DRAW_PLACE = EFFECTS.index("draw_souvenir"), EFFECTS.index("draw_place")
DISCARD_CHOICE, ALL_DISCARD_RANDOM = EFFECTS.index("discard_choice"), EFFECTS.index("all_discard_random")
ALL_DRAW_SOUVENIR, STEAL_RANDOM = EFFECTS.index("all_draw_souvenir"), EFFECTS.index("steal_random")
GIVE_LEFT, ALL_PASS_LEFT = EFFECTS.index("give_left"), EFFECTS.index("all_pass_left")
MOVE_SHIP, FIRST_GOLD = EFFECTS.index("move_ship"), EFFECTS.index("parry")
NO_ANCHOR, ANCHOR_DRAWS, ANCHOR_PLACES = 0, ANCHORS.index("draw_souvenir"), ANCHORS.index("place_souvenir")
ANCHOR_STEALS, ANCHOR_DRAWS_PLACE = ANCHORS.index("steal"), ANCHORS.index("draw_place")
DIE_DISCARDS, DIE_SINKS = DIE_EFFECTS.index("discard_random"), DIE_EFFECTS.index("discard_souvenir")
DIE_TURNS_UP, DIE_LOADS = DIE_EFFECTS.index("ship_if_symbol"), DIE_EFFECTS.index("ship_always")


@kernel
def ask(state: State, seat: Seat, phase: Any, then: Any) -> Any:
    """Opens a decision of a seat; `then` is the step that follows it."""
    state.mover = seat
    state.phase = phase
    state.then = then
    return game.WAIT


@outlined
def resolve(state: State, rules: Rules, effect: Any) -> Any:
    """Resolves a blue encounter of the active seat; returns the next step."""
    seat = U8(state.seat)
    if effect in (DRAW_SOUVENIR, DRAW_PLACE):
        draw_to_hand(state, rules, seat, game.SOUVENIRS if effect == DRAW_SOUVENIR else game.PLACES)
    elif effect == DISCARD_CHOICE:
        return ask_to_lose(state, seat)
    elif effect == STEAL_RANDOM:
        return ask_to_steal(state, rules, seat, game.TO_LAND)
    elif effect == GIVE_LEFT:
        if not rules.solo and hand_size(state, seat) > ZERO:
            return ask(state, seat, game.GIVE, game.TO_LAND)
    elif effect == MOVE_SHIP:
        zones.move_ship(state, rules)
    elif effect == ALL_PASS_LEFT:
        if not rules.solo:
            _pass_left(state, rules)
    elif effect in (ALL_DISCARD_RANDOM, ALL_DRAW_SOUVENIR):
        for _ in range(rules.seats):
            if effect == ALL_DRAW_SOUVENIR:
                draw_to_hand(state, rules, seat, game.SOUVENIRS)
            elif hand_size(state, seat) > ZERO:
                discard_from_hand(state, seat, random_in_hand(state, seat, PICK + seat))
            seat = left_of(rules, seat)
    return game.TO_LAND


@kernel
def _pass_left(state: State, rules: Rules) -> None:
    """Everyone passes a random card. All pick before anyone passes, so no card travels twice.

    The picked cards wait in a register, one byte per seat.
    """
    picked = ZERO
    seat = U8(state.seat)
    for _ in range(rules.seats):
        card = random_in_hand(state, seat, PICK + seat) if hand_size(state, seat) > ZERO else U8(game.NONE)
        picked |= card << (U8(8) * seat)
        seat = left_of(rules, seat)
    for giver in range(U8(rules.seats)):
        card = (picked >> (U8(8) * giver)) & U8(game.NONE)
        if card != U8(game.NONE):
            hand_over(state, giver, left_of(rules, giver), card)


@kernel
def ask_to_lose(state: State, seat: Seat) -> Any:
    """The seat discards a card of its choice, if it has one."""
    return ask(state, seat, game.LOSE, game.TO_LAND) if hand_size(state, seat) > ZERO else game.TO_LAND


@kernel
def victims(state: State, rules: Rules, seat: Seat) -> Any:
    """The opponents of a seat that hold cards, as a set of seats."""
    seats = ZERO
    for other in range(U8(rules.seats)):
        if rules.side[other] != rules.side[seat] and hand_size(state, other) > ZERO:
            seats |= single(other)
    return seats


@kernel
def ask_to_steal(state: State, rules: Rules, seat: Seat, then: Any) -> Any:
    return ask(state, seat, game.STEAL, then) if victims(state, rules, seat) != ZERO else then


@kernel
def steal(state: State, thief: Any, victim: Any) -> None:
    hand_over(state, victim, thief, random_in_hand(state, victim, THEFT + U8(state.thefts)))
    state.thefts += 1


@outlined
def drop_anchor(state: State, rules: Rules, seat: Seat, anchor: Any, then: Any) -> Any:
    """Applies the anchor of a souvenir for the seat that laid (or discarded) it; returns the next step."""
    if anchor == ANCHOR_STEALS:
        return ask_to_steal(state, rules, seat, then)
    if anchor == ANCHOR_PLACES:
        return _ask_for_extra(state, rules, seat, then)
    draw_to_hand(state, rules, seat, game.SOUVENIRS if anchor == ANCHOR_DRAWS else game.PLACES)
    return then


@kernel
def _ask_for_extra(state: State, rules: Rules, seat: Seat, then: Any) -> Any:
    """Asks for one more souvenir: the seat itself or, if it has none to lay, its partner."""
    if zones.count_placements(state, rules, seat) > ZERO:
        return ask(state, seat, game.EXTRA, then)
    partner = U8(rules.partner[seat])
    if partner != seat and zones.count_placements(state, rules, partner) > ZERO:
        zones.note_none_fits(state, rules, seat)
        return ask(state, partner, game.EXTRA, then)
    return then


@outlined
def ship_turn(state: State, rules: Rules) -> Any:
    """Solo: the ship throws its die."""
    effect = rules.solo_die[random_index(state, U8(len(rules.solo_die)), SHIP_DIE)]
    if effect == DIE_DISCARDS:
        if hand_size(state, ZERO) > ZERO:
            discard_from_hand(state, ZERO, random_in_hand(state, ZERO, SHIP_DISCARDS))
    elif effect == DIE_SINKS:
        souvenirs = state.exposed[0] & game.ALL_SOUVENIRS
        if souvenirs != ZERO:
            souvenir = nth(souvenirs, random_index(state, count(souvenirs), SHIP_SINKS))
            zones.lift_souvenir(state, rules, souvenir)
            discard(state, souvenir)
    elif effect in (DIE_TURNS_UP, DIE_LOADS):
        souvenir = draw(state, rules, game.SOUVENIRS)
        if souvenir != U8(game.NONE):
            if effect == DIE_LOADS or (rules.on_ship >> souvenir) & ONE != ZERO:
                return bind_for_ship(state, rules, souvenir, game.TO_NEXT)
            discard(state, souvenir)
    return game.TO_NEXT


@kernel
def bind_for_ship(state: State, rules: Rules, souvenir: Card, then: Any) -> Any:
    """Solo: a souvenir would go on the ship. Once per game the player may pay with the hand to prevent it."""
    if not state.power_used and hand_size(state, ZERO) > ZERO:
        state.drawn[0] = souvenir
        return ask(state, ZERO, game.POWER, then)
    return load_ship(state, rules, souvenir, then)


@outlined
def load_ship(state: State, rules: Rules, souvenir: Card, then: Any) -> Any:
    """Solo: puts a souvenir on the ship; too many there lose the game."""
    state.drawn[0] = game.NONE
    state.on[game.SHIP] |= single(souvenir)
    state.spot[souvenir] = game.SHIP
    if count(state.on[game.SHIP]) >= U8(rules.ship_limit):
        zones.win(state, ONE)
        return game.WAIT
    return then


@outlined
def retain(state: State, rules: Rules, kept: Any) -> None:
    """Solo: discards every card of the hand except one, in rising order, then the souvenir bound for the ship."""
    n = hand_size(state, ZERO)
    place = ZERO
    for _ in range(n):
        card = nth_in_hand(state, ZERO, place)
        if card == kept:
            place += ONE
        else:
            discard_from_hand(state, ZERO, card)
    discard(state, U8(state.drawn[0]))
    state.drawn[0] = game.NONE


@kernel
def encounter_effect(rules: Rules, card: Card) -> Any:
    return rules.effect[card - U8(game.FIRST_ENCOUNTER)]


# ---- Phase I. A souvenir is drawn, taken from the discard, or swapped for a place


HOOK, WITH_SPYGLASS = POWERS.index("hook"), POWERS.index("spyglass")


@kernel
def may_hook(state: State) -> Any:
    return state.power[state.seat] == HOOK and state.thrown[game.SOUVENIRS] > 0


@kernel
def swappable(state: State) -> Any:
    """Souvenirs that the active seat may discard to draw a place."""
    return state.hand[state.seat] & game.ALL_SOUVENIRS if can_draw(state, game.PLACES) else ZERO


@kernel
def explore(state: State, rules: Rules, verb: Any, card: Card) -> Any:
    seat = U8(state.seat)
    if verb == game.V_DRAW:
        if rules.solo or state.power[seat] == WITH_SPYGLASS:
            return _draw_with_care(state, rules, seat)
        draw_to_hand(state, rules, seat, game.SOUVENIRS)
    elif verb == game.V_HOOK:
        top = U8(state.thrown[game.SOUVENIRS]) - ONE
        taken = single(state.discard[game.SOUVENIRS, top])
        state.thrown[game.SOUVENIRS] = top
        state.hand[seat] |= taken
        state.public |= taken
    else:
        discard_from_hand(state, seat, card)
        draw_to_hand(state, rules, seat, game.PLACES)
    return game.TO_ENCOUNTER


@outlined
def _draw_with_care(state: State, rules: Rules, seat: Seat) -> Any:
    """Spyglass: draws two and keeps one. Solo: a souvenir with the ship's symbol goes on the ship."""
    card = draw(state, rules, game.SOUVENIRS)
    if card == U8(game.NONE):
        return game.TO_ENCOUNTER
    if rules.solo:
        if (rules.on_ship >> card) & ONE != ZERO:
            return bind_for_ship(state, rules, card, game.TO_ENCOUNTER)
    else:
        other = draw(state, rules, game.SOUVENIRS)
        if other != U8(game.NONE):
            state.drawn[0] = card
            state.drawn[1] = other
            return ask(state, seat, game.SPYGLASS, game.TO_ENCOUNTER)
    state.hand[seat] |= single(card)
    return game.TO_ENCOUNTER


@kernel
def keep(state: State, seat: Seat, card: Card) -> None:
    other = state.drawn[1] if U8(state.drawn[0]) == card else state.drawn[0]
    discard(state, U8(other))
    state.hand[seat] |= single(card)
    state.drawn[0] = state.drawn[1] = game.NONE


# ---- Duels, from naming a card to its new owner


SABRE = POWERS.index("sabre")


@kernel
def name_target(state: State, rules: Rules, card: Card) -> Any:
    """The active seat names a card. It, then its partner, may add a steady hand."""
    seat = U8(state.seat)
    state.duels += 1
    state.target = card
    state.bonus = 1 if state.power[seat] == SABRE else 0
    if state.gold[seat] & rules.steady != ZERO:
        return ask(state, seat, game.STEADY, game.TO_LAND)
    return _ask_partner_for_steady(state, rules)


@kernel
def answer_steady(state: State, rules: Rules, yes: Any) -> Any:
    seat = U8(state.mover)
    if yes:
        spend_gold(state, seat, state.gold[seat] & rules.steady)
        state.bonus += 1
    elif seat == U8(state.seat):
        return _ask_partner_for_steady(state, rules)
    return face(state, rules)


@kernel
def _ask_partner_for_steady(state: State, rules: Rules) -> Any:
    """The attacker adds no steady hand, so the partner may, if the partner holds one."""
    partner = U8(rules.partner[state.seat])
    if rules.partner_gold and state.gold[partner] & rules.steady != ZERO:
        return ask(state, partner, game.STEADY, game.TO_LAND)
    return face(state, rules)


@outlined
def face(state: State, rules: Rules) -> Any:
    """The defender, then the partner, may parry; the dice are thrown if neither holds a parry."""
    defender = U8(state.owner[zones.spot_of(state, U8(state.target))])
    partner = U8(rules.partner[defender])
    if (state.gold[defender] | state.gold[partner]) & rules.parry != ZERO:
        return ask(state, defender if state.gold[defender] & rules.parry != ZERO else partner, game.PARRY, game.TO_LAND)
    return _throw(state, rules)


@outlined
def answer_parry(state: State, rules: Rules, yes: Any) -> Any:
    seat = U8(state.mover)
    if yes:
        spend_gold(state, seat, state.gold[seat] & rules.parry)
        return game.TO_LAND
    partner = U8(rules.partner[seat])
    asked_first = seat == U8(state.owner[zones.spot_of(state, U8(state.target))])
    if asked_first and partner != seat and state.gold[partner] & rules.parry != ZERO:
        return ask(state, partner, game.PARRY, game.TO_LAND)
    return _throw(state, rules)


@outlined
def _throw(state: State, rules: Rules) -> Any:
    """One throw for a souvenir; three for a place, two of which must be won."""
    card = U8(state.target)
    souvenir = card < U8(game.FIRST_PLACE)
    bonus, faces = U8(state.bonus), U8(rules.die)
    won = lost = 0
    for throw in range(1 if souvenir else 3):
        mine = random_index(state, faces, 2 * throw) + bonus
        theirs = random_index(state, faces, 2 * throw + 1)
        won += 1 if mine > theirs else 0
        lost += 1 if mine < theirs else 0
    needed = 1 if souvenir else 2
    seat = U8(state.seat)
    if lost >= needed:
        return ask_to_lose(state, seat)
    if won >= needed:
        if souvenir:
            zones.lift_souvenir(state, rules, card)
            state.hand[seat] |= single(card)
            state.public |= single(card)
            if rules.ship_waits and zones.spot_of(state, card) == U8(game.SHIP) and count(state.on[game.SHIP]) == ONE:
                state.ship_waits = 1
        else:
            zones.take_place(state, rules, seat, zones.spot_of(state, card))
    return game.TO_LAND


# ---- Phase III. What may be laid or discarded, the partner's mooring, and laying it


@kernel
def layable_places(state: State) -> Any:
    return ZERO if state.place_laid else state.hand[state.seat] & game.ALL_PLACES


@kernel
def allowance(state: State, rules: Rules) -> Any:
    """How many souvenirs the active seat may lay in phase III without a mooring of its own."""
    return rules.allowance[state.power[state.seat]] + state.lent


@kernel
def may_load(state: State, rules: Rules) -> Any:
    """Whether a souvenir may be laid in phase III: within the allowance, or with an extra mooring."""
    return state.laid < allowance(state, rules) or state.gold[state.seat] & rules.mooring != ZERO


@kernel
def wasteable(state: State) -> Any:
    """Souvenirs that may be discarded in phase III: any, if nothing was laid."""
    return ZERO if state.place_laid or state.laid > 0 else state.hand[state.seat] & game.ALL_SOUVENIRS


@kernel
def may_land(state: State, rules: Rules) -> Any:
    """Whether there is something to do in phase III besides stopping."""
    if layable_places(state) | wasteable(state) != ZERO:
        return True
    return may_load(state, rules) and zones.count_placements(state, rules, U8(state.seat)) > ZERO


@kernel
def ask_for_mooring(state: State, rules: Rules) -> Any:
    """Teams: asks the partner to lend a mooring if needed; True if it does.

    It is needed if the active seat can go on only with a mooring, and only the partner holds one.
    """
    if not rules.partner_gold or state.refused or may_load(state, rules):
        return False
    partner = U8(rules.partner[state.seat])
    return state.gold[partner] & rules.mooring != ZERO and _ask_if_one_fits(state, rules, partner)


@outlined
def _ask_if_one_fits(state: State, rules: Rules, partner: Any) -> Any:
    seat = U8(state.seat)
    if zones.count_placements(state, rules, seat) == ZERO:
        zones.note_none_fits(state, rules, seat)
        return False
    zones.note_one_fits(state, rules, seat)
    ask(state, partner, game.MOORING, game.TO_LAND)
    return True


@kernel
def answer_mooring(state: State, rules: Rules, yes: Any) -> Any:
    if yes:
        seat = U8(state.mover)
        spend_gold(state, seat, state.gold[seat] & rules.mooring)
        state.lent += 1
    else:
        state.refused = 1
    return game.TO_LAND


@kernel
def land(state: State, rules: Rules, verb: Any, card: Card, spot: Any) -> Any:
    seat = U8(state.seat)
    if verb == game.V_STOP:
        return game.TO_TIDY
    if verb == game.V_PLACE:
        state.place_laid = 1
        zones.lay_place(state, rules, seat, card)
        return game.TO_LAND
    if verb == game.V_DISCARD:
        discard_from_hand(state, seat, card)
        anchor = rules.anchor[card]
        return game.TO_TIDY if anchor == NO_ANCHOR else drop_anchor(state, rules, seat, anchor, game.TO_TIDY)
    if state.laid < allowance(state, rules):
        state.laid += 1
    else:
        spend_gold(state, seat, state.gold[seat] & rules.mooring)
    return lay(state, rules, seat, card, spot, game.TO_LAND)


@kernel
def lay(state: State, rules: Rules, seat: Seat, card: Card, spot: Any, then: Any) -> Any:
    """Lays a souvenir; its anchor comes last, and not at all if the game is won."""
    if zones.lay_souvenir(state, rules, seat, card, spot):
        return game.WAIT
    anchor = rules.anchor[card]
    return then if anchor == NO_ANCHOR else drop_anchor(state, rules, seat, anchor, then)
