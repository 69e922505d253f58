"""Leagues: every mix in every seating, company that matters in Land Unter, results that can be repeated."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from houle import league, setup, strength
from houle.solver.errors import InputError
from tests.support.call import call, good


def test_sides_share_all_wins() -> None:
    result = league(setup("land-unter", players=4), strategies="thumb,random", games=40)
    for mix in result.compositions:
        total = mix.number * mix.win.value + (4 - mix.number) * mix.other_win.value
        assert total == pytest.approx(1)
        assert mix.gap.value == pytest.approx(mix.win.value - mix.other_win.value)
    assert [mix.number for mix in result.compositions] == [1, 2, 3]
    assert result.headline == "thumb is rated highest"


def test_one_against_the_others_matches_strength() -> None:
    land_unter = setup("land-unter", players=4)
    matchup = strength(land_unter, strategies="random,thumb", games=40).matchups[1]
    assert league(land_unter, strategies="thumb,random", games=40).compositions[0].win == matchup.win


def test_in_land_unter_company_matters() -> None:
    """One rival beats thumbs, two of each do not, and a mix of both is stable."""
    result = league(setup("land-unter", players=4), strategies="thumb,thumb[weights=rival]", games=120)
    alone, two, three = result.compositions
    assert three.other_win.low > 0.45  # one rival among thumbs
    assert two.gap.low > 0  # two of each: thumbs win
    assert alone.gap.low > 0
    assert result.fits is False
    (mix,) = result.mixes
    assert 0.3 < mix.share < 0.55


def test_ratings_fit_two_simple_players() -> None:
    result = league("vague-verte", strategies="thumb[forgets=50],thumb", games=150)
    assert result.ratings is not None
    assert result.ratings.points[1].low > 0
    assert result.ratings.freedom == 1


def test_page_figure_json_and_command_agree(tmp_path: Path) -> None:
    words = ("strength", "vague-verte", "-p", "3", "--league", "random,thumb[forgets=50],thumb", "-n", "30")
    page = good(*words, "--figure", str(tmp_path / "league.png"), "-o", str(tmp_path / "league.csv"))
    data = json.loads(good(*words, "--json"))
    assert data["result_digest"] in page
    assert len(data["compositions"]) == 6
    assert data["league"] == ["random", "thumb[forgets=50]", "thumb"]
    again = json.loads(good(*shlex.split(page.splitlines()[-1])[2:], "--json", "-j", "1"))
    assert again["result_digest"] == data["result_digest"]
    assert (tmp_path / "league.png").stat().st_size > 5_000
    assert len((tmp_path / "league.csv").read_text().splitlines()) == 7
    assert "deals, 540 games" in good(*words, "--dry-run")


def test_searches_play_fewer_deals() -> None:
    result = league(setup("land-unter", players=3), strategies="random,thumb,flat:1", games=20, search_games=3)
    assert {(mix.one, mix.other): mix.win.n for mix in result.compositions} == {(0, 1): 20, (0, 2): 3, (1, 2): 3}
    assert result.repeat().endswith("--league random,thumb,flat:1 -n 20 --search-games 3 --seed 1")


def test_errors_of_one_line() -> None:
    for words, part in (
        ("wave --league thumb,random", "nobody competes in this setup of wave"),
        ("land-unter --league thumb", "1 players; allowed: 2 to 8 different ones"),
        ("land-unter --league thumb,random -s thumb", "--league: not possible together with -s"),
    ):
        result = call("strength", *words.split())
        assert result.exit_code == 2
        assert part in result.stderr
    with pytest.raises(InputError, match="unknown strategy"):
        league("land-unter", strategies="thumb,thmb")
