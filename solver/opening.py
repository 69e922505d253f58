"""What can be said of a start: facts of every game's openings, and the games played from them.

A game has an `opening.py` with `facts(setup)`, a list of what describes a start, and with what it takes to lay out a
start of one's own. Facts are read from the states after the deal, for many games at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.solver import interface
from houle.solver.errors import InputError
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import LineUp
from houle.solver.tally import Tally, blank_ledger

Values = NDArray[np.int64]
Mask = NDArray[np.bool_]
Sets = NDArray[np.uint64]  # sets of cards, a bit each

HALF = np.uint64(32)
ALL = np.uint64(2**64 - 1)
ELSEWHERE = -(10**6)  # the value of a fact where it says nothing: that hand is not counted


@dataclass(frozen=True)
class Fact:
    """Something that can be said of a start, or of one hand of it."""

    name: str
    about: str  # in words, for people
    read: Callable[[Any], Any] | None  # openings -> whole numbers: games, or games x seats; None: the seat itself
    least: int = 0
    most: int = 64
    labels: tuple[str, ...] = ()  # what the values from 0 on mean, where they are not numbers


@dataclass(frozen=True)
class PlayedOpenings:
    """Some games: how they began, and what each hand came to. A unit is one hand that was played."""

    openings: Any
    tally: Tally
    seat: Values  # who played the unit
    hand: Values  # the seat it was dealt to
    share: Values  # games x units: share of the win in 1/840
    points: Values
    entries: Values

    def values(self, fact: Fact) -> Values:
        """Games x units; a fact of the whole table has one unit."""
        games = len(self.openings)
        if fact.read is None:
            return np.broadcast_to(self.seat, (games, len(self.seat)))
        found = np.asarray(fact.read(self.openings)).astype(np.int64)
        return found[:, None] if found.ndim == 1 else found[:, self.hand]


@dataclass(frozen=True)
class Board:
    """Where cards can lie at the start: positions are the columns of a game's `take_apart`."""

    places: Mapping[str, list[int]]  # as people call them; a place may hold others (a hand, its front)
    names: Mapping[str, Mapping[str, int]]  # per place: how cards are written -> the face
    faces: Values  # card -> face, by which equal cards are equal
    ordered: tuple[str, ...] = ()  # places where the first card wished is the first to come
    absent: Mapping[str, str] = field(default_factory=dict)  # cards of the game that are not in play here -> why


class DefaultOpening:
    """What can be told of the starts of a game that has no opening.py: the seat, and what its declaration shows."""

    @staticmethod
    def facts(setup: Setup) -> list[Fact]:
        declared = setup.game.declared
        found = [seat_fact(setup)]
        for name, part in declared.public.items() if declared else ():
            if not part.field:
                found.append(Fact(name, name.replace("_", " "), partial(_number, name), -(2**31), 2**31))
        for name, part in declared.own.items() if declared else ():
            word, last = name.replace("_", " "), part.cards - 1
            found.append(Fact(f"{name}_lowest", f"the lowest card of the {word}", partial(_lowest, name), 0, last))
            found.append(Fact(f"{name}_highest", f"the highest card of the {word}", partial(_highest, name), 0, last))
        return found

    @staticmethod
    def board(setup: Setup) -> Board:
        name = setup.ruleset.name
        raise InputError(f"{name} does not say where its cards can be laid at the start (it has no opening.py)")


def _number(name: str, openings: Any) -> Values:
    found: Values = openings[name].astype(np.int64)
    return found


def _bits(name: str, openings: Any) -> Mask:
    """Games x seats x cards: whether a set has a card."""
    sets = openings[name]
    bits = sets[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    found: Mask = bits.reshape(*sets.shape[:-1], -1) != 0
    return found


def _lowest(name: str, openings: Any) -> Values:
    bits = _bits(name, openings)
    return np.where(bits.any(axis=-1), bits.argmax(axis=-1), ELSEWHERE)


def _highest(name: str, openings: Any) -> Values:
    bits = _bits(name, openings)
    return np.where(bits.any(axis=-1), bits.shape[-1] - 1 - bits[..., ::-1].argmax(axis=-1), ELSEWHERE)


def opening_of(setup: Setup) -> Any:
    """The file of a setup's game, or what can be told without one."""
    return setup.game.file("opening") or DefaultOpening()


def scene(setup: Setup) -> tuple[Setup, str]:
    """What is played to see what a start is worth, and a word on it where that is not the whole game."""
    module = opening_of(setup)
    return module.scene(setup) if hasattr(module, "scene") else (setup, "")


def play_openings(setup: Setup, line_up: LineUp, seed: int, first: int, number: int) -> PlayedOpenings:
    """Games first .. first + number - 1 of a seed, kept apart."""
    module = opening_of(setup)
    if hasattr(module, "play_openings"):
        found: PlayedOpenings = module.play_openings(setup, line_up, seed, first, number)
        return found
    ledger, openings, tally = play_with_ledger(setup, line_up, seed, first, number)
    seats = np.arange(setup.players)
    sides = ledger[:, setup.rules[0].side[: setup.players]]
    return PlayedOpenings(openings, tally, seats, seats, sides.share, sides.points, sides.entries)


def play_with_ledger(setup: Setup, line_up: LineUp, seed: int, first: int, number: int) -> tuple[Any, Any, Tally]:
    """The ledger and the openings of some games."""
    ledger = blank_ledger(number, int(setup.rules[0].sides))
    openings = interface.blank(setup.game.STATE, number)
    tally = play_chunk(setup, line_up, seed, first, number, ledger=ledger, openings=openings)
    return ledger, openings, tally


def count(sets: Any, mask: Any = ALL) -> Values:
    """How many cards of each set are in `mask`."""
    return np.bitwise_count(np.asarray(sets) & np.asarray(mask, np.uint64)).astype(np.int64)


def has(sets: Any, card: Any) -> NDArray[np.bool_]:
    return (np.asarray(sets) >> np.asarray(card, np.uint64) & np.uint64(1)).astype(bool)


def set_of(cards: Any) -> int:
    """A set as one number."""
    return sum(1 << int(card) for card in cards)


def members(sets: Sets, size: int) -> Values:
    """The cards of sets that all hold `size` of them, ascending, in a last axis of their own."""
    bits = np.asarray(sets)[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    return np.nonzero(bits)[-1].reshape(*np.shape(sets), size).astype(np.int64)


def as_sets(cards: Values) -> Sets:
    """Sets of the cards in the last axis."""
    bits = np.left_shift(np.uint64(1), cards.astype(np.uint64))
    return np.bitwise_or.reduce(bits, axis=-1) if cards.shape[-1] else np.zeros(cards.shape[:-1], np.uint64)


def seat_fact(setup: Setup) -> Fact:
    labels = tuple(f"seat {seat}" for seat in range(setup.players))
    return Fact("seat", "the seat, in the order of play", None, labels=labels)


def luck(root: Any, number: int) -> NDArray[np.uint64]:
    """32 random bits for every game and purpose, from the game's own key."""
    mixed = np.asarray(root) + np.uint64((0x9E37_79B9_7F4A_7C15 * (number + 0x5E70)) & (2**64 - 1))
    for shift, factor in ((30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    found: NDArray[np.uint64] = (mixed ^ mixed >> np.uint64(31)) >> HALF
    return found


def one_of(mask: Mask, bits: NDArray[np.uint64]) -> Values:
    """A column of each row at random, among those in the mask."""
    passed = np.cumsum(mask, axis=1)
    chosen = bits * passed[:, -1].astype(np.uint64) >> HALF
    found: Values = np.argmax(passed > chosen[:, None], axis=1)
    return found


def hand_places(sizes: list[int], first: int) -> dict[str, list[int]]:
    """`seat 0`, `seat 1` ... with so many positions each, from a position on."""
    places = {}
    for seat, size in enumerate(sizes):
        places[f"seat {seat}"] = list(range(first, first + size))
        first += size
    return places
