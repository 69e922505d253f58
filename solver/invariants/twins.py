"""Twins: tables that were really played with other cards and look the same to one seat all the way.

An imagined world has the past that the game says it had (`recall`). What that takes over from the real past by mistake
it takes over into every such world, so that comparing them does not show it. Twins have a past that nobody had to say:
worlds are imagined first, and the same moves are made in them after that. Few can make them; the others are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from houle.solver.invariants.broken import demand
from houle.solver.invariants.play import decisions
from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import seat_strategies
from houle.solver.strategies.reading.memory import Past

WORLDS = 100  # to begin with: about one in ten holds the card that somebody lays
LONGEST = 24  # plies between two decisions of a seat
MOST = 8  # twins that are compared with a table


def twins(setup: Setup, games: int, seed: int, every: int) -> Iterator[tuple[Match, int, list[Match]]]:
    """Tables of random games, the seat that has to move there, and their twins in the eyes of that seat.

    They begin to remember at every `every`-th ply, when that seat has to move, and are shown when it has to again.
    """
    for start, seat in decisions(setup, games, seed, every):
        table, *others = (start.imagine(seat, seed * 7_919 + start.ply + number) for number in range(1 + WORLDS))
        for each in (table, *others):
            each.past = Past()
        for _ in range(LONGEST):
            others = _follow(table, table.random_move(), seat, others)
            if not others or table.to_move() in (seat, -1):
                break
        if others and table.to_move() == seat:
            yield table, seat, others


def _follow(match: Match, action: int, seat: int, others: list[Match]) -> list[Match]:
    """Makes a move at a table and at the others; those where that can be done and looks the same to the seat."""
    look = match.seen(action, seat)
    others = [other for other in others if action in other.moves() and other.seen(action, seat) == look]
    for each in (match, *others):
        each.apply(action)
    shown, mover = match.knows(seat), match.to_move()
    return [other for other in others if other.knows(seat) == shown and other.to_move() == mover]


def twins_are_read_alike(setup: Setup, games: int, seed: int, strategy: str, every: int = 5) -> int:
    """A reader gives the worlds that it imagines the same odds at a table and at its twins, wherever something tells.

    What it then does may differ by luck: the next card of a pile that nobody knows is another one.
    """
    asked = Asked(seat_strategies(setup, [strategy]))
    compared = 0
    for table, seat, others in twins(setup, games, seed, every):
        asked.decide(table, table.ply)
        odds = asked.odds()
        for other in others[:MOST] if odds.min() < odds.max() else ():
            asked.decide(other, table.ply)
            same = np.array_equal(asked.odds(), odds)
            demand(same, table, f"{strategy} in seat {seat} weighs worlds by cards that it never saw")
            compared += 1
    return compared
