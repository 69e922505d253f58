"""Source files as syntax trees, parsed once for all tests of a process: parsing all of them takes seconds."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("solver", "analysis", "reports", "cli")


def python_files(*folders: str) -> list[Path]:
    """The Python files of the product, or of some of its folders."""
    return [path for folder in folders or (*ROOMS, "houle") for path in sorted((ROOT / folder).rglob("*.py"))]


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file. It must not be changed."""
    return ast.parse(path.read_text(encoding="utf-8"))


def mentions(path: Path, names: Collection[str]) -> bool:
    """Whether any of these names is in a file. Files without them need not be parsed."""
    return bool(re.search(rf"\b(?:{'|'.join(names)})\b", path.read_text(encoding="utf-8")))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file's syntax tree."""
    return tuple(ast.walk(tree_of(path)))
