"""VAGUE & ATTAQUE, teams: gold cards used for the partner, and what the questions about them show the others.

Seats 0 and 2 play against 1 and 3. Souvenirs 0 and 1 (with an anchor) belong to place 0, souvenir 22 fits it too; the
opponents have the ship.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from scipy.stats import chisquare

from houle.solver.games.vague_attaque.state import MAX_CLUES, PHASES
from houle.solver.games.vague_attaque.thumbs import FEATURES
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.vague_attaque.scene import act, encounter, outcomes, place, scene
from tests.support.amounts import some

pytestmark = pytest.mark.quick

P0, P1, P4 = place(0), place(1), place(4)
STEADY, PARRY, MOORING = encounter("steady_hand"), encounter("parry"), encounter("extra_mooring")
FIT_P0 = {0, 1} | {22 + j for j in range(19) if 0 in (j % 11, (j + 3) % 11, (j + 7) % 11)}


def team(partner_gold: str = "any", **rest: object) -> Match:
    settings = {"partner_gold": partner_gold}
    return scene(4, variants=("teams",), settings=settings, ship=(1, []), **rest)  # type: ignore[arg-type]


def asked(match: Match) -> tuple[str, int]:
    return PHASES[match.state.phase], match.to_move()


def thrown(match: Match) -> list[int]:
    return list(match.snapshot()["discards"]["encounters"])


# The steady hand.


def duel(hands: dict[int, list[int]], partner_gold: str = "any") -> Match:
    match = team(partner_gold, phase="encounter", zones={1: {P0: [0]}}, hands=hands)
    act(match, "duel souvenir 0")
    return match


def test_partner_adds_a_steady_hand() -> None:
    match = duel({0: [9], 1: [PARRY], 2: [STEADY]})
    assert asked(match) == ("steady", 2)
    assert match.names() == ["steady no", "steady yes"]
    act(match, "steady yes")
    assert (asked(match), int(match.state.bonus), thrown(match)) == (("parry", 1), 1, [STEADY])


def test_the_partner_is_asked_once_the_attacker_declines() -> None:
    match = duel({0: [9, STEADY], 1: [PARRY], 2: [STEADY + 1], 3: [PARRY + 1]})
    assert asked(match) == ("steady", 0)
    act(match, "steady no")
    assert asked(match) == ("steady", 2)
    act(match, "steady no")
    assert (asked(match), int(match.state.bonus)) == (("parry", 1), 0)
    act(match, "parry no")
    assert asked(match) == ("parry", 3)


def test_one_steady_hand_a_duel() -> None:
    match = duel({0: [9, STEADY], 1: [PARRY], 2: [STEADY + 1]})
    act(match, "steady yes")
    assert (asked(match), int(match.state.bonus), thrown(match)) == (("parry", 1), 1, [STEADY])


def test_help_is_for_partners_and_depends_on_knob() -> None:
    assert asked(duel({0: [9], 1: [STEADY, PARRY], 3: [STEADY + 1]})) == ("parry", 1)
    assert asked(duel({0: [9], 2: [STEADY], 3: [PARRY]}, "parry")) == ("parry", 3)
    own = duel({0: [9, STEADY], 2: [STEADY + 1], 3: [PARRY]}, "parry")
    act(own, "steady no")
    assert asked(own) == ("parry", 3)


# The mooring.


def landing(hands: dict[int, list[int]], partner_gold: str = "any", **rest: object) -> Match:
    """Seat 0 has laid souvenir 0 on place 0a."""
    match = team(partner_gold, phase="land", zones={0: {P0: []}}, hands=hands, **rest)
    act(match, "lay souvenir 0 on place 0a")
    return match


def test_partner_lends_a_mooring_before_phase_three() -> None:
    match = landing({0: [0, 22, P4], 2: [MOORING]})
    assert asked(match) == ("mooring", 2)
    assert match.names() == ["mooring no", "mooring yes"]
    act(match, "mooring yes")
    assert (asked(match), thrown(match)) == (("land", 0), [MOORING])
    assert sorted(match.names()) == ["lay place 4a", "lay souvenir 22 on place 0a", "stop"]
    act(match, "lay souvenir 22 on place 0a")
    assert match.snapshot()["placed"] == [False, 2]


def test_unused_loan_is_spent() -> None:
    match = landing({0: [0, 22], 2: [MOORING, MOORING + 1]})
    act(match, "mooring yes", "stop")
    assert (asked(match), thrown(match)) == (("explore", 1), [MOORING])


def test_partner_is_asked_again_after_a_loan() -> None:
    match = landing({0: [0, 22, 1], 2: [MOORING, MOORING + 1]})
    act(match, "mooring yes", "lay souvenir 22 on place 0a")
    assert asked(match) == ("mooring", 2)
    act(match, "mooring yes", "lay souvenir 1 on place 0a")
    assert thrown(match) == [MOORING, MOORING + 1]


def test_refusal_ends_the_questions_of_a_phase() -> None:
    match = landing({0: [0, 22, P4], 2: [MOORING]})
    act(match, "mooring no")
    assert sorted(match.names()) == ["lay place 4a", "stop"]
    act(match, "lay place 4a")
    assert asked(match) == ("explore", 1)


def test_partner_is_asked_once_a_souvenir_fits() -> None:
    match = landing({0: [0, 2, P1], 2: [MOORING]})
    assert asked(match) == ("land", 0), "souvenir 2 fits nowhere yet"
    act(match, "lay place 1a")
    assert asked(match) == ("mooring", 2)


def test_own_moorings_come_first() -> None:
    match = landing({0: [0, 22, 1, MOORING], 2: [MOORING + 1]})
    assert asked(match) == ("land", 0)
    act(match, "lay souvenir 22 on place 0a")
    assert (asked(match), thrown(match)) == (("mooring", 2), [MOORING])


def test_the_compass_is_used_up_first() -> None:
    match = landing({0: [0, 22, 1], 2: [MOORING]}, powers={0: "compass"})
    assert asked(match) == ("land", 0)
    act(match, "lay souvenir 22 on place 0a")
    assert asked(match) == ("mooring", 2)


def test_no_question_without_mooring_placement_or_rule() -> None:
    assert asked(landing({0: [0, 22, P4], 1: [MOORING]})) == ("land", 0)
    assert asked(landing({0: [0, 9, P4], 2: [MOORING]})) == ("land", 0)
    assert asked(landing({0: [0, 22, P4], 2: [MOORING]}, "parry")) == ("land", 0)


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
    seen = others_hand(match, 2, 2_000)
    assert set(seen) == {1 << a | 1 << b for a, b in combinations(unseen, 2) if {a, b} & FIT_P0}
    assert chisquare(list(seen.values())).pvalue > 1e-4


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
        assert set(seen) == {(1 << a, 1 << b) for a, b in permutations(unseen, 2) if {a, b} & FIT_P0}
        assert chisquare(list(seen.values())).pvalue > 1e-4
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


def test_gold_cards_stay_open_after_answers() -> None:
    match = landing({0: [0, 22, P4], 2: [MOORING, STEADY]})
    act(match, "mooring no")
    for seat in (0, 1, 3):
        assert {int(match.imagine(seat, key).state.gold[2]) for key in range(20)} == {int(match.state.gold[2])}


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


def test_loan_is_rated_by_the_stakes() -> None:
    def yes(match: Match) -> dict[str, int]:
        row = match.features()[match.names().index("mooring yes")]
        return {name: int(value) for (name, *_), value in zip(FEATURES, row, strict=True) if value}

    hands = {0: [0, 1, 2], 2: [MOORING]}
    assert yes(landing(hands)) == {"keep_gold": -1, "stakes": 1}
    match = team(phase="land", zones={0: {P0: [22], P1: []}}, hands=hands)
    act(match, "lay souvenir 0 on place 0a")
    assert yes(match) == {"keep_gold": -1, "stakes": 3}
    done = {2: {place(5): [10, 11, 27], place(6): [12, 13, 28]}}
    match = team(phase="land", zones={0: {P0: [22], P1: []}, **done}, hands=hands)
    act(match, "lay souvenir 0 on place 0a")
    assert yes(match) == {"keep_gold": -1, "stakes": 9}


def test_laying_with_a_loan_costs_no_gold() -> None:
    match = landing({0: [0, 1], 2: [MOORING]})
    act(match, "mooring yes")
    row = match.features()[match.names().index("lay souvenir 1 on place 0a")]
    assert row[[name for name, *_ in FEATURES].index("keep_gold")] == 0


def test_help_is_a_category() -> None:
    loan = landing({0: [0, 22], 2: [MOORING]})
    steady = duel({0: [9, STEADY], 2: [STEADY + 1]})
    parry = duel({0: [9], 1: [PARRY], 3: [PARRY + 1]})
    assert [match.categories(match.moves()[1]) for match in (loan, steady, parry)] == [["help"], [], []]
    act(steady, "steady no")
    act(parry, "parry no")
    for match in (loan, steady, parry):
        assert [match.categories(action) for action in match.moves()] == [[], ["help"]]
