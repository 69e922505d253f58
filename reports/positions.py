"""A position as rows of card faces, as the player to move sees it.

Rows are {"label", "cards"}; a card is a face of reports/cards.py. Cards that the player cannot see are face down.
"""

from __future__ import annotations

from houle.solver.matches.match import Match
from houle.solver.matches.views import Row, plain_rows, view_of


def position_rows(match: Match, best: str = "", other: str = "") -> list[Row]:
    """The rows of a position, with rings around the cards of two moves, given by name."""
    return ringed(view_of(match.state, match.setup, match.to_move()), best, other)


def ringed(rows: list[Row], best: str, other: str) -> list[Row]:
    """Rows of a view, ready to draw, with rings around the cards of two moves."""
    rows = plain_rows(rows)
    own = [card for row in rows if row.pop("own", False) for card in row["cards"]]
    for ring, move, rival in (("best", best, other), ("other", other, best)):
        meant = [card for card in own if move and card.get("move") and _mentions(move, card["move"])]
        # If both moves use the same card, ring what differs, such as a row.
        meant = [card for card in meant if not _mentions(rival, card["move"])] or meant
        for card in meant:
            if not card.get("ring"):
                card["ring"] = ring
                break
    for row in rows:
        for card in row["cards"]:
            card.pop("move", None)
    return rows


def _mentions(move: str, card: str) -> bool:
    return f" {card} " in f" {move} "
