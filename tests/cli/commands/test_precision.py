"""`houle simulate --precision`: stops when it is sure enough, after a number of games that only the seed decides."""

from __future__ import annotations

import json

import pytest

from houle import simulate
from houle.analysis.stats.width import looks
from tests.support.call import call, good

pytestmark = pytest.mark.compiled


def precise(*words: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(
        good("simulate", "wave", "-s", "random", *words, "--precision", "0.4", "--json")
    )
    return data


def test_number_of_games_depends_only_on_seed() -> None:
    one, two = precise("-j", "1"), precise("-j", "2")
    for fact in ("games", "result_digest", "sides", "draws", "precision"):
        assert one[fact] == two[fact]
    assert one["games"] in list(looks(10**6))
    again = simulate("wave", strategies="random", precision=0.4).as_json()
    assert again["result_digest"] == one["result_digest"]
    assert again["sides"] == one["sides"]
    assert precise("--seed", "2")["result_digest"] != one["result_digest"]


def test_it_stops_as_soon_as_precise_enough() -> None:
    data = precise()
    precision = data["precision"]
    assert isinstance(precision, dict)
    assert precision["reached"]
    assert 0 < precision["half_width"] <= precision["asked"] == 0.4
    counts = list(looks(10**6))
    before = str(counts[counts.index(data["games"]) - 1])  # type: ignore[arg-type]
    short = precise("-n", before)
    assert short["games"] == int(before)
    assert not short["precision"]["reached"]  # type: ignore[index]


def test_page_shows_precision_and_repeat_command() -> None:
    text = good("simulate", "wave", "--precision", "1")
    assert "+- 1 points is reached" in text
    assert "--precision 1 -s thumb --seed 1" in text
    capped = good("simulate", "wave", "--precision", "0.01", "-n", "1500")
    assert "is not reached" in capped
    assert "--precision 0.01 -s thumb -n 1500" in capped


@pytest.mark.quick
@pytest.mark.parametrize("value", ["0", "-1", "51", "nan", "x"])
def test_bad_precisions(value: str) -> None:
    result = call("simulate", "wave", "--precision", value)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
