"""Imports the modules beside a class under the name of the class, from the files as they were read.

Two classes may each have a `helper` beside them. So the class is a package of its own, `import helper` in it imports a
module of that package, and no folder is added to `sys.path`.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from houle.solver.sources import INIT, Sources, is_module


class ModulesBeside(MetaPathFinder):
    """Finds the modules of one class by the files that were read."""

    def __init__(self, own: str, file: Path, sources: Sources) -> None:
        self.own, self.file = own, file
        self.content = {str(file.parent / name): source.content for name, source in sources.items()}
        self.files: dict[str, Path | None] = {}  # by the name of the module; None: a folder of modules
        for name in filter(is_module, sources):
            parts = (name if Path(name).name != INIT else str(Path(name).parent)).removesuffix(".py").split("/")
            self.files |= {".".join(parts[:length]): None for length in range(1, len(parts))} | self.files
            self.files[".".join(parts)] = file.parent / name

    def module(self) -> ModuleType:
        """The module of the class, which has run."""
        spec = self.spec(self.own, self.file, is_package=True)
        made = sys.modules[self.own] = module_from_spec(spec)  # dataclasses look their module up
        sys.meta_path.insert(0, self)
        assert spec.loader is not None
        spec.loader.exec_module(made)
        return made

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        own, _, name = fullname.partition(".")
        if own != self.own or name not in self.files:
            return None
        file = self.files[name]
        if file is None:
            return ModuleSpec(fullname, None, is_package=True)
        return self.spec(fullname, file, is_package=file.name == INIT)

    def spec(self, fullname: str, file: Path, *, is_package: bool) -> ModuleSpec:
        loader, inside = AsRead(fullname, str(file)), list[str]() if is_package else None
        loader.beside = self
        spec = spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=inside)
        assert spec is not None
        return spec

    def import_beside(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # names of Python's own __import__
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` in the modules of the class."""
        top = name.partition(".")[0]
        if level or top not in self.files:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = importlib.import_module(f"{self.own}.{name}")
        if fromlist:
            return builtins.__import__(module.__name__, globals, locals, fromlist)
        return sys.modules[f"{self.own}.{top}"]


class AsRead(SourceFileLoader):
    """Runs a module as it was read, not as its file or its bytecode is now."""

    beside: ModulesBeside

    def path_stats(self, path: Any) -> Mapping[str, Any]:
        raise OSError  # no bytecode

    def get_data(self, path: Any) -> bytes:
        return self.beside.content[path] if path in self.beside.content else super().get_data(path)

    def exec_module(self, module: ModuleType) -> None:
        own = {"__import__": self.beside.import_beside, "print": print_to_stderr}
        vars(module)["__builtins__"] = {**vars(builtins), **own}
        super().exec_module(module)


def print_to_stderr(*values: Any, file: Any = None, **how: Any) -> None:
    """`print` of the user's files: what they print to find a fault must not end up in JSON."""
    print(*values, file=file or sys.stderr, **how)
