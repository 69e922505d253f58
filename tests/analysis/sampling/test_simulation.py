"""`simulate` from Python: the same numbers as the command, as a data frame and as plain data."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from houle import setup, simulate
from houle.solver.errors import InputError
from tests.support.call import good

pytestmark = pytest.mark.compiled


def test_the_frame_has_setup_side_and_intervals() -> None:
    wave = setup("wave", players=3, variants=["nazare"], set={"hand.front": 4})
    result = simulate(wave, strategies="random", games=1_000, seed=1)
    frame = result.frame()
    assert len(frame) == 1
    row = frame.iloc[0]
    assert (row["game"], row["players"], row["variants"], row["games"]) == ("wave", 3, "nazare", 1_000)
    assert (row["side"], row["score_name"], row["score_n"]) == ("team", "facedown", 1_000)
    assert row["win_low"] <= row["win"] <= row["win_high"]
    assert row["score_low"] < row["score"] < row["score_high"]
    assert row["result_digest"] == result.as_json()["result_digest"]


def test_equal_setups_give_equal_digests(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('variants = ["virage"]\n')
    digests = {
        simulate(setup("wave", variants="virage"), games=100, threads=1).digest,
        simulate(setup("wave", variants=["base", "virage"]), games=100, threads=3).digest,
        simulate(setup("wave", rules=file), games=100, strategies=["family"] * 3).digest,
        simulate(setup("wave", set={"virage": True}), games=100).digest,
    }
    assert len(digests) == 1


def test_the_command_of_a_result_repeats_it() -> None:
    wave = setup("wave", players=2, variants="virage", set={"hand.front": 4, "talk": "open"})
    result = simulate(wave, strategies="random", games=60, seed=3)
    words = "houle simulate wave -p 2 -v virage --set hand.front=4 --set talk=open -s random -n 60 --seed 3"
    assert result.repeat() == words
    assert json.loads(good(*shlex.split(words)[1:], "--json"))["result_digest"] == result.digest


def test_repr_is_one_line_with_the_main_number() -> None:
    result = simulate("wave", strategies="family", games=200)
    win = r"win \d+\.?\d*% \(\d+\.?\d* to \d+\.?\d*\)"
    assert re.fullmatch(rf"Simulation\(wave, 3 players, family: {win}, 200 games\)", repr(result)), repr(result)
    assert "<table" in result._repr_html_()
    assert len(result._repr_html_()) < 4_000
    assert repr(setup("wave", set={"hand.front": 4})) == "Setup(wave, 3 players, hand.front=4)"
    everything = setup("wave", set=setup("wave", players=2).shown_options)
    assert len(repr(everything)) < 200


def test_whole_floats_are_numbers_of_games() -> None:
    assert simulate("wave", strategies="random", games=1e2).games == 100  # type: ignore[arg-type]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"games": 0}, "games: 0 is not allowed"),
        ({"games": 1.5}, "games: 1.5 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"strategies": "randm"}, "unknown strategy 'randm'"),
        ({"strategies": ["random"] * 2}, "2 strategies for 3 players"),
    ],
)
def test_errors_are_one_line(facts: dict[str, object], line: str) -> None:
    with pytest.raises(InputError) as fault:
        simulate("wave", **facts)  # type: ignore[arg-type]
    assert line in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"players": 9}, "players: 9 is not allowed"),
        ({"set": {"hand.frnt": 4}}, "set: wave has no knob 'hand.frnt'; did you mean 'hand.front'?"),
    ],
)
def test_errors_of_a_setup_are_one_line(facts: dict[str, object], line: str) -> None:
    with pytest.raises(InputError) as fault:
        setup("wave", **facts)  # type: ignore[arg-type]
    assert line in str(fault.value)
