"""Whether the seats are fair, in one sentence. A part of `balance`, which `simulate` and the studio show too."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.blocks import Block, seat_words, text
from houle.analysis.players.named_players import seated_players
from houle.analysis.stats.seat_gap import FAIR, UNEVEN, UNFAIR, UNKNOWN, SeatGap
from houle.solver.rules import Setup

MANY = 5  # with more seats than these a margin in points is beside a small share, which is said


def fairness(gap: SeatGap, setup: Setup, strategies: Sequence[str], margin: float) -> Block:
    """Whether the sides of a setup win equally often, as far as the games tell."""
    sides = setup.game.side_names(setup)
    kind = "seat" if all(len(seats) == 1 for _, seats in sides) else "team"
    share = f", of an equal share of {100 / len(sides):.3g}%" if len(sides) > MANY else ""
    values = {
        "who": seated_players(strategies),
        "more": gap.interval,
        "best": seat_words(sides[gap.best][0]),
        "worst": seat_words(sides[gap.worst][0]),
        "games": gap.games_needed(margin),
    }
    words = _words(gap, kind, share, margin, alike=len(set(strategies)) == 1)
    return text(words, **{name: value for name, value in values.items() if f"{{{name}}}" in words})


def _words(gap: SeatGap, kind: str, share: str, margin: float, alike: bool) -> str:
    points = f"{100 * margin:g}"
    counts, tell = f"(up to {points} counts as fair{share})", "About {games} games would tell."
    open_ = f"{share}," if share else ""
    extremes = f"between {{who}} the best {kind} wins {{more}} more than the worst"
    pair = "between {who} {best} wins {more} more than {worst}"
    if not alike:  # no judgement of the seats alone
        cause = f"the {kind}s or their players make a difference"
        return f"{cause}: {pair}" if gap.interval.low > 0 else f"not known yet whether {cause}: {extremes}"
    return {
        FAIR: f"the {kind}s are fair: {extremes} {counts}",
        UNFAIR: f"the {kind}s are not fair: {pair} {counts}",
        UNEVEN: f"the {kind}s differ; whether by more than {points} points{open_} these games do not say: {extremes}. "
        f"{tell}",
        UNKNOWN: f"not known yet whether the {kind}s are fair: {extremes} {counts}. {tell}",
    }[gap.verdict(margin)]
