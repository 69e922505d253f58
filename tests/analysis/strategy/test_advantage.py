"""What a better player gains agrees with `strength`, and its command repeats it."""

from __future__ import annotations

import pytest

from houle import strength
from houle.analysis.run_options import RunSpec
from houle.analysis.strategy.advantage import advantages
from houle.solver.errors import RulesError
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled


def test_better_players_agree_with_strength() -> None:
    setup = make_setup("vague-verte", 3)
    found = advantages(setup, RunSpec(games=120, seed=3), ["random", "family", "seasoned", "flat:4"], 6)
    assert [(one.better, one.others) for one in found.pairs] == [
        ("family", "random"), ("seasoned", "random"), ("seasoned", "family"), ("flat:4", "seasoned"),
    ]  # fmt: skip
    pair = found.pair("seasoned", "family")
    assert pair is not None
    again = strength(setup, strategies="family,seasoned", games=120, seed=3).matchups[1]
    assert (again.win, again.gain) == (pair.win, pair.gain)
    assert found.pairs[-1].win.n == 6
    assert found.repeat(pair).startswith("houle strength vague-verte -p 3 -s family,seasoned -n 120")
    assert found.as_json()["fair_share"] == pytest.approx(1 / 3)


def test_teams_that_win_together_have_no_advantage() -> None:
    with pytest.raises(RulesError, match="see houle difficulty wave"):
        advantages(make_setup("wave", 3), RunSpec(games=10))
