"""The device that plays games: errors, players that need the CPU, and CUDA imports in one file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.analysis.run import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.solver.errors import InputError
from houle.solver.players import player
from houle.solver.players.player import seat_strategies, weights_of
from houle.solver.rules import make_setup
from houle.solver.run import device
from houle.solver.run.playout import play_chunk as play_on_cpu
from tests.support.call import call

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[3]
CUDA_FILE = "solver/run/cuda.py"
CUDA = re.compile(r"^\s*(?:from|import) +(?:numba\.cuda|numba_cuda|cuda[ .]|numba import cuda)", re.MULTILINE)


@pytest.fixture
def on_gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(device.VARIABLE, device.GPU)
    device._warned.clear()
    yield
    device._warned.clear()


def has_card() -> bool:
    try:
        device.check_card()
    except InputError:
        return False
    return True


def test_only_one_file_imports_cuda() -> None:
    folders = ("solver", "analysis", "reports", "cli")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py") if CUDA.search(path.read_text())]
    assert [path.relative_to(ROOT).as_posix() for path in files] == [CUDA_FILE]


def test_default_device_is_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(device.VARIABLE, raising=False)
    assert device.chosen_device() == device.CPU
    monkeypatch.setenv(device.VARIABLE, "gpus")
    with pytest.raises(InputError, match=r"HOULE_DEVICE: 'gpus' is not a device.*gpu"):
        device.chosen_device()


@pytest.mark.compiled
@pytest.mark.skipif(has_card(), reason="there is a card")
def test_a_missing_card_is_reported_in_one_line(on_gpu: None) -> None:
    for strategy in ("random", "thumb"):
        with pytest.raises(InputError, match=r"^--device gpu: [^\n]*(pip install|no CUDA graphics card)[^\n]*$"):
            play_line_up(seat_strategies(make_setup("wave", 3), [strategy]), RunSpec(10))


@pytest.mark.skipif(has_card(), reason="there is a card")
def test_a_refused_device_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(device.VARIABLE, raising=False)
    ran = call("simulate", "wave", "-s", "random", "-n", "10", "--device", "gpu")
    assert ran.exit_code == 2
    assert ran.stderr.startswith("houle: --device gpu: ")
    assert ran.stderr.count("\n") == 1
    assert device.chosen_device() == device.CPU


@pytest.mark.compiled
def test_tree_search_warns_and_runs_on_cpu(on_gpu: None) -> None:
    searchers = seat_strategies(make_setup("wave", 2), ["ismcts:1"])
    with pytest.warns(UserWarning, match=r"^ismcts:1: played on the CPU") as warned:
        played = play_line_up(searchers, RunSpec(2))
    assert len(warned) == 1
    assert played.tally.as_data() == play_on_cpu(searchers, 1, 0, 2).as_data()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play_line_up(searchers, RunSpec(1))  # it warns once


def test_which_players_fit_a_card() -> None:
    def fits(name: str, game: str = "wave", talk: str = "known") -> bool:
        settings = {"talk": talk} if game == "wave" else {}
        return device._fits_a_card(seat_strategies(make_setup(game, 3, settings=settings), [name]).records[0])

    assert all(fits(name) for name in ("random", "thumb", "flat:1", "flat:1[reads=0]"))
    assert not any(fits(name) for name in ("ismcts:1", "flat:1[reads=2300]", "flat:1[judge=9]", "clairvoyant"))
    assert not fits("flat:1", talk="points")  # it weighs worlds by signals


def test_weights_may_force_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("wave", 3)
    reading = [entry | {"reads": 2300} for entry in weights_of("wave")]
    monkeypatch.setattr(player, "weights_of", lambda game: reading)
    assert not device._fits_a_card(seat_strategies(setup, ["flat:1"]).records[0])


@pytest.mark.slow
def test_gpu_lanes_search_as_the_cpu() -> None:
    """The code for a card in Python threads: two blocks of four lanes, with a thumb among the players."""
    words = ["wave", "2", "3", "flat:30", "thumb"]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.support.card_by_hand", *words],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    on_cpu, on_card = json.loads(ran.stdout)
    assert on_card == on_cpu
