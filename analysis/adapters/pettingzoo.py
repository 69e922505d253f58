"""Every game as a PettingZoo environment, seat by seat (AEC): `pip install 'houle[rl]'`.

    wave = houle.env("wave", players=3)
    wave.reset(seed=1)

It is a batch (batch.py) of one game, with its observations and actions. Agents are `seat_0`, `seat_1`, ...: Python
counts from 0. The reward comes at the end: the share of the win of the seat's side, 1 for every member of a winning
team, 0 for a draw.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from houle.analysis.adapters.batch import Batch
from houle.solver.cards.write_numbers import MOST
from houle.solver.matches.record.position import move_name, write_position
from houle.solver.rules import Setup


def env(game: str | Setup, **setup: Any) -> AECEnv:
    """A game as an environment of PettingZoo, with its usual guards.

    Parameters
    ----------
    game : str or Setup
        Name of a game, or a setup.
    **setup
        `players`, `variants`, `set` and `rules`, as for `houle.setup`.

    Returns
    -------
    AECEnv
        Every reset deals another game.

    Examples
    --------
    >>> import houle
    >>> houle.env("wave", players=3).possible_agents
    ['seat_0', 'seat_1', 'seat_2']
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(game, **setup)))


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 # PettingZoo's name for an environment without guards
    """One setup; every reset deals the next game of the seed."""

    metadata = {"render_modes": ["ansi"], "name": "houle", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str | Setup, **setup: Any) -> None:
        super().__init__()
        self.batch = Batch(game, games=1, seed=secrets.randbits(63), threads=1, **setup)
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(self.batch.setup.players)]
        self.agents: list[str] = []
        self._next, self._over = 0, False
        # One space per agent: sampling from one must not change the luck of another.
        self._observations = {agent: self._make_space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self.batch.actions) for agent in self.possible_agents}

    def _make_space(self) -> spaces.Dict:
        known = spaces.Box(-MOST, MOST, (self.batch.size,), np.int16)
        return spaces.Dict({"observation": known, "action_mask": spaces.Box(0, 1, (self.batch.actions,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next game, or the first game of a given seed. Deals that are over at once are left out."""
        self._see(self.batch.reset(seed, first=self._next if seed is None else 0))
        self._next, self._over = int(self.batch.deals[0]) + 1, False
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def _see(self, step: Any) -> None:
        self._step, self.agent_selection = step, self.possible_agents[int(step.seat[0])]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the seat knows (zeros when the game is over), and its legal actions (none out of turn)."""
        mask, known = np.zeros(self.batch.actions, np.int8), np.zeros(self.batch.size, np.int16)
        if not self._over and agent == self.agent_selection:
            mask[:], known[:] = self._step.mask[0], self._step.observation[0]
        elif not self._over:
            known = self.batch.match(0).observe(self.possible_agents.index(agent))
        return {"observation": known, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < self.batch.actions or not self._step.mask[0, int(action)]:
            allowed = ", ".join(map(str, np.flatnonzero(self._step.mask[0])))
            raise ValueError(f"{agent}: action {action} is not legal; allowed: {allowed}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        step = self.batch.step([int(action)])
        if step.finished[0]:
            self._over = True
            self.rewards = dict(zip(self.possible_agents, step.reward[0].tolist(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._see(step)
        self._accumulate_rewards()

    def move_names(self) -> dict[int, str]:
        """The legal actions, each with its name as the seat to move sees it."""
        if self._over:
            return {}
        match, seat = self.batch.match(0), int(self._step.seat[0])
        legal = (int(action) for action in np.flatnonzero(self._step.mask[0]))
        return {action: move_name(match, self.batch.move(0, action), seat) for action in legal}

    def render(self) -> str:
        """What the player to move knows, as text."""
        return "" if self._over else write_position(self.batch.match(0)).as_text()

    def close(self) -> None: ...
