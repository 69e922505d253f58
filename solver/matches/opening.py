"""Openings: facts that describe the start of a game, and games played from openings.

A game's words.py (`OpeningFacts` in interface/files.py) says what describes them. Facts are read from the states after
the deal, for many games at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.solver import interface
from houle.solver.cards.bits import U8
from houle.solver.errors import RulesError
from houle.solver.interface import entries
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import Tally, blank_ledger

Values = NDArray[np.int64]
Mask = NDArray[np.bool_]
Sets = NDArray[np.uint64]  # sets of cards, a bit each

ALL = np.uint64(2**64 - 1)
ELSEWHERE = -(10**6)  # a fact without a value: that hand is not counted


@dataclass(frozen=True)
class Fact:
    """A property of an opening, or of one hand of it."""

    name: str
    about: str  # for people
    read: Callable[[Any], Any] | None  # openings -> whole numbers: games, or games x seats; None: the seat itself
    least: int = 0
    most: int = 64
    labels: tuple[str, ...] = ()  # names of the values 0, 1, ..., if they are not numbers

    def values(self, openings: Any, players: int) -> Values:
        """An array of games by units: one hand for each seat; a fact about the whole opening has one unit."""
        if self.read is None:
            return np.broadcast_to(np.arange(players), (len(openings), players))
        values = np.asarray(self.read(openings)).astype(np.int64)
        return values[:, None] if values.ndim == 1 else values[:, :players]  # fields have room for more seats


@dataclass(frozen=True)
class PlayedOpenings:
    """Some games: their openings, and the result of each hand. A unit is the hand of a seat, in their order."""

    openings: Any
    tally: Tally
    share: Values  # games by units: share of the win in 1/840
    points: Values
    entries: Values


@dataclass(frozen=True)
class Board:
    """Where cards can lie in an opening. Positions are those of the game's `lying`."""

    places: Mapping[str, list[int]]  # name -> positions; a place may contain others (a hand, its front)
    names: Mapping[str, Mapping[str, int]]  # place -> name of a card -> face
    faces: Values  # card -> face; equal cards have the same face
    ordered: tuple[str, ...] = ()  # places with an order, such as a pile: the first card named is drawn first


@dataclass(frozen=True)
class CardChange:
    """A change of one card of the deck, as a change of a knob; with a sign an entry of a list comes or goes."""

    card: str
    what: str  # out, in, one more, ...
    knob: str
    sign: str  # "+", "-", or "" for a new value of the knob
    value: Any
    held: str = ""  # the value of a fact that says who holds this card at the start


def facts_of(setup: Setup) -> list[Fact]:
    """The facts of an opening; without `facts` the seat, and facts of declared fields."""
    if setup.game.openings.facts is not None:
        return setup.game.openings.facts(setup)
    declared = setup.game.declared
    facts = [seat_fact(setup)]
    for name, part in declared.public.items() if declared else ():
        if not part.field:
            facts.append(Fact(name, name.replace("_", " "), partial(_number, name), least=-(2**31), most=2**31))
    for name, part in declared.own.items() if declared else ():
        if part.most or part.places:  # rows and arrays of sets have no lowest card worth a fact
            continue
        word, last = name.replace("_", " "), part.cards - 1
        facts.append(
            Fact(f"{name}_lowest", f"the lowest card of the {word}", partial(_lowest, name), least=0, most=last)
        )
        facts.append(
            Fact(f"{name}_highest", f"the highest card of the {word}", partial(_highest, name), least=0, most=last)
        )
    return facts


def board_of(setup: Setup) -> Board:
    """Where cards can lie in an opening; a RulesError if the game does not say it."""
    if setup.game.openings.board is None:
        raise RulesError(
            f"{setup.ruleset.name} does not support openings that you type in: its words.py has no `board`"
        )
    board: Board = setup.game.openings.board(setup)
    return board


def _number(name: str, openings: Any) -> Values:
    values: Values = openings[name].astype(np.int64)
    return values


def _bits(name: str, openings: Any) -> Mask:
    """Whether the sets of a field hold each card: games x seats x cards."""
    sets = openings[name]
    bits = sets[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    mask: Mask = bits.reshape(*sets.shape[:-1], -1) != 0
    return mask


def _lowest(name: str, openings: Any) -> Values:
    bits = _bits(name, openings)
    return np.where(bits.any(axis=-1), bits.argmax(axis=-1), ELSEWHERE)


def _highest(name: str, openings: Any) -> Values:
    bits = _bits(name, openings)
    return np.where(bits.any(axis=-1), bits.shape[-1] - 1 - bits[..., ::-1].argmax(axis=-1), ELSEWHERE)


def deal_openings(setup: Setup, seed: int, first: int, number: int) -> Any:
    """The openings of games first .. first + number - 1 of a seed, which nobody plays."""
    openings = interface.blank(setup.game.STATE, number)
    for place in range(number):
        entries.open_game(openings[place : place + 1], setup.rules, U8(seed), first + place, 0)
    return openings


def play_openings(setup: Setup, line_up: LineUp, seed: int, first: int, number: int) -> PlayedOpenings:
    """Plays games first .. first + number - 1 of a seed and keeps the result of each hand."""
    ledger, openings, tally = play_with_ledger(setup, line_up, seed, first, number=number)
    sides = ledger[:, setup.rules[0].side[: setup.players]]
    return PlayedOpenings(openings=openings, tally=tally, share=sides.share, points=sides.points, entries=sides.entries)


def play_with_ledger(setup: Setup, line_up: LineUp, seed: int, first: int, number: int) -> tuple[Any, Any, Tally]:
    """Plays games; returns their ledger, openings and tally."""
    ledger = blank_ledger(number, int(setup.rules[0].sides))
    openings = interface.blank(setup.game.STATE, number)
    tally = play_chunk(line_up, seed, first, number, ledger=ledger, openings=openings)
    return ledger, openings, tally


def count(sets: Any, mask: Any = ALL) -> Values:
    """The number of cards of each set that are in `mask`."""
    return np.bitwise_count(np.asarray(sets) & np.asarray(mask, np.uint64)).astype(np.int64)


def has(sets: Any, card: Any) -> NDArray[np.bool_]:
    return (np.asarray(sets) >> np.asarray(card, np.uint64) & np.uint64(1)).astype(bool)


def set_of(cards: Any) -> int:
    """The set of some cards as one number."""
    return sum(1 << card for card in {int(card) for card in cards})


def members(sets: Sets, size: int) -> Values:
    """The cards of sets of equal size, ascending, in the last axis."""
    bits = np.asarray(sets)[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    return np.nonzero(bits)[-1].reshape(*np.shape(sets), size).astype(np.int64)


def seat_fact(setup: Setup) -> Fact:
    labels = tuple(f"seat {seat}" for seat in range(setup.players))
    return Fact("seat", "the seat, in the order of play", None, labels=labels)


def hand_places(sizes: list[int], first: int) -> dict[str, list[int]]:
    """The places `seat 0`, `seat 1`, ... with consecutive positions from `first`."""
    places = {}
    for seat, size in enumerate(sizes):
        places[f"seat {seat}"] = list(range(first, first + size))
        first += size
    return places
