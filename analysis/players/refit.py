"""Players fitted to a setup: rules of thumb were tuned for printed rules, and may play badly in your own variant.

`refit` tunes the weights to a setup, on training seeds that no evaluation uses, and keeps them in the user's cache, by
the digest of the setup. `made_for_print` is the sentence for players who were not fitted.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.players.line_ups import as_setup
from houle.analysis.players.tune import tune
from houle.analysis.players.tuning_run import TuningInterrupted
from houle.analysis.run_options import RunOptions
from houle.solver.errors import StrategyError
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup, digest, printed
from houle.solver.rules.files import write_whole

GENERATIONS, POPULATION = 30, 14
GAMES, LEAST_GAMES = 1_000, 40  # per candidate; a slow game plays fewer, but not fewer than the second


@checked
def refit(setup: Setup | str, **run: Unpack[RunOptions]) -> Setup:
    """Tune the rules of thumb to a setup: the same setup, in which all players use the new weights.

    Parameters
    ----------
    **run
        `threads`, `progress`: see `houle.RunOptions`.

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
    entry = _tuned(played, run)
    return replace(played, refit=entry) if entry else played


def made_for_print(setup: Setup) -> str:
    """What to know about the players of your own rules; empty for printed rules, and for players fitted to them."""
    if setup.refit or setup.digest == printed(setup).digest or not _present(setup):
        return ""
    return "the players were made for the printed rules; --refit fits their rules of thumb to your rules first"


def _present(setup: Setup) -> dict[str, Any]:
    """The weights that were made for print; empty if the game has no rules of thumb."""
    try:
        return dict(weights_entry(parse("thumb"), replace(setup, refit={}))["weights"])
    except StrategyError:
        return {}


def _tuned(setup: Setup, run: RunOptions) -> dict[str, Any]:
    """The entry of tuned weights, from the cache or found now; empty if there is none that is certainly better."""
    present = _present(setup)
    if not present:
        return {}
    games = max(LEAST_GAMES, round(GAMES * setup.ruleset.report_share.get("games", 1.0)))
    code = setup.source.get("code", "")  # of a game of your own, which may change
    what = {"rules": setup.digest, "code": code, "present": present, "budget": [GENERATIONS, POPULATION, games]}
    file = cache_folder() / f"{digest(what)}.json"
    if (kept := kept_entry(file)) is not None:
        return kept
    try:
        result = tune(
            replace(setup, refit={}),
            generations=GENERATIONS,
            population=POPULATION,
            games=games,
            check_games=100,
            threads=run.get("threads"),
            progress=run.get("progress"),
        )
    except TuningInterrupted:
        raise KeyboardInterrupt from None
    better = result.better
    entry: dict[str, Any] = {}
    if better is not None and result.improved:
        entry = {"name": "thumb", **result.kept, "weights": result.weights}
        entry["gain"] = [better.value, better.low, better.high, better.n]
    write_whole(file, lambda beside: beside.write_text(json.dumps(entry), encoding="utf-8"))
    return entry


def kept_entry(file: Path) -> dict[str, Any] | None:
    """The entry in a file of the cache; None if there is none that can be read, and it is tuned again."""
    try:
        entry = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return entry if isinstance(entry, dict) else None


def cache_folder() -> Path:
    """Where refitted weights are kept: `refits` in HOULE_CACHE_DIR, or in houle of the user's cache."""
    if chosen := os.environ.get("HOULE_CACHE_DIR"):
        return Path(chosen) / "refits"
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "houle" / "refits"
