"""Only code that the user named runs: by GAME, --game-path, HOULE_GAMES or an installed package."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.analysis.checks.check import fault_without_compiler
from houle.solver import trusted_code
from houle.solver.errors import InputError
from houle.solver.rules import broken_games
from houle.solver.rules.game_folders import GROUP, _homes, home, is_plain, name_plain, named_plain
from tests.support.call import call
from tests.support.sources import ROOT, python_files

pytestmark = pytest.mark.quick

HEAD = "deal=7/0&seats=,thumb,thumb&moves=&players=3"


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    before = set(named_plain)
    yield
    named_plain.clear()
    named_plain.update(before)


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Code in a folder of its own that leaves a mark beside it when it runs."""
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)  # as in a process that was started for such code
    file = tmp_path / "elsewhere" / "evil.py"
    file.parent.mkdir(0o700)
    file.write_text(f"open({str(file.with_name('ran'))!r}, 'w').close()\n")
    return file


def ran(evil: Path) -> bool:
    return evil.with_name("ran").exists()


def test_game_and_game_path_name_code(evil: Path) -> None:
    """The mark works: this code was named."""
    assert "no class Game" in call("rules", str(evil)).stderr
    assert ran(evil)
    evil.with_name("ran").unlink()
    record = evil.with_name("record.txt")
    record.write_text(f"game: {evil}\n")
    assert "no class Game" in call("--game-path", str(evil), "review", str(record)).stderr
    assert ran(evil)


@pytest.mark.parametrize("start", ["?", "", "http://127.0.0.1:8573/TOKEN/table?", "file:///"])
@pytest.mark.parametrize("way", ["relative", "absolute"])
def test_links_name_no_code(evil: Path, start: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With enough `..` a whole link and the game in it are the same file."""
    monkeypatch.chdir(evil.parents[1])
    file = str(evil) if way == "absolute" else "../" * 20 + str(evil).lstrip("/")
    for link in (f"{start}{HEAD}&game={file}", f"{start}game={file}"):
        for words in (("play", link), ("simulate", link, "-n", "1"), ("rules", link)):
            refused = call(*words)
            assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1), words
            assert not ran(evil), words


@pytest.mark.parametrize(
    "words",
    [
        "review {record} -o {evil}",
        "play {record} --results {evil}",
        "study run {study} -o {evil}",
        "simulate wave --rules {evil}",
        "simulate wave -s {evil}",
        "rules wave -v {evil}",
        "simulate wave --set deck={evil}",
        "advise wave --position {evil}",
        "advise wave --position game:{evil}",
        "play wave --record {evil}",
        "players wave --fit {evil}",
        "new {evil}",
    ],
)
def test_other_words_name_no_code(evil: Path, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record, study = tmp_path / "record.txt", tmp_path / "study.toml"
    record.write_text(f"game: {evil}\nplayers: 3\n")
    study.write_text(f'game = "{evil}"\ngames = 1\n')
    done = call(*words.format(record=record, study=study, evil=evil).split())
    assert not ran(evil)
    assert done.exit_code == 2, done.output
    assert not named_plain & {evil}


def test_a_path_names_only_a_file_that_exists(evil: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(evil.parents[1])
    name_plain("no-such-folder/../elsewhere/evil.py")
    assert not named_plain & {evil}
    name_plain("elsewhere/../elsewhere/evil.py")
    assert evil in named_plain
    assert not is_plain(f"?game={evil}")


CODE_OF_OTHERS = {
    "the file": ("evil.py", 0o666),
    "a module beside it": ("helper.py", 0o606),
    "its folder": (".", 0o1777),
    "a package": ("package", 0o1777),
    "a module in a package": ("package/inner.py", 0o602),
    "a folder above": ("..", 0o777),
}


@pytest.mark.parametrize("case", CODE_OF_OTHERS)
def test_code_that_others_may_write_is_refused(evil: Path, case: str) -> None:
    (evil.parent / "package").mkdir(0o700)
    evil.write_text(f"import helper\nfrom package import inner\n{evil.read_text()}")
    for name in ("helper.py", "package/__init__.py", "package/inner.py"):
        (evil.parent / name).write_text("")
    name, mode = CODE_OF_OTHERS[case]
    (evil.parent / name).chmod(mode)
    name_plain(str(evil))
    with pytest.raises(InputError, match=f"others may write to {(evil.parent / name).resolve()}; use chmod go-w"):
        home(str(evil))
    assert not ran(evil)


def test_links_are_trusted_as_far_as_their_targets(evil: Path, tmp_path: Path) -> None:
    """A file may be a link, unless others could replace something on the way to its target."""
    inner = tmp_path / "shared" / "mine"
    inner.mkdir(0o700, parents=True)
    evil.rename(inner / "game")
    evil.symlink_to(Path("..") / "shared" / "mine" / "game")
    assert trusted_code.distrusted_code(evil) == ""
    (tmp_path / "shared").chmod(0o777)
    assert "shared; use chmod go-w" in trusted_code.distrusted_code(evil)
    (tmp_path / "shared").chmod(0o1777)
    assert trusted_code.distrusted_code(evil) == "", "nobody can replace files of others in a sticky folder"
    (inner / "game").chmod(0o666)
    assert f"others may write to {inner / 'game'}" in trusted_code.distrusted_code(evil)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may give links away")
def test_links_of_other_users_are_refused(evil: Path, tmp_path: Path) -> None:
    """Their owner could point them elsewhere."""
    (tmp_path / "link").symlink_to(evil.parent)
    os.chown(tmp_path / "link", 12_345, -1, follow_symlinks=False)
    assert trusted_code.distrusted_code(tmp_path / "link" / "evil.py") == f"{tmp_path / 'link'} belongs to another user"


def test_only_code_that_can_run_must_be_trusted(evil: Path) -> None:
    (evil.parent / "unused.py").write_text("")
    (evil.parent / "unused.py").chmod(0o666)
    assert trusted_code.distrusted_code(evil) == ""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may give files away")
def test_code_of_other_users_is_refused(evil: Path) -> None:
    os.chown(evil, 12_345, -1)
    refused = call("simulate", str(evil), "-n", "1")
    assert f"{evil} belongs to another user" in refused.stderr
    assert (refused.exit_code, ran(evil)) == (2, False)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root may give folders away")
def test_folders_above_may_belong_to_the_administrator(evil: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of any other folder could put another file in the place of yours."""
    monkeypatch.setattr(trusted_code, "user_id", lambda: 12_345)
    for place in (evil, evil.parent):
        os.chown(place, 12_345, -1)
    assert trusted_code.distrusted_code(evil) == ""
    above = evil.parent.parent.resolve()
    os.chown(above, 54_321, -1)
    assert trusted_code.distrusted_code(evil) == f"{above} belongs to another user"


def test_listing_imports_no_package(evil: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages with an entry point are found by their files."""
    site = evil.parents[1]
    package = site / "evil_package"
    package.mkdir()
    evil.rename(package / "__init__.py")
    (package / "my_g.py").write_text("")
    facts = site / "evil_package-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: evil-package\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[{GROUP}]\nmy-g = evil_package.my_g\nlost = evil_package.lost.lost\n")
    monkeypatch.syspath_prepend(str(site))
    importlib.invalidate_caches()
    _homes.cache_clear()
    try:
        assert home("my-g").folder == package
        problems = {one.name: one.problem for one in broken_games()}
        assert problems["lost"] == "there is no module evil_package.lost.lost"
        assert not ran(evil)
        assert "evil_package" not in sys.modules
    finally:
        _homes.cache_clear()


@pytest.mark.compiled
def test_files_of_the_current_folder_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They could stand in for Python's own modules in processes that houle starts."""
    for name in ("tomllib", "json", "random", "numba"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    assert "unknown game" in fault_without_compiler("no-such-game")
    assert not Path("ran").exists()


def test_new_processes_are_started_in_one_place() -> None:
    """Which adds -P; anything else that runs Python would put the current folder first."""
    found = {
        path.relative_to(ROOT).as_posix() for path in python_files() if "sys.executable" in path.read_text("utf-8")
    }
    assert found == {"solver/trusted_code.py", "cli/commands/demo.py"}  # the second prints how to type the command
