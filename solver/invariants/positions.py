"""The invariant of written positions: players decide in a position read from text as in the game."""

from __future__ import annotations

from collections.abc import Iterable

from houle.solver.invariants.errors import demand, difference
from houle.solver.invariants.play import plies
from houle.solver.matches.record.position import has_positions, read_position, write_position
from houle.solver.players.player import seat_strategies, weights_of
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
    tuned = setup.game.has_features and weights_of(setup.ruleset.name)
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
