"""VAGUE & ATTAQUE, teams: gold cards used for the partner, and what the questions about them show the others.

Seats 0 and 2 play against 1 and 3. Souvenirs 0 and 1 (with an anchor) belong to place 0, souvenir 22 fits it too; the
opponents have the ship.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest

from houle.solver.games.vague_attaque.state import MAX_CLUES, PHASES
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.vague_attaque.scene import encounter, facts, outcomes, place, scene
from tests.support.amounts import some
from tests.support.scenes import act, assert_even

pytestmark = pytest.mark.quick

P0, P1, P4 = place(0), place(1), place(4)
STEADY, PARRY, MOORING = encounter("steady_hand"), encounter("parry"), encounter("extra_mooring")
FIT_P0 = {0, 1} | {22 + j for j in range(19) if 0 in (j % 11, (j + 3) % 11, (j + 7) % 11)}


def team(partner_gold: str = "any", **rest: Any) -> Match:
    return scene(4, variants=("teams",), settings={"partner_gold": partner_gold}, ship=(1, []), **rest)


def duel(hands: dict[int, list[int]], partner_gold: str = "any") -> Match:
    match = team(partner_gold, phase="encounter", zones={1: {P0: [0]}}, hands=hands)
    act(match, "duel souvenir 0")
    return match


def landing(hands: dict[int, list[int]], partner_gold: str = "any", **rest: Any) -> Match:
    """Seat 0 has laid souvenir 0 on place 0a."""
    match = team(partner_gold, phase="land", zones={0: {P0: []}}, hands=hands, **rest)
    act(match, "lay souvenir 0 on place 0a")
    return match


def asked(match: Match) -> tuple[str, int]:
    return facts(match)["phase"]  # type: ignore[no-any-return]


STEADY_2, PARRY_2, MOORING_2 = STEADY + 1, PARRY + 1, MOORING + 1
LOAN = {0: [0, 22, P4], 2: [MOORING]}
LOANS = {0: [0, 22, 1], 2: [MOORING, MOORING_2]}


@pytest.mark.parametrize(
    ("hands", "moves", "phase", "seat", "spent"),
    [
        ({0: [9], 1: [PARRY], 2: [STEADY]}, "", "steady", 2, []),
        ({0: [9], 1: [PARRY], 2: [STEADY]}, "steady yes", "parry", 1, [STEADY]),
        # The partner is asked once the attacker declines, and one steady hand is enough.
        ({0: [9, STEADY], 1: [PARRY], 2: [STEADY_2], 3: [PARRY_2]}, "", "steady", 0, []),
        ({0: [9, STEADY], 1: [PARRY], 2: [STEADY_2], 3: [PARRY_2]}, "steady no", "steady", 2, []),
        ({0: [9, STEADY], 1: [PARRY], 2: [STEADY_2], 3: [PARRY_2]}, "steady no; steady no", "parry", 1, []),
        ({0: [9, STEADY], 1: [PARRY], 2: [STEADY_2], 3: [PARRY_2]}, "steady no; steady no; parry no", "parry", 3, []),
        ({0: [9, STEADY], 1: [PARRY], 2: [STEADY_2]}, "steady yes", "parry", 1, [STEADY]),
        ({0: [9], 1: [STEADY, PARRY], 3: [STEADY_2]}, "", "parry", 1, []),  # opponents do not help
    ],
)
def test_partners_help_with_a_steady_hand(
    hands: dict[int, list[int]], moves: str, phase: str, seat: int, spent: list[int]
) -> None:
    match = duel(hands)
    act(match, *filter(None, moves.split("; ")))
    assert (asked(match), facts(match)["encounters"]) == ((phase, seat), spent)
    assert int(match.state.bonus) == len(spent)


@pytest.mark.parametrize(
    ("hands", "powers", "moves", "phase", "seat", "spent"),
    [
        (LOAN, {}, "", "mooring", 2, []),
        (LOAN, {}, "mooring yes", "land", 0, [MOORING]),
        (LOAN, {}, "mooring no; lay place 4a", "explore", 1, []),  # a refusal ends the questions of a phase
        # An unused loan is spent, and after a used one the partner is asked again.
        ({0: [0, 22], 2: [MOORING, MOORING_2]}, {}, "mooring yes; stop", "explore", 1, [MOORING]),
        (LOANS, {}, "mooring yes; lay souvenir 22 on place 0a", "mooring", 2, [MOORING]),
        (LOANS, {}, "mooring yes; lay souvenir 22 on place 0a; mooring yes", "land", 0, [MOORING, MOORING_2]),
        # Souvenir 2 fits nowhere before place 1 is laid; then the partner is asked.
        ({0: [0, 2, P1], 2: [MOORING]}, {}, "", "land", 0, []),
        ({0: [0, 2, P1], 2: [MOORING]}, {}, "lay place 1a", "mooring", 2, []),
        # Own moorings and the compass come first.
        ({0: [0, 22, 1, MOORING], 2: [MOORING_2]}, {}, "", "land", 0, []),
        ({0: [0, 22, 1, MOORING], 2: [MOORING_2]}, {}, "lay souvenir 22 on place 0a", "mooring", 2, [MOORING]),
        ({0: [0, 22, 1], 2: [MOORING]}, {0: "compass"}, "", "land", 0, []),
        ({0: [0, 22, 1], 2: [MOORING]}, {0: "compass"}, "lay souvenir 22 on place 0a", "mooring", 2, []),
        ({0: [0, 22, P4], 1: [MOORING]}, {}, "", "land", 0, []),  # an opponent's mooring
        ({0: [0, 9, P4], 2: [MOORING]}, {}, "", "land", 0, []),  # nothing to place
    ],
)
def test_partners_lend_a_mooring(
    hands: dict[int, list[int]], powers: dict[int, str], moves: str, phase: str, seat: int, spent: list[int]
) -> None:
    match = landing(hands, powers=powers)
    act(match, *filter(None, moves.split("; ")))
    assert (asked(match), facts(match)["encounters"]) == ((phase, seat), spent)


def test_without_teams_the_rule_means_nothing() -> None:
    def digests(players: int, variants: list[str]) -> int:
        return len(
            {make_setup("vague-attaque", players, variants, {"partner_gold": v}).digest for v in ("any", "parry")}
        )

    assert (digests(4, []), digests(3, []), digests(4, ["teams"])) == (1, 1, 2)


# What the questions show.


def others_hand(match: Match, seat: int, worlds: int) -> Counter[int]:
    """The souvenirs of seat 0 in many worlds of another seat."""
    return Counter(int(match.imagine(seat, key).state.hand[0]) & (1 << 41) - 1 for key in range(worlds))


def question(unseen: set[int]) -> Match:
    """Seat 2 is asked for a mooring; seat 0 holds souvenirs 5 and 22, and seat 2 all souvenirs except the unseen."""
    rest = [card for card in range(1, 41) if card not in unseen]
    match = landing({0: [0, 5, 22], 2: [*rest, MOORING]})
    assert asked(match) == ("mooring", 2)
    return match


@pytest.mark.compiled
@pytest.mark.parametrize("answer", [None, "mooring no", "mooring yes"])
def test_the_question_shows_that_a_souvenir_fits(answer: str | None) -> None:
    """Seven unseen souvenirs, two of them in the hand: at least one of the two is 1 or 22."""
    unseen = {1, 5, 7, 9, 11, 13, 22}
    match = question(unseen)
    if answer:
        act(match, answer)
    ways = {1 << a | 1 << b for a, b in combinations(unseen, 2) if {a, b} & FIT_P0}
    assert_even(others_hand(match, 2, 2_000), ways)


@pytest.mark.compiled
def test_a_clue_follows_its_cards() -> None:
    """Seat 1 steals one of the two cards: together the two hands hold one that fits, and seat 1 knows what it took."""
    unseen = {1, 5, 7, 9, 11, 22}
    match = question(unseen)
    act(match, "mooring no")
    match.state.seat = match.state.mover = 1
    match.state.phase = PHASES.index("steal")
    stolen = {match.snapshot()["hands"][1][0]: match for match in outcomes(match, "steal from seat 0", 20)}
    assert set(stolen) == {5, 22}
    for taken in stolen.values():
        worlds = [taken.imagine(2, key).state.hand.tolist() for key in range(2_000)]
        seen = Counter((hand[0], hand[1]) for hand in worlds)
        assert_even(seen, {(1 << a, 1 << b) for a, b in permutations(unseen, 2) if {a, b} & FIT_P0})
    assert set(others_hand(stolen[5], 1, 400)) == {1 << card for card in FIT_P0 - {0}}
    assert 1 << 9 in others_hand(stolen[22], 1, 400), "the one that fitted was taken"


@pytest.mark.compiled
def test_seen_fitting_card_settles_the_clue() -> None:
    unseen = {1, 5, 7, 9, 11, 22}
    match = question(unseen)
    act(match, "mooring yes", "lay souvenir 22 on place 0a")
    assert set(others_hand(match, 2, 300)) == {1 << card for card in unseen - {22}}


@pytest.mark.compiled
def test_no_question_shows_that_none_fits() -> None:
    match = landing({0: [0, 5, 7, P4], 2: [MOORING]})
    for seat in (1, 2, 3):
        for hand in others_hand(match, seat, 200):
            assert not any(hand >> card & 1 for card in FIT_P0)
    free = landing({0: [0, 5, 7, P4], 1: [MOORING]})
    assert any(hand >> 22 & 1 for hand in others_hand(free, 2, 200)), "nobody could have been asked"


@pytest.mark.compiled
def test_shuffled_cards_leave_the_clue() -> None:
    """Souvenir 5 is discarded and shuffled, so the card that stays in the hand is the one that fits."""
    rest = [card for card in range(1, 41) if card not in {1, 5, 7, 9, 22}]
    match = landing({0: [0, 5, 22], 1: [1, 7, 9], 2: [*rest, MOORING]})
    act(match, "mooring no")
    assert match.state.left[0] == 0
    match.state.mover, match.state.seat, match.state.phase = 0, 0, PHASES.index("lose")
    act(match, "lose souvenir 5")
    assert set(others_hand(match, 2, 100)) == {1 << 1, 1 << 22}
    match.state.mover = match.state.seat = 3
    match.state.phase = PHASES.index("explore")
    act(match, "draw")
    assert match.snapshot()["hands"][3] == [5]
    assert set(others_hand(match, 2, 100)) == {1 << 1, 1 << 22}


@pytest.mark.compiled
def test_clues_are_true_to_the_end() -> None:
    """What everyone knows of a hand is true at every ply, and there is room for it."""
    clues = 0
    for game in range(some(10)):
        match = Match(make_setup("vague-attaque", 4, ["teams"]), seed=31, game=game)
        state = match.state
        while match.to_move() >= 0:
            assert state.clues < MAX_CLUES
            for i in range(state.clues):
                assert int(state.clue_cards[i]) & int(state.clue_fits[i])
                clues += 1
            match.apply(match.random_move())
    assert clues > 0


# How the questions are rated.
