"""Moves of thumbs reveal cards to a reader, and less to one who expects random players."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.strategy.beliefs import EVERY, Reader
from houle.analysis.strategy.decisions import decisions
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

WAVE = make_setup("wave", 3)


@pytest.mark.parametrize("games", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_moves_of_thumbs_reveal_their_cards(games: int) -> None:
    reader, blind = Reader.of(WAVE), Reader(WAVE, 1e9)
    assert reader is not None
    thumbs, read, unread = seat_strategies(WAVE, ["thumb"]), [], []
    for game in range(games):
        match = Match(WAVE, 5, game)
        while match.to_move() >= 0:
            if match.ply % EVERY == EVERY - 1:
                read.append(reader.believes(match, 100 * game)[0])
                unread.append(blind.believes(match, 100 * game)[0])
            match.apply(match.decide(thumbs))
    telling = [one for one in read if one.telling]
    assert len(telling) > 0.7 * len(read)
    assert np.mean([one.nats for one in telling]) > 0.1
    assert np.mean([one.card_read for one in telling]) > np.mean([one.card_even for one in telling])
    # Even the blind reader learns something: a player with few moves to choose from was likely to lay this card.
    assert np.mean([one.nats for one in unread if one.telling]) < np.mean([one.nats for one in telling])


def test_decisions_measure_what_moves_reveal() -> None:
    result = decisions(WAVE, strategies="flat:20", games=1, threads=1)
    assert {"nats", "card_even", "card_read"} <= result.measures.keys()
    assert 0 < result.whole.estimates["card_even"].value < 1
    other = decisions(make_setup("land-unter", 3), strategies="flat:20", games=1, threads=1)
    assert "nats" not in other.measures  # only WAVE can be read


def test_games_without_a_reader() -> None:
    assert Reader.of(make_setup("land-unter", 4)) is None
