"""Laws of knowledge: what a seat cannot see never changes what it is told, how it rates and what it does.

A world is a table in which everything is dealt anew that the seat cannot know. Whatever differs between the table and
such a world in the eyes of that seat is a leak.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver.invariants.broken import demand, difference
from houle.solver.invariants.decider import Decider
from houle.solver.invariants.play import Count, counter, decisions, seated
from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import seat_strategies
from houle.solver.strategies.reading.memory import Past
from houle.solver.types import States

PLAYED_ON = 48  # every so many worlds one is played to its end
SIDE_BY_SIDE = 16  # plies for which two that must be the same are played


class _Forgotten(Past):
    """No past, whatever is done: where nobody reads, keeping states takes more time than playing."""

    def and_then(self, states: States, action: int) -> Past:
        return self


FORGOTTEN = _Forgotten()


def worlds_keep_what_is_known(setup: Setup, games: int, seed: int, every: int = 3, count: Count | None = None) -> int:
    """Imagined worlds look to the seat as the table does, hold as many cards, and can be played to the end.

    Worlds are made for every seat at every `every`-th ply; `count` reads the number of cards from a snapshot. Who is to
    move has the same moves in the same order: an order of hidden cards would tell what they are.
    """
    read = count or counter(setup)
    worlds = 0
    for table, mover in decisions(setup, games, seed, every):
        table.past = FORGOTTEN
        here = read(table.snapshot()) if read else 0
        for seat in range(setup.players):
            key = seed * 1_000_003 + worlds
            world = table.imagine(seat, key)
            where = f"seat {seat}, world {key}"
            demand(world.knows(seat) == table.knows(seat), table, f"{where}: the seat can tell this world apart")
            if read:
                there = read(world.snapshot())
                demand(here == there, table, f"{where}: {there} cards instead of {here}")
            imagined = world.moves()
            demand(bool(imagined), table, f"{where}: nothing is legal, so the game would be over")
            if seat == mover:
                legal = table.moves()
                demand(legal == imagined, table, f"{where}: legal are, in this order, {imagined} instead of {legal}")
            if worlds % PLAYED_ON == 0:
                _play_on(world, table, where)
            worlds += 1
    return worlds


def _play_on(world: Match, match: Match, where: str) -> None:
    while world.to_move() >= 0:
        action = world.random_move()
        demand(action in world.moves(), match, f"{where}: played on, {action} is not legal at ply {world.ply}")
        world.past = FORGOTTEN
        world.apply(action)


def worlds_come_from_what_is_known(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """What a seat imagines in a world that it cannot tell from the table is what it imagines at the table.

    Both are played on side by side with the same luck: whatever else differs between them shows on the way. A search
    that reads imagined worlds and the list of moves alone is fair for this reason, whatever it does with them.
    """
    checked = 0
    for table, seat in decisions(setup, games, seed, every):
        key = seed * 1_000_003 + 2 * checked
        here, there = table.imagine(seat, key), table.imagine(seat, key + 1).imagine(seat, key)
        where = f"seat {seat}, world {key} imagined in world {key + 1}"
        _demand_same(here, there, table, where)
        for _ in range(SIDE_BY_SIDE):
            if here.to_move() >= 0:
                here.apply(here.random_move())
                there.apply(there.random_move())
        _demand_same(here, there, table, where)
        checked += 1
    return checked


def _demand_same(here: Match, there: Match, match: Match, where: str) -> None:
    one, other = here.snapshot(), there.snapshot()
    if one != other:
        demand(False, match, f"{where}: at ply {here.ply} {difference(one, other)}")


def ratings(match: Match, seat: int) -> dict[int, list[int]]:
    """The features of the moves that differ; those of moves that are the same to a player must agree."""
    found: dict[int, list[int]] = {}
    for action, row in zip(match.moves(), match.features().tolist(), strict=True):
        kind = match.seen(action, seat)[1]
        same = found.setdefault(kind, row)
        demand(same == row, match, f"moves that are the same to seat {seat} are rated {same} and {row}")
    return found


def features_see_what_the_seat_sees(setup: Setup, games: int, seed: int, every: int = 9, worlds: int = 20) -> int:
    """The features of every move are the same in all worlds that the seat to move cannot tell apart."""
    if not setup.game.has_features:
        return 0
    names = [name for name, _ in setup.game.FEATURES]
    checked = 0
    for table, seat in decisions(setup, games, seed, every):
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


def fair_play(
    setup: Setup,
    games: int,
    seed: int,
    strategy: str = "thumb",
    every: int = 5,
    worlds: int = 1,
    most: int | None = None,
    telling: bool = False,
) -> int:
    """A strategy decides alike in worlds that its seat cannot tell apart, with the same luck of its own.

    It is asked at every `every`-th ply, and its move is made, so that later positions are its own. Each decision is
    compared with those in so many `worlds`, until there were `most` in all. Budgets are best small: a leak shows where
    moves are nearly equal, and playouts of few worlds cannot tell them apart. A reader weighs what it imagines alike,
    too, to the last of its odds; with `telling` it is compared only where some of its worlds count more than others.
    """
    if not setup.game.has_features:
        return 0
    asked = Decider(seat_strategies(setup, [strategy]))
    swaps, enough = 0, math.inf if most is None else most
    for game in range(games):
        if swaps >= enough:
            break
        table = seated(setup, seed, game)
        while (seat := table.to_move()) >= 0 and swaps < enough:
            if table.ply % every != every - 1 or len(table.moves()) < 2:
                table.apply(table.random_move())
                continue
            key = 31 * table.ply + table.game
            here = asked.decide(table, key)
            seen, odds = table.seen(here, seat), asked.odds()
            for _ in range(0 if telling and odds.min() == odds.max() else worlds):
                world = table.imagine(seat, seed * 7_919 + swaps)
                world.states["choice"] = table.states["choice"]
                there = asked.decide(world, key)
                if world.seen(there, seat) != seen:
                    played = f"{strategy} in seat {seat} plays {table.name(here)!r}, and {world.name(there)!r}"
                    demand(False, table, f"{played} where only hidden cards differ")
                same = np.array_equal(asked.odds(), odds)
                demand(same, table, f"{strategy} in seat {seat} weighs worlds otherwise where only hidden cards differ")
                swaps += 1
            table.apply(here)
    return swaps
