"""The answers of the studio, counted while one watches: a setup and its printed rules on the same deals.

Fast players are counted first, in rounds: every row gets its first games before any row gets more. Players that plan
ahead follow. What was counted before is remembered, so a setting that was seen before is shown at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from houle.analysis.comparison.effects import Effect, effects
from houle.analysis.designing.space import make_space
from houle.analysis.kept import Kept
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.named_players import named_player
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.width import FIRST_LOOK
from houle.analysis.studio.growing_results import Growing, GrowingRotation, Stop, ends_of
from houle.analysis.studio.state import State, people, searchers
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Knob, Setup, printed

MOST_REMEMBERED = 600  # results of one kind of player
MOST_GAMES, MOST_SEARCHED = 64_000, 128  # of one row
SURE, SURE_AMONG, SURE_SEARCHED = 1.0, 2.0, 7.0  # percentage points: a row with a narrower interval is settled

Grown = Growing | GrowingRotation
MORE, LESS, OPEN = "more", "less", "open"


class CountedRows(Kept[tuple[str, ...], Grown]):
    """What was counted, by rules, players and seed."""

    def __init__(self) -> None:
        super().__init__(MOST_REMEMBERED)


@dataclass(frozen=True)
class StudioRow:
    """One kind of player: with these rules and with the printed ones."""

    name: str
    mine: Grown
    print: Grown
    searches: bool

    @property
    def both(self) -> tuple[Grown, ...]:
        return (self.mine,) if self.mine is self.print else (self.mine, self.print)

    @property
    def people(self) -> str:
        """`families`, `regular players`, or the name of a group."""
        player = named_player(self.name)
        return player.who.partition(",")[0] if player else self.name

    @property
    def compared(self) -> str:
        """Whether players certainly win more or less than under the printed rules."""
        mine, before = self.mine.win(), self.print.win()
        return MORE if mine.low > before.high else LESS if mine.high < before.low else OPEN

    @property
    def settled(self) -> bool:
        return all(settled(one) for one in self.both)


def sure(one: Grown) -> float:
    """The half-width in percentage points at which a row is settled; a rotated game costs as much as its seats."""
    return SURE_SEARCHED if one.searches else SURE if isinstance(one, Growing) else SURE_AMONG


def settled(one: Grown) -> bool:
    return one.games > 0 and 100 * one.win().half <= sure(one)


def finished(one: Grown) -> bool:
    """Whether a row gets no more games."""
    if one.searches:
        return one.games >= MOST_SEARCHED or settled(one)
    return one.games >= MOST_GAMES or (one.games >= FIRST_LOOK and 100 * one.win().half <= sure(one) / 2)


class StudioRows:
    """The rows of one state."""

    def __init__(self, state: State, memory: CountedRows) -> None:
        self.state, self.memory = state, memory
        self.before = printed(state.setup)
        self.one_sided = state.setup.one_sided

    def _same(self, setup: Setup, player: str) -> Grown:
        """All seats play alike."""
        seed = self.state.seed
        return self.memory.get((setup.digest, player, str(seed)), lambda: Growing(setup, player, seed))

    def _among(self, setup: Setup, player: str) -> Grown:
        """One player among others of the kind that the state shows."""
        seed, who = self.state.seed, self.state.who
        return self.memory.get((setup.digest, player, who, str(seed)),
                               lambda: GrowingRotation(setup, player, who, seed))  # fmt: skip

    def _row(self, name: str, searches: bool) -> StudioRow:
        alike = self.one_sided or name == self.state.who
        make = self._same if alike else self._among
        return StudioRow(name, make(self.state.setup, name), make(self.before, name), searches)

    @cached_property
    def rows(self) -> list[StudioRow]:
        """Everybody, from the weakest. In a game of rivals: one such player among players like `who`."""
        setup = self.state.setup
        return [
            *(self._row(name, False) for name in people(setup)),
            *(self._row(name, True) for name in searchers(setup)),
        ]

    @cached_property
    def main(self) -> StudioRow:
        """The kind of player that the state shows in detail; in a game of rivals all seats play like it."""
        return next(row for row in self.rows if row.name == self.state.who)

    @property
    def aimed(self) -> StudioRow:
        """The kind of player that the target is for."""
        return next((row for row in self.rows if row.name == self.state.target.who), self.main)

    def next(self) -> tuple[Grown, int] | None:
        """What to count next, and up to how many games; None if everything is finished."""
        fast = [one for row in self._order() if not row.searches for one in row.both if not finished(one)]
        slow = [one for row in self.rows if row.searches for one in row.both if not finished(one)]
        if not JIT:  # searches wait for the compiler
            fast, slow = [one for one in fast if not one.searches], []
        unsure = [one for one in fast if not settled(one)]
        for some in (unsure, slow, fast):
            if some:
                one = min(some, key=lambda one: one.games)
                return one, next(end for end in ends_of(one.searches) if end > one.games)
        return None

    def _order(self) -> list[StudioRow]:
        return [self.main, *(row for row in self.rows if row is not self.main)]

    def step(self, stop: Stop) -> bool:
        """Count a little more; false if nothing is left to count."""
        todo = self.next()
        if todo is not None:
            todo[0].play(todo[1], stop)
        return todo is not None

    @property
    def counted(self) -> bool:
        """Whether every fast row has its first games."""
        return all(one.games or (one.searches and not JIT) for row in self.rows if not row.searches for one in row.both)

    @property
    def settled(self) -> bool:
        return all(row.settled for row in self.rows if not row.searches)

    def seconds_left(self, row: StudioRow) -> float | None:
        """How long a row that searches will take, by its speed so far; None if that is not known yet."""
        left, known = 0.0, [one for one in row.both if one.games]
        if not known:
            return None
        for one in row.both:
            if not finished(one):
                rate = (one if one.games else known[0]).seconds / (one if one.games else known[0]).games
                half = 100 * one.win().half if one.games else 50.0
                needed = min(MOST_SEARCHED, max(one.games + 1.0, one.games * (half / SURE_SEARCHED) ** 2))
                left += rate * (needed - one.games)
        return left

    @property
    def target_hit(self) -> str:
        """Whether the target is reached: `inside`, `outside`, or `open` while that is not known."""
        state = self.state
        if self.one_sided:
            win = self.aimed.mine.win()
            return place_in(win, state.target.low / 100, state.target.high / 100)
        sides = [self.main.mine.win(side) for side in range(len(self.seats))]
        fair, most = 1 / max(1, len(sides)), state.target.high / 100
        places = [place_in(win, fair - most, fair + most) for win in sides]
        return "outside" if "outside" in places else "inside" if all(one == "inside" for one in places) else OPEN

    @cached_property
    def seats(self) -> list[str]:
        """The names of the sides."""
        setup = self.state.setup
        return [name for name, _ in setup.game.side_names(setup)]


def place_in(win: Estimate, low: float, high: float) -> str:
    """Whether an interval lies in a range."""
    if win.high < low or win.low > high:
        return "outside"
    return "inside" if low <= win.low and win.high <= high else OPEN


GAMES, AGAIN = 200, 1_000  # of each change, and of the strongest of each knob
LISTED = 6  # entries of a list that are tried


def knob_effects(setup: Setup, strategies: str, seed: int = 1) -> dict[str, Effect]:
    """The effect of every knob of a setup that can be turned, by the step that does most, measured on fresh games."""
    seated = line_up(setup, strategies)
    measures = ("win", "length") if setup.one_sided else ("first-seat", "length")
    knobs = [knob for knob in setup.ruleset.knobs.values() if knob.in_force(setup.options)]
    tried = [(knob.name, arm) for knob in knobs for arm in _steps(seated, knob)]
    first = effects(Arm(seated), [arm for _, arm in tried], measures, RunSpec(GAMES, seed))
    strongest: dict[str, Effect] = {}
    for (name, _), one in zip(tried, first.rows, strict=True):
        if name not in strongest or (not one.idle, one.size) > (not strongest[name].idle, strongest[name].size):
            strongest[name] = one
    again = effects(Arm(seated), [one.arm for one in strongest.values()], measures, RunSpec(AGAIN, seed, GAMES))
    return {
        name: replace(fresh, idle=one.idle and fresh.idle)
        for (name, one), fresh in zip(strongest.items(), again.rows, strict=True)
    }


def _steps(seated: LineUp, knob: Knob) -> list[Arm]:
    """The nearest other values of a knob; some entries of a list."""
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
