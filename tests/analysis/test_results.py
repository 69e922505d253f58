"""All results: frame and JSON agree, the command repeats them, threads change nothing, and each is one line."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import houle
from houle.analysis.result import Result
from tests.support.call import good

pytestmark = pytest.mark.compiled

OWN = houle.setup("wave", players=2, variants="virage", set={"hand.front": 4, "talk": "open"})
BACKS = houle.grid(OWN.ruleset.name, players=[2, 3], set={"hand.back": [1, 2]})
RUN = {"games": 60, "seed": 3}
RESULTS: dict[str, Callable[..., Result]] = {
    "simulate": lambda **run: houle.simulate(OWN, strategies="random", **run),
    "simulate rivals": lambda **run: houle.simulate("vague-verte", strategies="family", **run),
    "compare": lambda **run: houle.compare(BACKS, strategies="random", **run),
    "compare players": lambda **run: houle.compare("wave", strategies=["random", "thumb,random,random"], **run),
    "open rules": lambda **run: houle.open_rules("wave", strategies="random", measures=["score"], **run),
    "sweep": lambda **run: houle.sweep(BACKS, strategies="random", targets=["win=0..50%"], **run),
    "difficulty": lambda **run: houle.difficulty(OWN, strategies="random,thumb", **run),
    "strength": lambda **run: houle.strength("wave", strategies="random,thumb[forgets=50],thumb", **run),
    "strength of rivals": lambda **run: houle.strength("land-unter", strategies="random,thumb", **run),
    "balance": lambda **run: houle.balance(OWN, strategies="thumb", **run),
    "balance of rivals": lambda **run: houle.balance("land-unter", strategies="random", **run),
    "design": lambda **run: houle.design(
        "wave", targets="win=0..90%@thumb", change={"hand.back": [2, 3]}, **run | {"games": 6_000}
    ),
}
TABLES = ("compare", "compare players", "open rules", "sweep", "difficulty", "strength", "strength of rivals")


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return {name: play(**RUN, threads=1) for name, play in RESULTS.items()}


@pytest.mark.parametrize("name", RESULTS)
def test_frame_and_json_agree(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    data = json.loads(json.dumps(result.as_json()))
    rows = result.frame(whole=True).to_dict("records")
    numbers = intervals(data)
    assert rows
    assert data["result_digest"] == result.digest
    for row in rows:
        assert row["result_digest"] in json.dumps(data)
        for column in [name for name in row if f"{name}_low" in row and row[name] == row[name] is not None]:
            assert (row[column], row[f"{column}_low"], row[f"{column}_high"]) in numbers, column


def intervals(data: Any) -> set[tuple[float, float, float]]:
    """Every value with its interval, however deep."""
    if isinstance(data, dict) and {"value", "low", "high"} <= data.keys():
        return {(data["value"], data["low"], data["high"])}
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return {one for part in parts for one in intervals(part)}


@pytest.mark.parametrize("name", RESULTS)
def test_commands_repeat_their_results(name: str, results: dict[str, Result]) -> None:
    words = shlex.split(results[name].repeat())
    assert words[0] == "houle"
    assert json.loads(good(*words[1:], "--json"))["result_digest"] == results[name].digest


@pytest.mark.parametrize("name", RESULTS)
def test_threads_change_no_digest(name: str, results: dict[str, Result]) -> None:
    assert RESULTS[name](**RUN, threads=2).digest == results[name].digest


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_shown_in_a_line(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    assert re.fullmatch(rf"{type(result).__name__}\(.*{re.escape(result.setup.summary)}, .*\)", repr(result))
    assert "<table" in result._repr_html_()


def test_every_table_has_the_same_columns(results: dict[str, Result]) -> None:
    tables = [results[name] for name in TABLES]
    columns = [[name for name in table.frame() if not name.startswith("set.")] for table in tables]
    assert columns.count(columns[0]) == len(tables)
    keys = [(list(data), list(data["rows"][0]), list(data["arms"][0])) for data in (one.as_json() for one in tables)]
    assert keys.count(keys[0]) == len(tables)


def test_equal_setups_give_equal_digests(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('variants = ["virage"]\n')
    setups = [{"variants": ["base", "virage"]}, {"rules": file}, {"set": {"virage": True}}, {"variants": "virage"}]
    assert len({houle.simulate(houle.setup("wave", **facts), **RUN).digest for facts in setups}) == 1  # type: ignore[arg-type]


def test_every_side_has_its_own_numbers() -> None:
    played = houle.simulate("land-unter", strategies="family,random,random", games=100)
    for side in played.sides:
        points = sum(score * number for score, number in side.histogram.items())
        assert side.score.interval.value == pytest.approx(points / sum(side.histogram.values()))
    assert len({side.score.interval for side in played.sides}) == 3
