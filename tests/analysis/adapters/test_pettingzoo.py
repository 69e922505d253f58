"""All games as PettingZoo environments: PettingZoo's own tests, rewards, and impossible actions."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (houle[rl])")

from pettingzoo.test import api_test, seed_test

from houle.analysis.adapters.batch import Batch
from houle.analysis.adapters.pettingzoo import env

pytestmark = pytest.mark.compiled

# A team and rivals in the ordinary run. test_batch.py compares the numbers of every game with its matches.
ORDINARY, OTHERS = ("land-unter", "wave"), ("sea-change", "vague-verte", "vague-attaque")
GAMES = [*ORDINARY, *(pytest.param(game, marks=pytest.mark.slow) for game in OTHERS)]


def playing(game: str, seed: int, **setup: Any) -> Any:
    """A whole game of random moves; yields rewards as agents get them."""
    environment = env(game, **setup)
    environment.reset(seed=seed)
    luck = np.random.default_rng(seed)
    for agent in environment.agent_iter():
        observation, reward, over, _, _ = environment.last()
        yield agent, reward, over
        mask = observation["action_mask"]
        assert over or mask.sum() > 0
        environment.step(None if over else int(luck.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_tests_pass(game: str) -> None:
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.filterwarnings("ignore", "Observation is not")  # it expects arrays, not a dict with a mask
        warnings.filterwarnings("ignore", ".*observation space.*")
        api_test(env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_one_seed_one_game(game: str) -> None:
    with redirect_stdout(io.StringIO()):
        seed_test(lambda: env(game), num_cycles=20)


def test_winners_share_the_reward() -> None:
    """Land Unter has one winner or several; rewards come once, at the end."""
    for seed in range(1, 6):
        paid = [(agent, reward) for agent, reward, over in playing("land-unter", seed) if over]
        assert len(paid) == 3
        assert sum(reward for _, reward in paid) == pytest.approx(1)


def test_teams_win_or_lose_together() -> None:
    for seed in range(1, 4):
        paid = {reward for _, reward, over in playing("wave", seed) if over}
        assert len(paid) == 1
        assert paid <= {0.0, 1.0}


def test_partners_get_the_reward_of_their_team() -> None:
    """Partners sit across: seats 0 and 2 against 1 and 3."""
    won = set()
    for seed in range(1, 5):
        paid = {agent: reward for agent, reward, over in playing("sea-change", seed, players=4, variants="2v2") if over}
        assert paid["seat_0"] == paid["seat_2"] == 1 - paid["seat_1"] == 1 - paid["seat_3"]
        won.add(paid["seat_0"])
    assert won == {0.0, 1.0}


def test_impossible_actions_are_refused() -> None:
    environment = env("wave", players=3)
    environment.reset(seed=1)
    agent, names = environment.agent_selection, environment.unwrapped.move_names()
    assert list(names) == np.flatnonzero(environment.last()[0]["action_mask"]).tolist()
    wrong = next(action for action in range(environment.action_space(agent).n) if action not in names)
    allowed = ", ".join(map(str, names))
    with pytest.raises(ValueError, match=f"{agent}: action {wrong} is not legal; allowed: {allowed}"):
        environment.step(wrong)


def test_every_reset_deals_the_next_game() -> None:
    environment = env("land-unter", players=3)
    environment.reset(seed=3)
    batch = Batch("land-unter", players=3, games=3, seed=3)
    for dealt in batch.reset().observation:
        assert np.array_equal(environment.last()[0]["observation"], dealt)
        environment.reset()


def test_waiting_seats_see_only_their_own() -> None:
    environment = env("sea-change", players=3)
    environment.reset(seed=1)
    match = environment.unwrapped.batch.match(0)
    for seat, agent in enumerate(environment.agents):
        seen = environment.observe(agent)
        assert np.array_equal(seen["observation"], match.observe(seat))
        assert seen["action_mask"].any() == (agent == environment.agent_selection)
