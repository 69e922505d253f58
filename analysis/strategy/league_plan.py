"""What a league plays: every two strategies in every mix of seats, in every seating, on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from houle.analysis.limits import MOST_GAMES, check_int
from houle.analysis.sampling.lineups import Strategies, as_setup, names_of
from houle.analysis.sampling.players import playable
from houle.analysis.sampling.same_deals import Arm, SharedDeals
from houle.analysis.strategy.strength import LEAST_DEALS
from houle.solver.errors import RulesError, StrategyError
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import KINDS, THUMB, Strategy
from houle.solver.strategies.player import LineUp

MOST_PLAYERS = 8
SAMPLE, SEARCHED_SAMPLE = 20, 1  # deals played to predict how long a part takes


@dataclass(frozen=True)
class Part(SharedDeals):
    """Mixes that are played on the same deals: two arms each, one per strategy."""

    keys: list[tuple[int, int, int]]  # one, other, number of the first

    @property
    def sample(self) -> int:
        """Deals played to predict how long it takes."""
        return SEARCHED_SAMPLE if any(line_up.level > THUMB for line_up, _ in self.arms[0]) else SAMPLE


def seatings(setup: Setup, one: Strategy, other: Strategy, number: int) -> tuple[Arm, Arm]:
    """Every seating of `number` sides of one strategy among the other: one arm for each strategy."""
    seats = setup.seats_by_side
    mine: list[tuple[LineUp, int]] = []
    theirs: list[tuple[LineUp, int]] = []
    for sides in combinations(seats, number):
        own = {seat for side in sides for seat in seats[side]}
        line_up = LineUp(setup, tuple(one if seat in own else other for seat in range(setup.players)))
        mine += [(line_up, side) for side in sides]
        theirs += [(line_up, side) for side in seats if side not in sides]
    return mine, theirs


def players_of(setup: Setup, strategies: Strategies) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """The players of a league, and why others are left out."""
    if setup.one_sided:
        raise RulesError(f"league: nobody competes in this setup of {setup.ruleset.name}; see houle strength")
    players, left_out = playable(setup, dict.fromkeys(names_of(strategies)))
    if not 2 <= len(players) <= MOST_PLAYERS:
        why = "".join(f"; {name}: {reason}" for name, reason in left_out)
        raise StrategyError(f"league: {len(players)} players; allowed: 2 to {MOST_PLAYERS} different ones{why}")
    return players, left_out


def parts_of_league(setup: Setup | str, strategies: Strategies, games: int, search_games: int) -> list[Part]:
    """What `league` would play."""
    setup = as_setup(setup)
    parts = plan_league(setup, players_of(setup, strategies)[0], games, search_games)
    return [part for part in parts if part.arms]


def plan_league(setup: Setup, players: Sequence[Strategy], deals: int, search_deals: int) -> tuple[Part, Part]:
    """Every mix of every two strategies; those with a search on fewer deals."""
    check_int("games", deals, LEAST_DEALS, MOST_GAMES)
    check_int("search_games", search_deals, LEAST_DEALS, MOST_GAMES)
    quick = Part([], deals, "rules of thumb", [])
    searching = Part([], min(deals, search_deals), "search", [])
    for (i, one), (j, other) in combinations(enumerate(players), 2):
        part = searching if max(KINDS[one.name], KINDS[other.name]) > THUMB else quick
        for number in range(1, len(setup.seats_by_side)):
            part.keys.append((i, j, number))
            part.arms.extend(seatings(setup, one, other, number))
    return quick, searching
