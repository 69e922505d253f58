"""`python -m tools.people`: moves of people are scored per person, and a broken file is one line."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from houle.solver.compiler.kernels import JIT
from tools.people import games as people
from tools.people import pairs, variants
from tools.people.__main__ import main
from tools.people.moves import nats_of, scores, table

pytestmark = pytest.mark.quick

NOBODY: Any = None
uncompiled = pytest.mark.skipif(JIT, reason="compiling Hanabi takes longer than all of it")


@lru_cache
def some_games() -> list[dict[str, Any]]:
    """The first games of a person who is not kept back."""
    games = people.read_games(people.HANABI / "people" / "hanabi_people.jsonl.gz")
    person = next(game["person"] for game in games if not people.is_kept_back(game) and game["nth"] == 2)
    return sorted((game for game in games if game["person"] == person), key=lambda game: game["nth"])[:2]


def written(path: Path, games: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(game) + "\n" for game in games))
    return path


@uncompiled
def test_random_play_has_the_nats_of_an_even_choice(tmp_path: Path) -> None:
    """Each move of a person costs the logarithm of the number of legal moves."""
    games = some_games()
    decisions, left_out = people.read_decisions(games, tmp_path)
    assert left_out == 0
    assert len(decisions) == sum(move[0] == people.PERSON for game in games for move in game["moves"])
    nats = nats_of(
        decisions, ["random"], repeats=1, floor=0.0, seed=1, shown=lambda part, whole: lambda done, seconds: None
    )["random"]
    assert list(nats) == pytest.approx([np.log(len(decision.match.moves())) for decision in decisions])
    shown = CliRunner().invoke(main, [str(written(tmp_path / "games.jsonl", games)), "-s", "random", "-s", "thumb"])
    assert shown.exit_code == 0
    assert "first games: 1 people" in shown.output
    assert "later games: 1 people" in shown.output


def test_each_person_counts_once() -> None:
    """One person with many cheap moves weighs no more than one with a single dear move."""
    decisions = [people.Decision(person="a", experience=None, nth=1, match=NOBODY, action=0)] * 9 + [
        people.Decision(person="b", experience=None, nth=1, match=NOBODY, action=0)
    ]
    nats = {"one": np.array([1.0] * 9 + [3.0]), "other": np.zeros(10)}
    rows = [row for row in scores(decisions, nats, 1) if row.group == "first games"]
    assert [row.nats.value for row in rows] == [2.0, 0.0]
    assert (rows[0].people, rows[0].decisions, rows[1].beside.value) == (2, 10, -2.0)
    assert "beside one -2.0000" in "\n".join(table(rows))


def assert_one_line(error: str, path: Path, *words: str) -> None:
    """The tool refuses a file in one line, and writes nothing beside it."""
    shown = CliRunner().invoke(main, [*words, str(path)])
    assert (shown.exit_code, len(shown.output.strip().splitlines())) == (1, 1)
    assert f"{path}: " in shown.output
    assert error in shown.output
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"deck": ["9z"]}, "line 2: person, deck or moves are not written as people/README.md says"),
        ({"nth": "1"}, "line 2: nth: '1' is not allowed; allowed: a whole number"),
        ({"moves": [[0, 7, None, None, None, None]]}, "line 2: person, deck or moves are not written"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, change: dict[str, Any], error: str) -> None:
    first, second = some_games()
    assert_one_line(error, written(tmp_path / "games.jsonl", [first, second | change]))


VARIANTS = people.HANABI / "people" / "hanabi_variants.csv"


def test_pairs_of_the_table_are_counted() -> None:
    """57 special variants; the two counts order as many pairs as the question says."""
    asked = pairs.Pairs(variants.read_variants(VARIANTS), VARIANTS)
    first, both = asked.share(-asked.once), asked.share(-asked.both)
    assert (len(asked.variants), first.pairs) == (57, 1134)
    assert [int((asked.told & asked.ties(count)).sum()) for count in (asked.once, asked.both)] == [273, 144]
    assert [first.right, first.tied, both.right, both.tied] == pytest.approx([0.757, 0.241, 0.870, 0.127], abs=0.001)
    assert asked.rank(-asked.both)[0] == pytest.approx(0.921, abs=0.001)
    assert (asked.share(asked.wins).right, asked.share(-asked.wins).right) == (1, 0)  # people themselves
    assert (asked.share(asked.wins).low, asked.share(np.zeros(57)).tied) == (1, 1)
    assert asked.line_error(np.log(asked.wins / (1 - asked.wins))) < 0.1 < asked.line_error(asked.once)


TABLE = """variant,suits,special,games,wins
One,5,colour=all rank=own copies=usual,1000,500
Two,5,colour=own rank=own copies=one,1000,300
Three,6,colour=own rank=none copies=usual; colour=none rank=none copies=one,1000,100
"""


@uncompiled
def test_any_table_is_played_and_kept(tmp_path: Path) -> None:
    """Unknown names are no matter, the base game is left out, and a second call plays nothing."""
    path = tmp_path / "other.csv"
    path.write_text(TABLE + "Plain,5,,1000,500\n")
    options = ["--pairs", str(path), "-s", "random", "-n", "2", "--jobs", "1", "--keep", str(tmp_path)]
    shown = [CliRunner().invoke(main, options, catch_exceptions=False) for _ in range(2)]
    assert [one.exit_code for one in shown] == [0, 0], shown[0].output
    assert shown[0].stdout == shown[1].stdout
    assert "pairs ordered right (3)" in shown[0].stdout
    kept = (tmp_path / "people-pairs.csv").read_text().splitlines()
    assert len(kept) == 1 + 3 * 3
    assert "brown + dark-null" in kept[-1]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("variant,suits", "name,suits", "line 1: the columns are not variant,suits,special,games,wins"),
        ("1000,300", "1000,1001", "line 3: wins: 1001 of 1000 games is not allowed"),
        ("copies=one,1000", "copies=two,1000", "line 3: special: 'colour=own rank=own copies=two' is not allowed"),
        (
            "; colour",
            "; colour=own rank=own copies=one; colour",
            "line 4: special: 3 special suits; allowed: at most 2",
        ),
        ("Two,5", "Two,7", "line 3: suits: 7 is not allowed; allowed: 3 to 6"),
        ("1000,300", "1000", "line 3: wins is missing"),
        ("1000,300", "1e3,300", "line 3: games: '1e3' is not allowed; allowed: a whole number"),
        ("500", "100", "variants with special suits"),
    ],
)
def test_a_broken_table_of_pairs_is_one_line(tmp_path: Path, old: str, new: str, error: str) -> None:
    path = tmp_path / "broken.csv"
    path.write_text(TABLE.replace(old, new).replace("1000,300", "1000,100" if new == "100" else "1000,300"))
    assert_one_line(error, path, "--pairs")
