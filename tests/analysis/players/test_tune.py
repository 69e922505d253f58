"""Tuning uses only training seeds and is deterministic; experts are found once for each game, and kept."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import houle
from houle.analysis.measures.measures import difference, estimate
from houle.analysis.players import experts, line_ups
from houle.analysis.players import find_expert as expert
from houle.analysis.players import refit as refitting
from houle.analysis.players import weights_file as weights
from houle.analysis.players.experts import kept_expert
from houle.analysis.players.find_expert import CAUTIONS, find_expert
from houle.analysis.players.line_ups import expert_strategy, read_strategy
from houle.analysis.players.refit import made_for_print
from houle.analysis.players.tune import Tuning, run_task
from houle.analysis.players.tuning_run import TuningInterrupted, TuningTask, thumb
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, against, play
from houle.solver.errors import FileError, InputError
from houle.solver.players import player
from houle.solver.players.names import parse
from houle.solver.players.player import CAUTION, player_record, weights_entry
from houle.solver.rules import Setup, make_setup, printed
from houle.solver.rules.game_folders import VARIABLE, look_in

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


@contextmanager
def weights_in(file: Path) -> Iterator[None]:
    """WAVE with the weights of a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(player, "weights_file", lambda game: file)
        player.weights_of.cache_clear()
        yield
    player.weights_of.cache_clear()


@pytest.fixture(scope="module")
def two_players(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A weights file with a simple player, and with a `beginner` of bad weights."""
    bad = {"name": "beginner", "noise": 10.0, "caution": 2.0, "weights": BAD}
    simple = {"name": "simple", "weights": {"room": 1}}
    file = tmp_path_factory.mktemp("weights") / "weights.toml"
    file.write_text(weights.as_toml(simple) + weights.as_toml(bad))
    return file


@pytest.fixture(scope="module")
def tuning(two_players: Path) -> Tuning:
    """A short tuning from the bad weights."""
    with weights_in(two_players):
        return run_task(small())


def small(threads: int | None = None) -> TuningTask:
    spec = RunSpec(200, 1000, threads=threads)
    return TuningTask(
        make_setup("wave", 3), spec=spec, name="beginner", generations=12, population=10, check_games=2000
    )


def test_a_short_tuning_improves_a_bad_start(tuning: Tuning, two_players: Path) -> None:
    """Far better than the bad weights it started from and than a simple player, on deals of another seed."""
    setup = make_setup("wave", 3)
    players = [thumb(tuning.weights), thumb(BAD), parse("thumb[weights=simple]")]
    with weights_in(two_players):
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


def test_ctrl_c_shows_the_command_for_finished_generations() -> None:
    games = []

    def stop(done: int, seconds: float) -> None:
        games.append(done)
        if done > 2 * 4 * 20:
            raise KeyboardInterrupt

    task = TuningTask(
        make_setup("wave", 3),
        spec=RunSpec(20, 1000, progress=stop),
        name="mine",
        generations=5,
        population=4,
        check_games=100,
    )
    with pytest.raises(
        TuningInterrupted, match="interrupted after 2 generations; exactly this part again: houle tune wave"
    ):
        run_task(task)
    assert "--generations 2 --population 4 -n 20" in replace(task, generations=2).command


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


OPEN = make_setup("wave", 3, settings={"talk": "known"})


@pytest.fixture
def no_expert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """WAVE as if it came without an expert, and an empty folder for what is found."""
    for module in (line_ups, expert):
        monkeypatch.setattr(module, "expert_of_game", lambda setup: "")
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(expert, "TRIED", "flat:2")
    monkeypatch.setattr(expert, "GAMES", 4)
    return tmp_path / experts.FILE


def test_an_expert_is_found_once_and_kept(no_expert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert expert_strategy(OPEN) == "flat:200"
    found = find_expert(OPEN)
    assert found in ("thumb", *(f"flat:200[caution={caution:g}]" for caution in CAUTIONS))
    assert found == kept_expert(OPEN) == expert_strategy(OPEN) == read_strategy("expert", OPEN).code
    assert kept_expert(make_setup("wave", 4, settings={"talk": "known"})) == ""
    monkeypatch.setattr(expert, "GAMES", -1)  # would be refused
    assert find_expert(OPEN) == found


def test_thumb_is_the_expert_where_searches_lose(no_expert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that only imagine one world without caution lose to the rules of thumb with silent partners."""
    silent = make_setup("wave", 3, settings={"talk": "silent"})
    monkeypatch.setattr(expert, "TRIED", "flat:1")
    monkeypatch.setattr(expert, "CAUTIONS", (0.0,))
    monkeypatch.setattr(expert, "GAMES", 100)
    assert find_expert(silent) == "thumb"


@pytest.mark.quick
def test_a_broken_file_of_experts_is_named(no_expert: Path) -> None:
    no_expert.write_text('"wave 1" = 7\n')
    with pytest.raises(FileError, match="wave 1: 7 is not allowed"):
        kept_expert(OPEN)


OWN = make_setup("wave", 3, (), {"hand.front": 4, "hand.back": 1})

ENTRY = {"name": "thumb", "weights": {"room": 7}, "gain": [0.03, 0.02, 0.04, 800]}


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and short tunings."""
    monkeypatch.setattr(refitting, "cache_folder", lambda: tmp_path)
    for name, value in (("GENERATIONS", 2), ("POPULATION", 4), ("GAMES", 40)):
        monkeypatch.setattr(refitting, name, value)
    return tmp_path


def with_weights(setup: Setup) -> Setup:
    return Setup(
        ruleset=setup.ruleset,
        players=setup.players,
        variants=setup.variants,
        options=setup.options,
        title=setup.title,
        changed=setup.changed,
        refit=ENTRY,
    )


def test_weights_are_found_once(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = houle.refit(OWN)
    assert len(list(quick.iterdir())) == 1
    monkeypatch.setattr(refitting, "tune", None)  # a second tuning would fail
    assert houle.refit(OWN) == first
    assert first.digest == OWN.digest


def test_all_players_of_the_setup_use_the_weights() -> None:
    own = with_weights(OWN)
    assert weights_entry(parse("thumb"), own) is ENTRY
    assert weights_entry(parse("flat:20"), own) is ENTRY
    assert not printed(own).refit
    plain, fitted = (houle.difficulty(one, strategies="family", games=200) for one in (OWN, own))
    assert plain.digest != fitted.digest
    assert plain.levels[0].beside == fitted.levels[0].beside
    assert "fitted to this variant: +3.0 points (+2.0 to +4.0) more wins" in fitted.notes[-1]
    assert not any("fitted" in note for note in plain.notes)
    assert "made for the printed rules; --refit" in made_for_print(OWN)
    assert not any(map(made_for_print, (make_setup("wave", 3), own)))


EXAMPLES = Path(__file__).parents[3] / "examples" / "games"


@pytest.mark.slow
@pytest.mark.parametrize("search", ["flat:50", "ismcts:200"])
@pytest.mark.parametrize("game", ["six_nimmt", "quay"])
def test_untuned_searches_are_not_below_the_thumb(game: str, search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    look_in(EXAMPLES / game / game)
    result = houle.strength(
        houle.setup(game.replace("_", "-"), players=4), strategies=["thumb", search], games=200, seed=613
    )
    gain = result.of(result.measures[0])[-1].change
    assert gain is not None
    assert gain.high >= 0


@pytest.mark.quick
def test_partners_are_more_cautious_than_rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The team game has no weights file; WAVE's entry without a caution plays as an untuned team too."""
    monkeypatch.setenv(VARIABLE, "")
    entry = {"weights": {"room": 1}}
    bare = parse("flat:2")
    bare = type(bare)(bare.text, bare.name, budget=bare.budget, options={}, entry=entry)
    assert player_record(bare, make_setup("wave", 3))[0].caution == 1000 * CAUTION[True]
    rivals = type(bare)(bare.text, bare.name, budget=bare.budget, options={}, entry={"weights": {}})
    assert player_record(rivals, make_setup("land-unter", 3))[0].caution == 1000 * CAUTION[False]
    assert (
        player_record(type(bare)("thumb", "thumb", budget=0, options={}, entry=entry), make_setup("wave", 3))[0].caution
        == 0
    )
