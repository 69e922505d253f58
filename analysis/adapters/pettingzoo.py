"""Every game as a PettingZoo environment, seat by seat (AEC): `pip install 'houle[rl]'`.

    from houle.analysis.adapters.pettingzoo import env
    wave = env("wave", players=3)
    wave.reset(seed=1)

Agents are `seat_0`, `seat_1`, ...: Python counts from 0. An observation is what the seat knows as a vector of fixed
length (knowledge_vector.py) and a mask of actions. Action i is the i-th possible move in the order of the game;
`infos[agent]["moves"]` holds their names as the seat sees them. The reward comes at the end: the share of the win of
the seat's side, 1 for every member of a winning team, 0 for a draw.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from houle.analysis.adapters.knowledge_vector import SIZE, knowledge_vector
from houle.analysis.sampling.lineups import setup as make_setup
from houle.solver.interface import WIN
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import move_name, write_position
from houle.solver.rules import Setup


def env(game: str | Setup, size: int = SIZE, **setup: Any) -> AECEnv:
    """An environment with PettingZoo's usual guards; `setup` as for `houle.setup`: players, variants, set, rules."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(game, size, **setup)))


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 # PettingZoo's name for an environment without guards
    """One setup; every reset deals the next game of the seed."""

    metadata = {"render_modes": ["ansi"], "name": "houle", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str | Setup, size: int = SIZE, **setup: Any) -> None:
        super().__init__()
        self.setup = make_setup(game, **setup) if isinstance(game, str) else game
        self.size, self.render_mode = size, "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setup.players)]
        self.agents: list[str] = []
        self._most = int(self.setup.game.MAX_MOVES)
        self._seed, self._game = secrets.randbits(63), -1
        # One space per agent: sampling from one must not change the luck of another.
        self._observations = {agent: self._make_space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self._most) for agent in self.possible_agents}

    def _make_space(self) -> spaces.Dict:
        vector = spaces.Box(-np.inf, np.inf, (self.size,), np.float32)
        return spaces.Dict({"observation": vector, "action_mask": spaces.Box(0, 1, (self._most,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next game, or the first game of a given seed."""
        self._seed, self._game = (self._seed, self._game + 1) if seed is None else (seed, 0)
        self._match = Match(self.setup, self._seed, self._game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def _look(self) -> None:
        """Note whose turn it is and what is possible; at the end, who has won."""
        seat = self._match.to_move()
        self._moves = self._match.moves() if seat >= 0 else []
        if seat < 0:
            self._finish()
            return
        self.agent_selection = self.possible_agents[seat]
        names = [move_name(self._match, action, seat) for action in self._moves]
        self.infos[self.agent_selection] = {"moves": names}

    def _finish(self) -> None:
        shares, sides = self._match.result()["shares"], self.setup.rules[0].side
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = shares[int(sides[seat])] / WIN
            self.terminations[agent] = True
            self.infos[agent] = {"moves": []}

    def observe(self, agent: str) -> dict[str, Any]:
        """What the seat knows (zeros when the game is over), and its possible actions (none out of turn)."""
        seat, mover = self.possible_agents.index(agent), self._match.to_move()
        mask = np.zeros(self._most, np.int8)
        if mover == seat:
            mask[: len(self._moves)] = 1
        known = knowledge_vector(self._match, seat, self.size) if mover >= 0 else np.zeros(self.size, np.float32)
        return {"observation": known, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < len(self._moves):
            raise ValueError(f"{agent}: action {action} is not possible; allowed: 0 to {len(self._moves) - 1}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._match.apply(self._moves[int(action)])
        self._look()
        self._accumulate_rewards()

    def render(self) -> str:
        """What the player to move knows, as text."""
        return "" if self._match.to_move() < 0 else write_position(self._match).as_text()

    def close(self) -> None: ...
