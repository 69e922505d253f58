"""Safety of the kernel cache: only private folders are used, and damaged files are compiled again."""

from __future__ import annotations

import os
import stat
import warnings
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


def test_planted_code_in_an_open_folder_never_runs(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    assert play()
    assert not play()
    plant(root, mark)
    root.chmod(0o777)
    with pytest.warns(UserWarning, match=f"compiled code is not cached: others may write to {root}; use chmod go-w"):
        assert play()
    assert not mark.exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert play()  # it warns once
    root.chmod(0o700)
    play()
    assert mark.exists()  # the planted code works


@pytest.mark.parametrize("mode", [0o770, 0o702], ids=["group", "others"])
def test_any_writable_part_stops_the_cache(
    root: Path, mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "ran"
    monkeypatch.setattr(trusted_code, "is_private_group", lambda number: False)
    play()
    plant(root, mark)
    (inner,) = root.iterdir()
    for path in (tmp_path, inner, files(root, cache.ENDING)[0]):
        cache._warned.clear()
        kept = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode)
        with pytest.warns(UserWarning, match="others may write to"):
            assert play(), path
        path.chmod(kept)
    assert not mark.exists()


def test_foreign_owners_stop_the_cache(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    play()
    plant(root, mark)
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    with pytest.warns(UserWarning, match="belongs to another user"):
        assert play()
    assert not mark.exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may give folders away")
def test_foreign_folders_above_stop_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their owner could put another folder of ours in place of the cache."""
    above, mark = tmp_path / "above", tmp_path / "ran"
    root = above / "between" / "cache"
    root.parent.mkdir(0o755, parents=True)
    monkeypatch.setenv("HOULE_CACHE_DIR", str(root))
    monkeypatch.setattr(cache, "_warned", set())
    assert play()
    plant(root, mark)
    for folder in (above, root.parent):
        cache._warned.clear()
        os.chown(folder, 12_345, -1)
        with pytest.warns(UserWarning, match=f"{folder} belongs to another user"):
            assert play()
        os.chown(folder, 0, -1)
    above.chmod(0o777)
    cache._warned.clear()
    with pytest.warns(UserWarning, match=f"others may write to {above}"):
        assert play()
    assert not mark.exists()


def test_links_stop_the_cache(root: Path, tmp_path: Path) -> None:
    play()
    for path in (files(root, cache.ENDING)[0], next(root.iterdir())):
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
        cache._warned.clear()
        with pytest.warns(UserWarning, match=f"{path} is a link"):
            assert play()
        path.unlink()
        (tmp_path / "elsewhere").rename(path)


@pytest.mark.parametrize("open_place", ["target", "between"])
def test_links_into_open_folders_stop_the_cache(
    open_place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Users who may write there could put another folder in the place of the cache."""
    monkeypatch.setattr(cache, "_warned", set())
    for name in ("target", "between", "mine"):
        (tmp_path / name).mkdir(0o700)
    (tmp_path / "mine" / "link").symlink_to(tmp_path / "between" / "link")
    (tmp_path / "between" / "link").symlink_to("../target/cache")
    (tmp_path / "target" / "cache").mkdir(0o700)
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path / "mine" / "link"))
    assert play()
    assert not play()  # your own link is used
    (tmp_path / open_place).chmod(0o777)
    with pytest.warns(UserWarning, match=f"others may write to {tmp_path / open_place}"):
        assert play()


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
