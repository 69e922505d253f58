"""The package metadata: tested lowest versions, a changelog and a tag for the version, no addresses."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest

from tools.release import release

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
    """A version that is being made has its changes under Unreleased, until tools/release.py gives them its name."""
    text = (ROOT / "CHANGELOG.md").read_text()
    first, *versions = re.findall(r"^## (\S+)", text, re.MULTILINE)
    assert first == "Unreleased"
    assert versions[-1] == "0.1.0"
    in_the_making = text.partition("## Unreleased\n")[2].partition("\n## ")[0].strip()
    assert versions[0] == PROJECT["version"] or in_the_making


def test_citation_names_the_version_and_its_day() -> None:
    citation = dict(line.split(": ", 1) for line in (ROOT / "CITATION.cff").read_text().splitlines() if ": " in line)
    assert citation["version"] == PROJECT["version"]
    days = re.findall(
        rf"^## {re.escape(citation['version'])} \((.*)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert days in ([], [citation["date-released"]])


def test_a_release_is_written_into_every_file(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    release("9.8.7", date(2030, 1, 2), tmp_path)
    assert tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["version"] == "9.8.7"
    assert "\nversion: 9.8.7\ndate-released: 2030-01-02\n" in (tmp_path / "CITATION.cff").read_text()
    assert "\n## Unreleased\n\n## 9.8.7 (2030-01-02)\n" in (tmp_path / "CHANGELOG.md").read_text()
    with pytest.raises(ValueError, match="allowed: three numbers"):
        release("9.8", date(2030, 1, 2), tmp_path)


def test_tested_python_versions_are_named() -> None:
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r"Python :: 3\.", text)]
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert f"Python {', '.join(named[:-1])} or {named[-1]}" in (ROOT / "README.md").read_text()


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
