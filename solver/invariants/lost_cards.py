"""The invariant of cards in a class: no card gets lost or comes twice.

Nothing says which lists of a class hold cards, so houle finds them: lists among which values move, so that all of them
together stay the same after nearly all moves. The few moves that change the whole are faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from houle.solver.invariants.errors import begin, demand
from houle.solver.invariants.play import seated
from houle.solver.matches.match import Match
from houle.solver.plain.as_game import PlainTable
from houle.solver.rules import Setup

LEAVE = "CARDS_LEAVE"  # a class with this says that cards may leave the game
MOST_PLACES = 10
ENOUGH, SELDOM = 20, 0.34  # moves of cards that are needed, and the share of them that may be faults
EMPTY = (None, -1)  # stand for no card

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
        chosen for chosen in broken
        if moved[chosen] >= ENOUGH and broken[chosen] <= SELDOM * moved[chosen] and not kept & {*chosen}
    ]  # fmt: skip
    if suspects:
        worst = min(suspects, key=lambda chosen: (broken[chosen] - moved[chosen], len(chosen)))
        _accuse(setup, seed, [places[place] for place in worst], deltas[list(worst)], steps)
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
    """The values in the lists of each attribute of the object."""
    played = table.look(match.state, match.setup.rules[0]).played
    return {name: Counter(_cards(value)) for name, value in vars(played).items() if not isinstance(value, str)}


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
    """The attributes that change most often."""
    times = Counter(place for step in steps for place in step.changes)
    return [place for place, _ in times.most_common(MOST_PLACES)]


def _deltas(steps: list[Step], places: list[str]) -> Any:
    """Places x moves x values: how many more."""
    values = {value: i for i, value in enumerate(dict.fromkeys(
        value for step in steps for changed in step.changes.values() for value in changed))}  # fmt: skip
    deltas = np.zeros((len(places), len(steps), len(values)), np.int16)
    for number, step in enumerate(steps):
        for place, changed in step.changes.items():
            if place in places:
                for value, more in changed.items():
                    deltas[places.index(place), number, values[value]] = more
    return deltas
