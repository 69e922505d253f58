"""`python -m tools.release 0.4.0 [--date 2026-11-18]`: set the version and its day, in every file that names them.

These are pyproject.toml, CITATION.cff and the heading of the changes in CHANGELOG.md. Commit and tag afterwards.
"""

from __future__ import annotations

import argparse
import re
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]


def release(version: str, day: date, root: Path = ROOT) -> None:
    """Writes the version and its day; a ValueError if the version is not X.Y.Z or a file lacks its line."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"version: {version!r} is not allowed; allowed: three numbers, as 0.4.0")
    changes = (
        ("pyproject.toml", r'^version = ".*"$', f'version = "{version}"'),
        ("CITATION.cff", r"^version: .*$", f"version: {version}"),
        ("CITATION.cff", r"^date-released: .*$", f"date-released: {day}"),
        ("CHANGELOG.md", r"^## Unreleased$", f"## Unreleased\n\n## {version} ({day})"),
    )
    for name, line, new in changes:
        path = root / name
        text, found = re.subn(line, new, path.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)
        if not found:
            raise ValueError(f"{name}: no line {line}")
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("version")
    options.add_argument("--date", type=date.fromisoformat, default=date.today())
    given = options.parse_args()
    release(given.version, given.date)
