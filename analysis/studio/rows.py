"""The answers of the studio, counted while one watches: a setup and its printed rules on the same deals.

Every row of people gets its first games before any row gets more. Then the target's row is counted until it is known,
then the row that is known least. Players that plan ahead follow. What was counted before is remembered, so a setting
seen before is shown at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from houle.analysis.kept import Kept
from houle.analysis.measures.goal import Goal
from houle.analysis.players.named_players import named_player
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.seat_gap import FAIR, UNFAIR, SeatGap, competes_evenly
from houle.analysis.studio.growing_results import (
    PEOPLE,
    PLANNING,
    SEATS,
    Growing,
    GrowingAmong,
    Pace,
    Played,
    Stop,
    difference,
    finished,
    on_same_deals,
    settled,
)
from houle.analysis.studio.state import State, people, searchers
from houle.solver.rules import Setup, printed

MOST_REMEMBERED = 600  # results of one kind of player
MORE, LESS, OPEN = "more", "less", "open"


class CountedRows(Kept[tuple[str, ...], Played]):
    """What was counted, by rules, players and seed. Players that plan ahead wait until their game `may_search`."""

    def __init__(self, may_search: Callable[[str], bool] = lambda game: True) -> None:
        super().__init__(MOST_REMEMBERED)
        self.may_search = may_search


@dataclass(frozen=True)
class StudioRow:
    """One kind of player, with these rules and with the printed ones."""

    name: str
    pair: tuple[Played, Played]  # (mine, print): all games; those that are shown are `mine` and `print`
    searches: bool

    @property
    def _compared(self) -> tuple[Played, Played]:
        """The games of these rules and of the printed ones, on the deals that both have played."""
        return on_same_deals(*self.pair) if self.changed else self.pair

    @property
    def mine(self) -> Played:
        return self._compared[0]

    @property
    def print(self) -> Played:
        return self._compared[1]

    def both(self) -> list[Played]:
        """What is counted."""
        return list(dict.fromkeys(self.pair))

    def behind(self) -> list[Played]:
        """What has played too few deals, because numbers are shown for the deals that both rules have played.

        That is the printed rules if they have played fewer, and these rules while print is not known well on theirs.
        """
        mine, before = self.pair
        if 0 < before.games < mine.games:
            return [before]
        hidden = 0 < mine.games < before.games and on_same_deals(mine, before)[1].half > mine.pace.sure
        return [mine] if hidden else []

    @property
    def changed(self) -> bool:
        return self.pair[0] is not self.pair[1]

    @property
    def counted(self) -> bool:
        return self.mine.games > 0 and self.print.games > 0

    @property
    def people(self) -> str:
        """`families`, `regular players`."""
        player = named_player(self.name)
        return player.who.partition(",")[0] if player else self.name

    @property
    def difference(self) -> Estimate:
        """By how much players reach more than under the printed rules."""
        return difference(self.mine, self.print)

    @property
    def compared(self) -> str:
        """Whether players certainly win more or less than under the printed rules."""
        one = self.difference
        return OPEN if not one.differs else MORE if one.value > 0 else LESS

    @property
    def settled(self) -> bool:
        return all(map(settled, self._compared))

    @property
    def known(self) -> bool:
        """Whether what is shown is known to two percentage points, or of scores to a tenth of their spread."""
        return self.counted and max(one.half for one in self._compared) <= PEOPLE.sure


class StudioRows:
    """The rows of one state."""

    def __init__(self, state: State, memory: CountedRows) -> None:
        self.state, self.memory = state, memory
        self.before = printed(state.setup)
        self.one_sided, self.goal = state.setup.one_sided, Goal(state.setup)

    def _same(self, setup: Setup, player: str, pace: Pace = PEOPLE) -> Played:
        """Games in which all seats play alike."""
        seed = self.state.seed
        return self.memory.get((setup.digest, player, str(seed)), lambda: Growing(setup, player, seed, pace))

    def _among(self, setup: Setup, player: str, pace: Pace = PEOPLE) -> Played:
        """One player among others of the kind that the state shows."""
        seed, who = self.state.seed, self.state.who
        return self.memory.get(
            (setup.digest, player, who, str(seed)), lambda: GrowingAmong(setup, player, who, seed, pace=pace)
        )

    def _row(self, name: str, searches: bool) -> StudioRow:
        seats = not self.one_sided and name == self.state.who
        make = self._same if self.one_sided or seats else self._among
        pace = PLANNING if searches else SEATS if seats and competes_evenly(self.state.setup) else PEOPLE
        return StudioRow(name, (make(self.state.setup, name, pace), make(self.before, name, pace)), searches)

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
        """The kind of player that the target is for; in a game of rivals all seats play like it."""
        if not self.one_sided:
            return self.main
        return next((row for row in self.rows if row.name == self.state.target.who), self.main)

    @cached_property
    def _order(self) -> list[StudioRow]:
        """People: those of the target first, then those that are shown in detail."""
        first = list(dict.fromkeys([self.aimed.name, self.main.name]))
        fast = [row for row in self.rows if not row.searches]
        return sorted(fast, key=lambda row: first.index(row.name) if row.name in first else len(first))

    def next(self) -> tuple[Played, int] | None:
        """What to count next, and up to how many games; None if everything is finished."""
        people = [one for row in self._order for one in row.both()]
        slow = [one for row in self.rows if row.searches and self.may_search for one in row.both()]
        behind = [one for row in self.rows for one in row.behind()]
        for some in ([one for one in people if not one.games], self._unknown, people, slow):
            if left := [one for one in some if not finished(one) or one in behind]:
                one = max(left, key=lambda one: one.half)
                return one, next(end for end in one.pace.ends if end > one.games)
        return None

    @property
    def may_search(self) -> bool:
        """Whether players that plan ahead can be counted yet."""
        return self.memory.may_search(self.state.setup.ruleset.name)

    @property
    def _unknown(self) -> list[Played]:
        """What is not known yet of the row of the target."""
        return [one for one in self.aimed.both() if not finished(one)] or self.aimed.behind()

    @property
    def known(self) -> bool:
        """Whether the row of the target is known well enough to count other things too."""
        return self.first_counted and not self._unknown

    def step(self, stop: Stop) -> bool:
        """Count a little more; false if nothing is left to count."""
        todo = self.next()
        if todo is not None:
            todo[0].play(todo[1], stop)
        return todo is not None

    @property
    def first_counted(self) -> bool:
        """Whether the people of the target and those shown in detail have their first games."""
        return self.aimed.counted and self.main.counted

    @property
    def counted(self) -> bool:
        """Whether all people have their first games."""
        return all(row.counted for row in self.rows if not row.searches)

    @property
    def settled(self) -> bool:
        return all(row.settled for row in self.rows if not row.searches)

    def seconds_left(self, row: StudioRow) -> float | None:
        """How long a row that searches will take, by its speed so far; None if that is not known yet."""
        left, known = 0.0, [one for one in row.both() if one.games]
        if not known:
            return None
        for one in row.both():
            if not finished(one):
                rate = (one if one.games else known[0]).seconds / (one if one.games else known[0]).games
                half = one.half if one.games else 50.0
                needed = min(one.pace.ends[-1], max(one.games + 1.0, one.games * (half / one.pace.sure) ** 2))
                left += rate * (needed - one.games)
        return left

    @property
    def target_hit(self) -> str:
        """Whether the target is reached: `inside`, `outside`, or `open` while that is not known."""
        if self.gap is not None:
            return {FAIR: "inside", UNFAIR: "outside"}.get(self.gap.verdict(self.state.target.high / 100), OPEN)
        rates = [self.aimed.mine.rate()] if self.one_sided else self.seat_wins
        places = [place_in(one, *self.band(self.fair)) for one in rates]
        return "outside" if "outside" in places else "inside" if all(one == "inside" for one in places) else OPEN

    def band(self, fair: float) -> tuple[float, float]:
        """The ends of the target on the scale of rates; seats around an equal share are at most the target apart."""
        target = self.state.target
        if not self.one_sided:
            return fair - target.high / 200, fair + target.high / 200
        return (target.low, target.high) if self.goal.is_score else (target.low / 100, target.high / 100)

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The ends of the scale of rates: all shares of wins, or all scores with these rules and in print."""
        ends = [Goal(setup).ends for setup in (self.state.setup, self.before)]
        return float(min(low for low, _ in ends)), float(max(high for _, high in ends))

    @cached_property
    def seats(self) -> list[str]:
        """The names of the sides."""
        setup = self.state.setup
        return [name for name, _ in setup.game.side_names(setup)]

    @property
    def fair(self) -> float:
        """An equal share of the wins."""
        return 1 / max(1, len(self.seats))

    @property
    def gap(self) -> SeatGap | None:
        """How many more of the games the best seat wins than the worst; None where sides cannot be compared."""
        return None if self.main.mine.alike is None else self.main.mine.alike.gap

    @property
    def seat_wins(self) -> list[Estimate]:
        return [self.main.mine.rate(side) for side in range(len(self.seats))]


def place_in(win: Estimate, low: float, high: float) -> str:
    """Whether an interval lies in a range."""
    if win.high < low or win.low > high:
        return "outside"
    return "inside" if low <= win.low and win.high <= high else OPEN
