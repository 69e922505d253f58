"""Digests of results: every setup still gives the same integers, by every kind of player, compiled or not."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from houle.solver.rules import Setup, game_names, make_setup
from tests.support import digests
from tests.support.call import said_without_compiler
from tests.support.plain import LEVELS, results

pytestmark = pytest.mark.compiled

FEWER_PLAYERS = {"vague-verte": 2}  # searches with its usual three players take ten times as long


def check(name: str, setup: Setup, strategies: tuple[tuple[str, int], ...]) -> None:
    kept = digests.kept()
    for strategy, games in strategies:
        text = digests.line(name, setup, strategy, games)
        head, _, digest = text.rpartition(",")
        assert head in kept, f"{head} is not in {digests.FILE.name}: make golden"
        assert digest == kept[head], f"{head} came to {digest}, not {kept[head]}; if that is meant: make golden"


@pytest.mark.parametrize("game", game_names())
def test_random_and_thumb_tallies_match(game: str) -> None:
    for name, setup in digests.setups(game):
        check(name, setup, digests.QUICK)


@pytest.mark.parametrize("game", game_names())
def test_base_games_by_search_match(game: str) -> None:
    setup = make_setup(game, FEWER_PLAYERS.get(game))
    check(f"{game},{setup.players},base", setup, digests.SEARCHES)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_all_setups_by_search_match(game: str) -> None:
    for name, setup in digests.setups(game):
        check(name, setup, digests.SEARCHES)


@pytest.mark.quick
def test_the_list_has_exactly_these_setups() -> None:
    expected = {
        f"{name},{strategy},{games}"
        for game in game_names()
        for name, _ in digests.setups(game)
        for strategy, games in digests.PLAYERS
    }
    assert set(digests.kept()) == expected


@cache
def without_compiler(choice: str) -> Any:
    """Results of all games from one process, because each new process imports everything again."""
    return said_without_compiler("-m", "tests.support.plain", choice)


@pytest.mark.parametrize("choice", ["few", *(pytest.param(name, marks=pytest.mark.slow) for name in ("all", LEVELS))])
@pytest.mark.parametrize("game", game_names())
def test_jit_off_equals_jit_on(game: str, choice: str) -> None:
    plain = without_compiler(choice)[game]
    compiled = json.loads(json.dumps(results(game, choice)))
    assert plain.pop("jit") is False
    assert compiled.pop("jit") is True
    assert plain == compiled
