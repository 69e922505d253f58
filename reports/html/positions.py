"""A position at the table as rows of card faces, as the player to move sees it: what the drawings of a report show.

Rows are {"label", "cards"}; a card is a face of reports/html/cards.py. What the player may not see lies face down.
"""

from __future__ import annotations

from houle.solver.match import Match
from houle.solver.views import Row, view_of


def position_rows(match: Match, best: str = "", other: str = "") -> list[Row]:
    """The position; the cards of the two moves, given by their names, are ringed."""
    return ringed(view_of(match.state, match.setup, match.to_move()), best, other)


def ringed(rows: list[Row], best: str, other: str) -> list[Row]:
    """Rows of a view, ready to be drawn, with rings around the cards of the two moves."""
    own = [card for row in rows if row.pop("own", False) for card in row["cards"]]
    for ring, move, rival in (("best", best, other), ("other", other, best)):
        meant = [card for card in own if move and card.get("move") and _mentions(move, card["move"])]
        # Where both moves are made with the same card, what tells them apart is ringed instead, a row say.
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
