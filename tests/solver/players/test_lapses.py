"""Lapses and slips of people: certain lapses equal missing rules, chances are right, thought leaves clear moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import advance
from houle.solver.compiler.kernels import entry
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.players.names import parse
from houle.solver.players.player import EXTRAS, OF_LAPSES, PLAYER, player_digest, player_record, seat_strategies
from houle.solver.players.thumb import remembered_weights
from houle.solver.rules import Setup, digest, game_names, load, make_setup
from houle.solver.run.playout import play_chunk

pytestmark = pytest.mark.compiled

DECISIONS = 20_000


def played(setup: Setup, strategy: str) -> Any:
    return play_chunk(seat_strategies(setup, (strategy,)), 3, 0, 40).as_data()


@pytest.mark.parametrize("game", game_names())
def test_certain_lapses_equal_missing_rules(game: str) -> None:
    setup = make_setup(game)
    marked = load(game).marked_features
    everything = [name for name, _ in setup.game.FEATURES]
    for option, lost in (("nearsighted", marked["far"]), ("loses_count", marked["memory"]), ("forgets", everything)):
        expected = played(setup, f"thumb[without={'+'.join(lost)}]")
        assert played(setup, f"thumb[{option}=100]") == expected, option
    assert played(setup, "thumb[forgets=0,nearsighted=0]") == played(setup, "thumb")
    assert played(setup, "thumb[forgets=30]") not in (expected, played(setup, "thumb"))


@entry
def _remembered(states: Any, players: Any, out: Any) -> None:
    """The weights remembered at consecutive decisions, a row each."""
    for row in out:
        remembered_weights(states[0], players[0], row)
        states[0].choice = advance(states[0].choice)


def remembered(strategy: str) -> Any:
    """Which rules of WAVE are remembered, decision by decision."""
    setup = make_setup("wave", 3)
    match = Match(setup, seed=5)
    match.state.choice = U8(77)
    players = player_record(parse(strategy), setup)
    players[0].weights[:] = 1
    rows = np.zeros((DECISIONS, len(players[0].weights)), np.int64)
    _remembered(match.states, players, rows)
    return rows[:, : len(setup.game.FEATURES)] == 1


def test_lapses_happen_with_their_chance() -> None:
    names = [name for name, _ in make_setup("wave").game.FEATURES]
    kept = remembered("thumb[forgets=30]")
    error = 4.5 * np.sqrt(0.21 / DECISIONS)
    np.testing.assert_allclose(kept.mean(axis=0), 0.7, atol=error)
    together = np.corrcoef(kept.T) - np.eye(len(names))
    assert abs(together).max() < 4.5 / np.sqrt(DECISIONS)  # rules are forgotten independently

    marked = load("wave").marked_features
    both = remembered("thumb[nearsighted=60,loses_count=25]")
    far, memory = (both[:, [names.index(name) for name in marked[key]]] for key in ("far", "memory"))
    others = both[:, [i for i, name in enumerate(names) if name not in (*marked["far"], *marked["memory"])]]
    assert others.all()
    assert (far.all(axis=1) == far.any(axis=1)).all()  # all at once, or none
    assert (memory.all(axis=1) == memory.any(axis=1)).all()
    assert far[:, 0].mean() == pytest.approx(0.4, abs=4.5 * np.sqrt(0.24 / DECISIONS))
    assert memory[:, 0].mean() == pytest.approx(0.75, abs=4.5 * np.sqrt(0.19 / DECISIONS))


def test_greater_chances_include_smaller_ones() -> None:
    seldom, often = remembered("thumb[forgets=10]"), remembered("thumb[forgets=40]")
    assert (seldom | ~often).all()
    assert not (seldom == often).all()


@pytest.mark.quick
def test_unused_options_leave_digests_unchanged() -> None:
    setup = make_setup("wave", 3, settings={"talk": "known"})
    for text in ("thumb", "flat:20", "thumb[temperature=500]"):
        strategy = parse(text)
        record = player_record(strategy, setup)[0]
        unused = (*OF_LAPSES, *EXTRAS)
        assert not any(np.any(record[name]) for name in unused)
        fields = {name: np.asarray(record[name]).tolist() for name in PLAYER.names or () if name not in unused}
        fields["weights"] = fields["weights"][: len(setup.game.FEATURES)]
        assert player_digest(strategy, setup) == digest({"text": text, "player": list(fields.values())})
    names = [f"thumb[{lapse}]" for lapse in ("forgets=3", "forgets=4", "nearsighted=3", "loses_count=3")]
    assert len({seat_strategies(setup, [name]).digests[0] for name in names}) == len(names)


@pytest.mark.quick
def test_unknown_marked_features_are_refused() -> None:
    setup = make_setup("wave", 3)
    broken = replace(setup, ruleset=replace(setup.ruleset, marked_features={"far": ["second_redy"]}))
    with pytest.raises(InputError, match=r"features.far: there is no rule of thumb 'second_redy'.*second_ready"):
        player_record(parse("thumb[nearsighted=5]"), broken)


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
