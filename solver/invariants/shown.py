"""Invariants of what seats are shown: texts, numbers and moves of others tell a seat no more than it knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from houle.solver.errors import PositionError
from houle.solver.interface import entries
from houle.solver.invariants.broken import demand, difference
from houle.solver.invariants.play import decisions
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import move_name, words_of
from houle.solver.matches.seen_moves import after
from houle.solver.rules import Setup

WORLDS = 4
MOST_MOVES = 12  # of a decision that are compared


def texts_show_what_the_seat_sees(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """The lines of a position are the same in all worlds that the seat cannot tell apart."""
    try:
        words = words_of(setup)
    except PositionError:  # the game does not write positions
        return 0
    return same_in_worlds(setup, games, seed, every, "line", lambda match, seat: words.write(match.state, setup, seat))


def same_in_worlds(
    setup: Setup, games: int, seed: int, every: int, what: str, shown: Callable[[Match, int], dict[str, Any]]
) -> int:
    """What a seat is shown is the same in the match and in worlds that the seat cannot tell from it."""
    checked = 0
    for match, _ in decisions(setup, games, seed, every):
        for seat in range(setup.players):
            real = shown(match, seat)
            for number in range(WORLDS):
                key = 1000 * match.ply + number
                differs = difference(real, shown(match.imagine(seat, key), seat))
                demand(not differs, match, f"seat {seat}, world {key}: it is shown another {what}: {differs}")
                checked += 1
    return checked


def observations_show_what_the_seat_sees(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """The numbers of an observation are the same in worlds that the seat cannot tell apart; all moves are listed."""
    if setup.game.observation_parts is None or setup.game.plain is not None:
        return 0
    parts = setup.game.observation_parts(setup)
    size, list_kinds = sum(number for _, number in parts), setup.game.action_kinds
    kinds = [set(list_kinds(setup, seat)) if list_kinds else set() for seat in range(setup.players)]

    def shown(match: Match, seat: int) -> dict[str, Any]:
        out = np.zeros(size, np.int16)
        written = int(entries.observe_seat(match.states, setup.rules, seat, out))
        demand(written == size, match, f"observe writes {written} numbers; observation_parts names {size}")
        if list_kinds and match.to_move() == seat:
            for action in match.moves():
                listed = match.seen(action, seat)[1] in kinds[seat]
                demand(listed, match, f"{match.name(action)!r} is not in action_kinds of seat {seat}")
        at, numbers = 0, dict[str, Any]()
        for name, number in parts:
            numbers[name] = out[at : at + number].tolist()
            at += number
        return numbers

    return same_in_worlds(setup, games, seed, every, "number", shown)


def moves_are_shown_as_seen(setup: Setup, games: int, seed: int, every: int = 3) -> int:
    """Another seat is shown the same name for two moves that it cannot tell apart.

    In declared games these are moves after which it knows the same; in others, and at the end of a round, `observed`
    says it, because what a seat knows may leave out what it has seen and does not need any more.
    """
    declared = setup.game.declared

    def label(match: Match, action: int, then: Match, seat: int) -> tuple[bool, int]:
        by_fields = declared is not None and then.to_move() >= 0
        if declared is not None and declared.rounds and then.state.rounds != match.state.rounds:
            by_fields = False
        return by_fields, then.knows(seat) if by_fields else match.seen(action, seat)[0]

    checked = 0
    for match, mover in decisions(setup, games, seed, every):
        moves = match.moves()[:MOST_MOVES]
        states = [match if declared is None else after(match, action) for action in moves]
        for seat in range(setup.players):
            if seat == mover:
                continue
            told: dict[tuple[bool, int], str] = {}
            for action, state in zip(moves, states, strict=True):
                name = move_name(match, action, seat, done=True)
                same = told.setdefault(label(match, action, state, seat), name)
                secret = f"seat {seat} is shown {same!r} and {name!r} of moves that it cannot tell apart"
                demand(same == name, match, f"{secret}, made by seat {mover}")
                checked += 1
    return checked
