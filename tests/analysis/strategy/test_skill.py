"""Skill and luck: known shares are found in toy games, and intervals cover."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle.analysis.measures.goal import Goal
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import COLUMNS, Deals
from houle.analysis.stats.intervals import wilson
from houle.analysis.strategy.advantage import share_of_gap, skill_gap
from houle.analysis.strategy.deal_share import DealPlan, play_deal_part
from houle.analysis.strategy.skill import plan_skill, play_skill, skill
from houle.analysis.strategy.variance_shares import luck_shares
from houle.solver.errors import InputError
from houle.solver.players.names import parse
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.rules import make_setup
from tests.support.toys import toy, toy_player

pytestmark = pytest.mark.compiled

RANDOM = parse("random")
WINS = Goal(make_setup("wave", 3))
RIGHT = toy_player("thumb")
WRONG = toy_player("thumb[temperature=0]", right=-1)


def test_interval_of_the_skill_share_holds_the_truth() -> None:
    """Lowest 10%, best 40%, bound 80%, on deals that are easy or hard for all three alike; 150 deals, 500 runs."""
    draws = np.random.default_rng(8)
    covered, runs = 0, 500
    for _ in range(runs):
        hardness = draws.random(150)
        found = share_of_gap(WINS, _deals(np.stack([hardness < rate for rate in (0.4, 0.1, 0.8)], axis=1)), 0, 1, 2)
        assert found is not None
        covered += found.low <= 3 / 7 <= found.high
    assert 0.92 <= covered / runs <= 0.985


@pytest.mark.quick
def test_no_share_without_a_clear_gap() -> None:
    wins = np.random.default_rng(1).random((60, 3)) < 0.5
    assert share_of_gap(WINS, _deals(wins), 0, 1, 2) is None


@pytest.mark.quick
def test_half_of_a_gap() -> None:
    never, half, always = np.zeros(400, bool), np.arange(400) % 2 == 0, np.ones(400, bool)
    found = share_of_gap(WINS, _deals(np.stack([never, half, always], axis=1)), 1, 0, 2)
    assert found is not None
    assert found.value == pytest.approx(0.5)
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 0.12
    assert share_of_gap(WINS, _deals(np.stack([never, half, never], axis=1)), 1, 0, 2) is None


@pytest.mark.quick
def test_deals_left_open_lower_the_low_end() -> None:
    wins = np.random.default_rng(1).random((200, 3)) < np.array([0.4, 0.1, 0.7])
    sure, open_ones = _deals(wins), _deals(wins)
    open_ones.unresolved = (0, 0, 40)
    plain, widened = share_of_gap(WINS, sure, 0, 1, 2), share_of_gap(WINS, open_ones, 0, 1, 2)
    assert plain is not None
    assert widened is not None
    assert widened.low < plain.low
    assert (widened.value, widened.high) == (plain.value, plain.high)


def _deals(wins: np.ndarray) -> Deals:
    """Deals of several arms from who won."""
    rows = np.zeros((len(wins), len(COLUMNS) * wins.shape[1]), np.int64)
    rows[:, COLUMNS.index("share") :: len(COLUMNS)] = 840 * wins
    return Deals.of((1,) * wins.shape[1], rows)


def test_a_coin_flip_has_no_skill() -> None:
    found = skill_gap(toy("equal"), RANDOM, RIGHT, RunSpec(400, threads=1))
    assert found is not None
    assert found.skill is not None
    assert found.skill.low <= 0 <= found.skill.high
    assert found.skill.half < 0.15
    assert found.relative is None
    assert found.relative_remark == "it is not known how much the best play could win against others"


def test_a_lucky_guess_has_no_skill() -> None:
    """Only a clairvoyant gets it right."""
    found = skill_gap(toy("guessed", team=True, decisions=2, moves=2), RANDOM, RIGHT, RunSpec(400, threads=1))
    assert found is not None
    assert found.bound_win is not None
    assert found.bound_win.value == 1
    assert found.relative is not None
    assert found.relative.low <= 0 <= found.relative.high
    assert found.relative.half < 0.15


def test_a_solved_game_is_all_skill() -> None:
    rivals = skill_gap(toy("solved"), WRONG, RIGHT, RunSpec(200, threads=1))
    assert rivals is not None
    assert rivals.skill is not None
    assert rivals.skill.value == pytest.approx(1)
    assert 0.95 < rivals.skill.low < 1  # 200 wins of 200 do not prove "always"
    team = skill_gap(toy("solved", team=True), RANDOM, RIGHT, RunSpec(200, threads=1))
    assert team is not None
    assert team.relative is not None
    assert team.relative.low <= 1 <= team.relative.high
    assert team.relative.value == pytest.approx(1)


def test_what_decides_each_toy_game() -> None:
    for mode, part in (("solved", "player"), ("dealt", "deal"), ("equal", "rest")):
        setup = toy(mode, players=3)
        found = luck_shares(LineUp(setup, (RIGHT, WRONG, WRONG)), 3, RunSpec(300, seed=2, threads=1))
        assert found is not None
        parts = found.parts["win"]
        assert parts is not None
        for name, one in parts.items():
            truth = 1.0 if name == part else 0.0
            assert one.low - 1e-9 <= truth <= one.high + 1e-9, (mode, name, one)
        assert found.games == 300 * 3 * 3


def test_equal_players_show_what_the_deal_decides() -> None:
    for mode, share in (("dealt", 1.0), ("equal", 0.0)):
        setup = toy(mode)
        found = luck_shares(LineUp(setup, (RIGHT, RIGHT)), 4, RunSpec(300, threads=1))
        assert found is not None
        assert not found.rotated
        parts = found.parts["win"]
        assert parts is not None
        assert parts["deal"].low - 1e-9 <= share <= parts["deal"].high + 1e-9
        assert parts["deal"].half < 0.06


def test_skill_of_a_cooperative_game() -> None:
    setup = make_setup("wave", 3)
    fair = ("random", "thumb")
    found = skill(setup, strategies=fair, games=200, search_games=40, seed=3, threads=1)
    assert found.headline.startswith("random wins 0")
    assert found.gap is not None
    assert found.gap.relative is not None
    assert found.gap.relative.low > 0
    assert found.mixed is None
    assert "the player's part: not measured, because all players are one side" in found.remarks
    assert found.alike is not None
    assert found.alike.parts["win"] is not None
    assert found.alike.parts["win"]["deal"].low > 0.5
    again = skill(setup, strategies=fair, games=200, search_games=40, seed=3, threads=2)
    assert found.digest == again.digest
    frame = found.frame()
    assert {"skill", "relative skill", "deal, share of win", "gain"} <= set(frame["measure"])
    assert found.as_json()["skill"]["relative_skill"]["n"] == 40


def test_the_deals_part_does_not_depend_on_players() -> None:
    """The deal's share among equal players does: 97% for a thumb, 76% for one with a harmless noise."""
    setup = make_setup("wave", 3)
    strengths = [("random", "thumb"), ("random", "thumb[temperature=30]")]
    plain, noisy = (skill(setup, strategies=fair, games=300, search_games=3, seed=3, threads=1) for fair in strengths)
    assert plain.deal is not None
    assert noisy.deal is not None
    assert plain.deal.record() == noisy.deal.record()
    own = [luck.parts["win"] for luck in (plain.alike, noisy.alike) if luck]
    assert own[0] is not None
    assert own[1] is not None
    assert own[1]["deal"].high < own[0]["deal"].low
    ends = plain.deal.ends()
    assert ends is not None
    least, most = (pair.parts["win"] for pair in ends)
    assert least is not None
    assert most is not None
    assert least.high < most.low
    assert [pair.label for pair in plain.deal.pairs][-1] == "thumb with some slips, twice"


def test_few_deals_leave_a_part_unknown() -> None:
    known = make_setup("wave", settings={"talk": "known"})
    found = skill(known, strategies=("random", "thumb", "flat:20"), games=200, search_games=12, seed=1, threads=1)
    assert found.deal is not None
    pair = found.deal.pairs[-1]
    assert pair.players == ("flat:20", "flat:20")
    part = pair.parts["win"]
    assert part is not None
    assert part.half > 0.4
    assert pair.known() is None
    assert pair.needed() == pytest.approx(12 * (part.half / 0.15) ** 2, abs=10)
    ends = found.deal.ends()
    assert ends is not None
    assert pair not in ends
    assert pair.record()["needed_deals"]["win"] == pair.needed()
    assert all(other.needed() == 0 for other in found.deal.pairs[:-1])


def test_a_costly_noise_makes_no_pair() -> None:
    """In the toy game every mistake costs a point; without noises the player is paired with itself."""
    setup = toy("solved")
    planned = DealPlan(setup, RIGHT, (WRONG,), None, 200, 3)
    found = play_deal_part(planned, RunSpec(threads=1))
    assert found is not None
    assert [name for name, _ in found.left_out] == [WRONG.text]
    assert [pair.label for pair in found.pairs] == [f"{RIGHT.text}, twice"]
    dealt = play_deal_part(replace(planned, setup=toy("dealt"), noisy=()), RunSpec(threads=1))
    assert dealt is not None
    part = dealt.pairs[0].parts["win"]
    assert part is not None
    assert (part.value, part.high) == (1, 1)


def test_skill_of_a_competitive_game() -> None:
    setup = make_setup("vague-verte", 3)
    planned = plan_skill(setup, ("random", "thumb[forgets=50]", "thumb"), 100, 5, replays=2)
    assert planned.mixed is not None
    assert planned.mixed.names == ("thumb", "thumb[forgets=50]", "thumb[forgets=50]")
    games: list[int] = []
    found = play_skill(planned, RunSpec(threads=1, progress=lambda done, seconds: games.append(done)))
    assert games == sorted(games)
    assert 0.9 * planned.plan.games < games[-1] <= planned.plan.games  # noise that costs too much makes no pair
    assert found.mixed is not None
    parts = found.mixed.parts["win"]
    assert parts is not None
    assert parts["player"].low > 0
    assert found.gap is not None
    assert found.gap.relative is None


@pytest.mark.quick
def test_errors_are_one_line() -> None:
    wave = make_setup("wave", 3)
    with pytest.raises(InputError, match="clairvoyant is a bound, not a player"):
        plan_skill(wave, ("random", "clairvoyant"))
    with pytest.raises(InputError, match="all players search; add one that does not"):
        plan_skill(wave, ("flat:50",))
    with pytest.raises(InputError, match="all players are one side"):
        plan_skill(wave, ("random", "thumb"), line_up=["thumb", "random", "random"])
    with pytest.raises(InputError, match="all players are one side"):
        luck_shares(seat_strategies(wave, ["thumb,random,random"]), 4, RunSpec(10))


@pytest.mark.quick
def test_deals_left_open_count_in_wins_and_gains() -> None:
    """Of 200 deals a clairvoyant wins 140 for certain and leaves 40 open: the truth may be 70% or 90%."""
    wins = np.zeros((200, 2), bool)
    wins[:140, 1] = wins[:60, 0] = True
    sure, open_ones = _deals(wins), _deals(wins)
    open_ones.unresolved = (0, 40)
    assert open_ones.left_open(1) == 0.2
    assert open_ones.win(0) == sure.win(0)
    assert open_ones.win(1).low == sure.win(1).low
    assert open_ones.win(1).high == pytest.approx(wilson(0.9, 200).high)
    assert open_ones.gain(1, 0).high == pytest.approx(sure.gain(1, 0).high + 0.2)
    assert open_ones.gain(1, 0).low == sure.gain(1, 0).low
    assert open_ones.gain(0, 1).low == pytest.approx(sure.gain(0, 1).low - 0.2)
    both = Deals.empty((1, 1))
    both.add(open_ones)
    both.add(sure)
    assert both.unresolved == (0, 40)
