"""WAVE: two cards that a surfer cannot see change places, by hand and without the game's own imagination.

Own back cards (silent talk) are swapped with each other, with the others' front cards, the pile and the dummy's
face-down cards; nothing that the surfer knows tells the two tables apart, so nothing that it does may differ.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import pytest

from houle.solver.bitset import members
from houle.solver.games.wave.state import DUMMY, INVERT_COLOURS
from houle.solver.match import Match
from houle.solver.piles import count_places
from houle.solver.ruleset import make_setup
from houle.solver.strategies.player import seat_strategies
from houle.solver.types import State

TABLES = (
    (3, ("nazare",), {"facedown": "free"}),
    (2, ("virage", "nazare"), {}),
    (4, ("nazare", "tide-numbers"), {}),
    (3, ("virage",), {}),
    (2, (), {}),
)


class Place(NamedTuple):
    """Where a card lies that a surfer cannot see."""

    what: str  # own, front, dummy or pile
    seat: int
    slot: int  # of the hand, or the place in the pile

    def card(self, state: State) -> int:
        return int(state.pile[self.slot] if self.what == "pile" else state.held[self.seat, self.slot])


def places(match: Match, seat: int) -> list[Place]:
    """What is hidden from a silent surfer; cards that lie face down in the wave stay where they are."""
    state, rules = match.state, match.setup.rules[0]
    found = []
    for holder in range(int(rules.seats)):
        dummy = bool(rules.dummy) and holder == DUMMY
        cards = state.back[holder] if dummy or holder == seat else state.front[holder]
        what = "dummy" if dummy else "own" if holder == seat else "front"
        found += [Place(what, holder, int(state.slot[card])) for card in members(cards & ~state.public)]
    pile = range(int(count_places(state)))
    return found + [Place("pile", 0, place) for place in pile if state.pile[place] < INVERT_COLOURS]


def could_hold(match: Match, place: Place, card: int) -> bool:
    """Whether nothing that was seen so far says that the card cannot lie there."""
    return place.what in ("dummy", "pile") or bool(int(match.state.may[place.seat, place.slot]) >> card & 1)


def swapped(match: Match, first: Place, second: Place) -> Match:
    """The same table with the cards of two places exchanged; what may be played stays in its slots."""
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
    """Tables of random games, each beside one with two hidden cards swapped, and what was swapped."""
    players, variants, settings = TABLES[case]
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
    """Swaps with decisions of each strategy in turn; returns how many there were with cards of which places."""
    rng = random.Random(5)
    kinds: Counter[str] = Counter()
    for count, (table, other, what) in enumerate(swaps(number, case, rng)):
        seat, strategy = table.to_move(), strategies[count % len(strategies)]
        line_up = seat_strategies(table.setup, [strategy])
        assert table.knows(seat) == other.knows(seat)
        assert table.moves() == other.moves()
        luck = int(table.state.choice)
        here, there = table.decide(line_up, count), other.decide(line_up, count)
        table.state.choice = luck
        assert here == there, (TABLES[case], strategy, table.game, table.ply, table.name(here), other.name(there))
        kinds[what] += 1
    return kinds


@pytest.mark.parametrize("case", range(len(TABLES)))
def test_own_back_cards_change_no_decision(case: int) -> None:
    kinds = check(150, ("thumb", "flat:4", "ismcts:12"), case)
    assert min(kinds["own"], kinds["front"], kinds["pile"]) > 0
    assert (kinds["dummy"] > 0) == (TABLES[case][0] == 2)


@pytest.mark.slow
@pytest.mark.parametrize("case", range(len(TABLES)))
def test_own_back_cards_change_no_decision_of_longer_searches(case: int) -> None:
    check(2_000, ("flat:20", "ismcts:50"), case)


def test_a_swap_is_one_that_can_be_noticed() -> None:
    """Where cards are shown the same swap is told apart: what is known of the table is no empty word."""
    told = 0
    for table, other, _ in swaps(60, 0, random.Random(1)):
        for each in (table, other):
            each.setup = make_setup("wave", 3, ("nazare",), {"facedown": "free", "talk": "open"})
        told += table.knows(table.to_move()) != other.knows(table.to_move())
        table.setup = make_setup("wave", 3, ("nazare",), {"facedown": "free", "talk": "silent"})
    assert told > 40
