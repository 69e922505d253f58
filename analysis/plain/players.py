"""Who plays a game in plain Python: chance, the class's own rules of thumb, or a search that imagines worlds."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from houle.analysis.plain.luck import CHANCE, CHOICE, DEAL, SEARCH, Chance, Luck, derive, game_key
from houle.analysis.plain.plain_class import PlainClass
from houle.analysis.plain.results import Outcome, read_result, side_names
from houle.solver.errors import InputError
from houle.solver.strategies.names import Strategy, parse, split

MOST_MOVES = 10_000  # of a game; who plays longer does not end
ALLOWED = ("random", "thumb", "flat")
OPEN = "flat sees all cards that were dealt: the class has no imagine(seat, luck)"


def seat_players(game: PlainClass, text: str, players: int) -> tuple[Strategy, ...]:
    """One strategy for all, or one per seat, as typed: `flat:20`, `flat:20,random,random`."""
    found = [parse(part) for part in split(text)]
    for strategy in found:
        if strategy.name not in ALLOWED or strategy.options:
            raise InputError(f"-s {strategy.text}: a game in plain Python is played by random, thumb or flat:N")
        if strategy.name == "thumb" and not game.has("rules_of_thumb"):
            raise InputError(f"-s thumb: {game.made.__name__} has no rules_of_thumb(), the move of a sensible player")
    if len(found) not in (1, players):
        raise InputError(f"-s {text}: one strategy for all, or one for each of {players} players")
    return tuple(found if len(found) == players else found * players)


def notes_of(game: PlainClass, players: Sequence[Strategy]) -> list[str]:
    """What must be said with the numbers."""
    searches = any(strategy.name == "flat" for strategy in players)
    return [OPEN] if searches and not game.has("imagine") else []


@dataclass
class Stepped:
    """One game under way, checked at every step: what the class answers must make sense."""

    game: PlainClass
    played: Any
    players: int
    where: str  # "seed 1, game 3"
    luck: tuple[Luck, Chance]  # that the class was handed
    moves: int = 0

    @classmethod
    def open(cls, game: PlainClass, players: int, settings: Mapping[str, Any], seed: int, number: int) -> Stepped:
        """A game of a seed at its first decision."""
        key = game_key(seed, number)
        luck = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
        return cls(game, game.open(players, settings, *luck), players, f"seed {seed}, game {number}", luck)

    def with_other_luck(self, key: int) -> Any:
        """A copy of the game whose luck from here on is that of a key."""
        line, chance = self.luck
        others = {id(line): Luck(derive(key, DEAL)), id(chance): Chance(derive(key, CHANCE))}
        return self.game.guarded(lambda: copy.deepcopy(self.played, others), self.at())

    def at(self) -> str:
        return f"{self.where}, move {self.moves + 1}"

    def ask(self) -> tuple[int, list[Any]]:
        """Who is to move, and the moves; (-1, []) when the game is over."""
        seat = self.game.guarded(self.played.to_move, self.at())
        if seat is None or isinstance(seat, bool) or not isinstance(seat, int) or seat >= self.players:
            self.complain("to_move", f"is {seat!r}; allowed: a seat from 0 to {self.players - 1}, or -1 at the end")
        if seat < 0:
            return -1, []
        legal = self.game.guarded(lambda: list(self.played.legal()), self.at())
        if not legal:
            self.complain("legal", f"is empty while seat {seat} of 0 to {self.players - 1} is to move")
        if self.moves >= MOST_MOVES:
            self.complain("to_move", f"never is -1: the game has not ended after {MOST_MOVES:,} moves")
        return seat, legal

    def apply(self, move: Any) -> None:
        self.game.guarded(lambda: self.played.apply(move), f"{self.at()}: {move}")
        self.moves += 1

    def result(self) -> Outcome:
        found = self.game.guarded(self.played.result, f"{self.where}, at the end")
        try:
            return read_result(found, self.players, self.moves, bool(getattr(self.played, "LOWER_IS_BETTER", False)))
        except ValueError as fault:
            self.complain("result", str(fault))

    def side_names(self, sides: int) -> list[tuple[str, list[int]]]:
        found: list[tuple[str, list[int]]] = self.game.guarded(
            lambda: side_names(sides, self.players, self.played), f"{self.where}, at the end"
        )
        return found

    def complain(self, method: str, words: str) -> NoReturn:
        raise InputError(f"{self.game.path}: {method}() {words} ({self.at()})")


def decide(table: Stepped, strategy: Strategy, seat: int, legal: list[Any], choice: Luck, key: int) -> Any:
    """The move of a strategy; `choice` is the luck of its coin, `key` that of its worlds."""
    if len(legal) == 1:
        return legal[0]
    if strategy.name == "random":
        return choice.one_of(legal)
    if strategy.name == "thumb":
        return _sensible(table, legal)
    return search(table, seat, legal, strategy.budget, key)


def _sensible(table: Stepped, legal: list[Any]) -> Any:
    move = table.game.guarded(table.played.rules_of_thumb, table.at())
    if move not in legal:
        table.complain("rules_of_thumb", f"is {move!r}, which is not legal")
    return move


def search(table: Stepped, seat: int, legal: list[Any], worlds: int, key: int) -> Any:
    """Every move is played on to the end in the same imagined worlds; the one that wins most, then scores best."""
    shares, points = [0] * len(legal), [0] * len(legal)
    for number in range(worlds):
        world_key = derive(key, number)
        for i, move in enumerate(legal):
            imagined = _imagined(table, seat, world_key)
            world = Stepped(table.game, imagined, table.players, f"imagined at {table.at()}", table.luck, table.moves)
            world.apply(move)
            outcome = _play_on(world, Luck(derive(world_key, CHOICE)))
            share, gain = outcome.of_seat(seat, table.played)
            shares[i] += share
            points[i] += gain
    best = max(range(len(legal)), key=lambda i: (shares[i], points[i]))
    return legal[best]


def _imagined(table: Stepped, seat: int, key: int) -> Any:
    """The game as it may be for all that the seat knows, with luck of its own."""
    if not table.game.has("imagine"):
        return table.with_other_luck(key)
    world = table.game.guarded(lambda: table.played.imagine(seat, Luck(derive(key, SEARCH))), table.at())
    if world is table.played or not isinstance(world, table.game.made):
        table.complain("imagine", "must return another game, a changed copy; this one goes on")
    return world


def _play_on(world: Stepped, choice: Luck) -> Outcome:
    """To the end, by the class's rules of thumb where it has them, else at random."""
    thumb = world.game.has("rules_of_thumb")
    while True:
        seat, legal = world.ask()
        if seat < 0:
            return world.result()
        world.apply(_sensible(world, legal) if thumb else choice.one_of(legal))
