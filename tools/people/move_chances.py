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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.players.line_ups import read_strategy
from houle.analysis.run_options import OnGames
from houle.solver.cards.bits import U8
from houle.solver.compiler.types import Moves
from houle.solver.errors import StrategyError
from houle.solver.interface.entries import move_features
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import move_name
from houle.solver.plain.processes import Pool
from houle.solver.plain.random_streams import CHOICE, derive
from houle.solver.players.best_move_race import decision_key
from houle.solver.players.kinds import MILLI, RANDOM
from houle.solver.players.player import LineUp, seat
from houle.solver.players.thumb import LOWEST
from houle.solver.players.workspace import Thinking, make_thinking, move_buffers
from houle.solver.run.chunks import in_chunks
from houle.solver.run.playout import decide

REPEATS = 200  # decisions with fresh luck at each position
EXACT = {"random": (), "thumb": ("temperature", "weights", "never", "without")}  # with these options

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
        job(0, 1)  # compiles once, before several threads would
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
    rows, thinking = [], make_thinking(seated.setup, seated)
    moves, table = move_buffers(seated.setup)  # of this thread: copies of a match share theirs
    for place in range(begin, begin + number):
        match = matches[place]
        n = move_features(match.states, seated.setup.rules, moves, table)
        actions, features = moves[:n].copy(), table[:n, : len(seated.setup.game.FEATURES)]
        labels = [match.seen(int(action), match.to_move())[1] for action in actions]
        _, firsts, kinds = np.unique(np.array(labels, np.uint64), return_index=True, return_inverse=True)
        if repeats:
            chosen = _sampled(
                seated, match, repeats=repeats, seed=seed, first=place * repeats, thinking=thinking, moves=moves
            )
            order = np.argsort(actions)
            made = kinds[order[np.searchsorted(actions, chosen, sorter=order)]]
            chances = np.bincount(made, minlength=len(firsts)) / repeats
            errors = np.sqrt(chances * (1 - chances) / repeats)
        else:
            counted = np.bincount(kinds) / len(kinds)
            record = seated.records[0]
            ratings = _rated(match, record, actions, features)[firsts]
            chances = counted if seated.level == RANDOM else _thumb(ratings, record.temperature)
            errors = np.zeros(len(chances))
        listed = np.argsort(firsts)  # in the order of the legal moves
        mixed = (1 - floor) * chances + floor / len(chances)
        rows.append((actions[firsts[listed]], mixed[listed], (1 - floor) * errors[listed], repeats))
    return Estimated(rows)


def _rated(match: Match, player: Any, actions: Whole, features: Whole) -> Whole:
    """The ratings of moves by the rules of thumb; LOWEST for those that are forbidden to the player."""
    ratings: Whole = features @ player.weights[: features.shape[1]]
    never = {name for bit, name in enumerate(match.setup.game.CATEGORIES) if int(player.never) >> bit & 1}
    forbidden = np.array([not never.isdisjoint(match.categories(int(action))) for action in actions])
    if not forbidden.all():
        ratings[forbidden] = LOWEST
    return ratings


def _thumb(ratings: Whole, temperature: int) -> Chances:
    """The chances of a thumb: a softmax of the ratings, or an even choice among the best without a temperature."""
    behind = (ratings.max() - ratings).astype(np.float64)
    powers = np.exp(-behind * MILLI / temperature) if temperature else (behind == 0).astype(np.float64)
    powers[ratings == LOWEST] = 0.0
    chances: Chances = powers / powers.sum()
    return chances


def _sampled(
    seated: LineUp, match: Match, repeats: int, seed: int, first: int, thinking: Thinking, moves: Moves
) -> Whole:
    """The moves of repeated decisions at a position, each with its own luck. Readers know what was done before."""
    if thinking.work is not None:
        match.past.fill(thinking.work.memory)
    states, chosen = match.states.copy(), np.zeros(repeats, np.int64)
    for place in range(repeats):
        number = first + place
        states["choice"] = derive(derive(seed, CHOICE), number)
        key = int(decision_key(U8(seed), number, 0, U8(0)))
        chosen[place] = decide(seated, states, key, thinking, moves=moves)
    return chosen
