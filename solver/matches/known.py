"""What a seat knows at a moment: the values of its game's table (interface/seen.py) by name.

Texts and pages are made of these values, never of the state, so they cannot show more than the table does.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.solver.compiler.types import States
from houle.solver.interface import entries
from houle.solver.interface.seen import OTHERS, SEATS, SIDES, Place
from houle.solver.rules import Setup

MOST_KEPT = 64  # setups

_layouts: dict[str, list[Place]] = {}


def layout_of(setup: Setup) -> list[Place]:
    """The parts of a setup's observation, in order; none for a class in plain Python."""
    if setup.digest not in _layouts:
        if len(_layouts) >= MOST_KEPT:
            _layouts.clear()
        _layouts[setup.digest] = setup.game.seen.layout(setup) if setup.game.seen else []
    return _layouts[setup.digest]


def observation_size(setup: Setup) -> int:
    """How many numbers an observation has; 0 if the game has none."""
    last = layout_of(setup)[-1:]
    return last[0].start + last[0].width if last else 0


class Known:
    """What one seat knows. `known["top"]` is the value of a part, `known["hand", 2]` that of a part of seat 2.

    A number is a number, a set a list of cards, one of several cards the card, or -1 for none.
    """

    def __init__(self, setup: Setup, seat: int, numbers: NDArray[np.int64], states: States) -> None:
        self.setup, self.seat, self.numbers, self._states = setup, seat, numbers, states
        self._values: dict[tuple[str, int], Any] | None = None

    @classmethod
    def of(cls, states: Any, setup: Setup, seat: int) -> Known:
        """What a seat knows in a state, or in the first of several."""
        states = states if getattr(states, "ndim", 0) else np.array([states])
        numbers = np.zeros(observation_size(setup), np.int64)
        if len(numbers):
            entries.observe_seat(states, setup.rules, seat, numbers)
        return cls(setup, seat, numbers, states)

    @property
    def kinds(self) -> list[int]:
        """The kinds of the seat's legal moves; none while another seat is to move."""
        if int(entries.seat_to_move(self._states)) != self.seat:
            return []
        moves, rules = np.zeros(self.setup.game.MAX_MOVES, np.int64), self.setup.rules
        legal = moves[: entries.list_moves(self._states, rules, moves)]
        return list(dict.fromkeys(int(entries.label_seen(self._states, rules, one, self.seat)[1]) for one in legal))

    @property
    def label(self) -> int:
        """64 bits that are equal exactly where the seat knows the same."""
        return int.from_bytes(blake2b(self.numbers.tobytes(), digest_size=8).digest(), "little")

    def places(self) -> Iterator[tuple[Place, int]]:
        """Every part, and the seat or side that it is about; -1 for none."""
        rules = self.setup.rules[0]
        for place in layout_of(self.setup):
            if place.of == SIDES:
                yield place, (int(rules.side[self.seat]) + place.number) % int(rules.sides)
            else:
                yield place, (self.seat + place.number) % int(rules.seats) if place.of in (SEATS, OTHERS) else -1

    def values(self) -> dict[tuple[str, int], Any]:
        """The value of every part, by its name and the seat or side that it is about."""
        if self._values is None:
            numbers, seats = self.numbers.tolist(), int(self.setup.rules[0].seats)
            self._values = {
                (place.part.name, who): place.part.value(
                    numbers[place.start : place.start + place.width], self.seat, seats
                )
                for place, who in self.places()
            }
        return self._values

    def __getitem__(self, key: str | tuple[str, int]) -> Any:
        return self.values()[(key, -1) if isinstance(key, str) else key]

    def __contains__(self, key: str | tuple[str, int]) -> bool:
        return ((key, -1) if isinstance(key, str) else key) in self.values()

    def each(self, name: str) -> list[Any]:
        """The values of a part of every seat or side, in their order."""
        of = {who: value for (part, who), value in self.values().items() if part == name}
        return [of[who] for who in sorted(of)]
