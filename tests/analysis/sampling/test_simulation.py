"""`simulate` from Python: the same numbers as the command, as a frame and as plain data."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.analysis import simulate
from houle.solver.ruleset import RulesetError


def test_the_call_of_the_plan() -> None:
    result = simulate("wave", players=3, variants=["nazare"], set={"hand.front": 4}, games=1_000, seed=1)
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
        simulate("wave", variants="virage", games=100, threads=1).run.digest,
        simulate("wave", variants=["base", "virage"], games=100, threads=3).run.digest,
        simulate("wave", rules=file, games=100, strategies=["random"] * 3).run.digest,
        simulate("wave", set={"virage": True}, games=100).run.digest,
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"games": 0}, "games: 0 is not allowed"),
        ({"games": 1e6}, "games: 1000000.0 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"first": -1}, "first: -1 is not allowed"),
        ({"players": 9}, "9 players is not possible"),
        ({"set": {"hand.frnt": 4}}, "set: wave has no knob 'hand.frnt'; did you mean 'hand.front'?"),
        ({"strategies": "randm"}, "unknown strategy 'randm'"),
        ({"strategies": ["random"] * 2}, "2 for 3 players"),
    ],
)
def test_faults_are_one_line(facts: dict[str, object], line: str) -> None:
    with pytest.raises(RulesetError) as fault:
        simulate("wave", **facts)  # type: ignore[arg-type]
    assert line in str(fault.value)
    assert "\n" not in str(fault.value)
