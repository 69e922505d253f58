"""What single changes of a setup do, counted in the background: every rule by its nearest steps, and every card.

All changes get a few games. Those whose sign is not known then get more, in rounds of fresh games: of a rule the step
that seems to raise most and the one that seems to lower most, and every card. The intervals of all changes in all
rounds hold together, so the sign of whichever change a page picks is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.designing.space import make_space
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.studio.growing_results import Stop, a_while
from houle.analysis.studio.state import aim_of, turnable
from houle.analysis.tables.cards import possible_changes
from houle.analysis.tables.effects import Effect, effects
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Knob, Setup

ROUNDS = (200, 1_000, 3_000)  # games of each change
CARD_ROUNDS = ROUNDS[:2]  # there are many cards
AT_ONCE = 6  # cards that are counted in one step
LISTED = 6  # entries of a list that are tried

Key = tuple[str, str]  # (rule, step) or (card, what is done to it)


class SingleChanges:
    """Some changes of a setup by their keys, and what each does so far."""

    def __init__(self, setup: Setup, who: str, seed: int, *, cards: bool) -> None:
        self.setup, self.seed = setup, seed
        self.base = line_up(setup, who)
        self.measure, self.goal = aim_of(setup), Goal(setup)
        self.cards = cards
        self.found: dict[Key, Effect] = {}
        self.changes = _card_changes(self.base) if cards else _knob_changes(self.base)
        self._rounds = CARD_ROUNDS if cards else ROUNDS
        self._round = -1
        self._left: list[list[Key]] = []  # of this round: the changes of a rule, or some cards

    def step(self, stop: Stop) -> bool:
        """Count one rule, or some cards; false if nothing is left to count."""
        while not self._left:
            if self.done:
                return False
            self._round += 1
            self._left = self._batches()
        chosen, intervals = self._left[0], len(self.changes) * len(self._rounds)
        spec = a_while(self.setup, self._rounds[self._round], self.seed, sum(self._rounds[: self._round]), stop=stop)
        played = effects(
            Arm(self.base), [self.changes[key] for key in chosen], (self.measure,), spec, intervals=intervals
        )
        if not played.interrupted:
            # A new mapping: other threads may be reading the old one.
            self.found = {**self.found, **dict(zip(chosen, played.rows, strict=True))}
            self._left = self._left[1:]
        return True

    @property
    def done(self) -> bool:
        return not self._left and self._round + 1 >= len(self._rounds)

    def _batches(self) -> list[list[Key]]:
        """What is played in this round: what is not known yet and may change some game."""
        keys = [
            key
            for key in self.changes
            if key not in self.found or not (self.found[key].idle or self.effect(key).differs)
        ]
        if self.cards:
            return [keys[first : first + AT_ONCE] for first in range(0, len(keys), AT_ONCE)]
        batches = []
        for rule in dict.fromkeys(rule for rule, _ in keys):
            steps = [key for key in keys if key[0] == rule]
            if self.found:
                steps.sort(key=lambda key: self.effect(key).value)
                steps = [steps[0], *steps[1:][-1:]]
            batches.append(steps)
        return batches

    def effect(self, key: Key) -> Estimate:
        """What a change that was played does to the measure of the target."""
        return self.found[key].by[self.measure]

    def steps(self, rule: str) -> list[tuple[str, Estimate]]:
        """The steps of a rule whose sign is known, from the one that lowers the measure most."""
        mine = [(key[1], self.effect(key)) for key in self.found if key[0] == rule and self.effect(key).differs]
        return sorted(mine, key=lambda one: (one[1].value, one[0]))

    def idle(self, rule: str) -> bool:
        """Whether no step of a rule that was tried altered any game."""
        tried = [one.idle for (name, _), one in self.found.items() if name == rule]
        return bool(tried) and all(tried)


def _knob_changes(seated: LineUp) -> dict[Key, Arm]:
    """The nearest other values of every rule in play; some entries of a list."""
    setup = seated.setup
    found = {}
    for knob in setup.ruleset.knobs.values():
        for arm in _steps(seated, knob) if turnable(knob, setup) else ():
            found[knob.name, arm.label] = arm
    return found


def _steps(seated: LineUp, knob: Knob) -> Sequence[Arm]:
    try:
        space = make_space(seated.setup, [knob.name])
    except InputError:
        return []
    axis = space.axes[0]
    numbers = list(range(1, len(axis.values)))
    if knob.type == "int":
        now = axis.values[0]
        numbers.sort(key=lambda number: abs(axis.values[number] - now))
        numbers = numbers[:2]
    changes = [(0, number) for number in numbers[:LISTED]]
    return [Arm(seat(space.setup(frozenset({one})), seated.strategies), {}, space.words(one)) for one in changes]


def _card_changes(seated: LineUp) -> dict[Key, Arm]:
    """Every change of one card that the rules allow."""
    changes, _ = possible_changes(seated.setup)
    return {(change.card, change.what): Arm(seat(changed, seated.strategies)) for change, changed in changes}
