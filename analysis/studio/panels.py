"""Panels of the studio that look at several setups at once: other numbers of players, and two rules as a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from houle.analysis.measures.measures import estimate
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.experiment import Experiment, Sample
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.studio.growing_results import FIRST, PEOPLE, Growing, Stop, a_while
from houle.analysis.studio.rows import StudioRows
from houle.analysis.studio.state import aim_of
from houle.solver.errors import InputError
from houle.solver.rules import Knob, Setup, printed

SIDE_GAMES = PEOPLE.ends[::2]  # of each number of players
MAP_GAMES = tuple(FIRST * part for part in (1, 2, 4, 8, 12, 16, 20, 24))  # of each cell: coarse first
AROUND = 3  # values of a number to either side of the present one


@dataclass(frozen=True)
class OtherPlayers:
    """The same rules with another number of players or other teams; `problem` says why that cannot be played."""

    title: str
    setup: Setup | None
    problem: str
    mine: Growing | None = None
    print: Growing | None = None


class SideBySide:
    """The setup of a state for every number of players, by the players of the target."""

    def __init__(self, live: StudioRows) -> None:
        self.who = live.aimed.name
        self.all = [self._other(live, *one) for one in self._numbers(live.state.setup)]
        self._grown = [one for other in self.all for one in (other.mine, other.print) if one is not None]

    @staticmethod
    def _numbers(setup: Setup) -> list[tuple[int, tuple[str, ...]]]:
        """Numbers of players, each also with the variants that make other teams of them."""
        found = []
        for players in setup.ruleset.players:
            sides: list[Any] = []
            teams: Any
            for variants in (setup.variants, *((*setup.variants, one) for one in setup.ruleset.variants)):
                try:
                    teams = setup.turned({}, players=players, variants=dict.fromkeys(variants)).seats_by_side
                except InputError:
                    teams = {} if variants == setup.variants else None
                if teams is not None and teams not in sides:
                    sides.append(teams)
                    found.append((players, tuple(dict.fromkeys(variants))))
        return found

    def _other(self, live: StudioRows, players: int, variants: tuple[str, ...]) -> OtherPlayers:
        more = [one for one in variants if one not in live.state.setup.variants]
        title = f"{players} {'player' if players == 1 else 'players'}{''.join(f', {one}' for one in more)}"
        try:
            setup = live.state.setup.turned({}, players=players, variants=variants)
            both = (live.same(setup, self.who).alike, live.same(printed(setup), self.who).alike)
        except InputError as fault:
            return OtherPlayers(title, None, str(fault))
        return OtherPlayers(title, setup, "", *both)

    @property
    def _ends(self) -> list[int]:
        return [end for end in SIDE_GAMES if any(one.games < end for one in self._grown)]

    @property
    def done(self) -> bool:
        return not self._ends

    def step(self, stop: Stop) -> bool:
        """Count a little more; false if nothing is left to count."""
        ends = self._ends
        for one in self._grown if ends else ():
            one.play(ends[0], stop)
        return bool(ends)


class TwoRules:
    """Two rules at once: every pair of values near the present ones."""

    def __init__(self, live: StudioRows, rules: Sequence[str]) -> None:
        self.setup = setup = live.state.setup
        self.who = live.aimed.name
        self.rules = tuple(rules)
        self.axes = [near_values(setup.ruleset.knobs[rule], setup) for rule in rules]
        self.cells: dict[tuple[Any, Any], Setup | str] = {}  # by both values; a text says why there is none
        self.index: dict[tuple[Any, Any], int] = {}
        arms: list[Arm] = []
        for values in product(*self.axes):
            try:
                changed = setup.turned(dict(zip(self.rules, values, strict=True)))
                arm = Arm(line_up(changed, self.who))
            except InputError as fault:
                self.cells[_key(values)] = str(fault)
                continue
            self.cells[_key(values)] = changed
            self.index[_key(values)] = len(arms)
            arms.append(arm)
        self.measure = aim_of(setup)
        spec = a_while(setup, MAP_GAMES[-1], live.state.seed, 0, lambda: False)
        self.growing = Sample(Experiment(tuple(arms)), spec)

    @property
    def games(self) -> int:
        """Games of every cell."""
        return min((self.growing.deals(arm) for arm in self.index.values()), default=0)

    @property
    def done(self) -> bool:
        return not self.index or self.games >= MAP_GAMES[-1]

    def step(self, stop: Stop) -> bool:
        """Count all cells to the next number of games; false if nothing is left to count."""
        left = [end for end in MAP_GAMES if end > self.games]
        if self.done:
            return False
        self.growing.spec = a_while(self.setup, MAP_GAMES[-1], self.growing.spec.seed, 0, stop)
        self.growing.play(left[0])
        return True

    def value(self, values: tuple[Any, Any]) -> Estimate | None:
        """What was counted of a cell; None if it has no games."""
        arm = self.index.get(_key(values))
        if arm is None or not self.growing.deals(arm):
            return None
        return estimate(self.growing, arm, self.measure)


def _key(values: Sequence[Any]) -> tuple[Any, Any]:
    return str(values[0]), str(values[1])


def near_values(knob: Knob, setup: Setup) -> list[Any]:
    """The values of a rule that a map shows; none for lists and decks."""
    now = setup.options[knob.name]
    if knob.type == "int":
        low, high = (knob.low if knob.low is not None else 0), (knob.high if knob.high is not None else now + AROUND)
        first = max(low, min(now - AROUND, high - 2 * AROUND))
        return list(range(first, min(high, first + 2 * AROUND) + 1))
    values: dict[str, list[Any]] = {"bool": [False, True], "choice": list(knob.choices)}
    return values.get(knob.type, [])


def can_be_mapped(setup: Setup) -> list[str]:
    """The rules in play that a map can show."""
    knobs = setup.ruleset.knobs.values()
    return [
        knob.name for knob in knobs if knob.in_play(setup.players, setup.options) and len(near_values(knob, setup)) > 1
    ]
