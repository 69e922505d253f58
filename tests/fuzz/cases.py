"""The cases: wrong words for every option of every command, changed files of every format, changed study files.

The list is the same on every machine; a new command, option, format or column adds cases by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import click

from houle.cli.main import COMMANDS
from houle.cli.main import houle as program
from tests.fuzz.formats import FORMATS, LEAST, RESULTS
from tests.fuzz.studies import LOG, damaged, small_study, with_values

ESCAPE = "\x1b[31mred\x07\x9b2J\u202e"
NINES = "9" * 5_000
FILE_CASES = 70  # of each format
FLIPPED = 60  # logs of studies with changed bytes

NAMES = ["", " ", "x", "../x", "a" * 300, ESCAPE, "{0.__class__}", "[", ",", "=", "\u6ce2\u00b2", "--"]
NUMBERS = ["", "x", "-1", "1.5", "nan", "1e999", "\u0663", "\u00b2", NINES, "0x10", "1__0"]
FILES = ["", ".", "absent", "/dev/zero", "/dev/null/x", "a" * 300, "a\0b", ESCAPE]
# Words for a kind of parameter, by the name of its click type; a name and a file may be anything.
WORDS: dict[str, list[str]] = {
    "StringParamType": NAMES,
    "Whole": NUMBERS,
    "FloatParamType": NUMBERS,
    "FloatRange": NUMBERS,
    "Seconds": NUMBERS,
    "Choice": ["", "x", "CSV", ESCAPE],
    "FileName": FILES,
    "File": [*FILES[:3], "x.xyz", "/dev/null/x.json", "a" * 300 + ".json", "absent/x.json", "a\0b.json"],
}
OWN_WORDS = {
    "-s": [*NAMES, "flat:_", "flat:0", "thumb[", "thumb[temperature=nan]", "random:1", "thumb,,thumb", "thumb,thumb"],
    "--set": [*NAMES, "hand.front", "hand.front=", "hand.front=" + NINES, "nothing=1", "hand.front=2..", "heights=[["],
    "-v": [*NAMES, "base+base", "nazare+", "virage+nothing"],
    "--cluster": ["", "nonsense://x"],
}
BESIDE = "fuzzed.csv"  # a file that some commands need beside the wrong word

# What a call needs to be quick and valid without the wrong word; the usual is GAME with few games of random players.
BASES: dict[str, tuple[str, ...]] = {
    "games": (),
    "rules": ("wave",),
    "players": ("wave", "--fit", BESIDE, "-n", "100", "--dry-run"),
    "trace": ("wave", "-s", "random"),
    "design": ("wave", "--target", "win=90%", "--change", "hand.front", "--budget", "1s"),
    "advise": ("wave", "--from", "7/0/1", "--worlds", "20"),
    "review": ("absent.txt",),
    "report": ("wave", "-p", "99"),
    "demo": ("--nothing",),
    "play": ("wave",),
    "new": ("fuzzed",),
    "check": ("wave", "-p", "99"),
    "tune": ("wave", "--generations", "1", "--population", "4", "-n", "4", "--check-games", "4"),
    "study run": ("absent.toml",),
    "study show": ("absent",),
    "study export": ("absent",),
}


@dataclass(frozen=True)
class Case:
    """A call, and what lies in its folder."""

    group: str  # arguments, files or logs
    name: str
    words: tuple[str, ...]
    fill: Callable[[Path], None] | None = None


def cases(few: int | None = None, seed: int = 1) -> list[Case]:
    """All cases, or a sample of them."""
    every = [*argument_cases(), *file_cases(), *log_cases()]
    return every if few is None else random.Random(seed).sample(every, few)


def argument_cases() -> Iterator[Case]:
    """Wrong words for every parameter of every command, one at a time."""
    for name, command in commands():
        words = (*name.split(), *_base(name, command))
        fill = _put_results if BESIDE in words else None
        arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
        for parameter in command.params:
            at = len(name.split()) + arguments.index(parameter) if parameter in arguments else None
            for wrong in _wrong(parameter, words, at):
                yield Case("arguments", f"{name} {parameter.opts[0]}", wrong, fill)
        for more in (["--nothing"], ["--nothing=1"], ["too", "many", "words"], ["--", "-x"]):
            yield Case("arguments", f"{name} {more[0]}", (*words, *more), fill)
    yield from (Case("arguments", "no command", (word,)) for word in NAMES)


@cache
def commands() -> list[tuple[str, click.Command]]:
    """The commands with their names; those of a group one by one."""
    context, found = click.Context(program), []
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        inner = command.commands.items() if isinstance(command, click.Group) else [("", command)]
        found += [(f"{name} {part}".strip(), one) for part, one in inner]
    return found


def _base(name: str, command: click.Command) -> tuple[str, ...]:
    options = {option for parameter in command.params for option in parameter.opts}
    base = BASES.get(name, ("wave", *LEAST) if "-s" in options else ("wave", "-n", "2"))
    return (*base, "--dry-run") if "--dry-run" in options and name not in BASES else base


def _wrong(parameter: click.Parameter, words: tuple[str, ...], at: int | None) -> Iterator[tuple[str, ...]]:
    """The calls with one wrong word for this parameter, which stands at a place or is an option."""
    option = parameter.opts[0]
    values = OWN_WORDS.get(option, WORDS.get(type(parameter.type).__name__, NAMES))
    if at is not None:
        yield from ((*words[:at], value, *words[at + 1 :]) for value in values)
    elif getattr(parameter, "is_flag", False):
        yield from ((*words, f"{option}=1"), (*words, option, f"{option}=x"))
    else:
        yield from ((*words, option, value) for value in values)
        yield (*words, option)


def _put_results(folder: Path) -> None:
    (folder / BESIDE).write_text(RESULTS, encoding="utf-8")


VALUES = [
    "1" + "0" * 5_000,
    "0x" + "f" * 300,
    "[" * 1_000 + "]" * 1_000,
    "{a = " * 99 + "1" + "}" * 99,
    "nan",
    "-inf",
    "1979-05-27",
    "true",
    "[]",
    "{}",
    '""',
    '"' + "x" * 20_000 + '"',
    '"\\u001b[31m\\u0007"',
    '"\\u0000"',
    '"../x"',
    '"$x^{$"',
    "-1",
    "99999999999999999999",
    "1e400",
    "[[1], [2]]",
    '["a", 1]',
    '"0..99999"',
    "'''",
    '"\\ud800"',
    "\u00b2",
    ESCAPE,
]
LINES = [
    "[" + ".".join("a" * 2_000) + "]",
    "[[grid]]",
    "[set]",
    "a = 1\na = 1",
    "\x00",
    "= 1",
    "[a",
    "\ufeff",
    "set = 1",
    "grid = 1",
    "hand.front.back = 1",
    "[[" + "[[" * 500,
    "oops",
    "; ; ;",
    "seat: 99",
    f"seat: {NINES}",
    "u \u00b2",
    NINES,
    "raise SystemExit(3)",
    "raise BaseException",
    "GAME = 3",
    "import nothing_at_all",
]


def file_cases() -> Iterator[Case]:
    """Files of every format with one change that may break them."""
    for name, kind in FORMATS.items():
        text = kind.text()
        for number in range(FILE_CASES):
            content = changed(text, random.Random(f"{name} {number}"))
            yield read(name, number, content)


def read(name: str, call: int, content: bytes) -> Case:
    """A case in which one of the calls of a format reads this content."""
    kind = FORMATS[name]
    words = tuple(word.replace("FILE", kind.file) for word in kind.calls[call % len(kind.calls)])
    return Case("files", name, words, lambda folder: kind.put(folder, content))


def changed(text: str, luck: random.Random, values: Sequence[str] = ()) -> bytes:
    """A text with one change: a value, a line, a part cut out or put in, other bytes."""
    lines = text.splitlines()
    at, place = luck.randrange(len(lines)), luck.randrange(len(text))
    sign = next((sign for sign in ("=", ":", ",") if sign in lines[at]), "")
    before = lines[at].partition(sign or "=")[0]
    ways: list[Callable[[], str | bytes]] = [
        lambda: "\n".join([*lines[:at], f"{before}{sign} {luck.choice(values or VALUES)}", *lines[at + 1 :]]),
        lambda: "\n".join([*lines[:at], luck.choice(LINES), *lines[at:]]),
        lambda: "\n".join([*lines[:at], lines[at], *lines[at:]]),
        lambda: text[:place] + text[place + luck.randrange(1, 40) :],
        lambda: text[:place] + luck.choice(["\x00", "\u202e", "\u00b2", '"', "[", "\r", NINES]) + text[place:],
        lambda: text[:place],
        lambda: text.encode("utf-16"),
        lambda: luck.randbytes(luck.randrange(40)),
        lambda: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    ]
    made = luck.choices(ways, weights=[9, 9, 3, 6, 6, 2, 1, 1, 1])[0]()
    return made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass")


READERS = (("study", "show", "study"), ("study", "export", "study"), ("study", "show", "study", "--json"))


def log_cases() -> Iterator[Case]:
    """Logs of studies with wrong values in every place, and with changed bytes."""
    content = small_study()
    for number, (name, changed) in enumerate(with_values(content)):
        yield Case("logs", name, READERS[number % len(READERS)], partial(_put_log, changed))
    for number in range(FLIPPED):
        for words in READERS[:2]:
            yield Case("logs", f"changed bytes {number}", words, partial(_put_log, damaged(content, number)))


def _put_log(content: bytes, folder: Path) -> None:
    (folder / LOG).parent.mkdir()
    (folder / LOG).write_bytes(content)
