"""Invariants of what seats are shown: numbers, texts, pages and moves of others tell a seat no more than it knows.

Players decide in a position that is read from its text as in the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

import numpy as np

from houle.solver.compiler.types import States
from houle.solver.interface import entries
from houle.solver.invariants.errors import demand, difference
from houle.solver.invariants.play import decisions, plies
from houle.solver.matches.known import layout_of, observation_size
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import has_positions, lines_of, move_name, read_position, write_position
from houle.solver.matches.seen_moves import SeenMoves
from houle.solver.matches.views import view_of
from houle.solver.players.player import seat_strategies, weights_of
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
    names_of_its_own = setup.game.positions.move_name is not None

    def label(match: Match, action: int, then: Match, seat: int) -> tuple[bool, int]:
        by_fields = declared is not None and then.to_move() >= 0
        if declared is not None and declared.rounds and then.state.rounds != match.state.rounds:
            by_fields = False
        return by_fields, then.knows(seat) if by_fields else match.seen(action, seat)[0]

    checked = 0
    for match, mover in decisions(setup, games, seed, every):
        moves = match.moves()[:MOST_MOVES]
        states = [match if declared is None else match.after(action) for action in moves]
        for seat in range(setup.players):
            if seat == mover:
                continue
            told: dict[tuple[bool, int], str] = {}
            seen = SeenMoves(match, seat)
            for action, state in zip(moves, states, strict=True):
                name = move_name(match, action, seat, done=True) if names_of_its_own else seen.name(action)
                same = told.setdefault(label(match, action, state, seat), name)
                secret = f"seat {seat} is shown {same!r} and {name!r} of moves that it cannot tell apart"
                demand(same == name, match, f"{secret}, made by seat {mover}")
                checked += 1
    return checked


MOST = 24  # positions of a setup: writing and reading takes milliseconds


def positions_read_back(
    setup: Setup,
    games: int,
    seed: int,
    every: int = 9,
    strategies: Iterable[str] = ("thumb",),
    most: int | None = MOST,
) -> int:
    """A position that is written and read again says the same, has the same moves and gets the same decisions.

    A position tells the signals of its decision and no earlier ones, so players who heed signals remember only these.
    """
    if not has_positions(setup):
        return 0
    tuned = setup.game.has("features") and weights_of(setup.ruleset.name)
    line_ups = {name: seat_strategies(setup, [name]) for name in strategies if tuned}
    checked = 0
    for match in plies(setup, games, seed):
        if match.to_move() < 0 or match.ply % every != (match.game + every - 1) % every or len(match.moves()) < 2:
            continue
        if most is not None and checked >= most:
            break
        written = write_position(match)
        read = read_position(written.as_text())
        demand(read.lines() == written.lines(), match, f"read back {difference(written.lines(), read.lines())}")
        offered = [[each.seen(action, read.seat) for action in each.moves()] for each in (match, read.match())]
        demand(offered[0] == offered[1], match, "read back, the legal moves differ")
        told = match.copied()
        told.past = match.told_past()
        for name, line_up in line_ups.items():
            here, there = told.copied().decide(line_up), read.match().decide(line_up)
            same = match.seen(here, read.seat) == read.match().seen(there, read.seat)
            moves = f"{match.name(here)!r}, and {read.match().name(there)!r} in the position read back"
            demand(same, match, f"{name} plays {moves}")
        checked += 1
    return checked


def pasts_come_from_what_is_known(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """`recall` rebuilds earlier states correctly for an imagined world.

    The imagining seat cannot tell them from the real ones, and to the seat that decided there they are the same for any
    hidden cards that were really dealt.
    """
    if not setup.game.has("recall"):
        return 0
    checked = 0
    for match, seat in decisions(setup, games, seed, every):
        key = seed * 1_000_003 + 2 * checked
        here, there = match.imagine(seat, key), match.imagine(seat, key + 1).imagine(seat, key)
        earlier = [(each, each.past.states) for each in (match, here, there)] if match.past.actions else []
        for place in range(len(match.past.actions)):
            real, imagined, again = (_then(each, states, place) for each, states in earlier)
            where = f"seat {seat}, world {key}, {match.ply - place} plies ago"
            demand(imagined.knows(seat) == real.knows(seat), match, f"{where}: the seat can tell it from the real one")
            if imagined.to_move() != seat:
                same = imagined.knows(imagined.to_move()) == again.knows(imagined.to_move())
                demand(same, match, f"{where}: it depends on hidden cards")
            checked += 1
    return checked


def _then(match: Match, states: States, place: int) -> Match:
    """The match as it was before one of the remembered decisions."""
    other = copy(match)
    other.states = states[place : place + 1]
    return other
