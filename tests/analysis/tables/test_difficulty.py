"""Difficulty: players in order on the same deals, words by thresholds, bands and quantiles, labels of print."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from houle import compare, difficulty, simulate
from houle.analysis.blocks import sentence
from houle.analysis.measures.measures import band_shares, bands, difficulty_span, difficulty_word, words
from houle.analysis.measures.verdicts import directions
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.listing import role
from houle.analysis.run_options import Progress
from houle.analysis.sampling import experiment
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.tables.difficulty import how_to_go_on, rules_beside
from houle.analysis.tables.labels import agreement, base_of_label, printed_label
from houle.analysis.tables.table import Row
from houle.solver.errors import BudgetError
from houle.solver.players.names import parse
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick


class Told(Progress):
    """A progress that keeps the lines that are shown."""

    def __init__(self) -> None:
        self.lines = list[str]()

    def tell(self, line: str) -> None:
        self.lines.append(line)

    def __call__(self, games: int, seconds: float) -> None: ...


@pytest.mark.compiled
def test_levels_in_wave() -> None:
    found = difficulty("wave", games=3_000, seed=2, strategies=["random", "thumb"])
    random, thumb = found.levels
    assert (random.label, thumb.label) == ("random", "thumb")
    assert random.value.high < thumb.value.low
    assert (random.note, thumb.note) == ("nearly impossible", "hard")
    shares = band_shares(found.sample.tally(thumb.number), bands(found.main))
    assert sum(share.value for share in shares) == pytest.approx(1)
    assert shares[0].value == thumb.value.value
    same = simulate("wave", games=3_000, seed=2, strategies="thumb").sides[0]
    score = found.row("thumb", "score")
    assert score is not None
    assert (thumb.value, score.value) == (same.win, same.score.interval)
    assert sentence(found.blocks()[0]).startswith("Nearly impossible for players who move at random: they win 0.")


@pytest.mark.compiled
def test_families_are_the_verdict() -> None:
    """Four levels by default; the first sentence is about families, the last line says how to see others."""
    found = difficulty("wave", games=60)
    assert [row.label for row in found.levels] == ["first-game", "family", "regular", "seasoned"]
    assert " for families: they win " in sentence(found.blocks()[0])
    assert "-s expert plays players who plan ahead, -s clairvoyant" in sentence(found.remarks[-1])


def test_players_that_are_shown_are_not_offered() -> None:
    wave, some = make_setup("wave", 3), Estimate(0.5, 0.4, 0.6, 100)
    for who, offered in (("thumb", [True, True]), ("expert", [False, True]), ("clairvoyant", [True, False])):
        line = sentence(
            how_to_go_on(wave, [Row(arm=Arm(line_up(wave, who)), number=0, label=who, measure="win", value=some)])
        )
        assert [f"-s {name}" in line for name in ("expert", "clairvoyant")] == offered


@pytest.mark.compiled
def test_gains_over_the_player_before_are_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of a search, on the deals that both have played."""
    monkeypatch.setattr(experiment, "LEAST_SEARCHED", 20)
    players = ["random", "thumb[forgets=50]", "thumb", "flat:1"]
    found = difficulty("wave", strategies=players, games=400)
    first, *others = found.levels
    assert first.change is None
    assert list(found.frame()["games"].unique()) == [400, 20]
    for before, row in pairwise(found.levels[:3]):
        assert row.change is not None
        assert row.change.value == pytest.approx(row.value.value - before.value.value)
        assert row.against == before.label
    beside = compare("wave", strategies=players[1:3], games=400, measures=["win"]).rows[1].change
    assert others[1].change == beside
    fewer = compare("wave", strategies=players[2:], games=20, measures=["win"]).rows[1].change
    assert fewer is not None
    assert others[2].change == fewer
    assert fewer.n == 20


@pytest.mark.compiled
def test_own_rules_are_compared_with_print() -> None:
    own = make_setup("wave", 3, settings={"hand.front": 4})
    found = difficulty(own, strategies=["random", "thumb"], games=500)
    assert [row.against for row in found.levels] == ["random, printed rules", "thumb, printed rules"]
    same = compare([make_setup("wave", 3), own], strategies="thumb", games=500, measures=["win"]).rows[1]
    row = found.row("thumb")
    assert row is not None
    assert (row.change, row.beside) == (same.change, same.beside)
    assert row.verdict.text == "easier"
    assert [[cells[0] for cells in block["rows"]] for block in found.tables()] == [["random", "thumb"]] * 2
    assert (
        "Compared with the printed rules: no difference shown for random (at most 1.4 points); easier for thumb."
        in [sentence(block) for block in found.sentences]
    )
    alone = difficulty(own, strategies=["random", "thumb"], games=500, alone=True)
    assert [row.against for row in alone.levels] == ["", "random"]
    assert alone.levels[1].value == found.levels[1].value


@pytest.mark.compiled
def test_the_bound_has_no_word() -> None:
    found = difficulty("wave", games=5, strategies="clairvoyant")
    assert found.levels[0].note == "the most possible"
    assert sentence(found.sentences[0]).startswith("With all cards known, ")
    assert found.repeat() == "houle difficulty wave -p 3 -s clairvoyant -n 5 --seed 1"
    assert found.as_json()["notes"][-1].startswith("clairvoyant ")


@pytest.mark.compiled
def test_players_are_shown_one_by_one() -> None:
    """Ctrl-C keeps those that are ready; what was played of the next is shown with its own number of deals."""

    class Impatient(Told):
        def __call__(self, done: int, seconds: float) -> None:
            if done > 2 * 300:
                raise KeyboardInterrupt

    options = {"games": 300, "strategies": "random,thumb[forgets=50],thumb,random", "seed": 4, "threads": 1}
    progress = Impatient()
    part = difficulty("wave", **options, progress=progress)
    ready = difficulty("wave", **{**options, "strategies": "random,thumb[forgets=50]"})
    assert part.interrupted
    assert not ready.interrupted
    assert [line.partition(" wins ")[0] for line in progress.lines] == ["random", "thumb[forgets=50]"]
    assert progress.lines[0].endswith(", 300 deals")
    assert [row.value for row in part.levels[:2]] == [row.value for row in ready.levels]
    assert all(row.value.n < 300 for row in part.levels[2:])


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
    progress = Told()
    play_games = experiment.play_games

    def play(plays: Any, *rest: Any, **named: Any) -> float:
        if plays[0].line_up.names[0] != "random":
            raise BudgetError("needs about 20 min")
        return play_games(plays, *rest, **named)

    monkeypatch.setattr(experiment, "play_games", play)
    found = difficulty("wave", games=4, strategies=["random", "flat:5"], progress=progress)
    assert [row.label for row in found.levels] == ["random"]
    assert found.left_out == (("flat:5", "needs about 20 min"),)
    assert not found.interrupted
    assert [line.partition(" wins ")[0] for line in progress.lines] == ["random"]
    with pytest.raises(BudgetError):
        difficulty("wave", games=4, strategies=["flat:5"])


BASE, VIRAGE = make_setup("wave", 3), make_setup("wave", 3, ("virage",))

TIDES = make_setup("wave", 3, ("tide-colours", "tide-numbers"))


def test_variants_have_the_label_of_print() -> None:
    assert [printed_label(setup) for setup in (BASE, VIRAGE, TIDES)] == ["", "easy", "harder"]
    assert printed_label(make_setup("wave", 3, ("nazare",))) == "expert"
    assert printed_label(make_setup("wave", 3, ("virage", "nazare"))) == ""  # easy and for experts


def test_a_labelled_variant_is_compared_with_the_base_game() -> None:
    for setup in (VIRAGE, TIDES):
        base = base_of_label(setup)
        assert base is not None
        assert base.digest == BASE.digest
    assert base_of_label(BASE) is None
    own = make_setup("wave", 3, ("virage",), {"hand.back": 3})
    assert base_of_label(own) is None
    beside = rules_beside(own)
    assert beside is not None
    assert beside.digest == VIRAGE.digest


def test_levels_that_agree_are_listed_with_the_difference() -> None:
    more = {
        "first-game": Estimate(0.04, 0.02, 0.06, n=100, unit=POINTS),
        "family": Estimate(-0.05, -0.07, -0.03, n=100, unit=POINTS),
        "expert": Estimate(0.01, -0.02, 0.04, n=100, unit=POINTS),
    }
    (line,) = agreement(VIRAGE, more)
    said = line.partition("The rulebook calls virage easy. houle's people agree: ")[2]
    assert [part.split(" points")[0] for part in said.split("; ")] == [
        "first-game +4.0",
        "disagree: family -5",
        "not shown for expert +1",
    ]
    (line,) = agreement(TIDES, more)
    assert "agree: family" in line
    assert "disagree: first-game" in line
    assert agreement(BASE, more) == []
    (line,) = agreement(VIRAGE, {"family": more["family"]}, lower_is_better=True)
    assert "people agree: family" in line
