"""Gold cards that help the partner (2 v 2), in hand-made positions of the plain reference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from houle.solver.rules import make_setup
from tests.cases.vague_attaque import number_of_cards, reference_knobs
from tests.reference.vague_attaque import Game
from tests.reference.vague_attaque_board import FIRST_ARTEFACT

pytestmark = pytest.mark.quick

PARRY, STEADY, MOORING = 86, 89, 92  # the first of each gold card in the default deck
PLACE, SECOND_PLACE, THIRD_PLACE = 41, 43, 45  # souvenirs 0, 22 fit the first; 2, 23 the second; 4 the third


class Fate:
    """Random numbers of every kind, from one function."""

    def __init__(self, draw: Callable[[int], int]) -> None:
        self.draw = draw

    def __call__(self, n: int, moment: int = 0) -> int:
        return self.draw(n)

    def start_round(self, number: int) -> None:
        """It makes no difference."""

    def apart(self, n: int, number: int) -> int:
        return self.draw(n)

    def line(self, number: int) -> Callable[[int], int]:
        return self.draw


def new_game(luck: Callable[[int], int], **changed: str) -> Game:
    setup = make_setup("vague-attaque", 4, ["teams"])
    return Game(4, {**reference_knobs(setup), "partner_gold": "any", **changed}, Fate(luck), Fate(luck))


def scene(hands: dict[int, list[int]], zones: dict[int, list[int]], **changed: str) -> Game:
    """Seat 0 to play phase II: nobody has an artefact, no deck holds a card, every die shows 1."""
    game = new_game(lambda n: 0, **changed)
    game.hands = [list(hands.get(seat, [])) for seat in range(4)]
    game.owner |= {place: seat for seat, places in zones.items() for place in places}
    game.on |= {place: [] for places in zones.values() for place in places}
    game.artefact = [-1] * 4
    for deck in game.decks.values():
        deck.clear()
    game.apply("draw")
    return game


def duel(hands: dict[int, list[int]], **changed: str) -> Game:
    """Seat 0 has named a bare place of seat 1: won with a steady hand, else a tie."""
    game = scene(hands, {1: [PLACE]}, **changed)
    game.apply("duel place 0a")
    return game


def landing(hands: dict[int, list[int]], **changed: str) -> Game:
    """Seat 0 in phase III, with two bare places in its zone."""
    game = scene(hands, {0: [PLACE, SECOND_PLACE]}, **changed)
    game.apply("adventure")
    return game


def asked(game: Game) -> tuple[int, str]:
    return game.to_move(), game.phase


NEXT_TURN = (1, "explore")


# ---- the steady hand


def test_partner_is_asked_if_attacker_has_none() -> None:
    game = duel({2: [STEADY, STEADY + 1]})
    assert asked(game) == (2, "steady")
    assert game.legal() == ["steady yes", "steady no"]
    game.apply("steady yes")
    assert asked(game) == NEXT_TURN
    assert game.hands[2] == [STEADY + 1]
    assert game.discards["encounters"] == [STEADY]
    assert game.owner[PLACE] == 0


def test_partner_is_asked_if_attacker_declines() -> None:
    game = duel({0: [STEADY], 2: [STEADY + 1]})
    assert asked(game) == (0, "steady")
    game.apply("steady no")
    assert asked(game) == (2, "steady")
    game.apply("steady no")
    assert asked(game) == NEXT_TURN
    assert game.discards["encounters"] == []
    assert game.owner[PLACE] == 1


def test_partner_is_not_asked_if_attacker_uses_one() -> None:
    game = duel({0: [STEADY], 2: [STEADY + 1]})
    game.apply("steady yes")
    assert asked(game) == NEXT_TURN
    assert game.hands[2] == [STEADY + 1]
    assert game.owner[PLACE] == 0


def test_partners_steady_hand_comes_before_the_parry() -> None:
    game = duel({1: [PARRY], 2: [STEADY], 3: [PARRY + 1]})
    game.apply("steady yes")
    assert asked(game) == (1, "parry")
    game.apply("parry no")
    assert asked(game) == (3, "parry")
    game.apply("parry yes")
    assert game.discards["encounters"] == [STEADY, PARRY + 1]
    assert game.owner[PLACE] == 1


def test_no_opponent_is_asked_for_a_steady_hand() -> None:
    assert asked(duel({1: [STEADY], 3: [STEADY + 1]})) == NEXT_TURN


# ---- the mooring


def test_lent_mooring_then_next_question() -> None:
    game = landing({0: [0, 2, 22, 23], 2: [MOORING, MOORING + 1]})
    assert asked(game) == (0, "land")
    game.apply("lay souvenir 0 on place 0a")
    assert asked(game) == (2, "mooring")
    assert game.legal() == ["mooring yes", "mooring no"]
    game.apply("mooring yes")
    assert game.discards["encounters"] == [MOORING]
    assert asked(game) == (0, "land")
    game.apply("lay souvenir 2 on place 1a")
    assert asked(game) == (2, "mooring")
    game.apply("mooring yes")
    game.apply("lay souvenir 22 on place 0a")
    # Souvenir 23 would fit, but nobody holds a third mooring.
    assert asked(game) == NEXT_TURN
    assert game.hands[0] == [23]
    assert game.discards["encounters"] == [MOORING, MOORING + 1]


def test_unused_lent_mooring_is_spent() -> None:
    game = landing({0: [0, 2], 2: [MOORING, MOORING + 1]})
    game.apply("lay souvenir 0 on place 0a")
    game.apply("mooring yes")
    game.apply("stop")
    assert asked(game) == NEXT_TURN
    assert game.hands[2] == [MOORING + 1]


def test_refusal_holds_for_the_phase() -> None:
    game = landing({0: [0, 2, 22, THIRD_PLACE], 2: [MOORING]})
    game.apply("lay souvenir 0 on place 0a")
    game.apply("mooring no")
    assert asked(game) == (0, "land")
    assert game.legal() == ["lay place 2a", "stop"]
    game.apply("lay place 2a")
    assert asked(game) == NEXT_TURN
    # In the next phase the partner is asked again.
    for _ in range(4):
        game.apply("draw")
        game.apply("adventure")
    game.apply("lay souvenir 2 on place 1a")
    assert asked(game) == (2, "mooring")


def test_no_question_without_a_legal_placement() -> None:
    game = landing({0: [0, 4, THIRD_PLACE], 2: [MOORING]})
    game.apply("lay souvenir 0 on place 0a")
    assert asked(game) == (0, "land")
    assert game.legal() == ["lay place 2a", "stop"]
    # Now souvenir 4 has its place.
    game.apply("lay place 2a")
    assert asked(game) == (2, "mooring")


def test_the_active_players_own_mooring_comes_first() -> None:
    game = landing({0: [0, 2, 22, MOORING], 2: [MOORING + 1]})
    game.apply("lay souvenir 0 on place 0a")
    assert asked(game) == (0, "land")
    game.apply("lay souvenir 2 on place 1a")
    assert game.discards["encounters"] == [MOORING]
    assert asked(game) == (2, "mooring")


def test_compass_is_used_before_a_mooring() -> None:
    game = scene({0: [0, 2, 22], 2: [MOORING]}, {0: [PLACE, SECOND_PLACE]})
    game.artefact[0] = FIRST_ARTEFACT + game.knobs["deck"]["artefacts"].index("compass")
    game.apply("adventure")
    game.apply("lay souvenir 0 on place 0a")
    assert asked(game) == (0, "land")
    game.apply("lay souvenir 2 on place 1a")
    assert asked(game) == (2, "mooring")


# ---- where only the parry helps, and where there is no partner


@pytest.mark.parametrize("changed", [{"partner_gold": "parry"}, {"teams": "none"}])
def test_neither_steady_hand_nor_mooring_is_asked_for(changed: dict[str, str]) -> None:
    assert asked(duel({2: [STEADY]}, **changed)) == NEXT_TURN
    game = landing({0: [0, 2], 2: [MOORING]}, **changed)
    game.apply("lay souvenir 0 on place 0a")
    assert asked(game) == NEXT_TURN


@pytest.mark.parametrize("partner_gold", ["any", "parry"])
def test_the_partner_is_asked_for_a_parry(partner_gold: str) -> None:
    assert asked(duel({3: [PARRY]}, partner_gold=partner_gold)) == (3, "parry")


# ---- whole games


@pytest.mark.compiled
@pytest.mark.parametrize("games", [6, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("partner_gold", ["any", "parry"])
def test_random_games_end_and_lose_no_card(partner_gold: str, games: int) -> None:
    asked_of_partner: Counter[str] = Counter()
    for seed in range(games):
        luck = random.Random(seed)
        game = new_game(luck.randrange, partner_gold=partner_gold)
        while game.legal():
            # The fifth artefact is in nobody's hands.
            assert number_of_cards(game.snapshot()) == 98
            asked_of_partner[game.phase] += game.to_move() == (game.seat + 2) % 4
            game.apply(luck.choice(game.legal()))
        assert game.result()["turns"] <= 600
    assert (asked_of_partner["steady"] > 0) == (asked_of_partner["mooring"] > 0) == (partner_gold == "any")
