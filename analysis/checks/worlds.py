"""Check that imagined worlds are uniform, against worlds that are dealt here in plain Python.

For games that declare who sees which cards. A hidden card must lie in every hidden place as often in imagined worlds as
when all hidden cards are shuffled and dealt again until the game accepts the deal.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from houle.solver.compiler.cardsets import WORD, members
from houle.solver.invariants.broken import demand
from houle.solver.matches.match import Match
from houle.solver.rules import Setup

WORLDS = 400  # of each kind at a position
TRIES = 1000  # shuffles per world; positions that need more are skipped
UNLIKELY = 5.5  # standard errors that count as a failure: 1 in 25 million by chance

Zone = tuple[str, int | None]  # a field, and whose
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
        for (field, whose), card in imagined.keys() | dealt.keys():
            one, other = imagined[(field, whose), card], dealt[(field, whose), card]
            share = (one + other) / (2 * WORLDS)
            zone = field if whose is None else f"{field} of seat {whose}"
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
        owners = range(setup.players) if part.by_seat else (None,)
        zones: list[Zone] = [(name, owner) for owner in owners if name in declared.hidden or owner != seat]
        if part.cards and zones:
            pools.setdefault(part.cards, []).extend(zones)
    return {size: zones for size, zones in pools.items() if len(zones) > 1}


def _set(match: Match, zone: Zone) -> Any:
    name, owner = zone
    return match.states[name][0] if owner is None else match.states[name][0][owner]


def _places(match: Match, pools: Pools) -> list[tuple[Zone, int]]:
    return [(zone, card) for zones in pools.values() for zone in zones for card in members(_set(match, zone))]


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
    held = [members(_set(match, zone)) for zone in zones]
    cards = luck.permutation([card for group in held for card in group]).tolist()
    for zone, group in zip(zones, held, strict=True):
        words = _set(world, zone)
        words[:] = 0
        for card in (cards.pop() for _ in group):
            words[card // WORD] |= np.uint64(1 << card % WORD)
