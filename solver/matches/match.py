"""A match: one game in progress, stepped move by move with the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.compiler.types import State, States
from houle.solver.errors import WorldError
from houle.solver.interface import MAX_FEATURES, MAX_SIDES, UTILITY, blank, entries, is_signal
from houle.solver.language.seats import authored
from houle.solver.matches.known import Known
from houle.solver.players.best_move_race import decision_key
from houle.solver.players.decision_log import blank_log
from houle.solver.players.kinds import RANDOM
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.players.reading.beliefs import imagine_likely
from houle.solver.players.reading.memory import Past
from houle.solver.players.workspace import Thinking, make_thinking, make_workspace
from houle.solver.rules import Setup
from houle.solver.run.playout import decide
from houle.solver.run.tally import Counts

READER = "flat:1[weighs=1000]"  # reads signals when many worlds are imagined; the number of playouts does not matter


@dataclass(frozen=True)
class Forgotten:
    """Cards that a typed position leaves open although players have seen them.

    They are in the pile of `states`; `place` puts them where they belong in an imagined world. Hidden cards are
    imagined first, so every way to deal all of them is equally likely.
    """

    states: States
    place: Callable[[State, Random], None]
    lines: dict[str, list[str]]  # of the position


class Match:
    """A game in progress: its state, its moves, what a seat knows, what a strategy would play."""

    def __init__(self, setup: Setup, seed: int, game: int = 0, replay: int = 0) -> None:
        self.setup = setup
        self.seed, self.game, self.replay, self.ply = seed, game, replay, 0
        self.states = blank(setup.game.STATE)
        self.past = Past()
        self.forgotten: Forgotten | None = None
        self._buffer = np.zeros(setup.game.MAX_MOVES, np.int64)
        entries.open_game(self.states, setup.rules, U8(seed), game, replay)

    def copied(self) -> Match:
        """The same match, to be played on apart from this one."""
        other = copy(self)
        other.states, other._buffer = self.states.copy(), self._buffer.copy()
        return other

    @property
    def state(self) -> State:
        return self.states[0]

    def to_move(self) -> int:
        return int(entries.seat_to_move(self.states))

    def is_signal(self) -> bool:
        """Whether the next decision is a signal, which tells others something and moves nothing."""
        return bool(is_signal(self.state))

    def moves(self) -> list[int]:
        return [
            int(action) for action in self._buffer[: entries.list_moves(self.states, self.setup.rules, self._buffer)]
        ]

    def features(self) -> Counts:
        """The features of every legal move, a row per move."""
        table = np.zeros((len(self._buffer), MAX_FEATURES), np.int64)
        n = entries.move_features(self.states, self.setup.rules, self._buffer, table)
        return table[:n, : len(self.setup.game.FEATURES)]

    def random_move(self) -> int:
        return int(entries.draw_move(self.states, self.setup.rules))

    def apply(self, action: int) -> None:
        if self.setup.game.has("recall"):
            self.past = self.past.and_then(self.states, action)
        if entries.apply_move(self.states, self.setup.rules, action):
            self.past = Past()
        self.forgotten = None
        self.ply += 1

    def after(self, action: int) -> Match:
        """The match after a move; this one stays as it is."""
        other = self.copied()
        other.apply(action)
        return other

    def put_back(self, before: Match) -> None:
        """Takes back all moves since a copy was made."""
        self.states, self.past = before.states.copy(), before.past
        self.forgotten, self.ply = before.forgotten, before.ply

    def names(self) -> list[str]:
        """The legal moves by name, in the order of `moves()`."""
        return [self.name(action) for action in self.moves()]

    def name(self, action: int) -> str:
        return authored(self.setup.game, self.setup.game.action_name(self.state, self.setup, action))

    def show(self) -> str:
        """The state as the game shows it to people."""
        return authored(self.setup.game, self.setup.game.show(self.state, self.setup))

    def snapshot(self) -> dict[str, Any]:
        return dict(self.setup.game.snapshot(self.state, self.setup))

    def decide(self, line_up: LineUp, key: int | None = None) -> int:
        """The move of the strategy whose turn it is, as in the simulated game. `key` replaces the key of a search.

        A clairvoyant with an exact solver plays as a thumb here: its winning line is searched for whole games only.
        """
        if line_up.records[self.to_move()].kind == RANDOM:
            return self.random_move()
        return self._decide(line_up, key, make_thinking(self.setup, line_up))

    def judge(self, line_up: LineUp, key: int | None = None) -> list[tuple[int, float]]:
        """Every distinct move with its gain in utility over the thumb's move, as a part of 1; best first.

        `line_up` must have flat search in the seat to move. The game's own luck is not touched.
        """
        log = blank_log()
        thinking = make_thinking(self.setup, line_up, log)
        choice = self.states[0].choice
        self._decide(line_up, key, thinking)
        self.states[0].choice = choice
        n = int(log[0].kinds)
        worlds = int(line_up.records[self.to_move()].budget)
        gains = thinking.work.candidates.gain[:n] / (worlds * UTILITY) if n > 1 else np.zeros(n)
        moves = [(int(action), float(gain)) for action, gain in zip(self._buffer[:n], gains, strict=True)]
        return sorted(moves, key=lambda move: -move[1])

    def _decide(self, line_up: LineUp, key: int | None, thinking: Thinking) -> int:
        if key is None:
            key = int(decision_key(U8(self.seed), self.game, self.replay, U8(self.ply)))
        if thinking.work is not None:
            self.past.fill(thinking.work.memory)
        return decide(line_up, self.states, key, thinking, moves=self._buffer)

    def categories(self, action: int) -> list[str]:
        """The categories of an action, as far as its player can tell."""
        bits = int(entries.move_categories(self.states, self.setup.rules, action))
        return [name for i, name in enumerate(self.setup.game.CATEGORIES) if bits >> i & 1]

    def known(self, seat: int) -> Known:
        """All that `seat` knows, by name."""
        return Known.of(self.states, self.setup, seat)

    def knows(self, seat: int) -> int:
        """64 bits that are equal exactly where the seat knows the same."""
        view = self.setup.game.class_view
        return view.knows(self.state, self.setup.rules[0], seat) if view else self.known(seat).label

    def seen(self, action: int, seat: int) -> tuple[int, int]:
        """What `seat` sees of an action about to be applied, and the action's kind."""
        label, kind = entries.label_seen(self.states, self.setup.rules, action, seat)
        return int(label), int(kind)

    def imagine(self, seat: int, key: int) -> Match:
        """The match in a random world that `seat` cannot tell from this one."""
        other = copy(self)
        other.states = (self.states if self.forgotten is None else self.forgotten.states).copy()
        if not entries.replace_unknown(other.states, self.setup.rules, seat, U8(key)):
            raise WorldError(
                f"{self.setup.summary}, move {self.ply + 1}: no deal agrees with what seat {seat + 1} knows"
            )
        if self.forgotten is not None:
            self.forgotten.place(other.state, Random(key))
        if self.past.actions:
            here, there = self.states.copy(), other.states.copy()
            other.past = self.past.as_in(lambda past: entries.recall_states(past, self.setup.rules, seat, here, there))
        return other

    def told_past(self) -> Past:
        """The earlier decisions that the state itself tells: the signals at this decision."""
        past, earlier = Past(), self.setup.game.positions.earlier_decisions if self.setup.has_signals else None
        for before, action in earlier(self.states, self.setup) if earlier else ():
            past = past.and_then(before, action)
        return past

    def imagine_many(self, seat: int, key: int, first: int, number: int) -> States:
        """Random worlds that `seat` cannot tell from this one, from number `first` on.

        Where others signalled at this decision, worlds that explain their signals come more often. Earlier signals do
        not count, so that a position written as text gives the same worlds.
        """
        past = self.told_past()
        if past.actions:
            worlds, line_up = blank(self.setup.game.STATE, number), seat_strategies(self.setup, [READER])
            work = make_workspace(self.setup, line_up)
            past.fill(work.memory)
            here = self.states, self.setup.rules, line_up.records, seat, U8(key)
            if imagine_likely(*here, first, work.scene, work.memory, worlds):
                return worlds
        return np.concatenate([self.imagine(seat, (key + first + i) % 2**64).states for i in range(number)])

    def result(self) -> dict[str, Any]:
        """Scores of the last round or game, shares of the win and the counts; only when the game is over."""
        sides = int(self.setup.rules[0].sides)
        names = self.setup.game.COUNTS
        scores, shares = np.zeros(MAX_SIDES, np.int64), np.zeros(MAX_SIDES, np.int64)
        totals = np.zeros(len(names), np.int64)
        drawn = bool(entries.final_result(self.states, self.setup.rules, scores, shares, totals))
        return {
            "scores": scores[:sides].tolist(),
            "shares": shares[:sides].tolist(),
            "drawn": drawn,
            "counts": dict(zip(names, totals.tolist(), strict=True)),
        }
