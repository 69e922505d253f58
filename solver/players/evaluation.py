"""A learned evaluation that ends playouts early: flat:N[ahead=TURNS].

A small network rates every seat by its `prospects`; the ratings of all seats give the chance of each side to win. It
was trained on games that noisy thumbs played to the end (tools/evaluation.py of 0.4.0): it foretells what a playout
would say, with less noise and in less time. All numbers are whole, so every machine gives the same chance.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Flag, Number, Numbers, Player, Rules, State
from houle.solver.errors import RulesError
from houle.solver.interface import MAX_SIDES, UTILITY, WIN, by_game, outcome, prospects, to_move
from houle.solver.rules.files import read_toml

INPUTS = 40  # the most numbers that `prospects` writes; the network adds a constant one
HIDDEN = 16
WIDTH = INPUTS + 1
SIDES_AND_NOBODY = MAX_SIDES + 1
CONSTANT = 64
SHIFT = 8  # hidden sums and ratings are divided by 2 ** SHIFT
NAT = 64  # rating points per nat
FILE = "evaluation.toml"  # in the folder of the game
MOST = 2**15 - 1  # of a weight
_ONE = 1 << 20
# What a rating below the best one counts.
EXP = np.array([round(_ONE * math.exp(-i / NAT)) for i in range(14 * NAT)], np.int64)


@lru_cache
def network_of(path: Path) -> tuple[Any, Any] | None:
    """The weights of a game's network from its file: of inputs, and of hidden units. None if there is no file."""
    if not path.exists():
        return None
    data, made = read_toml(path), []
    for name, shape in (("inner", (HIDDEN, WIDTH)), ("outer", (2, HIDDEN))):
        rows: Any = data.get(name)
        numbers = isinstance(rows, list) and all(
            isinstance(row, list) and all(type(one) is int and abs(one) <= MOST for one in row) for row in rows
        )
        if not numbers or [len(row) for row in rows] != [shape[1]] * shape[0]:
            raise RulesError(f"{path}: {name}: allowed: {shape[0]} rows of {shape[1]} whole numbers up to {MOST}")
        made.append(np.array(rows, np.int16))
    return made[0], made[1]


@outlined
def _rate(line: State, rules: Rules, player: Player, seat: Number, ratings: Numbers) -> None:
    """Adds the rating of a seat to that of its side, and what it says of a draw to the last rating."""
    inputs = local_zeros(WIDTH, np.int64)
    prospects(line, rules, seat, inputs)
    inputs[INPUTS] = CONSTANT
    own = nobody = 0
    for i in range(HIDDEN):
        total = 0
        for k in range(WIDTH):
            total += player.inner[i, k] * inputs[k]
        if total > 0:
            own += (total >> SHIFT) * player.outer[0, i]
            nobody += (total >> SHIFT) * player.outer[1, i]
    ratings[rules.side[seat]] += own >> SHIFT
    ratings[rules.sides] += nobody >> SHIFT


@outlined
def _evaluated(line: State, rules: Rules, player: Player, side: Number) -> Number:
    """The chance of a side to win, as a utility."""
    ratings = local_zeros(SIDES_AND_NOBODY, np.int64)
    if to_move(line) < 0:
        outcome(line, rules, ratings)
        return ratings[side] * (UTILITY // WIN)
    for seat in range(rules.seats):
        _rate(line, rules, player, seat, ratings)
    best = ratings[side]
    for other in range(rules.sides + 1):
        best = max(best, ratings[other])
    total = own = 0
    for other in range(rules.sides + 1):
        below = best - ratings[other]
        part = EXP[below] if below < len(EXP) else 0
        total += part
        if other == side:
            own = part
    return own * UTILITY // total


@kernel
def _no_evaluation(line: State, rules: Rules, player: Player, side: Number) -> Number:
    return 0


@kernel
def _seen_enough(line: State, root: State, player: Player) -> Flag:
    return player.ahead > 0 and line.turns >= root.turns + player.ahead


@kernel
def _never_enough(line: State, root: State, player: Player) -> Flag:
    return False


# (line, rules, player, side): `_evaluated`; never called in games without `prospects`
evaluated = by_game(lambda game: _evaluated if game.has("prospects") else _no_evaluation)
# (line, root, player) -> whether a playout has gone as many turns ahead as the player looks
seen_enough = by_game(lambda game: _seen_enough if game.has("prospects") else _never_enough)
