"""Files that commands write: checked before any time is spent, the ending says what is written."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.solver.ruleset import RulesetError

if TYPE_CHECKING:
    from houle.analysis.result import Result

ENDINGS = (".json", ".csv", ".parquet")
PICTURES = (".png", ".svg", ".pdf")


def check_files(out: str | None, figure: str | None = None) -> None:
    """Refuses files that could not be written."""
    check_file("-o", out, ENDINGS)
    check_file("--figure", figure, PICTURES)


def check_file(option: str, path: str | None, endings: tuple[str, ...]) -> None:
    """Refuses one file: an unknown ending, no such folder, or an ending that needs what is not installed."""
    if path is None:
        return
    file = Path(path)
    if file.suffix not in endings:
        raise RulesetError(f"{option}: {path}: the file's ending says what to write; allowed: {', '.join(endings)}")
    if file.is_dir() or not file.parent.is_dir():
        raise RulesetError(f"{option}: {path}: " + ("is a folder" if file.is_dir() else f"no folder {file.parent}"))
    if file.suffix == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise RulesetError(f"{option}: {path}: needs pyarrow: pip install 'houle[parquet]'")


def write_result(result: Result, out: str) -> None:
    """The whole result as JSON, or its frame as CSV or Parquet."""
    if out.endswith(".json"):
        write_text(out, json.dumps(result.as_json(), indent=2) + "\n")
    elif out.endswith(".csv"):
        write_text(out, result.frame().to_csv(index=False))
    else:
        _writing(out, lambda: result.frame().to_parquet(out, index=False))


def write_text(path: str, content: str) -> None:
    _writing(path, lambda: Path(path).write_text(content, encoding="utf-8"))


def write_figure(draw: Callable[[Path], Any], path: str) -> None:
    _writing(path, lambda: draw(Path(path)))


def _writing(path: str, write: Callable[[], Any]) -> None:
    """A disk that refuses is one line, not a traceback."""
    try:
        write()
    except OSError as fault:
        raise RulesetError(f"{path}: {fault.strerror or fault}") from None
