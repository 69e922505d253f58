"""SEA CHANGE's rules of thumb in hand-made positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from houle.solver.games.sea_change.rules import COLOURS, MAX_VALUES, NO_COLOUR
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.sea_change.scene import card, words
from tests.support.scenes import column

pytestmark = pytest.mark.quick

UNIT = 64  # of a chance


def scene(hands: list[list[str]], trick: tuple[str, ...] = (), trump: str = "", **settings: Any) -> Match:
    """A position in which side 1 captured every card that is in no hand, so chances are simple.

    Seat 0 decides; the cards of the trick are those of the seats before it.
    """
    setup = make_setup("sea-change", len(hands), (), settings)
    match = Match(setup, seed=1)
    state = match.state
    for seat, hand in enumerate(hands):
        state.hand[seat] = words(hand)
    out = words([name for hand in hands for name in hand] + list(trick))
    state.captured[1] = [np.uint64(setup.rules[0].of_colour[NO_COLOUR, word]) & ~out[word] for word in range(2)]
    state.trump = COLOURS.index(trump) if trump else NO_COLOUR
    state.leader = -len(trick) % len(hands)
    state.laid = len(trick)
    state.trick[: len(trick)] = [card(name) for name in trick]
    state.led, state.value = (card(trick[0]) // MAX_VALUES, card(trick[-1]) % MAX_VALUES) if trick else (NO_COLOUR, 16)
    state.mover = 0
    state.tricks_left = len(hands[0])
    state.pile_left = 0
    return match


ONE_EACH = ["yellow 5", "yellow 6"]
LONG = ["yellow 7, blue 4, blue 9", "yellow 5, blue 10", "yellow 6, yellow 8"]
PAIRS = ["yellow 7, blue 4", "violet 7, blue 10", "blue 7, yellow 8"]
PARTNERS = (["blue 4, yellow 4", "violet 5", "violet 6", "violet 7"], "violet 4, blue 12, violet 9", "blue")
EIGHTS = ["yellow 8, blue 10", "blue 7, yellow 9"]


@pytest.mark.parametrize(
    ("hands", "trick", "trump", "rule", "values"),
    [
        # The last player knows who takes the trick, and what is in it.
        (["blue 11, blue 4", *ONE_EACH], "blue 9, blue 5", "yellow", "tempo", [0, UNIT]),
        (["blue 11, blue 4", *ONE_EACH], "blue 9, blue 5", "yellow", "take", [0, 3 * UNIT]),
        (["blue 11, blue 4", *ONE_EACH], "blue 9, blue 5", "yellow", "give", [2 * UNIT, 0]),
        (["blue 11, blue 4", *ONE_EACH], "blue 9, blue 5", "yellow", "duck", [0, 0]),
        # Eights cost the player who takes them.
        (["blue 11, blue 4", *ONE_EACH], "blue 9, yellow 8", "violet", "duck", [0, -UNIT]),
        (["blue 11, blue 4", *ONE_EACH], "blue 9, yellow 8", "violet", "give", [-2 * UNIT, 0]),
        (["violet 8, violet 12", *ONE_EACH], "blue 9, blue 10", "yellow", "give", [-UNIT, 4 * UNIT]),
        # The zero of the trump counts.
        (["blue 4, blue 12", *ONE_EACH], "blue 0, blue 7", "blue", "take", [0, 6 * UNIT]),
        (["blue 4, blue 12", *ONE_EACH], "blue 0, blue 7", "yellow", "take", [0, UNIT]),
        # A sea change wins the trick, and the first lead sets the trump.
        (["violet 7, blue 4, violet 9", *ONE_EACH], "blue 12, blue 7", "yellow", "tempo", [0, UNIT]),
        (["violet 7, blue 4, violet 9", *ONE_EACH], "blue 12, blue 7", "yellow", "new_trump", [0, 1]),
        (["yellow 7, blue 4, blue 9", *ONE_EACH], "", "", "new_trump", [0, 1, 1]),
        # Cards worth keeping.
        (LONG, "", "violet", "high", [2, 0, 0]),
        (LONG, "", "violet", "low", [1, 1, 1]),
        (LONG, "", "violet", "short", [1, 0, 0]),
        (LONG, "", "violet", "long", [1, 2, 2]),
        # Values that may be matched, and eights that are still out.
        (PAIRS, "", "violet", "match", [2, 0]),
        (PAIRS, "yellow 5, yellow 6", "violet", "match", [0]),
        (["yellow 12, blue 12", *EIGHTS], "", "yellow", "eight_out", [UNIT, 0]),
        (["yellow 12, yellow 4, blue 12", *EIGHTS], "", "violet", "liable", [0, 1, 0]),
        (*PARTNERS, "tempo", [0, 0]),
        # Nobody has a blue card, so all may trump the blue 12.
        (["blue 12", "yellow 5, violet 4", "yellow 6, violet 5"], "", "yellow", "tempo", [int(0.5 * 0.5 * UNIT)]),
    ],
)
def test_what_a_rule_of_thumb_says(hands: list[str], trick: str, trump: str, rule: str, values: list[int]) -> None:
    """Moves are listed by colour and value."""
    laid = tuple(trick.split(", ")) if trick else ()
    assert column(scene([hand.split(", ") for hand in hands], laid, trump), rule) == values


def test_chances_count_unseen_higher_cards() -> None:
    """One rival follows with one of two yellow cards that are out; the other one is in the third hand."""
    match = scene([["yellow 7", "yellow 12", "yellow 4"], ["yellow 5"], ["yellow 9"]], ("yellow 6",), "yellow")
    match.state.void[1] = 0
    void = (1 - 1 / 2) ** 2
    assert column(match, "tempo") == [0, int((1 - (1 - void) / 2) * UNIT), UNIT]


def test_captured_zeros_make_their_colour_a_better_trump() -> None:
    match = scene([["violet 7", "blue 4"], *([name] for name in ONE_EACH)], ("blue 12", "blue 7"), "yellow")
    assert column(match, "zero_swing") == [0, 0]  # side 1 has captured all zeros
    zero = np.uint64(1 << card("violet 0"))
    match.state.captured[1, 0] &= ~zero
    match.state.captured[0, 0] |= zero
    assert column(match, "zero_swing") == [0, 10]
