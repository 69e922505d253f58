"""LAND UNTER's rules of thumb in hand-made positions."""

from __future__ import annotations

from typing import Any

import pytest

from houle.solver.games.land_unter.thumbs import UNIT
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.land_unter.scene import bits
from tests.support.scenes import act, column

pytestmark = pytest.mark.quick


def scene(hands: list[tuple[int, ...]], levels: list[int], water: tuple[int, int], **settings: Any) -> Match:
    """A trick of a game in which all packs were seen before, so everyone knows all hands and chances are exact."""
    game = Match(make_setup("land-unter", len(hands), (), {"hand": len(hands[0]), **settings}), 1)
    state = game.state
    for seat, hand in enumerate(hands):
        state.hand[seat] = state.pack[seat] = state.seen[seat] = bits(*hand)
    state.level[: len(levels)] = levels
    state.belts[: len(levels)] = 2
    state.water = water
    return game


# Three players: 30 is the highest card, 15 beats one card of each other player, 5 is the lowest.
HANDS = [(5, 15, 30), (10, 20, 21), (11, 22, 23)]


def test_chances_follow_from_the_others_cards() -> None:
    game = scene(HANDS, [0, 0, 0], (3, 7))
    assert column(game, "first") == [0, UNIT // 9, UNIT]
    assert column(game, "second") == [0, 4 * UNIT // 9, 0]


def test_unknown_cards_count_as_any_unseen_card() -> None:
    game = scene([(5, 15, 30), (10, 20, 21), (11, 22, 23)], [0, 0, 0], (3, 7), **{"deck.weather": 31})
    game.state.seen[:3] = 0
    share = sum(card < 15 for card in range(1, 32) if card not in HANDS[0]) / 28
    assert column(game, "first")[1] == int(share * share * UNIT)


def test_second_place_costs_unless_a_rival_is_higher() -> None:
    assert column(scene(HANDS, [0, 0, 0], (3, 7)), "loss") == [0, 4 * UNIT // 9, 0]
    # One rival is higher, and may be the one who takes the lower water.
    assert column(scene(HANDS, [0, 9, 0], (3, 7)), "loss") == [0, 2 * UNIT // 9, 0]
    assert column(scene(HANDS, [0, 9, 8], (3, 7)), "loss") == [0, 0, 0]
    assert column(scene(HANDS, [0, 9, 8], (3, 7)), "sheltered") == [0, 2 * (4 * UNIT // 9), 0]


def test_high_water_costs_unless_replaced() -> None:
    assert column(scene(HANDS, [9, 0, 0], (3, 7)), "loss")[::2] == [UNIT, 0]
    # With three players the two others take the water, so what they had before is no shield.
    assert column(scene(HANDS, [9, 12, 11], (3, 7)), "loss")[0] == UNIT
    assert column(scene(HANDS, [9, 12, 0], (3, 12)), "loss")[0] == 0


def test_eliminated_player_is_no_shield_in_a_cascade() -> None:
    hands = [(1, 2), (10, 20), (11, 21), (12, 22)]
    for cascade, loss in ((True, UNIT), (False, 2 * UNIT // 3)):
        game = scene(hands, [9, 12, 0, 0], (3, 7), elimination_cascade=cascade)
        game.state.belts[1] = 0
        assert column(game, "loss") == pytest.approx([loss] * 2, abs=1)


def test_cards_laid_face_up_are_certain() -> None:
    game = scene(HANDS, [0, 0, 0], (3, 7), play="open")
    game.state.leader = game.state.mover = 1
    act(game, "play 10", "play 22")
    assert game.to_move() == 0
    assert column(game, "first") == [0, 0, UNIT]
    assert column(game, "second") == [0, UNIT, 0]


def test_cards_committed_in_secret_are_not_seen() -> None:
    ratings = []
    for choice in range(3):
        game = scene(HANDS, [0, 3, 0], (3, 7))
        game.apply(game.moves()[choice])
        ratings.append(game.features().tolist())
    assert ratings[0] == ratings[1] == ratings[2]


def test_choice_of_water_is_rated_exactly() -> None:
    game = scene([(5, 15, 30), (10, 20, 21), (11, 22, 23)], [9, 8, 0], (7, 3), winner_takes="choice")
    act(game, "play 30", "play 10", "play 22")
    assert game.names() == ["take 7", "take 3"]
    assert column(game, "loss") == [0, 0]
    assert column(game, "above") == [UNIT, 2 * UNIT]
    assert column(game, "level") == [7 * 16, 3 * 16]
    assert column(game, "lowest") == [0, UNIT]
    game.state.level[1] = 6
    assert column(game, "loss") == [UNIT, 0]
