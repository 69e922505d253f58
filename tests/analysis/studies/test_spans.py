"""Sets of games as spans: the same as sets of numbers, and every overlap is noticed."""

from __future__ import annotations

import random

import pytest

from houle.analysis.studies.spans import OverlapError, Spans

pytestmark = pytest.mark.quick


def test_spans_are_sets_of_games() -> None:
    dice = random.Random(1)
    for _ in range(50):
        spans, games = Spans(), set[int]()
        for _ in range(30):
            first = dice.randrange(60)
            end = first + dice.randrange(1, 12)
            new = set(range(first, end))
            if new & games:
                with pytest.raises(OverlapError) as fault:
                    spans.add(first, end)
                assert set(range(fault.value.first, fault.value.last + 1)) <= new & games
            else:
                spans.add(first, end)
                games |= new
            assert {game for start, stop in spans for game in range(start, stop)} == games
            assert (spans.games, str(Spans.parse(str(spans)))) == (len(games), str(spans))
            low, high = sorted((dice.randrange(70), dice.randrange(70)))
            missing = [game for start, stop in spans.gaps(low, high) for game in range(start, stop)]
            assert missing == [game for game in range(low, high) if game not in games]
            assert spans.within(low, high) == (not games or (low <= min(games) and max(games) < high))


def test_games_in_order_are_one_span() -> None:
    spans = Spans()
    for first in range(0, 100_000, 10):
        spans.add(first, first + 10)
    assert str(spans) == "0-99999"


@pytest.mark.parametrize(
    "text", ["1", "5-3", "0-4,3-9", "0-4,5-9", "5-9,0-3", "0-4,", " 0-4", "0-٤", "-1-4", "0-" + "9" * 99]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"span|twice"):
        Spans.parse(text)
