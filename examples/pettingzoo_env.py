"""A game as a PettingZoo environment: seats act one after another (AEC), each move of a game is an action.

    pip install houle pettingzoo
    wave = env("wave", players=3)
    wave.reset(seed=1)

It is a `houle.Match` behind PettingZoo's interface; copy this file and change what your learner needs. An observation
is all that the seat knows, as numbers, with seats counted from it; zeros when the game is over. An action is a place in
the list of legal moves, and `move_names()` says what each does. The reward comes at the end: the share of the win of
the seat's side. PettingZoo's own tests pass for all five games (tests/examples/test_pettingzoo.py).
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import houle

MOST = np.iinfo(np.int64).max


def env(game: str | houle.Setup, **setup: Any) -> AECEnv:
    """A game with PettingZoo's guards; `setup` is `players`, `variants`, `set` and `rules`, as for `houle.setup`."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(Environment(game, **setup)))


class Environment(AECEnv):
    """One setup. Every reset deals the next game of the seed, the same cards as `houle trace GAME --seed SEED`."""

    metadata = {"render_modes": ["ansi"], "name": "houle", "is_parallelizable": False}  # noqa: RUF012 # PettingZoo's form

    def __init__(self, game: str | houle.Setup, **setup: Any) -> None:
        super().__init__()
        self.setup = houle.setup(game, **setup) if isinstance(game, str) else game
        self.match = houle.Match(self.setup)
        self.seed, self.next_game, self.render_mode = secrets.randbits(63), 0, "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setup.players)]
        self.agents: list[str] = []
        self.size, self.most = len(self.match.known(0).numbers), int(self.setup.game.MAX_MOVES)
        # One space per agent: sampling from one must not change the luck of another.
        self._observations = {agent: self._make_space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self.most) for agent in self.possible_agents}

    def _make_space(self) -> spaces.Dict:
        known = spaces.Box(-MOST, MOST, (self.size,), np.int64)
        return spaces.Dict({"observation": known, "action_mask": spaces.Box(0, 1, (self.most,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals the next game, or the first game of a given seed. Deals that are over at once are left out."""
        self.seed, self.next_game = (self.seed, self.next_game) if seed is None else (seed, 0)
        while True:
            self.match = houle.Match(self.setup, self.seed, self.next_game)
            self.next_game += 1
            if not self.match.is_over:
                break
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[self.match.to_move()]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """What the seat knows, and its legal actions (none out of turn)."""
        mask, known = np.zeros(self.most, np.int8), np.zeros(self.size, np.int64)
        if not self.match.is_over:
            known = self.match.known(self.possible_agents.index(agent)).numbers
            mask[: len(self.match.moves()) if agent == self.agent_selection else 0] = 1
        return {"observation": known, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        names = self.match.legal_moves
        if action is None or not 0 <= action < len(names):
            raise ValueError(f"{agent}: action {action} is not legal; allowed: 0 to {len(names) - 1}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.apply(self.match.moves()[int(action)])
        if self.match.is_over:
            self.rewards = dict(zip(self.possible_agents, self.match.shares(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.match.to_move()]
        self._accumulate_rewards()

    def move_names(self) -> list[str]:
        """The name of every legal action."""
        return self.match.legal_moves

    def render(self) -> str:
        """What the player to move knows, as text."""
        return "" if self.match.is_over else self.match.position()

    def close(self) -> None: ...
