"""Open rules: one list, with other answers that are played in the setup asked for and ranked by what they change."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from houle import open_rules, setup
from houle.analysis.blocks import sentence
from houle.analysis.measures.measures import difference
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.open_rules import LEADS, answered, effects, knob_of, summary
from houle.solver.errors import RulesError
from houle.solver.rules import OURS, PROVENANCES, SETTLED, SOURCES, game_names, load, make_setup, open_rules_in
from houle.solver.rules.rules_file import read_rules
from tests.support.call import good

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("game", game_names())
def test_every_open_rule_has_other_answers(game: str) -> None:
    """In the setups in which it is in play, with playable values, and in words."""
    ruleset = load(game)
    found = set[str]()
    setups = [make_setup(game, players) for players in ruleset.players]
    setups += [make_setup(game, variants=[name]) for name in ruleset.variants]
    setups += [make_setup(game, 2, ["virage"])] if game == "wave" else []
    for one in setups:
        rules = [rule for rule in open_rules_in(one) if rule.knob]
        found |= {rule.knob for rule in rules}
        arms, left_out = answered(one, "random")
        assert not left_out
        assert len(arms) == 1 + sum(len(rule.answers) for rule in rules)
        assert all(arm.setup.digest != arms[0].setup.digest for arm in arms[1:])
        assert not any("=" in arm.label or arm.label in ruleset.knobs for arm in arms)
    assert found == {knob.name for knob in ruleset.knobs.values() if knob.provenance not in SETTLED}


@pytest.mark.quick
@pytest.mark.parametrize("game", game_names())
def test_every_knob_says_what_it_rests_on(game: str) -> None:
    """A rule of the rulebook names its statement; what is open is a question that completes a sentence."""
    for knob in load(game).knobs.values():
        assert knob.rulebook or knob.provenance == OURS
        assert re.fullmatch(r"The rulebook [a-z].*[^.]\.", knob.rests_on)
        assert "rulebook" not in knob.text
        assert knob.provenance in SETTLED or re.match("(how|what|when|whether|which) ", knob.doubt)
    assert {*LEADS, *SETTLED} == set(SOURCES) > set(PROVENANCES)


@pytest.mark.quick
def test_what_the_rulebook_settles_is_not_open() -> None:
    """Pointing is allowed in print and how freely is ours; the dummy's cards turn up in print; variants of ours are."""
    wave, verte = load("wave").knobs, load("vague-verte").knobs
    assert (wave["talk"].provenance, wave["dummy.down"].provenance) == (OURS, "printed")
    assert "point" in wave["talk"].rests_on
    assert "turns up" in wave["dummy.down"].rests_on
    assert verte["match"].provenance == "printed"
    shown = json.loads(good("rules", "vague-verte", "-v", "match", "--json"))
    assert {knob["provenance"] for knob in shown["knobs"] if knob["name"] == "match"} == {OURS}


@pytest.mark.quick
def test_only_rules_of_the_setup_are_open() -> None:
    """Not those of other players and variants, nor those that the user or a variant set."""

    def names(*asked: object, **more: object) -> set[str]:
        return {rule.knob for rule in open_rules_in(make_setup("wave", *asked, **more)) if rule.knob}  # type: ignore[arg-type]

    assert names(3) == names(2) == {"talk"}
    assert names(2, ["virage"]) == {"talk", "dummy_swaps", "virage_must_fit"}
    assert names(3, settings={"virage": True}) == {"talk", "virage_must_fit"}
    assert names(3, settings={"talk": "points"}) == set()
    forced = {rule.knob for rule in open_rules_in(make_setup("vague-verte", 3, ["forced"]))}
    assert "forced_play" not in forced


@pytest.mark.quick
def test_answers_that_your_rules_forbid_are_left_out() -> None:
    """Four hands of nine cards need more than the deck has."""
    wave = make_setup("wave", 4, (), {"hand.front": 6})
    back = replace(wave.ruleset.knobs["hand.back"], provenance="assumed")
    ruleset = replace(wave.ruleset, knobs={**wave.ruleset.knobs, "hand.back": back})
    arms, left_out = answered(replace(wave, ruleset=ruleset), "random")
    assert "one card fewer at the back" in {arm.label for arm in arms}
    assert [words for words, _ in left_out] == ["one card more at the back"]
    assert "34" in left_out[0][1]


def test_open_rules_are_ranked_and_judged() -> None:
    result = open_rules("wave", games=1_500, strategies="thumb", measures=["win"])
    certain = [near_end(row.change) for row in result.rows if row.change]
    known = [size for size in certain if size > 0]
    assert certain[: len(known)] == sorted(known, reverse=True)
    first = result.rows[0]
    assert knob_of(first).name == "talk"
    again = result.confirmed
    assert again is not None
    assert again.row == first
    assert again.first == 1_500  # games that did not pick it
    assert again.picked["win"] == first.change != again.fresh["win"]
    assert again.again
    assert result.as_json()["confirmed"]["fresh"]["win"]["value"] == again.fresh["win"].value
    said = [sentence(block) for block in result.sentences]
    assert said[0] == "The rulebook leaves one of the rules in play here open. One more is our own."
    assert said[1].startswith("How freely people point is our model: if nobody points at cards, players who follow")
    assert not any("if the rulebook means" in line or "talk" in line for line in said)
    assert len(said) == 2
    assert {row.label for row in result.rows} == {"nobody points at cards", "you may look at your own back cards"}
    assert {(arm.setup.players, arm.setup.variants) for arm in result.arms} == {(3, ())}
    assert set(result.frame()["against"]) == {"as played"}


def test_unclear_rules_are_told_from_our_model() -> None:
    wave = setup("wave", variants="nazare")
    result = open_rules(wave, games=400, strategies="thumb", measures=["score"])
    said = " ".join(sentence(block) for block in effects(result.rows, margins_of()))
    assert "The rulebook does not make clear whether a card may be laid face down by choice: if a card" in said
    assert "How freely people point is our model" in said


def test_intervals_of_open_rules_are_joint() -> None:
    """All differences hold together, so each has a higher confidence."""
    result = open_rules("wave", games=300, strategies="random", measures=["score"])
    row = result.rows[0]
    other = dict(result.sample.pairs)[row.number]
    joint = difference(result.sample, row.number, "score", confidence_at(1, len(result.rows)), other=other)
    assert row.difference == joint
    assert row.change is not None
    assert row.change.half > difference(result.sample, row.number, "score", other=other).interval.half


def test_rules_that_the_setup_changes_stay() -> None:
    wave = setup("wave", set={"talk": "open"})
    with pytest.raises(RulesError, match="no rule that the rulebook leaves open can be changed"):
        open_rules(wave, strategies="random", games=30, measures=["score"])
    assert sentence(summary(wave)) == "The rulebook leaves one of the rules in play here open."


@pytest.mark.quick
@pytest.mark.parametrize("compiled", [False, True])
def test_own_games_leave_no_rule_open(compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)  # as in a process that was started for a class
    good("new", "tide-pool", *(["--compiled"] if compiled else []))
    file = next(tmp_path.rglob("rules.toml" if compiled else "tide_pool.py"))
    ruleset = read_rules("tide-pool", file) if compiled else setup(str(file)).ruleset
    assert ruleset.knobs
    assert {knob.provenance for knob in ruleset.knobs.values()} <= set(SETTLED)
    assert not any(knob.rests_on for knob in ruleset.knobs.values())


@pytest.mark.quick
def test_sea_change_answers_keep_the_printed_sums() -> None:
    (rule,) = [rule for rule in open_rules_in(make_setup("sea-change", 8)) if rule.knob]
    assert len(rule.answers) == 13
    assert rule.answers[0].words == "each 7 scores 1 and each 12 scores 0"
    for answer in rule.answers:
        assert answer.value[7] + answer.value[12] == 1
        assert 2 * answer.value[11] + answer.value[15] == 3
