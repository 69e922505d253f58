"""Users' games: found by a folder or an entry point, refused in one line, and never in the way of other games."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from houle.analysis.result import command_line, game_path
from houle.solver.errors import InputError
from houle.solver.rules import broken_games, game_names, home, load, make_setup
from houle.solver.rules.game_folders import VARIABLE, _homes, find_game
from houle.solver.sources import outside
from tests.support.call import call, good
from tests.support.toys.quay_beside import FOLDER

pytestmark = pytest.mark.quick

SHIPPED = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    _homes.cache_clear()


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Copies an example under another name into a folder that is searched for games."""

    def made(name: str, code: str | None = None, rules: str | None = None) -> Path:
        folder = tmp_path / name
        shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "quay.py").rename(folder / "game.py")
        if code is not None:
            (folder / "game.py").write_text(code)
        if rules is not None:
            (folder / "rules.toml").write_text(rules)
        for path in (folder, *folder.iterdir()):
            path.chmod(path.stat().st_mode & ~0o022)
        monkeypatch.setenv(VARIABLE, os.pathsep.join(filter(None, (os.environ[VARIABLE], str(folder)))))
        return folder

    return made


def test_a_folder_is_a_game(make: Make) -> None:
    folder = make("my-quay")
    assert game_names() == [*SHIPPED, "my-quay"]
    assert (home("my_quay").folder, home("my-quay").is_outside, home("wave").is_outside) == (folder, True, False)
    assert load("my-quay").title == "Quay"
    page = " ".join(good("games").split())
    assert f"my-quay lives in {folder}" in page
    listed = {one["game"]: one["from"] for one in json.loads(good("games", "--json"))}
    assert listed["my-quay"] == str(folder)
    assert listed["wave"] == "houle"


def test_game_path_may_stand_anywhere(tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make("near")
    for words in (("--game-path", str(folder), "rules", "near"), ("rules", f"--game-path={folder}", "near")):
        monkeypatch.setenv(VARIABLE, "")
        assert "Quay" in good(*words)
    assert "--game-path' requires an argument" in call("games", "--game-path").stderr
    missing = call("rules", "near", "--game-path", str(tmp_path / "nowhere"))
    assert (missing.exit_code, missing.stderr.count("\n")) == (2, 1)
    assert "nowhere: there is no such folder" in missing.stderr


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        (
            {"code": "import numpy as np\n\nx = np.nothing\n"},
            "game.py:3: AttributeError: module 'numpy' has no attribute",
        ),
        ({"code": "def (:\n"}, "game.py:1: invalid syntax"),
        ({"code": "x = 1\n"}, "game.py: GAME is missing; write GAME = define(__name__)"),
        ({"code": "GAME = 3\n"}, "game.py: GAME is not a game; write GAME = define(__name__)"),
        ({"code": "import sys\n\nsys.exit(3)\n"}, "game.py:3: SystemExit: 3"),
        ({"code": "raise SystemExit('bye')\n"}, "game.py:1: SystemExit: bye"),
        ({"code": "raise BaseException\n"}, "game.py:1: BaseException: BaseException"),
        ({"rules": 'title = "T"\n'}, "rules.toml: about is missing"),
    ],
)
def test_broken_games_do_not_stop_others(make: Make, facts: dict[str, str], problem: str) -> None:
    make("broken_toy", **facts)
    page = " ".join(good("games").split())
    assert problem in page
    assert "WAVE" in page
    assert "hand.front" in good("rules", "wave")
    for words in (("rules", "broken-toy"), ("simulate", "broken-toy", "-n", "1")):
        refused = call(*words)
        assert refused.exit_code == 2
        assert refused.stderr.count("\n") == 1


def test_ctrl_c_while_a_game_is_imported_is_ctrl_c(make: Make) -> None:
    make("slow_toy", "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        find_game("slow-toy")


def test_writable_folders_are_not_run(make: Make) -> None:
    folder = make("open-house")
    (folder / "game.py").chmod(0o666)
    assert game_names() == SHIPPED
    with pytest.raises(InputError, match=r"others may write to .*game\.py; use chmod go-w"):
        home("open-house")
    (folder / "game.py").chmod(0o644)
    hidden = folder / ".git" / "index"
    hidden.parent.mkdir()
    hidden.write_text("")
    hidden.chmod(0o666)
    _homes.cache_clear()
    assert not broken_games()
    for place in (folder, folder.parent):
        place.chmod(0o777)
        _homes.cache_clear()
        assert broken_games()[0].problem == f"others may write to {place}; use chmod go-w"
        place.chmod(0o700)
    (folder / "cards.txt").symlink_to(folder / "rules.toml")
    _homes.cache_clear()
    assert broken_games()[0].problem == f"{folder / 'cards.txt'} is a link"


def test_game_names_are_unique(make: Make) -> None:
    make("sea-change"), make("json")
    assert game_names() == SHIPPED
    problems = {one.name: one.problem for one in broken_games()}
    assert problems["json"] == f"another module is called json ({json.__file__}); give the folder another name"
    assert "already a game of that name, from houle" in problems["sea-change"]


def test_packages_provide_games_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER, tmp_path / "packed_quay")
    (tmp_path / "packed_quay" / "quay.py").rename(tmp_path / "packed_quay" / "__init__.py")
    facts = tmp_path / "packed-1.5.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: packed\nVersion: 1.5\n")
    (facts / "entry_points.txt").write_text("[houle.games]\npacked-quay = packed_quay\nlost = nowhere_at_all\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert game_names() == [*SHIPPED, "packed-quay"]
    assert home("packed-quay").origin == "packed 1.5"
    assert [(one.name, one.problem) for one in broken_games()] == [("lost", "there is no module nowhere_at_all")]
    game = find_game("packed-quay")
    assert (game.name, [*outside["packed_quay"]]) == ("packed-quay", ["__init__.py"])


def test_results_name_the_folder_of_the_game(make: Make) -> None:
    folder = make("told")
    setup = make_setup("told", 2)
    assert game_path(setup) == str(folder)
    assert game_path(make_setup("wave", 2)) == ""
    assert command_line(["trace", "told"], setup) == f"houle trace told --game-path {folder}"
    assert command_line(["trace", "wave"], make_setup("wave", 2)) == "houle trace wave"
    assert setup.source["from"] == str(folder)
    assert make_setup("wave", 2).source == {}


def test_repeat_commands_are_written_in_one_place() -> None:
    """Only there the folder of a game is added to a command."""
    written = re.compile(r"""shlex\.join\(\s*\[\s*"houle\"""")
    root = Path(__file__).parents[3]
    files = [path for folder in ("analysis", "reports") for path in sorted((root / folder).rglob("*.py"))]
    found = [str(path.relative_to(root)) for path in files if written.search(path.read_text())]
    assert found == ["analysis/result.py"]


def test_code_that_changed_after_its_import_is_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of this process would play on. Words are no kernels: a game with other words is imported again."""
    folder = make("changed")
    monkeypatch.setitem(sys.modules, "changed", ModuleType("changed"))
    del sys.modules["changed"]
    find_game("changed")
    del sys.modules["changed"]
    (folder / "words.py").write_text("SAID = 1\n")
    find_game("changed")
    del sys.modules["changed"]
    (folder / "game.py").write_text((folder / "game.py").read_text() + "\nMORE = 1\n")
    with pytest.raises(InputError, match="changed: its code changed after it was imported; start Python again"):
        find_game("changed")
