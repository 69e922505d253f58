"""A class imports the modules beside it under its own name, as they were when it was read."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from houle.solver.errors import RulesError
from houle.solver.plain.plain_class import load_class

pytestmark = pytest.mark.quick

GAME = """
import pack.inner, pack.more as more
import helper as first
from helper import WORTH, Bag
from loose.deep import DEEP
from pack import inner as same
from .near import NEAR

class Game:
    worth, bag, deep, near = WORTH, Bag, DEEP, NEAR
    inner = pack.inner.INNER, same.INNER, more.INNER
    def late(self):
        import later
        return later.LATE
    def to_move(self): ...
    def legal(self): ...
    def apply(self, move): ...
    def result(self): ...
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "first", 1)


def written(folder: Path, worth: int) -> Path:
    files = {"game.py": GAME, "helper.py": f"WORTH = {worth}\nclass Bag: ...\n", "later.py": f"LATE = {worth}\n"}
    files |= {"pack/__init__.py": "", "pack/inner.py": "from .more import INNER\n", "near.py": f"NEAR = {worth}\n"}
    files |= {"pack/more.py": f"import helper\nINNER = helper.WORTH + {worth}\n", "loose/deep.py": f"DEEP = {worth}\n"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def game(folder: Path) -> Any:
    return load_class(str(folder / "game.py")).made


def test_helpers_of_one_name_do_not_mix(folder: Path, tmp_path: Path) -> None:
    before, path = {*sys.modules}, [*sys.path]
    first, second = game(folder), game(written(tmp_path / "second", 2))
    for made, worth in ((first, 1), (second, 2), (first, 1)):
        assert (made.worth, made.deep, made.near, made.inner) == (worth, worth, worth, (2 * worth,) * 3)
        assert made.late(None) == worth
    assert sys.path == path
    assert all(name.startswith("houle_plain_game_") for name in {*sys.modules} - before)
    assert not [*folder.rglob("__pycache__")]
    assert isinstance(pickle.loads(pickle.dumps(first.bag())), first.bag)


def test_code_is_that_which_was_read(folder: Path) -> None:
    """A module that is imported later is the one that the digest names."""
    made = game(folder)
    (folder / "later.py").write_text("LATE = 7\n")
    assert made.late(None) == 1
    assert game(folder).late(None) == 7


def test_modules_of_python_stay(folder: Path) -> None:
    (folder / "random.py").write_text("WRONG = 1\n")
    (folder / "game.py").write_text(f"import random, numpy\n{GAME}    luck = random.Random, numpy.zeros\n")
    assert game(folder).luck[0](1).random() > 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"WORTH = (\n", "helper.py:1: '(' was never closed"),
        (b"WORTH = '\xe9'\n", "helper.py:1: (unicode error) 'utf-8' codec can't decode byte 0xe9"),
        (b"# -*- coding: nowhere -*-\n", "unknown encoding: nowhere"),
        (b"import nowhere\n", "helper.py:1: ModuleNotFoundError: No module named 'nowhere'"),
        (b"1 // 0\n", "helper.py:1: ZeroDivisionError"),
    ],
)
def test_a_fault_in_a_helper_is_one_line(folder: Path, text: bytes, words: str) -> None:
    (folder / "helper.py").write_bytes(text)
    with pytest.raises(RulesError) as fault:
        game(folder)
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_helper_may_have_another_encoding(folder: Path) -> None:
    (folder / "helper.py").write_bytes(b"# -*- coding: latin-1 -*-\nWORTH = '\xe9'\nclass Bag: ...\n")
    (folder / "pack" / "more.py").write_text("INNER = 1\n")
    assert game(folder).worth == "é"
