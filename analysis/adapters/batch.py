"""Many games at once for learners: numpy arrays in and out, stepped together by a compiled kernel.

    batch = houle.Batch("wave", games=1024, seed=1)
    step = batch.reset()
    while learning:
        step = batch.step(choose(step.observation, step.mask))

Every row is a game. An observation is what the seat to move knows, as 16-bit integers; `batch.parts` names its parts.
An action is a number in the list of all kinds of actions of the setup; `mask` marks the legal ones. A finished game
pays its reward, and its row goes on with the next deal at once. The arrays are those of the batch: the next step
overwrites them, so copy what you keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from houle.analysis.adapters.match import Match
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.line_ups import setup as make_setup
from houle.solver.cards.bits import U8
from houle.solver.errors import InputError
from houle.solver.interface import GameError, blank
from houle.solver.matches.known import layout_of
from houle.solver.os_calls import default_threads
from houle.solver.players.names import THUMB
from houle.solver.players.workspace import move_buffers
from houle.solver.rules import Setup
from houle.solver.run.batch import NO_DECISION, Rows, RowSpan, step_games

REWARDS = ("win", "utility")
MOST_KINDS = 1 << 20


class Step(NamedTuple):
    """What learners see after a step, a row per game."""

    observation: NDArray[np.int16]  # what the seat to move knows
    mask: NDArray[np.bool_]  # which actions are legal
    seat: NDArray[np.int64]  # the seat to move, from 0
    reward: NDArray[np.float32]  # of every seat, from the game that this step finished; else 0
    finished: NDArray[np.bool_]  # whether it finished one; the observation is then of the next deal


class Batch:
    """Games of one setup, stepped together.

    Parameters
    ----------
    game : str or Setup
        Name of a game, with `players`, `variants`, `set` and `rules` as for `houle.setup`; or a setup.
    games : int
        Number of games at a time.
    seed : int
        Row i plays the deals i, i + games, i + 2 games, ... of this seed, the same as `houle simulate`. Deals that end
        before the first decision are left out.
    others : str, optional
        A strategy (`random`, `thumb` or a level without search) that plays all seats but one in every game. The
        learner's seat is the number of the deal modulo the players. By default all seats are the learner's.
    reward : str
        `win`: the share of the win of the seat's side, from 0 to 1. `utility`: what searches maximise, from 0 to 1,
        which also counts points.
    threads : int, optional
        Threads; by default one per core. Results do not depend on it.

    Examples
    --------
    >>> import houle
    >>> batch = houle.Batch("wave", players=3, games=4, seed=1)
    >>> step = batch.reset()
    >>> step = batch.step(step.mask.argmax(axis=1))
    >>> step.observation.shape == (4, batch.size)
    True
    """

    def __init__(
        self, game: str | Setup, games: int = 1024, seed: int = 1, *, others: str | None = None, reward: str = "win",
        threads: int | None = None, **setup: Any,
    ) -> None:  # fmt: skip
        self.setup = make_setup(game, **setup) if isinstance(game, str) else game
        if games < 1:
            raise InputError(f"games is {games}; allowed: at least 1")
        if reward not in REWARDS:
            raise InputError(f"unknown reward {reward!r}; allowed: {', '.join(REWARDS)}")
        self.games, self.seed, self.reward = games, seed, reward
        self.parts = _parts(self.setup)
        self.size = sum(part.stop - part.start for part in self.parts.values())
        lists = [_kinds(self.setup, seat) for seat in range(self.setup.players)]
        self.actions = len(lists[0])
        self._index = np.full((len(lists), max(map(max, lists)) + 1), -1, np.int64)
        for seat, kinds in enumerate(lists):
            self._index[seat, kinds] = np.arange(self.actions)
        self._others = _others(self.setup, others) if others else None
        self._states = blank(self.setup.game.STATE, games)
        most = int(self.setup.game.MAX_MOVES)
        self._rows = Rows(
            np.zeros(games, np.int64), np.zeros((games, most), np.int64), np.zeros((games, most), np.int64),
            np.zeros(games, np.int64), np.zeros((games, self.size), np.int16),
            np.zeros((games, self.actions), np.bool_), np.zeros(games, np.int64),
            np.zeros((games, self.setup.players), np.float32), np.zeros(games, np.bool_),
        )  # fmt: skip
        threads = min(threads or default_threads(), games)
        edges = [games * thread // threads for thread in range(threads + 1)]
        self._blocks = [(edges[i], edges[i + 1], *move_buffers(self.setup)) for i in range(threads)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._numbers, self._starts = np.arange(games), np.arange(games) * self.actions
        self._begun = False

    @property
    def deals(self) -> NDArray[np.int64]:
        """The number of the deal that each row plays."""
        return np.asarray(self._rows.deals)

    def reset(self, seed: int | None = None, first: int = 0) -> Step:
        """Begins every row anew, row i with deal `first` + i of the seed; a given seed replaces that of the batch."""
        self.seed = self.seed if seed is None else seed
        self._rows.deals[:] = self._numbers + first
        for array in (self._rows.mask, self._rows.reward, self._rows.finished):
            array[:] = 0
        return self._run(self._numbers, begin=True)

    def step(self, actions: ArrayLike) -> Step:
        """Applies one action in every row, as numbers in the list of actions; all must be legal."""
        chosen = np.asarray(actions)
        if not self._begun:
            raise InputError("the games are not dealt; call reset() first")
        if chosen.shape != (self.games,) or chosen.dtype.kind not in "iu":
            raise InputError(f"actions: an array of {self.games} whole numbers is needed, one for each game")
        chosen = chosen.astype(np.int64, copy=False)
        inside = chosen.min() >= 0 and chosen.max() < self.actions
        if not (inside and self._rows.mask.ravel().take(self._starts + chosen).all()):
            self._refuse(chosen)
        return self._run(chosen, begin=False)

    def _refuse(self, chosen: NDArray[np.int64]) -> None:
        """Raises InputError for the first action that is not legal."""
        for row, (action, mask) in enumerate(zip(chosen, self._rows.mask, strict=True)):
            if not 0 <= action < self.actions or not mask[action]:
                allowed = ", ".join(map(str, np.flatnonzero(mask)))
                raise InputError(f"game {row}: action {action} is not legal; allowed: {allowed}")

    def _run(self, actions: NDArray[np.int64], begin: bool) -> Step:
        def run(block: tuple[int, int, Any, Any]) -> int:
            first, last, moves, table = block
            part = RowSpan(first, last, U8(self.seed), self.games, begin, self.reward == "utility")
            return int(
                step_games(
                    self._states, self.setup.rules, self._rows, part, actions, self._index, self._others, moves, table
                )
            )

        later = [self._pool.submit(run, block) for block in self._blocks[1:]] if self._pool else []
        faults = [run(self._blocks[0]), *(future.result() for future in later)]
        if NO_DECISION in faults:
            raise InputError(f"{self.setup}: all deals end before a decision")
        if any(faults):
            raise GameError(f"{self.setup.ruleset.name}: action_kinds does not list all kinds of actions")
        self._begun = True
        rows = self._rows
        return Step(rows.observation, rows.mask, rows.seat, rows.reward, rows.finished)

    def match(self, row: int) -> Match:
        """The game of a row as a match, to read its position or the names of its moves; changing it changes no row."""
        match = Match(self.setup, self.seed, int(self._rows.deals[row]))
        match.states = self._states[row : row + 1].copy()
        return match

    def move(self, row: int, action: int) -> int:
        """The move of a row that a number in the list of actions means, as `Match` takes it."""
        n = self._rows.legal[row]
        return int(self._rows.moves[row, :n][self._rows.places[row, :n] == action][0])


def _parts(setup: Setup) -> dict[str, slice]:
    """The names of an observation, and where each is."""
    game = setup.game
    if not game.is_compiled:
        raise InputError(f"{setup.ruleset.name} is a class in plain Python; a batch steps only compiled games")
    if game.action_kinds is None:
        raise InputError(f"{setup.ruleset.name}: a batch needs action_kinds(setup, seat) of the game")
    return {place.name: slice(place.start, place.start + place.width) for place in layout_of(setup)}


def _kinds(setup: Setup, seat: int) -> list[int]:
    assert setup.game.action_kinds is not None
    kinds = [int(kind) for kind in setup.game.action_kinds(setup, seat)]
    if len(set(kinds)) != len(kinds) or not 0 <= min(kinds) <= max(kinds) < MOST_KINDS:
        raise GameError(f"{setup.ruleset.name}: action_kinds: allowed: each kind once, from 0 to {MOST_KINDS - 1}")
    return kinds


def _others(setup: Setup, strategy: str | Sequence[str]) -> Any:
    seats = line_up(setup, strategy)
    if seats.level > THUMB:
        raise InputError(f"others: {strategy} thinks ahead; allowed: random and thumb")
    return seats.records
