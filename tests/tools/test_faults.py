"""The list of planted faults fits the sources, and the tool plants them without touching the tree."""

from __future__ import annotations

import ast
import csv
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from houle.solver.rules import game_names
from tests.support.amounts import patience
from tools.faults import __main__ as tool
from tools.faults.copies import Copy, Fault, copies, places, planted, read_faults

pytestmark = pytest.mark.compiled

FAULTS = read_faults(tool.LIST)
LEAST_FAULTS, LEAST_RULES = 90, 7
LEAST = {
    "deal": 6,
    "leak": 8,
    "statistics": 8,
    "arms": 5,
    "json": 5,
    "resume": 5,
    "input": 8,
    "players": 4,
    "report": 4,
    "page": 3,
    "cache": 2,
}

SOURCE = "def double(x):\n    return 2 * x\n"
TEST = "from double import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
FOUND = (
    ("three times instead of twice", "2 * x", "3 * x"),
    ("a square instead of twice", "2 * x", "x * x"),
    ("a name that does not exist", "def double", "def twice"),
    ("a place of another version", "4 * x", "5 * x"),
)
LIST = "".join(
    f'[[fault]]\nname = "{name}"\nkind = "rule"\nwithin = "double.py"\nold = "{old}"\nnew = "{new}"\n'
    f'tests = ["test_double.py"]\n'
    for name, old, new in FOUND
)


def problem(fault: Fault) -> str:
    """What is wrong with a fault; empty if nothing is."""
    found = places(tool.ROOT, fault)
    if len(found) != 1:
        return f"its pattern is in {fault.function or fault.within} {len(found)} times"
    file, place = found[0]
    text = file.read_text(encoding="utf-8")
    changed = planted(text, place, fault)
    if changed == text:
        return "nothing changes"
    ast.parse(changed)
    missing = [path for path in fault.tests if not (tool.ROOT / path).exists()]
    return f"no such tests: {missing}" if missing or not fault.tests else ""


def test_every_fault_fits_its_source() -> None:
    assert {fault.name: wrong for fault in FAULTS if (wrong := problem(fault))} == {}


@pytest.mark.quick
def test_a_draw_depends_on_its_seed() -> None:
    first, again, other = (tool.drawn(FAULTS, 20, seed) for seed in (4, 4, 5))
    assert first == again != other
    assert len({fault.name for fault in first}) == 20
    assert tool.drawn(FAULTS, None, 4) == tool.drawn(FAULTS, 10_000, 4) == FAULTS


@pytest.mark.quick
def test_faults_cover_all_kinds() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= LEAST_FAULTS
    kinds = Counter(fault.kind for fault in FAULTS)
    assert {kind: number for kind, number in LEAST.items() if kinds[kind] < number} == {}
    rules = Counter(Path(fault.within).parts[2] for fault in FAULTS if fault.kind == "rule")
    assert {
        game: rules[game] for game in (name.replace("-", "_") for name in game_names()) if rules[game] < LEAST_RULES
    } == {}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tree with two lines of code, a test and four faults; nobody has compiled anything."""
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in (("double.py", SOURCE), ("test_double.py", TEST), ("faults.toml", LIST)):
        (folder / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path / "no cache"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # pytest starts four times as fast
    return folder


def test_planting_leaves_the_tree_untouched(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in tree.iterdir() if path.is_file()}
    out = tree.parent / "rows.csv"
    words = ["--tree", str(tree), "--faults", str(tree / "faults.toml"), "--out", str(out), "--first-only"]
    assert tool.main(words) == 0
    with out.open(newline="") as lines:
        rows = {row["name"]: (row["caught"], row["stage"], row["test"]) for row in csv.DictReader(lines)}
    assert rows == {
        "three times instead of twice": ("yes", "own", "test_double.py::test_double"),
        "a square instead of twice": ("no", "", ""),
        "a name that does not exist": ("yes", "own", "import"),
        "a place of another version": ("absent", "", ""),
    }
    assert {path.name: path.read_bytes() for path in tree.iterdir() if path.is_file()} == before
    assert "all: 2 of 3 caught" in capsys.readouterr().out


def test_finished_faults_are_not_planted_again(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, out = "three times instead of twice", tree.parent / "rows.csv"
    row = dict.fromkeys(tool.COLUMNS, "") | {"name": name, "kind": "rule", "caught": "no", "seconds": "1.0"}
    tool.append(out, row)
    words = [name, "--tree", str(tree), "--faults", str(tree / "faults.toml"), "--out", str(out), "--first-only"]
    assert tool.main(words) == 0
    assert tool.rows_of(out) == {name: row}
    assert f"not caught: {name}" in capsys.readouterr().out


def test_hint_is_tried_first(tree: Path) -> None:
    hint, out = tree.parent / "hint.csv", tree.parent / "rows.csv"
    fault = read_faults(tree / "faults.toml")[0]
    caught = {"name": fault.name, "kind": "rule", "caught": "yes", "test": "test_double.py::test_double"}
    tool.append(hint, dict.fromkeys(tool.COLUMNS, "") | caught)
    words = ["--tree", str(tree), "--faults", str(tree / "faults.toml"), "--out", str(out), "--hint", str(hint)]
    assert tool.main([fault.name, *words]) == 0
    assert tool.rows_of(out)[fault.name]["stage"] == "hint"


def test_slow_tests_are_ended(tree: Path) -> None:
    (tree / "test_double.py").write_text("import time\n\n\ndef test_wait():\n    time.sleep(600)\n")
    with copies(tree, 1) as (copy,):
        assert copy.pytest(["test_double.py"], "", timeout=1.0).failed == "timeout"


def test_copies_import_their_own_sources(tree: Path) -> None:
    (tree / "houle").mkdir()
    (tree / "solver").mkdir()
    for file in ("houle/__init__.py", "solver/__init__.py"):
        (tree / file).write_text("")
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    with copies(tree, 1) as (copy,):
        assert shown(copy, "import houle.solver; print(houle.solver.__file__)") == str(copy.root / "solver/__init__.py")


def shown(copy: Copy, code: str) -> str:
    return copy.run([tool.sys.executable, "-c", code], timeout=patience(60))[3].strip()
