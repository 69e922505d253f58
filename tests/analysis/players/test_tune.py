"""Tuning uses only training seeds, improves bad weights, and is deterministic."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.measures.measures import difference, estimate
from houle.analysis.players import weights_file as weights
from houle.analysis.players.tune import Tuning, run_task
from houle.analysis.players.tuning_run import RATING, Scales, TuningInterrupted, TuningTask, thumb
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, against, play
from houle.solver.errors import InputError
from houle.solver.players import player
from houle.solver.players.names import parse
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

BAD = {"room": -10, "next_ready": -5}


@pytest.mark.quick
@pytest.mark.parametrize(
    ("seed", "facts", "fault"),
    [
        (999, {}, "seed: 999 is not allowed; allowed for tuning: 1000 and above"),
        (1000, {"check_seed": 1000}, "check_seed: 1000 is not allowed"),
        (1000, {"opponents": ("random",)}, "one side"),
        (1000, {"name": "random"}, "name: 'random' is not allowed; allowed: thumb, or a name"),
    ],
)
def test_wrong_tasks_are_refused(seed: int, facts: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        TuningTask(make_setup("wave", 3), RunSpec(10, seed), **facts)


@pytest.fixture(scope="module")
def tuning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tuning]:
    """A short tuning from the bad weights of a player `beginner` in a weights file."""
    folder = tmp_path_factory.mktemp("weights")
    bad = {"name": "beginner", "noise": 10.0, "caution": 2.0, "weights": BAD}
    simple = {"name": "simple", "weights": {"room": 1}}
    file = folder / "weights.toml"
    file.write_text(weights.as_toml(simple) + weights.as_toml(bad))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(player, "weights_file", lambda game: file)
        player.weights_of.cache_clear()
        yield run_task(small())
    player.weights_of.cache_clear()


def small(threads: int | None = None) -> TuningTask:
    spec = RunSpec(200, 1000, threads=threads)
    return TuningTask(make_setup("wave", 3), spec, "beginner", 12, 10, check_games=2000)


def test_a_short_tuning_improves_a_bad_start(tuning: Tuning) -> None:
    """Far better than the bad weights it started from and than a simple player, on deals of another seed."""
    setup = make_setup("wave", 3)
    players = [thumb(tuning.weights), thumb(BAD), parse("thumb[weights=simple]")]
    arms = tuple(against(setup, one, None) for one in players)
    deals = play(Experiment(arms, ((0, 1), (0, 2))), RunSpec(3000, 11))
    share = estimate(deals, 0, "win").value
    assert difference(deals, 0, "win", other=1).interval.low > 0.05
    assert difference(deals, 0, "win", other=2).interval.low > 0.05
    reach = tuning.reach[""]
    assert reach.n == 2000
    assert reach.low < share + 0.02
    assert reach.high > share - 0.02
    assert tuning.better is not None
    assert tuning.better.low > 0.05
    assert tuning.improved
    assert tuning.kept["caution"] == 2.0
    assert tuning.kept["noise"] > 10


def test_the_same_task_finds_the_same_weights(tuning: Tuning) -> None:
    again = run_task(small(threads=1))
    assert again.weights == tuning.weights
    assert again.reach == tuning.reach


def test_ctrl_c_shows_the_command_for_finished_generations() -> None:
    games = []

    def stop(done: int, seconds: float) -> None:
        games.append(done)
        if done > 2 * 4 * 20:
            raise KeyboardInterrupt

    task = TuningTask(make_setup("wave", 3), RunSpec(20, 1000, progress=stop), "mine", 5, 4, check_games=100)
    with pytest.raises(
        TuningInterrupted, match="interrupted after 2 generations; exactly this part again: houle tune wave"
    ):
        run_task(task)
    assert "--generations 2 --population 4 -n 20" in replace(task, generations=2).command


def test_scales_make_features_comparable() -> None:
    scales = Scales.measured(make_setup("wave", 3), {}, 1000)
    assert {"room", "next_risk"} <= set(scales.names)
    assert {"swap", "hide"} <= set(scales.idle)
    tuned = scales.weights(scales.vector({"room": 3, "next_ready": 40}))
    assert scales.size(tuned) == pytest.approx(RATING, rel=0.02)
    assert tuned["next_ready"] / tuned["room"] == pytest.approx(40 / 3, rel=0.02)


def test_an_entry_replaces_the_previous_one(tuning: Tuning, tmp_path: Path) -> None:
    file = tmp_path / "wave.toml"
    file.write_text('# by hand\n\n[[player]]\nname = "simple" # plain\n[player.weights]\nroom = 1\n')
    entry = tuning.entry
    for _ in range(2):
        weights.store("wave", entry, file)
    other = {**entry, "when": {"players": 3, "hand.front": 4, "talk": "open"}}
    weights.store("wave", other, file)
    text = file.read_text()
    assert text.startswith('# by hand\n\n[[player]]\nname = "simple" # plain\n')
    players = tomllib.loads(text)["player"]
    assert players == [{"name": "simple", "weights": {"room": 1}}, entry, other]
    assert entry["when"] == {"players": 3}
    assert entry["tuned"]["reach"].endswith("of 2,000 games, seed 7")
    assert entry["tuned"]["games"] == 12 * 10 * 200
    assert entry["tuned"]["command"] == tuning.repeat() == small().command
    assert list(tuning.frame()["feature"]) == list(tuning.weights)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("present", "when"),
    [
        ({}, {"players": 4}),
        ({"nazare": True}, {"players": 4, "nazare": True}),
        ({"players": 4, "talk": ["silent", "open"]}, {"players": 4, "talk": ["silent", "open"]}),
        ({"players": 3, "nazare": True}, {"players": 4}),
    ],
    ids=["none", "without players", "list", "only the nearest"],
)
def test_weights_are_not_bound_to_knobs(present: dict[str, Any], when: dict[str, Any]) -> None:
    """They replace the entry that fitted, with its conditions."""
    setup = make_setup("wave", 4, ["nazare"], {"talk": "silent"})
    assert weights.conditions(setup, {"when": present}) == when
