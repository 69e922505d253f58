"""`python -m tests.analysis.adapters.speed`: random steps per second of CPU time in every environment."""

from __future__ import annotations

import time

import numpy as np

from houle.analysis.adapters.pettingzoo import env
from houle.solver.rules import game_names

SECONDS = 2.0


def steps_per_second(game: str) -> float:
    environment, luck = env(game), np.random.default_rng(1)
    steps, start, seed = 0, 0.0, 0
    while seed < 2 or time.process_time() - start < SECONDS:
        environment.reset(seed=seed)
        for _ in environment.agent_iter():
            observation, _, over, _, _ = environment.last()
            environment.step(None if over else luck.choice(np.flatnonzero(observation["action_mask"])))
            steps += 1
        if not seed:  # the first game loads kernels
            steps, start = 0, time.process_time()
        seed += 1
    return steps / (time.process_time() - start)


if __name__ == "__main__":
    for name in game_names():
        print(f"{name}: {steps_per_second(name):,.0f} steps per second")
