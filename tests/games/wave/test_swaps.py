"""WAVE: two cards that a surfer cannot see change places, without using the game's own `determinize`.

A surfer's own back cards (silent talk) are swapped with each other, with the others' front cards, the pile and the
dummy's face-down cards. The surfer cannot tell the two positions apart, so its decisions must not differ.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import pytest

from houle.solver.cards.bits import members
from houle.solver.cards.piles import count_places
from houle.solver.compiler.types import State
from houle.solver.games.wave.rules import DUMMY, INVERT_COLOURS
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

SETUPS = (
    (3, ("nazare",), {"facedown": "free"}),
    (2, ("virage", "nazare"), {}),
    (4, ("nazare", "tide-numbers"), {}),
    (3, ("virage",), {}),
    (2, (), {}),
)


class Place(NamedTuple):
    """The place of a card that a surfer cannot see."""

    what: str  # own, front, dummy or pile
    seat: int
    slot: int  # of the hand, or the place in the pile

    def card(self, state: State) -> int:
        return int(state.pile[self.slot] if self.what == "pile" else state.held[self.seat, self.slot])


def places(match: Match, seat: int) -> list[Place]:
    """What is hidden from a silent surfer; face-down cards of the wave stay where they are."""
    state, rules = match.state, match.setup.rules[0]
    hidden = []
    for holder in range(int(rules.seats)):
        dummy = bool(rules.dummy) and holder == DUMMY
        cards = state.back[holder] if dummy or holder == seat else state.front[holder]
        what = "dummy" if dummy else "own" if holder == seat else "front"
        hidden += [Place(what, holder, int(state.slot[card])) for card in members(cards & ~state.public)]
    pile = range(int(count_places(state)))
    return hidden + [Place("pile", 0, place) for place in pile if state.pile[place] < INVERT_COLOURS]


def could_hold(match: Match, place: Place, card: int) -> bool:
    """Whether the card may be there by all that was seen so far."""
    return place.what in ("dummy", "pile") or bool(int(match.state.may[place.seat, place.slot]) >> card & 1)


def swapped(match: Match, first: Place, second: Place) -> Match:
    """The same position with the cards of two places exchanged; what may be played stays in its slots."""
    other = copy(match)
    other.states = match.states.copy()
    before, state = match.state, other.state
    cards = {first: second.card(before), second: first.card(before)}
    for place, card in cards.items():
        if place.what == "pile":
            state.pile[place.slot] = card
        else:
            state.held[place.seat, place.slot], state.slot[card] = card, place.slot
    for field in ("front", "back"):
        for holder in range(len(state.front)):
            slots = [int(before.slot[card]) for card in members(before[field][holder])]
            state[field][holder] = sum(1 << int(state.held[holder, slot]) for slot in slots)
    if state.asked:
        slots = [int(before.slot[card]) for card in members(before.playable)]
        state.playable = sum(1 << int(state.held[state.acting, slot]) for slot in slots)
    return other


def swaps(number: int, case: int, rng: random.Random) -> Iterator[tuple[Match, Match, str]]:
    """Positions of random games, each with one in which two hidden cards are swapped, and what was swapped."""
    players, variants, settings = SETUPS[case]
    setup = make_setup("wave", players, variants, {"talk": "silent", **settings})
    done = game = 0
    while done < number:
        match = Match(setup, 3, game)
        game += 1
        while (seat := match.to_move()) >= 0 and done < number:
            hidden = places(match, seat)
            own = [place for place in hidden if place.what == "own"]
            if own and len(hidden) > 1 and len(match.moves()) > 1:
                first, second = rng.choice(own), rng.choice(hidden)
                one, two = first.card(match.state), second.card(match.state)
                if first != second and could_hold(match, first, two) and could_hold(match, second, one):
                    yield match, swapped(match, first, second), second.what
                    done += 1
            match.apply(match.random_move())


def check(number: int, strategies: tuple[str, ...], case: int) -> Counter[str]:
    """Checks the decisions of each strategy in turn; returns the number of swaps by kind of place."""
    rng = random.Random(5)
    kinds: Counter[str] = Counter()
    for count, (match, other, what) in enumerate(swaps(number, case, rng)):
        seat, strategy = match.to_move(), strategies[count % len(strategies)]
        line_up = seat_strategies(match.setup, [strategy])
        assert match.knows(seat) == other.knows(seat)
        assert match.moves() == other.moves()
        luck = int(match.state.choice)
        here, there = match.decide(line_up, count), other.decide(line_up, count)
        match.state.choice = luck
        assert here == there, (SETUPS[case], strategy, match.game, match.ply, match.name(here), other.name(there))
        kinds[what] += 1
    return kinds


@pytest.mark.parametrize("case", range(len(SETUPS)))
def test_own_back_cards_change_no_decision(case: int) -> None:
    kinds = check(60, ("thumb", "flat:4", "ismcts:12"), case)
    assert min(kinds["own"], kinds["front"], kinds["pile"]) > 0
    assert (kinds["dummy"] > 0) == (SETUPS[case][0] == 2)


@pytest.mark.slow
@pytest.mark.parametrize("case", range(len(SETUPS)))
def test_own_back_cards_do_not_change_long_searches(case: int) -> None:
    check(2_000, ("flat:20", "ismcts:50"), case)


def test_open_talk_notices_the_swap() -> None:
    """With open talk a surfer sees the difference, so the swaps are real."""
    noticed = 0
    for match, other, _ in swaps(60, 0, random.Random(1)):
        for each in (match, other):
            each.setup = make_setup("wave", 3, ("nazare",), {"facedown": "free", "talk": "open"})
        noticed += match.knows(match.to_move()) != other.knows(match.to_move())
        match.setup = make_setup("wave", 3, ("nazare",), {"facedown": "free", "talk": "silent"})
    assert noticed > 40
