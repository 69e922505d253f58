"""Leagues: compositions in every seating, what Land Unter is, results that can be repeated."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from houle import league, setup, strength
from houle.solver.errors import InputError
from tests.support.call import call, good


def test_all_wins_of_a_table_are_shared_by_its_sides() -> None:
    found = league(setup("land-unter", players=4), strategies="thumb,random", games=40)
    for table in found.tables:
        total = table.number * table.win.value + (4 - table.number) * table.other_win.value
        assert total == pytest.approx(1)
        assert table.gap.value == pytest.approx(table.win.value - table.other_win.value)
    assert [table.number for table in found.tables] == [1, 2, 3]


def test_one_against_the_others_is_what_a_ladder_plays() -> None:
    table = setup("land-unter", players=4)
    matchup = strength(table, strategies="random,thumb", games=40).matchups[1]
    found = league(table, strategies="thumb,random", games=40)
    assert found.tables[0].win == matchup.win


def test_in_land_unter_who_wins_depends_on_the_company() -> None:
    """A rival lives on thumbs, two of either kind are another matter, and a mix of both is where it settles."""
    found = league(setup("land-unter", players=4), strategies="thumb,thumb[weights=rival]", games=120)
    alone, two, three = found.tables
    assert three.other_win.low > 0.45  # one rival among thumbs
    assert two.gap.low > 0  # two of each: thumbs win
    assert alone.gap.low > 0
    assert found.fits is False
    (mix,) = found.mixes
    assert 0.3 < mix.share < 0.55


def test_where_ratings_are_enough_they_say_so() -> None:
    found = league("vague-verte", strategies="novice,thumb", games=150)
    assert found.ratings is not None
    assert found.ratings.points[1].low > 0
    assert found.ratings.freedom == 1


def test_pages_figures_json_and_the_command_agree(tmp_path: Path) -> None:
    words = ("strength", "vague-verte", "-p", "3", "--league", "random,greedy,thumb", "-n", "30")
    page = good(*words, "--figure", str(tmp_path / "league.png"), "-o", str(tmp_path / "league.csv"))
    data = json.loads(good(*words, "--json"))
    assert data["result_digest"] in page
    assert len(data["tables"]) == 6
    assert data["league"] == ["random", "greedy", "thumb"]
    again = json.loads(good(*shlex.split(page.splitlines()[-1])[2:], "--json", "-j", "1"))
    assert again["result_digest"] == data["result_digest"]
    assert (tmp_path / "league.png").stat().st_size > 5_000
    assert len((tmp_path / "league.csv").read_text().splitlines()) == 7
    assert "deals, 540 games" in good(*words, "--dry-run")


def test_players_that_search_meet_on_fewer_deals() -> None:
    found = league(setup("land-unter", players=3), strategies="random,greedy,flat:1", games=20, search_games=3)
    assert {(table.one, table.other): table.win.n for table in found.tables} == {(0, 1): 20, (0, 2): 3, (1, 2): 3}
    assert found.repeat().endswith("--league random,greedy,flat:1 -n 20 --search-games 3 --seed 1")


def test_faults_of_one_line() -> None:
    for words, part in (
        ("wave --league thumb,random", "all players of wave are one side here"),
        ("land-unter --league thumb", "allowed are 2 to 8 different players, given: 1"),
        ("land-unter --league thumb,random -s thumb", "--league: not possible together with -s"),
    ):
        result = call("strength", *words.split())
        assert result.exit_code == 2
        assert part in result.stderr
    with pytest.raises(InputError, match="unknown strategy"):
        league("land-unter", strategies="thumb,thmb")
