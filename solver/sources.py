"""The files that the code of a game consists of, and what tells two versions of them apart.

A game of your own is read once, before its module runs, and the digests of its files are those of the code that plays:
kernels are cached by them, and results, logs of studies and Dask workers compare them. The list follows from what the
sources say, not from what is loaded, and names are relative to the folder. So the same game has the same digest in two
folders and on two machines. docs/reference/own-games.md says what is not seen.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.machinery import ModuleSpec
from itertools import accumulate, product
from pathlib import Path
from typing import NamedTuple

from houle.solver.errors import FileError

INIT = "__init__.py"
PLAIN = "plain.py"  # the plain version of a compiled game, which no kernel reads
TEXTS = ("position.py", "words.py")  # files of a compiled game without kernels, unless others import them
TESTS = ("tests", "test_*.py")
ELSEWHERE = "import "  # before the name of a module outside the folder
STANDARD = sys.stdlib_module_names | {"houle"}  # modules that no file of a game replaces
INSTALLED = {"site-packages", "dist-packages"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Source(NamedTuple):
    """A file as it was read, and the names of the files that it imports or names."""

    content: bytes
    uses: tuple[str, ...]


Sources = Mapping[str, Source]  # by the name of the file, relative to the folder of the game

outside: dict[str, Sources] = {}  # of games outside this package, by their marker field
about_to_run: dict[str, Sources] = {}  # by their modules


def sources_of(place: Path) -> Sources:
    """The files of a game: of a folder its modules, of a file the modules beside it that it imports.

    Both with the modules elsewhere that they import, unless these are installed, and with the files that a text in
    these sources names, such as "cards.csv".
    """
    folder = place if place.is_dir() else place.parent
    waiting = {_name(path, folder): path for path in (_modules_in(place) if place.is_dir() else [place])}
    found: dict[str, Source] = {}
    while waiting:
        name, path = waiting.popitem()
        try:
            content = path.read_bytes()
        except OSError as fault:
            raise FileError(f"{path}: {fault.strerror or fault}") from None
        uses = dict(_used(content, name, path, place)) if path.suffix == ".py" or path == place else {}
        found[name] = Source(content, tuple(sorted(uses)))
        waiting |= {name: path for name, path in uses.items() if name not in found}
    return dict(sorted(found.items()))


def digest_of(files: Mapping[str, bytes]) -> str:
    """The digest of files by their names and contents."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode(errors="surrogateescape") + content)
    return digest.hexdigest()[:16]


def kernel_syntax(sources: Sources) -> dict[str, bytes]:
    """What kernels of a game can depend on: the syntax of its modules, and the files that these name."""
    names = {name for name in sources if is_module(name) and name not in TEXTS}
    while grown := {used for name in names for used in sources[name].uses} - names:
        names |= grown
    return {name: syntax(sources[name].content) if name.endswith(".py") else sources[name].content for name in names}


@lru_cache(maxsize=256)
def syntax(content: bytes) -> bytes:
    """A source without comments, line numbers and docstrings, unless it reads docstrings.

    It is the same for every version of Python: fields of the syntax tree that are empty are left out.
    """
    tree, words = _parsed(content), list[str]()
    try:
        _write(tree, words, b"__doc__" in content)
    except RecursionError:  # a sum of a thousand terms
        return content
    return "\0".join(words).encode(errors="surrogatepass") if tree else content


def spec_of(module: str) -> ModuleSpec | None:
    """Where a module is. Unlike importlib.util.find_spec, this imports no package above it."""
    spec: ModuleSpec | None = None
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        path = spec.submodule_search_locations if spec else None
        if spec is not None and path is None:
            return None
        found = (finder.find_spec(".".join(parts[:length]), path) for finder in sys.meta_path)
        spec = next(filter(None, found), None)
        if spec is None:
            return None
    return spec


def _parsed(content: bytes) -> ast.Module | None:
    """The syntax tree of a source; None if it is not Python, which an import says better."""
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError):
        return None


def _write(part: object, words: list[str], docstrings: bool) -> None:
    """Adds a part of a syntax tree to its words."""
    if isinstance(part, ast.AST):
        words.append(type(part).__name__)
        for field in part._fields:
            value = getattr(part, field, None)
            if field == "body" and not docstrings and isinstance(part, DOCUMENTED) and ast.get_docstring(part, False):
                value = part.body[1:]
            if value is not None and value != []:
                words.append(field)
                _write(value, words, docstrings)
        words.append(")")
    elif isinstance(part, list):
        for one in part:
            _write(one, words, docstrings)
        words.append("]")
    else:
        words.append(repr(part))


def _modules_in(folder: Path) -> Iterator[Path]:
    """The modules in the folder of a game, without hidden folders, tests and the plain version."""
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).parts
        is_test = any(Path(part).match(test) for part in parts for test in TESTS)
        if path.name != PLAIN and not is_test and not any(part.startswith(".") for part in parts):
            yield path


def is_module(name: str) -> bool:
    """Whether a file is a module of the game itself."""
    return name.endswith(".py") and not name.startswith((ELSEWHERE, ".."))


def _name(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _used(content: bytes, name: str, path: Path, place: Path) -> Iterator[tuple[str, Path]]:
    """The files that a source imports or names, by their names."""
    folder = place if place.is_dir() else place.parent
    nodes = list(ast.walk(_parsed(content) or ast.Module([], [])))
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _imported(alias.name, place)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = ".".join(filter(None, (node.module, alias.name)))
                if not node.level:
                    yield from _imported(module, place)
                elif name.startswith(ELSEWHERE):
                    package = name.removeprefix(ELSEWHERE).split(".")[: -node.level - (path.name != INIT)]
                    yield from _imported(".".join((*package, module)), place)
                else:
                    inner = _files_of(path.parents[node.level - 1], module.split("."))
                    yield from ((_name(file, folder), file) for file in inner)
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    folders = {folder, path.parent}
    folders |= {near / text for near in folders for text in texts if os.path.isdir(near / text)}
    for near, text in product(folders, texts):
        if os.path.isfile(near / text):
            inside = (near / text).is_relative_to(folder)
            yield _name(near / text, folder) if inside else f"{name}: {text}", near / text


def _imported(module: str, place: Path) -> Iterator[tuple[str, Path]]:
    """The files of an imported module: those beside a class come before installed ones, as for a program."""
    top, *inner = module.split(".")
    folder, package = (place, place.name.replace("-", "_")) if place.is_dir() else (place.parent, "")
    beside = [*_files_of(folder, inner if top == package else [top, *inner])] if top not in STANDARD else []
    if top == package or (beside and not package):
        yield from ((_name(file, folder), file) for file in beside)
    elif top not in STANDARD:
        for name in accumulate([top, *inner], "{}.{}".format):
            spec = spec_of(name)
            file = Path(spec.origin or "") if spec else Path()
            if file.is_file() and INSTALLED.isdisjoint(file.parts):
                yield f"{ELSEWHERE}{name}{file.suffix}", file


def _files_of(folder: Path, parts: Iterable[str]) -> Iterator[Path]:
    """The files of a module below a folder: the packages on the way to it, and itself."""
    for part in parts:
        folder = folder / part
        file = next(filter(Path.is_file, (folder / INIT, folder.with_name(f"{part}.py"))), None)
        if file is not None:
            yield file
