"""Batches: the same games as single matches, rewards, masks, other players, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from houle.analysis.adapters.batch import Batch, Step
from houle.solver.errors import InputError
from houle.solver.interface import WIN
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from tests.support.toys import shed_by_hand

pytestmark = pytest.mark.compiled

GAMES = game_names()
SETUPS = [pytest.param(make_setup(game), id=game) for game in GAMES]
# Random players give no signals in a simulation.
WITHOUT_SIGNALS = [pytest.param(make_setup(game, None, (), {"talk": "known"} if game == "wave" else {}), id=game)
                   for game in GAMES]  # fmt: skip


def first_legal(step: Step) -> Any:
    return step.mask.argmax(axis=1)


@pytest.mark.parametrize("setup", WITHOUT_SIGNALS)
def test_rows_play_the_games_of_a_simulation(setup: Any) -> None:
    """Random moves of single matches, made in the rows, end as in `simulate`.

    An action means any of several equal cards. A row that makes another of them ends as its match does.
    """
    batch, rows = Batch(setup, games=4, seed=11, threads=2), range(4)
    ledger = blank_ledger(64, int(setup.rules[0].sides))
    play_chunk(seat_strategies(setup, ["random"]), 11, 0, 64, ledger=ledger)
    step = batch.reset()
    matches = [Match(setup, 11, int(batch.deals[row])) for row in rows]
    ended, same_cards = 0, np.ones(4, bool)
    while ended < 6:
        actions, playing = np.zeros(4, np.int64), batch.deals.copy()
        for row in rows:
            move, seat = matches[row].random_move(), matches[row].to_move()
            legal = np.flatnonzero(step.mask[row])
            assert step.seat[row] == seat
            assert np.array_equal(step.observation[row], matches[row].observe(seat))
            kinds = {matches[row].seen(other, seat)[1] for other in matches[row].moves()}
            assert len(kinds) == len(legal)
            kind = matches[row].seen(move, seat)[1]
            same = [action for action in legal if matches[row].seen(batch.move(row, action), seat)[1] == kind]
            assert len(same) == 1
            actions[row], made = same[0], batch.move(row, same[0])
            same_cards[row] &= made == move
            matches[row].apply(made)
        step = batch.step(actions)
        for row in rows:
            assert step.finished[row] == (matches[row].to_move() < 0)
            if step.finished[row]:
                won = matches[row].result()["shares"]
                if same_cards[row]:
                    assert won == [side["share"] for side in ledger[playing[row]]]
                shares = [won[side] for side in setup.rules[0].side[: setup.players]]
                assert step.reward[row].tolist() == pytest.approx([share / WIN for share in shares])
                assert batch.deals[row] > playing[row]
                matches[row] = Match(setup, 11, int(batch.deals[row]))
                ended, same_cards[row] = ended + 1, True
            else:
                assert not step.reward[row].any()


@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game: str) -> None:
    batches = [Batch(game, games=7, seed=2, threads=threads) for threads in (1, 3)]
    steps = [batch.reset() for batch in batches]
    for _ in range(60):
        for one, other in zip(*steps, strict=True):
            assert np.array_equal(one, other)
        steps = [batch.step(first_legal(step)) for batch, step in zip(batches, steps, strict=True)]


def test_others_leave_one_seat_to_the_learner() -> None:
    batch = Batch("land-unter", players=3, games=6, seed=1, others="thumb")
    step, ended = batch.reset(), 0
    while ended < 20:
        assert step.seat.tolist() == (batch.deals % 3).tolist()
        step = batch.step(first_legal(step))
        ended += int(step.finished.sum())
        assert step.reward.sum() == pytest.approx(step.finished.sum())


def test_utility_rewards_points_as_well() -> None:
    batch, won = Batch("wave", players=3, games=8, seed=1, reward="utility"), list[float]()
    step = batch.reset()
    while len(won) < 20:
        step = batch.step(first_legal(step))
        won += step.reward[step.finished, 0].tolist()
    assert 0 < min(won) < max(won) <= 1


def test_parts_name_every_number() -> None:
    batch = Batch("wave", players=3, games=2, seed=1)
    step = batch.reset()
    assert batch.parts["seat"] == slice(0, 1)
    assert max(part.stop for part in batch.parts.values()) == batch.size
    top = step.observation[0, batch.parts["top"]]
    assert top.tolist().index(1) == int(batch.match(0).state.top)


def test_mistakes_are_refused() -> None:
    batch = Batch("wave", players=3, games=2, seed=1)
    with pytest.raises(InputError, match=r"call reset\(\) first"):
        batch.step([0, 0])
    step = batch.reset()
    legal = first_legal(step)
    with pytest.raises(InputError, match="an array of 2 whole numbers is needed"):
        batch.step(legal[:1])
    with pytest.raises(InputError, match="game 1: action -1 is not legal; allowed: "):
        batch.step([legal[0], -1])
    with pytest.raises(InputError, match="unknown reward 'points'; allowed: win, utility"):
        Batch("wave", reward="points")
    with pytest.raises(InputError, match="thinks ahead; allowed: random and thumb"):
        Batch("wave", others="flat:20")


def test_a_game_without_a_list_of_actions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    shed_by_hand.make_known(monkeypatch)
    with pytest.raises(InputError, match=r"^shed: a batch needs action_kinds\(setup, seat\) of the game$"):
        Batch(make_setup("shed", 3))
