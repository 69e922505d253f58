"""Every game as a PettingZoo environment, seat by seat (AEC): `pip install 'houle[rl]'`.

    from houle.analysis.adapters.pettingzoo import env
    wave = env("wave", players=3)
    wave.reset(seed=1)

Agents are `seat_0`, `seat_1`, ...: Python counts from 0. An observation is what the seat knows as a vector of fixed
length (knowledge_vector.py) and a mask of actions. Action i is the i-th of the moves that are possible now, in the
game's order; `infos[agent]["moves"]` has their names, as the seat sees them. The reward comes at the end: the share of
the win of the seat's side, 1 for all of a team that wins together, 0 for a draw.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from houle.analysis.adapters.knowledge_vector import SIZE, knowledge_vector
from houle.analysis.sampling.lineups import setup as make_table
from houle.solver.interface import WIN
from houle.solver.match import Match
from houle.solver.record.position import move_name, write_position
from houle.solver.ruleset import Setup


def env(game: str | Setup, size: int = SIZE, **table: Any) -> AECEnv:
    """An environment with PettingZoo's usual guards; `table` as for `houle.setup`: players, variants, set, rules."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(game, size, **table)))


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 # PettingZoo's name for an environment without guards
    """One table; every reset deals the next game of the seed."""

    metadata = {"render_modes": ["ansi"], "name": "houle", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str | Setup, size: int = SIZE, **table: Any) -> None:
        super().__init__()
        self.setup = make_table(game, **table) if isinstance(game, str) else game
        self.size, self.render_mode = size, "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setup.players)]
        self.agents: list[str] = []
        self._most = int(self.setup.game.MAX_MOVES)
        self._seed, self._game = secrets.randbits(63), -1
        # A space for every agent: sampling from one must not move another's luck.
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
        """Deals the next game; with a seed the first game of that seed."""
        self._seed, self._game = (self._seed, self._game + 1) if seed is None else (seed, 0)
        self._table = Match(self.setup, self._seed, self._game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def _look(self) -> None:
        """Whose turn it is and what can be done; at the end, who has won."""
        seat = self._table.to_move()
        self._moves = self._table.moves() if seat >= 0 else []
        if seat < 0:
            self._finish()
            return
        self.agent_selection = self.possible_agents[seat]
        names = [move_name(self._table, action, seat) for action in self._moves]
        self.infos[self.agent_selection] = {"moves": names}

    def _finish(self) -> None:
        shares, sides = self._table.result()["shares"], self.setup.rules[0].side
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = shares[int(sides[seat])] / WIN
            self.terminations[agent] = True
            self.infos[agent] = {"moves": []}

    def observe(self, agent: str) -> dict[str, Any]:
        """What the seat knows, nothing when the game is over; a seat that is not to move can do nothing."""
        seat, mover = self.possible_agents.index(agent), self._table.to_move()
        mask = np.zeros(self._most, np.int8)
        if mover == seat:
            mask[: len(self._moves)] = 1
        known = knowledge_vector(self._table, seat, self.size) if mover >= 0 else np.zeros(self.size, np.float32)
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
        self._table.apply(self._moves[int(action)])
        self._look()
        self._accumulate_rewards()

    def render(self) -> str:
        """What the seat to move knows, a place a line."""
        return "" if self._table.to_move() < 0 else write_position(self._table).as_text()

    def close(self) -> None: ...
