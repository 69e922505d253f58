"""Design: proposals reach the targets on fresh games, and a failure is reported."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.comparison.targets import INSIDE, parse_target
from houle.analysis.designing.race import Race, look_confidence
from houle.analysis.designing.space import AS_IT_IS, make_space
from houle.analysis.run import RunSpec
from houle.analysis.sampling.lineups import line_up
from houle.solver.errors import InputError

pytestmark = pytest.mark.compiled

WAVE = houle.setup("wave", players=3)
HANDS = {"hand.front": "2..5", "hand.back": "0..4"}


@pytest.fixture(scope="module")
def design() -> houle.Design:
    return houle.design(WAVE, targets="win=40%@thumb", change=HANDS, games=120_000, fresh=10_000, seed=5)


def test_the_best_proposal_reaches_the_target(design: houle.Design) -> None:
    best = design.proposals[0]
    assert design.found
    assert best.hit == INSIDE
    assert best.changes == 1
    check = houle.simulate(best.setup, strategies="thumb", games=5_000, seed=77)
    assert abs(check.sides[0].win.value - 0.4) < 0.025


def test_few_changes_come_first(design: houle.Design) -> None:
    inside = [proposal.changes for proposal in design.proposals if proposal.hit == INSIDE]
    assert inside == sorted(inside)


def test_the_same_seed_gives_the_same_design() -> None:
    run = {"change": {"hand.front": "2..4"}, "games": 10_000, "fresh": 500, "seed": 5}
    one, again = (houle.design(WAVE, targets="win=40%@thumb", threads=threads, **run) for threads in (1, 2))
    assert again.digest == one.digest
    assert again.as_json()["proposals"] == one.as_json()["proposals"]


def test_other_games_of_a_seed_give_other_numbers() -> None:
    run = {"change": {"hand.back": [2, 3]}, "games": 6_000, "fresh": 500}
    one, other = (houle.design(WAVE, targets="win=40%", first=first, **run) for first in (0, 10_000))
    assert one.proposals[0].fresh != other.proposals[0].fresh
    assert (one.digest != other.digest, other.first) == (True, 10_000)


def test_fresh_games_differ_from_choosing_games(design: houle.Design) -> None:
    best = design.proposals[0]
    assert best.fresh != best.chosen
    assert all(interval.n == 10_000 for interval in best.fresh.values())


def test_an_unreachable_target_shows_the_nearest_setting() -> None:
    result = houle.design(WAVE, targets="win=99%@thumb", change={"hand.back": [1, 2]}, games=20_000, fresh=2_000)
    assert not result.found
    assert len(result.proposals) == 1


def test_a_reached_target_needs_no_change() -> None:
    result = houle.design(WAVE, targets="win=20%..45%", change={"hand.front": [2, 3, 4]}, games=20_000, fresh=2_000)
    assert [proposal.label for proposal in result.proposals] == ["as it is"]


def test_two_targets_for_two_players() -> None:
    result = houle.design(
        WAVE, targets=["win=25%..45%@thumb", "win=0..90%@flat:2"], change={"hand.back": [1, 2, 3]}, games=30_000,
        search_games=40, fresh=3_000,
    )  # fmt: skip
    assert result.found
    assert {key[0] for key in result.proposals[0].fresh} == {"thumb", "flat:2"}


@pytest.mark.quick
def test_impossible_targets_are_refused() -> None:
    with pytest.raises(InputError, match="spread: not a measure of wave, 3 players; allowed: win"):
        houle.design(WAVE, targets="spread=3", change=HANDS)
    with pytest.raises(InputError, match="give at least one target"):
        houle.design(WAVE, targets=[], change=HANDS)


def test_certain_misses_drop_out_of_the_race() -> None:
    space = make_space(WAVE, {"hand.back": [0, 2]})
    race = Race(space, line_up(WAVE, "thumb"), [parse_target("win=30%")], RunSpec(seed=3))
    race.enter([AS_IT_IS, frozenset({(0, 1)})], 2_000)
    assert [runner.dropped for runner in race.runners.values()] == [False, True]
    race.double([AS_IT_IS])
    assert [runner.games for runner in race.runners.values()] == [4_000, 2_000]


@pytest.mark.quick
def test_all_looks_together_keep_the_confidence() -> None:
    assert sum(1 - look_confidence(look) for look in range(1, 2_000)) < 0.05


def test_repr_shows_the_best_proposal(design: houle.Design) -> None:
    best = design.proposals[0]
    assert repr(design).startswith(f"Design(wave, 3 players, win=40%@thumb: {best.label} (win ")
