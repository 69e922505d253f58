"""How much plays tell: thumbs tell something to who reads them, less to who takes them for players at random."""

from __future__ import annotations

import numpy as np

from houle.analysis.strategy.beliefs import EVERY, Reader
from houle.analysis.strategy.decisions import note_decisions
from houle.solver.match import Match
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import player_record, seat_strategies

WAVE = make_setup("wave", 3)


def test_plays_of_thumbs_tell_of_their_cards() -> None:
    reader, blind = Reader.of(WAVE), Reader(WAVE, 1e9)
    assert reader is not None
    thumbs, read, unread = seat_strategies(WAVE, ["thumb"]), [], []
    for game in range(12):
        match = Match(WAVE, 5, game)
        while match.to_move() >= 0:
            if match.ply % EVERY == EVERY - 1:
                read.append(reader.believes(match, 100 * game)[0])
                unread.append(blind.believes(match, 100 * game)[0])
            match.apply(match.decide(thumbs))
    told = [one for one in read if one.telling]
    assert len(told) > 0.7 * len(read)
    assert np.mean([one.nats for one in told]) > 0.1
    assert np.mean([one.card_read for one in told]) > np.mean([one.card_even for one in told])
    # Who had few moves to choose from tells something even to the blind: the card laid was likely then.
    assert np.mean([one.nats for one in unread if one.telling]) < np.mean([one.nats for one in told])


def test_decisions_tell_it_where_a_game_can_be_read() -> None:
    found = note_decisions(WAVE, "flat:20", 3, threads=1)
    assert {"nats", "card_even", "card_read"} <= found.measures.keys()
    assert 0 < found.whole.estimates["card_even"].value < 1
    other = note_decisions(make_setup("land-unter", 3), "flat:20", 1, threads=1)
    assert "nats" in other.measures
    assert "card_read" not in other.measures  # the game does not say which card lies in which place


def test_where_nobody_can_be_read_there_is_no_reader() -> None:
    """A game without a reader of its own is read as its searches imagine others; alone there is nobody to read."""
    setup = make_setup("land-unter", 4)
    reader = Reader.of(setup)
    assert reader is not None
    assert reader.temperature * 1000 == player_record(parse("flat:1"), setup)[0].noise
    assert "nats" not in note_decisions(make_setup("vague-attaque", 1), "flat:20", 1, threads=1).measures
