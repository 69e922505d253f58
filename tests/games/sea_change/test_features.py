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


def rated(match: Match, rule: str) -> dict[str, int]:
    """What a rule of thumb says of every move, by the card's name."""
    names = [name.removeprefix("play ") for name in match.names()]
    return dict(zip(names, column(match, rule), strict=True))


def test_the_last_player_knows_who_takes_the_trick() -> None:
    match = scene([["blue 11", "blue 4"], ["yellow 5"], ["yellow 6"]], ("blue 9", "blue 5"), "yellow")
    assert rated(match, "tempo") == {"blue 4": 0, "blue 11": UNIT}
    assert rated(match, "take") == {"blue 4": 0, "blue 11": 3 * UNIT}
    assert rated(match, "give") == {"blue 4": 2 * UNIT, "blue 11": 0}
    assert set(rated(match, "duck").values()) == {0}


def test_eights_cost_the_player_who_takes_them() -> None:
    match = scene([["blue 11", "blue 4"], ["yellow 5"], ["yellow 6"]], ("blue 9", "yellow 8"), "violet")
    assert rated(match, "duck") == {"blue 4": 0, "blue 11": -UNIT}
    assert rated(match, "give") == {"blue 4": -2 * UNIT, "blue 11": 0}
    match = scene([["violet 8", "violet 12"], ["yellow 5"], ["yellow 6"]], ("blue 9", "blue 10"), "yellow")
    assert rated(match, "give") == {"violet 8": -UNIT, "violet 12": 4 * UNIT}


def test_chances_count_unseen_higher_cards() -> None:
    # One rival follows with one of two yellow cards that are out; the other one is in the third hand.
    match = scene([["yellow 7", "yellow 12", "yellow 4"], ["yellow 5"], ["yellow 9"]], ("yellow 6",), "yellow")
    match.state.void[1] = 0
    void = (1 - 1 / 2) ** 2
    assert rated(match, "tempo") == {"yellow 4": 0, "yellow 7": int((1 - (1 - void) / 2) * UNIT), "yellow 12": UNIT}


def test_a_known_void_may_trump() -> None:
    hands = [["blue 12"], ["yellow 5", "violet 4"], ["yellow 6", "violet 5"]]
    match = scene(hands, (), "yellow")
    match.state.void[:3] = [0, 0b10, 0b10]
    assert rated(match, "tempo") == {"blue 12": int(0.5 * 0.5 * UNIT)}
    match.state.void[:3] = 0
    assert rated(match, "tempo") == {"blue 12": int(0.5 * 0.5 * UNIT)}, "no blue card is out: all are void"


def test_the_zero_of_the_trump_counts() -> None:
    match = scene([["blue 4", "blue 12"], ["yellow 5"], ["yellow 6"]], ("blue 0", "blue 7"), "blue")
    assert rated(match, "take") == {"blue 4": 0, "blue 12": 6 * UNIT}
    match = scene([["blue 4", "blue 12"], ["yellow 5"], ["yellow 6"]], ("blue 0", "blue 7"), "yellow")
    assert rated(match, "take") == {"blue 4": 0, "blue 12": UNIT}


def test_sea_change_wins_the_trick() -> None:
    match = scene([["violet 7", "blue 4", "violet 9"], ["yellow 5"], ["yellow 6"]], ("blue 12", "blue 7"), "yellow")
    assert rated(match, "tempo") == {"blue 4": 0, "violet 7": UNIT}
    assert rated(match, "new_trump") == {"blue 4": 0, "violet 7": 1}


def test_captured_zeros_make_their_colour_a_better_trump() -> None:
    hands = [["violet 7", "blue 4"], ["yellow 5"], ["yellow 6"]]
    match = scene(hands, ("blue 12", "blue 7"), "yellow")  # side 1 has captured all zeros
    assert rated(match, "zero_swing") == {"blue 4": 0, "violet 7": 0}
    zero = np.uint64(1 << card("violet 0"))
    match.state.captured[1, 0] &= ~zero
    match.state.captured[0, 0] |= zero
    assert rated(match, "zero_swing") == {"blue 4": 0, "violet 7": 10}


def test_the_first_lead_sets_the_trump() -> None:
    match = scene([["yellow 7", "blue 4", "blue 9"], ["yellow 5"], ["yellow 6"]])
    assert rated(match, "new_trump") == {"yellow 7": 0, "blue 4": 1, "blue 9": 1}


def test_features_of_keeping_cards() -> None:
    match = scene([["yellow 7", "blue 4", "blue 9"], ["yellow 5", "blue 10"], ["yellow 6", "yellow 8"]], (), "violet")
    assert rated(match, "high") == {"yellow 7": 2, "blue 4": 0, "blue 9": 0}
    assert rated(match, "low") == {"yellow 7": 1, "blue 4": 1, "blue 9": 1}
    assert rated(match, "short") == {"yellow 7": 1, "blue 4": 0, "blue 9": 0}
    assert rated(match, "long") == {"yellow 7": 1, "blue 4": 2, "blue 9": 2}


def test_values_that_may_be_matched() -> None:
    hands = [["yellow 7", "blue 4"], ["violet 7", "blue 10"], ["blue 7", "yellow 8"]]
    assert rated(scene(hands, (), "violet"), "match") == {"yellow 7": 2, "blue 4": 0}
    assert rated(scene(hands, ("yellow 5", "yellow 6"), "violet"), "match") == {"yellow 7": 0}


def test_the_eight_of_the_colour_is_still_out() -> None:
    hands = [["yellow 12", "blue 12"], ["yellow 8", "blue 10"], ["blue 7", "yellow 9"]]
    assert rated(scene(hands, (), "yellow"), "eight_out") == {"yellow 12": UNIT, "blue 12": 0}


def test_partners_win_tricks_for_the_team() -> None:
    hands = [["blue 4", "yellow 4"], ["violet 5"], ["violet 6"], ["violet 7"]]
    trick = ("violet 4", "blue 12", "violet 9")
    alone = scene(hands, trick, "blue")
    assert rated(alone, "tempo") == {"blue 4": 0, "yellow 4": 0}
    team = scene(hands, trick, "blue", teams="2v2")  # seat 2 laid the blue 12
    assert rated(team, "tempo") == {"blue 4": UNIT, "yellow 4": UNIT}
    assert rated(team, "take") == {"blue 4": 3 * UNIT, "yellow 4": 3 * UNIT}


def solo(hand: list[str], led: str) -> Match:
    """The only player answers a card, nothing is captured, and yellow is trump."""
    match = Match(make_setup("sea-change", 1), seed=1)
    state = match.state
    state.hand[0] = words(hand)
    state.captured[:2] = 0
    state.trick[0], state.trump = card(led), 0
    state.led, state.value = divmod(card(led), MAX_VALUES)
    return match


def test_solo_player_must_capture_an_eight() -> None:
    match = solo(["yellow 8", "yellow 12", "blue 5"], "yellow 7")
    out = 30 - 4
    beaten_by = {"yellow 8": 3 + 2, "yellow 12": 2}  # higher yellows; cards of the same value
    chances = {name: int((1 - number / out) * UNIT) for name, number in beaten_by.items()}
    assert rated(match, "tempo") == chances
    assert rated(match, "duty") == {"yellow 8": chances["yellow 8"], "yellow 12": 0}
    match.state.captured[0] = words(["blue 8"])
    assert set(rated(match, "duty").values()) == {0}


def test_solo_card_that_beats_twice_counts_once() -> None:
    match = solo(["blue 9"], "blue 4")
    # All ten yellows, the yellow 9 among them; three higher blues; the violet 9 by a sea change.
    assert rated(match, "tempo") == {"blue 9": int((1 - (10 + 3 + 1) / 28) * UNIT)}


def test_cards_above_an_eight_that_is_still_out() -> None:
    hands = [["yellow 12", "yellow 4", "blue 12"], ["yellow 8", "blue 10"], ["blue 7", "yellow 9"]]
    assert rated(scene(hands, (), "violet"), "liable") == {"yellow 4": 0, "yellow 12": 1, "blue 12": 0}
