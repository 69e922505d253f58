"""Find the expert of a game that has none: a search whose caution fits the game, or the rules of thumb themselves.

A search that is too bold for a game loses to the rules of thumb it plays out with. So searches with several cautions
and the thumb play the same training deals, and the best of them becomes the expert. The number of deals and the seed
are fixed, so everybody finds the same one. It is found once and kept (players/experts.py). Classes in plain Python are
too slow for this and get the search of all games.
"""

from __future__ import annotations

from dataclasses import replace

from houle.analysis.players.experts import keep_expert, kept_expert
from houle.analysis.players.read_players import expert_of_game, expert_strategy
from houle.analysis.run_options import Progress, RunSpec
from houle.analysis.tuning.tune_search import Candidates
from houle.analysis.tuning.tuning_run import Stretches, TuningTask, thumb
from houle.solver.errors import InputError
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup

GAMES, SEED = 40, 3_000  # games that each of them plays
TRIED = "flat:20"  # one caution suits all budgets, so what suits 20 worlds suits the 200 of the expert
CAUTIONS = (0.0, 0.3, 1.0, 3.0, 10.0)


def find_expert(setup: Setup, progress: Progress | None = None) -> str:
    """The expert of a setup. A game that has none gets one: the best of some searches and the thumb."""
    usual = expert_strategy(setup)
    if expert_of_game(setup) or kept_expert(setup) or not setup.game.is_compiled:
        return usual
    try:
        present = weights_entry(parse("thumb"), setup)
    except InputError:  # no rules of thumb: nothing to search with
        return usual
    task = TuningTask(setup, RunSpec(GAMES, SEED, progress=progress))
    task = replace(task, spec=task.spec.but(games=max(2, GAMES // task.plays)))
    tried = Candidates(Stretches(task), parse(TRIED), present)
    noise = tried.present_settings[1]
    dealt = tried.play([thumb(dict(present["weights"])), *(tried.player(caution, noise) for caution in CAUTIONS)], 0)
    best = max(range(len(dealt.plays)), key=lambda arm: task.objective(dealt, arm))
    found = "thumb" if best == 0 else f"{usual}[caution={CAUTIONS[best - 1]:g}]"
    keep_expert(setup, found)
    return found
