"""What games did that a designer should hear of: ends without a winner, ends before the first move, open proofs.

Such things are properties of the rules, so they are told beside the numbers and never stop a run.
"""

from __future__ import annotations

from houle.analysis.arms import Played
from houle.analysis.estimates import Interval, draw_rate, wilson
from houle.solver.ruleset import Setup
from houle.solver.tally import Tally


def _percent(found: Interval) -> str:
    return f"{100 * found.value:.3g}% ({100 * found.low:.3g} to {100 * found.high:.3g})"


def findings(setup: Setup, tally: Tally) -> list[str]:
    """Sentences about one arm; none where nothing strange happened."""
    found = []
    if tally.draws:
        limit = setup.options.get("max_turns")
        when = f" when the turn limit of {limit} is reached" if limit else ""
        found.append(f"{_percent(draw_rate(tally))} of the games have no winner{when}")
    if tally.unresolved:
        open_games = wilson(tally.unresolved / tally.games, tally.games)
        found.append(f"{_percent(open_games)} of the deals are neither proven winnable nor unwinnable within the limit")
    dead = _dead_deals(setup, tally)
    if dead:
        share = wilson(dead / tally.games, tally.games)
        found.append(f"{_percent(share)} of the deals are over before the first card: nobody can move")
    return found


def _dead_deals(setup: Setup, tally: Tally) -> int:
    """Games of which the whole deck but the start card is left."""
    if setup.score != "cards_left":
        return 0
    return tally.scores(0).get(int(setup.rules[0].wave) - 1, 0)


def all_findings(played: Played) -> list[tuple[str, str]]:
    """(arm, finding) for every arm."""
    return [
        (arm.label, line)
        for i, arm in enumerate(played.arms)
        if played.tally(i).games
        for line in findings(arm.setup, played.tally(i))
    ]
