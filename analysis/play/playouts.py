"""Play out every move at a position: each in the same worlds, to the end of the game, by thumbs.

What counts is the goal of the setup: the chance to win, or the score that can be expected.

A world fits what the player to move knows, and likely worlds are imagined more often where others signalled. All moves
are made in the same worlds with the same later luck, so that small differences show: losses are paired by world. The
chance of a side is also estimated so: it is what the player could expect, not what the real hands and pile would bring.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.measures.goal import Goal, Results
from houle.analysis.players.line_ups import line_up, usual_strategy
from houle.analysis.result import Finished, setup_as_json
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, wilson
from houle.solver import interface
from houle.solver.compiler.types import States
from houle.solver.errors import RulesError
from houle.solver.matches.match import Match
from houle.solver.players.player import LineUp
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger

KEY = 1 << 43  # of the first world, far from those of searches
CHANCE_KEY = 1 << 41  # of the first world of a chance
WORLDS = 100  # per chance: 95% intervals of at most 10 points to either side
SEEDS_APART = 1 << 24  # worlds per seed
MOST_AT_ONCE = 2_000  # games played in one batch
WORD = 2**64

Numbers = NDArray[np.int64]


class Imagined(Finished):
    """A result that is played out in imagined worlds; `games` counts the worlds."""

    def head(self) -> dict[str, Any]:
        return {
            **setup_as_json(self.setup),
            "worlds": self.games,
            "seed": self.seed,
            "rules_digest": self.rules_digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "seconds": self.seconds,
        }


def play_on(states: States, players: LineUp, seed: int = 0, keep_ends: bool = False) -> tuple[Any, Any]:
    """Play games from these states to their end: the ledger, and the final states if they are kept."""
    setup, number = players.setup, len(states)
    ledger = blank_ledger(number, int(setup.rules[0].sides))
    ends = interface.blank(setup.game.STATE, number) if keep_ends else None
    play_chunk(players, seed, 0, number, ledger=ledger, openings=states, final_states=ends, given=True)
    return ledger, ends


def distinct_moves(match: Match) -> list[int]:
    """The moves that differ for the player to move: of equal cards only one."""
    seat = match.to_move()
    kinds: dict[int, int] = {}
    for action in match.moves():
        kinds.setdefault(match.seen(action, seat)[1], action)
    return list(kinds.values())


def _bytes(states: States) -> NDArray[np.uint8]:
    view: NDArray[np.uint8] = states.view(np.ndarray).view(np.uint8)
    return view


class Playouts:
    """The worlds played so far, and the result of every move in each of them."""

    def __init__(self, match: Match, seed: int) -> None:
        if not match.setup.game.has("features"):
            raise RulesError(f"{match.setup.ruleset.name} has no rules of thumb, so moves cannot be played out")
        self.match, self.seed, self.thumbs = match, seed, line_up(match.setup, usual_strategy(match.setup))
        self.goal = Goal(match.setup)
        self.seat = match.to_move()
        self.side = int(match.setup.rules[0].side[self.seat])
        self.actions = distinct_moves(match)
        self.worlds = 0
        self.ends: list[Counter[str]] = [Counter() for _ in self.actions]
        self._shares: list[Numbers] = []  # worlds x moves x sides
        self._points: list[NDArray[np.float64]] = []  # worlds x moves, of the player's side
        self._ends = match.setup.game.positions.how_it_ends

    @property
    def at_once(self) -> int:
        """Worlds per batch."""
        return max(1, MOST_AT_ONCE // len(self.actions))

    def play(self, worlds: int) -> None:
        """Imagine more worlds, at most `at_once`, and play out every move in each."""
        setup, moves = self.match.setup, len(self.actions)
        states = interface.blank(setup.game.STATE, worlds * moves)
        # States are copied as bytes: copying field by field takes longer than playing.
        rows = _bytes(states).reshape(worlds * moves, -1)
        trial = copy(self.match)
        trial.states = interface.blank(setup.game.STATE)
        here = _bytes(trial.states)
        key = (KEY + self.seed * SEEDS_APART) % WORD
        imagined = _bytes(self.match.imagine_many(self.seat, key, self.worlds, worlds)).reshape(worlds, -1)
        for world in range(worlds):
            for i, action in enumerate(self.actions):
                here[:] = imagined[world]
                trial.apply(action)
                rows[world * moves + i] = here
        ledger, final_states = play_on(states, self.thumbs, keep_ends=self._ends is not None)
        self._shares.append(np.asarray(ledger.share).reshape(worlds, moves, -1).copy())
        points = np.asarray(ledger.points)[:, self.side] / np.maximum(np.asarray(ledger.entries)[:, self.side], 1)
        self._points.append(points.reshape(worlds, moves))
        if self._ends is not None:
            self._note_ends(final_states, moves)
        self.worlds += worlds

    def _note_ends(self, final_states: Any, moves: int) -> None:
        for number, words in enumerate(self._ends(final_states, self.match.setup)):  # type: ignore[misc]
            self.ends[number % moves][words] += 1

    @property
    def shares(self) -> Numbers:
        """Worlds x moves: the share of the win of the player's side."""
        return np.concatenate(self._shares)[:, :, self.side] if self._shares else np.zeros((0, len(self.actions)), int)

    @property
    def results(self) -> Results:
        """Worlds x moves: what the player's side reached."""
        return np.concatenate(self._points) if self.goal.is_score else self.shares / WHOLE_WIN

    def changes(self, move: int, rival: int, worlds: slice) -> tuple[float, ...]:
        """How much more each side reaches after a move than after another, in some of the worlds.

        Only a game with one side has the score as its goal.
        """
        reached = self.results[:, :, None] if self.goal.is_score else np.concatenate(self._shares) / WHOLE_WIN
        return tuple((reached[worlds, move] - reached[worlds, rival]).mean(axis=0).tolist())

    def ranked(self) -> list[int]:
        """Indices of the moves, the best first; ties in wins by score, then in the order of the list."""
        wins = 0 * self.shares[0] if self.goal.is_score else self.shares.sum(axis=0)
        sign = -1 if self.match.setup.ruleset.lower_is_better else 1
        points = sign * np.concatenate(self._points).sum(axis=0)
        return sorted(range(len(self.actions)), key=lambda i: (-int(wins[i]), -float(points[i]), i))

    def win(self, move: int, side: int | None = None) -> Estimate:
        """The win chance of a side after a move; by default the player's side."""
        shares = np.concatenate(self._shares)[:, move, self.side if side is None else side]
        return wilson(float(shares.mean()) / WHOLE_WIN, len(shares))

    def points(self, move: int) -> Estimate:
        """Mean score of the player's side after a move, per scored entry."""
        return Goal(self.match.setup, "score").expected(np.concatenate(self._points)[:, move])

    def loss(self, move: int, best: int, confidence: float = CONFIDENCE) -> Estimate:
        """How much worse a move is than the best one, in the same worlds."""
        return self.goal.paired(self.results, move, best, confidence)


def chance(match: Match, seat: int, worlds: int = WORLDS, made: int | None = None) -> Estimate:
    """The win chance of a seat's side, or the score that it can expect, from what the seat knows; exact at the end.

    `made` is the move that the seat has just made. A world takes back cards that were chosen in secret and not yet
    shown, even those of the seat itself, so the move is made again there.
    """
    setup, goal = match.setup, Goal(match.setup)
    side = int(setup.rules[0].side[seat])
    if match.to_move() < 0:
        return goal.exactly(goal.in_result(match.result(), side))
    states = interface.blank(setup.game.STATE, worlds)
    for world in range(worlds):
        imagined = match.imagine(seat, CHANCE_KEY + world)
        if made is not None and imagined.to_move() == seat != match.to_move():
            imagined.apply(made)
        states[world] = imagined.states[0]
    ledger, _ = play_on(states, line_up(setup, usual_strategy(setup)), match.seed)
    return goal.expected(goal.in_games(ledger, side))
