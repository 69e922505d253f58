"""The designer's search: what it finds holds on fresh games, and is said where nothing is found."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.comparison.targets import INSIDE, parse_target
from houle.analysis.designing.race import Race, look_confidence
from houle.analysis.designing.space import AS_IT_IS, make_space
from houle.solver.errors import InputError

WAVE = houle.setup("wave", players=3)
HANDS = {"hand.front": "2..5", "hand.back": "0..4"}


@pytest.fixture(scope="module")
def found() -> houle.Design:
    return houle.design(WAVE, targets="win=40%@thumb", change=HANDS, games=120_000, fresh=10_000, seed=5)


def test_a_setting_is_as_wanted_on_games_that_did_not_choose_it(found: houle.Design) -> None:
    best = found.proposals[0]
    assert found.found
    assert best.hit == INSIDE
    assert best.changes == 1
    check = houle.simulate(best.table, strategies="thumb", games=20_000, seed=77)
    assert abs(check.sides[0].win.value - 0.4) < 0.025


def test_few_changes_come_first(found: houle.Design) -> None:
    inside = [proposal.changes for proposal in found.proposals if proposal.hit == INSIDE]
    assert inside == sorted(inside)


def test_the_same_seed_finds_the_same(found: houle.Design) -> None:
    again = houle.design(WAVE, targets="win=40%@thumb", change=HANDS, games=120_000, fresh=10_000, seed=5, threads=1)
    assert again.digest == found.digest
    assert again.as_json()["proposals"] == found.as_json()["proposals"]


def test_fresh_games_are_not_those_that_chose(found: houle.Design) -> None:
    best = found.proposals[0]
    assert best.fresh != best.chosen
    assert all(interval.n == 10_000 for interval in best.fresh.values())


def test_what_cannot_be_reached_is_said_with_the_nearest() -> None:
    result = houle.design(WAVE, targets="win=99%@thumb", change={"hand.back": [1, 2]}, games=20_000, fresh=2_000)
    assert not result.result
    assert len(result.proposals) == 1


def test_where_nothing_needs_to_be_changed_nothing_is() -> None:
    result = houle.design(WAVE, targets="win=20%..45%", change={"hand.front": [2, 3, 4]}, games=20_000, fresh=2_000)
    assert [proposal.label for proposal in result.proposals] == ["as it is"]


def test_two_targets_for_two_players() -> None:
    result = houle.design(
        WAVE, targets=["win=25%..45%@thumb", "win=0..90%@flat:2"], change={"hand.back": [1, 2, 3]}, games=30_000,
        search_games=40, fresh=3_000,
    )  # fmt: skip
    assert result.result
    assert {key[0] for key in result.proposals[0].fresh} == {"thumb", "flat:2"}


def test_nonsense_is_refused_before_a_game_is_played() -> None:
    with pytest.raises(InputError, match="has only"):
        houle.design(WAVE, targets="spread=3", change=HANDS)
    with pytest.raises(InputError, match="say what is wanted"):
        houle.design(WAVE, targets=[], change=HANDS)


def test_what_certainly_misses_drops_out_of_the_race() -> None:
    race = Race(make_space(WAVE, {"hand.back": [0, 2]}), "thumb", [parse_target("win=30%")], seed=3, first=0)
    race.enter([AS_IT_IS, frozenset({(0, 1)})], 2_000)
    assert [runner.dropped for runner in race.runners.values()] == [False, True]
    race.double([AS_IT_IS])
    assert [runner.games for runner in race.runners.values()] == [4_000, 2_000]


def test_the_looks_together_keep_the_promise() -> None:
    assert sum(1 - look_confidence(look) for look in range(1, 2_000)) < 0.05
