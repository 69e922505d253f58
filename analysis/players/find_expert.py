"""Find the expert of a game that has none: the best of some searches and the thumb.

A search scores a move by its gains in imagined worlds plus `caution` times its rating by the rules of thumb
(best_move_race.py). The best caution depends on the game: on how good its rules of thumb are, and on whether partners
rely on them. Candidates play the same training deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from houle.analysis.players.experts import keep_expert, kept_expert
from houle.analysis.players.line_ups import expert_of_game, expert_strategy
from houle.analysis.players.tuning_run import Stretches, TuningTask, thumb
from houle.analysis.run_options import OnGames, RunSpec
from houle.solver.errors import StrategyError
from houle.solver.players.kinds import MILLI
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import player_record, weights_entry
from houle.solver.rules import Setup

GAMES, SEED = 40, 3_000  # games that each of them plays
TRIED = "flat:20"  # one caution suits all budgets, so what suits 20 worlds suits the 200 of the expert
CAUTIONS = (0.0, 0.3, 1.0, 3.0, 10.0)


def find_expert(setup: Setup, progress: OnGames | None = None) -> str:
    """The expert of a setup. A game that has none gets one: the best of some searches and the thumb."""
    usual = expert_strategy(setup)
    if expert_of_game(setup) or kept_expert(setup) or not setup.game.is_compiled:
        return usual
    try:
        present = weights_entry(parse("thumb"), setup)
    except StrategyError:  # no rules of thumb: nothing to search with
        return usual
    task = TuningTask(setup, RunSpec(GAMES, SEED, progress=progress))
    task = replace(task, spec=task.spec.but(games=max(2, GAMES // task.plays)))
    candidates = [thumb(dict(present["weights"])), *(_search(setup, present, caution) for caution in CAUTIONS)]
    arms = [task.arm(candidate) for candidate in candidates]
    dealt = Stretches(task).play(arms, task.seed, "finding the expert")
    best = max(range(len(arms)), key=lambda arm: task.objective(dealt, arm))
    found = "thumb" if best == 0 else f"{usual}[caution={CAUTIONS[best - 1]:g}]"
    keep_expert(setup, found)
    return found


def _search(setup: Setup, present: Mapping[str, Any], caution: float) -> Strategy:
    """The search that is tried, with a caution; the players that it imagines slip as they usually do."""
    search = parse(TRIED)
    noise = float(player_record(search, setup)[0].noise) / MILLI
    return replace(search, entry={**present, "caution": caution, "noise": noise})
