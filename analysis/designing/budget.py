"""How many games fit into a time budget, measured on a few games of each player."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.designing.search import SHORT_LIST, SLOW_SETTINGS, searches
from houle.analysis.designing.wishes import read_wishes
from houle.analysis.limits import DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.plan import play_pilot
from houle.solver.rules import Setup
from houle.solver.run import default_threads

# Shares of the time. Where no target names a player that searches, that share goes to the fast players.
PARTS = {"fast": 0.5, "search": 0.4, "fresh": 0.1}
LEAST = {"fast": 20_000, "search": 50, "fresh": 2_000}


def games_in(
    setup: Setup, targets: Sequence[str], seconds: float, seed: int, threads: int | None = None
) -> tuple[int, int, int]:
    """Games of fast players in total, games per setting of players that search, fresh games per proposal."""
    workers = threads or default_threads()
    names = dict.fromkeys(wish.strategies for wish in read_wishes(setup, targets))
    line_ups = [line_up(setup, name) for name in names]
    rates = [(searches(seated), play_pilot(seated, seed, 10_000).rate * workers) for seated in line_ups]
    slow = [rate for slower, rate in rates if slower]
    fast = [rate for slower, rate in rates if not slower]
    share = PARTS["fast"] + (0.0 if slow else PARTS["search"])
    games = int(share * seconds / sum(1 / rate for rate in fast) * len(fast)) if fast else DESIGN_GAMES
    fresh = int(PARTS["fresh"] * seconds / sum(1 / rate for rate in fast) / (SHORT_LIST + 1)) if fast else DESIGN_FRESH
    settings = SLOW_SETTINGS + SHORT_LIST + 1
    search = int(PARTS["search"] * seconds / sum(1 / rate for rate in slow) / settings) if slow else DESIGN_SEARCH_GAMES
    return max(games, LEAST["fast"]), max(search, LEAST["search"]), max(fresh, LEAST["fresh"])
