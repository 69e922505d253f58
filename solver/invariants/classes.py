"""Invariants of a class in plain Python: games end, no card gets lost, and worlds are games of their own."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import numpy as np

from houle.solver import interface
from houle.solver.invariants.errors import InvariantBroken, begin, demand
from houle.solver.invariants.play import games_end, nothing_is_left_at_the_end, seated
from houle.solver.matches.match import Match
from houle.solver.plain.as_game import MOST_MOVES, PlainTable
from houle.solver.plain.random_streams import CHANCE, DEAL, SEARCH, Chance, Luck, derive, game_key
from houle.solver.plain.separate import SOURCES, kept_luck, leaves, shared_iterator
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk


def class_games_end(setup: Setup, games: int, seed: int) -> int:
    """Games end where no move is left, with scores in the declared range: random ones, and those of rules of thumb,
    which often go farther."""
    ended = games_end(setup, games, seed)
    if setup.game.has("features"):
        ends = interface.blank(setup.game.STATE, games)
        # Refuses a score outside the range.
        play_chunk(seat_strategies(setup, ("thumb",)), seed, 0, games, final_states=ends)
        for game in range(games):
            match = seated(setup, seed, game)
            match.states = ends[game : game + 1]
            nothing_is_left_at_the_end(match)
        ended += games
    return ended


# ---- Cards
#
# Nothing says which lists of a class hold cards, so houle finds them: lists among which values move, so that all of
# them together stay the same after nearly all moves. The few moves that change the whole are faults.

LEAVE = "CARDS_LEAVE"  # a class with this says that cards may leave the game
MOST_PLACES = 10
ENOUGH, SELDOM = 20, 0.34  # moves of cards that are needed, and the share of them that may be faults
EMPTY = (None, -1)  # stand for no card
PART = "[...]"  # of pairs in a list

Held = dict[str, Counter[Hashable]]  # the cards of each attribute


class Step(NamedTuple):
    """A move, and what it changes: attribute -> value -> how many more."""

    game: int
    ply: int
    name: str
    changes: dict[str, dict[Hashable, int]]


def class_cards_are_conserved(setup: Setup, games: int, seed: int) -> int:
    """Cards stay in the game, wherever they are; returns the number of moves that moved cards."""
    table = setup.game.class_view
    if not isinstance(table, PlainTable) or getattr(table.made, LEAVE, False):
        return 0
    steps = [step for game in range(games) for step in _steps(setup, table, seed, game)]
    places = _places(steps)
    if len(places) < 2:
        return 0
    deltas = _deltas(steps, places)
    moved, broken = dict[tuple[int, ...], int](), dict[tuple[int, ...], int]()
    for size in range(2, len(places) + 1):
        for chosen in combinations(range(len(places)), size):
            among = deltas[list(chosen)]
            # A value moves if one of the places has one more and another one less.
            moves = ((among > 0).any(axis=0) & (among < 0).any(axis=0)).any(axis=1)
            moved[chosen], broken[chosen] = int(moves.sum()), int((among.sum(axis=0) != 0).any(axis=1).sum())
    kept = {place for chosen, number in broken.items() if number == 0 and moved[chosen] > 0 for place in chosen}
    checked = max((moved[chosen] for chosen, number in broken.items() if number == 0), default=0)
    suspects = [
        chosen
        for chosen in broken
        if moved[chosen] >= ENOUGH and broken[chosen] <= SELDOM * moved[chosen] and not kept & {*chosen}
    ]
    if suspects:
        worst = min(suspects, key=lambda chosen: (broken[chosen] - moved[chosen], len(chosen)))
        _accuse(setup, seed, [places[place] for place in worst], deltas[list(worst)], steps=steps)
    return checked


def _accuse(setup: Setup, seed: int, names: list[str], deltas: Any, steps: list[Step]) -> None:
    """Names the first move after which there are other cards than before."""
    total = deltas.sum(axis=0)
    number = int((total != 0).any(axis=1).argmax())
    step = steps[number]
    change = Counter[Hashable]()
    for name in names:
        change.update(step.changes.get(name, {}))
    value, more = next((value, amount) for value, amount in change.items() if amount)
    what = "is in none of" if more < 0 else "comes once more in"
    match = Match(setup, seed, step.game)
    match.ply = step.ply
    leave = f"write {LEAVE} = True if cards may leave the game"
    demand(False, match, f"after {step.name!r} the card {value!r} {what} {', '.join(names)}; {leave}")


def _steps(setup: Setup, table: PlainTable, seed: int, game: int) -> Iterator[Step]:
    match = seated(setup, seed, game)
    before = _held(table, match)
    while match.to_move() >= 0:
        action = match.random_move()
        name, ply = match.name(action), match.ply
        begin(match, action)
        match.apply(action)
        after = _held(table, match)
        changes = dict[str, dict[Hashable, int]]()
        for place in before | after:
            one, other = before.get(place, Counter()), after.get(place, Counter())
            changed = {value: other[value] - one[value] for value in one | other if other[value] != one[value]}
            if changed:
                changes[place] = changed
        yield Step(game, ply, name, changes)
        before = after


def _held(table: PlainTable, match: Match) -> Held:
    """The values in the lists of each attribute of the object; pairs such as (seat, card) also part by part."""
    played = table.look(match.state, match.setup.rules[0]).played
    held = {name: Counter(_cards(value)) for name, value in vars(played).items() if not isinstance(value, str)}
    for name, values in list(held.items()):
        for value, number in values.items():
            for part, one in enumerate(value if isinstance(value, tuple) else ()):
                held.setdefault(f"{name}{PART}[{part}]", Counter())[one] += number
    return held


def _cards(value: Any, inside: bool = False) -> Iterator[Hashable]:
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _cards(one, True)
    elif isinstance(value, list | set | frozenset) or (isinstance(value, tuple) and not inside):
        for one in value:
            yield from _cards(one, True)
    elif inside and isinstance(value, Hashable) and value not in EMPTY:
        yield value


def _places(steps: list[Step]) -> list[str]:
    """The attributes that change most often; of pairs only a part that holds what another attribute holds whole."""
    times, values = Counter(place for step in steps for place in step.changes), defaultdict[str, set[Hashable]](set)
    for step in steps:
        for place, changed in step.changes.items():
            values[place].update(changed)
    whole = set[Hashable]().union(*(values[place] for place in times if PART not in place))
    kept = [place for place, _ in times.most_common() if PART not in place or values[place] & whole]
    return kept[:MOST_PLACES]


def _deltas(steps: list[Step], places: list[str]) -> Any:
    """Places x moves x values: how many more."""
    values = {
        value: i
        for i, value in enumerate(
            dict.fromkeys(value for step in steps for changed in step.changes.values() for value in changed)
        )
    }
    deltas = np.zeros((len(places), len(steps), len(values)), np.int16)
    for number, step in enumerate(steps):
        for place, changed in step.changes.items():
            if place in places:
                for value, more in changed.items():
                    deltas[places.index(place), number, values[value]] = more
    return deltas


# ---- Worlds
#
# A search calls `imagine()` in a copy of the game, so most of what is found here is harmless there. It is wrong in any
# other use of the class, and what a copy does not have, such as a variable of the module, is wrong in searches too.

DECISIONS = 12  # of a game at which worlds are imagined
PLAYED_ON = 24  # moves of a world

State = dict[str, Any]  # the values of a game by where they are


def worlds_are_separate(setup: Setup, games: int, seed: int) -> int:
    """A game goes on in the same way whether worlds are imagined and played or not; returns the number of worlds."""
    table = setup.game.class_view
    if not isinstance(table, PlainTable) or not table.plain.has("imagine"):
        return 0
    checked = 0
    for game in range(games):
        one = _Game(setup, table, seed, game)
        alone = list(one.states(0))
        if alone != list(one.states(0)):
            continue  # the class draws from other luck, which "same seed, same game" says
        every = max(1, len(alone) // DECISIONS)
        for ply, (before, now) in enumerate(zip(alone, one.states(every), strict=False)):
            if before != now:
                raise InvariantBroken(one.place(ply) + one.changed_by_worlds(before, now))
        checked += one.worlds
    return checked


class _Game:
    """A random game of a class, played with the objects of the class themselves."""

    def __init__(self, setup: Setup, table: PlainTable, seed: int, game: int) -> None:
        self.setup, self.table, self.seed, self.game = setup, table, seed, game
        self.worlds = 0
        self.outside = set[str]()  # variables of the module that changed while worlds were played

    def place(self, ply: int) -> str:
        return f"{self.setup.summary}, seed {self.seed}, game {self.game}, ply {ply}: "

    def states(self, every: int) -> Iterator[State]:
        """The game after each move; at every `every`-th decision a world is imagined and played (0: at none)."""
        key = game_key(self.seed, self.game)
        luck, chance = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
        played = self.table.plain.open(self.setup.players, dict(self.setup.options), luck, chance)
        choices = Random(key)
        for ply in range(MOST_MOVES):
            yield leaves(played)
            if self.mover(played) < 0:
                yield {"result()": repr(self.table.plain.guarded(played.result, where="at the end"))}
                return
            if every and ply % every == 0:
                self.imagine(played, ply)
            self.move(played, choices, ply)

    def mover(self, played: Any) -> int:
        seat = self.table.plain.guarded(played.to_move, where="a game with worlds")
        return seat if isinstance(seat, int) else -1

    def move(self, played: Any, luck: Random, ply: int) -> None:
        """Makes a random move; the same one with the same luck."""
        move = luck.choice(self.table.plain.legal_moves(played, f"move {ply + 1}"))
        self.table.plain.guarded(played.apply, move, where=f"move {ply + 1}")

    def imagine(self, played: Any, ply: int) -> None:
        """Imagines a world in the game itself, plays it, and compares the game before and after."""
        seat, before, outside = self.mover(played), leaves(played), variables_of(self.table.made)
        luck = Luck(derive(derive(game_key(self.seed, self.game), SEARCH), ply))
        world = self.table.plain.guarded(lambda: played.imagine(seat, luck), where=f"imagined by seat {seat}")
        self.worlds += 1
        fault = kept_luck(played, world) or shared_iterator(played, world)
        if fault:
            raise InvariantBroken(self.place(ply) + fault)
        choices, error = Random(ply), None
        try:
            for number in range(PLAYED_ON):
                if self.mover(world) < 0:
                    break
                self.move(world, choices, ply + number)
        except Exception as raised:  # it may come from what the world shares
            error = raised
        if (after := leaves(played)) != before:
            place = _first_difference(before, after)
            name = place.split("[")[0].split(".")[0].split(",")[0] or "a value"
            if isinstance(getattr(played, name, None), SOURCES):
                drawn = f"a world that seat {seat} imagines draws from {name} of the real game"
                raise InvariantBroken(
                    f"{self.place(ply)}{drawn}, which something outside the game keeps; keep it in self"
                )
            shares = f"a world that seat {seat} imagines shares {place} with the real game"
            values = f"playing it changes {before.get(place)!r} to {after.get(place)!r}"
            copied = f"copy {name} in imagine(), or use copy.deepcopy(self)"
            raise InvariantBroken(f"{self.place(ply)}{shares}, and {values}; {copied}")
        self.outside |= {place.split("[")[0] for place in _differences(outside, variables_of(self.table.made))}
        if error is not None:
            raise error

    def changed_by_worlds(self, before: State, now: State) -> str:
        place = _first_difference(before, now)
        values = f"{place} is {now.get(place)!r} instead of {before.get(place)!r} after worlds were played"
        names = ", ".join(sorted(self.outside)[:3])
        shared = f"{names}, which worlds change too" if names else "something outside the game that worlds change too"
        return f"{values}: the game depends on {shared}; keep it in self"


def variables_of(made: type) -> State:
    """The variables of the module of a class, and of its classes."""
    found = State()
    for name, value in vars(sys.modules[made.__module__]).items():
        if not name.startswith("__"):
            found |= leaves(value, name)
        if isinstance(value, type) and value.__module__ == made.__module__:
            for attribute, one in vars(value).items():
                if not attribute.startswith("__"):
                    found |= leaves(one, f"{name}.{attribute}")
    return found


def _differences(one: State, other: State) -> list[str]:
    return [place for place in (one | other) if place not in one or place not in other or one[place] != other[place]]


def _first_difference(one: State, other: State) -> str:
    """The place of the first value that differs, rather than that of a length."""
    found = _differences(one, other)
    return next((place for place in found if place in one and place in other), found[0])
