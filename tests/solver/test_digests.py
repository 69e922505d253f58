"""Digests of results: every table still comes to the same integers, at random, by thumb and by both searches."""

from __future__ import annotations

import pytest

from houle.solver.rules import Setup, game_names, make_setup
from tests.support import digests


def check(game: str, name: str, setup: Setup, strategies: tuple[tuple[str, int], ...]) -> None:
    kept = digests.kept()
    for strategy, games in strategies:
        text = digests.line(name, setup, strategy, games)
        head, _, found = text.rpartition(",")
        assert head in kept, f"{head} is not in {digests.FILE.name}: make golden"
        assert found == kept[head], f"{head} came to {found}, not {kept[head]}; if that is meant: make golden"


@pytest.mark.parametrize("game", game_names())
def test_random_and_thumb_tallies_match(game: str) -> None:
    for name, setup in digests.setups(game):
        check(game, name, setup, digests.QUICK)


@pytest.mark.parametrize("game", game_names())
def test_the_usual_table_by_search(game: str) -> None:
    setup = make_setup(game)
    check(game, f"{game},{setup.players},base", setup, digests.SEARCHES)


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_every_table_by_search(game: str) -> None:
    for name, setup in digests.setups(game):
        check(game, name, setup, digests.SEARCHES)


def test_the_list_has_every_table_and_nothing_else() -> None:
    expected = {
        f"{name},{strategy},{games}"
        for game in game_names()
        for name, _ in digests.setups(game)
        for strategy, games in digests.PLAYERS
    }
    assert set(digests.kept()) == expected
