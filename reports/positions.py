"""A position as rows of card faces, as the player to move sees it."""

from __future__ import annotations

from houle.solver.interface.files import Row
from houle.solver.matches.match import Match
from houle.solver.matches.views import plain_rows, view_of

NO_MOVE = -1


def position_rows(match: Match, best: int | None = None, other: int | None = None) -> list[Row]:
    """The rows of a position, with rings around the cards of two actions."""
    seat = match.to_move()
    kinds = [NO_MOVE if action is None else match.seen(action, seat)[1] for action in (best, other)]
    return ringed(view_of(match.state, match.setup, seat), *kinds)


def ringed(rows: list[Row], best: int, other: int) -> list[Row]:
    """Rows of a view, ready to draw, with rings around the cards of two kinds of actions (`Face.moves`)."""
    rows = plain_rows(rows)
    own = [card for row in rows if row.pop("own", False) for card in row["cards"]]
    for ring, move, rival in (("best", best, other), ("other", other, best)):
        meant = [card for card in own if move in card.get("moves", ())]
        # If both moves use the same card, ring what differs, such as a row.
        meant = [card for card in meant if rival not in card.get("moves", ())] or meant
        for card in meant:
            if not card.get("ring"):
                card["ring"] = ring
                break
    return rows
