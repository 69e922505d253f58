"""The last tricks played exactly: what every line says, at tables of two sides and of more; and fair play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from houle.solver.contract import MAX_SIDES, worth
from houle.solver.kernels import entry
from houle.solver.laws.knowledge import fair_play
from houle.solver.playout import play_chunk
from houle.solver.position import Table
from houle.solver.ruleset import RulesetError, make_setup
from houle.solver.strategies.ends import _play_exactly
from houle.solver.strategies.player import seat_strategies
from houle.solver.strategies.workspace import make_workspace
from tests import cases


@entry
def _exactly(states: Any, all_rules: Any, ends: Any) -> Any:
    ends.states[0] = states[0]
    return _play_exactly(states[0], all_rules[0], ends)


@entry
def _worth(states: Any, all_rules: Any, out: Any) -> None:
    worth(states[0], all_rules[0], out)


def best_play(table: Table) -> tuple[int, ...]:
    """What every side gets if all who move from here take what is best for their own, by trying every line."""
    if table.state.ended:
        out = np.zeros(MAX_SIDES, np.int64)
        _worth(table.states, table.setup.rules, out)
        return tuple(int(part) for part in out)
    side, found, states = int(table.setup.rules[0].side[table.to_move()]), [], table.states.copy()
    for action in table.moves():
        table.states = states.copy()
        table.apply(action)
        found.append(best_play(table))
    table.states = states
    sides = int(table.setup.rules[0].sides)
    return max(found, key=lambda worths: worths[side] - (worths[1 - side] if sides == 2 else 0))


@pytest.mark.parametrize(
    ("players", "variant", "tricks"), [(1, "", 4), (2, "", 3), (3, "", 2), (4, "2v2", 2), (5, "", 2)]
)
def test_last_tricks_come_to_what_all_lines_say(players: int, variant: str, tricks: int) -> None:
    setup = make_setup("sea-change", players, (variant,) if variant else ())
    ends = make_workspace(setup, seat_strategies(setup, [f"flat:1[ends={tricks}]"])).ends
    for game in range(4):
        table = Table(setup, 5, game)
        while table.state.tricks_left > tricks or table.ply % 3:
            table.apply(table.random_move())
        expected, sides = best_play(table), int(setup.rules[0].sides)
        _exactly(table.states, setup.rules, ends)
        assert ends.plies[0].worths[:sides].tolist() == list(expected[:sides])


def test_ends_repeat_by_seed_are_off_unless_asked_for_and_change_what_is_done() -> None:
    setup = make_setup("sea-change", 3)
    names = ("flat:10", "flat:10[ends=0]", "flat:10[ends=2]", "flat:10[ends=2]")
    plain, off, ends, again = (play_chunk(setup, (name, "thumb", "thumb"), 3, 0, 6).as_data() for name in names)
    assert plain == off
    assert ends == again
    assert ends != plain


def test_hidden_cards_never_change_what_exact_ends_say() -> None:
    tables = [setup for setup in cases.knowledge("sea-change")[::3] if setup.players < 5]
    swaps = [fair_play(setup, 2, number, "flat:4[ends=2]", 7, 1, 2) for number, setup in enumerate(tables)]
    assert sum(swaps) > len(swaps) // 2


def test_a_game_without_tricks_says_so() -> None:
    with pytest.raises(RulesetError, match="wave has no last tricks to play exactly; allowed: ends=0"):
        seat_strategies(make_setup("wave"), ["flat:4[ends=2]"])
