"""Weights of a game's rules of thumb: what may stand in weights.toml, and weights for a game that has none yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.solver.errors import InputError
from houle.solver.ruleset.files import read_toml
from houle.solver.ruleset.texts import nearest

if TYPE_CHECKING:
    from houle.solver.ruleset.setup import Setup

RATING = 1000  # rating points of a rule of thumb between two typical moves
GAMES, DECISIONS = 12, 400  # played at random, to see by how much the moves of a decision differ
SEED = 1000


def check_weights(path: Path, features: Sequence[str]) -> None:
    """Refuses a weights file with a weight for no rule of thumb, in one line with file and key."""
    entries = read_toml(path).get("player", [])
    for number, entry in enumerate(entries, 1):
        place = f"{path}: player {number}"
        for key in ("name", "weights"):
            if key not in entry:
                raise InputError(f"{place}: {key} is missing")
        for name, weight in entry["weights"].items():
            if name not in features:
                hint = nearest(name, features) if features else "; the game has none"
                raise InputError(f"{place} ({entry['name']}): there is no rule of thumb {name!r}{hint}")
            if not isinstance(weight, int) or isinstance(weight, bool):
                raise InputError(f"{place} ({entry['name']}): {name}: {weight!r} is no whole number")


def equal_weights(setup: Setup) -> dict[str, Any]:
    """An entry in which every rule of thumb counts alike: so many points for as much as moves differ in it.

    Rules are worded for more of a feature, so all weights are above 0; those that never tell moves apart have none.
    """
    from houle.solver.match import Match  # loads the compiler

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
