"""Invariants: properties that every game must have, whatever its rules.

An invariant is a function (setup, games, seed) that plays some games, returns how many things it checked and raises
InvariantBroken where the property does not hold. `houle check` runs them on your own game; the tests run them on every
game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from houle.solver.invariants.classes import class_cards_are_conserved, class_games_end, worlds_are_separate
from houle.solver.invariants.errors import InvariantBroken
from houle.solver.invariants.knowledge import (
    fair_play,
    features_see_what_the_seat_sees,
    worlds_come_from_what_is_known,
    worlds_keep_what_is_known,
)
from houle.solver.invariants.play import cards_are_conserved, ends_when_nothing_is_legal, games_end, same_seed_same_game
from houle.solver.invariants.redealt import hidden_cards_are_imagined_anew
from houle.solver.invariants.shown import (
    moves_are_shown_as_seen,
    pasts_come_from_what_is_known,
    positions_read_back,
    seats_are_shown_what_they_know,
)
from houle.solver.rules import Setup

Invariant = Callable[[Setup, int, int], int]

# In an order in which a new game can hope to pass them. An invariant returns 0 where a game has nothing to check: the
# last two need rules of thumb, "earlier states" needs `recall`, "positions" needs positions as text.
INVARIANTS: dict[str, Invariant] = {
    "games end": games_end,
    "legal moves until the end": ends_when_nothing_is_legal,
    "same seed, same game": same_seed_same_game,
    "cards are conserved": cards_are_conserved,
    "imagined worlds keep what is known": worlds_keep_what_is_known,
    "imagined worlds come from what is known": worlds_come_from_what_is_known,
    "hidden cards are imagined anew": hidden_cards_are_imagined_anew,
    "earlier states come from what is known": pasts_come_from_what_is_known,
    "positions read back": positions_read_back,
    "seats are shown what they know": seats_are_shown_what_they_know,
    "moves are shown as they are seen": moves_are_shown_as_seen,
    "features see what the seat sees": features_see_what_the_seat_sees,
    "fair play": fair_play,
}

# Those of a class in plain Python, beside or instead of these.
CLASS_INVARIANTS: dict[str, Invariant] = {
    "games end": class_games_end,
    "cards are conserved": class_cards_are_conserved,
    "imagined worlds are separate games": worlds_are_separate,
    # A class plays short games, and a decision costs little: more of them are compared.
    "features see what the seat sees": partial(features_see_what_the_seat_sees, every=3, worlds=10),
    "fair play": partial(fair_play, every=2, worlds=3),
}

__all__ = ["CLASS_INVARIANTS", "INVARIANTS", "Invariant", "InvariantBroken"]
