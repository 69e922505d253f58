"""Time budgets of a design: how many games fit into one, and when the search has to end."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from houle.analysis.designing.space import Space
from houle.analysis.limits import DESIGN_SEARCH_GAMES
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import GrowingArms, play_arms
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp, seat

# Shares of the time. Where no target names a player that searches, that share goes to the fast players.
PARTS = {"fast": 0.5, "search": 0.4, "fresh": 0.1}
LEAST = {"fast": 20_000, "search": 20, "fresh": 2_000}
FOR_PILOT = 0.03  # share of the time that measures the speed
PILOT_ARMS, FIRST_PILOT = 24, 40  # changes that are timed, because their games may be longer; first games of each
FORGETS = 0.7  # of a long step, with every step after it
SLOW_SETTINGS = 16  # settings that players who search play, in all


@dataclass
class Clock:
    """Says when a search has to end, and counts its steps, so that it can be repeated without a clock."""

    most: int | None = None  # steps
    end: float | None = None  # the time when everything has to be done
    steps: int = 0
    before: float = 0.0  # the time when the last step began
    usual: float = 0.0  # seconds of the next step, by those of the last ones
    late: bool = False

    @property
    def rules(self) -> bool:
        """Whether steps or time end the search, not the number of games."""
        return self.most is not None or self.end is not None

    def goes_on(self, last: float) -> bool:
        """Whether there is time for another step, if the end of the run takes `last` seconds."""
        now = time.perf_counter()
        self.usual = max(FORGETS * self.usual, now - self.before) if self.steps else 0.0
        self.before = now
        self.late = self.late or (self.end is not None and now + last + self.usual > self.end)
        if self.late or self.steps == self.most:
            return False
        self.steps += 1
        return True


def compile_first(line_ups: Iterable[LineUp], spec: RunSpec) -> float:
    """Compile what these players need; returns the seconds, which are no part of a time budget."""
    start = time.perf_counter()
    for seated in line_ups:
        play_arms([Arm(seated)], spec.but(games=1, progress=None))
    return time.perf_counter() - start


def games_in(seconds: float, paces: Mapping[bool, float], number: int, short_list: int) -> tuple[int, int, int]:
    """Games of fast players in total, games per setting of players that search, fresh games per proposal.

    `paces` are seconds of a game of all line-ups that search, and of all `number` others. `short_list` proposals are
    played again.
    """
    slow, fast, settings = paces[True], paces[False], SLOW_SETTINGS + short_list + 1
    share = PARTS["fast"] + (0.0 if slow else PARTS["search"])
    return (
        max(LEAST["fast"], int(share * seconds / fast * number)),
        max(LEAST["search"], int(PARTS["search"] * seconds / slow / settings)) if slow else DESIGN_SEARCH_GAMES,
        max(LEAST["fresh"], int(PARTS["fresh"] * seconds / fast / (short_list + 1))),
    )


def pace_of(space: Space, seated: LineUp, spec: RunSpec, seconds: float) -> float:
    """Seconds of a game, from about so many seconds of the unchanged rules and some single changes.

    Players that search play only the unchanged rules.
    """
    changes = [] if seated.level > THUMB else space.single_changes[:: -(-len(space.single_changes) // PILOT_ARMS)]
    setups = [space.base, *(space.setup(frozenset({change})) for change in changes)]
    growing = GrowingArms([Arm(seat(setup, seated.strategies)) for setup in setups], spec.but(progress=None), False)
    games = 1 if seated.level > THUMB else FIRST_PILOT
    while growing.seconds < seconds:
        growing.play(range(len(setups)), games)
        games *= 2
    return growing.seconds / growing.done
