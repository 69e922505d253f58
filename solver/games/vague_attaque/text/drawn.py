"""VAGUE & ATTAQUE: which cards left the piles in a move, by name; and piles in another order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.state import PILES
from houle.solver.games.vague_attaque.text.happened import where
from houle.solver.games.vague_attaque.text.names import called, card_name
from houle.solver.rules import Setup


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """Cards that were in a pile, or in a discard that became one, and are there no longer."""
    old, new = where(before, setup), where(after, setup)
    shuffled = [pile for pile in range(len(PILES)) if int(after.shuffles[pile]) > int(before.shuffles[pile])]
    hidden = [("deck", pile) for pile in range(len(PILES))]
    covered = [*hidden, *(("thrown", pile) for pile in shuffled)]
    gone = sorted(card for card, place in old.items() if place in covered and new.get(card) not in hidden)
    return [_names(card, setup) for card in gone]


def shuffle_piles(state: State, setup: Setup, random: Random, wanted: set[str]) -> None:
    """Shuffles all piles once more, with the `wanted` cards on top, because shuffling fixed their order."""
    for pile in range(len(PILES)):
        cards = [int(card) for card in state.pile[pile, : int(state.left[pile])]]
        random.shuffle(cards)
        cards.sort(key=lambda card: any(name.lower() in wanted for name in _names(card, setup)))
        state.pile[pile, : len(cards)] = cards


def _names(card: int, setup: Setup) -> tuple[str, str]:
    return card_name(card), called(setup, card).partition(" [")[0]


def chance_events(events: Iterable[str], viewer: int | None) -> list[str]:
    """What chance decided besides draws, as everyone saw it: duels, discards, and cards that went from hand to hand, by
    name only for the two players. Seats count from 0, and a `viewer` of None sees everything.
    """
    seen = []
    for event in events:
        result = re.search(r"the duel is (won|lost|tied)$", event)
        hands = re.search(r"goes from seat (\d) to seat (\d)$", event)
        if result:
            seen.append(result[0])
        elif (
            " discards " in event
            or "is discarded" in event
            or "die shows" in event
            or (hands and (viewer is None or str(viewer) in hands.groups()))
        ):
            seen.append(event)
    return seen
