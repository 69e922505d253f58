"""A declared game in one file: its derived functions keep the invariants, with the compiler and without."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from houle.solver import interface
from houle.solver.cards.bits import U8, members
from houle.solver.cards.cardsets import draw, fill
from houle.solver.cards.streams import STREAM_FIELDS
from houle.solver.declared.fields import Fields, cards, fields, number, ordered, per_seat, placed
from houle.solver.declared.kernels import make_determinize
from houle.solver.declared.seen import declared_seen
from houle.solver.plain.random_streams import Luck
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup
from houle.solver.run.playout import play_chunk
from tests.support.call import said_without_compiler
from tests.support.toys import quay_beside as quay

pytestmark = pytest.mark.quick


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch) -> Setup:
    quay.make_known(monkeypatch)
    return make_setup("quay", 4)


@pytest.mark.compiled
def test_a_declared_game_is_the_same_without_compiler(setup: Setup) -> None:
    """`houle check` finds that it keeps the invariants (tests/examples)."""
    result = said_without_compiler("-m", "tests.support.toys.quay_beside")
    assert result["sets"] == 160
    assert set(result["thumb"]) == {"high"}
    assert result["thumb"]["high"] > 0
    compiled = play_chunk(seat_strategies(setup, ("random",)), 1, 0, quay.GAMES)
    assert json.loads(json.dumps(compiled.as_data())) == result["tally"]


def test_declared_games_get_defaults(setup: Setup) -> None:
    game = setup.game
    assert (game.COUNTS, game.is_cooperative, game.has("solve")) == (("moves", "turns", "rounds"), False, False)
    assert game.side_names(setup) == [("team 0", [0, 2]), ("team 1", [1, 3])]
    assert (setup.rules[0].rounds, setup.score_range) == (2, (0, 72))
    assert game.advice["high"] == ("Choose high cards.", "Choose low cards.")


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        (fields(own={"hand": cards(10)}), "own: hand must be per_seat(...)"),
        (fields(own={"bid": per_seat(number())}), "bid is hidden and not cards; write determinize"),
        (fields(hidden={"grid": cards(52, 3, 4)}), "grid is hidden and has 2 dimensions; write determinize"),
        (fields(public={"a": number()}, hidden={"a": cards(9)}), "a is declared twice"),
        (fields(public={"my top": number()}), "'my top' cannot be the name of a field"),
    ],
)
def test_invalid_declarations_are_refused(declared: Fields, fault: str) -> None:
    assert any(fault in problem for problem in declared.faults(True))


def test_a_class_takes_the_cards_that_kernels_draw() -> None:
    """Of a sorted pile, which stays sorted; so a class and its compiled version deal the same."""
    state = interface.blank(np.dtype([*STREAM_FIELDS, ("stacked", "i8"), ("stack", "i2", 1), ("pile", "u8", 2)]))[0]
    pile, luck = list(range(100)), Luck(7)
    state.deal = U8(7)
    fill(state.pile, len(pile))
    for _ in range(60):
        assert luck.take(pile) == draw(state, state.pile)
    assert pile == members(state.pile)


@pytest.mark.compiled
def test_hidden_rows_and_arrays_are_dealt_again() -> None:
    """Seat 0 keeps its row; the rows of others, hidden rows and arrays of sets keep their sizes."""
    declared = placed(
        fields(own={"row": per_seat(ordered(12, 3))}, hidden={"rows": ordered(12, 2, 2), "piles": cards(12, 2)}), 2
    )
    state, rules = interface.blank(declared.state("toy"))[0], interface.blank(declared.rules("toy", {}))[0]
    rules.seats, state.row[:], state.rows[:] = 2, -1, -1
    state.row[0, :2], state.row[1], state.rows[0], state.rows[1, :1] = (7, 3), (1, 0, 2), (5, 4), (6,)
    state.piles[0], state.piles[1] = 1 << 8 | 1 << 9, 1 << 10 | 1 << 11
    observe, determinize = declared_seen(declared).observe, make_determinize(declared, None)

    def knows(state: Any, rules: Any, seat: int) -> bytes:
        out = np.zeros(100, np.int64)
        observe(state, rules, seat, out)
        return out.tobytes()

    known, worlds = [knows(state, rules, seat) for seat in (0, 1)], set()
    for key in range(40):
        world = state.copy()
        assert determinize(world, rules, 0, np.uint64(key))
        assert knows(world, rules, 0) == known[0]
        assert knows(world, rules, 1) != known[1]
        assert [len(members(pile)) for pile in world.piles] == [2, 2]
        lying = [card for cards in (*world.row, *world.rows) for card in cards if card >= 0]
        assert sorted(lying + [card for pile in world.piles for card in members(pile)]) == list(range(12))
        worlds.add(tuple(world.row[1]))
    assert len(worlds) > 20


def test_cards_beyond_their_set_are_reported(setup: Setup) -> None:
    state = interface.blank(setup.game.STATE)[0]
    state.pile[0] = 1 << 40
    with pytest.raises(ValueError, match="pile holds card 40; it is declared for cards 0 to 29"):
        setup.game.snapshot(state, setup)


def test_a_game_with_its_own_snapshot_is_shown(setup: Setup) -> None:
    """`show` reads the fields, not a snapshot that may leave some out."""
    vars(setup)["game"] = replace(setup.game, snapshot=lambda state, setup: {"mover": 0})
    shown = setup.game.show(interface.blank(setup.game.STATE)[0], setup)
    assert "hand of seat 2: none" in shown.splitlines()
