"""SEA CHANGE: how positions are written and read as text. docs/reference/positions.md explains the lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile, lay_pile
from houle.solver.compiler.types import State
from houle.solver.games.sea_change.rules import AI, COLOURS, MAX_CARDS, MAX_VALUES, NO_COLOUR, NO_VALUE
from houle.solver.games.sea_change.words import card_name
from houle.solver.interface.seen import SIDES
from houle.solver.matches.known import Known
from houle.solver.matches.record.known_lines import title
from houle.solver.matches.record.line_parser import UNKNOWN, Lines, Places
from houle.solver.matches.record.named_cards import PositionCards
from houle.solver.rules import Setup


def name_of_card(setup: Setup, card: int) -> str:
    return card_name(card)


def _not_of_colour(known: Known, seat: int) -> Places:
    """Two players: how many cards of a hand are not of a colour."""
    barred = enumerate(known["not of colour", seat])
    return {f"seat {seat + 1} not {COLOURS[colour]}": [str(number)] for colour, number in barred if number}


LINES = {"not of colour": _not_of_colour}


def read(lines: Lines, setup: Setup, state: State, seat: int) -> tuple[Callable[[State, Random], None], Places] | None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily.

    Captured cards that the seat does not remember lie in the pile; what is returned puts them where they belong.
    """
    rules = setup.rules[0]
    cards = PositionCards(lines, setup, state, seat, deck=rules.deck[: int(rules.deck_size)].tolist())
    forgotten = _read_captured(cards)
    _read_trick(cards)
    own = cards.named(f"seat {seat + 1} hand")
    for card in own:
        _hold(state, seat, card)
    _check_round(cards, len(own))
    _read_clues(lines, setup, state)
    for holder in range(setup.players):
        if holder != seat:
            cards.hand(hand := f"seat {holder + 1} hand")
            played = (holder - int(state.leader)) % setup.players < int(state.laid)
            drawn = min(int(rules.hand), len(cards.left()) - sum(forgotten))
            for _ in range(drawn if rules.stock else int(state.tricks_left) - played):
                cards.hide(hand, partial(_hold, state, holder))
    left = cards.fill()
    lines.rest("pile", MAX_CARDS, len(left) - sum(forgotten), int(rules.deck_size))
    lay_pile(state, left)
    if not any(forgotten):
        return None

    def place(state: State, random: Random) -> None:
        pile = cards_in_pile(state)
        random.shuffle(pile)
        for side, number in enumerate(forgotten):
            _capture(state, setup, side, [pile.pop() for _ in range(number)])
        lay_pile(state, pile)

    places = [_captured(setup, side) for side, number in enumerate(forgotten) if number]
    return place, {place: lines.words(place) or [] for place in places}


def _captured(setup: Setup, side: int) -> str:
    return title(setup, SIDES, side, "captured")


def _hold(state: State, holder: int, card: int) -> None:
    state.hand[holder, card >> 6] |= 1 << (card & 63)


def _capture(state: State, setup: Setup, side: int, cards: list[int]) -> None:
    for card in cards:
        state.captured[side, card >> 6] |= 1 << (card & 63)
        state.points[side] += setup.rules[0].points[card % MAX_VALUES]


def _read_captured(cards: PositionCards) -> list[int]:
    """Reads the captured cards; returns how many cards of each side the seat does not remember."""
    lines, setup, state, rules = cards.lines, cards.setup, cards.state, cards.rules
    total, forgotten = 0, []
    for side in range(int(rules.sides)):
        place = _captured(setup, side)
        words = lines.cards(place, cards.names) or []
        total += len(words)
        forgotten.append(words.count(UNKNOWN))
        _capture(state, setup, side, [cards.put(card, place) for card in words if card != UNKNOWN])
        if len(words) % int(rules.in_trick):
            raise lines.fault(
                place, f"{len(words)} cards; allowed: whole tricks of {int(rules.in_trick)} cards, ? for forgotten"
            )
    done = total // int(rules.in_trick)
    if done >= int(rules.tricks):
        most = int(rules.tricks) - 1
        problem = f"{total} cards are captured; allowed: at most {most} tricks of {int(rules.in_trick)} cards"
        raise lines.fault(_captured(setup, 0), problem)
    state.tricks_left = int(rules.tricks) - done
    return forgotten


def _read_trick(deck: PositionCards) -> None:
    lines, state, rules, cards = deck.lines, deck.state, deck.rules, deck.named("trick")
    most = int(rules.in_trick) - 1
    if len(cards) > most or (rules.solo and len(cards) != 1):
        allowed = "one card, the AI's" if rules.solo else f"at most {most} cards before the last"
        raise lines.fault("trick", f"{len(cards)} cards; allowed: {allowed}")
    state.leader = AI if rules.solo else (deck.seat - len(cards)) % deck.setup.players
    state.laid = len(cards)
    state.trick[: len(cards)] = cards
    state.led = cards[0] // MAX_VALUES if cards else NO_COLOUR
    state.value = cards[-1] % MAX_VALUES if cards else NO_VALUE
    trump = lines.word("trump", (*COLOURS[: int(rules.colours)], ""), "")
    state.trump = COLOURS.index(trump) if trump else NO_COLOUR
    begun = cards or int(state.tricks_left) < int(rules.tricks)
    if bool(begun) != bool(trump):
        first = "the first card of a round makes its colour the trump"
        raise lines.fault("trump", first if begun else "no card has been played yet")
    for one, other in pairwise(cards):
        if one % MAX_VALUES == other % MAX_VALUES and not int(state.changes):
            problem = f"{card_name(other)} on {card_name(one)} is a sea change, so there was at least one"
            raise lines.fault("sea changes", problem)
    changed = [b // MAX_VALUES for a, b in pairwise(cards) if a % MAX_VALUES == b % MAX_VALUES]
    if changed and COLOURS[changed[-1]] != trump:
        raise lines.fault("trump", f"the last sea change of the trick made {COLOURS[changed[-1]]} the trump")


def _check_round(cards: PositionCards, own: int) -> None:
    """Checks how many cards the player's own hand must have, from the tricks that were played."""
    rules, place, to_come = cards.rules, f"seat {cards.seat + 1} hand", int(cards.state.tricks_left)
    most = min(int(rules.hand), to_come)
    if rules.stock and not 0 < own <= most:
        raise cards.fault(place, f"{own} cards; allowed: 1 to {most}")
    if not rules.stock and own != to_come:
        done = int(rules.tricks) - to_come
        write = f"; write what each side captured, as `{3 * (to_come - own) if own else 3} ?`"
        raise cards.fault(place, f"{own} cards; after {done} tricks it has {to_come}{write if own < to_come else ''}")


def _read_clues(lines: Lines, setup: Setup, state: State) -> None:
    """Reads colours that seats could not follow, and with two players how many cards are not of a colour."""
    rules = setup.rules[0]
    colours = COLOURS[: int(rules.colours)]
    for holder in range(setup.players):
        place = f"seat {holder + 1} void"
        for word in lines.choices(place, colours):
            colour = colours.index(word)
            state.void[holder] |= 1 << colour
            held = [card for card in members(state.hand[holder]) if card // MAX_VALUES == colour]
            if held:
                raise lines.fault(place, f"the hand holds {card_name(held[0])}, so it is not void in {word}")
        for colour in range(len(colours) if rules.stock else 0):
            state.barred[holder, colour] = lines.number(
                f"seat {holder + 1} not {colours[colour]}", 0, int(rules.hand), 0
            )
