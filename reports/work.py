"""How much work a search would be at a table, before it is done: counted in moves of playouts, never in seconds.

A count does not hang on the machine, so the same seed gives the same report everywhere. A search plays every move that
it may make to the end of the round, in every world: a long game with many choices costs the square of its length, and
games that end in a stand-off cost most of all.
"""

from __future__ import annotations

from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import seat_strategies

LOOKS = 12  # games of the thumb that are looked at
LEAST_GAMES = 4


def search_work(setup: Setup, seed: int, looks: int = LOOKS) -> float:
    """Moves of playouts that one world costs in a game, in the mean of some games by rules of thumb."""
    thumbs = seat_strategies(setup, ["thumb"])
    total = 0
    for game in range(looks):
        match = Match(setup, seed, game)
        rounds: dict[object, list[int]] = {}
        while match.to_move() >= 0:
            rounds.setdefault(match.snapshot().get("round", 0), []).append(len(match.moves()))
            match.apply(match.decide(thumbs))
        for choices in rounds.values():
            total += sum(moves * (len(choices) - place) for place, moves in enumerate(choices) if moves > 1)
    return total / looks


def games_within(games: int, worlds: int, work: float, most: float) -> int:
    """So many games of a search, or as many as stay below the most work; a few in any case."""
    return max(LEAST_GAMES, min(games, int(most / max(worlds * work, 1.0))))
