"""Difficulty: players in order on the same deals, words by thresholds, bands and quantiles that cover."""

from __future__ import annotations

import json
import shlex
from itertools import pairwise

import numpy as np
import pytest

from houle import compare, difficulty, simulate
from houle.analysis.difficulty import difficulty as module
from houle.analysis.difficulty.difficulty import levels_of
from houle.analysis.measures.measures import bands, difficulty_span, difficulty_word, words
from houle.analysis.measures.verdicts import directions
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.read_players import role
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling import paired_arms
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import PlayedArms, Told, play_matchups
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import score_quantile, score_share
from houle.solver.errors import BudgetError, InputError
from houle.solver.players.names import parse
from houle.solver.rules import make_setup
from tests.support.call import good
from tests.support.repeated import check_coverage, repeated
from tests.support.synthetic import played, rows_of

pytestmark = pytest.mark.quick


@pytest.mark.compiled
def test_levels_in_wave() -> None:
    found = difficulty("wave", games=3_000, search_games=30, seed=2, strategies=["random", "thumb", "flat:5"])
    assert [level.strategy for level in found.levels] == ["random", "thumb", "flat:5"]
    assert [level.tally.games for level in found.levels] == [3_000, 3_000, 30]
    random, thumb, _ = found.levels
    assert random.win.high < thumb.win.low
    assert (random.word, thumb.word) == ("nearly impossible", "hard")
    assert sum(share.value for share in thumb.shares) == pytest.approx(1)
    assert thumb.shares[0].value == thumb.win.value
    same = simulate("wave", games=3_000, seed=2, strategies="thumb").sides[0]
    assert (thumb.win, thumb.score) == (same.win, same.score.interval)
    row = found.frame(whole=True).iloc[1]
    assert (row["win"], row["score_q50"], row["band_0"]) == (thumb.win.value, thumb.quantiles[0.5].value, row["win"])
    data = json.loads(json.dumps(found.as_json()))
    assert data["bands"][0] == {"band": "0", "word": "wind in your sails"}
    assert data["levels"][1]["band"]["0"] == data["levels"][1]["win"]
    assert data["verdict"][0].startswith("random wins 0.")
    assert ": nearly impossible; thumb wins " in data["verdict"][0]
    assert found.headline.startswith("random wins 0.")  # no family plays


@pytest.mark.compiled
def test_gains_over_the_player_before_are_paired() -> None:
    players = ["random", "thumb[forgets=50]", "thumb", "flat:1"]
    found = difficulty("wave", strategies=players, games=400, search_games=20)
    first, *others = found.levels
    assert first.gain is None
    for before, level in pairwise(found.levels):
        assert level.gain is not None
        assert level.gain.value == pytest.approx(level.win.value - before.win.value)
    beside = compare("wave", strategies=players[1:3], games=400, measures=["win"]).rows[1].difference
    assert beside is not None
    assert others[1].gain == beside.interval
    assert others[2].gain.n == 20  # on fewer deals, treated as independent
    assert found.as_json()["levels"][2]["gain"]["low"] == others[1].gain.low
    assert list(found.frame(whole=True)["gain"])[1:] == [level.gain.value for level in others]


@pytest.mark.compiled
def test_the_bound_has_no_word() -> None:
    found = difficulty("wave", games=20, search_games=5, strategies="clairvoyant")
    assert found.levels[0].word == ""
    assert found.verdict[0].startswith("With all cards known, ")
    assert found.repeat() == "houle difficulty wave -p 3 -s clairvoyant -n 20 --search-games 5 --seed 1"
    assert found.as_json()["notes"][-1].startswith("clairvoyant ")


@pytest.mark.compiled
def test_a_result_can_be_repeated() -> None:
    """After Ctrl-C too: the deals that were counted, with the strategies that were reached."""
    whole = difficulty("wave", games=40, search_games=4, strategies="random,thumb,flat:2")
    assert whole.repeat() == "houle difficulty wave -p 3 -s random,thumb,flat:2 -n 40 --search-games 4 --seed 1"
    data = whole.as_json()
    assert (data["strategies"], data["games"], data["asked"]) == (["random", "thumb", "flat:2"], 40, 40)

    class Impatient:
        def __call__(self, done: int, seconds: float) -> None:
            if done >= 2 * 40:
                raise KeyboardInterrupt

    part = difficulty(
        "wave", games=40, search_games=30, strategies="random,thumb,flat:2", threads=1, progress=Impatient()
    )
    assert part.interrupted
    again = json.loads(good(*shlex.split(part.repeat())[1:], "--json"))
    assert again["result_digest"] == part.digest
    assert not again["interrupted"]


def test_players_that_are_ready_are_kept() -> None:
    """Rows come one by one. Ctrl-C leaves out the player that was not ready, and the rest can be repeated."""

    lines = list[str]()

    class Impatient:
        def tell(self, line: str) -> None:
            lines.append(line)

        def __call__(self, done: int, seconds: float) -> None:
            if done > 2 * 40:
                raise KeyboardInterrupt

    options = {"games": 40, "strategies": "random,thumb[forgets=50],thumb,random", "seed": 4, "threads": 1}
    part = difficulty("wave", **options, progress=Impatient())
    ready = difficulty("wave", **{**options, "strategies": "random,thumb[forgets=50]"})
    assert part.interrupted
    assert not ready.interrupted
    assert [line.partition(" wins ")[0] for line in lines] == ["random", "thumb[forgets=50]"]
    assert lines[0].endswith(", 40 deals")
    assert part.digest == ready.digest
    assert part.repeat() == ready.repeat()


def test_playing_in_turn_changes_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    arms = [Arm(line_up(make_setup("wave", 3), name)) for name in ("random", "thumb", "thumb[forgets=50]")]
    spec = RunSpec(50, seed=3, first=7, threads=1)
    in_turn = play_matchups(arms, spec, lambda arm, played: None)
    monkeypatch.setattr(paired_arms, "MOST_KEPT", 0)
    side_by_side = play_matchups(arms, spec, lambda arm, played: None)
    assert in_turn.digest == side_by_side.digest
    assert [one.matchup.products.tolist() for one in in_turn.batches[0].arms] == [
        one.matchup.products.tolist() for one in side_by_side.batches[0].arms
    ]


def test_competitive_games_are_sent_to_strength() -> None:
    with pytest.raises(InputError, match="see houle strength land-unter"):
        difficulty("land-unter")
    stages, _ = levels_of(make_setup("vague-attaque", 1), ["random"])
    assert len(stages) == 1


def test_words_cover_every_rate() -> None:
    levels = words()["difficulty"]
    ends = [level["least"] for level in levels]
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] == 0
    assert difficulty_word(0.0) == "nearly impossible"
    assert difficulty_word(1.0) == levels[0]["word"]
    assert difficulty_span(Estimate(0.4, 0.35, 0.45, 9)) == "hard to medium"
    assert difficulty_span(Estimate(0.3, 0.25, 0.35, 9)) == "hard"
    assert "100" in role(parse("flat:100"))
    assert "400" in role(parse("ismcts:400[explore=1]"))


def test_bands_follow_the_knob() -> None:
    assert [band.label for band in bands(make_setup("wave", 3))] == ["0", "1-2", "3-5", "6-10", "11+"]
    other = bands(make_setup("wave", 3, settings={"bands": [0, 4]}))
    assert [(band.label, band.word) for band in other] == [("0", ""), ("1-4", ""), ("5+", "")]
    assert bands(make_setup("vague-attaque", 1)) == []


@pytest.mark.compiled
@repeated(200, 1_000)
@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantiles_cover(q: float, runs: int) -> None:
    """200 games of a skewed score: the true quantile is missed in at most 5%."""
    draws = np.random.default_rng(8)
    truth = int(np.quantile(draws.poisson(4.3, 10**6), q, method="inverted_cdf"))
    covered = 0
    for _ in range(runs):
        points = draws.poisson(4.3, 200)
        found = score_quantile(played([rows_of(points == 0, points)]).tally(0), 0, q)
        assert found.value == np.quantile(points, q, method="inverted_cdf")
        covered += found.low <= truth <= found.high
    check_coverage(covered, runs, 0.95)


def test_shares_of_scores() -> None:
    points = np.array([0, 0, 3, 5, 11, 30])
    tally = played([rows_of(points == 0, points)]).tally(0)
    assert score_share(tally, 0, 0, 0).value == pytest.approx(2 / 6)
    assert score_share(tally, 0, 3, 5).value == pytest.approx(2 / 6)
    assert score_share(tally, 0, 11, None).value == pytest.approx(2 / 6)


def test_words_for_directions() -> None:
    base, virage = (make_setup("wave", 3, variants) for variants in ([], ["virage"]))
    one, two, three = (
        Arm(line_up(setup, name)) for setup, name in ((base, "thumb"), (virage, "thumb"), (base, "random"))
    )
    assert directions("win", one, two) == ("easier", "harder")
    assert directions("score", one, two) == ("harder", "easier")
    assert directions("win", one, three) == ("better", "worse")
    assert directions("win", two, three) == ("wins more", "wins less")
    assert directions("length", one, two) == ("longer", "shorter")
    rivals = [Arm(line_up(make_setup("land-unter", 3, settings={"hand": hand}), "random")) for hand in (12, 11)]
    assert directions("score", *rivals) == ("higher", "lower")


def test_slow_players_do_not_cost_the_results_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players that need more than the budget are left out; each other level is printed when it is known."""

    lines = list[str]()

    class Shown:
        def tell(self, line: str) -> None:
            lines.append(line)

        def __call__(self, games: int, seconds: float) -> None: ...

    def play(arms: list[Arm], spec: RunSpec, tell: Told) -> PlayedArms:
        if arms[0].label != "random":
            raise BudgetError("needs about 20 min")
        return play_matchups(arms, spec, tell)

    monkeypatch.setattr(module, "play_matchups", play)
    found = difficulty("wave", games=4, search_games=4, strategies=["random", "flat:5"], progress=Shown())
    assert [level.strategy for level in found.levels] == ["random"]
    assert found.left_out == (("flat:5", "needs about 20 min"),)
    assert [line.partition(" wins ")[0] for line in lines] == ["random"]
    with pytest.raises(BudgetError):
        difficulty("wave", games=4, search_games=4, strategies=["flat:5"])
