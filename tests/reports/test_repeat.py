"""The commands in a report repeat its numbers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houle.reports.html.write import DATA
from tests.reports.test_verdict import sections
from tests.support.call import good
from tests.support.made_reports import GAMES, ORDINARY, SETUPS, made, report_of, sketched

pytestmark = pytest.mark.compiled


def digests(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        if data.get("result_digest"):
            yield data["result_digest"]
        for value in data.values():
            yield from digests(value)
    elif isinstance(data, list):
        for value in data:
            yield from digests(value)


def numbers(data: Any) -> Iterator[float]:
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from numbers(value)
    elif isinstance(data, float):
        yield data


def section_again(game: str, name: str, folder: Path) -> Any:
    """A section of a game's report, made without the others; the effort of tests has no name to type."""
    with sketched():
        made(SETUPS[game], folder, only=(name,))
    return sections(json.loads((folder / DATA).read_text()))[name]


# Slow tests repeat the other games, and all commands of WAVE.
SOME = [(game, 1 if game == "wave" else None) for game in ORDINARY]
OTHERS = [(game, None) for game in GAMES if (game, None) not in SOME]


@pytest.mark.parametrize(("game", "most"), [*SOME, *(pytest.param(*one, marks=pytest.mark.slow) for one in OTHERS)])
def test_commands_repeat_the_numbers(game: str, most: int | None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The first `most` commands of every section, or all."""
    data = json.loads((report_of(game, tmp_path_factory) / DATA).read_text())
    run = 0
    for name, section in sections(data).items():
        # The shares of result bands are of the games of another section; no command prints them.
        results = {key: one for key, one in section["results"].items() if key != "bands"}
        known, shown = set(digests(results)), set(numbers(results))
        repeated: set[float] = set()
        for command in section["repeat"][:most]:
            if command.startswith("houle report"):  # makes the section again
                assert command.endswith(f" --only {name}")
                made = section_again(game, name, tmp_path_factory.mktemp(name))
                assert list(numbers(made["results"])) == list(numbers(section["results"])), (name, command)
                run += 1
                continue
            again = json.loads(good(*shlex.split(command)[1:], "--json", "-j", "1"))
            run += 1
            repeated |= set(numbers(again))
            if known and again["result_digest"] not in known:  # a table of several players, of whom it plays some
                if "rows" in again:
                    assert {row["value"]["value"] for row in again["rows"]} <= shown, (name, command)
                else:  # a part of what the command says
                    assert shown <= set(numbers(again)), (name, command)
        assert known or most or not section["repeat"] or shown <= repeated, name
    assert run >= 4
