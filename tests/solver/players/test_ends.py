"""The last tricks played exactly: equal to trying every line, with two sides and more; and fair play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from houle.solver.compiler.kernels import entry
from houle.solver.errors import InputError
from houle.solver.interface import MAX_SIDES, utility
from houle.solver.invariants.knowledge import fair_play
from houle.solver.matches.match import Match
from houle.solver.players.ends import _play_exactly
from houle.solver.players.player import seat_strategies
from houle.solver.players.workspace import make_workspace
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk
from tests import cases

pytestmark = pytest.mark.compiled


@entry
def _exactly(states: Any, all_rules: Any, ends: Any) -> Any:
    ends.states[0] = states[0]
    return _play_exactly(states[0], all_rules[0], ends)


@entry
def _utility(states: Any, all_rules: Any, out: Any) -> None:
    utility(states[0], all_rules[0], out)


def best_play(match: Match) -> tuple[int, ...]:
    """The utilities if every side plays best for itself from here, by trying every line."""
    if match.state.ended:
        out = np.zeros(MAX_SIDES, np.int64)
        _utility(match.states, match.setup.rules, out)
        return tuple(int(part) for part in out)
    side, lines, states = int(match.setup.rules[0].side[match.to_move()]), [], match.states.copy()
    for action in match.moves():
        match.states = states.copy()
        match.apply(action)
        lines.append(best_play(match))
    match.states = states
    sides = int(match.setup.rules[0].sides)
    return max(lines, key=lambda utilities: utilities[side] - (utilities[1 - side] if sides == 2 else 0))


@pytest.mark.parametrize(
    ("players", "variant", "tricks"), [(1, "", 4), (2, "", 3), (3, "", 2), (4, "2v2", 2), (5, "", 2)]
)
def test_last_tricks_come_to_what_all_lines_say(players: int, variant: str, tricks: int) -> None:
    setup = make_setup("sea-change", players, (variant,) if variant else ())
    ends = make_workspace(setup, seat_strategies(setup, [f"flat:1[ends={tricks}]"])).ends
    for game in range(4):
        match = Match(setup, 5, game)
        while match.state.tricks_left > tricks or match.ply % 3:
            match.apply(match.random_move())
        expected, sides = best_play(match), int(setup.rules[0].sides)
        _exactly(match.states, setup.rules, ends)
        assert ends.plies[0].utilities[:sides].tolist() == list(expected[:sides])


def test_exact_ends_are_optional_and_repeat_by_seed() -> None:
    setup = make_setup("sea-change", 3)
    names = ("flat:10", "flat:10[ends=0]", "flat:10[ends=2]", "flat:10[ends=2]")
    plain, off, ends, again = (
        play_chunk(seat_strategies(setup, (name, "thumb", "thumb")), 3, 0, 6).as_data() for name in names
    )
    assert plain == off
    assert ends == again
    assert ends != plain


def test_exact_ends_are_fair() -> None:
    setups = [setup for setup in cases.knowledge("sea-change")[::3] if setup.players < 5]
    swaps = [fair_play(setup, 2, number, "flat:4[ends=2]", 7, 1, 2) for number, setup in enumerate(setups)]
    assert sum(swaps) > len(swaps) // 2


def test_ends_needs_a_game_with_tricks() -> None:
    with pytest.raises(InputError, match="wave has no last tricks to play exactly; allowed: ends=0"):
        seat_strategies(make_setup("wave"), ["flat:4[ends=2]"])
