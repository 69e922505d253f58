"""Weights of rules of thumb: checks weights.toml, and makes weights for a game without the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.solver.errors import RulesError
from houle.solver.rules.files import read_toml
from houle.solver.rules.texts import nearest

if TYPE_CHECKING:
    from houle.solver.rules.setup import Setup

RATING = 1000  # rating points per standard deviation of a feature among the moves of a decision
GAMES, DECISIONS = 12, 400  # random games and decisions that measure these deviations
SEED = 1000


def check_weights(path: Path, features: Sequence[str]) -> None:
    """Raises RulesError for a weights file that names unknown rules of thumb or has invalid weights."""
    entries = read_toml(path).get("player", [])
    for number, entry in enumerate(entries, 1):
        place = f"{path}: player {number}"
        for key in ("name", "weights"):
            if key not in entry:
                raise RulesError(f"{place}: {key} is missing")
        for name, weight in entry["weights"].items():
            if name not in features:
                hint = nearest(name, features) if features else "; the game has none"
                raise RulesError(f"{place} ({entry['name']}): there is no rule of thumb {name!r}{hint}")
            if not isinstance(weight, int) or isinstance(weight, bool):
                raise RulesError(f"{place} ({entry['name']}): {name}: {weight!r} is not a whole number")


def equal_weights(setup: Setup) -> dict[str, Any]:
    """Weights with which every rule of thumb matters equally: RATING points per standard deviation of its feature.

    All weights are positive, because the advice of a rule is worded for more of its feature. Features that are always
    equal among the moves of a decision get no weight.
    """
    from houle.solver.matches.match import Match  # loads the compiler

    features = [name for name, _ in setup.game.FEATURES]
    spreads, times, decisions = [0.0] * len(features), [0] * len(features), 0
    for game in range(GAMES):
        match = Match(setup, SEED, game)
        while match.to_move() >= 0 and decisions < DECISIONS:
            move = match.random_move()
            values = match.features()
            if len(values) > 1:
                decisions += 1
                for place, spread in enumerate(values.std(axis=0).tolist()):
                    spreads[place] += spread
                    times[place] += spread > 0
            match.apply(move)
    weights = {
        name: max(1, round(RATING * number / spread))
        for name, spread, number in zip(features, spreads, times, strict=True)
        if spread > 0
    }
    return {"name": "thumb", "weights": weights}
