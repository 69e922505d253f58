"""The kernel cache is used when nothing changed and never stale; its digest covers all sources of kernels."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.solver.compiler import kernels
from houle.solver.compiler.kernels import SOLVER, counts
from houle.solver.rules import find_game, game_names
from houle.solver.sources import syntax

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]

# One of the smallest entries, because every edit compiles it again. On an empty state WAVE lists one move.
LIST = """
import numpy as np
from houle.solver.compiler import kernels
compiled = []
kernels.announce.append(lambda entry, game: compiled.append(entry))
from houle.solver.interface import blank, entries
from houle.solver.rules import make_setup
assert kernels.__file__.startswith({home!r}), kernels.__file__
setup = make_setup("wave", 3)
moves = np.zeros(setup.game.MAX_MOVES, np.int64)
assert entries.list_moves(blank(setup.game.STATE), setup.rules, moves) == 1
print(moves[0], ",".join(compiled))
"""

PLAY = """
from houle.solver.compiler import kernels
used, load = [], kernels.SourceCache.load_overload
def listen(cache, *arguments):
    used.append(cache.function.__name__)
    return load(cache, *arguments)
kernels.SourceCache.load_overload = listen
from houle.solver.rules import make_setup
from houle.solver.players.player import seat_strategies
from houle.solver.run.playout import play_chunk
play_chunk(seat_strategies(make_setup("wave", 3), ["random"]), 1, 0, 1)
print(*used)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the solver that can be edited, with its own cache."""
    shutil.copytree(ROOT / "solver", tmp_path / "houle" / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def python(code: str, home: Path, **variables: str) -> str:
    """What a new process prints that imports houle from the folder."""
    environment = {**os.environ, "PYTHONPATH": str(home), **variables}
    run = subprocess.run([sys.executable, "-c", code], env=environment, cwd=home, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


def first_move(copy: Path) -> tuple[int, list[str]]:
    """The move that WAVE lists, and the entries that were compiled."""
    move, compiled = python(LIST.format(home=str(copy)), copy, HOULE_CACHE_DIR=str(copy / "cache")).split(" ", 1)
    return int(move), [entry for entry in compiled.strip().split(",") if entry]


def edit(path: Path, old: str, new: str) -> None:
    """Changes a source and restores its time stamp."""
    text = path.read_text()
    assert text.count(old) == 1
    times = path.stat()
    path.write_text(text.replace(old, new))
    os.utime(path, (times.st_atime, times.st_mtime))


def test_an_edited_rule_is_compiled_again(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, compiled = first_move(copy)
    assert compiled == ["list_moves"]

    games = copy / "houle" / "solver" / "games"
    edit(games / "wave" / "rules.py", "        moves[0] = NO_SWAP\n", "        moves[0] = NO_SWAP + 1\n")
    assert first_move(copy) == (first + 1, ["list_moves"])

    monkeypatch.setattr(kernels, "SOLVER", copy / "houle" / "solver")
    before = digest(("wave",))
    for name in ("words", "position"):
        texts = games / "wave" / f"{name}.py"
        texts.write_text(texts.read_text() + "MORE = 1\n")
    stranger = games / "elsewhere.py"
    stranger.write_text("WATER = 1\n")
    assert digest(("wave",)) == before, "neither texts nor another game's files are part of WAVE's kernels"


def digest(games: tuple[str, ...]) -> str:
    """The digest that a new process would find."""
    kernels._shipped_digest.cache_clear()
    try:
        return kernels.source_digest(games)
    finally:
        kernels._shipped_digest.cache_clear()


@pytest.mark.quick
def test_digest_notices_edits_of_equal_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "SOLVER", tmp_path)
    (tmp_path / "compiler").mkdir()
    digests = []
    for text in ("SIDES = 1\n", "SIDES = 2\n", "SIDES = 1\n"):
        (tmp_path / "compiler" / "rules.py").write_text(text)
        digests.append(digest(()))
    assert digests[0] == digests[2] != digests[1]


def test_random_play_uses_one_entry() -> None:
    """A new player waits for one entry to be compiled and for nothing else."""
    assert python(PLAY, ROOT).split() == ["play_random"]


@pytest.mark.quick
def test_folders_unused_for_a_month_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path))
    for name, days in (("old", 31), ("recent", 29)):
        (tmp_path / name).mkdir()
        stamp = time.time() - days * 86_400
        os.utime(tmp_path / name, (stamp, stamp))
    kernels._remove_unused(tmp_path, tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recent"]


DECORATORS = {"kernel", "outlined", "entry"}
PACKAGE = "houle.solver"


def parts_of(module: str) -> tuple[str, ...]:
    """`houle.solver.games.wave.words` as the parts that `counts` takes."""
    return tuple(module.split(".")[2:]) or ("__init__",)


def is_left_out(module: str) -> bool:
    return module.startswith(f"{PACKAGE}.") and not counts(parts_of(module))


def is_module(name: str) -> bool:
    path = SOLVER.joinpath(*parts_of(name))
    return name.startswith(f"{PACKAGE}.") and (path.is_dir() or path.with_suffix(".py").is_file())


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def is_kernel(function: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id in DECORATORS for mark in function.decorator_list)


def left_out_names(tree: ast.Module) -> set[str]:
    """Names that a source imports from sources outside the digest."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if is_left_out(inner if is_module(inner) else node.module):
                    found.add(alias.asname or alias.name)
        elif isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.split(".")[0] for alias in node.names if is_left_out(alias.name)}
    return found


def names_read(node: ast.AST) -> set[str]:
    """Names that code reads at run time, without annotations."""
    found = {node.id} if isinstance(node, ast.Name) else set()
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                found |= names_read(child) if isinstance(child, ast.AST) else set()
    return found


def faults(tree: ast.Module) -> list[str]:
    """Where something outside the digest reaches a kernel or a constant of this source."""
    tainted = left_out_names(tree)
    plain = {function.name: function for function in functions(tree) if not is_kernel(function)}
    while grown := {name for name, body in plain.items() if name not in tainted and names_read(body) & tainted}:
        tainted |= grown
    found = [
        f"kernel {node.name} reads {sorted(bad)}"
        for node in functions(tree)
        if is_kernel(node) and (bad := names_read(node) & tainted)
    ]
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
            continue
        if bad := names_read(node) & tainted:
            found.append(f"line {node.lineno} is made with {sorted(bad)}")
    return found


def sources() -> list[Path]:
    return sorted(SOLVER.rglob("*.py"))


def module_of(path: Path) -> tuple[str, ...]:
    return path.relative_to(SOLVER).with_suffix("").parts


def test_sources_outside_the_digest_hold_no_kernel() -> None:
    left_out = [path for path in sources() if not counts(module_of(path))]
    assert {"words", "position", "chunks"} <= {path.stem for path in left_out}
    for path in left_out:
        held = [function.name for function in functions(ast.parse(path.read_text())) if is_kernel(function)]
        assert not held, f"{path.relative_to(SOLVER)} is left out of the kernels' digest but holds {held}"


def test_sources_outside_the_digest_feed_no_kernel() -> None:
    for path in sources():
        parts = module_of(path)
        if counts(parts) and not (parts[0] == "games" and parts[-1] == "__init__"):
            assert not faults(ast.parse(path.read_text())), path.relative_to(SOLVER)


def test_game_packages_hold_no_kernel() -> None:
    """`games/<game>/__init__.py` collects all files of a game, so no kernel may import from it."""
    for path in sources():
        tree, parts = ast.parse(path.read_text()), module_of(path)
        if parts[0] == "games" and parts[-1] == "__init__":
            assert not any(is_kernel(function) for function in functions(tree)), path
        elif counts(parts) and any(is_kernel(function) for function in functions(tree)):
            taken = [
                (node.module or "", alias.name)
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            ]
            of_games = [one for one in taken if one[0].startswith(f"{PACKAGE}.games.") and one[0].count(".") == 3]
            assert [one for one in of_games if not is_module(".".join(one))] == [], path


@pytest.mark.quick
@pytest.mark.parametrize("game", game_names())
def test_game_functions_come_from_digested_sources(game: str) -> None:
    functions = find_game(game).functions
    assert len(functions) > 15
    for name, kernel in functions.items():
        assert counts(parts_of(kernel.__module__)), f"{name} of {game} is in {kernel.__module__}"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("from houle.solver.rules import Setup\n@kernel\ndef f(a):\n    return Setup\n", "kernel f"),
        ("from houle.solver.games.wave import words\nWIDE = words.WIDE\n", "line 2"),
        ("from houle.solver.run import A\ndef g():\n    return A\ndef h():\n    return g()\nWIDE = h()\n", "line 6"),
        ("from houle.solver.rules import Setup\n@kernel\ndef f(a: Setup) -> Setup:\n    return a\n", ""),
        ("from houle.solver.rules import Setup\ndef g(a):\n    return Setup(a)\n", ""),
    ],
)
def test_source_check_finds_faults(source: str, fault: str) -> None:
    found = faults(ast.parse(source))
    assert fault in found[0] if fault else not found


def test_a_changed_docstring_compiles_nothing(copy: Path) -> None:
    """Nor does a comment that moves all lines of the file that holds the entry."""
    first, _ = first_move(copy)
    interface = copy / "houle" / "solver" / "interface"
    edit(interface / "files.py", "What the plain files of a game provide", "All that the plain files of a game provide")
    edit(
        interface / "functions.py",
        "The game functions: the specification",
        "The functions of a game: the specification",
    )
    edit(interface / "entries.py", '"""Entries: the game functions', '# A comment.\n\n"""Entries: all game functions')
    assert first_move(copy) == (first, [])


# A value in each file that left the digest.
LEFT = {
    "interface/files.py": ("LIKE = 0.84", "LIKE = 0.5"),
    "players/names.py": ("MOST_NUMBER = 1_000_000", "MOST_NUMBER = 900_000"),
    "players/player.py": ("PEEKING_WORLDS = 200", "PEEKING_WORLDS = 300"),
    "players/weights.py": ("RATING = 1000", "RATING = 2000"),
}


@pytest.mark.quick
def test_only_files_without_kernels_left_the_digest() -> None:
    assert {*LEFT} == {f"{name}.py" for name in kernels.WITHOUT_KERNELS}


@pytest.mark.quick
@pytest.mark.parametrize("file", LEFT)
def test_no_kernel_reads_values_outside_the_digest(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest is the same with another value. A kernel that read it would be found."""
    monkeypatch.setattr(kernels, "SOLVER", tmp_path / "solver")
    shutil.copytree(SOLVER, tmp_path / "solver", ignore=shutil.ignore_patterns("__pycache__", "*.toml"))
    before = digest(("wave",))
    edit(tmp_path / "solver" / file, *LEFT[file])
    assert digest(("wave",)) == before
    name, module = LEFT[file][0].split(" ")[0], f"{PACKAGE}.{file.removesuffix('.py').replace('/', '.')}"
    assert faults(ast.parse(f"from {module} import {name}\n@kernel\ndef f(a):\n    return {name}\n"))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ('"""Text."""\nA = 1\n', '"""Other."""\n# why\n\nA = (1)\n', True),
        ('def f():\n    """Text."""\n    return 1\n', "def f():\n    return 1\n", True),
        ('A = "text"\n', 'A = "other"\n', False),
        (
            'def f():\n    """Text."""\n    return f.__doc__\n',
            'def f():\n    """Other."""\n    return f.__doc__\n',
            False,
        ),
        ("A = 1\n", "A = True\n", False),
        ("def f(a, b=1): ...\n", "def f(a, *, b=1): ...\n", False),
        ("if a:\n    b\n    c\n", "if a:\n    b\nc\n", False),
        ("a, [b]\n", "[a, b]\n", False),
        ("not Python\n", "not python\n", False),
        ("A = 1" + " + 1" * 2_000, "A = 2" + " + 1" * 2_000, False),
    ],
)
def test_syntax_differs_where_code_does(before: str, after: str, same: bool) -> None:
    assert (syntax(before.encode()) == syntax(after.encode())) is same
