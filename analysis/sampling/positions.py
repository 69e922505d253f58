"""Positions from real games, with every move judged by search: what strategy pages are learned from.

Thumbs play the games; at some decisions flat search says of every move by how much it is better than the thumb's own,
from 0 to 1 in its measure of the end of the round. Judgements are noisy: whoever picks the best of them must score it
on other worlds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from houle.solver.position import Table
from houle.solver.ruleset import RulesetError, Setup
from houle.solver.strategies.player import LineUp, seat_strategies, weights_of

Numbers = NDArray[np.float64]
Told = Callable[[int, float], None]  # decisions judged, seconds so far

MOST_PLIES = 400  # of a game that are walked; a game of novices may be endless
STRIDE = 7  # one decision in so many is judged: neighbours in a game say much the same


@dataclass(frozen=True)
class Judged:
    """A decision with more than one move that differs."""

    game: int
    ply: int
    seat: int
    actions: tuple[int, ...]
    names: tuple[str, ...]
    features: NDArray[np.int64]  # a row per move
    gains: Numbers  # of each move over the thumb's own
    choices: dict[str, int]  # by strategy: the place of the move it would make

    @property
    def best(self) -> int:
        """The place of the move that search finds best."""
        return int(np.argmax(self.gains))

    @cached_property
    def tops(self) -> NDArray[np.bool_]:
        """Per move and feature: whether no other move has more of it."""
        found: NDArray[np.bool_] = self.features == self.features.max(axis=0)
        return found

    @cached_property
    def bottoms(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.features == self.features.min(axis=0)
        return found


def walk(setup: Setup, seed: int, game: int, ply: int) -> Table:
    """The table of a judged decision, played again."""
    players = seat_strategies(setup, ["thumb"])
    table = Table(setup, seed, game)
    for _ in range(ply):
        table.apply(table.decide(players))
    return table


def judge(table: Table, search: LineUp, others: dict[str, LineUp]) -> Judged | None:
    """One decision; None where there is nothing to choose."""
    found = dict(table.judge(search))
    if len(found) < 2:
        return None
    legal, rows = table.moves(), table.features()
    places = [i for i, action in enumerate(legal) if action in found]
    actions = tuple(legal[i] for i in places)
    kinds = {table.seen(action, table.to_move())[1]: i for i, action in enumerate(actions)}
    choices = {}
    for name, players in others.items():
        choice = table.states[0].choice
        kind = table.seen(table.decide(players), table.to_move())[1]
        table.states[0].choice = choice
        choices[name] = kinds[kind]
    return Judged(
        table.game,
        table.ply,
        table.to_move(),
        actions,
        tuple(map(table.name, actions)),
        rows[places],
        np.array([found[action] for action in actions]),
        choices,
    )


def judged_positions(
    setup: Setup,
    decisions: int,
    search: str = "flat:50",
    seed: int = 1,
    first: int = 0,
    others: Sequence[str] = ("thumb",),
    openings: bool = False,
    told: Told | None = None,
) -> list[Judged]:
    """So many decisions from games `first` on, spread over their course; with `openings` the first choice of each."""
    if not weights_of(setup.ruleset.name):
        raise RulesetError(f"{setup.ruleset.name} has no rules of thumb, so there is nothing to judge moves by")
    start = time.perf_counter()
    players, searching = seat_strategies(setup, ["thumb"]), seat_strategies(setup, [search])
    line_ups = {name: seat_strategies(setup, [name]) for name in others}
    found: list[Judged] = []
    game = first
    while len(found) < decisions and game < first + 20 * decisions:
        table = Table(setup, seed, game)
        while table.to_move() >= 0 and table.ply < MOST_PLIES and len(found) < decisions:
            if openings or table.ply % STRIDE == game % STRIDE:
                one = judge(table, searching, line_ups)
                if one is not None:
                    found.append(one)
                    if told:
                        told(len(found), time.perf_counter() - start)
                    if openings:
                        break
            table.apply(table.decide(players))
        game += 1
    return found
