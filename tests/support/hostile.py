"""Generated bad input: words that no option accepts, damaged files, and calls made of them."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from click.testing import Result
from hypothesis import strategies as st

from houle.solver.rules.decks import GAMES
from tests.support.call import call

LONGEST = 60.0  # seconds that any bad input may take, on a busy machine too
CODES = (0, 1, 2, 130)
ESCAPE = "\x1b[31mred\x07\x9b2J\u202e"

RULES = 'game = "wave"\nname = "mine"\nplayers = 3\nvariants = ["virage"]\n[set]\nhand.front = 4\ntalk = "open"\n'
SPEC = 'name = "small"\nseed = 1\ngames = 20\n[[grid]]\ngame = "wave"\nplayers = [2, 3]\n[grid.set]\nhand.front = 3\n'
DECK, CHANGES = (
    (GAMES / "vague_attaque" / "decks" / f"{name}.toml").read_text(encoding="utf-8")
    for name in ("default", "rough-sea")
)

# Not accepted as a name, number, list or file.
WORDS = [
    "", " ", "..", "../rulesets/wave", "/", "/dev/null/x", "a" * 300, "a" * 5_000, "w\u00e0ve", "\u6ce2", ESCAPE, "{}",
    "{0}", "{0.__class__}", "%s%n", "<script>", "'; DROP TABLE cell; --", "$(id)", "`id`", "a\\b", "-1", "1" * 400,
    "1" * 5_000, "1e999", "nan", "inf", "0x10", "1__0", "_", "\u0663", "1.5", "+-1", "[" * 300, "[[[", "]", "flat:_",
    "flat:1__0", "flat:" + "9" * 400, "flat:0", "thumb[", "thumb[temperature=nan]", "thumb[temperature=1e999]",
    "random:1", ",", ",,,", "thumb[weights=../x]", "hand.front", "=", "==", "hand.front=", "deck=/dev/zero",
    "hand.front=" + "9" * 5_000, "deck=" + "x" * 5_000, "heights=[" + "1," * 400 + "]", "a\nb", "\t",
    "deck.missing=[" + ESCAPE + "]",
]  # fmt: skip

VALUES = [
    "1" + "0" * 5_000, "0x" + "f" * 300, "[" * 1_000 + "]" * 1_000, "[" * 20 + "]" * 20, "{a = " * 99 + "1" + "}" * 99,
    "nan", "-inf", "1979-05-27", "07:32:00", "true", "[]", "{}", '""', '"' + "x" * 20_000 + '"', '"\\u001b[31m\\u0007"',
    '"\\u0000"', '"../x"', '"{0.__class__}"', '"$x^{$"', '"[/red]"', "-1", "99999999999999999999", "1e400",
    "[[1], [2]]",
    '["a", 1]', '"0..99999"', '"\\r\\n\\t"', "'''", '"""', '"\\ud800"',
]  # fmt: skip
LINES = [
    "[" + ".".join("a" * 2_000) + "]", ".".join("a" * 5_000) + " = 1", "[[grid]]", "[set]", "a = 1\na = 1", "\x00",
    "\x1b",
    "= 1", "[a", "\ufeff", "[set.set.set]", 'name = "x', "# \x07", "set = 1", "grid = 1", "hand.front.back = 1",
    "[[" + "[[" * 500, "x = " + "{a=" * 500,
]  # fmt: skip


@dataclass(frozen=True)
class Bad:
    """A call: its words, and the files that it reads, with their content."""

    words: tuple[str, ...]
    files: dict[str, bytes]


def mutated(text: str) -> st.SearchStrategy[bytes]:
    """A valid file with one change that may break it."""
    lines = text.splitlines()
    number = st.integers(0, len(lines) - 1)

    def value(at: int, new: str) -> str:
        return "\n".join([*lines[:at], lines[at].partition("=")[0] + "= " + new, *lines[at + 1 :]])

    def line(at: int, new: str) -> str:
        return "\n".join([*lines[:at], new, *lines[at:]])

    changed = st.one_of(
        st.builds(value, number, st.sampled_from(VALUES)),
        st.builds(line, number, st.sampled_from(LINES)),
        st.builds(lambda at: line(at, lines[at]), number),
        st.builds(
            lambda start, size: text[:start] + text[start + size :], st.integers(0, len(text)), st.integers(1, 40)
        ),
        st.builds(lambda start, new: text[:start] + new + text[start:], st.integers(0, len(text)), st.text(max_size=8)),
    )
    whole = changed.map(lambda it: it.encode("utf-8", "surrogatepass"))
    return st.one_of(whole, whole, whole, st.binary(max_size=40), st.just(b"\xff\xfe" + text.encode("utf-16-le")))


WORD = st.sampled_from(WORDS) | st.text(max_size=12).filter(lambda word: not word.startswith("-"))

# Commands that are quick even if the call happens to be valid; the others always get one bad option.
QUICK = ("simulate", "compare", "sweep", "trace", "openings", "balance", "endings", "rules")
OTHERS = (
    "strength", "difficulty", "decisions", "skill", "ablate", "learning-curve", "assumptions", "tune", "report",
)  # fmt: skip
OPTIONS = {
    "trace": ["-p", "-v", "-s", "--set", "--rules", "--seed", "--game"],
    "rules": ["-p", "-v", "--set", "--rules", "--deck", "--write"],
    "report": ["-p", "-v", "--set", "--rules", "--seed", "-j", "--effort"],
    "compare": ["--measure"],
    "sweep": ["--target", "--measure"],
    "openings": ["--deal"],
    "ablate": ["--never", "--without"],
    "tune": ["--opponent", "--weights", "--generations", "--population", "--minutes"],
}
COMMON = ["-p", "-v", "--set", "--rules", "--seed", "-n", "-j", "-s", "-o"]
REFUSED = {"-p": "99", "-v": "nowhere", "-s": "nobody", "--set": "nothing=1", "--rules": "absent.toml", "--seed": "x"}


@st.composite
def calls(draw: st.DrawFn) -> Bad:
    """A call of any command with at least one bad word."""
    command = draw(st.sampled_from((*QUICK, *OTHERS, "study", "study", "deck", "games", "check", "")))
    if command == "study":
        return draw(_studies())
    if command == "deck":
        file = {"my.toml": draw(mutated(draw(st.sampled_from([DECK, CHANGES]))))}
        words = [("simulate", "vague-attaque", "-s", "random", "-n", "2", "--set", "deck=my.toml"),
                 ("rules", "vague-attaque", "--deck", "my.toml", "--check")]  # fmt: skip
        return Bad(draw(st.sampled_from(words)), file)
    if command in ("games", "check"):
        return Bad((command, draw(WORD), "--nothing"), {})
    if command == "":
        return Bad((draw(WORD.filter(bool)), *draw(st.lists(WORD, max_size=2))), {})
    if draw(st.integers(0, 5)) == 0:
        return Bad((command, "--", draw(WORD)), {})
    words, files = [command, "wave"], {}
    if command not in ("trace", "rules", "report"):
        words += ["-n", "2"]
    if command in QUICK and command != "rules":
        words += ["-s", "random"]
    names = OPTIONS.get(command, []) if command in ("trace", "rules", "report") else COMMON + OPTIONS.get(command, [])
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3)):
        if name in ("--rules", "--deck") and draw(st.booleans()):
            files["my.toml"] = draw(mutated(RULES))
            words += [name, "my.toml"]
        elif name in ("-o", "--write"):
            words += [
                name,
                draw(WORD | st.sampled_from(["good.json", "good.csv", "absent/x.json", "a" * 300 + ".json"])),
            ]
        else:
            words += [name, draw(WORD)]
    if command in OTHERS:
        name = draw(st.sampled_from([name for name in REFUSED if name in (*COMMON, *names)]))
        words += [name, REFUSED[name]]
    return Bad(tuple(words), files)


@st.composite
def _studies(draw: st.DrawFn) -> Bad:
    """A damaged spec or study file."""
    if draw(st.booleans()):
        words = ("study", "run", "spec.toml", "--db", draw(st.just("new.db") | WORD), "-q", "--dry-run")
        return Bad(words, {"spec.toml": draw(mutated(SPEC))})
    kind = draw(st.sampled_from(["status", "show", "export", "resume", "report"]))
    words = ("report", "study.db", "-o", "made") if kind == "report" else ("study", kind, "study.db")
    how = draw(st.integers(0, 2))
    if how == 0:
        return Bad((*words[:-1], draw(WORD)) if kind != "report" else ("report", draw(WORD) + ".db"), {})
    if how == 1:
        flips = draw(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 255)), min_size=1, max_size=20))
        return Bad(words, {"study.db": json.dumps({"flips": flips}).encode()})
    table, column = draw(st.sampled_from(COLUMNS))
    value = draw(
        st.sampled_from([None, -1, 2**62, 1.5, "", "x", ESCAPE, "[]", "{}", "[" * 5_000, "9" * 5_000, b"\x80\x04"])
    )
    data = value.hex() if isinstance(value, bytes) else value
    return Bad(words, {"study.db": json.dumps({"table": table, "column": column, "value": data}).encode()})


COLUMNS = [
    *(("cell", column) for column in ("label", "setup", "rules_digest", "code", "strategies", "seed", "games")),
    *(("cell", column) for column in ("chunk", "precision", "own_chunk", "rate", "expected", "ended", "result_digest")),
    ("stretch", "tally"), ("stretch", "games"), ("stretch", "number"), ("chunk", "number"), ("chunk", "games"),
    ("study", "value"), ("study", "key"), ("session", "games"), ("session", "seen"), ("session", "workers"),
]  # fmt: skip


def damage(path: Path, how: dict[str, Any], study: bytes) -> None:
    """Writes a study file with flipped bytes, or with a wrong value in one column."""
    content = bytearray(study)
    for place, bits in how.get("flips", ()):
        content[place % len(content)] ^= bits
    path.write_bytes(content)
    if "table" in how:
        connection = sqlite3.connect(path)
        try:
            connection.execute(f"UPDATE {how['table']} SET {how['column']} = ?", (how["value"],))
            connection.commit()
        except sqlite3.IntegrityError:
            pass
        finally:
            connection.close()


class Hang(BaseException):
    """A call took too long."""


@contextmanager
def limited(seconds: float = LONGEST) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def judged(bad: Bad, folder: Path, study: Callable[[], bytes]) -> tuple[Result, float]:
    """Runs a call in its own folder and checks that it ends as bad input must; returns result and seconds."""
    for name, content in bad.files.items():
        if name == "study.db":
            damage(folder / name, json.loads(content), study())
        else:
            (folder / name).write_bytes(content)
    before = {path.name for path in folder.iterdir()}
    start = time.perf_counter()
    with limited():
        result = call(*bad.words)
    check(result, bad.words)
    for path in folder.iterdir():
        if path.name not in before and not path.name.startswith(("study.db", "new.db")):
            check_whole(path, bad.words[0])
    return result, time.perf_counter() - start


def check(result: Result, words: tuple[str, ...]) -> None:
    """No traceback, a known exit code, one line for an error, and no control characters."""
    fault = result.exception
    assert fault is None or isinstance(fault, SystemExit), (words, repr(fault))
    assert result.exit_code in CODES, (words, result.exit_code)
    assert "Traceback" not in result.output, words
    if result.exit_code == 2:
        assert result.stderr.startswith("houle: "), (words, result.stderr)
        assert result.stderr.count("\n") == 1, (words, result.stderr)
    for text in (result.stdout, result.stderr):
        assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}, (words, text)


def check_whole(path: Path, command: str) -> None:
    """A file that a call wrote is complete, and there are no temporary files."""
    assert not path.name.startswith("."), path.name
    if path.suffix == ".json" and command != "rules":
        json.loads(path.read_text(encoding="utf-8"))
    elif path.suffix == ".csv":
        assert path.read_text(encoding="utf-8").endswith("\n"), path.name
