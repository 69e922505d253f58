"""Reads users' files safely, and writes files completely or not at all.

A file may come from anywhere: it may be huge, endless, nested a thousand deep, or contain control characters. What is
read here is small, shallow, made of plain values, and safe to print. Every error is one line with its place.
"""

from __future__ import annotations

import datetime
import errno
import itertools
import os
import re
import stat
import tempfile
import tomllib
import uuid
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from houle.solver.errors import DiskError, FileError
from houle.solver.os_calls import READ_AT_ONCE
from houle.solver.texts import visible

DISK = ("ENOSPC", "EDQUOT", "EIO", "EFBIG", "EROFS")  # the disk is full, fails or cannot be written
BLOCK = 4096  # bytes: a full disk may still take fewer
MOST_BYTES = 500_000
DEEPEST = 24  # nested tables and lists
LONGEST_TEXT = 10_000  # characters of one value
LONGEST_NUMBER = 100  # characters
LONGEST_LINE = 80  # characters of a line that an error message quotes
BOOLEAN_WORDS = ("yes", "no", "on", "off", "y", "n")  # what people write for TOML's true and false
MOST_WHOLE = 2**64  # seeds are below this

# Skips strings and comments of TOML; finds brackets, separators and numbers.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*|[\[\]{}.,=\n]|[0-9A-Za-z_+-]+",
    re.DOTALL,
)


def read_toml(path: str | Path) -> dict[str, Any]:
    """Reads a TOML file as plain values: tables, lists, texts without control characters, numbers, booleans."""
    return parse_toml(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """Reads a text file of limited size."""
    try:
        with open_plain(path) as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise file_error(path, fault) from None
    if len(content) > MOST_BYTES:
        raise FileError(f"{path}: larger than {MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise FileError(f"{path}: not valid TOML: not UTF-8 text (at line {line})") from None


def open_plain(path: str | Path) -> BinaryIO:
    """Opens a file to read. Pipes and devices are refused, because they may never end."""
    try:
        number = os.open(path, READ_AT_ONCE)
    except ValueError as fault:
        raise FileError(f"{path}: not a possible file name: {fault}") from None
    file = open(number, "rb")  # noqa: SIM115  # the caller closes it
    if not stat.S_ISREG(os.fstat(number).st_mode):
        file.close()
        raise FileError(f"{path}: is not a plain file")
    return file


def parse_toml(text: str, place: str) -> dict[str, Any]:
    """Reads a TOML text; `place` names it in error messages."""
    return deepcopy(_parsed(text, place))


@lru_cache(maxsize=50)
def _parsed(text: str, place: str) -> dict[str, Any]:
    _check_shape(text, place)
    try:
        data = tomllib.loads(text)
    except ValueError as fault:
        raise FileError(f"{place}: not valid TOML: {fault}{_around(text, str(fault))}") from None
    except RecursionError:  # little stack is left
        raise FileError(f"{place}: nested too deep") from None
    plain: dict[str, Any] = plain_values(data, place)
    return plain


def _around(text: str, fault: str) -> str:
    """The line where the parser stopped: `; in souvenir "Pearl": dedicated = yes; write true or false`."""
    line = re.search(r"at line (\d+)", fault)
    if line is None:
        return ""
    lines = text.split("\n")[: int(line[1])]
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
    """The line number of a key in an entry [[kind]] of a TOML text, else of the entry's head.

    The entry is found by its name if that is unique, else by its number; None if it is not in this text.
    """
    lines = text.split("\n")
    heads = [row for row, line in enumerate(lines) if re.match(r"\s*\[", line)] + [len(lines)]
    entries = [
        range(head, end)
        for head, end in itertools.pairwise(heads)
        if re.match(rf"\s*\[\[\s*{re.escape(kind)}\s*\]\]", lines[head])
    ]
    called = [
        rows
        for rows in entries
        if any(re.match(rf"\s*name\s*=\s*[\"']{re.escape(name)}[\"']", lines[row]) for row in rows)
    ]
    if len(called) != 1 and not 1 <= number <= len(entries):
        return None
    rows = called[0] if len(called) == 1 else entries[number - 1]
    keys = [row for row in rows if re.match(rf"\s*{re.escape(key)}\s*=", lines[row])] if key else []
    return (keys or rows)[0] + 1


def _check_shape(text: str, place: str) -> None:
    """Refuses texts that are too deep or too long for the parser. Dots (`[a.b]`, `a.b = 1`) nest like brackets."""
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
            raise FileError(f"{place}: a number of {len(token):,} characters (at line {_line(text, match)})")
        if depth + dots > DEEPEST:
            raise FileError(f"{place}: nested deeper than {DEEPEST} (at line {_line(text, match)})")


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def plain_values(value: Any, place: str, depth: int = 0) -> Any:
    """The data with control characters escaped. Refuses deep nesting, dates, and numbers beyond 64 bits."""
    if depth > DEEPEST:
        raise FileError(f"{place}: nested deeper than {DEEPEST}")
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise FileError(f"{place}: a text of {len(value):,} characters; allowed: {LONGEST_TEXT:,}")
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(key)): plain_values(item, f"{place}: {key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_values(item, place, depth + 1) for item in value]
    if isinstance(value, datetime.date | datetime.time):
        raise FileError(f"{place}: {value} is a date or a time; write it as text in quotes")
    if isinstance(value, int) and not -MOST_WHOLE < value < MOST_WHOLE:
        raise FileError(f"{place}: a whole number beyond 64 bits")
    return value


def unusable(path: str | Path) -> str:
    """Why a path cannot be the name of a file to write; empty if it can."""
    if os.path.isdir(path):
        return "is a folder"
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as fault:  # a name that is too long, has a null byte, or is inside a file
        return getattr(fault, "strerror", None) or str(fault)
    folder = _nearest_folder(path)
    return "" if os.path.isdir(folder) else f"{folder} is not a folder"


def _nearest_folder(path: str | Path) -> str:
    """The folder of a path, or the nearest above it that exists; missing folders are created later."""
    folder = os.path.dirname(path) or "."
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder) or "."
    return folder


def check_writable(path: str | Path, place: str) -> None:
    """Raises DiskError if nothing can be written at a path, found by writing a few bytes there; `place` names it.

    For a folder that exists, files are written in it; for any other path, beside it.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isdir(target) and not os.path.isfile(target):
        return  # a pipe or a device
    folder = target if os.path.isdir(target) else _nearest_folder(target)
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(b"\0" * BLOCK)
    except OSError as fault:
        raise DiskError(f"{place}: nothing can be written in {folder} ({fault.strerror or fault})") from None


def write_whole(path: str | Path, write: Callable[[Path], Any]) -> None:
    """Writes a file atomically: `write` fills a temporary file, which then replaces the old one.

    Pipes and devices are written directly. Missing folders are created.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    try:
        if target.exists() and not target.is_file():
            write(target)
            return
        if problem := unusable(target):
            raise FileError(f"{path}: {problem}")
        target.parent.mkdir(parents=True, exist_ok=True)
        # A short name, because the target's may have the greatest length. Writers need the suffix.
        beside = target.with_name(f".{uuid.uuid4().hex[:12]}{target.suffix}")
        try:
            write(beside)
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as fault:
        raise file_error(path, fault) from None


def file_error(path: str | Path, fault: OSError) -> FileError:
    """An error of the system about a file, in one line."""
    kind = DiskError if errno.errorcode.get(fault.errno or 0) in DISK else FileError
    return kind(f"{path}: {fault.strerror or fault}")
