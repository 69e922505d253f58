"""The kernel cache reads only sound files of this user, never those of another kernel; others are compiled again."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import types

from houle.solver import os_calls, trusted_code
from houle.solver.compiler import cache, kernels
from tests.support.amounts import repeated
from tests.support.call import PATIENCE

pytestmark = pytest.mark.compiled


class Planted:
    """Planted code that runs when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def twice(number: Any) -> Any:
    return number + number


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_warned", set())
    return tmp_path / "cache"


@contextmanager
def listening() -> Iterator[list[str]]:
    """The entries that are compiled meanwhile."""
    compiled: list[str] = []

    def listener(entry: str, game: str) -> None:
        compiled.append(entry)

    kernels.announce.append(listener)
    try:
        yield compiled
    finally:
        kernels.announce.remove(listener)


def play() -> bool:
    """Calls an entry as a new process would; returns whether it was compiled."""
    with listening() as compiled:
        assert kernels.entry(twice)(21) == 42
    return compiled == ["twice"]


def files(root: Path, ending: str) -> list[Path]:
    return [path for path in root.rglob(f"*{ending}") if path.is_file()]


def plant(root: Path, mark: Path) -> None:
    """Writes planted code into every file, with the right key and checksum."""
    for path in files(root, ""):
        key = path.read_bytes().split(b"\n")[1].decode()
        path.write_bytes(cache.sealed(key, Planted(mark)))


def test_cache_folders_are_private(root: Path) -> None:
    before = os.umask(0)
    try:
        assert play()
    finally:
        os.umask(before)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (root, *root.iterdir())}
    assert modes == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files(root, cache.ENDING)} == {0o600}


def given_away(path: Path) -> None:
    os.chown(path, 12_345, -1)


def opened_for_others(path: Path) -> None:
    path.chmod(0o602)


def linked(path: Path) -> None:
    path.rename(path.with_suffix(".mine"))
    path.symlink_to(path.with_suffix(".mine"))


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def socket_file(path: Path) -> None:
    path.unlink()
    os.mknod(path, stat.S_IFSOCK | 0o600)


CHANGES: dict[Callable[[Path], None], str] = {
    given_away: "may have been written by another user",
    opened_for_others: "may have been written by another user",
    linked: "cannot be read",
    damaged: "is damaged",
    pipe: "is not a plain file",
    socket_file: "cannot be read",
}


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may give files away")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("change", CHANGES)
def test_only_own_plain_files_are_read(change: Callable[[Path], None], root: Path, tmp_path: Path) -> None:
    """Any other file is compiled again with a warning, at once, and replaced."""
    mark = tmp_path / "ran"
    assert play()
    assert not play()
    plant(root, mark)
    (path,) = files(root, cache.ENDING)
    change(path)
    with pytest.warns(UserWarning, match=f"{path} {CHANGES[change]}.*; it is compiled again"):
        assert play()
    assert not mark.exists()
    assert not play()


def test_planted_code_in_own_files_would_run(root: Path, tmp_path: Path) -> None:
    """Otherwise the other tests would show nothing."""
    play()
    plant(root, tmp_path / "ran")
    play()
    assert (tmp_path / "ran").exists()


def test_a_file_in_place_of_the_folder_stops_the_cache(root: Path) -> None:
    root.write_text("a file")
    with pytest.warns(UserWarning, match="compiled code is not cached"):
        assert play()


@pytest.mark.parametrize(
    "damage",
    [lambda content: content[: len(content) // 2], lambda content: b"", lambda content: content[::-1]],
    ids=["cut", "empty", "noise"],
)
def test_a_damaged_file_is_compiled_again(root: Path, damage: Callable[[bytes], bytes]) -> None:
    assert play()
    (path,) = files(root, cache.ENDING)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(UserWarning, match=f"{path} is damaged; it is compiled again"):
        assert play()
    assert not play()


def test_a_full_disk_only_costs_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(UserWarning, match="No space left"):
        assert play()
    assert not files(root, "")  # nothing half-written stays


def test_a_group_of_one_user_may_write(tmp_path: Path) -> None:
    """Many systems give each user a group of their own, and a umask that lets it write."""
    tmp_path.chmod(0o770)
    own = tmp_path.stat()
    assert bool(trusted_code.distrust("it", own)) is not os_calls.is_private_group(own.st_gid)
    foreign = os.stat_result((*own[:5], 12_345, *own[6:]))
    assert trusted_code.distrust("it", foreign) == "others may write to it; use chmod go-w"


# Several kernels: swapped files, and processes that save at the same time.

# Arguments of different types, so each has a kernel of its own, and what `half` makes of them.
CASES = {types.int64: (9, 4.5), types.float64: (9.5, 4.75), types.float32: (0.5, 0.25)}
PLAYERS = ("random", "thumb", "first-game", "family", "regular", "flat:2", "ismcts:4", "expert")


def half(number: Any) -> Any:
    return number / 2


def answers() -> tuple[list[float], int]:
    """What the kernels of all cases return in a new dispatcher, and how many of them were compiled."""
    with listening() as compiled:
        entry: Any = kernels.entry(half)
        made = []
        for kind, (given, _) in CASES.items():
            entry.compile((kind,))
            made.append(float(entry(kind(given))))
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
