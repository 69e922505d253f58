"""Weights of rules of thumb: checks weights.toml, and makes weights for a game without the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.errors import RulesError
from houle.solver.interface import MAX_FEATURES, blank, entries
from houle.solver.players.names import OPTIONS, POINT, WORDS
from houle.solver.rules import Setup
from houle.solver.rules.files import read_toml
from houle.solver.rules.rules_file import Keys, checked_table
from houle.solver.texts import nearest

RATING = 1000  # rating points per standard deviation of a feature among the moves of a decision
GAMES, DECISIONS = 12, 400  # random games and decisions that measure these deviations
SEED = 1000
MOST_WEIGHT = 1_000_000_000
NUMBERS = tuple(
    dict.fromkeys(option for options in OPTIONS.values() for option in options if option not in (*WORDS, *POINT))
)
WHOLE_FILE: Keys = {"player": (list, False), "reader": (dict, False), "expert": (list, False)}
READER: Keys = dict.fromkeys(NUMBERS, ((int, float), False))
PLAYER: Keys = {
    "name": (str, True),
    "weights": (dict, True),
    "when": (dict, False),
    "tuned": (object, False),
    "careful": (object, False),
    **READER,
}
EXPERT: Keys = {"strategy": (str, True), "when": (dict, False), "tuned": (object, False)}


def read_weights(path: Path) -> dict[str, Any]:
    """The checked content of a weights file: [[player]] with name and weights, [[expert]], the options of [reader]."""
    data = checked_table(read_toml(path), WHOLE_FILE, str(path))
    for number, entry in enumerate(data.get("player", ()), 1):
        place = f"{path}: player {number}"
        checked_table(entry, PLAYER, place)
        for name, weight in entry["weights"].items():
            if not isinstance(weight, int) or isinstance(weight, bool) or abs(weight) > MOST_WEIGHT:
                named = f"{place} ({entry['name']})"
                raise RulesError(f"{named}: {name}: {weight!r} is not a whole number up to {MOST_WEIGHT:,}")
        _check_limits(entry, place)
    _check_limits(checked_table(data.get("reader", {}), READER, f"{path}: reader"), f"{path}: reader")
    for one in data.get("expert", ()):
        checked_table(one, EXPERT, f"{path}: expert")
    return data


def _check_limits(options: Mapping[str, Any], place: str) -> None:
    for name in NUMBERS:
        if not abs(value := options.get(name, 0)) <= MOST_WEIGHT:
            raise RulesError(f"{place}: {name}: {value!r} is not a number up to {MOST_WEIGHT:,}")


def check_weights(path: Path, features: Sequence[str]) -> None:
    """Raises RulesError for a weights file that names unknown rules of thumb or has invalid weights."""
    for number, entry in enumerate(read_weights(path).get("player", []), 1):
        for name in entry["weights"]:
            if name not in features:
                hint = nearest(name, features) if features else "; the game has none"
                raise RulesError(f"{path}: player {number} ({entry['name']}): there is no rule of thumb {name!r}{hint}")


def equal_weights(setup: Setup) -> dict[str, Any]:
    """Weights with which every rule of thumb matters equally: RATING points per standard deviation of its feature.

    All weights are positive, because the advice of a rule is worded for more of its feature. Features that are always
    equal among the moves of a decision get no weight.
    """
    found = feature_spreads(setup, SEED, GAMES, DECISIONS)
    weights = {
        name: max(1, round(RATING * times / spread))
        for (name, _), spread, times in zip(setup.game.FEATURES, *found, strict=True)
        if spread > 0
    }
    return {"name": "thumb", "weights": weights}


def feature_spreads(
    setup: Setup, seed: int, games: int, most: int, weights: Mapping[str, int] | None = None
) -> tuple[list[float], list[int]]:
    """The sum of each feature's standard deviations among the moves of a decision, and how often it is not zero.

    Counts at most `most` decisions of random games. With weights, every second game is played by them.
    """
    names = [name for name, _ in setup.game.FEATURES]
    chosen = np.array([(weights or {}).get(name, 0) for name in names], np.int64)
    total, times, left = np.zeros(len(names)), np.zeros(len(names), np.int64), most
    states, rules, moves = blank(setup.game.STATE), setup.rules, np.zeros(setup.game.MAX_MOVES, np.int64)
    table = np.zeros((len(moves), MAX_FEATURES), np.int64)
    for game in range(games):
        entries.open_game(states, rules, U8(seed), game, 0)
        while left > 0 and entries.seat_to_move(states) >= 0:
            move = entries.draw_move(states, rules)
            number = entries.move_features(states, rules, moves, table)
            if number > 1:
                left -= 1
                values = table[:number, : len(names)]
                spread = values.std(axis=0)
                total += spread
                times += spread > 0
                if game % 2 and chosen.any():
                    move = moves[(values @ chosen).argmax()]
            entries.apply_move(states, rules, move)
    return total.tolist(), times.tolist()
