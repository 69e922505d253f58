"""`houle.Match`: push, pop, legal moves, position."""

from __future__ import annotations

import pytest

import houle
from houle.solver.rules import game_names

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("game", game_names())
def test_popped_moves_leave_no_trace(game: str) -> None:
    match = houle.Match(game, seed=7)
    before, first = match.position(), match.legal_moves
    names = []
    for step in range(6):
        moves = match.legal_moves
        names.append(moves[step % len(moves)])
        match.push(names[-1])
    assert match.made == names
    assert [match.pop() for _ in names] == names[::-1]
    assert (match.position(), match.legal_moves, match.ply) == (before, first, 0)


def test_a_match_is_the_traced_game() -> None:
    trace = houle.trace(houle.setup("wave", players=3), strategies="random", seed=7, game=2)
    match = houle.Match("wave", players=3, seed=7, number=2)
    for ply in trace.plies:
        match.push(ply.action)
    assert match.is_over
    assert match.legal_moves == []
    assert trace.result is not None
    assert match.scores() == trace.result["scores"]


def test_wrong_calls_are_one_line() -> None:
    match = houle.Match("wave", players=2, seed=3)
    with pytest.raises(houle.InputError, match="'play red 9' is not legal; "):
        match.push("play red 9")
    with pytest.raises(houle.InputError, match="no move was pushed"):
        match.pop()
    with pytest.raises(houle.InputError, match="the game is not over"):
        match.scores()
