"""`houle strength`: how much more often each player wins than the next weaker one, on the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.analysis.limits import STRENGTH_GAMES, STRENGTH_SEARCH_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import search_games_option

if TYPE_CHECKING:
    from houle import Strength


@analysis_command(
    games=STRENGTH_GAMES, least=2, unit="deals", strategies="Players to compare, weakest first (default: all).",
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
    result = call.play(houle.strength, call.setup, search_games=search_games)
    call.show(result, page(result), text.short_head(result.setup))


def page(result: Strength) -> list[str]:
    """A row per player, and which players are left out."""
    wins, score = goal_columns(result), result.setup.score
    scores: text.Picks = [(score, "score"), *([(f"{score} more", "score_gain")] if result.fair is None else [])]
    scores = [] if result.goal.is_score else scores
    whole = text.table(result.matchups, [*wins, *scores])
    if max(map(len, whole.splitlines())) > text.window():  # two tables that fit
        whole = "\n\n".join(text.table(result.matchups, part) for part in (wins, [wins[0], *scores]))
    read = "More: than the player in the row above." if result.fair is None else from_every_seat(result.fair)
    below = [*(text.labelled("note", line) for line in result.doubts), *text.left_out_lines(result.left_out)]
    return [whole, "", text.paragraph(read), *([""] if below else []), *below]


def goal_columns(result: Strength) -> text.Picks:
    """Each player, the opponents if players compete, and wins, or points if they are the goal."""

    against: text.Picks = [("against", "below")]
    return [
        ("player", "strategy"),
        *([] if result.fair is None else against),
        ("deals", lambda matchup: matchup.win and matchup.win.n),
        (result.goal.head, lambda matchup: result.reached(matchup)[0]),
        (
            "more" if result.fair is not None else "more than the one above",
            lambda matchup: result.reached(matchup)[1],
        ),
    ]


def from_every_seat(fair: float) -> str:
    """How to read wins in games where players compete."""
    return (
        f'One such player among players of the kind named under "against", in each seat in turn. More: than a '
        f"fair share ({100 * fair:.1f}%) of the games that somebody wins."
    )
