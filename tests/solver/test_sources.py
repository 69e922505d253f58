"""The files that a game consists of: what its sources import and name, by names that are the same in every folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from houle.solver.errors import FileError
from houle.solver.sources import digest_of, kernel_syntax, sources_of
from tests.support.sources import ROOT

pytestmark = pytest.mark.quick

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files into a folder of their own."""

    def written(folder: str = "game", **files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / folder

    return written


def test_imports_of_a_class_count(write: Write) -> None:
    """Also inside functions, from packages and folders, relative ones, and those of modules that are imported."""
    code = "import helper\nfrom pack import inner\ndef f():\n    import loose.deep as d\n    from . import near\n"
    folder = write(
        **{"game.py": code, "helper.py": "import json, random\nfrom pack.more import A\n", "near.py": ""},
        **{"pack/__init__.py": "", "pack/inner.py": "", "pack/more.py": "from .last import A\n", "pack/last.py": ""},
        **{
            "pack/unused.py": "",
            "loose/deep.py": "",
            "json.py": "",
            "other.py": "",
            "README.md": "",
            "o/log.jsonl": "",
        },
    )
    beside = ["helper.py", "loose/deep.py", "near.py", "pack/__init__.py", "pack/inner.py", "pack/last.py"]
    assert [*sources_of(folder / "game.py")] == ["game.py", *beside, "pack/more.py"]


def test_files_that_a_text_names_count(write: Write) -> None:
    code = 'HERE / "cards.csv", HERE / "data" / "worth.txt", open("data/more.txt"), load("made.py")\n'
    folder = write(
        **{"game.py": code, "cards.csv": "", "data/worth.txt": "", "data/more.txt": "", "data/unused.txt": ""},
        **{"made.py": 'open("last.txt")', "last.txt": "", "rules.toml": "", "README.md": "", "other.py": ""},
    )
    named = ["cards.csv", "data/more.txt", "data/worth.txt", "game.py", "last.txt", "made.py"]
    assert [*sources_of(folder / "game.py")] == named


def test_modules_of_a_package_count(write: Write) -> None:
    """Hidden folders, tests and the plain version do not, unless a module imports them."""
    files = dict.fromkeys(("knows.py", "parts/deck.py", "plain.py", "rules.toml", "README.md"), "")
    files |= dict.fromkeys((".ipynb_checkpoints/rules-checkpoint.py", "tests/test_game.py", "test_more.py"), "")
    folder = write("my-game", **{"rules.py": 'A = "worth.txt"\n', "worth.txt": "", "__init__.py": ""}, **files)
    expected = ["__init__.py", "knows.py", "parts/deck.py", "rules.py", "worth.txt"]
    assert [*sources_of(folder)] == expected
    write("my-game", **{"knows.py": "from my_game.plain import A\n"})
    assert [*sources_of(folder)] == sorted([*expected, "plain.py"])


@pytest.mark.parametrize("place", ["game", "game/game.py"])
def test_imported_modules_elsewhere_count(write: Write, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those on PYTHONPATH with all that they import and name; installed ones do not."""
    far = {"far/__init__.py": "from . import near\n", "far/near.py": "from ..far.last import A\n", "far/last.py": ""}
    elsewhere = write("elsewhere", **far, **{"single.py": 'open("worth.txt")\n', "worth.txt": ""})
    folder = write(**{"game.py": "import numpy, far\nfrom single import A\nfrom houle.own_game import kernel\n"})
    monkeypatch.syspath_prepend(str(elsewhere))
    modules = [f"import {name}.py" for name in ("far", "far.last", "far.near", "single")]
    assert [*sources_of(folder.parent / place)] == sorted(["game.py", *modules, "import single.py: worth.txt"])


def test_a_game_has_one_digest_in_two_folders(write: Write) -> None:
    files = {"game.py": 'import helper\nopen("worth.txt")\n', "helper.py": "", "worth.txt": "1\n"}
    digests = []
    for name in ("first", "second"):
        folder = write(name, **files, **{f"other_{name}.py": "", "o/part-1-of-2.jsonl": name})
        sources = sources_of(folder / "game.py")
        digests.append(digest_of({file: source.content for file, source in sources.items()}))
    assert digests[0] == digests[1]
    assert digest_of({"a": b"b"}) != digest_of({"ab": b""})


@pytest.mark.parametrize(
    ("file", "text", "changes"),
    [
        ("rules.py", '"""Other."""\nfrom .tables import A\nB = 1  # why\n', False),
        ("rules.py", "from .tables import A\nB = 2\n", True),
        ("tables.py", 'A = open("other.txt")\n', True),
        ("worth.txt", "2\n", True),
        ("words.py", 'SAID = "more"\nopen("names.txt")\n', False),
        ("names.txt", "more\n", False),
        ("plain.py", "B = 2\n", False),
    ],
)
def test_kernels_depend_on_what_they_can_read(write: Write, file: str, text: str, changes: bool) -> None:
    """words.py without kernels does not count, nor the files that only it names."""
    files = {"__init__.py": "", "rules.py": "from .tables import A\nB = 1\n", "tables.py": 'A = open("worth.txt")\n'}
    files |= {"worth.txt": "1\n", "words.py": 'SAID = ""\nopen("names.txt")\n', "names.txt": "", "plain.py": ""}
    folder = write(**files)
    before = kernel_syntax(sources_of(folder))
    write(**{file: text})
    assert (kernel_syntax(sources_of(folder)) != before) is changes


def test_words_that_other_files_import_count(write: Write) -> None:
    folder = write(**{"rules.py": "from .words import SIZE\n", "words.py": "SIZE = 1\n", "position.py": "A = 1\n"})
    assert {*kernel_syntax(sources_of(folder))} == {"rules.py", "words.py"}


def test_any_file_can_be_read(write: Write, tmp_path: Path) -> None:
    """What is not Python counts as it is; a file that cannot be read is named."""
    folder = write(**{"game.py": "import helper, odd\n", "odd.py": "a\0b = (\n"})
    (folder / "helper.py").write_bytes(b"# -*- coding: latin-1 -*-\nNAME = '\xe9'\nopen('\xe9')\n")
    assert [*sources_of(folder / "game.py")] == ["game.py", "helper.py", "odd.py"]
    assert {*kernel_syntax(sources_of(folder))} == {"game.py", "helper.py", "odd.py"}
    with pytest.raises(FileError, match=r"none\.py: No such file"):
        sources_of(tmp_path / "none.py")


@pytest.mark.parametrize("game", ["quay", "six_nimmt"])
def test_examples_list_their_modules(game: str) -> None:
    folder = ROOT / "examples" / "games" / game / game
    modules = {path.name for path in folder.glob("*.py")} - {"plain.py"}
    assert {name for name in sources_of(folder) if name.endswith(".py")} == modules
