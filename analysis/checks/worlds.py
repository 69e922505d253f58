"""Check that imagined worlds are uniform, against worlds that are dealt here in plain Python.

For games that declare who sees which cards. A hidden card must lie in every hidden place as often in imagined worlds as
when all hidden cards are shuffled and dealt again until the game accepts the deal.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.cardsets import WORD
from houle.solver.interface.declare import Part
from houle.solver.invariants.errors import demand
from houle.solver.matches.match import Match
from houle.solver.rules import Setup

WORLDS = 400  # of each kind at a position
TRIES = 1000  # shuffles per world; positions that need more are skipped
UNLIKELY = 5.5  # standard errors that count as a failure: 1 in 25 million by chance

Zone = tuple[str, tuple[int, ...]]  # a field, and which of its seats and places
Pools = dict[int, list[Zone]]  # zones between which cards move, by the size of their sets


def has_uniform_worlds(setup: Setup) -> bool:
    """Whether the check is possible: the game declares who sees which cards, and some are hidden."""
    return setup.game.declared is not None and bool(_pools(setup, 0))


def matches_under_way(setup: Setup, games: int, seed: int) -> Iterator[Match]:
    """The first games of a seed, each three random moves further than the one before, if it is not over by then."""
    for number in range(games):
        match = Match(setup, seed, number)
        for _ in range(3 * number):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        if match.to_move() >= 0:
            yield match


def worlds_are_uniform(setup: Setup, games: int, seed: int) -> int:
    """Check that every card is in every hidden place as often as if all possible deals were equally likely."""
    possible = _possible(setup)
    checked = 0
    for match in matches_under_way(setup, games, seed):
        seat = match.to_move()
        pools = _pools(setup, seat)
        imagined: Counter[tuple[Zone, int]] = Counter()
        for world in range(WORLDS):
            imagined.update(_places(match.imagine(seat, seed * 1_000_003 + world), pools))
        dealt = _dealt(match, pools, possible, np.random.default_rng((seed, match.game)))
        for place, card in imagined.keys() | dealt.keys():
            one, other = imagined[place, card], dealt[place, card]
            share = (one + other) / (2 * WORLDS)
            zone = _words(setup, place)
            demand(
                abs(one - other) <= UNLIKELY * (2 * WORLDS * share * (1 - share)) ** 0.5,
                match,
                f"seat {seat} imagines card {card} in {zone} in {one} of {WORLDS} worlds, but {other} if dealt anew",
            )
        checked += WORLDS if dealt else 0
    return checked


def _possible(setup: Setup) -> Callable[[Any, Any], bool]:
    """The game's test of whether a world is possible; without one all are."""
    package = setup.game.package
    for name in (f"{package}.worlds", package):
        try:
            test: Callable[[Any, Any], bool] | None = getattr(importlib.import_module(name), "possible", None)
        except ModuleNotFoundError:
            continue
        if test is not None:
            return test
    return lambda state, rules: True


def _pools(setup: Setup, seat: int) -> Pools:
    """The places whose cards are hidden from a seat."""
    declared = setup.game.declared
    pools: Pools = {}
    if declared is None:
        return pools
    for name, part in {**declared.own, **declared.hidden}.items():
        if not part.cards:
            continue
        sizes = [*([setup.players] if part.by_seat else []), *part.places]
        for index in product(*map(range, sizes)):
            if name in declared.hidden or index[0] != seat:
                pools.setdefault(part.cards, []).append((name, index))
    return {size: zones for size, zones in pools.items() if len(zones) > 1}


def _words(setup: Setup, zone: Zone) -> str:
    name, index = zone
    by_seat = setup.game.declared is not None and setup.game.declared.all[name].by_seat
    which = "".join(f" {place + 1}" for place in index[by_seat:])
    return f"{name}{which} of seat {index[0]}" if by_seat else f"{name}{which}"


def _part(match: Match, zone: Zone) -> tuple[Any, Part]:
    """The set or row of a zone, and its declaration."""
    name, index = zone
    assert match.setup.game.declared is not None
    return match.states[name][0][index], match.setup.game.declared.all[name]


def _cards(match: Match, zone: Zone) -> list[int]:
    value, part = _part(match, zone)
    return [int(card) for card in value if card >= 0] if part.most else members(value)


def _places(match: Match, pools: Pools) -> list[tuple[Zone, int]]:
    """Where each hidden card lies; in a row also at which place."""
    found: list[tuple[Zone, int]] = []
    for zones in pools.values():
        for name, index in zones:
            ordered = _part(match, (name, index))[1].most > 0
            for place, card in enumerate(_cards(match, (name, index))):
                found.append(((name, (*index, place) if ordered else index), card))
    return found


def _dealt(
    match: Match, pools: Pools, possible: Callable[[Any, Any], bool], luck: np.random.Generator
) -> Counter[tuple[Zone, int]]:
    """Where cards lie in WORLDS shuffled worlds; empty if hardly a shuffle is possible."""
    seat, counts = match.to_move(), Counter[tuple[Zone, int]]()
    for _ in range(WORLDS):
        world = match.imagine(seat, 0)
        for _ in range(TRIES):
            for zones in pools.values():
                _shuffle(match, world, zones, luck)
            if possible(world.states[0], match.setup.rules[0]):
                break
        else:
            return Counter()
        counts.update(_places(world, pools))
    return counts


def _shuffle(match: Match, world: Match, zones: list[Zone], luck: np.random.Generator) -> None:
    """Deal the cards of some places again, as many to each as it held."""
    held = [len(_cards(match, zone)) for zone in zones]
    cards = luck.permutation([card for zone in zones for card in _cards(match, zone)]).tolist()
    for zone, number in zip(zones, held, strict=True):
        value, part = _part(world, zone)
        value[:] = part.empty
        for place in range(number):
            card = cards.pop()
            if part.most:
                value[place] = card
            else:
                value[card // WORD] |= np.uint64(1 << card % WORD)
