"""The law of written positions: who reads what a seat knows decides as the seat did in the game."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from houle.solver.invariants.broken import demand, difference
from houle.solver.invariants.play import plies
from houle.solver.match import Match
from houle.solver.record.position import read_position, write_position
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import seat_strategies

STRATEGIES = ("thumb", "flat:20", "ismcts:50")


def positions_read_back(
    setup: Setup, games: int, seed: int, every: int = 9, strategies: Iterable[str] = STRATEGIES, most: int | None = None
) -> int:
    """A position that is written and read again says the same, offers the same moves, and is decided alike."""
    line_ups = {name: seat_strategies(setup, [name]) for name in strategies if setup.game.has_features}
    checked = 0
    for table in plies(setup, games, seed):
        if table.to_move() < 0 or table.ply % every != (table.game + every - 1) % every or len(table.moves()) < 2:
            continue
        if most is not None and checked >= most:
            break
        written = write_position(table)
        read = read_position(written.as_text())
        demand(read.lines() == written.lines(), table, f"read back {difference(written.lines(), read.lines())}")
        offered = [[each.seen(action, read.seat) for action in each.moves()] for each in (table, read.match())]
        demand(offered[0] == offered[1], table, "read back, other moves are legal")
        for name, line_up in line_ups.items():
            here, there = _same_table(table).decide(line_up), read.match().decide(line_up)
            same = table.seen(here, read.seat) == read.match().seen(there, read.seat)
            demand(
                same, table, f"{name} plays {table.name(here)!r}, and {read.match().name(there)!r} where it was read"
            )
        checked += 1
    return checked


def _same_table(match: Match) -> Match:
    """The table as it is, so that asking leaves its luck alone."""
    other = copy(match)
    other.states = match.states.copy()
    return other
