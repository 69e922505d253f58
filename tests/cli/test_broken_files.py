"""A broken file stops every command that needs it, in one line with its place, and no other command.

Also the code of a game: a kernel that cannot be compiled has one line, not the compiler's hundreds.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from houle.analysis.players import line_ups
from houle.analysis.players.refit import kept_entry
from houle.cli.web.languages import words_for
from houle.solver.errors import InputError
from houle.solver.players.player import weights_of
from houle.solver.rules.game_folders import VARIABLE, homes
from tests.support.call import call
from tests.support.toys.quay import FOLDER

pytestmark = pytest.mark.quick

GAME = "vague-verte"  # it has all files that a game can have
DECKS = "vague-attaque"  # it can be played with other cards
CLASS = Path(__file__).parents[2] / "examples" / "games" / "six_nimmt" / "six_nimmt"

THUMB = b'[[player]]\nname = "thumb"\n%b[player.weights]\n%b'
WEIGHTS = [b"[x", b"\xff", b"player = 3", THUMB % (b"noise = nan\n", b""), THUMB % (b"noise = 1e400\n", b""),
           THUMB % (b"", b"nope = 3")]  # fmt: skip
NO_THUMB = b'[[player]]\nname = "careful"\n[player.weights]'
EVALUATIONS = [b"[x", b"inner = 3"]
RULES = [b"[x", b"players = 3"]
FRENCH = [b"[x", b"\xff"]
EXPERTS = [b"[x", b"a = 3", b'a = "nobody:3"']

WITH_WEIGHTS = [
    "players GAME", "simulate GAME -n 2", "simulate GAME -n 2 -s thumb", "simulate GAME -n 2 -s random,family,random",
    "compare GAME -p 2 -p 3 -n 2", "sweep GAME -p 2 -p 3 -n 2", "balance GAME -n 2", "strength GAME -n 2",
    "design GAME --target win=30%", "report GAME", "trace GAME", "advise GAME --from 1/0/3",
    "tune GAME --dry-run", "study run SPEC",
]  # fmt: skip
WITHOUT_WEIGHTS = [
    "games", "rules GAME", "simulate GAME -n 2 -s random", "compare GAME -p 2 -p 3 -n 2 -s random",
    "trace GAME -s random",
]  # fmt: skip
WITH_EVALUATION = [
    "simulate GAME -n 2 -s random,family,random", "compare GAME -p 2 -p 3 -n 2", "strength GAME -n 2",
    "report GAME",
]  # fmt: skip
WITHOUT_EVALUATION = ["rules GAME", "players GAME", "simulate GAME -n 2 -s thumb", "trace GAME -s thumb"]
WITH_RULES = [*WITH_WEIGHTS, *WITHOUT_WEIGHTS[1:]]
WITH_FRENCH = ["trace GAME -s random --language fr"]
WITHOUT_FRENCH = ["rules GAME", "players GAME", "simulate GAME -n 2 -s random", "trace GAME -s random"]
WITH_EXPERTS = ["players CLASS", "simulate CLASS -n 2 -s expert", "strength CLASS -n 2 -s expert -s random"]
WITHOUT_EXPERTS = ["rules CLASS", "simulate GAME -n 2 -s random"]

# (file, its contents, commands that need it, commands that do not)
TABLE = [
    ("weights.toml", WEIGHTS, WITH_WEIGHTS, WITHOUT_WEIGHTS),
    ("weights.toml", [NO_THUMB], ["simulate GAME -n 2", "compare GAME -p 2 -p 3 -n 2", "trace GAME"], ["rules GAME"]),
    ("evaluation.toml", EVALUATIONS, WITH_EVALUATION, WITHOUT_EVALUATION),
    ("rules.toml", RULES, WITH_RULES, ["games"]),
    ("french.toml", FRENCH, WITH_FRENCH, WITHOUT_FRENCH),
    ("experts.toml", EXPERTS, WITH_EXPERTS, WITHOUT_EXPERTS),
    ("groups.toml", [b"[x"], [], ["players GAME", "simulate GAME -n 2 -s thumb"]),  # a setting of houle 0.4.0
]
# Files that a command names.
WITH_MINE = [
    "rules GAME --rules FILE", "simulate GAME --rules FILE -n 2 -s random", "difficulty GAME --rules FILE -n 2",
    "compare GAME --rules FILE -n 2 -s random", "sweep GAME --rules FILE -p 2 -p 3 -n 2 -s random",
    "balance GAME --rules FILE -n 2 -s random", "report GAME --rules FILE", "trace GAME --rules FILE",
    "design GAME --rules FILE --target win=30%", "play GAME --rules FILE",
]  # fmt: skip
WITH_DECK = [
    "rules DECKS --set deck=FILE", "simulate DECKS --set deck=FILE -n 2 -s random",
    "compare DECKS --set deck=FILE -n 2 -s random", "report DECKS --set deck=FILE",
]  # fmt: skip
NAMED = [
    ("mine.toml", [b"[x", b"\xff", b'game = "vague-verte"\nset = 3'], WITH_MINE),
    ("deck.toml", [b"[x", b"\xff", b"nothing = 3"], WITH_DECK),
    ("results.csv", [b"\xff", b"result\nperhaps\n", b"points,nothing\n3,4\n"], ["players GAME --fit FILE -n 100"]),
    ("spec.toml", [b"[x", b"\xff", b'game = "vague-verte"\ngames = "many"\n'], ["study run FILE"]),
    ("record.txt", [b"\xff", b"nothing", b"[x"], ["trace FILE", "review FILE", "play FILE"]),
    ("position.txt", [b"\xff", b"nothing", b"[x"], ["advise GAME --position FILE"]),
]
REFUSED = [(file, content, words) for file, broken, needed, _ in TABLE for content in broken for words in needed]
PLAYED = [(file, broken[0], words) for file, broken, _, not_needed in TABLE for words in not_needed]


def said(words: str, folder: Path) -> tuple[int, str, str]:
    """The exit code and what a command prints, on the files of a folder."""
    spec = folder / "sound.toml"
    spec.write_text(f'game = "{GAME}"\nstrategies = ["random", "thumb"]\ngames = 2\n')
    places = {"GAME": GAME, "DECKS": DECKS, "CLASS": str(CLASS / "plain.py"), "SPEC": str(spec)}
    result = call(*(places.get(word, word) for word in words.split()))
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a copy of the game's files, from which they are read; also the user's configuration."""
    home = homes().games[GAME]
    for file in home.folder.glob("*.toml"):
        shutil.copy(file, tmp_path)
    monkeypatch.setitem(homes().games, GAME, replace(home, folder=tmp_path))
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)  # as in a process that was started for a class
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """Forget what was read from weights files, which are read once per process."""
    for read in (weights_of, line_ups._experts):
        read.cache_clear()


@pytest.mark.parametrize(("file", "content", "words"), REFUSED)
def test_broken_file_stops_commands_that_need_it(folder: Path, file: str, content: bytes, words: str) -> None:
    (folder / file).write_bytes(content)
    code, out, err = said(words, folder)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert str(folder / file) in err or "has no weights 'thumb'" in err


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [(file, content, words) for file, broken, needed in NAMED for content in broken for words in needed],
)
def test_broken_file_that_a_command_names_stops_it(file: str, content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / file).write_bytes(content)
    code, out, err = said(words.replace("FILE", str(tmp_path / file)), tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert str(tmp_path / file) in err or f"{Path(file).stem}: " in err


@pytest.mark.parametrize(("file", "content", "words"), PLAYED)
def test_broken_file_stops_no_other_command(folder: Path, file: str, content: bytes, words: str) -> None:
    (folder / file).write_bytes(content)
    code, out, err = said(words, folder)
    assert (code, err) == (0, ""), err
    assert out


def test_own_class_refuses_weights_of_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weights.toml is its own, unless a compiled game lies beside it."""
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)
    monkeypatch.chdir(tmp_path)
    assert call("new", "dash", "--like", "race").exit_code == 0
    Path("weights.toml").write_bytes(THUMB % (b"", b"nope = 3"))
    refused = call("trace", "dash.py", "-s", "thumb")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "weights.toml: player 1 (thumb): there is no rule of thumb 'nope'" in refused.stderr


def test_broken_deck_is_no_left_out_row(tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    deck.write_text('based_on = "default"\nnothing = 3\n')
    refused = call("compare", "vague-attaque", "--set", f"deck=default,{deck}", "-s", "random", "-n", "2")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "unknown key 'nothing'" in refused.stderr


@pytest.mark.parametrize("content", [b"[x", b"\xff"])
def test_page_in_a_broken_language_is_refused(folder: Path, content: bytes) -> None:
    (folder / "french.toml").write_bytes(content)
    with pytest.raises(InputError, match=r"french\.toml"):
        words_for("fr", GAME, ())
    assert words_for("fr", "no-game", ()) is words_for("fr", None, ())


@pytest.mark.parametrize("content", [b"[x", b"\xff", b"[]", b"3", b'"thumb"'])
def test_broken_refit_is_fitted_again(tmp_path: Path, content: bytes) -> None:
    """An entry without weights would mean that no better ones were found."""
    file = tmp_path / "kept.json"
    file.write_bytes(content)
    assert kept_entry(file) is None
    file.write_text('{"name": "thumb"}')
    assert kept_entry(file) == {"name": "thumb"}


@pytest.mark.compiled
@pytest.mark.parametrize(("old", "new", "fault"), [
    ("state.points[team] +=", "state.topp = state.points[team] +", "AttributeError: "),
    ("from houle.own_game", "from houle.solver.nowhere", "ModuleNotFoundError: No module named 'houle.solver.nowhere'"),
])  # fmt: skip
def test_broken_kernel_is_named_with_its_line(
    old: str, new: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / f"broken_{fault[:5].lower()}"  # a process knows one game of a name
    folder.mkdir(mode=0o755)
    before = (FOLDER / "quay.py").read_text()
    code = before.replace(old, new, 1)
    for name, text in (("game.py", code), ("rules.toml", (FOLDER / "rules.toml").read_text())):
        (folder / name).write_text(text)
        (folder / name).chmod(0o644)
    line = next(number for number, text in enumerate(code.splitlines(), 1) if new in text)
    monkeypatch.setenv(VARIABLE, str(folder))
    result = call("simulate", folder.name.replace("_", "-"), "-p", "2", "-n", "5")
    assert result.exit_code == 2
    assert f"game.py:{line}: {fault}" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert [one for one in result.stderr.splitlines()[:-1] if not one.startswith("compiling broken-")] == []
