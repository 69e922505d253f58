"""Searches that mix: chances follow regrets, draws repeat by seed, and what others hide changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from houle.solver.errors import InputError
from houle.solver.interface import blank
from houle.solver.invariants.knowledge import fair_play
from houle.solver.kernels import entry
from houle.solver.match import Match
from houle.solver.playout import play_chunk
from houle.solver.ruleset import make_setup
from houle.solver.strategies.mixing import match_regrets, start_mixing
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import seat_strategies
from houle.solver.strategies.workspace import CANDIDATE, MIXED
from tests import cases

ALWAYS = "flat:4[mix=100]"


@entry
def _mix(candidates: Any, mixed: Any, worlds: Any) -> None:
    start_mixing(mixed, len(mixed), 0)
    for played in range(len(worlds)):
        for i in range(len(candidates)):
            candidates[i].value = worlds[played, i]
        match_regrets(candidates, mixed, len(candidates), 0, played + 1)


def mixture(worlds: list[list[int]]) -> list[float]:
    """The chances of moves that come to so much, world by world."""
    candidates = blank(CANDIDATE, len(worlds[0]))
    candidates.alive = True
    mixed = blank(MIXED, len(worlds[0]))
    _mix(candidates, mixed, np.array(worlds, np.int64))
    return [float(part) for part in mixed.part / mixed.part.sum()]


def test_what_is_always_best_is_all_there_is() -> None:
    thumbs, better, worse = mixture([[300, 900, 100]] * 60)
    assert better > 0.99
    assert worse == 0.0
    assert thumbs == pytest.approx(1 - better)


def test_moves_that_are_best_in_turn_are_mixed_and_one_that_never_is_is_not() -> None:
    one, other, third = mixture([[900, 100, 400], [100, 900, 400]] * 200)
    assert 0.35 < one < 0.65
    assert 0.35 < other < 0.65
    assert third < 0.05


def test_moves_that_never_differ_leave_the_thumbs_own() -> None:
    assert mixture([[500, 500]] * 30) == [1.0, 0.0]


def test_mixing_repeats_by_seed_is_off_unless_asked_for_and_changes_what_is_done() -> None:
    setup = make_setup("land-unter", 3)
    names = ("flat:6", "flat:6[mix=0]", "flat:6[mix=100]", "flat:6[mix=100]")
    plain, off, mixed, again = (play_chunk(setup, (name,), 3, 0, 4).as_data() for name in names)
    assert plain == off
    assert mixed == again
    assert mixed != plain


def test_a_draw_hangs_on_the_stream_of_the_search_alone() -> None:
    setup = make_setup("land-unter", 4)
    line_up = seat_strategies(setup, ["flat:12[mix=100]"])
    match = Match(setup, 3)
    drawn = {match.decide(line_up, key) for key in range(12)}
    assert len(drawn) > 1
    first = match.decide(line_up, 5)
    match.states["chance"] += 1
    match.states["choice"] += 1
    assert match.decide(line_up, 5) == first


@pytest.mark.parametrize("game", ["land-unter", "wave"])
def test_hidden_cards_never_change_a_draw(game: str) -> None:
    tables = cases.knowledge(game)[::3]
    swaps = [fair_play(setup, 2, number, ALWAYS, 5, 1, 2) for number, setup in enumerate(tables)]
    assert sum(swaps) > len(swaps) // 2


def test_what_is_no_share_or_not_of_a_search_is_one_line() -> None:
    with pytest.raises(InputError, match="mix: '101' is not allowed; allowed: a number from 0 to 100"):
        parse("flat:4[mix=101]")
    with pytest.raises(InputError, match="thumb has no option 'mix'"):
        parse("thumb[mix=50]")
