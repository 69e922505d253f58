"""A warning where a search plays worse than the rules of thumb it imagines.

With few worlds, many moves and long games a search follows chance. Its numbers must not be read as those of an expert.
More worlds help, and so does caution, which `houle tune GAME --search` finds.
"""

from __future__ import annotations

from houle.analysis.players.read_players import read_strategy
from houle.analysis.stats.estimate import Estimate
from houle.solver.players.names import FLAT, ISMCTS, KINDS
from houle.solver.rules import Setup

SEARCHES = (FLAT, ISMCTS)


def _searches(strategy: str, setup: Setup) -> bool:
    return KINDS[read_strategy(strategy, setup).name] in SEARCHES


def doubt(setup: Setup, strategy: str, below: str, more_wins: Estimate | None, more_score: Estimate | None) -> str:
    """A warning sentence if a search is certainly worse than a player that does not search, else an empty string.

    `more_wins` and `more_score` are what the search gets more than that player, on the same deals.
    """
    if not below or not _searches(strategy, setup) or _searches(below, setup):
        return ""
    fewer = more_wins is not None and more_wins.high < 0
    lower = setup.ruleset.lower_is_better
    worse = more_score is not None and (more_score.low > 0 if lower else more_score.high < 0)
    if not fewer and not worse:
        return ""
    parts = [f"its wins differ by {more_wins.text()}"] if fewer and more_wins is not None else []
    if worse and more_score is not None:
        parts.append(f"its {setup.score.replace('_', ' ')} differs by {more_score.text()}")
    return (
        f"{strategy} is weaker than {below} here: {', and '.join(parts)}. Give it more worlds, or make it more "
        f"cautious: houle tune {setup.ruleset.name} --search {strategy}"
    )
