"""Games that end when a card cannot be played: how `houle endings` reads their final states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


class GameEnds(NamedTuple):
    """How some games ended, one entry per game."""

    laid: Whole  # cards laid when the game ended
    last: Whole  # the card that nobody could follow
    stuck: Whole  # who could not follow: an index into `EndReader.who`
    seen: NDArray[np.bool_]  # games x card numbers: whether the card was laid, the first one included


@dataclass(frozen=True)
class EndReader:
    """How to read the ends of a setup's games; made by `end_reader(setup)` in the game's score.py."""

    most: int  # cards laid in a game that is won; the score of a deal in which no card can be laid
    cards: Mapping[int, str]  # names of the cards of the deck, by number
    who: tuple[str, ...]  # at whose turn a game can end; an empty name: never
    read: Callable[[Any], GameEnds]  # final states -> how the games ended
    size: int  # card numbers are below this


def end_reader_of(setup: Any) -> EndReader | str:
    """The EndReader of a setup, or a sentence why there is none."""
    if setup.game.end_reader is None:
        return f"a game of {setup.ruleset.name} does not end because a card cannot be played"
    reader: EndReader | str = setup.game.end_reader(setup)
    return reader
