"""A person: habit with slips that reach for no optional help, and thought by a number of imagined deals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.players.names import parse
from houle.solver.players.player import player_record, seat_strategies
from houle.solver.rules import Setup, make_setup
from houle.solver.run.playout import play_chunk

pytestmark = pytest.mark.compiled

GAMES = 2


def playouts(setup: Setup, strategy: str, games: int = GAMES) -> int:
    effort = np.zeros(2, np.int64)
    play_chunk(seat_strategies(setup, (strategy,)), 3, 0, games, effort=effort)
    return int(effort[1])


def test_a_person_without_slips_and_thought_is_a_thumb() -> None:
    setup = make_setup("wave", 3, variants=("virage",))
    person, thumb = (
        play_chunk(seat_strategies(setup, (strategy,)), 3, 0, GAMES).as_data()
        for strategy in ("level[slips=0,thought=0]", "thumb")
    )
    assert person == thumb


def test_slips_change_moves() -> None:
    setup = make_setup("wave", 3)
    slipping, thumb = (
        play_chunk(seat_strategies(setup, (strategy,)), 3, 0, GAMES).as_data()
        for strategy in ("level[slips=60]", "thumb")
    )
    assert slipping != thumb


def test_a_slip_never_reaches_for_an_optional_help() -> None:
    """Where the thumb does not swap, neither does a person who only slips."""
    setup = make_setup("wave", 3, variants=("virage",))
    thumb, person = (seat_strategies(setup, (strategy,)) for strategy in ("thumb", "level[slips=100]"))
    match = Match(setup, seed=11)
    offers = wanted = 0
    while match.to_move() >= 0:
        before = match.copied()
        swaps = []
        for line_up in (thumb, person):
            action = match.decide(line_up)
            swaps.append("swap" in match.categories(action))
            match.put_back(before)
        if any("swap" in match.categories(action) for action in match.moves()):
            offers += 1
            wanted += swaps[0]
            assert swaps[0] or not swaps[1]
        match.apply(match.decide(thumb))
    assert offers > 10
    assert 0 < wanted < offers


def test_thought_is_a_number_of_deals() -> None:
    """A fraction is a chance of one more deal, so half a deal means half the playouts."""
    setup = make_setup("wave", 3, settings={"talk": "silent"})
    none, half, one = (playouts(setup, f"level[thought={thought}]", 4) for thought in (0, 0.5, 1))
    assert none == 0
    assert 0.25 * one < half < 0.75 * one


def test_thought_leaves_clear_decisions_alone() -> None:
    """With more caution fewer moves are near enough to be worth a thought."""
    setup = make_setup("wave", 3, settings={"talk": "silent"})
    assert playouts(setup, "level[thought=1,caution=30]") < playouts(setup, "level[thought=1,caution=1]")


@pytest.mark.quick
def test_an_unknown_optional_help_is_refused() -> None:
    setup = make_setup("wave", 3)
    broken = replace(setup, ruleset=replace(setup.ruleset, optional=("swop",)))
    with pytest.raises(InputError, match=r"moves.optional: there is no sort of move 'swop'.*swap"):
        player_record(parse("level[slips=5]"), broken)


@pytest.mark.quick
def test_slips_steer_noise_and_missed_rules() -> None:
    record = player_record(parse("level[slips=25,thought=1.5]"), make_setup("wave", 3))[0]
    assert (record.slips, record.nearsighted, record.loses_count, record.thought) == (25_000, 25_000, 25_000, 1_500)
    assert record.far
    assert record.memory
