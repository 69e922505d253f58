"""Hand-made positions of VAGUE VERTE."""

from __future__ import annotations

from typing import Any

from houle.solver.games.vague_verte.rules import build_deck
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.scenes import act


def match_with(
    hands: list[list[str]], faceup: list[str] | None = None, stock: int | None = None, **settings: Any
) -> Match:
    """The first turn with these hands and this face-up pile; `stock` limits the stock."""
    setup = make_setup("vague-verte", len(hands), (), settings)
    match = Match(setup, seed=1)
    left = dict(enumerate(build_deck(setup.options)))

    def take(name: str) -> int:
        card = next(card for card, face in left.items() if face == name)
        del left[card]
        return card

    state = match.state
    for seat, hand in enumerate(hands):
        state.hand[seat] = sum(1 << take(name) for name in hand)
    pile = [take(name) for name in (faceup if faceup is not None else ["tow"])]
    state.bottom, state.faceup_left = 0, len(pile)
    state.faceup[: len(pile)] = pile
    rest = list(left)[-stock:] if stock else [] if stock == 0 else list(left)
    state.pile_left, state.gaps, state.added = len(rest), 0, 0
    state.pile[: len(rest)] = rest
    return match


def do(match: Match, *names: str) -> None:
    """Plays actions by name, each after a draw from the stock if a draw is due."""
    for name in names:
        if not name.startswith("draw") and "draw stock" in match.names():
            match.apply(match.moves()[match.names().index("draw stock")])
        act(match, name)


def skip(match: Match) -> None:
    """Takes the face-up card and lays it back."""
    do(match, "draw face-up")
    match.apply(int(match.state.drawn))
