"""Positions from real games, with every move judged by search: the data of the strategy pages.

Thumbs play the games. At some decisions flat search estimates how much better each move is than the thumb's own, in
utility of the end of the round. These estimates are noisy: if you pick the best move by them, measure its value on
other worlds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.solver.errors import StrategyError
from houle.solver.matches.match import Match
from houle.solver.os_calls import default_threads
from houle.solver.players.player import LineUp, weights_of
from houle.solver.rules import Setup

Numbers = NDArray[np.float64]

MOST_PLIES = 400  # of a game; games of weak players may be endless
STRIDE = 7  # every seventh decision is judged, because neighbouring decisions are alike


@dataclass(frozen=True)
class JudgedPosition:
    """A decision between moves, judged by search."""

    game: int
    ply: int
    seat: int
    actions: tuple[int, ...]
    names: tuple[str, ...]
    features: NDArray[np.int64]  # a row per move
    gains: Numbers  # of each move over the thumb's own
    choices: dict[str, int]  # by strategy: the index of the move it would make

    @property
    def best(self) -> int:
        """The index of the move that search finds best."""
        return int(np.argmax(self.gains))

    @cached_property
    def tops(self) -> NDArray[np.bool_]:
        """Per move and feature: whether no other move has a higher value."""
        tops: NDArray[np.bool_] = self.features == self.features.max(axis=0)
        return tops

    @cached_property
    def bottoms(self) -> NDArray[np.bool_]:
        bottoms: NDArray[np.bool_] = self.features == self.features.min(axis=0)
        return bottoms


def walk(setup: Setup, seed: int, game: int, ply: int) -> Match:
    """The match at a judged decision, replayed."""
    thumbs = line_up(setup, "thumb")
    match = Match(setup, seed, game)
    for _ in range(ply):
        match.apply(match.decide(thumbs))
    return match


def judge(match: Match, search: LineUp, others: dict[str, LineUp]) -> JudgedPosition | None:
    """Judge one decision; None if there is nothing to choose."""
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
        ply=match.ply,
        seat=match.to_move(),
        actions=actions,
        names=tuple(map(match.name, actions)),
        features=rows[places],
        gains=np.array([gains[action] for action in actions]),
        choices=choices,
    )


def judged_positions(
    setup: Setup,
    spec: RunSpec,
    search: str = "flat:50",
    others: Sequence[str] = ("thumb",),
    openings: bool = False,
) -> list[JudgedPosition]:
    """Judged decisions of the games of a run, spread over their course; with `openings` the first choice of each.

    `spec.games` is the number of decisions, which the progress counts too.
    """
    if not weights_of(setup.ruleset.name):
        raise StrategyError(f"{setup.ruleset.name} has no rules of thumb, so moves cannot be judged")
    start, decisions = time.perf_counter(), spec.games
    thumbs, searching = line_up(setup, "thumb"), line_up(setup, search)
    line_ups = {name: line_up(setup, name) for name in others}

    def of_game(game: int) -> list[JudgedPosition]:
        """The judged decisions of one game."""
        found: list[JudgedPosition] = []
        match = Match(setup, spec.seed, game)
        while match.to_move() >= 0 and match.ply < MOST_PLIES and len(found) < (1 if openings else decisions):
            if openings or match.ply % STRIDE == game % STRIDE:
                position = judge(match, searching, line_ups)
                found += [position] if position is not None else []
            match.apply(match.decide(thumbs))
        return found

    positions: list[JudgedPosition] = []
    workers, end = spec.threads or default_threads(), spec.first + 20 * decisions
    with ThreadPoolExecutor(workers) as pool:
        for game in range(spec.first, end, 2 * workers):
            if len(positions) >= decisions:
                break
            for found in pool.map(of_game, range(game, min(game + 2 * workers, end))):
                positions += found
            spec.watch(min(len(positions), decisions), time.perf_counter() - start)
    return positions[:decisions]
