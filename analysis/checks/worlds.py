"""Whether imagined worlds are uniform: held against worlds that are dealt anew here, in plain Python.

For games that declare who sees which cards. A card that a seat does not see must lie in every hidden place as often in
imagined worlds as where all of them are shuffled and dealt out again, until the game calls that possible.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from houle.solver.cardsets import WORD, members
from houle.solver.invariants.broken import demand
from houle.solver.match import Match
from houle.solver.ruleset import Setup

WORLDS = 400  # of each kind at a position
TRIES = 1000  # shuffles for one world; what is rarer than that is not looked at
UNLIKELY = 5.5  # standard errors by which two counts may differ: 1 in 25 million

Zone = tuple[str, int | None]  # a field, and whose
Pools = dict[int, list[Zone]]  # zones between which cards move, by the size of their sets


def has_uniform_worlds(setup: Setup) -> bool:
    """Whether it can be looked at: the game says who sees which cards, and some are not seen."""
    return setup.game.declared is not None and bool(_pools(setup, 0))


def worlds_are_uniform(setup: Setup, games: int, seed: int) -> int:
    """Every card is as often in every hidden place as where all possible deals are equally likely."""
    possible = _possible(setup)
    looked_at = 0
    for number in range(games):
        match = Match(setup, seed, number)
        for _ in range(3 * number):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        seat = match.to_move()
        if seat < 0:
            continue
        pools = _pools(setup, seat)
        imagined: Counter[tuple[Zone, int]] = Counter()
        for world in range(WORLDS):
            imagined.update(_places(match.imagine(seat, seed * 1_000_003 + world), pools))
        dealt = _dealt(match, pools, possible, np.random.default_rng((seed, number)))
        for (field, whose), card in imagined.keys() | dealt.keys():
            one, other = imagined[(field, whose), card], dealt[(field, whose), card]
            share = (one + other) / (2 * WORLDS)
            zone = field if whose is None else f"{field} of seat {whose}"
            demand(
                abs(one - other) <= UNLIKELY * (2 * WORLDS * share * (1 - share)) ** 0.5,
                match,
                f"seat {seat} imagines card {card} in {zone} in {one} of {WORLDS} worlds; dealt anew it is in {other}",
            )
        looked_at += WORLDS if dealt else 0
    return looked_at


def _possible(setup: Setup) -> Callable[[Any, Any], bool]:
    """What the game calls a possible world; all of them where it says nothing."""
    package = setup.game.package
    for name in (f"{package}.worlds", package):
        try:
            found: Callable[[Any, Any], bool] | None = getattr(importlib.import_module(name), "possible", None)
        except ModuleNotFoundError:
            continue
        if found is not None:
            return found
    return lambda state, rules: True


def _pools(setup: Setup, seat: int) -> Pools:
    """The places whose cards a seat does not see."""
    declared = setup.game.declared
    found: Pools = {}
    if declared is None:
        return found
    for name, part in {**declared.own, **declared.hidden}.items():
        owners = range(setup.players) if part.by_seat else (None,)
        zones: list[Zone] = [(name, owner) for owner in owners if name in declared.hidden or owner != seat]
        if part.cards and zones:
            found.setdefault(part.cards, []).extend(zones)
    return {size: zones for size, zones in found.items() if len(zones) > 1}


def _set(match: Match, zone: Zone) -> Any:
    name, owner = zone
    return match.states[name][0] if owner is None else match.states[name][0][owner]


def _places(match: Match, pools: Pools) -> list[tuple[Zone, int]]:
    return [(zone, card) for zones in pools.values() for zone in zones for card in members(_set(match, zone))]


def _dealt(
    match: Match, pools: Pools, possible: Callable[[Any, Any], bool], luck: np.random.Generator
) -> Counter[tuple[Zone, int]]:
    """Where cards lie in as many worlds that are shuffled here; nothing where hardly a shuffle is possible."""
    seat, found = match.to_move(), Counter[tuple[Zone, int]]()
    for _ in range(WORLDS):
        world = match.imagine(seat, 0)
        for _ in range(TRIES):
            for zones in pools.values():
                _shuffle(match, world, zones, luck)
            if possible(world.states[0], match.setup.rules[0]):
                break
        else:
            return Counter()
        found.update(_places(world, pools))
    return found


def _shuffle(match: Match, world: Match, zones: list[Zone], luck: np.random.Generator) -> None:
    """Deals the cards of some places out again, to each as many as it held."""
    held = [members(_set(match, zone)) for zone in zones]
    cards = luck.permutation([card for group in held for card in group]).tolist()
    for zone, group in zip(zones, held, strict=True):
        words = _set(world, zone)
        words[:] = 0
        for card in (cards.pop() for _ in group):
            words[card // WORD] |= np.uint64(1 << card % WORD)
