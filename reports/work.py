"""Estimates the work of a search before it is done, in moves of playouts.

Unlike seconds, this count does not depend on the machine, so the same seed gives the same report everywhere. A search
plays every possible move to the end of the round in every world, so the work grows with the square of a game's length.
"""

from __future__ import annotations

from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup

SAMPLE = 12  # games played by rules of thumb
LEAST_GAMES = 4


def search_work(setup: Setup, seed: int, sample: int = SAMPLE) -> float:
    """Moves of playouts that one world costs in a game: the mean over some games played by rules of thumb."""
    thumbs = seat_strategies(setup, ["thumb"])
    total = 0
    for game in range(sample):
        match = Match(setup, seed, game)
        rounds: dict[object, list[int]] = {}
        while match.to_move() >= 0:
            rounds.setdefault(match.snapshot().get("round", 0), []).append(len(match.moves()))
            match.apply(match.decide(thumbs))
        for choices in rounds.values():
            total += sum(moves * (len(choices) - i) for i, moves in enumerate(choices) if moves > 1)
    return total / sample


def games_within(games: int, worlds: int, work: float, most: float) -> int:
    """The number of search games, reduced so that the work stays below `most`; at least a few."""
    return max(LEAST_GAMES, min(games, int(most / max(worlds * work, 1.0))))
