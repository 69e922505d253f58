"""What happens during a game: the chance to win by turn, moves to choose from, cards in hand, when it is decided.

Some games are played move by move. Every few turns the player to move imagines deals that fit what it knows, and
players like it play them to the end: the share that its side wins is its chance. Where points are the goal, it is the
mean score, from the least that is possible (0) to the greatest (1).
"""

from __future__ import annotations

import time

import numpy as np

from houle.analysis.measures.goal import Goal
from houle.analysis.play.playouts import play_on
from houle.analysis.players.line_ups import line_up
from houle.analysis.studio.growing_results import Stop
from houle.solver.matches.match import Match
from houle.solver.rules import Setup

GAMES = 24
WORLDS = 40  # imagined deals of each chance
POINTS = 24  # chances of a game of the usual length
MOST_PLIES = 1_500  # of a game; weak players may not end it
KEY = 1 << 42  # of the first imagined deal
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the games, for the bands of the fan
LIKELY = 0.9  # a game is decided once the chance stays above this, or below the rest


class DuringGame:
    """Games of one kind of player, move by move; `step` adds a game."""

    def __init__(self, setup: Setup, who: str, seed: int) -> None:
        self.setup, self.seed, self.goal = setup, seed, Goal(setup)
        self.line_up = line_up(setup, who)
        self.worlds = WORLDS
        self.every = 0  # decisions between two chances; 0 before that is known
        self._chances: list[dict[int, float]] = []  # per game: decision -> chance of the first side
        self._counts: list[dict[int, tuple[int, int]]] = []  # per game: decision -> moves, cards in hand

    @property
    def games(self) -> int:
        return len(self._chances)

    @property
    def done(self) -> bool:
        return self.games >= GAMES

    def step(self, stop: Stop) -> bool:
        """Play one more game; false if there are enough."""
        if self.done:
            return False
        self.every = self.every or max(1, round(self._plies() / POINTS))
        chances: dict[int, float] = {}
        counts: dict[int, tuple[int, int]] = {}
        match = Match(self.setup, self.seed, self.games)
        while (seat := match.to_move()) >= 0 and match.ply < MOST_PLIES:
            if stop():
                return True
            if match.ply % self.every == 0:
                chances[match.ply] = self._chance(match, seat)
                counts[match.ply] = (len(match.moves()), cards_in_hand(match, seat))
            match.apply(match.decide(self.line_up))
            time.sleep(0)  # other threads answer pages
        if seat < 0:
            chances[match.ply] = self._share(self.goal.in_result(match.result(), 0))
        self._chances.append(chances)
        self._counts.append(counts)
        return True

    def _plies(self) -> int:
        """The decisions of the first game, which is played without chances: these take long."""
        match = Match(self.setup, self.seed, 0)
        while match.to_move() >= 0 and match.ply < MOST_PLIES:
            match.apply(match.decide(self.line_up))
        return match.ply

    def _chance(self, match: Match, seat: int) -> float:
        """The chance of the first side, from what the player to move knows."""
        states = match.imagine_many(seat, KEY, 0, self.worlds)
        ledger, _ = play_on(states, self.line_up, match.seed)
        return self._share(float(self.goal.in_games(ledger, 0).mean()))

    def _share(self, result: float) -> float:
        """A result as a share of the way from the least to the greatest one."""
        return (result - self.goal.ends[0]) / self.goal.span

    @property
    def decisions(self) -> list[int]:
        """The decisions at which chances are shown: up to the end of nine in ten games."""
        lengths = sorted(max(one) for one in self._chances)
        last = lengths[min(len(lengths) - 1, int(0.9 * len(lengths)))]
        return list(range(0, last + self.every, self.every))

    def bands(self) -> list[tuple[float, ...]]:
        """At every decision: what SHARES of the games do not exceed; a game that is over keeps its result."""
        rows = [[one[max(ply for ply in one if ply <= decision)] for one in self._chances]
                for decision in self.decisions]  # fmt: skip
        return [tuple(float(value) for value in np.quantile(row, SHARES)) for row in rows]

    def _means(self, which: int) -> list[float]:
        rows = [[one[decision][which] for one in self._counts if decision in one] for decision in self.decisions]
        means = [float(np.mean(row)) for row in rows if row]
        return means if any(means) else []

    def moves(self) -> list[float]:
        """Moves to choose from, on average over the games that still last."""
        return self._means(0)

    def cards(self) -> list[float]:
        """Cards of the player to move; empty if the game does not tell."""
        return self._means(1)

    def decided(self) -> float | None:
        """After which part of the game half of the games are decided; None without games, and where points count."""
        parts: list[float] = []
        for one in self._chances if not self.goal.is_score else ():
            open_at = [ply for ply, chance in one.items() if 1 - LIKELY < chance < LIKELY]
            parts.append(max(open_at, default=0) / max(1, *one))
        return float(np.median(parts)) if parts else None


def cards_in_hand(match: Match, seat: int) -> int:
    """How many cards a seat holds, by the parts of what it knows; 0 if the game does not tell."""
    values = match.known(seat).values()
    if ("cards", seat) in values:
        return int(values["cards", seat])
    if ("hand", seat) in values:
        return len(values["hand", seat])
    return sum(1 for card in values.get(("places", seat), ()) if card)  # 0: an empty place
