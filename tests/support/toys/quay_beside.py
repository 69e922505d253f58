"""Quay, the example that uses every declaration, without the compiler: games, sets against Python's, equal weights.

Prints the results, to compare the compiled game with.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from houle.solver.cards import cardsets
from houle.solver.cards.bits import members
from houle.solver.compiler.kernels import JIT
from houle.solver.players.names import parse
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.players.weights import equal_weights
from houle.solver.rules import look_in, make_setup
from houle.solver.rules.game_folders import VARIABLE, _homes
from houle.solver.run.playout import play_chunk

FOLDER = Path(__file__).parents[3] / "examples" / "games" / "quay" / "quay"
GAMES = 12


def make_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the folder of the example known, even if its name was looked up or imported before."""
    monkeypatch.setenv(VARIABLE, str(FOLDER))
    monkeypatch.delitem(sys.modules, "quay", raising=False)
    _homes.cache_clear()


def check_sets() -> int:
    """The functions on sets of any size against Python's sets."""
    luck, checked = random.Random(3), 0
    for size in (1, 20, 63, 64, 65, 70, 128, 200):
        for _ in range(20):
            one, other = ({card for card in range(size) if luck.random() < 0.4} for _ in range(2))
            first, second = (np.zeros(cardsets.words(size), np.uint64) for _ in range(2))
            for cards, array in ((one, first), (other, second)):
                for card in cards:
                    cardsets.add(array, card)
            assert members(first) == sorted(one)
            assert cardsets.count(first) == len(one)
            assert cardsets.count_both(first, second) == len(one & other)
            assert [cardsets.nth(first, n) for n in range(len(one))] == sorted(one)
            walked, card = [], cardsets.following(first, -1)
            while card >= 0:
                walked.append(int(card))
                card = cardsets.following(first, card)
            assert walked == sorted(one)
            assert all(cardsets.has(first, card) == (card in one) for card in range(size))
            for change, wanted in (
                (cardsets.add_all, one | other),
                (cardsets.remove_all, one - other),
                (cardsets.keep, one & other),
                (cardsets.copy, other),
            ):
                changed = first.copy()
                change(changed, second)
                assert members(changed) == sorted(wanted)
            cardsets.fill(second, len(one))
            assert members(second) == list(range(len(one)))
            for card in one:
                cardsets.remove(first, card)
            assert cardsets.count(first) == 0
            checked += 1
    return checked


def thumbs() -> dict[str, int]:
    """Makes weights for a game that has none, and plays a game of two thumbs with them."""
    setup = make_setup("quay", 2)
    entry = equal_weights(setup)
    line_up = LineUp(setup, (replace(parse("thumb"), entry=entry),) * 2)
    assert play_chunk(line_up, 1, 0, 2).games == 2
    weights: dict[str, int] = entry["weights"]
    return weights


def main() -> None:
    assert not JIT
    look_in(FOLDER)
    tally = play_chunk(seat_strategies(make_setup("quay", 4), ("random",)), 1, 0, GAMES)
    print(json.dumps({"sets": check_sets(), "thumb": thumbs(), "tally": tally.as_data()}))


if __name__ == "__main__":
    main()
