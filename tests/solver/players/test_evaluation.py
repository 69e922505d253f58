"""The learned evaluation: chances that add up, whole numbers within limits, fair play, and clear errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houle.solver.compiler.kernels import entry
from houle.solver.errors import InputError, RulesError
from houle.solver.interface import UTILITY, prospects
from houle.solver.invariants.knowledge import fair_play
from houle.solver.matches.match import Match
from houle.solver.players.evaluation import INPUTS, WIDTH, evaluated, network_of
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup
from tests import cases
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

SETUPS = [
    ("vague-verte", 2, {}),
    ("vague-verte", 4, {"road": 12, "hand": 12}),
    ("vague-attaque", 1, {}),
    ("vague-attaque", 3, {}),
    ("vague-attaque", 5, {"hand_limit": 12}),
    ("vague-attaque", 4, {"teams": "2v2"}),
]


@entry
def _evaluated(states: Any, all_rules: Any, players: Any, side: Any) -> Any:
    return evaluated(states[0], all_rules[0], players[0], side)


@entry
def _prospects(states: Any, all_rules: Any, seat: Any, out: Any) -> None:
    prospects(states[0], all_rules[0], seat, out)


def positions(setup: Setup, games: int = some(1)) -> Any:
    for game in range(games):
        match = Match(setup, 5, game)
        yield match
        while match.to_move() >= 0:
            match.apply(match.random_move())
            yield match


@pytest.mark.parametrize(("game", "players", "knobs"), SETUPS)
def test_prospects_are_small_and_chances_add_up(game: str, players: int, knobs: dict[str, Any]) -> None:
    setup = make_setup(game, players, (), knobs)
    record = seat_strategies(setup, ["flat:1[ahead=1]"]).records
    for match in positions(setup):
        chances = [_evaluated(match.states, setup.rules, record, side) for side in range(setup.rules[0].sides)]
        assert min(chances) >= 0
        assert sum(chances) <= UTILITY  # the rest is the chance of a draw
        for seat in range(players):
            out = np.zeros(WIDTH, np.int64)
            _prospects(match.states, setup.rules, seat, out)
            assert abs(out).max() < 256
            assert out[INPUTS:].max() == 0


def test_a_player_about_to_finish_will_win() -> None:
    """Vague Verte: one square to go, a card for it in the hand, and the turn."""
    setup = make_setup("vague-verte", 3)
    record = seat_strategies(setup, ["flat:1[ahead=1]"]).records
    found = []
    for match in positions(setup, 40):
        out, seat = np.zeros(WIDTH, np.int64), match.to_move()
        if seat >= 0:
            _prospects(match.states, setup.rules, seat, out)
        if out[24]:
            chances = [_evaluated(match.states, setup.rules, record, side) for side in range(3)]
            found.append(chances[seat] / sum(chances))
    assert len(found) > 20
    assert np.mean(found) > 0.95  # less than 1: the card may be a tow, which goes no further


@pytest.mark.parametrize("game", ["vague-verte", "vague-attaque"])
def test_searches_with_an_evaluation_use_no_hidden_cards(game: str) -> None:
    setups = [setup for setup in cases.knowledge(game)[::4] if setup.players > 1]
    swaps = [fair_play(setup, 1, number, "flat:4[ahead=2]", 7, 1, 2) for number, setup in enumerate(setups)]
    assert sum(swaps) > len(swaps) // 2


def test_a_game_without_evaluation_says_so() -> None:
    with pytest.raises(InputError, match=r"land-unter has no evaluation of positions; allowed: ahead=0"):
        seat_strategies(make_setup("land-unter", 3), ["flat:5[ahead=2]"])


@pytest.mark.parametrize("text", ["", "inner = 3", "inner = [[1, 2]]", "inner = [['a']]"])
def test_a_broken_file_names_what_is_allowed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "evaluation.toml"
    path.write_text(text)
    with pytest.raises(RulesError, match=f"inner: allowed: 16 rows of {WIDTH} whole numbers up to 32767"):
        network_of(path)
