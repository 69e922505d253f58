"""The structure of the code base: layers, circles, packages, shipped data, public names."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

import houle
from tests.support.sources import ROOMS, ROOT, nodes_of, python_files, tree_of

pytestmark = pytest.mark.quick

# The folders of a room, lowest layer first. Files beside them (errors.py, result.py) belong to the lowest layer.
LAYERS = {
    "solver": [
        {"compiler"},
        {"cards"},
        {"interface"},
        {"rules"},
        {"declared"},
        {"language"},
        {"players"},
        {"run"},
        {"matches"},
        {"games", "plain", "invariants"},
    ],
    "analysis": [
        {"stats"},
        {"sampling", "players", "measures"},
        {"explain", "tables"},
        {"designing", "play", "studies", "studio"},
        {"checks"},
    ],
}
# Long functions and many parameters are allowed in compiled kernels (one call costs as much as a turn of a game), in
# commands (an option is a parameter) and in public analyses (their docstring is the reference).
EXEMPT = ("kernel", "outlined", "entry", "checked", "command", "analysis_command")
LONGEST, MOST_PARAMETERS, MOST_LONG = 60, 8, 5
MOST_POSITIONAL = 4
COMPILED = {"kernel", "outlined", "never_inline", "entry", "intrinsic"}
MODULE = re.compile(r"houle(\.\w+)+")
PREFIX = re.compile(r"houle\.\w[\w.]*")  # also the beginning of a module's name, as in f"houle.cli.commands.{name}"


@cache
def modules() -> dict[str, Path]:
    """Every module of the four rooms, packages included."""
    return {
        ".".join(("houle", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in python_files(*ROOMS)
    }


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Names that a file imports: anywhere in it, for type checkers only, or by a string."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and PREFIX.fullmatch(node.value):
            yield node.value


@cache
def imports_of(path: Path) -> frozenset[str]:
    return frozenset(imported(nodes_of(path)))


def module_of(name: str) -> str:
    """The module of an imported name: itself, or the one that holds it; empty if it is not in the rooms."""
    if not MODULE.fullmatch(name):
        return ""
    return next((one for one in (name, name.rpartition(".")[0]) if one in modules()), "")


def graph() -> dict[str, set[str]]:
    """Every module, and the modules that it imports."""
    return {name: {module_of(other) for other in imports_of(path)} - {"", name} for name, path in modules().items()}


def in_circles(graph: dict[str, set[str]]) -> list[str]:
    """The modules that are in or above a circle of imports."""
    left = graph
    while free := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others for name, others in left.items() if name not in free}
    return sorted(left)


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function that has to be short, with its place."""
    for path in python_files(*ROOMS):
        if path.parts[-2:] == ("declared", "fields.py"):  # a declaration takes all kinds of fields
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef):
                marks = {ast.unparse(mark).partition("(")[0].rpartition(".")[2] for mark in node.decorator_list}
                if not marks & set(EXEMPT):
                    yield f"{path.relative_to(ROOT)}: {node.name}", node


def test_few_functions_are_long() -> None:
    lines = {place: (node.end_lineno or 0) - node.lineno + 1 for place, node in functions()}
    long = [f"{place} has {number} lines" for place, number in lines.items() if number > LONGEST]
    assert len(long) <= MOST_LONG, "\n".join(long)


def test_no_function_has_many_parameters() -> None:
    for place, node in functions():
        given = node.args
        number = len([*given.posonlyargs, *given.args, *given.kwonlyargs])
        assert number <= MOST_PARAMETERS, f"{place} has {number} parameters"


def marks_of(node: ast.AST) -> set[str]:
    """The names of a function's decorators."""
    marks = [ast.unparse(mark).partition("(")[0] for mark in getattr(node, "decorator_list", ())]
    return {mark.rpartition(".")[2] for mark in marks}


@cache
def named_arguments() -> set[str]:
    """Functions and records whose arguments can be named: no kernels, and none that take any number of arguments."""
    nodes = [node for path in python_files() for node in nodes_of(path)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    kernels = {node.name for node in functions if marks_of(node) & COMPILED or node.args.vararg}
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)} - kernels


def long_calls(node: ast.AST, values: frozenset[str] = frozenset()) -> Iterator[ast.Call]:
    """Calls of our own functions and records with many positional arguments; kernels take no names.

    `values` are the names of arguments and variables of the functions around the call: what they hold has no names.
    """
    if marks_of(node) & COMPILED:
        return
    if isinstance(node, ast.FunctionDef):
        inner = list(ast.walk(node))
        values |= {one.arg for one in inner if isinstance(one, ast.arg)}
        values |= {one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    if isinstance(node, ast.Call) and len(node.args) > MOST_POSITIONAL:
        called = ast.unparse(node.func)
        if called not in values and called.rpartition(".")[2] in named_arguments():
            yield node
    for child in ast.iter_child_nodes(node):
        yield from long_calls(child, values)


def libraries_of(path: Path) -> set[str]:
    """The names that a file imports from other packages."""
    nodes = (node for node in nodes_of(path) if isinstance(node, ast.Import | ast.ImportFrom))
    foreign = (
        node for node in nodes if not (isinstance(node, ast.ImportFrom) and str(node.module).startswith("houle"))
    )
    return {alias.asname or alias.name for node in foreign for alias in node.names}


def test_calls_name_their_arguments() -> None:
    """At most four arguments of a call are positional, so that a reader knows what each is."""
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call.func)} has {len(call.args)} positional arguments"
        for path in python_files()
        for call in long_calls(tree_of(path))
        if ast.unparse(call.func).partition(".")[0] not in libraries_of(path)
    ]
    assert found == []


@pytest.mark.compiled
@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_one_way(room: str) -> None:
    """solver <- analysis <- reports <- cli: a room may use itself and those before it."""
    allowed = ROOMS[: ROOMS.index(room) + 1]
    wrong = []
    for path in python_files(room):
        for name in imports_of(path):
            first = name.split(".")[1] if "." in name else ""
            upward = first in ROOMS and first not in allowed
            of_all = name == "houle" or (name.startswith("houle.") and first in houle.__all__)
            if upward or (of_all and room != "cli"):  # `houle` itself knows all rooms
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", LAYERS)
def test_folders_import_downwards(room: str) -> None:
    """A folder may use its own layer and those below."""
    layers = LAYERS[room]
    assert {path.name for path in (ROOT / room).iterdir() if (path / "__init__.py").exists()} == set.union(*layers)

    def layer_of(module: str) -> int:
        folder = module.split(".")[2]
        return next((i for i, folders in enumerate(layers) if folder in folders), 0)

    for name, others in graph().items():
        for other in others:
            if name.startswith(f"houle.{room}.") and other.startswith(f"houle.{room}."):
                assert layer_of(other) <= layer_of(name), f"{name} imports {other}"


def test_there_are_no_import_circles() -> None:
    circles = in_circles(graph())
    assert not circles, f"in or above a circle: {', '.join(circles)}"


def test_hidden_imports_are_seen() -> None:
    source = """
if TYPE_CHECKING:
    from houle.solver.rules import Setup
def late():
    import houle.cli.main
    return import_module("houle.reports.figures"), import_module(f"houle.cli.commands.{name}")
"""
    hidden = {"houle.solver.rules.Setup", "houle.cli.main", "houle.reports.figures", "houle.cli.commands."}
    assert set(imported(ast.walk(ast.parse(source)))) == hidden
    assert module_of("houle.solver.rules.Setup") == "houle.solver.rules"
    assert module_of("houle.cli.commands.") == module_of("numpy.array") == ""
    assert in_circles({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": set()}) == ["a", "b"]


def test_the_solver_needs_only_numba_and_numpy() -> None:
    foreign = {"pandas", "matplotlib", "click", "rich", "scipy"}
    for path in python_files("solver"):
        assert not {name.split(".")[0] for name in imports_of(path)} & foreign, path


def test_every_folder_with_code_is_a_package() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {".".join(("houle", *path.relative_to(ROOT).parent.parts)) for path in modules().values()}
    assert listed == found | {"houle"}


@pytest.mark.parametrize("room", ROOMS)
def test_every_data_file_is_shipped(room: str) -> None:
    """What lies in a room and is no code must be named under package-data, or a wheel lacks it."""
    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    patterns = {
        ROOT.joinpath(*package.split(".")[1:], pattern) for package, found in shipped.items() for pattern in found
    }
    for path in (ROOT / room).rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            assert any(path.match(str(pattern)) for pattern in patterns), path
    assert (ROOT / room / "py.typed").exists()


SCRIPT = Path(__file__).parent / "typing" / "user_script.py"


def test_the_typed_script_uses_every_public_name() -> None:
    """`make types` checks the script without Any, so each public name has its type."""
    used = {node.attr for node in ast.walk(ast.parse(SCRIPT.read_text())) if isinstance(node, ast.Attribute)}
    used |= {
        alias.name
        for node in ast.walk(ast.parse(SCRIPT.read_text()))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(houle.__all__) - {"Estimate", "InputError"} <= used


def test_public_names_exist_and_are_listed() -> None:
    assert dir(houle) == sorted(houle.__all__)
    for name in houle.__all__:
        assert getattr(houle, name).__name__ == name


def test_version_is_that_of_the_package() -> None:
    assert houle.__version__ == version("houle")
    with pytest.raises(AttributeError, match="nothing"):
        _ = houle.nothing


@pytest.mark.compiled
def test_import_houle_loads_no_compiler() -> None:
    code = "import sys, houle; print(sorted({'numba', 'pandas', 'numpy', 'matplotlib'} & {*sys.modules}))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
