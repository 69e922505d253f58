"""Open rules: every one has alternatives, which are ranked by what they certainly change."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle import open_rules, setup
from houle.analysis.blocks import sentence
from houle.analysis.measures.measures import difference
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.open_rules import in_force, knob_of, not_known
from houle.analysis.tables.readings import UNSETTLED, Turn, turned_grids, turns_of
from houle.cli.commands.rules import MEANINGS
from houle.solver.rules import game_names, load, make_setup
from houle.solver.rules.rules_file import read_rules
from tests.support.call import good

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("game", game_names())
def test_every_open_rule_has_alternatives(game: str) -> None:
    """In the setups in which it applies, with playable values; only cards that are not in the deck are left out."""
    ruleset = load(game)
    for players in ruleset.players:
        setup = make_setup(game, players)
        grids, left_out = turned_grids(setup)
        turned = {turn.knob.name for turns, _ in grids for turn in turns}
        assert turned == {
            knob.name for knob in ruleset.knobs.values() if knob.provenance in UNSETTLED or knob.ambiguous
        }
        assert all("no such card" in why for _, why in left_out)
        for turns, one in grids:
            assert len(one.arms) == len(turns) + 1
            assert all(arm.setup.digest != one.arms[0].setup.digest for arm in one.arms[1:])


@pytest.mark.quick
def test_open_rules_of_other_decks_are_left_out() -> None:
    """A deck with a card out cannot build the columns of a variant that is not played."""
    setup = make_setup("wave", 3, (), {"deck.missing": ["white 0", "navy 5", "sky 5"], "hand.front": 4})
    grids, left_out = turned_grids(setup)
    turned = {turn.knob.name for turns, _ in grids for turn in turns}
    assert turned == {"talk", "dummy_swaps", "virage_must_fit"}
    assert {label.partition("=")[0] for label, _ in left_out} == {"heights", "facedown", "facedown_reverses"}
    assert all("your rules cannot be played there" in why for _, why in left_out)


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
    found = in_force(setup("wave"), result.rows, margins_of())
    assert "talk" in found.certain
    assert not any("talk" in sentence(block) for block in not_known(result.rows, margins_of()))
    assert "another reading of talk" in sentence(result.sentences[0])
    labels = [row.label for row in result.rows]
    assert "dummy_swaps=true (2 players, virage)" in labels
    assert "facedown=free (nazare)" in labels
    assert set(result.frame()["against"]) == {"as assumed"}


def test_intervals_of_open_rules_are_joint() -> None:
    """All differences hold together, so each has a higher confidence."""
    result = open_rules("wave", games=300, strategies="random", measures=["score"])
    row = result.rows[0]
    other = dict(result.sample.pairs)[row.number]
    joint = difference(result.sample, row.number, "score", confidence_at(1, len(result.rows)), other)
    assert row.difference == joint
    assert row.change is not None
    assert row.change.half > difference(result.sample, row.number, "score", other=other).interval.half


def test_rules_that_the_setup_changes_stay() -> None:
    wave = setup("wave", set={"talk": "open"})
    result = open_rules(wave, strategies="random", games=30, measures=["score"])
    assert "talk" not in {knob_of(row).name for row in result.rows}
    assert result.setup is wave
    assert sentence(result.sentences[0]) == "The rulebook leaves no rule in play here open."


@pytest.mark.quick
@pytest.mark.parametrize("compiled", [False, True])
def test_own_games_leave_no_rule_open(compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)  # as in a process that was started for a class
    good("new", "tide-pool", *(["--compiled"] if compiled else []))
    file = next(tmp_path.rglob("rules.toml" if compiled else "tide_pool.py"))
    ruleset = read_rules("tide-pool", file) if compiled else setup(str(file)).ruleset
    assert ruleset.knobs
    assert {knob.provenance for knob in ruleset.knobs.values()} <= MEANINGS.keys()
    assert list(turns_of(ruleset, 3)) == []


@pytest.mark.quick
def test_sea_change_alternatives_keep_the_printed_sums() -> None:
    for turn in turns_of(load("sea-change"), 8):
        assert isinstance(turn, Turn)
        assert turn.value[7] + turn.value[12] == 1
        assert 2 * turn.value[11] + turn.value[15] == 3
