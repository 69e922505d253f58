"""Time budgets of a design: how many games fit into one, and when the search has to end."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from houle.analysis.designing.space import Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.limits import DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import play_arms
from houle.solver.errors import InputError
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp, seat

# Shares of the time. Where no target names a player that searches, that share goes to the fast players.
PARTS = {"fast": 0.5, "search": 0.4, "fresh": 0.1}
LEAST = {"fast": 20_000, "search": 20, "fresh": 2_000}
UNITS = {"s": 1, "m": 60, "h": 3600}
PILOT_ARMS, PILOT_GAMES = 24, 40  # changes that are timed, and games of each: changed rules may play longer games
TIME = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([smh])\s*")


def read_seconds(text: str) -> float:
    """`90s`, `10m`, `1h` in seconds."""
    match = TIME.fullmatch(text)
    if match is None:
        raise InputError(f"budget: {text!r} is not allowed; allowed: a time, as 90s, 10m, 1h")
    return float(match[1]) * UNITS[match[2]]


@dataclass
class Clock:
    """Says when a search has to end, and counts its steps, so that it can be repeated without a clock."""

    most: int | None = None  # steps
    end: float | None = None  # the time when everything has to be done
    steps: int = 0
    before: float = 0.0  # the time when the last step began
    longest: float = 0.0  # seconds of a step
    late: bool = False

    def goes_on(self, last: float) -> bool:
        """Whether there is time for another step, if the end of the run takes `last` seconds."""
        now = time.perf_counter()
        self.longest = max(self.longest, now - self.before) if self.steps else 0.0
        self.before = now
        self.late = self.late or (self.end is not None and now + last + self.longest > self.end)
        if self.late or self.steps == self.most:
            return False
        self.steps += 1
        return True


def compile_first(space: Space, wishes: Sequence[Wish], spec: RunSpec) -> float:
    """Compile what the players of some targets need; returns the seconds, which are no part of a time budget."""
    start = time.perf_counter()
    for name in dict.fromkeys(wish.strategies for wish in wishes):
        play_arms([Arm(line_up(space.base, name))], spec.but(games=1, progress=None))
    return time.perf_counter() - start


def games_in(
    seconds: float, space: Space, wishes: Sequence[Wish], spec: RunSpec, short_list: int, settings: int
) -> tuple[int, int, int]:
    """Games of fast players in total, games per setting of players that search, fresh games per proposal.

    `short_list` proposals are played again; `settings` is the number of settings that players who search play.
    """
    line_ups = [line_up(space.base, name) for name in dict.fromkeys(wish.strategies for wish in wishes)]
    paces = [(seated.level > THUMB, _pace(space, seated, spec)) for seated in line_ups]
    slow, fast = (sum(pace for slower, pace in paces if slower is which) for which in (True, False))
    share = PARTS["fast"] + (0.0 if slow else PARTS["search"])
    number = sum(not slower for slower, _ in paces)
    return (
        max(LEAST["fast"], int(share * seconds / fast * number)) if fast else DESIGN_GAMES,
        max(LEAST["search"], int(PARTS["search"] * seconds / slow / settings)) if slow else DESIGN_SEARCH_GAMES,
        max(LEAST["fresh"], int(PARTS["fresh"] * seconds / fast / (short_list + 1))) if fast else DESIGN_FRESH,
    )


def _pace(space: Space, seated: LineUp, spec: RunSpec) -> float:
    """Seconds of a game, over the unchanged rules and some single changes; only the former if players search."""
    searches = seated.level > THUMB
    changes = [] if searches else space.single_changes[:: -(-len(space.single_changes) // PILOT_ARMS)]
    setups = [space.base, *(space.setup(frozenset({change})) for change in changes)]
    arms = [Arm(seat(setup, seated.strategies)) for setup in setups]
    played = play_arms(arms, spec.but(games=2 if searches else PILOT_GAMES, progress=None), pairs=False)
    return played.seconds / played.games
