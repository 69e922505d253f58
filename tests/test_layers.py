"""The structure of the code base: layers, circles, the list of packages, shipped data."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

import houle

ROOT = Path(__file__).parents[1]
ROOMS = ["solver", "analysis", "reports", "cli"]


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_one_way(room: str) -> None:
    """solver <- analysis <- reports <- cli: a room may use itself and those before it."""
    allowed = ROOMS[: ROOMS.index(room) + 1]
    for path in sources(room):
        for name in imported(path):
            if name == "houle":
                assert room == "cli", f"{path.relative_to(ROOT)} imports houle, which knows all rooms"
            elif name.startswith("houle.") and name.split(".")[1] not in houle.__all__:
                assert name.split(".")[1] in allowed, f"{path.relative_to(ROOT)} imports {name}"


# The folders of analysis, lowest layer first. Files beside them (result.py, limits.py) belong to the lowest layer.
LAYERS = [
    {"stats"},
    {"sampling", "plain", "checks"},
    {"comparison", "difficulty", "strategy", "fairness", "tuning"},
    {"advice", "adapters", "designing", "play", "studies"},
]


def layer_of(module: str) -> int:
    """`houle.analysis.sampling.grid` -> 1."""
    parts = module.split(".")
    return next(i for i, folders in enumerate(LAYERS) if parts[2] in folders) if len(parts) > 3 else 0


def analysis_imports() -> dict[str, set[str]]:
    """Every module of analysis, and the modules of analysis that it imports anywhere in the file."""
    modules = {
        ".".join(("houle", *path.relative_to(ROOT).with_suffix("").parts)): path
        for path in sources("analysis")
        if path.name != "__init__.py"
    }
    return {name: imported(path) & modules.keys() for name, path in modules.items()}


def test_analysis_folders_import_downwards() -> None:
    """stats <- sampling <- the analyses <- advice and studies: a folder may use its own layer and those below."""
    for name, others in analysis_imports().items():
        for other in others:
            assert layer_of(other) <= layer_of(name), f"{name} imports {other}"


def test_analysis_has_no_import_circles() -> None:
    left = analysis_imports()
    while True:
        free = {name for name, others in left.items() if not others & left.keys()}
        if not free:
            break
        left = {name: others for name, others in left.items() if name not in free}
    assert not left, f"in or above a circle: {', '.join(sorted(left))}"


def test_the_solver_needs_only_numba_and_numpy() -> None:
    foreign = {"pandas", "matplotlib", "click", "rich", "scipy"}
    for path in sources("solver"):
        assert not {name.split(".")[0] for name in imported(path)} & foreign, path


def test_every_folder_with_code_is_a_package() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        ".".join(("houle", *path.relative_to(ROOT).parent.parts))
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.suffix == ".py"
    }
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


def test_every_module_says_what_it_is_for() -> None:
    for room in ROOMS:
        for path in sources(room):
            text = path.read_text()
            assert not text.strip() or ast.get_docstring(ast.parse(text)), path


# Files that every game's folder holds, so that a rule is found in the same place in each.
FILES = {"__init__", "state", "play", "score", "knowledge", "worlds", "features", "categories", "text", "opening"}
GAMES = sorted(path.parent for path in (ROOT / "solver" / "games").glob("*/rules.toml"))


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_every_game_has_the_same_files(folder: Path) -> None:
    files = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert files >= FILES
    assert {path.name for path in folder.iterdir() if path.suffix == ".toml"} == {"rules.toml", "weights.toml"}


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_a_game_folder_only_defines_its_game(folder: Path) -> None:
    """A docstring, the import, and `GAME = define(__name__, ...)` with facts that are no file's."""
    words, imports, assignment = ast.parse((folder / "__init__.py").read_text()).body
    assert isinstance(words, ast.Expr)
    assert isinstance(imports, ast.ImportFrom)
    assert imports.module == "houle.solver.interface"
    assert isinstance(assignment, ast.Assign)
    assert isinstance(assignment.value, ast.Call)
    assert ast.unparse(assignment).startswith("GAME = define(__name__")
    assert all(isinstance(keyword.value, ast.Constant) for keyword in assignment.value.keywords)
