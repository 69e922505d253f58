"""VAGUE & ATTAQUE, teams: gold cards used for the partner, and what the questions about them tell the others.

Seats 0 and 2 play against 1 and 3. Souvenirs 0 and 1 (with an anchor) belong to place 0, souvenir 22 fits it too; the
ship lies with the opponents.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from scipy.stats import chisquare

from houle.solver.games.vague_attaque.features import FEATURES
from houle.solver.games.vague_attaque.state import MAX_CLUES, PHASES
from houle.solver.match import Match
from houle.solver.ruleset import make_setup
from tests.games.vague_attaque.scene import act, encounter, outcomes, place, scene

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
    table = team(partner_gold, phase="encounter", zones={1: {P0: [0]}}, hands=hands)
    act(table, "duel souvenir 0")
    return table


def test_the_partner_adds_a_steady_hand_where_the_attacker_has_none() -> None:
    table = duel({0: [9], 1: [PARRY], 2: [STEADY]})
    assert asked(table) == ("steady", 2)
    assert table.names() == ["steady no", "steady yes"]
    act(table, "steady yes")
    assert (asked(table), int(table.state.bonus), thrown(table)) == (("parry", 1), 1, [STEADY])


def test_the_partner_is_asked_once_the_attacker_declines() -> None:
    table = duel({0: [9, STEADY], 1: [PARRY], 2: [STEADY + 1], 3: [PARRY + 1]})
    assert asked(table) == ("steady", 0)
    act(table, "steady no")
    assert asked(table) == ("steady", 2)
    act(table, "steady no")
    assert (asked(table), int(table.state.bonus)) == (("parry", 1), 0)
    act(table, "parry no")
    assert asked(table) == ("parry", 3)


def test_one_steady_hand_a_duel() -> None:
    table = duel({0: [9, STEADY], 1: [PARRY], 2: [STEADY + 1]})
    act(table, "steady yes")
    assert (asked(table), int(table.state.bonus), thrown(table)) == (("parry", 1), 1, [STEADY])


def test_a_partner_helps_no_opponent_and_only_the_parry_helps_by_option() -> None:
    assert asked(duel({0: [9], 1: [STEADY, PARRY], 3: [STEADY + 1]})) == ("parry", 1)
    assert asked(duel({0: [9], 2: [STEADY], 3: [PARRY]}, "parry")) == ("parry", 3)
    own = duel({0: [9, STEADY], 2: [STEADY + 1], 3: [PARRY]}, "parry")
    act(own, "steady no")
    assert asked(own) == ("parry", 3)


# The mooring.


def landing(hands: dict[int, list[int]], partner_gold: str = "any", **rest: object) -> Match:
    """Seat 0 has laid souvenir 0 on place 0a."""
    table = team(partner_gold, phase="land", zones={0: {P0: []}}, hands=hands, **rest)
    act(table, "lay souvenir 0 on place 0a")
    return table


def test_the_partner_lends_a_mooring_before_the_list_of_phase_three() -> None:
    table = landing({0: [0, 22, P4], 2: [MOORING]})
    assert asked(table) == ("mooring", 2)
    assert table.names() == ["mooring no", "mooring yes"]
    act(table, "mooring yes")
    assert (asked(table), thrown(table)) == (("land", 0), [MOORING])
    assert sorted(table.names()) == ["lay place 4a", "lay souvenir 22 on place 0a", "stop"]
    act(table, "lay souvenir 22 on place 0a")
    assert table.snapshot()["placed"] == [False, 2]


def test_a_loan_is_gone_even_if_it_is_not_used() -> None:
    table = landing({0: [0, 22], 2: [MOORING, MOORING + 1]})
    act(table, "mooring yes", "stop")
    assert (asked(table), thrown(table)) == (("explore", 1), [MOORING])


def test_he_is_asked_again_when_the_loan_is_used_up() -> None:
    table = landing({0: [0, 22, 1], 2: [MOORING, MOORING + 1]})
    act(table, "mooring yes", "lay souvenir 22 on place 0a")
    assert asked(table) == ("mooring", 2)
    act(table, "mooring yes", "lay souvenir 1 on place 0a")
    assert thrown(table) == [MOORING, MOORING + 1]


def test_who_refuses_is_not_asked_again_in_this_phase() -> None:
    table = landing({0: [0, 22, P4], 2: [MOORING]})
    act(table, "mooring no")
    assert sorted(table.names()) == ["lay place 4a", "stop"]
    act(table, "lay place 4a")
    assert asked(table) == ("explore", 1)


def test_he_is_asked_as_soon_as_a_souvenir_fits() -> None:
    table = landing({0: [0, 2, P1], 2: [MOORING]})
    assert asked(table) == ("land", 0), "souvenir 2 fits nowhere yet"
    act(table, "lay place 1a")
    assert asked(table) == ("mooring", 2)


def test_own_moorings_come_first() -> None:
    table = landing({0: [0, 22, 1, MOORING], 2: [MOORING + 1]})
    assert asked(table) == ("land", 0)
    act(table, "lay souvenir 22 on place 0a")
    assert (asked(table), thrown(table)) == (("mooring", 2), [MOORING])


def test_the_compass_is_used_up_first() -> None:
    table = landing({0: [0, 22, 1], 2: [MOORING]}, powers={0: "compass"})
    assert asked(table) == ("land", 0)
    act(table, "lay souvenir 22 on place 0a")
    assert asked(table) == ("mooring", 2)


def test_nobody_is_asked_without_a_mooring_a_placement_or_the_rule() -> None:
    assert asked(landing({0: [0, 22, P4], 1: [MOORING]})) == ("land", 0)
    assert asked(landing({0: [0, 9, P4], 2: [MOORING]})) == ("land", 0)
    assert asked(landing({0: [0, 22, P4], 2: [MOORING]}, "parry")) == ("land", 0)


def test_without_teams_the_rule_means_nothing() -> None:
    def digests(players: int, variants: list[str]) -> int:
        return len(
            {make_setup("vague-attaque", players, variants, {"partner_gold": v}).digest for v in ("any", "parry")}
        )

    assert (digests(4, []), digests(3, []), digests(4, ["teams"])) == (1, 1, 2)


# What the questions tell.


def others_hand(match: Match, seat: int, worlds: int) -> Counter[int]:
    """The souvenirs of seat 0 in many worlds of another seat."""
    return Counter(int(match.imagine(seat, key).state.hand[0]) & (1 << 41) - 1 for key in range(worlds))


def question(unseen: set[int]) -> Match:
    """Seat 2 is asked for a mooring; seat 0 holds souvenirs 5 and 22, and seat 2 all souvenirs but the unseen."""
    rest = [card for card in range(1, 41) if card not in unseen]
    table = landing({0: [0, 5, 22], 2: [*rest, MOORING]})
    assert asked(table) == ("mooring", 2)
    return table


@pytest.mark.parametrize("answer", [None, "mooring no", "mooring yes"])
def test_the_question_shows_that_a_souvenir_fits(answer: str | None) -> None:
    """Seven souvenirs out of sight, of which two are in the hand: one of the two at least is 1 or 22."""
    unseen = {1, 5, 7, 9, 11, 13, 22}
    table = question(unseen)
    if answer:
        act(table, answer)
    seen = others_hand(table, 2, 2_000)
    assert set(seen) == {1 << a | 1 << b for a, b in combinations(unseen, 2) if {a, b} & FIT_P0}
    assert chisquare(list(seen.values())).pvalue > 1e-4


def test_a_clue_follows_its_cards() -> None:
    """Of the two cards seat 1 steals one: together the two hands hold one that fits, and seat 1 knows what it took."""
    unseen = {1, 5, 7, 9, 11, 22}
    table = question(unseen)
    act(table, "mooring no")
    table.state.seat = table.state.mover = 1
    table.state.phase = PHASES.index("steal")
    stolen = {table.snapshot()["hands"][1][0]: table for table in outcomes(table, "steal from seat 0", 20)}
    assert set(stolen) == {5, 22}
    for taken in stolen.values():
        worlds = [taken.imagine(2, key).state.hand.tolist() for key in range(2_000)]
        seen = Counter((hand[0], hand[1]) for hand in worlds)
        assert set(seen) == {(1 << a, 1 << b) for a, b in permutations(unseen, 2) if {a, b} & FIT_P0}
        assert chisquare(list(seen.values())).pvalue > 1e-4
    assert set(others_hand(stolen[5], 1, 400)) == {1 << card for card in FIT_P0 - {0}}
    assert 1 << 9 in others_hand(stolen[22], 1, 400), "the one that fitted was taken"


def test_a_card_that_was_seen_to_fit_settles_the_clue() -> None:
    unseen = {1, 5, 7, 9, 11, 22}
    table = question(unseen)
    act(table, "mooring yes", "lay souvenir 22 on place 0a")
    assert set(others_hand(table, 2, 300)) == {1 << card for card in unseen - {22}}


def test_that_he_is_not_asked_shows_that_none_fits() -> None:
    table = landing({0: [0, 5, 7, P4], 2: [MOORING]})
    for seat in (1, 2, 3):
        for hand in others_hand(table, seat, 200):
            assert not any(hand >> card & 1 for card in FIT_P0)
    free = landing({0: [0, 5, 7, P4], 1: [MOORING]})
    assert any(hand >> 22 & 1 for hand in others_hand(free, 2, 200)), "nobody could have been asked"


def test_a_shuffle_ends_what_a_clue_says_of_the_cards_in_it() -> None:
    """Souvenir 5 is discarded and shuffled: the card that stays in the hand is the one that fits."""
    rest = [card for card in range(1, 41) if card not in {1, 5, 7, 9, 22}]
    table = landing({0: [0, 5, 22], 1: [1, 7, 9], 2: [*rest, MOORING]})
    act(table, "mooring no")
    assert table.state.left[0] == 0
    table.state.mover, table.state.seat, table.state.phase = 0, 0, PHASES.index("lose")
    act(table, "lose souvenir 5")
    assert set(others_hand(table, 2, 100)) == {1 << 1, 1 << 22}
    table.state.mover = table.state.seat = 3
    table.state.phase = PHASES.index("explore")
    act(table, "draw")
    assert table.snapshot()["hands"][3] == [5]
    assert set(others_hand(table, 2, 100)) == {1 << 1, 1 << 22}


def test_gold_cards_lie_open_whatever_was_answered() -> None:
    table = landing({0: [0, 22, P4], 2: [MOORING, STEADY]})
    act(table, "mooring no")
    for seat in (0, 1, 3):
        assert {int(table.imagine(seat, key).state.gold[2]) for key in range(20)} == {int(table.state.gold[2])}


def test_clues_are_true_to_the_end() -> None:
    """What all know of a hand is so at every ply, and there is room for it."""
    clues = 0
    for game in range(10):
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


def test_a_loan_is_rated_by_what_is_at_stake() -> None:
    def yes(match: Match) -> dict[str, int]:
        row = match.features()[match.names().index("mooring yes")]
        return {name: int(value) for (name, *_), value in zip(FEATURES, row, strict=True) if value}

    hands = {0: [0, 1, 2], 2: [MOORING]}
    assert yes(landing(hands)) == {"keep_gold": -1, "stakes": 1}
    table = team(phase="land", zones={0: {P0: [22], P1: []}}, hands=hands)
    act(table, "lay souvenir 0 on place 0a")
    assert yes(table) == {"keep_gold": -1, "stakes": 3}
    done = {2: {place(5): [10, 11, 27], place(6): [12, 13, 28]}}
    table = team(phase="land", zones={0: {P0: [22], P1: []}, **done}, hands=hands)
    act(table, "lay souvenir 0 on place 0a")
    assert yes(table) == {"keep_gold": -1, "stakes": 9}


def test_what_is_laid_on_loan_costs_the_hand_no_gold() -> None:
    table = landing({0: [0, 1], 2: [MOORING]})
    act(table, "mooring yes")
    row = table.features()[table.names().index("lay souvenir 1 on place 0a")]
    assert row[[name for name, *_ in FEATURES].index("keep_gold")] == 0


def test_help_is_a_sort_of_move() -> None:
    loan = landing({0: [0, 22], 2: [MOORING]})
    steady = duel({0: [9, STEADY], 2: [STEADY + 1]})
    parry = duel({0: [9], 1: [PARRY], 3: [PARRY + 1]})
    assert [table.categories(table.moves()[1]) for table in (loan, steady, parry)] == [["help"], [], []]
    act(steady, "steady no")
    act(parry, "parry no")
    for table in (loan, steady, parry):
        assert [table.categories(action) for action in table.moves()] == [[], ["help"]]
