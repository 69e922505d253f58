"""The learning curve starts without rules and ends with the whole thumb; several tries win more deals."""

from __future__ import annotations

import numpy as np
import pytest

import houle
from houle.analysis.limits import LEARNING_ORDER
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.named_players import levels
from houle.analysis.run_options import RunSpec
from houle.analysis.strategy import learning_curve
from houle.analysis.strategy.learning_curve import LearningCurve, several_tries
from houle.reports.figures import draw
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger

pytestmark = pytest.mark.compiled

WAVE = make_setup("wave", 3)


@pytest.fixture(scope="module")
def curve() -> LearningCurve:
    return houle.learning_curve(WAVE, games=400)


def test_the_curve_ends_with_the_whole_thumb(curve: LearningCurve) -> None:
    first, last = (houle.simulate(WAVE, strategies=who, games=400) for who in ("thumb[forgets=100]", "thumb"))
    assert curve.steps[0].win.value == first.sides[0].win.value
    assert curve.steps[-1].win.value == last.sides[0].win.value
    learned = [name for step in curve.steps for name in step.feature.split("+") if name]
    assert len(learned) == len(set(learned))
    assert not {*learned} & {*curve.without_effect}
    for before, step in zip(curve.steps, curve.steps[1:], strict=False):
        assert step.gain is not None
        assert step.gain.value == pytest.approx(step.win.value - before.win.value)


def test_a_step_matches_its_rules(curve: LearningCurve) -> None:
    unknown = [name for name, _ in WAVE.game.FEATURES if name not in {step.feature for step in curve.steps[:3]}]
    alone = houle.simulate(WAVE, strategies=f"thumb[without={'+'.join(unknown)}]", games=400)
    assert curve.steps[2].win.value == alone.sides[0].win.value


def test_the_first_rule_helps_most(curve: LearningCurve) -> None:
    """Measured in cards left, which decide utility, on the deals after those of the curve."""
    features = [name for name, _ in WAVE.game.FEATURES]
    assert curve.order_deals == LEARNING_ORDER
    left = {}
    for name in ("awkward", "room", "next_risk", "reverses"):
        others = "+".join(other for other in features if other != name)
        tally = play_chunk(seat_strategies(WAVE, (f"thumb[without={others}]",)), 1, 400, LEARNING_ORDER)
        left[name] = sum(score * number for score, number in tally.scores(0).items())
    assert min(left, key=lambda name: left[name]) == curve.steps[1].feature


def test_several_tries_count_a_deal_once() -> None:
    tries, wins = several_tries(WAVE, RunSpec(300, seed=4, threads=1))
    assert tries.player == levels()[0].name == "first-game"
    won = np.zeros((5, 300), bool)
    for replay in range(5):
        ledger = blank_ledger(300, 1)
        play_chunk(line_up(WAVE, tries.player), 4, 0, 300, replay, ledger=ledger)
        won[replay] = np.asarray(ledger["points"])[:, 0] == 0
    assert wins == won.sum(axis=0).tolist()
    assert tries.once.value == won.any(axis=0).mean()
    assert tries.win.value == pytest.approx(won.mean())
    assert tries.win.value < tries.once.value < 5 * tries.win.value + 1e-9
    assert tries.once.low < tries.once.value < tries.once.high


def test_in_competitive_games_one_player_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_curve, "LEARNING_ORDER", 10)
    setup = make_setup("vague-verte", 2)
    curve = houle.learning_curve(setup, games=20)
    assert not setup.one_sided
    assert curve.tries is None
    assert curve.steps[0].win.value < 0.5
    assert curve.as_json()["tries"] is None
    whole = houle.simulate(setup, strategies="thumb", games=20)  # against itself, from either seat
    assert curve.steps[-1].win.value == pytest.approx(sum(side.win.value for side in whole.sides) / 2)


def test_data_sentence_and_figure(curve: LearningCurve) -> None:
    assert curve.repeat() == "houle learning-curve wave -p 3 -n 400 --seed 1"
    data = curve.as_json()
    assert [step["known"] for step in data["steps"]] == list(range(len(curve.steps)))
    assert data["tries"]["at_least_once"]["n"] == 400
    assert len(curve.frame()) == len(curve.steps)
    assert curve.sentence.endswith("nine tenths of what all rules of thumb win over random play.")
    assert draw(curve) is not None


def test_the_same_seed_gives_the_same_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its order is found on few deals here: that takes most of the time."""
    monkeypatch.setattr(learning_curve, "LEARNING_ORDER", 10)
    one, again, other = (
        houle.learning_curve(WAVE, games=40, threads=threads, seed=seed) for threads, seed in ((2, 1), (1, 1), (1, 2))
    )
    assert one.digest == again.digest != other.digest
