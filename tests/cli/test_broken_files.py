"""A broken file stops every command that needs it, in one line with its place, and no other command.

Also the code of a game: a kernel that cannot be compiled has one line, not the compiler's hundreds.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from houle.analysis.players import line_ups
from houle.analysis.players.refit import kept_entry
from houle.analysis.studies.log import sealed
from houle.cli.web.languages import words_for
from houle.solver.errors import InputError
from houle.solver.players.player import weights_of
from houle.solver.rules.game_folders import VARIABLE, homes
from tests.fuzz.cases import ESCAPE
from tests.fuzz.formats import DECK, SPEC
from tests.fuzz.formats import RULES as RULES_FILE
from tests.fuzz.judge import FAULTS, ending, limited
from tests.fuzz.studies import with_values
from tests.support.call import call, good, spawn
from tests.support.toys.quay_beside import FOLDER

pytestmark = pytest.mark.quick

GAME = "vague-verte"  # it has all files that a game can have
DECKS = "vague-attaque"  # it can be played with other cards
CLASS = Path(__file__).parents[2] / "examples" / "games" / "six_nimmt" / "six_nimmt"

THUMB = b'[[player]]\nname = "thumb"\n%b[player.weights]\n%b'
WEIGHTS = [
    b"[x",
    b"\xff",
    b"player = 3",
    THUMB % (b"noise = nan\n", b""),
    THUMB % (b"noise = 1e400\n", b""),
    THUMB % (b"", b"nope = 3"),
]
NO_THUMB = b'[[player]]\nname = "careful"\n[player.weights]'
EVALUATIONS = [b"[x", b"inner = 3"]
RULES = [b"[x", b"players = 3"]
FRENCH = [b"[x", b"\xff"]
EXPERTS = [b"[x", b"a = 3", b'a = "nobody:3"']

WITH_WEIGHTS = [
    "players GAME",
    "simulate GAME -n 2",
    "simulate GAME -n 2 -s thumb",
    "simulate GAME -n 2 -s random,family,random",
    "compare GAME -p 2 -p 3 -n 2",
    "sweep GAME -p 2 -p 3 -n 2",
    "balance GAME -n 2",
    "strength GAME -n 2",
    "design GAME --target length=30",
    "report GAME",
    "trace GAME",
    "advise GAME --from 1/0/3",
    "tune GAME --dry-run",
    "study run SPEC",
]
WITHOUT_WEIGHTS = [
    "games",
    "rules GAME",
    "simulate GAME -n 2 -s random",
    "compare GAME -p 2 -p 3 -n 2 -s random",
    "trace GAME -s random",
]
WITH_EVALUATION = [
    "simulate GAME -n 2 -s random,family,random",
    "compare GAME -p 2 -p 3 -n 2",
    "strength GAME -n 2",
    "report GAME",
]
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
    "rules GAME --rules FILE",
    "simulate GAME --rules FILE -n 2 -s random",
    "difficulty GAME --rules FILE -n 2",
    "compare GAME --rules FILE -n 2 -s random",
    "sweep GAME --rules FILE -p 2 -p 3 -n 2 -s random",
    "balance GAME --rules FILE -n 2 -s random",
    "report GAME --rules FILE",
    "trace GAME --rules FILE",
    "design GAME --rules FILE --target length=30",
    "play GAME --rules FILE",
]
WITH_DECK = [
    "rules DECKS --set deck=FILE",
    "simulate DECKS --set deck=FILE -n 2 -s random",
    "compare DECKS --set deck=FILE -n 2 -s random",
    "report DECKS --set deck=FILE",
]
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
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("state.points[team] +=", "state.topp = state.points[team] +", "AttributeError: "),
        (
            "from houle.own_game",
            "from houle.solver.nowhere",
            "ModuleNotFoundError: No module named 'houle.solver.nowhere'",
        ),
    ],
)
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


LONG = "a" * 5_000
DIGITS = "9" * 5_000
DEEP = "[" * 1_000 + "]" * 1_000

# (words, what the line must say)
WORDS: list[tuple[list[str], str]] = [
    (["simulate", "../rulesets/wave"], "unknown game '../rulesets/wave'; there is land-unter, "),
    (["rules", "../../solver/games/wave"], "unknown game"),
    (["simulate", ""], "unknown game ''"),
    (["simulate", LONG], "unknown game 'aaa"),
    (["trace", "__init__"], "unknown game '__init__'"),
    ([LONG], "unknown command 'aaa"),
    (["simulate", "wave", "-v", LONG], "wave: unknown variant 'aaa"),
    (["simulate", "wave", "--set", LONG + "=1"], "--set: wave has no knob 'aaa"),
    (["simulate", "wave", "--set", "hand.front=" + DIGITS], "hand.front: '999"),
    (["simulate", "wave", "--seed", DIGITS], "--seed: '999"),
    (["simulate", "wave", "-n", DIGITS], "-n: '999"),
    (["simulate", "wave", "-n", "1e" + "9" * 300], "-n: '1e999"),
    (["simulate", "wave", "--rules", LONG], "File name too long"),
    (["simulate", "wave", "--rules", "."], ".: Is a directory"),
    (["simulate", "wave", "--rules", "/dev/zero"], "/dev/zero: is not a plain file"),
    (["simulate", "wave", "-o", LONG + ".json"], "File name too long"),
    (["compare", "wave", "-v", "base", "-v", "virage", "-o", LONG + ".png"], "File name too long"),
    (["rules", "wave", "--write", LONG], "File name too long"),
    (["simulate", "vague-attaque", "--set", "deck=" + LONG], "deck: aaa"),
    (["simulate", "vague-attaque", "--set", "deck=/dev/zero"], "deck: /dev/zero: is not a plain file"),
    (["simulate", "vague-attaque", "--set", "deck=../default"], "deck: ../default: No such file"),
    (["study", "run", LONG], "File name too long"),
    (["report", LONG + ".db"], "File name too long"),
    (["study", "run", "/dev/zero"], "/dev/zero: is not a plain file"),
    (["simulate", "wave", "--rules", "a\0b"], "the character '\\x00' is not allowed"),
    (["simulate", ESCAPE], "the character '\\x1b' is not allowed"),
    (["simulate", "wave", "-v", "a\x9bb"], "the character '\\x9b' is not allowed"),
    (["simulate", "wave", "-s", "flat:_"], "'_' is not allowed; allowed: 1 to 100000000"),
    (["difficulty", "wave", "-s", "flat:1__0"], "'1__0' is not allowed; allowed: 1 to 100000000"),
    (["trace", "wave", "-s", "ismcts:" + DIGITS], "is not allowed; allowed: 1 to 100000000"),
    (["simulate", "wave", "-s", "x" * 20_000], "a word of 20,000 characters is not allowed"),
    (["simulate", "wave", "-s", "thumb[" + "," * 9_000], "strategy 'thumb['"),
    (["play", "wave", "--seats", "\u00b2"], "--seats: '\u00b2' is not allowed; allowed: seats from 1 to 3"),
    (["play", "wave", "--seats", DIGITS], "is not allowed; allowed: seats from 1 to 3"),
]


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    """What is compiled before a fault is found is no part of the time it may take."""
    call("simulate", "wave", "-s", "random", "-n", "2")


@pytest.mark.compiled
@pytest.mark.parametrize(("words", "part"), WORDS, ids=[" ".join(words)[:40] for words, _ in WORDS])
def test_words(words: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused(words, part)
    assert list(tmp_path.iterdir()) == []


def clear(result: Result) -> None:
    """The call ended as any call must: no traceback, one line for an error, no control characters."""
    assert ending(result)[0] not in FAULTS, ending(result)


def refused(words: list[str], part: str) -> None:
    with limited():
        result = call(*words)
    clear(result)
    assert (result.exit_code, result.stdout) == (2, "")
    assert part in result.stderr, result.stderr
    assert len(result.stderr) < 2_100


# (what the file holds, what the line must say after the file's name)
TEXTS: list[tuple[str, str]] = [
    (f"a = {DEEP}", "nested deeper than 24 (at line 1)"),
    ("x = 1\na = " + "{a = " * 500, "nested deeper than 24 (at line 2)"),
    ("a = " + "[" * 900 + '"]" ' + "]" * 900, "nested deeper than 24"),
    ("[" + ".".join("a" * 1_000) + "]", "nested deeper than 24"),
    (".".join("a" * 100_000) + " = 1", "nested deeper than 24"),
    ("[" + ".".join("a" * 20) + "]\n" + ".".join("b" * 20) + " = 1", "nested deeper than 24"),
    (f"players = {DIGITS}", "a number of 5,000 characters (at line 1)"),
    ("\nplayers = 0x" + "f" * 5_000, "a number of 5,002 characters (at line 2)"),
    ("players = 0x" + "f" * 40, "players: a whole number beyond 64 bits"),
    ("name = 1979-05-27", "name: 1979-05-27 is a date or a time"),
    ('name = "' + "x" * 20_000 + '"', "name: a text of 20,000 characters; allowed: 10,000"),
    ("#" * 600_000, "larger than 500,000 bytes"),
    ('name = "a"\nname = "b"', "not valid TOML: Cannot overwrite a value"),
    ('name = "\x1b[31m"', "not valid TOML: Illegal character"),
    ("name = '''", "not valid TOML"),
    ("\0", "not valid TOML"),
    ('"\\ud800" = 1', "not valid TOML"),
]
READERS: list[Callable[[str], list[str]]] = [
    lambda file: ["simulate", "wave", "--rules", file],
    lambda file: ["simulate", "vague-attaque", "--set", f"deck={file}"],
    lambda file: ["study", "run", file, "--dry-run"],
]


@pytest.mark.quick
@pytest.mark.parametrize(("text", "part"), TEXTS, ids=[part for _, part in TEXTS])
def test_files(text: str, part: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    for words in READERS:
        refused(words(str(file)), part)
        assert f"{file}: " in call(*words(str(file))).stderr


@pytest.mark.quick
@pytest.mark.parametrize("knob", ["heights", "hand.front", "deck.missing", "talk", "hand", "nothing"])
def test_empty_tables_are_no_values(knob: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(f"[set]\n{knob} = {{}}\n")
    problem = f"has no knob '{knob}'" if knob in ("hand", "nothing") else f"{knob}: {{}} is not allowed; allowed: "
    refused(["rules", "wave", "--rules", str(file)], problem)


@pytest.mark.compiled
@pytest.mark.parametrize("sign", [*";,#?[]", "x:=&'"])
def test_records_of_strangely_named_cards_can_be_read(sign: str, tmp_path: Path) -> None:
    """A name that a record could not hold is refused when it is set."""
    rules, record = tmp_path / "my.toml", tmp_path / "game.txt"
    rules.write_text(f"""[set]
deck.colours = ["white", "yellow", "orange", "red", "navy{sign}x", "sky"]
deck.missing = []
""")
    words = ["trace", "wave", "--rules", str(rules), "-s", "random", "--record", str(record)]
    if sign in ";,#?[]":
        refused(words, f"'navy{sign}x' is not allowed; a name has no {sign} in it")
        return
    good(*words)
    good("review", str(record), "--worlds", "20")


@pytest.mark.quick
def test_a_file_of_another_charset_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes(b'name = "a"\n# caf\xe9\n')
    refused(["rules", "wave", "--rules", str(file)], f"{file}: not valid TOML: not UTF-8 text (at line 2)")
    file.write_bytes(b'\xef\xbb\xbfname = "a"\r\n')  # as some editors write it
    assert "a changes no rule of WAVE" in good("rules", "wave", "--rules", str(file))


@pytest.mark.quick
def test_a_pipe_that_nobody_writes_to(tmp_path: Path) -> None:
    file = tmp_path / "pipe.toml"
    os.mkfifo(file)
    for words in (*(read(str(file)) for read in READERS), ["players", "wave", "--fit", str(file)]):
        refused(words, f"{file}: is not a plain file")
    log = tmp_path / "part-1-of-1.jsonl"
    os.mkfifo(log)
    refused(["study", "show", str(tmp_path)], f"{log}: is not a plain file")


@pytest.mark.compiled
def test_too_many_cells_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    spans = 'max_turns = "10..5000"\nroad = "3..12"'
    file.write_text(f'game = "vague-verte"\nplayers = [2, 3, 4]\ngames = 1\n[set]\n{spans}\n')
    refused(["study", "run", str(file)], "more than 100,000 cells")
    seeds = ", ".join(map(str, range(1_000)))
    variants = "'base', " * 1_000
    file.write_text(f'game = "wave"\ngames = 1\nseed = [{seeds}]\nvariants = [{variants}]\n')
    refused(["study", "run", str(file)], "more than 100,000 cells")


NAME = "{0.__class__} <b>\"'../x/$y^{$[/red]%s"


@pytest.mark.compiled
def test_hostile_names_are_shown_escaped(tmp_path: Path) -> None:
    rules, deck = tmp_path / "my.toml", tmp_path / "deck.toml"
    escaped = "\\u001b[31m\\u0007\\u009b2J\\u202e"
    named = 'name = "' + NAME.replace('"', '\\"') + escaped + '"'
    rules.write_text(RULES_FILE.replace('name = "mine"', named))
    deck.write_text(DECK.replace(next(line for line in DECK.splitlines() if line.startswith("name")), named))
    for words in (
        ["rules", "wave", "--rules", str(rules)],
        ["simulate", "wave", "--rules", str(rules), "-s", "random", "-n", "2", "-o", str(tmp_path / "out.csv")],
        [
            "compare",
            "wave",
            "--rules",
            str(rules),
            "-v",
            "base",
            "-v",
            "nazare",
            "-s",
            "random",
            "-n",
            "9",
            "-o",
            str(tmp_path / "out.svg"),
        ],
        ["rules", "vague-attaque", "--set", f"deck={deck}"],
        ["trace", "vague-attaque", "--set", f"deck={deck}", "--set", "max_turns=10"],
    ):
        result = call(*words)
        clear(result)
        assert result.exit_code == 0, result.stderr
        assert NAME in " ".join(result.stdout.split()), result.stdout
        assert "\\x1b[31m\\x07\\x9b2J\\u202e" in result.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"my.toml", "deck.toml", "out.csv", "out.svg"}


@pytest.mark.compiled
def test_forged_log_is_refused_or_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in its lines is data: shown escaped, or refused in one line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.toml").write_text(SPEC)
    good("study", "run", "spec.toml", "-o", "study", "-q")
    log = tmp_path / "study" / "part-1-of-1.jsonl"
    whole = log.read_bytes()
    for name, content in (("name", None), *with_values(whole)):
        lines = whole.splitlines(keepends=True)
        if content is None:
            head = json.loads(lines[0])
            del head["sum"]
            content = b"".join([sealed({**head, "name": ESCAPE}), *lines[1:]])
        log.write_bytes(content)
        result = call("study", "show", "study")
        clear(result)
        assert result.exit_code in (0, 2), (name, result.output)
    assert call("study", "show", "study").exit_code == 2


@pytest.mark.compiled
def test_library_warnings_are_one_line() -> None:
    done = spawn("trace", "wave", "--game", "1", "-s", "nobody", env={**os.environ, "NUMBA_OPT": "many"})
    warning, complaint = done.stderr.splitlines()
    assert warning.startswith("houle: warning: Environment variable 'NUMBA_OPT' is defined")
    assert complaint.startswith("houle: unknown strategy 'nobody'")
