"""Safety of the kernel cache: only sound files of this user are read; all others are compiled again."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from houle.solver import os_calls, trusted_code
from houle.solver.compiler import cache, kernels

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


def play() -> bool:
    """Calls an entry as a new process would; returns whether it was compiled."""
    compiled: list[str] = []

    def listener(entry: str, game: str) -> None:
        compiled.append(entry)

    kernels.announce.append(listener)
    try:
        assert kernels.entry(twice)(21) == 42
    finally:
        kernels.announce.remove(listener)
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


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def empty(content: bytes) -> bytes:
    return b""


def noise(content: bytes) -> bytes:
    return bytes(255 - byte for byte in content)


@pytest.mark.parametrize("damage", [cut, empty, noise, flip])
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
