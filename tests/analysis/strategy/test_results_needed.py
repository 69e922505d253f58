"""How many results predict a variant, and how many games people who think play by default."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.players.line_ups import habit_of, line_up, thinks, usual_games
from houle.analysis.players.plane import points
from houle.analysis.strategy import results_needed as module
from houle.analysis.strategy.results_needed import NUMBERS, enough, games_to_count, results_needed
from houle.solver.errors import RulesError
from houle.solver.rules import Setup, make_setup

pytestmark = pytest.mark.quick

BASE = make_setup("wave", 3)


def test_more_results_predict_better(monkeypatch: pytest.MonkeyPatch) -> None:
    def rates(setup: Setup, _: object) -> object:
        both = 0.1 * (points()[:, 0] + 1) + (0.02 if setup.digest == BASE.digest else 0.01)
        return both if setup.digest == BASE.digest else both / 8  # the variant is hard, and slips decide both

    monkeypatch.setattr(module, "rates_at_points", rates)
    found = results_needed(make_setup("wave", 3, ("nazare",)))
    widths = np.array([[rate.high - rate.low for rate in by_number.values()] for by_number in found.values()])
    assert widths.shape == (4, len(NUMBERS))
    assert (widths[:3, -1] < widths[:3, 0]).all()  # the last level is at the end of the plane: few results pull it down
    needed = [enough(by_number) for by_number in found.values()]
    assert all(number in NUMBERS for number in needed)
    assert enough({}) is None


def test_counting_the_variant_itself_is_the_other_way() -> None:
    assert games_to_count(0.25) == 289
    assert games_to_count(0.5) == 385


def test_competitive_setups_have_no_plan() -> None:
    with pytest.raises(RulesError, match="land-unter: players compete in this setup"):
        results_needed(make_setup("land-unter", 4))


@pytest.mark.parametrize(
    ("who", "thinking"), [("family", True), ("level[slips=20]", False), ("thumb", False), ("thumb,thumb,regular", True)]
)
def test_people_who_think_play_fewer_games(who: str, thinking: bool) -> None:
    seated = line_up(BASE, who)
    assert thinks(seated) is thinking
    assert usual_games([seated], 100_000) == (5_000 if thinking else 100_000)
    assert usual_games([seated], 1_000) == 1_000
    assert usual_games([seated] * 30, 100_000) == (2_000 if thinking else 100_000)


def test_the_habit_of_a_person_does_not_think() -> None:
    assert habit_of(line_up(BASE, "thumb,family,expert")) == "level[slips=20]"
    assert not thinks(line_up(BASE, habit_of(line_up(BASE, "seasoned"))))
