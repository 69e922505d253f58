"""Alternatives: every combination once, in order, with its players or the reason why it cannot be played."""

from __future__ import annotations

import pytest

from houle.analysis.sampling.alternatives import combinations, several
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp

pytestmark = pytest.mark.quick


@pytest.mark.compiled
def test_combinations_are_line_ups_or_errors() -> None:
    axes = {"players": [3, 4], "strategies": ["random", "thumb"], "hand.front": [3, 9]}
    every = list(combinations("wave", axes, "set"))
    assert [tuple(values.values()) for values, _ in every[:3]] == [(3, "random", 3), (3, "random", 9), (3, "thumb", 3)]
    seated = [found for _, found in every if isinstance(found, LineUp)]
    assert [(one.setup.players, one.setup.options["hand.front"], one.names[0]) for one in seated[:2]] == [
        (3, 3, "random"), (3, 9, "random"),
    ]  # fmt: skip
    faults = [(values["players"], values["hand.front"]) for values, found in every if isinstance(found, InputError)]
    assert faults == [(4, 9)] * 2


@pytest.mark.compiled
def test_line_ups_of_one_setup_share_it() -> None:
    axes = {"strategies": ["random", "thumb"]}
    first, second = (found for _, found in combinations("wave", axes, "set") if isinstance(found, LineUp))
    assert first.setup is second.setup


def test_an_axis_without_values_has_no_combinations() -> None:
    assert list(combinations("wave", {"players": [3], "hand.front": []}, "set")) == []


def test_a_table_is_one_value() -> None:
    assert several({"a": 1}) == [{"a": 1}]
    assert several(range(2)) == [0, 1]
