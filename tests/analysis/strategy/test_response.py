"""Answers to a strategy are chosen on one half of the deals and measured on the other."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from houle import response, setup
from houle.analysis.strategy.response import answers
from houle.solver.errors import RulesError
from houle.solver.strategies.names import parse
from tests.support.call import call, good


def test_random_players_and_thumbs_can_be_exploited() -> None:
    result = response(setup("land-unter", players=3), strategies="random,thumb", worlds=10, games=24)
    assert result.headline.startswith("an answer to ")
    for row in result.responses:
        assert row.win.n == 12
        assert row.gain.low > 0
        assert row.gain.value == pytest.approx(row.win.value - 1 / 3)
        assert row.answer == max(row.tried, key=lambda tried: tried[1])[0]


def test_a_strategy_does_not_answer_itself() -> None:
    all_of_them = ["flat:10", "flat:10[noise=0]", "flat:10[noise=100000]"]
    assert [answer.text for answer in answers(10, parse("thumb"))] == all_of_them
    assert [answer.text for answer in answers(10, parse("flat:10"))] == all_of_them[1:]


def test_page_figure_json_and_command_agree(tmp_path: Path) -> None:
    words = ("strength", "land-unter", "-p", "3", "--response", "random", "--worlds", "2", "--search-games", "4")
    page = good(*words, "--figure", str(tmp_path / "response.png"), "-o", str(tmp_path / "response.csv"))
    data = json.loads(good(*words, "--json"))
    assert data["result_digest"] in page
    assert data["responses"][0]["fair_share"] == pytest.approx(1 / 3)
    again = json.loads(good(*shlex.split(page.splitlines()[-1])[2:], "--json", "-j", "1"))
    assert again["result_digest"] == data["result_digest"]
    assert (tmp_path / "response.png").stat().st_size > 5_000


def test_cooperative_games_have_no_answers() -> None:
    with pytest.raises(RulesError, match="nobody competes in this setup of wave"):
        response("wave", strategies="thumb")
    for more in (("--league", "random,thumb"), ("-s", "thumb"), ("--dry-run",)):
        result = call("strength", "land-unter", "--response", "thumb", *more)
        assert result.exit_code == 2
