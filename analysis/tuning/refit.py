"""Players fitted to a setup: rules of thumb were tuned for printed rules, and may play badly in your own variant.

`refit` tunes the weights to a setup, on training seeds that no evaluation uses, and keeps them in the user's cache, by
the digest of the setup. `refit_gain` is a short try that says whether this would matter.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import as_setup
from houle.analysis.run_options import RunOptions
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tuning.search import tune
from houle.analysis.tuning.tuning_run import TuningInterrupted
from houle.solver.errors import InputError
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup, digest, printed
from houle.solver.rules.files import write_whole

MATTERS = {"win": 0.01, "score": 0.1}  # of a win or of a point: a smaller gain is not worth a sentence


@dataclass(frozen=True)
class RefitBudget:
    """How long to tune; a slow game plays fewer deals."""

    generations: int
    population: int
    games: int


WHOLE, SHORT = RefitBudget(30, 14, 1_000), RefitBudget(10, 10, 1_000)
LEAST_GAMES = 40


@checked
def refit(setup: Setup | str, **run: Unpack[RunOptions]) -> Setup:
    """Tune the rules of thumb to a setup: the same setup, in which all players use the new weights.

    Parameters
    ----------
    **run
        `threads`, `device`, `progress`: see `houle.RunOptions`.

    Returns
    -------
    Setup
        The setup with its weights in `.refit`, or as it was if no better weights were found. Found weights are kept
        in the cache.

    Examples
    --------
    >>> import houle
    >>> storm = houle.refit(houle.setup("wave", set={"hand.front": 4}))  # doctest: +SKIP
    >>> houle.difficulty(storm).verdict  # doctest: +SKIP
    """
    played = as_setup(setup)
    entry = _tuned(played, WHOLE, run)
    return replace(played, refit=entry) if entry else played


def refit_gain(setup: Setup, **run: Unpack[RunOptions]) -> Estimate | None:
    """What a short tuning gains in your own variant; None for printed rules, and where the gain is not certain."""
    if setup.refit or setup.digest == printed(setup).digest:
        return None
    entry = _tuned(setup, SHORT, run)
    gain = Goal(setup).gain_of(*entry["gain"]) if entry else None
    return gain if gain and abs(gain.value) >= MATTERS[setup.goal] else None


def warning(setup: Setup, gain: Estimate) -> str:
    """What to say about a setup whose players are worth refitting."""
    goal = Goal(setup)
    more = "more" if goal.sign > 0 else "less"
    rivals = "" if setup.one_sided else " against the present ones"
    return (
        f"the players were made for the printed rules; rules of thumb fitted to this variant {goal.verb} "
        f"{more}{rivals}, {goal.says(gain)} in a short try. To play with them, add --refit"
    )


def _tuned(setup: Setup, budget: RefitBudget, run: RunOptions) -> dict[str, Any]:
    """The entry of tuned weights, from the cache or found now; empty if there is none that is certainly better."""
    try:
        present = weights_entry(parse("thumb"), replace(setup, refit={}))
    except InputError:
        return {}
    games = max(LEAST_GAMES, round(budget.games * setup.ruleset.report_share.get("games", 1.0)))
    length = [budget.generations, budget.population, games]
    what = {"rules": setup.digest, "present": present["weights"], "budget": length}
    file = cache_folder() / f"{digest(what)}.json"
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        pass
    try:
        result = tune(
            replace(setup, refit={}), generations=budget.generations, population=budget.population, games=games,
            check_games=100, threads=run.get("threads"), device=run.get("device"), progress=run.get("progress"),
        )  # fmt: skip
    except TuningInterrupted:
        raise KeyboardInterrupt from None
    better = result.better
    entry: dict[str, Any] = {}
    if better is not None and result.improved:
        entry = {"name": "thumb", **result.kept, "weights": result.weights}
        entry["gain"] = [better.value, better.low, better.high, better.n]
    write_whole(file, lambda beside: beside.write_text(json.dumps(entry), encoding="utf-8"))
    return entry


def cache_folder() -> Path:
    """Where refitted weights are kept: `refits` in HOULE_CACHE_DIR, or in houle of the user's cache."""
    if chosen := os.environ.get("HOULE_CACHE_DIR"):
        return Path(chosen) / "refits"
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "houle" / "refits"
