"""A warning where a search plays worse than the rules of thumb it imagines.

With few worlds, many moves and long games a search follows chance. Its numbers must not be read as those of an expert.
More worlds help, and so does caution, which `houle tune GAME --search` finds.
"""

from __future__ import annotations

from houle.analysis.stats.estimate import Estimate
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import FLAT, ISMCTS, KINDS, parse

SEARCHES = (FLAT, ISMCTS)


def doubt(setup: Setup, strategy: str, below: str, more_wins: Estimate | None, more_score: Estimate | None) -> str:
    """A warning sentence if a search is certainly worse than a player that does not search, else an empty string.

    `more_wins` and `more_score` are what the search gets more than that player, on the same deals.
    """
    if not below or KINDS[parse(strategy).name] not in SEARCHES or KINDS[parse(below).name] in SEARCHES:
        return ""
    fewer = more_wins is not None and more_wins.high < 0
    lower = setup.ruleset.lower_is_better
    worse = more_score is not None and (more_score.low > 0 if lower else more_score.high < 0)
    if not fewer and not worse:
        return ""
    parts = []
    if fewer and more_wins is not None:
        low, high = (f"{-100 * end:.1f}" for end in (more_wins.high, more_wins.low))
        parts.append(f"it wins {-100 * more_wins.value:.1f} points less ({low} to {high})")
    if worse and more_score is not None:
        low, high = (f"{end:+.1f}" for end in (more_score.low, more_score.high))
        parts.append(f"its {setup.score.replace('_', ' ')} is {more_score.value:+.1f} ({low} to {high})")
    return (
        f"{strategy} is weaker than {below} here: {', and '.join(parts)}. Give it more worlds, or make it more "
        f"cautious: houle tune {setup.ruleset.name} --search {strategy}"
    )
