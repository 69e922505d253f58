"""The package metadata: tested lowest versions, a changelog and a tag for the version, no addresses."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def bounds(lines: list[str], mark: str) -> dict[str, tuple[int, ...]]:
    """Name -> version of every line that gives one; trailing zeros do not count."""
    found = {}
    for line in lines:
        if match := re.fullmatch(rf"([\w-]+){mark}([\d.]+)", line.strip()):
            version = [int(part) for part in match[2].split(".")]
            while version and not version[-1]:
                version.pop()
            found[match[1].lower()] = tuple(version)
    return found


def test_lowest_versions_are_tested() -> None:
    optional = PROJECT["optional-dependencies"]
    asked = bounds([*PROJECT["dependencies"], *optional["cluster"], *optional["parquet"]], ">=")
    tried = bounds((ROOT / "constraints-oldest.txt").read_text().splitlines(), "==")
    assert asked == tried


def test_version_has_a_changelog_section() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    chapters = re.findall(r"^## (\S+)", text, re.MULTILINE)
    assert chapters[0] == "Unreleased"
    assert chapters[1] == PROJECT["version"]
    assert chapters[-1] == "0.1.0"


def test_tags_are_the_versions_they_name() -> None:
    git = ["git", "-C", str(ROOT)]
    tags = subprocess.run([*git, "tag", "--list", "v*"], capture_output=True, text=True, check=False).stdout.split()
    if not tags:
        pytest.skip("this copy has no tags")
    for tag in tags:
        there = subprocess.run([*git, "show", f"{tag}:pyproject.toml"], capture_output=True, text=True, check=True)
        assert f"v{tomllib.loads(there.stdout)['project']['version']}" == tag


def test_release_notes_are_short() -> None:
    """At most 60 lines per released version, and one line per change."""
    text = (ROOT / "CHANGELOG.md").read_text()
    for chapter in re.split(r"^## ", text, flags=re.MULTILINE)[2:]:  # without the head and what is not released
        assert len(chapter.splitlines()) <= 60, chapter.splitlines()[0]
        assert not re.findall(r"^  \S.*$", chapter, re.MULTILINE)


def test_package_names_no_address() -> None:
    assert "urls" not in PROJECT
    assert "://" not in (ROOT / "pyproject.toml").read_text()
