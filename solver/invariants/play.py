"""Laws of play: games end, there is something to do until they end, nothing is lost, and a seed repeats itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from houle.solver.invariants.broken import demand, difference
from houle.solver.match import Match
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup

MOST_PLIES = 100_000  # far beyond every game of the house

Count = Callable[[dict[str, Any]], int]  # a snapshot -> cards in it


def seated(setup: Setup, seed: int, game: int) -> Match:
    """A table before its first decision, its state in a plain array: kernels are called with it six times as fast."""
    match = Match(setup, seed, game)
    match.states = np.asarray(match.states)
    return match


def plies(setup: Setup, games: int, seed: int, first: int = 0) -> Iterator[Match]:
    """Random games, ply by ply: the table before every decision, and once more when the game is over."""
    for game in range(first, first + games):
        table = seated(setup, seed, game)
        while table.to_move() >= 0:
            demand(table.ply < MOST_PLIES, table, "the game does not end")
            yield table
            table.apply(table.random_move())
        yield table


def decisions(setup: Setup, games: int, seed: int, every: int) -> Iterator[tuple[Match, int]]:
    """The table before every so many decisions of random games, and who is to move."""
    for table in plies(setup, games, seed):
        if table.to_move() >= 0 and table.ply % every == every - 1:
            yield table, table.to_move()


def counter(setup: Setup) -> Count | None:
    """What a game has to count its cards with: `number_of_cards(snapshot)` in its text.py."""
    return setup.game.number_of_cards


def games_end(setup: Setup, games: int, seed: int) -> int:
    """Every game ends, with shares of one win, or none, and scores within the range that is promised."""
    low, high = setup.score_range
    ended = 0
    for table in plies(setup, games, seed):
        if table.to_move() >= 0:
            continue
        found = table.result()
        demand(sum(found["shares"]) <= 840, table, f"the shares of the win are {found['shares']} of 840")
        demand(found["drawn"] <= (sum(found["shares"]) == 0), table, f"a draw with shares {found['shares']}")
        outside = [score for score in found["scores"] if not low <= score <= high]
        demand(not outside, table, f"scores {outside} are not within {low} to {high}")
        ended += 1
    return ended


def ends_when_nothing_is_legal(setup: Setup, games: int, seed: int) -> int:
    """There is a legal move exactly while somebody is to move; no move stands twice; random ones are legal."""
    checked = 0
    for table in plies(setup, games, seed):
        moves, mover = table.moves(), table.to_move()
        demand(bool(moves) == (mover >= 0), table, f"{len(moves)} legal moves with seat {mover} to move")
        demand(len(set(moves)) == len(moves), table, f"a move stands twice in {moves}")
        demand(mover < setup.players, table, f"seat {mover} of {setup.players} is to move")
        if mover >= 0:
            action = table.random_move()
            demand(action in moves, table, f"the random move {action} is not among {moves}")
        checked += 1
    return checked


def cards_are_conserved(setup: Setup, games: int, seed: int, count: Count | None = None) -> int:
    """Cards neither vanish nor double: `count` reads their number from a snapshot.

    Without `count` the game is asked, see `counter`; a game that does not say has nothing to conserve.
    """
    read = count or counter(setup)
    if read is None:
        return 0
    checked, cards = 0, 0
    for table in plies(setup, games, seed):
        now = read(table.snapshot())
        cards = now if table.ply == 0 else cards
        demand(now == cards, table, f"there are {now} cards, and {cards} at the start")
        checked += 1
    return checked


def same_seed_same_game(setup: Setup, games: int, seed: int) -> int:
    """A game of a seed is the same game again, stepped or played in one go; another one is another."""
    checked = 0
    for table in plies(setup, games, seed):
        if table.to_move() >= 0:
            continue
        again = next(other for other in plies(setup, 1, seed, table.game) if other.to_move() < 0)
        found = difference(table.snapshot() | table.result(), again.snapshot() | again.result())
        demand(not found, table, f"the same game ends otherwise the second time: {found}")
        tally = play_chunk(setup, ("random",), seed, table.game, 1)
        counts = dict(zip(tally.names, tally.counts.tolist(), strict=True))
        found = difference(table.result()["counts"], counts)
        demand(not found, table, f"stepped and played in one go it differs: {found}")
        checked += 1
    if games > 1:
        ends = {str(table.snapshot()) for table in plies(setup, games, seed) if table.to_move() < 0}
        demand(len(ends) > 1, Match(setup, seed), f"{games} games of this seed are one and the same")
    return checked
