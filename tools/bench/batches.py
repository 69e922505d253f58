"""How many decisions a second learners get: the batch, beside the PettingZoo environment on the same moves."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from houle.analysis.adapters.batch import Batch
from houle.solver.os_calls import default_threads
from houle.solver.rules import load, make_setup
from tools.bench.timing import repeated, spread, timed

GAMES, STEPS = 1024, 100
SINGLE_STEPS = 300  # of the PettingZoo environment


def bench_batches(names: list[str], repeats: int) -> dict[str, Any]:
    """Decisions per second of each game, with the first legal action: on all cores, on one, and by PettingZoo."""
    setups = [make_setup(name, load(name).bench["players"]) for name in names]
    batches = [[Batch(setup, games=GAMES, threads=threads) for threads in (default_threads(), 1)] for setup in setups]
    for row in batches:
        for batch in row:
            batch.reset()

    def turn() -> list[dict[str, float]]:
        return [
            {"all": _rate(every), "one": _rate(one), "pettingzoo": _rate_of_pettingzoo(one)} for every, one in batches
        ]

    turns = repeated(repeats, turn)
    rows = [
        {
            "game": setup.ruleset.name,
            "players": setup.players,
            "numbers": batches[i][0].size,
            "actions": batches[i][0].actions,
            **{what: spread([turn[i][what] for turn in turns]) for what in ("all", "one", "pettingzoo")},
        }
        for i, setup in enumerate(setups)
    ]
    return {"rows": rows, "repeats": repeats, "games": GAMES, "threads": default_threads(), "load": os.getloadavg()[0]}


def _rate(batch: Batch) -> float:
    """Decisions per second, choosing included."""
    mask = batch.reset().mask

    def play() -> None:
        for _ in range(STEPS):
            batch.step(mask.argmax(axis=1))

    return GAMES * STEPS / timed(play)[0]


def _rate_of_pettingzoo(batch: Batch) -> float:
    """The same of the environment; 0 where PettingZoo is not installed."""
    try:
        from houle.analysis.adapters.pettingzoo import env
    except ImportError:
        return 0.0
    environment, decisions = env(batch.setup), 0
    environment.reset(seed=1)

    def play() -> None:
        nonlocal decisions
        while decisions < SINGLE_STEPS:
            environment.reset()
            for _ in environment.agent_iter():
                observation, _, over, _, _ = environment.last()
                environment.step(None if over else int(np.argmax(observation["action_mask"])))
                decisions += not over

    seconds = timed(play)[0]
    return decisions / seconds


def describe(report: dict[str, Any]) -> str:
    lines = [
        f"decisions per second, median (range) of {report['repeats']}; {report['games']} games at a time, "
        f"load {report['load']:.1f}",
        f"{'game':<15}{'players':>8}{'numbers':>9}{'actions':>9}{str(report['threads']) + ' threads':>34}"
        f"{'1 thread':>34}{'PettingZoo':>12}",
    ]
    for row in report["rows"]:
        both = "".join(
            f"{rate['median']:>14,.0f}{'({:,.0f} to {:,.0f})'.format(rate['low'], rate['high']):>20}"
            for rate in (row["all"], row["one"])
        )
        counts = f"{row['players']:>8}{row['numbers']:>9}{row['actions']:>9}"
        lines.append(f"{row['game']:<15}{counts}{both}{row['pettingzoo']['median']:>12,.0f}")
    return "\n".join(lines)
