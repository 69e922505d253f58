"""The memory of a reader: the decisions of the current round, each with the state before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Number, Numbers, State, States
from houle.solver.interface import blank
from houle.solver.players.kinds import MOST_WEIGHED
from houle.solver.rules import Setup

MOST_REMEMBERED = 512  # decisions, signals included; the oldest is overwritten
WEIGHED = 300  # worlds that a reader weighs at a decision by default


class Memory(NamedTuple):
    """The decisions of the round as kernels store them; empty where nobody reads."""

    states: States  # before each decision, the oldest overwritten first
    actions: Numbers  # what was done there
    made: Numbers  # one number: decisions of this round so far
    odds: Numbers  # cumulated odds of the worlds weighed at the current decision


def make_memory(setup: Setup, reads: bool) -> Memory:
    """An empty memory, without room where nobody reads."""
    places = MOST_REMEMBERED if reads else 0
    return Memory(
        blank(setup.game.STATE, places),
        np.zeros(places, np.int64),
        np.zeros(1, np.int64),
        np.zeros(MOST_WEIGHED if reads else 0, np.int64),
    )


@dataclass(frozen=True)
class Past:
    """The decisions of a round so far in a match: the states before them, and the actions.

    Most matches have no readers, so the states are joined, and rebuilt for an imagined world, only when they are used.
    """

    kept: tuple[States, ...] = ()  # before each decision, one state each
    actions: tuple[int, ...] = ()
    recalls: tuple[tuple[int, Callable[[States], None]], ...] = ()  # (number of first states, how a world changes them)

    def and_then(self, states: States, action: int) -> Past:
        """The past with one more decision, about to be applied to these states."""
        return Past((*self.kept, states.copy()), (*self.actions, action), self.recalls)

    def as_in(self, recall: Callable[[States], None]) -> Past:
        """The past as it was if an imagined world is the real one; `recall` rebuilds the earlier states."""
        return Past(self.kept, self.actions, (*self.recalls, (len(self.actions), recall)))

    @cached_property
    def states(self) -> States:
        """The states before the decisions as one array; there must be at least one."""
        row = bytearray().join(map(np.ndarray.tobytes, self.kept))  # numpy would join them field by field
        states = np.frombuffer(row, self.kept[0].dtype)
        for number, recall in self.recalls:
            recall(states[:number])
        return states

    def fill(self, memory: Memory) -> None:
        """Fills a memory as if the game had been played with it; does nothing where nobody reads."""
        number = min(len(self.actions), len(memory.actions))
        if number:
            memory.actions[:number] = self.actions[-number:]
            of_memory = memory.states.view(np.ndarray).view(np.uint8).reshape(len(memory.states), -1)
            of_memory[:number] = self.states[-number:].view(np.uint8).reshape(number, -1)
        memory.made[0] = number


@kernel
def forget(memory: Memory) -> None:
    """Clears the memory at the start of a round: earlier moves say nothing about new cards."""
    memory.made[0] = 0


@kernel
def remember(state: State, action: Action, memory: Memory) -> None:
    """Stores a decision that is about to be applied."""
    place = memory.made[0] % len(memory.actions)
    memory.states[place] = state
    memory.actions[place] = action
    memory.made[0] += 1


@kernel
def remembered(memory: Memory) -> Number:
    """The number of decisions in the memory; they are stored first."""
    return min(memory.made[0], len(memory.actions))
