"""Sources outside the digest of the kernel cache hold no kernels and feed none; checked by parsing them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.solver.compiler.kernels import SOLVER, counts
from houle.solver.rules import find_game, game_names

pytestmark = pytest.mark.compiled

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
    found = [f"kernel {node.name} reads {sorted(bad)}" for node in functions(tree)
             if is_kernel(node) and (bad := names_read(node) & tainted)]  # fmt: skip
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
        kernels = [function.name for function in functions(ast.parse(path.read_text())) if is_kernel(function)]
        assert not kernels, f"{path.relative_to(SOLVER)} is left out of the kernels' digest but holds {kernels}"


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
            taken = [(node.module or "", alias.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                     for alias in node.names]  # fmt: skip
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
)  # fmt: skip
def test_source_check_finds_faults(source: str, fault: str) -> None:
    found = faults(ast.parse(source))
    assert fault in found[0] if fault else not found
