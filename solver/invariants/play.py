"""Invariants of play: games end, moves are legal, cards are conserved, and a seed repeats its games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from houle.solver.invariants.errors import begin, demand, difference
from houle.solver.matches.match import Match
from houle.solver.plain.as_game import PlainTable
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk

MOST_PLIES = 10_000  # a longer game counts as endless

Count = Callable[[dict[str, Any]], int]  # a snapshot -> cards in it


def seated(setup: Setup, seed: int, game: int) -> Match:
    """A match before its first decision. Its state is a plain array: calls of kernels are six times faster."""
    match = Match(setup, seed, game)
    match.states = np.asarray(match.states)
    begin(match)
    return match


def plies(setup: Setup, games: int, seed: int, first: int = 0) -> Iterator[Match]:
    """Random games, ply by ply: the match before every decision, and once more when the game is over."""
    for game in range(first, first + games):
        match = seated(setup, seed, game)
        while match.to_move() >= 0:
            demand(match.ply < MOST_PLIES, match, "the game does not end")
            begin(match)
            yield match
            action = match.random_move()
            begin(match, action)
            match.apply(action)
        begin(match)
        yield match


def decisions(setup: Setup, games: int, seed: int, every: int) -> Iterator[tuple[Match, int]]:
    """The match before every `every`-th decision of random games, and the seat to move."""
    for match in plies(setup, games, seed):
        if match.to_move() >= 0 and match.ply % every == every - 1:
            yield match, match.to_move()


def games_end(setup: Setup, games: int, seed: int) -> int:
    """Every game ends, the shares add up to at most one win, and scores are within the declared range."""
    ended = 0
    for match in plies(setup, games, seed):
        if match.to_move() >= 0:
            continue
        result = match.result()
        demand(sum(result["shares"]) <= 840, match, f"the shares of the win are {result['shares']} of 840")
        demand(min(result["shares"]) >= 0, match, f"a share of the win is negative: {result['shares']} of 840")
        demand(result["drawn"] <= (sum(result["shares"]) == 0), match, f"a draw with shares {result['shares']}")
        scores_in_range(match, result["scores"])
        ended += 1
    return ended


def scores_in_range(match: Match, scores: list[int]) -> None:
    """Scores are within the declared range: compiled kernels would count others in memory that is not theirs."""
    low, high = match.setup.score_range
    outside = [score for score in scores if not low <= score <= high]
    demand(not outside, match, f"scores {outside} are not within {low} to {high}, the declared range")


def ends_when_nothing_is_legal(setup: Setup, games: int, seed: int) -> int:
    """There are legal moves exactly while somebody is to move; none is listed twice; random moves are legal."""
    checked = 0
    for match in plies(setup, games, seed):
        moves, mover = match.moves(), match.to_move()
        if mover < 0:
            nothing_is_left_at_the_end(match)
        demand(bool(moves) == (mover >= 0), match, f"{len(moves)} legal moves with seat {mover} to move")
        demand(len(set(moves)) == len(moves), match, f"a move is listed twice in {moves}")
        demand(mover < setup.players, match, f"seat {mover} of {setup.players} is to move")
        if mover >= 0:
            action = match.random_move()
            demand(action in moves, match, f"the random move {action} is not among {moves}")
        checked += 1
    return checked


def nothing_is_left_at_the_end(match: Match) -> None:
    """legal() of a class lists no move in a game that is over."""
    table = match.setup.game.class_view
    if not isinstance(table, PlainTable):
        return
    left = table.legal_at_the_end(match.state, match.setup.rules[0])
    listed = f"the game is over, but legal() lists {len(left)} moves ({', '.join(map(str, left[:3]))})"
    demand(not left, match, f"{listed}: it ends too early, or legal() must be empty where to_move() is -1")


def cards_are_conserved(setup: Setup, games: int, seed: int, count: Count | None = None) -> int:
    """The number of cards stays the same. `count` reads it from a snapshot, by default the game's `number_of_cards`."""
    read = count or setup.game.number_of_cards
    if read is None:
        return 0
    checked, cards = 0, 0
    for match in plies(setup, games, seed):
        now = read(match.snapshot())
        cards = now if match.ply == 0 else cards
        demand(now == cards, match, f"there are {now} cards, and {cards} at the start")
        checked += 1
    return checked


def same_seed_same_game(setup: Setup, games: int, seed: int) -> int:
    """A game of a seed repeats exactly, stepped or simulated; different games differ."""
    checked = 0
    for match in plies(setup, games, seed):
        if match.to_move() >= 0:
            continue
        ended = match.snapshot() | match.result()  # now: a class has one object for equal histories
        again = next(other for other in plies(setup, 1, seed, match.game) if other.to_move() < 0)
        differs = difference(ended, again.snapshot() | again.result())
        demand(not differs, match, f"the same game ends differently the second time: {differs}")
        tally = play_chunk(seat_strategies(setup, ("random",)), seed, match.game, 1)
        counts = dict(zip(tally.names, tally.counts.tolist(), strict=True))
        differs = difference(match.result()["counts"], counts)
        demand(not differs, match, f"stepped and simulated games differ: {differs}")
        checked += 1
    if games > 1:
        ends = {str(match.snapshot()) for match in plies(setup, games, seed) if match.to_move() < 0}
        demand(len(ends) > 1, Match(setup, seed), f"all {games} games of this seed are the same")
    return checked
