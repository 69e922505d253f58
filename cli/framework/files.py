"""Files that commands write, checked before any game is played, and the folder for what houle remembers.

The ending of a name chooses the format.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from houle.solver.errors import FileError
from houle.solver.rules.files import check_writable, unusable, write_whole
from houle.solver.texts import csv_cell

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".json", ".csv", ".parquet")
PICTURES = (".png", ".svg", ".pdf")


class Written(Protocol):
    """What can be written: anything with a frame and JSON, such as a Result."""

    def frame(self, whole: bool = False) -> pd.DataFrame: ...

    def as_json(self) -> dict[str, Any]: ...


def check_file(option: str, path: str, endings: tuple[str, ...]) -> None:
    """Raises FileError for an unknown ending, a folder that cannot be written, or a format that is not installed."""
    file = Path(path)
    if file.suffix not in endings:
        raise FileError(f"{option}: {path}: this ending is not allowed; allowed: {', '.join(endings)}")
    if problem := unusable(path):
        raise FileError(f"{option}: {path}: {problem}")
    check_writable(path, f"{option}: {path}")
    if file.suffix == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise FileError(f"{option}: {path}: needs pyarrow: pip install 'houle[parquet]'")


def check_folder(option: str, path: str) -> None:
    """Raises FileError if the folder is a file or cannot be written."""
    if os.path.exists(path) and not os.path.isdir(path):
        raise FileError(f"{option}: {path}: is a file; give a folder")
    check_writable(path, f"{option}: {path}")


def check_new(path: str | None) -> None:
    """Raises FileError if the file of --write exists."""
    if path and os.path.exists(path):
        raise FileError(f"--write: {path} exists already; give another name, or delete it first")


def write_result(result: Written, out: str) -> None:
    """Writes the whole result as JSON, or its frame as CSV or Parquet."""
    if out.endswith(".parquet"):
        write_whole(out, lambda path: result.frame(whole=True).to_parquet(path, index=False))
    else:
        write_text(out, result_text(result, Path(out).suffix[1:]))


def result_text(result: Written, kind: str) -> str:
    """The result as "json" or "csv"."""
    if kind == "json":
        return json.dumps(result.as_json(), indent=2) + "\n"
    return str(result.frame(whole=True).map(csv_cell).to_csv(index=False))


def write_text(path: str, content: str) -> None:
    write_whole(path, lambda beside: beside.write_text(content, encoding="utf-8"))


def write_figure(draw: Callable[[Path], Any], path: str) -> None:
    write_whole(path, draw)


def state_folder() -> Path:
    """Where houle keeps what it must remember between runs: HOULE_STATE_DIR, or the user's state folder."""
    if chosen := os.environ.get("HOULE_STATE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "houle"
