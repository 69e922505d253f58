"""The house itself: rooms, imports that point one way, the package list, files of a readable size."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ["solver", "analysis", "reports", "cli"]
LAST_RESORT = {"tests": 600}  # lines of a file; elsewhere 450, and above 300 it should have a reason


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
            if name.startswith("houle."):
                assert name.split(".")[1] in allowed, f"{path.relative_to(ROOT)} imports {name}"


# The folders of analysis from the ground up; what lies beside them (result.py, limits.py) is on the ground floor.
# The public names, of today and of 0.1.0, know everybody.
NAMES = ("__init__.py", "former.py")
FLOORS = [
    {"stats"},
    {"sampling", "plain", "checks"},
    {"comparison", "difficulty", "strategy", "fairness", "tuning"},
    {"advice", "adapters", "designing", "play", "studies"},
]


def floor_of(module: str) -> int:
    """`houle.analysis.sampling.grid` -> 1."""
    parts = module.split(".")
    return next(i for i, folders in enumerate(FLOORS) if parts[2] in folders) if len(parts) > 3 else 0


def analysis_imports() -> dict[str, set[str]]:
    """Every module of analysis, and which of them it imports, wherever in the file; the public names apart."""
    modules = {}
    for path in sources("analysis"):
        if path.name not in NAMES:
            modules[".".join(("houle", *path.relative_to(ROOT).with_suffix("").parts))] = path
    return {name: imported(path) & modules.keys() for name, path in modules.items()}


def test_analysis_is_built_from_the_ground_up() -> None:
    """stats <- sampling <- what is asked of a game <- studies: a folder may use its own floor and those below."""
    for name, others in analysis_imports().items():
        for other in others:
            assert floor_of(other) <= floor_of(name), f"{name} imports {other}"


def test_no_modules_of_analysis_import_each_other_in_a_circle() -> None:
    left = analysis_imports()
    while True:
        free = {name for name, others in left.items() if not others & left.keys()}
        if not free:
            break
        left = {name: others for name, others in left.items() if name not in free}
    assert not left, f"in or above a circle: {', '.join(sorted(left))}"


def test_the_solver_needs_numba_and_numpy_alone() -> None:
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
    assert listed == found


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


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
def test_files_have_one_subject(room: str) -> None:
    for path in sources(room):
        assert len(path.read_text().splitlines()) <= LAST_RESORT.get(room, 450), path


def test_every_module_says_what_it_is_for() -> None:
    for room in ROOMS:
        for path in sources(room):
            text = path.read_text()
            assert not text.strip() or ast.get_docstring(ast.parse(text)), path


# What a game's folder holds, by the same names in all games, and the extra files of each: every one has a subject.
FILES = {"__init__", "state", "play", "score", "knowledge", "worlds", "features", "categories", "text", "opening"}
OPTIONAL_FILES = {"view", "clairvoyant", "deck", "plain"}
EXTRA_FILES = {
    "wave": {"board", "foresight", "transpositions"},
    "sea_change": {"colour_counts", "colour_ways"},
    "land_unter": set(),
    "vague_verte": {"board"},
    "vague_attaque": {"clues", "duel", "effects", "explore", "land", "moves", "piles", "usefulness", "zones"},
}
GAMES = sorted(path.parent for path in (ROOT / "solver" / "games").glob("*/rules.toml"))


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_a_game_is_one_folder_like_the_others(folder: Path) -> None:
    found = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert found >= FILES
    assert found - FILES - OPTIONAL_FILES <= EXTRA_FILES.get(folder.name, set())
    assert {path.name for path in folder.iterdir() if path.suffix == ".toml"} == {"rules.toml", "weights.toml"}


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_a_game_is_defined_and_nothing_else(folder: Path) -> None:
    """A docstring, the import, and `GAME = define(__name__, ...)` with facts that are no file's."""
    words, imports, assignment = ast.parse((folder / "__init__.py").read_text()).body
    assert isinstance(words, ast.Expr)
    assert isinstance(imports, ast.ImportFrom)
    assert imports.module == "houle.solver.contract"
    assert isinstance(assignment, ast.Assign)
    assert isinstance(assignment.value, ast.Call)
    assert ast.unparse(assignment).startswith("GAME = define(__name__")
    assert all(isinstance(keyword.value, ast.Constant) for keyword in assignment.value.keywords)
