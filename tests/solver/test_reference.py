"""Kernels and the plain reference agree on seat to move, state, legal moves and result, ply by ply."""

from __future__ import annotations

import pytest

from houle.analysis.checks.beside import plays_as_its_plain_version
from houle.solver.rules import game_names, load
from tests import cases
from tests.support.beside import reference

GAMES_PER_CASE = 6


@pytest.mark.parametrize("game", game_names())
def test_kernels_play_as_the_reference(game: str) -> None:
    for number, setup in enumerate(cases.setups(game)):
        assert plays_as_its_plain_version(setup, reference(setup), GAMES_PER_CASE, 11 + number) > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_kernels_play_as_the_reference_for_long(game: str) -> None:
    for number, setup in enumerate(cases.setups(game)):
        assert plays_as_its_plain_version(setup, reference(setup), 50 * GAMES_PER_CASE, 1_011 + number) > 0


@pytest.mark.parametrize("game", game_names())
def test_cases_cover_every_knob_and_setup(game: str) -> None:
    """A knob that no case changes, or a number of players without a case, would not be compared."""
    ruleset = load(game)
    played = list(cases.setups(game))
    assert {setup.players for setup in played} == set(ruleset.players)
    assert {variant for setup in played for variant in setup.variants} == set(ruleset.variants)
    for knob in ruleset.knobs.values():
        assert any(setup.options[knob.name] != knob.default_for(setup.players) for setup in played), knob.name
