"""Prints what searches plan, as JSON. Runs without the compiler, where kernels can be replaced.

Of each search with a forbidden category: its moves, and how many of them were forbidden, by choice or because nothing
else was left, of the player itself and of others. Then what a tree search learns, `own` for moves of its own seat.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any
from unittest import mock

import numpy as np

from houle.solver.interface import category_bits, is_signal, legal, to_move
from houle.solver.matches.match import Match
from houle.solver.players import flat, ismcts
from houle.solver.players.allowed_moves import act
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

learned_move = ismcts._learned_move


def learned(game: str, strategy: str, players: int, talk: str) -> list[str]:
    """What is learned at the first decision between moves."""
    match, whose = Match(make_setup(game, players, settings={"talk": talk}), 5), set()

    def listen(line: Any, *rest: Any) -> Any:
        whose.add("signals" if is_signal(line) else "own" if to_move(line) == seat else "others")
        return learned_move(line, *rest)

    while (seat := match.to_move()) >= 0 and (len(match.moves()) == 1 or is_signal(match.state)):
        match.apply(match.moves()[0])
    with mock.patch.object(ismcts, "_learned_move", listen):
        match.decide(seat_strategies(match.setup, [strategy]))
    return sorted(whose)


def planned(game: str, strategy: str, players: int, category: str) -> dict[str, int]:
    """The moves of a search by who makes them, and those of the forbidden category by whether they were forced."""
    setup = make_setup(game, players)
    bit = 1 << setup.game.CATEGORIES.index(category)
    match, made = Match(setup, 5), Counter[str]()
    seat, moves = match.to_move(), np.zeros(setup.game.MAX_MOVES, np.int64)

    def listen(state: Any, rules: Any, action: Any) -> None:
        who = "own" if to_move(state) == seat else "others"
        others = [
            move for move in moves[: legal(state, rules, moves)] if not int(category_bits(state, rules, move)) & bit
        ]
        if int(category_bits(state, rules, action)) & bit:
            made[f"{who} {'by choice' if others else 'forced'}"] += 1
        made[who] += 1
        act(state, rules, action)

    with mock.patch.object(flat, "act", listen), mock.patch.object(ismcts, "act", listen):
        match.decide(seat_strategies(setup, [f"{strategy}[never={category}]"]))
    return made


if __name__ == "__main__":
    made: dict[str, Any] = {
        strategy: planned("land-unter", strategy, 3, "high") for strategy in ("flat:2", "ismcts:16")
    }
    print(json.dumps(made | {"learned": [learned("wave", "ismcts:24", 3, talk) for talk in ("open", "points")]}))
