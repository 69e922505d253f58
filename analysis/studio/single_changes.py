"""What single changes of a setup do, counted in the background: every rule by its nearest steps, and every card.

All changes are played first. What a page would pick, the step of a rule that raises most and the one that lowers most,
is played again on fresh games (tables/effects.py says why). For people who think only their habit plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houle.analysis.designing.space import make_space
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.grid import Arm
from houle.analysis.studio.growing_results import Stop, a_while
from houle.analysis.studio.rows import habit_of
from houle.analysis.studio.state import aim_of
from houle.analysis.tables.cards import possible_changes
from houle.analysis.tables.effects import Effect, effects
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Knob, Setup

GAMES, AGAIN = 200, 1_000  # of each change, and of those that are played again
LISTED = 6  # entries of a list that are tried


class SingleChanges:
    """Some changes of a setup by their keys, and what each does so far."""

    def __init__(self, setup: Setup, who: str, seed: int, *, cards: bool) -> None:
        self.setup, self.seed = setup, seed
        self.base = line_up(setup, habit_of(who, setup))
        self.measures, self.goal = (aim_of(setup), "length"), Goal(setup)
        self.cards = cards
        self.found: dict[tuple[str, str], Effect] = {}  # (rule, step) or (card, what is done to it)
        self.done = False
        self._fresh: frozenset[tuple[str, str]] = frozenset()  # what was played again
        self._changes = _card_changes(self.base) if cards else _knob_changes(self.base)

    def step(self, stop: Stop) -> bool:
        """Count all changes, or the picked ones again; false if nothing is left to count."""
        if self.done:
            return False
        again = bool(self.found)
        chosen = self._picked() if again else self._changes
        spec = a_while(self.setup, AGAIN if again else GAMES, self.seed, GAMES if again else 0, stop)
        played = effects(Arm(self.base), list(chosen.values()), self.measures, spec) if chosen else None
        if played is not None and played.interrupted:
            return True
        # A new mapping: other threads may be reading the old one.
        self.found = {**self.found, **dict(zip(chosen, played.rows if played else (), strict=True))}
        self._fresh = frozenset(chosen) if again else frozenset()
        self.done = again or not chosen
        return True

    def _picked(self) -> Mapping[tuple[str, str], Arm]:
        """The steps of every rule that raise and lower the measure most; all cards."""
        if self.cards:
            return self._changes
        picked: dict[tuple[str, str], Arm] = {}
        for rule in dict.fromkeys(rule for rule, _ in self.found):
            steps = self.steps(rule)
            picked |= {(rule, one): self._changes[rule, one] for one in dict.fromkeys((steps[0], steps[-1]))}
        return picked

    def steps(self, rule: str) -> list[str]:
        """The steps of a rule, from the one that lowers the measure most; only those played again, once they were."""
        known = self._fresh or self.found.keys()
        mine = {step: self.found[name, step] for name, step in known if name == rule}
        return sorted(mine, key=lambda step: (mine[step].by[self.measures[0]].value, step))

    def idle(self, rule: str) -> bool:
        """Whether no step of a rule that was tried altered any game."""
        tried = [one.idle for (name, _), one in self.found.items() if name == rule]
        return bool(tried) and all(tried)


def _knob_changes(seated: LineUp) -> dict[tuple[str, str], Arm]:
    """The nearest other values of every rule in force; some entries of a list."""
    setup = seated.setup
    found = {}
    for knob in setup.ruleset.knobs.values():
        for arm in _steps(seated, knob) if knob.in_force(setup.options) else ():
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


def _card_changes(seated: LineUp) -> dict[tuple[str, str], Arm]:
    """Every change of one card that the rules allow."""
    changes, _ = possible_changes(seated.setup)
    return {(change.card, change.what): Arm(seat(changed, seated.strategies)) for change, changed in changes}
