"""Tables in the terminal."""

from __future__ import annotations

import pytest

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.cli.framework.text import sides_table, speed

pytestmark = pytest.mark.quick


def test_teams_and_seats_count_from_one() -> None:
    row = {"win": Estimate(0.5, 0.4, 0.6, 100, PERCENT), "score": Estimate(12, 11, 13, 100)}
    table = sides_table([{"side": f"team {team}", "seats": [team, team + 2], **row} for team in (0, 1)], "points")
    assert [" ".join(line.split()[:4]) for line in table.splitlines()[-2:]] == ["team 1 1, 3", "team 2 2, 4"]


def test_slow_games_have_seconds_per_game() -> None:
    assert [speed(rate) for rate in (0, 0.25, 1, 1234.5)] == [
        "0 games per second", "4.0 seconds per game", "1 game per second", "1,234 games per second",
    ]  # fmt: skip
