"""`houle strength`: how much more often each player wins than the next weaker one, on the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import STRENGTH_GAMES, STRENGTH_SEARCH_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import search_games_option

if TYPE_CHECKING:
    from houle import Strength
    from houle.analysis.strategy.strength import StrengthPlan


@analysis_command(
    games=STRENGTH_GAMES, least=2, unit="deals", strategies="Players to compare, weakest first (default: all).",
    dry_run=True,
)  # fmt: skip
@search_games_option(STRENGTH_SEARCH_GAMES, least=2)
def strength(call: Call, search_games: int) -> None:
    """Rank players by how much more often each wins.

    All players play the same deals. In competitive games one player sits among players of the next weaker kind, in each
    seat in turn.

    \b
    Examples:
      houle strength wave -p 3
      houle strength wave -v nazare -s random,thumb,flat:100 -n 2000 --search-games 200
    """
    from houle.analysis.strategy.strength import plan_strength

    if call.dry_run:
        plan = plan_strength(call.setup, strategies=call.strategies, games=call.games, search_games=search_games)
        click.echo("\n".join(plan_lines(plan, plan.expected_seconds(call.seed, call.threads))))
        return
    result = call.play(houle.strength, call.setup, search_games=search_games)
    call.show(result, page(result), text.short_head(result.setup))


def page(result: Strength) -> list[str]:
    """A row per player, and which players are left out."""
    from houle.analysis.sampling.players import shown_player

    score = result.setup.score
    left_out = [text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out]
    rows = []
    for matchup in result.matchups:
        row = [
            shown_player(matchup.strategy),
            f"{matchup.win.n:,}" if matchup.win else "",
            text.shown(matchup.win, True),
            text.shown(matchup.score),
        ]
        row.insert(3, text.points(matchup.gain))
        if result.fair is None:
            row.append(text.shown(matchup.score_gain))
        else:
            row.insert(1, shown_player(matchup.below) if matchup.below else "")
        rows.append(row)
    if result.fair is None:
        heads = ["player", "deals", "wins", "points more", score, f"{score} more"]
        lines = [*fitting_tables(heads, rows, 1), "", "More: than the player in the row above."]
    else:
        heads = ["player", "against", "deals", "wins", "points more", score]
        lines = [*fitting_tables(heads, rows, 2), "", text.paragraph(from_every_seat(result.fair), 0, 0)]
    doubts = [text.paragraph(f"note     {line}", 0, 9) for line in result.doubts]
    return [*lines, *([""] if left_out or doubts else []), *doubts, *left_out]


def from_every_seat(fair: float) -> str:
    """How to read wins in games where players compete."""
    return (
        f'One such player among players of the kind named under "against", in each seat in turn. Points more: than a '
        f"fair share ({100 * fair:.1f}%) of the games that somebody wins."
    )


def fitting_tables(heads: list[str], rows: list[list[str]], deals: int) -> list[str]:
    """One table, or two if it is too wide for the window: wins, then scores. `deals` is the index of that column."""
    whole = text.columns(heads, rows, right=(deals,))
    if max(map(len, whole.splitlines())) <= text.window():
        return [whole]
    first = deals + 3  # deals, wins, points more; scores follow
    parts = [[*range(first)], [0, *range(first, len(heads))]]
    wins, scores = ([heads[i] for i in part] for part in parts)
    halves = [[[row[i] for i in part] for row in rows] for part in parts]
    return [text.columns(wins, halves[0], right=(deals,)), "", text.columns(scores, halves[1])]


def plan_lines(plan: StrengthPlan, seconds: float) -> list[str]:
    """What --dry-run prints."""
    from houle.analysis.sampling.players import shown_player

    parts = [part for part in plan.parts if part.arms]
    return [
        text.setup_line(plan.setup),
        *(f"{part.name}: {part.deals:,} deals, {text.plural(part.games, 'game')}" for part in parts),
        "players: " + ", ".join(shown_player(matchup.text) for matchup in plan.strategies),
        *(f"left out {name}: {why}" for name, why in plan.left_out),
        f"{text.plural(plan.games, 'game')} in all, about {text.duration(seconds)}",
    ]
