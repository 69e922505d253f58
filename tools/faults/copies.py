"""A copy of a source tree in which one fault at a time is planted, and tests are run."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

TIMEOUT = "timeout"
IMPORT = "import"
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
# Exit codes of pytest that say nothing about the fault: a test that is not there, or none that was selected.
NOT_RUN = (4, 5)

# The folders at the root are installed as packages of houle. An installed tree would answer for the copy, so the copy
# has its own finder. It comes after Python's search of folders, as that of an installed tree does, because some tests
# put other sources on the path.
FINDER = """\
import importlib.machinery, importlib.util, os, sys

ROOMS = {rooms!r}


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in ROOMS:
            return importlib.util.spec_from_file_location(name, os.path.join(ROOMS[name], "__init__.py"))
        return None


sys.meta_path.insert(sys.meta_path.index(importlib.machinery.PathFinder) + 1, Finder)
"""


@dataclass(frozen=True)
class Fault:
    """A fault of faults.toml."""

    name: str
    kind: str
    within: str  # a folder, or a file
    old: str  # a pattern: any space stands for any space
    new: str
    tests: tuple[str, ...]
    function: str = ""  # `name`, or `Class.name`; empty for the whole file


@dataclass(frozen=True)
class Run:
    """What a run of some tests showed."""

    code: int
    failed: str  # the test that failed first, `timeout`, `import`, or empty
    seconds: float
    cpu: float
    output: str


def read_faults(file: Path) -> list[Fault]:
    listed = tomllib.loads(file.read_text(encoding="utf-8"))["fault"]
    return [Fault(**{**one, "tests": tuple(one["tests"])}) for one in listed]


def places(root: Path, fault: Fault) -> list[tuple[Path, re.Match[str]]]:
    """Where the pattern of a fault is, inside its function. There should be one place."""
    within = root / fault.within
    files = [within] if within.is_file() else sorted(within.rglob("*.py"))
    pattern = re.compile(r"\s+".join(re.escape(word) for word in fault.old.split()))
    found = []
    for file in files:
        text = _text(file, file.stat().st_mtime_ns)
        if fault.function.rpartition(".")[2] in text and pattern.search(text):  # parsing takes longest
            found += [(file, match) for span in _spans(text, fault.function) for match in _inside(pattern, text, span)]
    return found


@lru_cache(maxsize=1_000)
def _text(file: Path, changed: int) -> str:
    """The text of a file that was changed at this time."""
    return file.read_text(encoding="utf-8")


def _inside(pattern: re.Pattern[str], text: str, span: tuple[int, int]) -> list[re.Match[str]]:
    return list(pattern.finditer(text, *span))


def _spans(text: str, function: str) -> list[tuple[int, int]]:
    """The first and last letter of every function of this name, with its decorators."""
    if not function:
        return [(0, len(text))]
    owner, _, name = function.rpartition(".")
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    spans = []
    for above, node in _all_functions(text):
        if node.name == name and owner in ("", above):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            spans.append((starts[first - 1], starts[node.end_lineno or first] if node.end_lineno else len(text)))
    return spans


@lru_cache(maxsize=500)
def _all_functions(text: str) -> list[tuple[str, ast.FunctionDef]]:
    return list(_functions(ast.parse(text)))


def _functions(tree: ast.AST, above: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function, with the name of the class that it is in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield above, node
        yield from _functions(node, node.name if isinstance(node, ast.ClassDef) else above)


def planted(text: str, place: re.Match[str], fault: Fault) -> str:
    """The text with the fault in it."""
    return f"{text[: place.start()]}{fault.new.strip()}{text[place.end() :]}"


class Copy:
    """A copy of the tracked files of a tree. Everything it writes is inside its own folder."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.folder, self.root, self.cache = folder, folder / "tree", folder / "cache" / "kernels"
        self._living: subprocess.Popen[bytes] | None = None
        self._stopped = False
        names = subprocess.run(["git", "-C", str(tree), "ls-files", "-z"], capture_output=True, text=True, check=True)
        for name in filter(None, names.stdout.split("\0")):
            if (tree / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(tree / name, self.root / name)
        # A test lists the tracked files.
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        (folder / "site").mkdir()
        rooms = ("solver", "analysis", "reports", "cli")
        finder = FINDER.format(rooms={f"houle.{room}": str(self.root / room) for room in rooms})
        (folder / "site" / "sitecustomize.py").write_text(finder)
        self._copy_cache()

    def _copy_cache(self) -> None:
        """Copies the user's compiled kernels. They are named after their sources, so no fault is hidden by them."""
        self.cache.parent.mkdir(mode=0o700)
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        users = Path(os.environ.get("HOULE_CACHE_DIR") or f"{base}/houle/kernels")
        # Another process may replace a file meanwhile; what is missing is compiled again.
        with suppress(FileNotFoundError, shutil.Error):
            shutil.copytree(users, self.cache)

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join((str(self.root), str(self.folder / "site")))
        return {**os.environ, "PYTHONPATH": path, "HOULE_CACHE_DIR": str(self.cache)}

    @contextmanager
    def plant(self, fault: Fault) -> Iterator[bool]:
        """Plants a fault for the duration of a block; False if its place is not in this tree."""
        found = places(self.root, fault)
        if len(found) != 1:
            yield False
            return
        path, place = found[0]
        whole = path.read_bytes()
        text = planted(whole.decode("utf-8"), place, fault)
        compiled = set(self._compiled())
        self._write(path, text.encode("utf-8"))
        try:
            yield True
        finally:
            self._write(path, whole)
            if fault.within.startswith("solver/"):
                # Kernels with the fault are never used again, and fill the disk.
                for folder in set(self._compiled()) - compiled:
                    shutil.rmtree(folder, ignore_errors=True)

    def _compiled(self) -> list[Path]:
        return list(self.cache.iterdir()) if self.cache.exists() else []

    def _write(self, path: Path, content: bytes) -> None:
        """Writes a source and drops its bytecode, which Python may take for current within the same second."""
        for stale in path.parent.glob(f"__pycache__/{path.stem}.*"):
            stale.unlink()
        path.write_bytes(content)

    def pytest(self, words: Sequence[str], options: str, timeout: float) -> Run:
        command = [sys.executable, "-m", "pytest", "-x", "-rfE", "--tb=line", "-p", "no:cacheprovider"]
        command += ["--basetemp", str(self.folder / "tmp")]
        command += shlex.split(options)
        code, seconds, cpu, output = self.run([*command, *words], timeout)
        if code < 0 and not self._stopped:
            return Run(code=code, failed=TIMEOUT, seconds=seconds, cpu=cpu, output=output)
        failed = ""
        if code and code not in NOT_RUN:
            first = FAILED.search(output)
            failed = first[1] if first else IMPORT
            failed = failed if "::" in failed else IMPORT
        return Run(code=code, failed=failed, seconds=seconds, cpu=cpu, output=output)

    def run(self, command: Sequence[str], timeout: float) -> tuple[int, float, float, str]:
        """Runs a command in the copy; returns its code (negative if killed), seconds, CPU seconds and output."""
        start = time.monotonic()
        with (self.folder / "output").open("wb") as output:
            self._living = subprocess.Popen(
                command, cwd=self.root, env=self.environment, stdout=output, stderr=output, start_new_session=True
            )
            clock = threading.Timer(timeout, self._kill)
            clock.start()
            try:
                _, status, used = os.wait4(self._living.pid, 0)
            finally:
                clock.cancel()
        code = self._living.returncode = os.waitstatus_to_exitcode(status)
        text = (self.folder / "output").read_text(encoding="utf-8", errors="replace")
        return code, time.monotonic() - start, used.ru_utime + used.ru_stime, text

    def _kill(self) -> None:
        if self._living and self._living.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._living.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Ends the tests that run now."""
        self._stopped = True
        self._kill()


@contextmanager
def copies(tree: Path, number: int) -> Iterator[list[Copy]]:
    """Copies of a tree in a temporary folder, which is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # some tests of root run commands as another user
        parts = [Path(folder) / str(i) for i in range(number)]
        for part in parts:
            part.mkdir()
        made = [Copy(tree, part) for part in parts]
        try:
            yield made
        finally:
            for copy in made:
                copy.stop()
