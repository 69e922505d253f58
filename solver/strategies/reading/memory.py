"""What a searcher that reads remembers: the decisions of the round under way, each with the state before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houle.solver.contract import blank
from houle.solver.kernels import kernel
from houle.solver.ruleset import Setup
from houle.solver.types import Action, Number, Numbers, State, States

MOST_REMEMBERED = 128  # decisions: after so many the oldest is forgotten
WORLDS = 300  # worlds that are weighed at a decision


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
        np.zeros(WORLDS if reads else 0, np.int64),
    )


@dataclass(frozen=True)
class Past:
    """The decisions of a round so far at a table that Python plays at: states before them, and what was done."""

    states: States
    actions: Numbers

    @classmethod
    def none(cls, setup: Setup) -> Past:
        return cls(blank(setup.game.STATE, 0), np.zeros(0, np.int64))

    def and_then(self, states: States, action: int) -> Past:
        """With one decision more."""
        return Past(np.concatenate([self.states, states]).view(np.recarray), np.append(self.actions, action))

    def copy(self) -> Past:
        return Past(self.states.copy(), self.actions)

    def fill(self, memory: Memory) -> None:
        """Makes a memory what it would be, had the game been played with it; nothing where nobody reads."""
        first = max(0, len(self.actions) - len(memory.actions))
        number = len(self.actions) - first
        memory.states[:number], memory.actions[:number] = self.states[first:], self.actions[first:]
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
