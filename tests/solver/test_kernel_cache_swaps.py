"""The kernel cache never gives another kernel: swapped files, and processes that save at the same time."""

from __future__ import annotations

import multiprocessing
import random
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import types

from houle.solver.compiler import cache, kernels
from tests.support.call import PATIENCE
from tests.support.repeated import repeated

pytestmark = pytest.mark.compiled

# Arguments of different types, so each has a kernel of its own, and what `half` makes of them.
CASES = {types.int64: (9, 4.5), types.float64: (9.5, 4.75), types.float32: (0.5, 0.25)}
PLAYERS = ("random", "thumb", "first-game", "family", "regular", "flat:2", "ismcts:4", "expert")


def half(number: Any) -> Any:
    return number / 2


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_warned", set())
    return tmp_path / "cache"


def answers() -> tuple[list[float], int]:
    """What the kernels of all cases return in a new dispatcher, and how many of them were compiled."""
    compiled: list[str] = []

    def listener(entry: str, game: str) -> None:
        compiled.append(entry)

    kernels.announce.append(listener)
    try:
        entry: Any = kernels.entry(half)
        made = []
        for kind, (given, _) in CASES.items():
            entry.compile((kind,))
            made.append(float(entry(kind(given))))
    finally:
        kernels.announce.remove(listener)
    return made, len(compiled)


RIGHT = [expected for _, expected in CASES.values()]


def data_files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".nbi")


def swap(one: Path, other: Path) -> None:
    passing = one.with_name("passing")
    one.rename(passing)
    other.rename(one)
    passing.rename(other)


def test_swapped_files_are_compiled_again(root: Path) -> None:
    assert answers() == (RIGHT, len(CASES))
    first, second, *_ = data_files(root)
    swap(first, second)
    with pytest.warns(UserWarning, match="holds another kernel; it is compiled again") as said:
        assert answers() == (RIGHT, 2)
    assert len(said) == 2
    assert answers() == (RIGHT, 0)


def test_a_kernel_of_other_sources_is_compiled_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is moved to the folder of other sources is not used there."""
    assert answers() == (RIGHT, len(CASES))
    (folder,) = root.iterdir()
    monkeypatch.setattr(kernels, "source_digest", lambda games: "of-other-sources")
    shutil.copytree(folder, root / "of-other-sources")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert answers() == (RIGHT, len(CASES))


def test_versions_and_settings_have_kernels_of_their_own(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers() == (RIGHT, len(CASES))
    monkeypatch.setattr(kernels.config, "BOUNDSCHECK", 1)
    assert answers() == (RIGHT, len(CASES))
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert answers() == (RIGHT, len(CASES))
    monkeypatch.undo()


def _cut(path: Path, others: list[Path], dice: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: dice.randrange(path.stat().st_size)])


def _flip(path: Path, others: list[Path], dice: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def _swap(path: Path, others: list[Path], dice: random.Random) -> None:
    swap(path, dice.choice(others))


def _copy(path: Path, others: list[Path], dice: random.Random) -> None:
    shutil.copy(dice.choice(others), path)


def _splice(path: Path, others: list[Path], dice: random.Random) -> None:
    """The head of one file before the rest of another."""
    at = dice.randrange(200)
    path.write_bytes(path.read_bytes()[:at] + dice.choice(others).read_bytes()[at:])


def _remove(path: Path, others: list[Path], dice: random.Random) -> None:
    path.unlink()


DAMAGES: tuple[Callable[[Path, list[Path], random.Random], None], ...] = (_cut, _flip, _swap, _copy, _splice, _remove)


@repeated(few=6, many=200)
def test_no_damage_gives_a_wrong_number(root: Path, runs: int) -> None:
    dice = random.Random(1)
    assert answers() == (RIGHT, len(CASES))
    for number in range(runs):
        files = data_files(root)
        dice.shuffle(files)
        DAMAGES[number % len(DAMAGES)](files[0], files[1:], dice)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert answers()[0] == RIGHT, (number, DAMAGES[number % len(DAMAGES)].__name__)


def _save(kind: Any, made: Any, folders: list[str], together: Any) -> None:
    for folder in folders:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOULE_CACHE_DIR", folder)
            together.wait()
            kernels.SourceCache(half).save_overload((kind,), made)


@repeated(few=10, many=400)
def test_two_writers_leave_the_right_files(
    root: Path, tmp_path: Path, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes that save two kernels at the same moment."""
    kinds, entry = list(CASES)[:2], kernels.entry(half)  # with the cache `root`, where nothing is stored yet
    for kind in kinds:
        entry.compile((kind,))  # type: ignore[attr-defined]
    folders = [str(tmp_path / str(number)) for number in range(runs)]
    context = multiprocessing.get_context("fork")
    together = context.Barrier(len(kinds))
    made = entry.overloads  # type: ignore[attr-defined]
    writers = [context.Process(target=_save, args=(kind, made[(kind,)], folders, together)) for kind in kinds]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(PATIENCE)
    assert [writer.exitcode for writer in writers] == [0, 0]
    for folder in folders:
        monkeypatch.setenv("HOULE_CACHE_DIR", folder)
        for kind in kinds:
            loaded = kernels.SourceCache(half).load_overload((kind,), entry.targetctx)  # type: ignore[attr-defined]
            assert loaded.signature.args == (kind,), (folder, kind)


@pytest.mark.slow
def test_eight_processes_fill_one_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Different players of one game, started together: their results are those of a second run."""
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path))

    def start(player: str) -> subprocess.Popen[str]:
        words = ["simulate", "wave", "-s", player, "-n", "20", "-q"]
        command = [sys.executable, "-m", "houle.cli.main", *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def digest(process: subprocess.Popen[str]) -> str:
        out, err = process.communicate(timeout=10 * PATIENCE)
        assert (process.returncode, "warning" in err) == (0, False), err
        found = re.search(r"result (\w{16})", out)
        assert found, out
        return found[1]

    together = [digest(process) for process in [start(player) for player in PLAYERS]]
    again = [digest(start(player)) for player in PLAYERS]
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path / "other"))
    assert together == again == [digest(start(player)) for player in PLAYERS]
