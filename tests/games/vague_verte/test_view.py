"""VAGUE VERTE: what a click on a card or a place of the page can mean."""

from __future__ import annotations

import pytest

from houle.solver.games.vague_verte.state import DRAW_FACEUP, DRAW_STOCK, MAX_CARDS
from houle.solver.matches.match import Match
from houle.solver.matches.views import view_of
from houle.solver.rules import make_setup
from tests.games.vague_verte.test_rules import do, match_with

pytestmark = pytest.mark.compiled

PILES = ("face-up pile", "stock")


def meant(match: Match, seat: int, *titles: str) -> set[int]:
    """The kinds of legal moves that the cards of some rows carry."""
    rows = [row for row in view_of(match.state, match.setup, seat) if row["title"] in titles]
    return legal(match) & {kind for row in rows for card in row["cards"] for kind in card.get("moves", ())}


def legal(match: Match) -> set[int]:
    return {match.seen(action, match.to_move())[1] for action in match.moves()}


def test_a_light_of_the_hand_takes_no_other_one() -> None:
    match = match_with([["green light", "car red 1"], []], ["green light"])
    assert meant(match, 0, "hand") == set()
    assert meant(match, 0, "face-up pile") == {DRAW_FACEUP}
    do(match, "draw face-up")
    assert meant(match, 0, *PILES) == set()
    first, second = (card for row in view_of(match.state, match.setup, 0) if row["title"] == "hand"
                     for card in row["cards"] if card["name"] == "green light")  # fmt: skip
    assert first == second
    assert first["typed"] == "green light"


@pytest.mark.parametrize("players", [2, 4])
def test_every_move_can_be_clicked(players: int) -> None:
    """Draws on the piles; plays and discards on the hand; plays also where the card goes."""
    match = Match(make_setup("vague-verte", players), 3)
    while (seat := match.to_move()) >= 0:
        kinds = legal(match)
        draws = kinds & {DRAW_STOCK, DRAW_FACEUP}
        assert meant(match, seat, *PILES) == draws
        assert meant(match, seat, "hand") == kinds - draws
        assert meant(match, seat, "lights", "road") == {kind for kind in kinds - draws if kind >= MAX_CARDS}
        match.apply(match.random_move())
