"""A review that goes on step by step, for pages that show what is known so far.

All decisions are judged with few worlds first, then again with more. Nothing runs by itself: a review that nobody asks
for any more stops.
"""

from __future__ import annotations

import threading
import time

from houle.analysis.limits import SEED
from houle.analysis.play.review import (
    Account,
    Judged,
    ReviewedGame,
    Told,
    account,
    judge,
    said,
)
from houle.analysis.play.seat_view import heard
from houle.analysis.play.table_game import Course
from houle.solver.language.seats import from_1
from houle.solver.matches.record.replaying import events

ROUNDS = (40, 400)  # worlds per decision


def played_course(course: Course) -> ReviewedGame:
    """A game with people. While it is not over, only what the player to move saw."""
    made = course.made
    befores = [course.match_before(one) for one in made]
    viewer = None if course.over else course.to_move

    def told(number: int) -> Told:
        one = made[number - 1]
        if viewer is not None:
            seen = heard(course, one, viewer)
            return seen.words, seen.events
        words = said(befores[number - 1], one.action, one.seat)
        return from_1(words), tuple(map(from_1, events(game.after(number), one.before, one.action)))

    game = ReviewedGame(
        befores=befores, actions=[one.action for one in made], last=course.match, told=told, viewer=viewer
    )
    return game


class Reviewing:
    """The decisions of a game that are judged so far."""

    def __init__(self, played: ReviewedGame, rounds: tuple[int, ...] = ROUNDS, seed: int = SEED) -> None:
        self.played, self.rounds, self.seed = played, rounds, seed
        self.numbers = played.choices
        self.steps = 0  # decisions judged, in all rounds together
        self._judged: dict[int, Judged] = {}
        self._accounts: dict[int, Account] = {}
        self._lock = threading.Lock()

    @property
    def all_steps(self) -> int:
        return len(self.rounds) * len(self.numbers)

    @property
    def done(self) -> bool:
        return self.steps >= self.all_steps

    @property
    def round(self) -> int:
        """How often all decisions have been judged."""
        return self.steps // len(self.numbers) if self.numbers else len(self.rounds)

    @property
    def worlds(self) -> int:
        """Worlds per decision in the round that goes on, or in the last."""
        return self.rounds[min(self.round, len(self.rounds) - 1)]

    def go_on(self, seconds: float) -> None:
        """Judge more decisions for about this long; one at least."""
        with self._lock:
            end = time.monotonic() + seconds
            while not self.done:
                number = self.numbers[self.steps % len(self.numbers)]
                one = judge(self.played, number, self.worlds, self.seed)
                if one is not None:
                    self._judged[number] = one
                self.steps += 1
                if time.monotonic() >= end:
                    break

    @property
    def decisions(self) -> list[Judged]:
        """The decisions judged so far, in the order of the game."""
        return [self._judged[number] for number in self.numbers if number in self._judged]

    def judged(self, number: int) -> Judged | None:
        return self._judged.get(number)

    def account(self, seat: int) -> Account | None:
        """The account of a seat; None until every decision has been judged in all worlds, because sums swing before."""
        if not self.done:
            return None
        with self._lock:
            if seat not in self._accounts:
                side = int(self.played.last.setup.rules[0].side[seat])
                self._accounts[seat] = account(self.played, side, self.decisions, self.worlds, seat=seat)
        return self._accounts[seat]
