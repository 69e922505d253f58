"""VAGUE VERTE: what a click on a card or a place of the page can mean."""

from __future__ import annotations

import pytest

from houle.solver.games.vague_verte.rules import DRAW_FACEUP, DRAW_STOCK, FACEUP, MAX_CARDS
from houle.solver.matches.match import Match
from houle.solver.matches.views import view_of
from houle.solver.rules import make_setup
from tests.games.vague_verte.scene import do, match_with

pytestmark = pytest.mark.compiled


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
    assert meant(match, 0, "stock") == set()
    discards = {f"discard {name}" for name in ("car red 1", "green light")}
    named = {match.seen(action, 0)[1]: match.name(action) for action in match.moves()}
    assert {named[kind] for kind in meant(match, 0, "face-up pile")} == discards
    first, second = (card for row in view_of(match.state, match.setup, 0) if row["title"] == "hand"
                     for card in row["cards"] if card["name"] == "green light")  # fmt: skip
    assert first == second
    assert first["typed"] == "green light"


@pytest.mark.parametrize("players", [2, 4])
def test_every_move_can_be_clicked(players: int) -> None:
    """Draws on the piles; plays and discards on the hand, and also where the card goes."""
    match = Match(make_setup("vague-verte", players), 3)
    while (seat := match.to_move()) >= 0:
        kinds = legal(match)
        draws = kinds & {DRAW_STOCK, DRAW_FACEUP}
        discards = {kind for kind in kinds if kind // MAX_CARDS == FACEUP}
        assert meant(match, seat, "stock") == draws & {DRAW_STOCK}
        assert meant(match, seat, "face-up pile") == draws & {DRAW_FACEUP} | discards
        assert meant(match, seat, "hand") == kinds - draws
        assert meant(match, seat, "lights", "road") == kinds - draws - discards
        match.apply(match.random_move())
