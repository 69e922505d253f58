"""Players of a game in plain Python: random, the rules of thumb of its class, or a flat search."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from houle.analysis.plain.luck import CHANCE, CHOICE, DEAL, SEARCH, Chance, Luck, derive, game_key
from houle.analysis.plain.plain_class import PlainClass
from houle.analysis.plain.results import Outcome, read_result, side_names
from houle.solver.errors import RulesError, StrategyError
from houle.solver.players.names import Strategy, parse, split

MOST_MOVES = 10_000  # a longer game counts as endless
ALLOWED = ("random", "thumb", "flat")
OPEN = "flat sees all dealt cards, because the class has no imagine(seat, luck)"


def seat_players(game: PlainClass, text: str, players: int) -> tuple[Strategy, ...]:
    """One strategy for all, or one per seat, as typed: `flat:20`, `flat:20,random,random`."""
    strategies = [parse(part) for part in split(text)]
    for strategy in strategies:
        if strategy.name not in ALLOWED or strategy.options:
            raise StrategyError(f"-s {strategy.text}: not possible in plain Python; allowed: random, thumb, flat:N")
        if strategy.name == "thumb" and not game.has("rules_of_thumb"):
            raise StrategyError(f"-s thumb: {game.made.__name__} has no rules_of_thumb(); it returns a sensible move")
    if len(strategies) not in (1, players):
        raise StrategyError(f"-s {text}: allowed: one strategy for all, or one for each of {players} players")
    return tuple(strategies if len(strategies) == players else strategies * players)


def notes_of(game: PlainClass, players: Sequence[Strategy]) -> list[str]:
    """What readers of the numbers must know."""
    searches = any(strategy.name == "flat" for strategy in players)
    return [OPEN] if searches and not game.has("imagine") else []


@dataclass
class PlainMatch:
    """A game in progress; every answer of the user's class is checked."""

    game: PlainClass
    played: Any
    players: int
    where: str  # "seed 1, game 3"
    luck: tuple[Luck, Chance]  # given to the class
    moves: int = 0

    @classmethod
    def open(cls, game: PlainClass, players: int, settings: Mapping[str, Any], seed: int, number: int) -> PlainMatch:
        """A new game of a seed."""
        key = game_key(seed, number)
        luck = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
        return cls(game, game.open(players, settings, *luck), players, f"seed {seed}, game {number}", luck)

    def with_other_luck(self, key: int) -> Any:
        """A copy of the game with new luck from here on."""
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
        result = self.game.guarded(self.played.result, f"{self.where}, at the end")
        try:
            return read_result(result, self.players, self.moves, bool(getattr(self.played, "LOWER_IS_BETTER", False)))
        except ValueError as fault:
            self.complain("result", str(fault))

    def side_names(self, sides: int) -> list[tuple[str, list[int]]]:
        names: list[tuple[str, list[int]]] = self.game.guarded(
            lambda: side_names(sides, self.players, self.played), f"{self.where}, at the end"
        )
        return names

    def complain(self, method: str, words: str) -> NoReturn:
        raise RulesError(f"{self.game.path}: {method}() {words} ({self.at()})")


def decide(match: PlainMatch, strategy: Strategy, seat: int, legal: list[Any], choice: Luck, key: int) -> Any:
    """The move of a strategy; `choice` is its luck, `key` that of its worlds."""
    if len(legal) == 1:
        return legal[0]
    if strategy.name == "random":
        return choice.one_of(legal)
    if strategy.name == "thumb":
        return _sensible(match, legal)
    return search(match, seat, legal, strategy.budget, key)


def _sensible(match: PlainMatch, legal: list[Any]) -> Any:
    move = match.game.guarded(match.played.rules_of_thumb, match.at())
    if move not in legal:
        match.complain("rules_of_thumb", f"is {move!r}, which is not legal")
    return move


def search(match: PlainMatch, seat: int, legal: list[Any], worlds: int, key: int) -> Any:
    """The move that wins most, then scores best, when each is played out in the same worlds."""
    shares, points = [0] * len(legal), [0] * len(legal)
    for number in range(worlds):
        world_key = derive(key, number)
        for i, move in enumerate(legal):
            imagined = _imagined(match, seat, world_key)
            world = PlainMatch(
                match.game, imagined, match.players, f"imagined at {match.at()}", match.luck, match.moves
            )
            world.apply(move)
            outcome = _play_on(world, Luck(derive(world_key, CHOICE)))
            share, gain = outcome.of_seat(seat, match.played)
            shares[i] += share
            points[i] += gain
    best = max(range(len(legal)), key=lambda i: (shares[i], points[i]))
    return legal[best]


def _imagined(match: PlainMatch, seat: int, key: int) -> Any:
    """A world: a game that fits what the seat knows, with its own luck."""
    if not match.game.has("imagine"):
        return match.with_other_luck(key)
    world = match.game.guarded(lambda: match.played.imagine(seat, Luck(derive(key, SEARCH))), match.at())
    if world is match.played or not isinstance(world, match.game.made):
        match.complain("imagine", "must return another game (a changed copy), because this one continues")
    return world


def _play_on(world: PlainMatch, choice: Luck) -> Outcome:
    """Play to the end, by the rules of thumb of the class if it has them, else at random."""
    thumb = world.game.has("rules_of_thumb")
    while True:
        seat, legal = world.ask()
        if seat < 0:
            return world.result()
        world.apply(_sensible(world, legal) if thumb else choice.one_of(legal))
