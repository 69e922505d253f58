"""examples/pettingzoo_env.py: PettingZoo's own tests, rewards, and impossible actions."""

from __future__ import annotations

import io
import runpy
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")

from pettingzoo.test import api_test, seed_test

import houle
from houle.solver.rules import game_names

pytestmark = pytest.mark.compiled

env: Any = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "pettingzoo_env.py"))["env"]


def paid(game: str, seed: int, **setup: Any) -> list[tuple[str, float]]:
    """A whole game of random moves: what every seat is paid at its end."""
    environment, rewards = env(game, **setup), []
    environment.reset(seed=seed)
    luck = np.random.default_rng(seed)
    for agent in environment.agent_iter():
        observation, reward, over, _, _ = environment.last()
        legal = np.flatnonzero(observation["action_mask"])
        assert over or len(legal) > 0
        if over:
            rewards.append((agent, reward))
        environment.step(None if over else int(luck.choice(legal)))
    return rewards


@pytest.mark.parametrize("game", game_names())
def test_pettingzoos_own_tests_pass(game: str) -> None:
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.filterwarnings("ignore", "Observation is not")  # it expects arrays, not a dict with a mask
        warnings.filterwarnings("ignore", ".*observation space.*")
        api_test(env(game), num_cycles=60)
        seed_test(lambda: env(game), num_cycles=20)


def test_winners_share_the_reward() -> None:
    """Land Unter has one winner or several; rewards come once, at the end."""
    for seed in range(1, 6):
        rewards = paid("land-unter", seed)
        assert len(rewards) == 3
        assert sum(reward for _, reward in rewards) == pytest.approx(1)


def test_partners_get_the_reward_of_their_team() -> None:
    """Partners sit across: seats 0 and 2 against 1 and 3."""
    won = set()
    for seed in range(1, 5):
        of = dict(paid("sea-change", seed, players=4, variants="2v2"))
        assert of["seat_0"] == of["seat_2"] == 1 - of["seat_1"] == 1 - of["seat_3"]
        won.add(of["seat_0"])
    assert won == {0.0, 1.0}


def test_impossible_actions_are_refused() -> None:
    environment = env("wave", players=3)
    environment.reset(seed=1)
    agent, names = environment.agent_selection, environment.unwrapped.move_names()
    assert environment.last()[0]["action_mask"].sum() == len(names)
    with pytest.raises(ValueError, match=f"{agent}: action {len(names)} is not legal; allowed: 0 to {len(names) - 1}"):
        environment.step(len(names))


def test_every_reset_deals_the_next_game() -> None:
    environment = env("land-unter", players=3)
    environment.reset(seed=3)
    for number in range(3):
        dealt = houle.Match("land-unter", seed=3, number=number, players=3).known(0).numbers
        assert np.array_equal(environment.observe("seat_0")["observation"], dealt)
        environment.reset()


def test_waiting_seats_see_only_their_own() -> None:
    environment = env("sea-change", players=3)
    environment.reset(seed=1)
    match = environment.unwrapped.match
    for seat, agent in enumerate(environment.agents):
        seen = environment.observe(agent)
        assert np.array_equal(seen["observation"], match.known(seat).numbers)
        assert seen["action_mask"].any() == (agent == environment.agent_selection)
