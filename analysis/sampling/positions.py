"""Positions from real games, with every move judged by search: what strategy pages are learned from.

Thumbs play the games; at some decisions flat search says of every move by how much it is better than the thumb's own,
from 0 to 1 in its measure of the end of the round. Judgements are noisy: whoever picks the best of them must score it
on other worlds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.player import LineUp, seat_strategies, weights_of

Numbers = NDArray[np.float64]

MOST_PLIES = 400  # of a game that are walked; a game of novices may be endless
STRIDE = 7  # one decision in so many is judged: neighbours in a game say much the same


@dataclass(frozen=True)
class JudgedPosition:
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
        tops: NDArray[np.bool_] = self.features == self.features.max(axis=0)
        return tops

    @cached_property
    def bottoms(self) -> NDArray[np.bool_]:
        bottoms: NDArray[np.bool_] = self.features == self.features.min(axis=0)
        return bottoms


def walk(setup: Setup, seed: int, game: int, ply: int) -> Match:
    """The table of a judged decision, played again."""
    thumbs = seat_strategies(setup, ["thumb"])
    match = Match(setup, seed, game)
    for _ in range(ply):
        match.apply(match.decide(thumbs))
    return match


def judge(match: Match, search: LineUp, others: dict[str, LineUp]) -> JudgedPosition | None:
    """One decision; None where there is nothing to choose."""
    gains = dict(match.judge(search))
    if len(gains) < 2:
        return None
    legal, rows = match.moves(), match.features()
    places = [i for i, action in enumerate(legal) if action in gains]
    actions = tuple(legal[i] for i in places)
    kinds = {match.seen(action, match.to_move())[1]: i for i, action in enumerate(actions)}
    choices = {}
    for name, seated in others.items():
        choice = match.states[0].choice
        kind = match.seen(match.decide(seated), match.to_move())[1]
        match.states[0].choice = choice
        choices[name] = kinds[kind]
    return JudgedPosition(
        match.game,
        match.ply,
        match.to_move(),
        actions,
        tuple(map(match.name, actions)),
        rows[places],
        np.array([gains[action] for action in actions]),
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
    progress: Progress | None = None,
) -> list[JudgedPosition]:
    """So many decisions from games `first` on, spread over their course; with `openings` the first choice of each.

    `progress` is told decisions.
    """
    if not weights_of(setup.ruleset.name):
        raise InputError(f"{setup.ruleset.name} has no rules of thumb, so there is nothing to judge moves by")
    start = time.perf_counter()
    thumbs, searching = seat_strategies(setup, ["thumb"]), seat_strategies(setup, [search])
    line_ups = {name: seat_strategies(setup, [name]) for name in others}
    positions: list[JudgedPosition] = []
    game = first
    while len(positions) < decisions and game < first + 20 * decisions:
        match = Match(setup, seed, game)
        while match.to_move() >= 0 and match.ply < MOST_PLIES and len(positions) < decisions:
            if openings or match.ply % STRIDE == game % STRIDE:
                position = judge(match, searching, line_ups)
                if position is not None:
                    positions.append(position)
                    if progress:
                        progress(len(positions), time.perf_counter() - start)
                    if openings:
                        break
            match.apply(match.decide(thumbs))
        game += 1
    return positions
