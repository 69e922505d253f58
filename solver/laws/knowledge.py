"""Laws of knowledge: what a seat cannot see never changes what it is told, how it rates and what it does.

A world is a table in which everything is dealt anew that the seat cannot know. Whatever differs between the table and
such a world in the eyes of that seat is a leak.
"""

from __future__ import annotations

from houle.solver.laws.broken import demand, difference
from houle.solver.laws.play import Count, counter, plies
from houle.solver.position import Table
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import seat_strategies

PLAYED_ON = 16  # every so many worlds, one is played to its end


def worlds_keep_what_is_known(setup: Setup, games: int, seed: int, every: int = 3, count: Count | None = None) -> int:
    """Imagined worlds look to the seat as the table does, hold as many cards, and can be played to the end.

    Worlds are made for every seat at every `every`-th ply; `count` reads the number of cards from a snapshot.
    """
    read = count or counter(setup)
    worlds = 0
    for table in plies(setup, games, seed):
        mover = table.to_move()
        if mover < 0 or table.ply % every != every - 1:
            continue
        for seat in range(setup.players):
            key = seed * 1_000_003 + worlds
            world = table.imagine(seat, key)
            where = f"seat {seat}, world {key}"
            demand(world.knows(seat) == table.knows(seat), table, f"{where}: the seat can tell this world apart")
            if read is not None:
                here, there = read(table.snapshot()), read(world.snapshot())
                demand(here == there, table, f"{where}: {there} cards instead of {here}")
            if seat == mover:
                legal, imagined = sorted(table.moves()), sorted(world.moves())
                demand(legal == imagined, table, f"{where}: legal are {imagined} instead of {legal}")
            if worlds % PLAYED_ON == 0:
                _play_on(world, table, where)
            worlds += 1
    return worlds


def _play_on(world: Table, table: Table, where: str) -> None:
    while world.to_move() >= 0:
        action = world.random_move()
        demand(action in world.moves(), table, f"{where}: played on, {action} is not legal at ply {world.ply}")
        world.apply(action)


def ratings(table: Table, seat: int) -> dict[int, list[int]]:
    """The features of the moves that differ; those of moves that are the same to a player must agree."""
    found: dict[int, list[int]] = {}
    for action, row in zip(table.moves(), table.features().tolist(), strict=True):
        kind = table.seen(action, seat)[1]
        same = found.setdefault(kind, row)
        demand(same == row, table, f"moves that are the same to seat {seat} are rated {same} and {row}")
    return found


def features_see_what_the_seat_sees(setup: Setup, games: int, seed: int, every: int = 9, worlds: int = 20) -> int:
    """The features of every move are the same in all worlds that the seat to move cannot tell apart."""
    if not setup.game.has_features:
        return 0
    names = [name for name, _ in setup.game.FEATURES]
    checked = 0
    for table in plies(setup, games, seed):
        seat = table.to_move()
        if seat < 0 or table.ply % every != every - 1:
            continue
        real = ratings(table, seat)
        for number in range(worlds):
            key = 1000 * table.ply + number
            imagined = ratings(table.imagine(seat, key), seat)
            if imagined != real:
                here, there = (_named(rows, names) for rows in (real, imagined))
                demand(False, table, f"seat {seat}, world {key}: rated otherwise: move {difference(here, there)}")
            checked += 1
    return checked


def _named(rows: dict[int, list[int]], names: list[str]) -> dict[str, dict[str, int]]:
    return {f"{kind:x}": dict(zip(names, row, strict=True)) for kind, row in rows.items()}


def fair_play(setup: Setup, games: int, seed: int, strategy: str = "thumb", every: int = 5) -> int:
    """A strategy decides alike in worlds that its seat cannot tell apart, with the same luck of its own."""
    if not setup.game.has_features:
        return 0
    line_up = seat_strategies(setup, [strategy])
    swaps = 0
    for table in plies(setup, games, seed):
        seat = table.to_move()
        if seat < 0 or table.ply % every != every - 1 or len(table.moves()) < 2:
            continue
        world = table.imagine(seat, key=seed * 7_919 + swaps)
        luck, key = table.state.choice, 31 * table.ply + table.game
        world.state.choice = luck
        here, there = table.decide(line_up, key), world.decide(line_up, key)
        demand(
            table.seen(here, seat) == world.seen(there, seat),
            table,
            f"{strategy} in seat {seat} plays {table.name(here)!r}, and {world.name(there)!r} where only hidden cards "
            "differ",
        )
        swaps += 1
    return swaps
