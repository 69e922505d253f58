"""`houle players`: the list of named players, and with --fit the levels that results fit."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pandas as pd
import pytest

from tests.support.call import call, good

pytestmark = pytest.mark.quick


def test_page_and_json_list_all_levels() -> None:
    page = good("players", "wave")
    data = json.loads(good("players", "vague-verte", "--json"))
    levels = [one["name"] for one in data["named"] if one["level"]]
    assert levels[:3] == ["first-game", "family", "regular"]
    assert all(f"\n{name} = " in page for name in levels)
    assert all(f"\n  {option}  " in page for option in ("forgets", "nearsighted", "loses_count"))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "results.csv"
    file.write_text("players,result,variant\n" + "3,win,\n" * 12 + "3,loss,base\n" * 68)
    return file


@pytest.mark.compiled
def test_page_answers_first_and_repeats(results: Path, tmp_path: Path) -> None:
    table = tmp_path / "levels.csv"
    page = good("players", "wave", "--set", "talk=known", "--fit", str(results), "-n", "100", "-o", str(table))
    assert "verdict  Your 80 results " in page
    assert "80 results: 3 players, talk=known" in page
    again = next(line for line in page.splitlines() if line.startswith("repeat"))
    data = json.loads(good(*shlex.split(again)[2:], "--json"))
    assert data["result_digest"] in page
    assert data["fitting"] + data["ruled_out"]
    assert [row["level"] for row in data["levels"]] == pd.read_csv(table)["level"].tolist()


def test_bad_result_names_its_line(results: Path) -> None:
    results.write_text(results.read_text() + "3,perhaps,\n")
    result = call("players", "wave", "--fit", str(results))
    assert result.exit_code == 2
    assert f"{results}: line 82: result: 'perhaps' is not allowed" in result.stderr
