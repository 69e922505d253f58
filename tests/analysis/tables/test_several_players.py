"""`houle.compare` with several players: each player's variants are compared with that player's first."""

from __future__ import annotations

import pytest

import houle

pytestmark = pytest.mark.quick


def test_several_players_are_compared_each() -> None:
    setups = [houle.setup("wave"), houle.setup("wave", variants="virage")]
    both = houle.compare(setups, strategies=["random", "thumb"], games=4)
    one = houle.compare(setups, strategies="thumb", games=4)
    mine = [row for row in both.rows if row.strategy == "thumb"]
    assert [(row.value, row.change) for row in mine] == [(row.value, row.change) for row in one.rows]
    assert len(both.frame()) == 2 * len(one.frame())


def test_every_table_has_the_same_columns() -> None:
    wave = houle.setup("wave")
    tables = [
        houle.compare([wave, houle.setup("wave", variants="virage")], strategies="random", games=4),
        houle.sweep("wave", strategies=["random", "thumb"], games=4),
        houle.difficulty(wave, strategies=["random", "thumb"], games=4),
        houle.strength(wave, strategies=["random", "thumb"], games=4),
        houle.strength("land-unter", strategies=["random", "thumb"], games=4),
        houle.open_rules(wave, strategies="random", games=4),
    ]
    columns = [[name for name in table.frame() if not name.startswith("set.")] for table in tables]
    assert columns.count(columns[0]) == len(tables)
    keys = [(list(data), list(data["rows"][0]), list(data["arms"][0])) for data in (one.as_json() for one in tables)]
    assert keys.count(keys[0]) == len(tables)
    assert all({"win", "score"} & {row.measure for row in table.rows} for table in tables)
