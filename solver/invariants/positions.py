"""The invariant of written positions: players decide in a position read from text as in the game."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

import numpy as np

from houle.solver.compiler.types import States
from houle.solver.invariants.errors import demand, difference
from houle.solver.invariants.play import decisions, plies
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import has_positions, read_position, write_position
from houle.solver.players.player import seat_strategies, weights_of
from houle.solver.players.reading.memory import Past
from houle.solver.rules import Setup

MOST = 24  # positions of a setup: writing and reading takes milliseconds


def positions_read_back(
    setup: Setup,
    games: int,
    seed: int,
    every: int = 9,
    strategies: Iterable[str] = ("thumb",),
    most: int | None = MOST,
) -> int:
    """A position that is written and read again says the same, has the same moves and gets the same decisions."""
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
        for name, line_up in line_ups.items():
            here, there = match.copied().decide(line_up), read.match().decide(line_up)
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
        earlier = [(each, in_a_row(each.past)) for each in (match, here, there)] if match.past.actions else []
        for place in range(len(match.past.actions)):
            real, imagined, again = (_then(each, states, place) for each, states in earlier)
            where = f"seat {seat}, world {key}, {match.ply - place} plies ago"
            demand(imagined.knows(seat) == real.knows(seat), match, f"{where}: the seat can tell it from the real one")
            if imagined.to_move() != seat:
                same = imagined.knows(imagined.to_move()) == again.knows(imagined.to_move())
                demand(same, match, f"{where}: it depends on hidden cards")
            checked += 1
    return checked


def in_a_row(past: Past) -> States:
    """The same as `Past.states`, but a hundred times faster: numpy joins records field by field."""
    row = bytearray().join(map(np.ndarray.tobytes, past.kept))
    states = np.frombuffer(row, past.kept[0].dtype)
    for number, recall in past.recalls:
        recall(states[:number])
    return states


def _then(match: Match, states: States, place: int) -> Match:
    """The match as it was before one of the remembered decisions."""
    other = copy(match)
    other.states = states[place : place + 1]
    return other
