"""Design: proposals reach the targets on fresh games, and a failure is reported; what single cards do."""

from __future__ import annotations

import numpy as np
import pytest

import houle
from houle.analysis.blocks import sentence
from houle.analysis.designing.search import FINALISTS, LEAST_SLOW, SLOWER, Search, Shares
from houle.analysis.designing.space import AS_IT_IS, make_space
from houle.analysis.designing.wishes import read_wishes
from houle.analysis.measures.targets import INSIDE
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.cli.commands.design import head
from houle.solver.errors import InputError

pytestmark = pytest.mark.compiled

WAVE = houle.setup("wave", players=3, set={"talk": "known"})

HANDS = {"hand.front": "2..5", "hand.back": "0..4"}

WITH_CARDS = {"hand.back": "1..4", "deck.missing": None}


@pytest.fixture(scope="module")
def design() -> houle.Design:
    return houle.design(WAVE, targets="win=38..44%@thumb", change=HANDS, games=60_000, seed=5)


@pytest.fixture(scope="module")
def stacked() -> houle.Design:
    """A target above what any single change reaches."""
    return houle.design(WAVE, targets="win=55..65%@thumb", change=WITH_CARDS, games=60_000, seed=5)


def test_the_best_proposal_reaches_the_target(design: houle.Design) -> None:
    best = design.proposals[0]
    assert design.found
    assert best.hit == INSIDE
    check = houle.simulate(best.setup, strategies="thumb", games=10_000, seed=77)
    assert 0.37 < check.sides[0].win.value < 0.45


def test_changes_are_stacked_if_one_is_not_enough(stacked: houle.Design) -> None:
    wish, best = stacked.wishes[0], stacked.proposals[0]
    now = stacked.played[AS_IT_IS][wish.key].value
    assert all(now + effect.value < wish.target.low for effect in stacked.effects[wish.key].values())
    assert best.hit == INSIDE
    assert best.changes >= 2
    assert houle.simulate(best.setup, strategies="thumb", games=5_000, seed=77).sides[0].win.value > 0.53


def test_no_proposal_only_adds_to_a_smaller_one(stacked: houle.Design, design: houle.Design) -> None:
    for result in (stacked, design):
        settings = [proposal.setting for proposal in result.proposals]
        assert not any(one < other for i, other in enumerate(settings) for one in settings[:i])
        inside = [proposal.cost for proposal in result.proposals if proposal.hit == INSIDE]
        assert inside == sorted(inside)


@pytest.mark.quick
def test_bytes_between_fields_change_no_design() -> None:
    clean, marked = (houle.setup("vague-attaque", players=3) for _ in range(2))
    raw = np.full(clean.rules.nbytes, 0xFF, np.uint8).view(clean.rules.dtype)
    for name in raw.dtype.names or ():
        raw[name] = clean.rules[name]
    vars(marked)["rules"] = raw
    assert raw.tobytes() != clean.rules.tobytes()
    assert make_space(marked, {"target": "0..4"}).axes == make_space(clean, {"target": "0..4"}).axes
    assert "target=2" not in make_space(clean, {"target": "0..4"}).axes[0].words, "the printed target for three"


@pytest.mark.quick
def test_the_smaller_of_two_that_fit_is_proposed() -> None:
    space = make_space(WAVE, {"hand.back": [1, 2], "hand.front": [2, 3]})
    search = Search(space, read_wishes(WAVE, ["win=38..44%@thumb"]), RunSpec(20_000, 5))
    fresh = {search.wishes[0].key: Estimate(0.41, 0.40, 0.42, n=9_000, unit=PERCENT)}
    small, large = frozenset({(0, 1)}), frozenset({(0, 1), (1, 1)})
    search.confirmed = {setting: search._proposal(setting, fresh, INSIDE, {}) for setting in (large, small)}
    assert [proposal.setting for proposal in search.answer()] == [small]


def test_fresh_games_differ_from_choosing_games(design: houle.Design) -> None:
    """No game of the search is played again by the proposals."""
    space, wishes = make_space(WAVE, HANDS), read_wishes(WAVE, ["win=38..44%@thumb"])
    search = Search(space, wishes, RunSpec(20_000, 5))
    search.run()
    last = {"proposals on new deals", "the best proposal"}
    finals = [stage for stage in search.stages if stage.sample.spec.doing in last and stage.sample.games]
    before = [stage for stage in search.stages if stage.sample.spec.doing not in last and stage.sample.games]
    assert finals
    assert min(stage.sample.spec.first for stage in finals) >= max(max(stage.sample.asked) for stage in before)
    best = design.proposals[0]
    assert best.fresh != best.chosen
    assert design.games <= design.limit == 60_000


def test_open_proposals_play_on_until_they_are_decided() -> None:
    """The first fresh games of a proposal lie half a point inside the target: more games must decide."""
    change = {"hand.back": [3]}
    first = houle.design(WAVE, targets="win=34..90%@thumb", change=change, games=12_000, seed=5).proposals[0]
    (fresh,) = first.fresh.values()
    low = 100 * fresh.value - 0.5
    longer = houle.design(WAVE, targets=f"win={low:.1f}..90%@thumb", change=change, games=12_000, seed=5).proposals[0]
    assert first.setting == longer.setting
    assert [one.n > 1.5 * fresh.n for one in longer.fresh.values()] == [True]


def test_effects_agree_with_compare() -> None:
    """The same games in compare give the same effects; joint intervals are wider."""
    design = houle.design(WAVE, targets="win=90%@thumb", change={"hand.back": [3, 4]}, games=6_000, seed=5)
    effects = {design.space.words(change): one for change, one in design.effects["thumb", "win"].items()}
    n = effects["hand.back=3"].n
    arms = houle.grid("wave", players=3, set={"talk": "known", "hand.back": [2, 3, 4]})
    rows = houle.compare(arms, strategies="thumb", games=n, seed=5, measures=["win"]).rows
    compared = [row for row in rows if row.difference is not None]
    assert len(compared) == 2
    for row in compared:
        assert row.difference is not None
        assert row.difference.interval.value == pytest.approx(effects[row.arm.label].value)
        assert row.difference.interval.low > effects[row.arm.label].low


@pytest.mark.quick
def test_shares_follow_from_the_games() -> None:
    """In a pass of many games 40 changes play about 2,000 each; one of few games has fewer changes."""
    shares, few = Shares.of(150_000, 90), Shares.of(7_000, 90)
    assert shares.kept == 40 > few.kept >= FINALISTS
    assert (shares.single, few.look) == (2_000, 20)
    assert few.single >= 300


def test_a_search_ends_at_its_time_and_repeats_by_its_games() -> None:
    """A step that the clock cuts short leaves nothing behind, so as many games give the same digest."""
    asked = {"targets": "win=41..41.5%@thumb", "change": WITH_CARDS, "seed": 5}
    timed = houle.design(WAVE, **asked, budget="1s")
    assert (timed.stopped, timed.interrupted) == ("time", False)
    again = houle.design(WAVE, **asked, games=timed.games, threads=1)
    assert (again.digest, again.games, again.stopped) == (timed.digest, timed.games, "games")
    assert [one.label for one in again.proposals] == [one.label for one in timed.proposals]


@pytest.mark.parametrize("games", [1, 900, 5_000, 30_000])
def test_no_more_games_are_played_than_asked_for(games: int) -> None:
    """Two line-ups count both; with too few games nothing is proposed, and all that is was played on new deals."""
    targets = ["win=20%..50%@thumb", "win=0..95%@random"]
    result = houle.design(WAVE, targets=targets, change=WITH_CARDS, games=games)
    assert result.games <= games
    assert all(len(one.fresh) == 2 for one in result.proposals)
    assert bool(result.proposals) == (games >= 30_000) or games == 5_000
    assert result.proposals or result.sentence().startswith("Nothing is proposed: the search ended after ")


def test_a_design_needs_a_target_and_a_time() -> None:
    with pytest.raises(InputError, match="budget: 'soon' is not allowed; allowed: a time, as 90s"):
        houle.design(WAVE, targets="win=40%", change=HANDS, budget="soon")
    with pytest.raises(InputError, match="--target: give at least one target, as win=40%@family"):
        read_wishes(WAVE, ["", " and "])


def test_impossible_means_that_every_combination_was_counted() -> None:
    few = {"hand.back": [2, 6], "hand.front": [3, 6]}  # both 6 need more cards than there are
    result = houle.design(WAVE, targets="win=99%@thumb", change=few, games=20_000)
    assert (result.found, result.impossible, len(result.proposals)) == (False, True, 1)
    assert result.sentence().startswith("Impossible with these changes: all 4 combinations were counted")
    wide = houle.design(WAVE, targets="win=99.9%@thumb", change=WITH_CARDS, games=8_000)
    assert (wide.found, wide.impossible) == (False, False)
    assert wide.sentence().startswith("Not found: ")


def test_a_reached_target_needs_no_change() -> None:
    result = houle.design(WAVE, targets="win=10%..45%@thumb", change={"hand.front": [2, 3, 4]}, games=10_000)
    assert result.proposals[0].label == "no change"
    assert result.sentence().startswith("Nothing has to change: ")


def test_two_targets_for_two_players() -> None:
    result = houle.design(
        WAVE, targets=["win=20%..50%@thumb", "win=0..95%@flat:2"], change={"hand.back": [1, 2, 3]}, games=20_000
    )
    assert result.found
    fresh = result.proposals[0].fresh
    assert {key[0] for key in fresh} == {"thumb", "flat:2"}
    assert fresh["flat:2", "win"].n == max(fresh["thumb", "win"].n // SLOWER, LEAST_SLOW)


def test_players_that_search_play_no_single_changes() -> None:
    change = {"hand.back": [1, 2, 3], "hand.front": [3, 4]}
    result = houle.design(WAVE, targets="win>=60%@flat:2", change=change, games=8_000)
    assert result.proposals[0].changes
    assert list(result.proposals[0].fresh) == [("flat:2", "win")]
    assert {key[0] for key in result.effects} == {"family"}


def test_changes_without_effect_are_left_out() -> None:
    change = {"dummy.up": "1..6", "hand.back": [1, 2]}  # the dummy plays only with two players
    result = houle.design(WAVE, targets="win=10%@thumb", change=change, games=10_000)
    assert {word.partition("=")[0] for word in result.dead} == {"dummy.up"}
    assert len(result.dead) == 5
    assert [result.space.words(change) for change in result.effects["thumb", "win"]] == ["hand.back=1"]


def test_unchanged_rules_have_one_number() -> None:
    """If they are the answer they are played on new deals, and a second number beside would contradict it."""
    result = houle.design(WAVE, targets="win>=1%@thumb", change=HANDS, games=3_000, seed=2, threads=1)
    (answer, *_), (wish,) = result.proposals, result.wishes
    assert not answer.setting
    assert answer.fresh[wish.key] != result.played[AS_IT_IS][wish.key]
    assert result.now == answer.fresh
    shown = wish.sentence(WAVE, answer.fresh[wish.key])
    assert result.sentence() == f"Nothing has to change: {shown} without any change."
    assert head(result).count(f"now      {shown}") == 1
    assert shown in result.remarks()[0] or not result.remarks()


def test_an_interrupted_search_proposes_only_what_was_measured() -> None:
    """Ctrl-C before any new game: nothing is proposed, and the games that count give the same again."""

    def stop(games: int, seconds: float) -> None:
        if games > 1_500:
            raise KeyboardInterrupt

    result = houle.design(WAVE, targets="win=40%@thumb", change=HANDS, games=10_000, threads=1, progress=stop)
    assert (result.interrupted, result.stopped, result.proposals) == (True, "asked", ())
    assert list(result.frame().columns)[:2] == ["game", "players"]
    again = houle.design(WAVE, targets="win=40%@thumb", change=HANDS, games=result.games)
    assert 0 < again.games == result.games < 10_000
    assert again.digest == result.digest


def test_best_proposal_is_explained_without_each_change(stacked: houle.Design) -> None:
    """On new deals: together with the others, each change does what is missing without it."""
    best, (wish,) = stacked.proposals[0], stacked.wishes
    assert best.without.keys() == best.setting
    for change, known in best.without.items():
        value, effect = known[wish.key]
        assert value.value < best.fresh[wish.key].value - effect.low + 0.05, stacked.space.words(change)
    assert max(effect.low for known in best.without.values() for _, effect in known.values()) > 0


@pytest.mark.quick
def test_numbers_that_stand_for_others_count_as_these() -> None:
    """LAND UNTER: 0 is a round for each player, so 3 rounds are nearer than 1. VAGUE & ATTAQUE: 0 is the printed 2."""
    game = houle.setup("land-unter", players=4)
    (rounds,) = make_space(game, ["rounds"]).axes
    assert rounds.values[0] == 4
    assert 4 not in rounds.values[1:]
    assert 0 not in rounds.values[1:]
    space = make_space(game, {"rounds": "1..3"})
    assert sorted(space.single_changes, key=lambda one: space.cost(frozenset({one})))[0] == (0, 3)
    assert make_space(houle.setup("vague-attaque", players=3), ["all"]).axes[1].values == (2, 1, 3, 4)
    own = make_space(houle.setup("land-unter", players=4, set={"rounds": 2}), {"rounds": [0, 3]})
    assert own.axes[0].values == (2, 4, 3)
    assert own.axes[0].printed == 4


@pytest.mark.quick
def test_points_do_not_become_penalties_unless_named() -> None:
    game = houle.setup("land-unter", players=4)
    points = {axis.name: axis.values for axis in make_space(game, ["all"]).axes if axis.name.startswith("score.")}
    assert min(points["score.belt"]) == min(points["score.lowest"]) == 0 == max(points["score.eliminated"])
    (named,) = make_space(game, ["score.belt"]).axes
    assert -1 in named.values


@pytest.mark.quick
def test_first_side_is_no_target_where_sides_compete() -> None:
    rivals = houle.setup("land-unter", players=4)
    for text in ("win=30%@family", "25%", "win<=30%@family,family,family,family"):
        with pytest.raises(InputError, match=r"how often the first side wins; ask for fair seats .* length .* spread"):
            read_wishes(rivals, [text])
    (better,) = read_wishes(rivals, ["win<=60%@seasoned,family,family,family"])
    assert better.measure == "win"


def test_cards_are_ranked_by_what_they_do() -> None:
    doctor = houle.card_effects(houle.setup("wave", players=3, set={"talk": "known"}), strategies="thumb", games=12_000)
    wins = {row.label: row.change for row in doctor.of("win")}
    assert [row.label for row in doctor.rows[:2]] == ["all cards"] * 2  # wins and length of the whole deck
    assert doctor.rows[2].label.endswith(" in")  # the printed deck leaves out its hardest cards
    harder = wins["white 0 in"]
    assert harder is not None
    assert harder.high < 0
    assert len(wins) == 1 + 60
    assert len(doctor.frame()) == (1 + 60) * 2
    listed = {cells[0] for block in doctor.tables() for cells in block["rows"]}
    certain = {row.label for row in doctor.rows if row.change is None or row.change.differs}
    assert listed == certain
    assert len(certain) < 30
    assert sentence(doctor.remarks[0]) == f"{61 - len(certain)} other changes of a card: no effect is certain"


def test_owners_of_dealt_cards_are_counted() -> None:
    """Card texts of a deck file: each is taken away and doubled, and artefacts have owners."""
    doctor = houle.card_effects(houle.setup("vague-attaque", players=4), strategies="thumb", games=12_000, threads=1)
    owners = {row.label: row.note for row in doctor.rows if row.note}
    assert len(owners) == 5
    assert owners["artefact Chest without its text"].startswith("its owner wins -")
    assert {"seat-gap", "length", "first-seat"} == set(doctor.measures)


@pytest.mark.quick
@pytest.mark.parametrize("game", ["wave", "land-unter", "sea-change", "vague-attaque", "vague-verte"])
def test_games_name_changes_of_their_cards(game: str) -> None:
    setup = houle.setup(game)
    changes = setup.game.openings.card_changes(setup)
    assert changes
    assert {change.knob for change in changes} <= set(setup.options)


@pytest.mark.quick
def test_a_deck_that_is_dealt_out_completely_is_refused() -> None:
    with pytest.raises(InputError, match="no single card can be taken out or added; every 0 out"):
        houle.card_effects("sea-change")
