"""Tuning: training seeds only, a bad start becomes a better player, and the same task finds the same weights."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from houle.analysis.sampling.same_deals import against, same_deals
from houle.analysis.tuning import weights_file as weights
from houle.analysis.tuning.scales import RATING, Scales
from houle.analysis.tuning.search import Tuning, TuningInterrupted, run_task
from houle.analysis.tuning.task import TuningTask, thumb
from houle.solver.errors import InputError
from houle.solver.ruleset import make_setup
from houle.solver.strategies import player
from houle.solver.strategies.names import parse

BAD = {"room": -10, "next_ready": -5}


@pytest.mark.parametrize("seed", [0, 7, 999])
def test_evaluation_seeds_are_refused(seed: int) -> None:
    with pytest.raises(InputError, match=f"seed: {seed} is not allowed; allowed for tuning: 1000 and above"):
        TuningTask(make_setup("wave", 3), "thumb", 2, 4, 10, seed=seed)


def test_training_seeds_are_refused_for_the_measurement() -> None:
    with pytest.raises(InputError, match="check_seed: 1000 is not allowed"):
        TuningTask(make_setup("wave", 3), "thumb", 2, 4, 10, check_seed=1000)


def test_a_team_has_no_opponents() -> None:
    with pytest.raises(InputError, match="one side"):
        TuningTask(make_setup("wave", 3), "thumb", 2, 4, 10, opponents=("random",))
    with pytest.raises(InputError, match="greedy is not tuned"):
        TuningTask(make_setup("wave", 3), "greedy", 2, 4, 10)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tuning]:
    """A short tuning from bad weights, which a weights file has as those of a beginner."""
    folder = tmp_path_factory.mktemp("weights")
    bad = {"name": "beginner", "noise": 10.0, "caution": 2.0, "weights": BAD}
    greedy = {"name": "greedy", "weights": {"room": 1}}
    file = folder / "weights.toml"
    file.write_text(weights.as_toml(greedy) + weights.as_toml(bad))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(player, "weights_file", lambda game: file)
        player.weights_of.cache_clear()
        yield run_task(small())
    player.weights_of.cache_clear()


def small() -> TuningTask:
    return TuningTask(make_setup("wave", 3), "beginner", 12, 10, 200, seed=1000, check_games=2000)


def test_a_short_tuning_improves_a_bad_start(found: Tuning) -> None:
    """Far better than the bad weights it started from and than the obvious player, on deals of another seed."""
    setup = make_setup("wave", 3)
    players = [thumb(found.weights), thumb(BAD), parse("greedy")]
    deals = same_deals(setup, [against(setup, one, None) for one in players], 11, 3000)
    assert deals.gain(0, 1).low > 0.05
    assert deals.gain(0, 2).low > 0.05
    reach = found.reach[""]
    assert reach.n == 2000
    assert reach.low < deals.share(0) + 0.02
    assert reach.high > deals.share(0) - 0.02
    assert found.better is not None
    assert found.better.low > 0.05
    assert found.improved
    assert found.kept["caution"] == 2.0
    assert found.kept["noise"] > 10


def test_the_novice_is_half_way(found: Tuning) -> None:
    setup = make_setup("wave", 3)
    assert found.novice is not None
    players = [parse("random"), thumb(found.weights, found.novice), thumb(found.weights)]
    deals = same_deals(setup, [against(setup, one, None) for one in players], 11, 4000)
    half = (deals.share(0) + deals.share(2)) / 2
    assert deals.share(1) == pytest.approx(half, abs=0.04)


def test_the_same_task_finds_the_same_weights(found: Tuning) -> None:
    again = run_task(replace(small(), threads=1))
    assert again.weights == found.weights
    assert again.novice == found.novice
    assert again.reach == found.reach


def test_ctrl_c_names_the_command_that_ends_there() -> None:
    games = []

    def stop(done: int, seconds: float) -> None:
        games.append(done)
        if done > 2 * 4 * 20:
            raise KeyboardInterrupt

    task = TuningTask(make_setup("wave", 3), "mine", 5, 4, 20, check_games=100)
    with pytest.raises(TuningInterrupted, match="interrupted after 2 generations; this ends there: houle tune wave"):
        run_task(task, stop)
    assert "--generations 2 --population 4 -n 20" in replace(task, generations=2).command


def test_scales_make_features_alike() -> None:
    scales = Scales.measured(make_setup("wave", 3), {}, 1000)
    assert {"room", "next_risk"} <= set(scales.names)
    assert {"swap", "hide"} <= set(scales.idle)
    found = scales.weights(scales.vector({"room": 3, "next_ready": 40}))
    assert scales.size(found) == pytest.approx(RATING, rel=0.02)
    assert found["next_ready"] / found["room"] == pytest.approx(40 / 3, rel=0.02)


def test_an_entry_is_written_in_the_place_of_the_one_before(found: Tuning, tmp_path: Path) -> None:
    file = tmp_path / "wave.toml"
    file.write_text('# by hand\n\n[[player]]\nname = "greedy" # plain\n[player.weights]\nroom = 1\n')
    entry = found.entry
    for _ in range(2):
        weights.store("wave", entry, file)
    other = {**entry, "when": {"players": 3, "hand.front": 4, "talk": "open"}}
    weights.store("wave", other, file)
    text = file.read_text()
    assert text.startswith('# by hand\n\n[[player]]\nname = "greedy" # plain\n')
    players = tomllib.loads(text)["player"]
    assert players == [{"name": "greedy", "weights": {"room": 1}}, entry, other]
    assert entry["when"] == {"players": 3}
    assert entry["tuned"]["reach"].endswith("of 2,000 games, seed 7")
    assert entry["tuned"]["games"] == 12 * 10 * 200
    assert entry["tuned"]["command"] == found.repeat() == small().command
    assert list(found.frame()["feature"]) == list(found.weights)


def test_conditions_are_what_differs_from_the_base_game() -> None:
    setup = make_setup("wave", 4, ["nazare"], {"talk": "silent"})
    assert weights.conditions(setup) == {"players": 4, "nazare": True, "talk": "silent"}
