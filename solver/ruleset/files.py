"""The one door for files: those a user hands in are read here, and what is written appears whole or not at all.

A file is data from anywhere: it may be huge, endless, nested a thousand deep, or hold what a terminal obeys. What
comes through this door is small, shallow, made of plain values, and safe to show. Every fault is one line with its
place.
"""

from __future__ import annotations

import datetime
import itertools
import os
import re
import stat
import tomllib
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError
from houle.solver.ruleset.texts import visible

MOST_BYTES = 500_000
DEEPEST = 24  # tables and lists inside one another
LONGEST_TEXT = 10_000  # letters of one value
LONGEST_NUMBER = 100  # characters
LONGEST_LINE = 80  # letters that a fault shows of the line it stands in
BOOLEAN_WORDS = ("yes", "no", "on", "off", "y", "n")  # as people write what TOML calls true and false
MOST_WHOLE = 2**64  # a seed may be as large as that, less one

# Strings and comments are skipped, in the way TOML delimits them; what nests or separates is counted.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'"
    r"|\#[^\n]*|[\[\]{}.,=\n]|[0-9A-Za-z_+-]+",
    re.DOTALL,
)  # fmt: skip


def read_toml(path: str | Path) -> dict[str, Any]:
    """A TOML file as plain values: tables, lists, texts without control characters, numbers, truth values."""
    return parse_toml(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """The text of a file of reasonable size; pipes and devices are refused, since they may never end."""
    try:
        # Without waiting: opening a pipe that nobody writes to would.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise InputError(f"{path}: is not a plain file")
            content = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise InputError(f"{path}: {fault.strerror or fault}") from None
    except ValueError as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"{path}: no file can have this name: {fault}") from None
    if len(content) > MOST_BYTES:
        raise InputError(f"{path}: larger than {MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise InputError(f"{path}: not valid TOML: not UTF-8 text (at line {line})") from None


def parse_toml(text: str, place: str) -> dict[str, Any]:
    """The values of a TOML text; `place` names it in faults."""
    _check_shape(text, place)
    try:
        data = tomllib.loads(text)
    except ValueError as fault:
        raise InputError(f"{place}: not valid TOML: {fault}{_around(text, str(fault))}") from None
    except RecursionError:  # where so much of the stack is used already that even a shallow file is too much
        raise InputError(f"{place}: nested too deep") from None
    found: dict[str, Any] = plain_values(data, place)
    return found


def _around(text: str, fault: str) -> str:
    """What stands where the parser stopped: `; in souvenir "Pearl": dedicated = yes; write true or false`."""
    found = re.search(r"at line (\d+)", fault)
    if found is None:
        return ""
    lines = text.split("\n")[: int(found[1])]
    here = visible(lines[-1].strip())
    if not here or len(here) > LONGEST_LINE:
        return ""
    heads = [number for number, line in enumerate(lines) if line.strip().startswith("[[")]
    inside = ""
    if heads and not here.startswith("["):
        entry = lines[heads[-1]].strip(" []")
        names = [line.partition("=")[2].strip() for line in lines[heads[-1] :] if re.match(r"\s*name\s*=", line)]
        number = sum(lines[head].strip(" []") == entry for head in heads)
        inside = f"in {visible(entry)} {visible(names[0]) if names else f'number {number}'}: "
    word = here.partition("=")[2].strip().lower()
    return f"; {inside}{here}" + ("; write true or false" if word in BOOLEAN_WORDS else "")


def entry_line(text: str, kind: str, number: int, name: str, key: str) -> int | None:
    """The line of a TOML text in which a key of an entry [[kind]] stands, else its head.

    The entry is the only one of that name, else the one of that number; None where neither is in this text.
    """
    lines = text.split("\n")
    heads = [row for row, line in enumerate(lines) if re.match(r"\s*\[", line)] + [len(lines)]
    entries = [range(head, end) for head, end in itertools.pairwise(heads)
               if re.match(rf"\s*\[\[\s*{re.escape(kind)}\s*\]\]", lines[head])]  # fmt: skip
    called = [rows for rows in entries if any(re.match(rf"\s*name\s*=\s*[\"']{re.escape(name)}[\"']", lines[row])
                                              for row in rows)]  # fmt: skip
    if len(called) != 1 and not 1 <= number <= len(entries):
        return None
    rows = called[0] if len(called) == 1 else entries[number - 1]
    found = [row for row in rows if re.match(rf"\s*{re.escape(key)}\s*=", lines[row])] if key else []
    return (found or rows)[0] + 1


def _check_shape(text: str, place: str) -> None:
    """Refuses what would take the parser too deep or too long; `[a.b]` and `a.b = 1` nest as brackets do."""
    depth = dots = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "[{":
            depth, dots = depth + 1, 0
        elif token in "]}":
            depth = max(0, depth - 1)
        elif token == ".":
            dots += 1
        elif token in "=,\n":
            dots = 0
        elif len(token) > LONGEST_NUMBER and token[0] in "+-0123456789":
            raise InputError(f"{place}: a number of {len(token):,} characters (at line {_line(text, match)})")
        if depth + dots > DEEPEST:
            raise InputError(f"{place}: nested deeper than {DEEPEST} (at line {_line(text, match)})")


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def plain_values(value: Any, place: str, depth: int = 0) -> Any:
    """The same data with texts made visible; refuses what is too deep, dates, and whole numbers beyond 64 bits.

    For data of any file format that a user hands in.
    """
    if depth > DEEPEST:
        raise InputError(f"{place}: nested deeper than {DEEPEST}")
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise InputError(f"{place}: a text of {len(value):,} letters; allowed: {LONGEST_TEXT:,}")
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(key)): plain_values(item, f"{place}: {key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_values(item, place, depth + 1) for item in value]
    if isinstance(value, datetime.date | datetime.time):
        raise InputError(f"{place}: {value} is a date or a time, which nothing here takes; write text in quotes")
    if isinstance(value, int) and not -MOST_WHOLE < value < MOST_WHOLE:
        raise InputError(f"{place}: a whole number beyond 64 bits")
    return value


def unwritable(path: str | Path) -> str:
    """Why a file cannot be written at this place, as far as can be told beforehand; empty where it can."""
    if os.path.isdir(path):
        return "is a folder"
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as fault:  # a name too long, with a null byte, or below what is a file
        return getattr(fault, "strerror", None) or str(fault)
    folder = os.path.dirname(path) or "."
    while not os.path.lexists(folder):  # what is missing is made when the file is written
        folder = os.path.dirname(folder) or "."
    if not os.path.isdir(folder):
        return f"{folder} is not a folder"
    return "" if os.access(folder, os.W_OK) else f"nothing can be written in the folder {folder}"


def write_whole(path: str | Path, write: Callable[[Path], Any]) -> None:
    """Lets `write` fill a file beside its place and moves it there: the old file or the new one, never a part.

    What is no plain file (a pipe, a device) is written as it is; folders that are missing are made.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    try:
        if target.exists() and not target.is_file():
            write(target)
            return
        if problem := unwritable(target):
            raise InputError(f"{path}: {problem}")
        target.parent.mkdir(parents=True, exist_ok=True)
        # A short name, since the longest that is allowed may be taken; the ending tells writers what to write.
        beside = target.with_name(f".{uuid.uuid4().hex[:12]}{target.suffix}")
        try:
            write(beside)
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as fault:
        raise InputError(f"{path}: {fault.strerror or fault}") from None
