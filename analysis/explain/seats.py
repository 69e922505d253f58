"""Whether the seats are fair, in one sentence. A part of `balance`, which `simulate` and the studio show too."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.blocks import Block, seat_words, text
from houle.analysis.players.named_players import seated_players
from houle.analysis.stats.seat_gap import FAIR, UNEVEN, UNFAIR, SeatGap
from houle.solver.rules import Setup

MANY = 5  # with more seats than these a margin in points is beside a small share, which is said


def fairness(gap: SeatGap, setup: Setup, strategies: Sequence[str], margin: float) -> Block:
    """Whether the sides of a setup win equally often, as far as the games tell."""
    sides = setup.game.side_names(setup)
    values = {
        "kind": "seat" if all(len(seats) == 1 for _, seats in sides) else "team",
        "who": seated_players(strategies),
        "more": gap.interval,
    }
    pair = {"best": seat_words(sides[gap.best][0]), "worst": seat_words(sides[gap.worst][0])}
    share = f", of an equal share of {100 / len(sides):.3g}%" if len(sides) > MANY else ""
    counts, tell = {"points": f"{100 * margin:g}", "share": share}, {"games": gap.games_needed(margin)}
    if len(set(strategies)) > 1:  # no judgement of the seats alone
        if gap.interval.low > 0:
            return text(
                "the {kind}s or their players make a difference: between {who} {best} wins {more} more than {worst}",
                **values,
                **pair,
            )
        return text(
            "not known yet whether the {kind}s or their players make a difference: between {who} the best {kind} "
            "wins {more} more than the worst",
            **values,
        )
    verdict = gap.verdict(margin)
    if verdict == FAIR:
        return text(
            "the {kind}s are fair: between {who} the best {kind} wins {more} more than the worst (up to {points} "
            "counts as fair{share})",
            **values,
            **counts,
        )
    if verdict == UNFAIR:
        return text(
            "the {kind}s are not fair: between {who} {best} wins {more} more than {worst} (up to {points} counts as "
            "fair{share})",
            **values,
            **pair,
            **counts,
        )
    if verdict == UNEVEN:
        return text(
            "the {kind}s differ; whether by more than {points} points{share} these games do not say: between {who} the "
            "best {kind} wins {more} more than the worst. About {games} games would tell.",
            **values,
            **tell,
            **(counts | {"share": f"{share}," if share else ""}),
        )
    return text(
        "not known yet whether the {kind}s are fair: between {who} the best {kind} wins {more} more than the worst (up "
        "to {points} counts as fair{share}). About {games} games would tell.",
        **values,
        **counts,
        **tell,
    )
