"""`houle.fit`: the sentence about results of people, their setups, and what levels reach there."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.players import fit as module
from houle.analysis.players.line_ups import read_strategy
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.errors import StrategyError
from houle.solver.players.player import LineUp
from houle.solver.rules import make_setup
from houle.solver.run import Run
from houle.solver.run.tally import Tally

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3, settings={"talk": "known"})
RATES = {"first-game": 0.07, "family": 0.19, "regular": 0.32, "seasoned": 0.44}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are not played: every level wins as often as in RATES, and has no card left then."""

    def play(players: LineUp, spec: RunSpec) -> Run:
        counted, won = Tally.empty(players.setup), round(spec.games * RATES[players.names[0]])
        counted.totals[0].games = spec.games
        counted.moments[0].share = won * WHOLE_WIN
        counted.moments[0].share_squared = won * WHOLE_WIN**2
        counted.histogram[0, [0, 5]] = won, spec.games - won
        return Run(players.setup, players, spec.seed, 0, counted, spec.games, 0.0)

    monkeypatch.setattr(module, "play_line_up", play)


def evening(won: int, lost: int, **more: object) -> list[dict[str, object]]:
    return [{"result": "win", **more}] * won + [{"result": "loss", **more}] * lost


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("won", "lost", "sentence"),
    [
        (10, 30, "Your 40 results fit family and regular, and rule out first-game and seasoned."),
        (0, 1, "Your 1 result rules out none of the levels."),
        (1, 4, "Your 5 results rule out none of the levels."),
        (38, 2, "Your 40 results rule out every level: they are better than seasoned."),
        (0, 400, "Your 400 results rule out every level: they are worse than first-game."),
        (250, 750, "Your 1,000 results rule out every level: they are better than family and worse than regular."),
    ],
)
def test_sentence_says_what_fits(won: int, lost: int, sentence: str) -> None:
    assert houle.fit(WAVE, evening(won, lost)).sentence == sentence


@pytest.mark.usefixtures("made_up")
def test_scores_count_like_wins() -> None:
    """Less is better in WAVE."""
    best = houle.fit(WAVE, [{"result": 0}] * 38 + [{"result": 5}] * 2)
    assert best.sentence.endswith("they are better than seasoned.")
    assert best.played[0].score(3).value == pytest.approx(0.56 * 5)


@pytest.mark.usefixtures("made_up")
def test_a_level_fits_all_setups_or_none() -> None:
    same = houle.fit(WAVE, evening(8, 32) + evening(7, 33, variant="virage"))
    assert same.by_setup == "The same level fits all 2 setups: family."
    apart = houle.fit(WAVE, evening(3, 57) + evening(27, 33, variant="virage"))
    assert apart.sentence == "Your 120 results rule out every level: no level fits all setups."
    each = "first-game (3 players, talk=known); seasoned (3 players, virage, talk=known)"
    assert apart.by_setup == f"What fits by setup: {each}."
    assert len(apart.frame()) == 8


@pytest.mark.usefixtures("made_up")
def test_needed_results_are_named_until_settled() -> None:
    open_, settled = houle.fit(WAVE, evening(10, 30)), houle.fit(WAVE, evening(19, 81))
    assert open_.needed == "About 160 results usually leave only one of family and regular."
    assert (settled.fitting, settled.needed) == (["family"], "")


@pytest.mark.usefixtures("made_up")
def test_data_has_every_level_and_repeats(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("players,result\n" + "3,win\n" * 10 + "3,loss\n" * 30 + "3,2\n")
    fit = houle.fit(WAVE, str(file), games=2_000)
    assert fit.repeat() == f"houle players wave -p 3 --set talk=known --fit {file} -n 2000 --seed 1"
    data = fit.as_json()
    assert [row["level"] for row in data["levels"]] == [*RATES]
    assert [round(row["win"]["value"], 2) for row in data["levels"]] == [*RATES.values()]
    assert (data["setups"][0]["won"], data["setups"][0]["scores"]) == (10, {"2": 1})
    assert houle.fit(WAVE, [str(file)], games=2_000).digest == fit.digest


def test_a_saved_group_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the file holds, other players are read as ever."""
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "groups.toml").write_bytes(b"[my-group]\npoint = 3\n\xff[other")
    with pytest.raises(StrategyError, match="my-group: groups are no players any more; houle players GAME --fit FILE"):
        read_strategy("my-group")
    with pytest.raises(StrategyError, match="unknown strategy 'other'"):
        read_strategy("other")
    assert read_strategy("family").text == "family"


@pytest.mark.compiled
def test_wins_against_known_players_fit_a_level() -> None:
    rows = evening(60, 40, seats=1, others="first-game")
    fit = houle.fit(make_setup("land-unter", 3), rows, games=100)
    assert "first-game" in fit.ruled_out  # among its like it wins a third
    assert fit.as_json()["levels"][0]["others"] == "first-game"


@pytest.mark.compiled
def test_scores_are_those_of_the_own_seat() -> None:
    setup = make_setup("land-unter", 3)
    fit = houle.fit(setup, [{"result": 3, "seats": 2, "others": "random"}] * 20, games=100, seed=4)
    played = houle.simulate(setup, strategies="random,first-game,random", games=100, seed=4)
    assert [side.score.interval.value for side in played.sides].count(fit.played[0].score(0).value) == 1
    assert fit.played[0].score(0).value == played.sides[1].score.interval.value
