"""What a searcher that reads remembers: the decisions of the round under way, each with the state before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from houle.solver.interface import blank
from houle.solver.kernels import kernel
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import MOST_WEIGHED
from houle.solver.types import Action, Number, Numbers, State, States

MOST_REMEMBERED = 128  # decisions: after so many the oldest is forgotten
WEIGHED = 300  # worlds that a reader weighs at a decision unless it says how many


class Memory(NamedTuple):
    """Room for what is remembered; without places where nobody reads."""

    states: States  # before each decision, the oldest overwritten first
    actions: Numbers  # what was done there
    made: Numbers  # one number: decisions of this round so far
    odds: Numbers  # of the worlds weighed at the decision under way, summed up one after another


def make_memory(setup: Setup, reads: bool) -> Memory:
    """Room to remember in, or none at all."""
    places = MOST_REMEMBERED if reads else 0
    return Memory(
        blank(setup.game.STATE, places),
        np.zeros(places, np.int64),
        np.zeros(1, np.int64),
        np.zeros(MOST_WEIGHED if reads else 0, np.int64),
    )


@dataclass(frozen=True)
class Past:
    """The decisions of a round so far at a table that Python plays at: states before them, and what was done.

    Most tables are never asked for it, since nobody reads there: states are put in a row, and earlier states made
    what they were in an imagined world, only when somebody looks.
    """

    kept: tuple[States, ...] = ()  # before each decision, one state each
    actions: tuple[int, ...] = ()
    recalls: tuple[tuple[int, Callable[[States], None]], ...] = ()  # so many of the first ones, as a world has them

    def and_then(self, states: States, action: int) -> Past:
        """With one decision more, about to be carried out in these states."""
        return Past((*self.kept, states.copy()), (*self.actions, action), self.recalls)

    def as_in(self, recall: Callable[[States], None]) -> Past:
        """As it was if an imagined world is the real one; `recall` makes that of earlier states."""
        return Past(self.kept, self.actions, (*self.recalls, (len(self.actions), recall)))

    @cached_property
    def states(self) -> States:
        """The states before the decisions, one after another; there must be one."""
        states = np.concatenate(self.kept).view(np.recarray)
        for number, recall in self.recalls:
            recall(states[:number])
        return states

    def fill(self, memory: Memory) -> None:
        """Makes a memory what it would be, had the game been played with it; nothing where nobody reads."""
        number = min(len(self.actions), len(memory.actions))
        if number:
            memory.states[:number], memory.actions[:number] = self.states[-number:], self.actions[-number:]
        memory.made[0] = number


@kernel
def forget(memory: Memory) -> None:
    """A round begins: what was done in the last one tells nothing about new cards."""
    memory.made[0] = 0


@kernel
def remember(state: State, action: Action, memory: Memory) -> None:
    """Keeps a decision that is about to be carried out."""
    place = memory.made[0] % len(memory.actions)
    memory.states[place] = state
    memory.actions[place] = action
    memory.made[0] += 1


@kernel
def remembered(memory: Memory) -> Number:
    """How many decisions are in the memory; they lie in the first places."""
    return min(memory.made[0], len(memory.actions))
