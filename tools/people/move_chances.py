"""How likely a player makes each move at a position.

The chances of random play and of a thumb follow from its ratings: a thumb with a temperature chooses by a softmax, one
without it chooses among the best-rated moves evenly. Thumbs add noise from a table of 4,096 values, so their true
chances differ from the softmax by less than 0.001. All other players (lapses, searches, players that a class names)
decide many times with fresh luck, and their moves are counted.

Chances depend only on what the seat to move knows: searches imagine the hidden cards, and the luck of the real game is
never used. Moves that the seat cannot tell apart are one move. Every chance is mixed with an even choice (`floor`), the
same for all players, so no legal move is impossible: a player whose moves were counted would otherwise give chance 0 to
moves that it makes rarely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from houle.analysis.players.line_ups import read_strategy
from houle.analysis.run_options import OnGames
from houle.solver.compiler.types import States
from houle.solver.errors import StrategyError
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import move_name
from houle.solver.plain.processes import Pool
from houle.solver.players.names import RANDOM
from houle.solver.players.player import MILLI, LineUp, seat
from houle.solver.players.thumb import LOWEST
from houle.solver.players.workspace import make_thinking, move_buffers
from houle.solver.run.chunks import in_chunks
from tools.people.sampled import rate_moves, sample_moves

REPEATS = 200  # decisions with fresh luck at each position
EXACT = {"random": (), "thumb": ("temperature", "weights", "never", "without")}  # with these options
AT_ONCE = 1_000  # positions rated in one call

Chances = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class MoveChances:
    """The chance of each move at one position. Moves that the seat to move cannot tell apart are one move."""

    match: Match
    actions: Whole  # one of each kind
    chances: Chances
    errors: Chances  # standard errors; 0 where chances are exact
    repeats: int  # decisions that were counted; 0 where chances are exact

    @property
    def seat(self) -> int:
        return self.match.to_move()

    @property
    def moves(self) -> list[str]:
        """The moves by name, as the seat to move sees them; seats count from 0."""
        return [move_name(self.match, int(action), self.seat) for action in self.actions]

    def place(self, action: int) -> int:
        """The place of an action in `actions`; the same for every player at this position."""
        kinds = [self.match.seen(int(one), self.seat)[1] for one in self.actions]
        return kinds.index(self.match.seen(action, self.seat)[1])


def chances_at(
    matches: Sequence[Match],
    strategy: str,
    repeats: int,
    floor: float,
    seed: int,
    threads: int | None = None,
    progress: OnGames | None = None,
) -> list[MoveChances]:
    """The chance of each move at matches of one setup.

    Players whose chances are not exact decide `repeats` times with fresh luck, which `seed` chooses; `floor` is the
    share of an even choice among all moves that is mixed in.
    """
    if not matches:
        return []
    setup = matches[0].setup
    player = read_strategy(strategy, setup)
    if player.name == "clairvoyant":
        raise StrategyError(f"strategy {strategy!r}: it sees all cards; allowed: a player who knows what its seat sees")
    seated = seat(setup, [player])
    total = Estimated()
    job: Callable[[int, int], Estimated] = partial(
        _estimated, seated, matches, 0 if _is_exact(seated) else repeats, floor, seed
    )
    if not setup.game.is_compiled:
        job = partial(Pool.call, Pool.add(job))
        Pool.start()
    else:
        job(0, 0)  # compiles once, before several threads would
    in_chunks(job, total, len(matches), threads=threads, progress=progress, start_with=1)
    if total.games < len(matches):
        raise KeyboardInterrupt
    return [MoveChances(match, *row) for match, row in zip(matches, total.rows, strict=True)]


def _is_exact(seated: LineUp) -> bool:
    """Whether the chances of the players follow from their ratings."""
    strategy, record = seated.strategies[0], seated.records[0]
    named = strategy.name == "thumb" and record.budget > 0  # a player that a class names
    return strategy.options.keys() <= {*EXACT.get(strategy.name, ())} and strategy.name in EXACT and not named


@dataclass
class Estimated:
    """The moves of some positions in order: their actions, chances and errors, and the decisions that were counted."""

    rows: list[tuple[Whole, Chances, Chances, int]] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.rows)

    def add(self, other: Estimated) -> None:
        self.rows += other.rows


def _estimated(
    seated: LineUp, matches: Sequence[Match], repeats: int, floor: float, seed: int, begin: int, number: int
) -> Estimated:
    """The chances at positions begin .. begin + number - 1."""
    rows = []
    for first in range(begin, begin + max(number, 1), AT_ONCE):
        some = matches[first : min(first + AT_ONCE, begin + number)]
        states = np.concatenate([match.states for match in some or matches[:1]]).view(np.recarray)[: len(some)]
        chosen = _sampled(seated, some, states, repeats, seed, first) if repeats else None
        for row, (actions, labels, ratings) in enumerate(_rated(seated, states)):
            _, firsts, kinds = np.unique(labels, return_index=True, return_inverse=True)
            if chosen is None:
                counted = np.bincount(kinds) / len(kinds)
                chances = counted if seated.level == RANDOM else _thumb(ratings[firsts], seated.records[0].temperature)
                errors = np.zeros(len(chances))
            else:
                order = np.argsort(actions)
                made = kinds[order[np.searchsorted(actions, chosen[row], sorter=order)]]
                chances = np.bincount(made, minlength=len(firsts)) / repeats
                errors = np.sqrt(chances * (1 - chances) / repeats)
            listed = np.argsort(firsts)  # in the order of the legal moves
            mixed = (1 - floor) * chances + floor / len(chances)
            rows.append((actions[firsts[listed]], mixed[listed], (1 - floor) * errors[listed], repeats))
    return Estimated(rows)


def _rated(seated: LineUp, states: States) -> Iterator[tuple[Whole, NDArray[np.uint64], Whole]]:
    """The legal actions at each state, their kinds, and their ratings by the rules of thumb."""
    setup, shape = seated.setup, (len(states), seated.setup.game.MAX_MOVES)
    moves, table = move_buffers(setup)
    actions, labels, ratings = np.zeros(shape, np.int64), np.zeros(shape, np.uint64), np.zeros(shape, np.int64)
    sizes = np.zeros(len(states), np.int64)
    rate_moves(states, setup.rules, seated.records, moves, table, actions, labels, ratings, sizes)
    for row, size in enumerate(sizes):
        yield actions[row, :size], labels[row, :size], ratings[row, :size]


def _thumb(ratings: Whole, temperature: int) -> Chances:
    """The chances of a thumb: a softmax of the ratings, or an even choice among the best without a temperature."""
    behind = (ratings.max() - ratings).astype(np.float64)
    powers = np.exp(-behind * MILLI / temperature) if temperature else (behind == 0).astype(np.float64)
    powers[ratings == LOWEST] = 0.0
    chances: Chances = powers / powers.sum()
    return chances


def _sampled(seated: LineUp, some: Sequence[Match], states: States, repeats: int, seed: int, first: int) -> Whole:
    """The moves of repeated decisions: positions by repeats. Readers remember what was done at each position."""
    thinking = make_thinking(seated.setup, seated)
    if thinking.work is None or not seated.remembers:
        return sample_moves(seated, states, repeats, seed, first * repeats, thinking)
    chosen = [np.zeros((0, repeats), np.int64)]
    for row, match in enumerate(some):
        match.past.fill(thinking.work.memory)
        chosen.append(sample_moves(seated, states[row : row + 1], repeats, seed, (first + row) * repeats, thinking))
    return np.concatenate(chosen)
