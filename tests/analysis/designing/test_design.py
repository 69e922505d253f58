"""Design: proposals reach the targets on fresh games, and a failure is reported."""

from __future__ import annotations

from itertools import islice

import pytest

import houle
from houle.analysis.designing.race import Race, doublings_to
from houle.analysis.designing.search import NO_OTHERS, SLOW_SETTINGS, Search
from houle.analysis.designing.space import AS_IT_IS, make_space
from houle.analysis.designing.wishes import read_wishes
from houle.analysis.measures.targets import INSIDE, parse_target
from houle.analysis.players.line_ups import line_up
from houle.analysis.result import Facts
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import Estimate
from houle.solver.errors import InputError

pytestmark = pytest.mark.compiled

WAVE = houle.setup("wave", players=3, set={"talk": "known"})
HANDS = {"hand.front": "2..5", "hand.back": "0..4"}
WITH_CARDS = {"hand.back": "1..4", "deck.missing": None}


@pytest.fixture(scope="module")
def design() -> houle.Design:
    return houle.design(WAVE, targets="win=40%@thumb", change=HANDS, games=60_000, confirm_games=20_000, seed=5)


@pytest.fixture(scope="module")
def stacked() -> houle.Design:
    """A target above what any single change reaches."""
    return houle.design(WAVE, targets="win=55..65%@thumb", change=WITH_CARDS, games=60_000, confirm_games=4_000, seed=5)


def test_the_best_proposal_reaches_the_target(design: houle.Design) -> None:
    best = design.proposals[0]
    assert design.found
    assert best.hit == INSIDE
    assert best.changes == 1
    check = houle.simulate(best.setup, strategies="thumb", games=5_000, seed=77)
    assert abs(check.sides[0].win.value - 0.4) < 0.025


def test_changes_are_stacked_if_one_is_not_enough(stacked: houle.Design) -> None:
    wish, best = stacked.wishes[0], stacked.proposals[0]
    now = stacked.played[AS_IT_IS][wish.key].value
    assert all(now + effect.value < wish.target.low for effect in stacked.effects[wish.key].values())
    assert best.hit == INSIDE
    assert best.changes >= 2
    assert houle.simulate(best.setup, strategies="thumb", games=5_000, seed=77).sides[0].win.value > 0.53


def test_single_changes_are_tried_before_giving_up() -> None:
    """The effects of single changes use up all games, so nothing was proposed."""
    found = houle.design(WAVE, targets="40%@thumb", change=HANDS, games=700, confirm_games=4_000, seed=5)
    assert found.found
    assert found.proposals[0].changes == 1


def test_nearest_is_the_nearest_of_those_tried() -> None:
    missed = houle.design(WAVE, targets="win=97..99%@thumb", change=HANDS, games=700, confirm_games=4_000, seed=5)
    wins = {
        frozenset({one}): houle.simulate(missed.space.setup(frozenset({one})), games=5_000, seed=77).sides[0].win.value
        for one in missed.effects[missed.wishes[0].key]
    }
    nearest = missed.proposals[0]
    assert not missed.found
    assert wins[nearest.setting] > max(wins.values()) - 0.03
    assert f"with {nearest.label}. A longer budget" in missed.sentence()


def test_a_longer_budget_is_advised_only_if_it_would_help() -> None:
    space = make_space(WAVE, {"hand.back": "0..8", "hand.front": "0..8", "variants": None}, ())
    wishes = read_wishes(WAVE, ["win=40%@family and win=10%@thumb"])
    search = Search(space, wishes, RunSpec(1_000), 400, 1_000)
    assert search.advice == "A longer budget may find one."
    search.nothing_left = True
    assert search.advice == "Nothing else is left to try."
    runners = search._race("family").runners
    runners |= dict.fromkeys(islice(space.settings(), SLOW_SETTINGS))
    assert len(runners) == SLOW_SETTINGS
    assert "A longer budget tries no others, because players who think or search play at most 16" in search.advice


@pytest.mark.quick
def test_no_change_is_not_nearest_by_too_few_games() -> None:
    """Wide effects may reach the target; narrow ones show that the unchanged rules are nearest."""
    space, wishes = make_space(WAVE, {"hand.back": "1..3"}, ()), tuple(read_wishes(WAVE, ["win=40%@thumb"]))
    key, facts = wishes[0].key, Facts(WAVE, (), 1, 100, 100, 1.0, "x", 0)
    played = {AS_IT_IS: {key: Estimate(0.3, 0.25, 0.35, 100, "%")}}

    def missed(half: float, measured: int, advice: str = "") -> str:
        changes = space.single_changes[:measured]
        effects = {key: {change: Estimate(0.0, -half, half, 100, "points") for change in changes}}
        return houle.Design(facts, space, wishes, (), effects, played, 3, (), False, advice=advice).sentence()

    for half, measured in ((0.2, 2), (0.001, 1)):
        assert missed(half, measured).endswith("too few games to rank; give more, for example --budget 2m.")
    assert "Nearest" in missed(0.001, 2)
    assert missed(0.2, 2, f"{NO_OTHERS}.").endswith("too few games to rank. A longer budget tries no others.")


def test_alternatives_are_of_other_kinds(stacked: houle.Design, design: houle.Design) -> None:
    for result in (stacked, design):
        kinds = [proposal.kind for proposal in result.proposals]
        assert len(kinds) == len(set(kinds))
        assert len(kinds) <= 6
        inside = [proposal.cost for proposal in result.proposals if proposal.hit == INSIDE]
        assert inside == sorted(inside)


def test_effects_agree_with_compare(design: houle.Design) -> None:
    """The same games in compare give the same effects; joint intervals are wider."""
    wish = design.wishes[0]
    effects = {design.space.words(change): one for change, one in design.effects[wish.key].items()}
    n = next(iter(effects.values())).n
    arms = houle.grid("wave", players=3, set={"talk": "known", "hand.back": [2, 3, 4]})
    rows = houle.compare(arms, strategies="thumb", games=n, seed=5, measures=["win"]).rows
    for row in (row for row in rows if row.difference is not None):
        assert row.difference.interval.value == pytest.approx(effects[row.arm.label].value)
        assert row.difference.interval.low > effects[row.arm.label].low


def test_listed_effects_come_from_fresh_games(design: houle.Design) -> None:
    wish = design.wishes[0]
    listed = dict(design.effects_on(wish))
    assert sorted(change.partition("=")[0] for change in listed) == ["hand.back", "hand.front"]  # one of each rule
    searched = {design.space.words(change): one for change, one in design.effects[wish.key].items()}
    assert all(listed[change] != searched[change] for change in listed)
    rows = design.as_json()["effects"]
    assert {row["change"] for row in rows if row["fresh"]} == set(listed)
    assert {row["intervals"] for row in rows} == {"joint"}
    assert len(rows) == len(searched)


def test_a_search_with_a_time_repeats_the_time() -> None:
    change = {"hand.front": "2..5", "hand.back": "0..4", "deck.missing": None}
    timed = houle.design(WAVE, targets="win=52..53%@thumb", change=change, budget="1s")
    assert timed.repeat().endswith("--change deck.missing --budget 1s --seed 1")
    with pytest.raises(InputError, match="budget: 'soon' is not allowed; allowed: a time, as 90s"):
        houle.design(WAVE, targets="win=40%", change=change, budget="soon")


def test_the_same_seed_gives_the_same_design() -> None:
    run = {"change": {"hand.front": "2..4"}, "games": 10_000, "confirm_games": 500, "seed": 5}
    one, again = (houle.design(WAVE, targets="win=40%@thumb", threads=threads, **run) for threads in (1, 2))
    assert again.digest == one.digest
    assert again.as_json()["proposals"] == one.as_json()["proposals"]


def test_another_seed_gives_other_numbers() -> None:
    run = {"change": {"hand.back": [2, 3]}, "games": 6_000, "confirm_games": 500}
    one, other = (houle.design(WAVE, targets="win=40%", seed=seed, **run) for seed in (1, 2))
    assert one.proposals[0].fresh != other.proposals[0].fresh
    assert one.digest != other.digest


def test_fresh_games_differ_from_choosing_games(design: houle.Design) -> None:
    best = design.proposals[0]
    assert best.fresh != best.chosen
    assert all(interval.n == 20_000 for interval in best.fresh.values())


def test_impossible_means_that_every_combination_was_counted() -> None:
    few = {"hand.back": [1, 2], "hand.front": [2, 3]}
    result = houle.design(WAVE, targets="win=99%@thumb", change=few, games=20_000, confirm_games=2_000)
    assert (result.found, result.impossible, len(result.proposals)) == (False, True, 1)
    assert result.sentence().startswith("Impossible with these changes: all 4 combinations were counted")
    wide = houle.design(WAVE, targets="win=99.9%@thumb", change=WITH_CARDS, games=8_000, confirm_games=500)
    assert (wide.found, wide.impossible) == (False, False)
    assert wide.sentence().startswith("Not found within 8,000 games")


def test_a_reached_target_needs_no_change() -> None:
    result = houle.design(
        WAVE, targets="win=10%..30%", change={"hand.front": [2, 3, 4]}, games=20_000, confirm_games=2_000
    )
    assert result.proposals[0].label == "no change"


def test_two_targets_for_two_players() -> None:
    result = houle.design(
        WAVE, targets=["win=25%..45%@thumb", "win=0..90%@flat:2"], change={"hand.back": [1, 2, 3]}, games=30_000,
        search_games=40, confirm_games=3_000,
    )  # fmt: skip
    assert result.found
    assert {key[0] for key in result.proposals[0].fresh} == {"thumb", "flat:2"}


def test_players_that_search_need_no_other_target() -> None:
    change = {"hand.back": [1, 2, 3], "hand.front": [3, 4]}
    result = houle.design(WAVE, targets="win>=60%@flat:2", change=change, games=10_000, search_games=60)
    assert result.proposals[0].changes
    assert list(result.proposals[0].fresh) == [("flat:2", "win")]


def test_quantiles_of_lengths_are_targets() -> None:
    change = {"hand.back": [1, 2, 3]}
    result = houle.design(WAVE, targets="length:p50<=30@thumb", change=change, games=10_000, confirm_games=2_000)
    best = result.proposals[0]
    assert result.found
    median = best.fresh["thumb", "length:p50"]
    assert median.low <= median.value <= 30
    assert result.sentence().startswith("50% of games of thumb players have at most ")


def test_changes_without_effect_are_left_out() -> None:
    change = {"dummy.up": None, "hand.back": [1, 2]}  # the dummy plays only with two players
    result = houle.design(WAVE, targets="win=10%", change=change, games=10_000, confirm_games=500)
    assert len(result.dead) == 15
    assert {word.partition("=")[0] for word in result.dead} == {"dummy.up"}
    assert result.space.size == 2


@pytest.mark.quick
def test_impossible_targets_are_refused() -> None:
    with pytest.raises(InputError, match=r"spread: not a measure of wave, 3 players.*; allowed: win"):
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
    """A setting of 2,000 games has six looks until 64,000, whatever their results."""
    space = make_space(WAVE, {"hand.back": [0, 2]})
    race = Race(space, line_up(WAVE, "random"), [parse_target("win=0..100")], RunSpec(seed=3), 27, most=640)
    race.enter([AS_IT_IS], 20)
    runner, looks = race.runners[AS_IT_IS], 1
    while runner.games < race.most:
        race.double([AS_IT_IS])
        looks += 1
    assert looks == 6
    assert 27 * looks * (1 - runner.confidence) == pytest.approx(0.05)
    assert [doublings_to(most, 2_000) for most in (0, 2_000, 2_001, 64_000)] == [0, 0, 1, 5]


def test_repr_shows_the_best_proposal(design: houle.Design) -> None:
    best = design.proposals[0]
    assert repr(design).startswith("Design(wave, 3 players, talk=known, win=40%@thumb: Thumb players win ")
    assert f"with {best.label}." in repr(design)
