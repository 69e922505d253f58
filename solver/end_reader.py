"""How games end that die of a card that does not fit: what `houle endings` reads of their last states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


class GameEnds(NamedTuple):
    """The ends of some games, one entry each."""

    laid: Whole  # cards laid when the game ended
    last: Whole  # the card that could not be followed
    stuck: Whole  # who could not follow: a place in `Endings.who`
    seen: NDArray[np.bool_]  # games x cards by their numbers: whether the card was laid, the first one included


@dataclass(frozen=True)
class EndReader:
    """What there is to tell of the ends of a table's games, and how to read it; `endings(setup)` in score.py."""

    most: int  # cards that are laid in a game that is won; the score of a deal in which none can be
    cards: Mapping[int, str]  # the cards of the deck, with their names
    who: tuple[str, ...]  # whom a game can end at; an empty name: it never does
    read: Callable[[Any], GameEnds]  # states of games that are over -> their ends
    size: int  # numbers that cards may have


def end_reader_of(setup: Any) -> EndReader | str:
    """How games of a table end, or why there is nothing to tell, in words."""
    if setup.game.end_reader is None:
        return f"a game of {setup.ruleset.name} does not end by a card that cannot be laid"
    found: EndReader | str = setup.game.end_reader(setup)
    return found
