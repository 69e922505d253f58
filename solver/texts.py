"""Helpers for texts: capital letters, plurals, lists, control characters, digests, suggestions for misspelled names."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

# Characters that a terminal executes or hides: controls, surrogates, line separators, direction marks.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
FORMULA = re.compile(r"(?![+-]\d+(\.\d+)?$)[=+@-]")  # the beginning of one; a number in a text is none

CLOSE, ALIKE = 0.7, 0.6  # similarity needed for a suggestion: of any name, and with the same first letter
MOST_SUGGESTED = 3
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def capital(words: str) -> str:
    """Words with a capital first letter; the others stay as they are."""
    return words[:1].upper() + words[1:]


def as_sentence(words: str) -> str:
    """A remark as a sentence, with a capital letter and a full stop."""
    return capital(words) + ("" if words.endswith(".") else ".")


def count_of(number: int, noun: str) -> str:
    """`1 player`, `3 players`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def of_plural(number: int, plural: str) -> str:
    """`1 trick`, `3 tricks`, from the plural; a word whose singular is not plain stays as it is."""
    plain = number == 1 and plural.endswith("s") and plural[-2:-1] not in ("i", "s", "u", "e")
    return f"{number} {plural[:-1] if plain else plural}"


def range_of(numbers: Iterable[int]) -> str:
    """`1,000`, or `400 to 1,000`."""
    ends = sorted(set(numbers)) or [0]
    return " to ".join(f"{end:,}" for end in dict.fromkeys((ends[0], ends[-1])))


def in_words(number: int) -> str:
    """Small numbers as words: `three`."""
    return SMALL_NUMBERS[number] if 0 <= number < len(SMALL_NUMBERS) else f"{number:,}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def visible(text: str) -> str:
    """The text with control characters written as escapes; tabs and line feeds stay."""
    return UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def csv_cell(value: Any) -> Any:
    """A cell of a CSV file: a spreadsheet would run a text such as =1+1 as a formula, so such a text gets a '."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def digest(data: Any) -> str:
    """First 16 hex digits of SHA-256 over canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def typed_number(text: str, signed: bool = False) -> int | None:
    """A whole number written with the digits 0 to 9, at most 20 of them; None for any other text.

    Below zero the sign is that of keyboards or the typographic one, which French texts of houle have.
    `str.isdigit` accepts signs that `int` refuses, such as ², and `int` refuses thousands of digits.
    """
    plain = text.replace("−", "-") if signed else text
    return int(plain) if re.fullmatch(r"-?[0-9]{1,20}" if signed else r"[0-9]{1,20}", plain) else None


def nearest(name: str, known: Iterable[str]) -> str:
    """'; did you mean X?' if a known name is similar, else '; there is ...' with all of them."""
    known = sorted(known)
    # The beginning of a name is a better match than a similar name. A poor suggestion is worse than none.
    begun = [other for other in known if name and other.startswith(name)]
    alike = get_close_matches(name, [other for other in known if other[:1] == name[:1]], n=1, cutoff=ALIKE)
    close = begun[:MOST_SUGGESTED] or alike or get_close_matches(name, known, n=1, cutoff=CLOSE)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else f"; there is {', '.join(known)}"
