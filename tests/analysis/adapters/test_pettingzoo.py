"""All games as PettingZoo environments: PettingZoo's own tests, rewards, and what is not possible."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (houle[rl])")

from pettingzoo.test import api_test, seed_test

from houle.analysis.adapters.pettingzoo import env

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]


def playing(game: str, seed: int) -> Any:
    """A whole game of random moves; yields rewards as agents get them."""
    table = env(game)
    table.reset(seed=seed)
    luck = np.random.default_rng(seed)
    for agent in table.agent_iter():
        observation, reward, over, _, info = table.last()
        yield agent, reward, over
        mask = observation["action_mask"]
        assert over or len(info["moves"]) == mask.sum() > 0
        table.step(None if over else int(luck.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_finds_no_fault(game: str) -> None:
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.filterwarnings("ignore", "Observation is not")  # it likes arrays better than a dict with a mask
        warnings.filterwarnings("ignore", ".*observation space.*")
        api_test(env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_one_seed_one_game(game: str) -> None:
    with redirect_stdout(io.StringIO()):
        seed_test(lambda: env(game), num_cycles=20)


def test_the_win_is_shared_among_those_who_won() -> None:
    """Land Unter has one winner or several; a share is paid once, at the end."""
    for seed in range(1, 6):
        paid = [(agent, reward) for agent, reward, over in playing("land-unter", seed) if over]
        assert len(paid) == 3
        assert sum(reward for _, reward in paid) == pytest.approx(1)


def test_surfers_win_or_lose_together() -> None:
    for seed in range(1, 4):
        paid = {reward for _, reward, over in playing("wave", seed) if over}
        assert len(paid) == 1
        assert paid <= {0.0, 1.0}


def test_an_action_that_is_not_possible_is_named() -> None:
    table = env("wave", players=3)
    table.reset(seed=1)
    most = len(table.infos[table.agent_selection]["moves"])
    with pytest.raises(ValueError, match=f"seat_0: action {most} is not possible; allowed: 0 to {most - 1}"):
        table.step(most)
