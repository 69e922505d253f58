"""`simulate` from Python: the same numbers as the command, as a frame and as plain data."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from houle import setup, simulate
from houle.solver.errors import InputError
from tests.support.call import good


def test_the_call_of_the_plan() -> None:
    table = setup("wave", players=3, variants=["nazare"], set={"hand.front": 4})
    result = simulate(table, strategies="random", games=1_000, seed=1)
    frame = result.frame()
    assert len(frame) == 1
    row = frame.iloc[0]
    assert (row["game"], row["players"], row["variants"], row["games"]) == ("wave", 3, "nazare", 1_000)
    assert (row["side"], row["score_name"], row["score_n"]) == ("team", "facedown", 1_000)
    assert row["win_low"] <= row["win"] <= row["win_high"]
    assert row["score_low"] < row["score"] < row["score_high"]
    assert row["result_digest"] == result.as_json()["result_digest"]


def test_names_may_be_single_or_many(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('variants = ["virage"]\n')
    digests = {
        simulate(setup("wave", variants="virage"), games=100, threads=1).digest,
        simulate(setup("wave", variants=["base", "virage"]), games=100, threads=3).digest,
        simulate(setup("wave", rules=file), games=100, strategies=["thumb"] * 3).digest,
        simulate(setup("wave", set={"virage": True}), games=100).digest,
    }
    assert len(digests) == 1


def test_the_keywords_of_the_release_before_still_work_and_warn() -> None:
    now = simulate(setup("wave", players=2, variants="virage"), strategies="random", games=50).digest
    with pytest.warns(DeprecationWarning, match=r"houle\.setup"):
        assert simulate("wave", players=2, variants="virage", strategies="random", games=50).digest == now
    with pytest.raises(TypeError, match="unknown argument 'plyers'"):
        simulate("wave", plyers=2)
    with pytest.raises(TypeError, match="unknown argument 'players'"):
        simulate(setup("wave"), players=2)


def test_a_result_says_how_to_get_it_again() -> None:
    table = setup("wave", players=2, variants="virage", set={"hand.front": 4, "talk": "open"})
    found = simulate(table, strategies="random", games=60, seed=3, first=7)
    words = "houle simulate wave -p 2 -v virage --set hand.front=4 --set talk=open -s random -n 60 --seed 3 --first 7"
    assert found.repeat() == words
    assert json.loads(good(*shlex.split(words)[1:], "--json"))["result_digest"] == found.digest


def test_a_result_is_short_in_a_notebook() -> None:
    found = simulate("wave", games=20)
    assert repr(found).startswith("<Simulation: game=wave, players=3, variants=base, games=20, seed=1, digest=")
    assert len(repr(found)) < 150
    assert "<table" in found._repr_html_()
    assert len(found._repr_html_()) < 4_000


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"games": 0}, "games: 0 is not allowed"),
        ({"games": 1e6}, "games: 1000000.0 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"first": -1}, "first: -1 is not allowed"),
        ({"strategies": "randm"}, "unknown strategy 'randm'"),
        ({"strategies": ["random"] * 2}, "2 strategies for 3 players"),
    ],
)
def test_faults_are_one_line(facts: dict[str, object], line: str) -> None:
    with pytest.raises(InputError) as fault:
        simulate("wave", **facts)  # type: ignore[arg-type]
    assert line in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"players": 9}, "9 players is not possible"),
        ({"set": {"hand.frnt": 4}}, "set: wave has no knob 'hand.frnt'; did you mean 'hand.front'?"),
    ],
)
def test_faults_of_a_table_are_one_line(facts: dict[str, object], line: str) -> None:
    with pytest.raises(InputError) as fault:
        setup("wave", **facts)  # type: ignore[arg-type]
    assert line in str(fault.value)
