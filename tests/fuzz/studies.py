"""A small finished study, and its log with wrong values or changed bytes."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import houle
from houle.analysis.studies.log import sealed
from tests.fuzz.formats import SPEC

VALUES: list[Any] = [None, -1, 2**62, 1.5, "", "x", [], {}, [[]], "[" * 5_000, "9" * 5_000]
LOG = Path("study", "part-1-of-1.jsonl")


@cache
def small_study() -> bytes:
    """The log of a study of two cells that is finished."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "study.toml")
        spec.write_text(SPEC, encoding="utf-8")
        houle.study(spec, threads=1)
        return Path(folder, LOG).read_bytes()


def with_values(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The log with a wrong value in each place of its first two lines, with checksums that fit."""
    lines = content.splitlines(keepends=True)
    for number, line in enumerate(lines[:2]):
        record = json.loads(line)
        del record["sum"]
        for table, key in [(record, key) for key in record] + [
            (record.get("cells", [{}])[0], key) for key in record.get("cells", [{}])[0]
        ]:
            before = table[key]
            for value in VALUES:
                table[key] = value
                changed = [*lines[:number], sealed(record), *lines[number + 1 :]]
                yield f"line {number + 1}: {key} = {value!r:.20}", b"".join(changed)
            table[key] = before


def damaged(content: bytes, seed: int) -> bytes:
    """The log with up to 20 changed bytes."""
    luck = random.Random(seed)
    bytes_ = bytearray(content)
    for _ in range(luck.randrange(1, 21)):
        bytes_[luck.randrange(len(bytes_))] ^= luck.randrange(1, 256)
    return bytes(bytes_)
