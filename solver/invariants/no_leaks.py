"""Invariants of what seats are shown: numbers, texts, pages and moves of others tell a seat no more than it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.interface import entries
from houle.solver.invariants.errors import demand, difference
from houle.solver.invariants.play import decisions
from houle.solver.matches.known import layout_of, observation_size
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import has_positions, lines_of, move_name
from houle.solver.matches.seen_moves import after
from houle.solver.matches.views import view_of
from houle.solver.rules import Setup

WORLDS = 4
MOST_MOVES = 12  # of a decision that are compared


def seats_are_shown_what_they_know(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """All that a seat is shown is the same in worlds that it cannot tell apart: numbers, lines and the page.

    Of a class in plain Python this is its view.
    """
    by_class = setup.game.class_view
    if by_class is not None and not by_class.has_view:
        return 0
    checked = 0
    for match, _ in decisions(setup, games, seed, every):
        for seat in range(setup.players):
            real = all_shown(match, seat)
            for number in range(WORLDS):
                key = 1000 * match.ply + number
                differs = difference(real, all_shown(match.imagine(seat, key), seat))
                demand(not differs, match, f"seat {seat}, world {key}: it is shown something else: {differs}")
                checked += 1
    return checked


def all_shown(match: Match, seat: int) -> dict[str, Any]:
    """Everything that a seat is shown: the numbers of its observation by name, the lines of its position, the page."""
    setup = match.setup
    if setup.game.class_view is not None:
        return setup.game.class_view.seen(match.state, setup.rules[0], seat)
    numbers = np.zeros(observation_size(setup), np.int64)
    written = int(entries.observe_seat(match.states, setup.rules, seat, numbers))
    demand(written == len(numbers), match, f"observe writes {written} numbers; the table has {len(numbers)}")
    shown: dict[str, Any] = {
        place.name: numbers[place.start : place.start + place.width].tolist() for place in layout_of(setup)
    }
    page = {f"page {row['label']}": row for row in view_of(match.state, setup, seat)}
    lines = lines_of(match, seat) if has_positions(setup) else {}
    return shown | page | {f"line {place}": words for place, words in lines.items()}


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
