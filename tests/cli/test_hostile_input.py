"""The worst inputs that were found, each with what must be said about it: one line, and nothing half-written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from houle.analysis.studies.log import sealed
from tests.fuzz.cases import ESCAPE
from tests.fuzz.formats import DECK, RULES, SPEC
from tests.fuzz.judge import FAULTS, ending, limited
from tests.fuzz.studies import with_values
from tests.support.call import call, good, spawn

pytestmark = pytest.mark.compiled

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


def test_hostile_names_are_shown_escaped(tmp_path: Path) -> None:
    rules, deck = tmp_path / "my.toml", tmp_path / "deck.toml"
    escaped = "\\u001b[31m\\u0007\\u009b2J\\u202e"
    named = 'name = "' + NAME.replace('"', '\\"') + escaped + '"'
    rules.write_text(RULES.replace('name = "mine"', named))
    deck.write_text(DECK.replace(next(line for line in DECK.splitlines() if line.startswith("name")), named))
    for words in (
        ["rules", "wave", "--rules", str(rules)],
        ["simulate", "wave", "--rules", str(rules), "-s", "random", "-n", "2", "-o", str(tmp_path / "out.csv")],
        ["compare", "wave", "--rules", str(rules), "-v", "base", "-v", "nazare", "-s", "random", "-n", "9",
         "-o", str(tmp_path / "out.svg")],
        ["rules", "vague-attaque", "--set", f"deck={deck}"],
        ["trace", "vague-attaque", "--set", f"deck={deck}", "--set", "max_turns=10"],
    ):  # fmt: skip
        result = call(*words)
        clear(result)
        assert result.exit_code == 0, result.stderr
        assert NAME in " ".join(result.stdout.split()), result.stdout
        assert "\\x1b[31m\\x07\\x9b2J\\u202e" in result.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"my.toml", "deck.toml", "out.csv", "out.svg"}


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


def test_library_warnings_are_one_line() -> None:
    done = spawn("trace", "wave", "--game", "1", "-s", "nobody", env={**os.environ, "NUMBA_OPT": "many"})
    warning, complaint = done.stderr.splitlines()
    assert warning.startswith("houle: warning: Environment variable 'NUMBA_OPT' is defined")
    assert complaint.startswith("houle: unknown strategy 'nobody'")
