"""Invariants of knowledge: what a seat cannot see never changes what it knows, how it rates moves and what it plays.

A world is a match in which everything that the seat cannot know is dealt again. Any difference that the seat can notice
between the match and such a world is a leak.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver.compiler.types import States
from houle.solver.invariants.errors import begin, demand, difference
from houle.solver.invariants.play import Count, decisions, seated
from houle.solver.matches.match import Match
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.players.reading.memory import WEIGHED, Past
from houle.solver.players.workspace import make_thinking, move_buffers
from houle.solver.rules import Setup
from houle.solver.run.playout import decide
from houle.solver.run.tally import Counts

PLAYED_ON = 48  # one world in this many is played to its end
SIDE_BY_SIDE = 16  # plies that two equal worlds are played side by side


class _Forgotten(Past):
    """A past that stays empty: without readers, keeping states takes more time than playing."""

    def and_then(self, states: States, action: int) -> Past:
        return self


FORGOTTEN = _Forgotten()


def worlds_keep_what_is_known(setup: Setup, games: int, seed: int, every: int = 3, count: Count | None = None) -> int:
    """Imagined worlds look to the seat like the match, hold as many cards, and can be played to the end.

    Worlds are made for every seat at every `every`-th ply. `count` reads the number of cards from a snapshot. The seat
    to move has the same moves in the same order: an order by hidden cards would reveal them.
    """
    read = count or setup.game.number_of_cards
    worlds = 0
    for match, mover in decisions(setup, games, seed, every):
        match.past = FORGOTTEN
        here = read(match.snapshot()) if read else 0
        for seat in range(setup.players):
            key = seed * 1_000_003 + worlds
            world = match.imagine(seat, key)
            where = f"seat {seat}, world {key}"
            demand(world.knows(seat) == match.knows(seat), match, f"{where}: the seat can tell this world apart")
            if read:
                there = read(world.snapshot())
                demand(here == there, match, f"{where}: {there} cards instead of {here}")
            imagined = world.moves()
            demand(bool(imagined), match, f"{where}: no move is legal, so the game would be over")
            if seat == mover:
                legal = match.moves()
                demand(legal == imagined, match, f"{where}: the legal moves are {imagined} instead of {legal}")
            if worlds % PLAYED_ON == 0:
                _play_on(world, match, where)
            worlds += 1
    return worlds


def _play_on(world: Match, match: Match, where: str) -> None:
    while world.to_move() >= 0:
        action = world.random_move()
        demand(action in world.moves(), match, f"{where}: played on, {action} is not legal at ply {world.ply}")
        world.past = FORGOTTEN
        world.apply(action)


def worlds_come_from_what_is_known(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """A seat imagines the same world, by the same key, in the match and in a world that it cannot tell from it.

    Both are played side by side with the same luck, so hidden differences show. For this reason every search that uses
    only imagined worlds and the list of moves is fair.
    """
    checked = 0
    for match, seat in decisions(setup, games, seed, every):
        key = seed * 1_000_003 + 2 * checked
        here, there = match.imagine(seat, key), match.imagine(seat, key + 1).imagine(seat, key)
        where = f"seat {seat}, world {key} imagined in world {key + 1}"
        _demand_same(here, there, match, where)
        for _ in range(SIDE_BY_SIDE):
            if here.to_move() >= 0:
                here.apply(here.random_move())
                there.apply(there.random_move())
        _demand_same(here, there, match, where)
        checked += 1
    return checked


def _demand_same(here: Match, there: Match, match: Match, where: str) -> None:
    one, other = here.snapshot(), there.snapshot()
    if one != other:
        demand(False, match, f"{where}: at ply {here.ply} {difference(one, other)}")


def ratings(match: Match, seat: int) -> dict[int, list[int]]:
    """The features of each kind of move. Moves of the same kind must have equal features."""
    rows: dict[int, list[int]] = {}
    for action, row in zip(match.moves(), match.features().tolist(), strict=True):
        kind = match.seen(action, seat)[1]
        same = rows.setdefault(kind, row)
        demand(same == row, match, f"moves of the same kind for seat {seat} have the features {same} and {row}")
    return rows


def features_see_what_the_seat_sees(setup: Setup, games: int, seed: int, every: int = 9, worlds: int = 20) -> int:
    """The features of every move are the same in all worlds that the seat to move cannot tell apart."""
    if not setup.game.has("features"):
        return 0
    names = [name for name, _ in setup.game.FEATURES]
    checked = 0
    for match, seat in decisions(setup, games, seed, every):
        real = ratings(match, seat)
        for number in range(worlds):
            key = 1000 * match.ply + number
            imagined = ratings(match.imagine(seat, key), seat)
            if imagined != real:
                moves = {match.seen(action, seat)[1]: match.name(action) for action in match.moves()}
                here, there = (_named(rows, names, moves) for rows in (real, imagined))
                demand(False, match, f"seat {seat}, world {key}: other features: move {difference(here, there)}")
            checked += 1
    return checked


def _named(rows: dict[int, list[int]], names: list[str], moves: dict[int, str]) -> dict[str, dict[str, int]]:
    return {moves.get(kind, f"{kind:x}"): dict(zip(names, row, strict=True)) for kind, row in rows.items()}


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
    """A strategy makes the same decision, with the same luck, in all worlds that its seat cannot tell apart.

    It decides at every `every`-th ply, and its move is played. Each decision is compared with those in `worlds`
    imagined worlds, until `most` were compared in all. Small budgets find more: a leak shows where moves are nearly
    equal. A reader must also weigh its worlds equally; with `telling` it is compared only where some worlds weigh more
    than others.
    """
    if not setup.game.has("features"):
        return 0
    decider = Decider(seat_strategies(setup, [strategy]))
    swaps, enough = 0, math.inf if most is None else most
    for game in range(games):
        if swaps >= enough:
            break
        match = seated(setup, seed, game)
        while (seat := match.to_move()) >= 0 and swaps < enough:
            if match.ply % every != every - 1 or len(match.moves()) < 2:
                match.apply(match.random_move())
                continue
            key = 31 * match.ply + match.game
            begin(match)
            here = decider.decide(match, key)
            seen, odds = match.seen(here, seat), decider.odds()
            for _ in range(0 if telling and odds.min() == odds.max() else worlds):
                world = match.imagine(seat, seed * 7_919 + swaps)
                world.states["choice"] = match.states["choice"]
                there = decider.decide(world, key)
                if world.seen(there, seat) != seen:
                    played = f"{strategy} in seat {seat} plays {match.name(here)!r}, and {world.name(there)!r}"
                    demand(False, match, f"{played} where only hidden cards differ")
                same = np.array_equal(decider.odds(), odds)
                demand(same, match, f"{strategy} in seat {seat} weighs worlds otherwise where only hidden cards differ")
                swaps += 1
            match.apply(here)
    return swaps


class Decider:
    """Decides for the strategies of a line-up, none of which may be random."""

    def __init__(self, line_up: LineUp) -> None:
        self.line_up, self._thinking = line_up, make_thinking(line_up.setup, line_up)
        self._work, (self._moves, _) = self._thinking.work, move_buffers(line_up.setup)

    def decide(self, match: Match, key: int) -> int:
        """The move of the seat to move, as `Match.decide`, but without advancing the match's luck."""
        if self._work is not None:
            match.past.fill(self._work.memory)
            self._work.memory.odds[:] = 0
        return decide(self.line_up, match.states.copy(), key, self._thinking, moves=self._moves)

    def odds(self) -> Counts:
        """The weight of each world at the last decision of a reader; all 0 where nothing could be read."""
        if self._work is None or not len(self._work.memory.odds):
            return np.zeros(1, np.int64)
        weighed = max(int(player.weighs) or WEIGHED for player in self.line_up.records)
        odds: Counts = np.diff(self._work.memory.odds[:weighed], prepend=0)
        return odds
