"""Lines as `place: words`: read from text, TOML or JSON, asked for one by one, and every fault said in one line.

A game asks for the lines that it knows; a line that nobody asked for is refused with the nearest name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from houle.solver.errors import InputError
from houle.solver.ruleset import nearest
from houle.solver.ruleset.files import parse_toml, plain_values
from houle.solver.ruleset.texts import visible

UNKNOWN = -1  # a card that is there but not seen
MOST_LINES = 2_000
MOST_WORDS = 20_000  # in one line, as the moves of a long game
NOTHING = ("none", "nothing", "-")

Places = dict[str, list[str]]  # place -> what lies there, in words


def read_lines(text: str, what: str = "position") -> Lines:
    """A text in any of the three forms; `what` it is begins every fault."""
    text = visible(text.replace("\r\n", "\n"))
    start = text.lstrip()
    if start.startswith("{"):
        found = _from_data(_parse_json(text, what), what)
    elif _is_toml(start):
        found = _from_data(parse_toml(text, what), what)
    else:
        found = _from_text(text, what)
    if not found:
        raise InputError(f"{what}: it is empty; write a place, a colon and what lies there, as `seat: 1`")
    return Lines(found, what)


def _is_toml(text: str) -> bool:
    """Whether the first line that says something is one of TOML."""
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return bool(re.match(r"(\[|[\w.-]+\s*=|\"[^\"]*\"\s*=|'[^']*'\s*=)", first))


def _parse_json(text: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as fault:
        raise InputError(f"{what}: not valid JSON: {fault}") from None
    except RecursionError:
        raise InputError(f"{what}: nested too deep") from None
    found: dict[str, Any] = plain_values(data, what)
    return found


def _from_data(data: Mapping[str, Any], what: str, before: str = "") -> Places:
    """Tables inside one another are places of several words: `[set]` and `hand.front = 4` is `set hand.front`."""
    found: Places = {}
    for key, value in data.items():
        place = f"{before}{_spaced(key)}"
        if isinstance(value, dict):
            joint = "." if place.startswith("set ") else " "
            inner = _from_data(value, what, f"{place}{joint}")
            _refuse_twice(found, inner, what)
            found |= inner
            continue
        items = value if isinstance(value, list) else [value]
        if any(isinstance(item, list | dict) for item in items):
            raise InputError(f"{what}: {place}: write a text, a number or a list of those")
        words = [word for item in items for word in _split(_plain(item))]
        _refuse_twice(found, (place,), what)
        found[place] = _checked(words, place, what)
    return found


def _plain(item: Any) -> str:
    if item is None or isinstance(item, bool):
        return {True: "yes", False: "no", None: "none"}[item]
    return str(item)


def _from_text(text: str, what: str) -> Places:
    parts = [part.strip() for line in text.split("\n") for part in line.partition("#")[0].split(";")]
    found: Places = {}
    for part in (part for part in parts if part):
        place, colon, words = part.partition(":")
        if not colon:
            raise InputError(f"{what}: {_short(part)!r}: write a place, a colon and what lies there, as `seat: 1`")
        place = _spaced(place)
        _refuse_twice(found, (place,), what)
        found[place] = _checked(_split(words), place, what)
        if len(found) > MOST_LINES:
            raise InputError(f"{what}: more than {MOST_LINES:,} lines")
    return found


def _refuse_twice(found: Places, places: Iterable[str], what: str) -> None:
    for place in places:
        if place in found:
            raise InputError(f"{what}: {_short(place)}: this line is there twice")


def _checked(words: list[str], place: str, what: str) -> list[str]:
    if len(words) > MOST_WORDS:
        raise InputError(f"{what}: {_short(place)}: {len(words):,} words; allowed: {MOST_WORDS:,}")
    return words


def _split(words: str) -> list[str]:
    return [" ".join(word.split()) for word in words.split(",") if word.strip()]


def _spaced(place: str) -> str:
    return " ".join(place.lower().split())


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


class Lines:
    """The lines of a position or record, asked for one by one."""

    def __init__(self, found: Places, what: str) -> None:
        self.found, self.what = found, what
        self._known: list[str] = []

    def fault(self, place: str, problem: str) -> InputError:
        """One line: what it is about, which place, why."""
        return InputError(f"{self.what}: {_short(place)}: {problem}")

    def words(self, place: str) -> list[str] | None:
        """What a line says; None where it is not there, nothing where it says none."""
        self._known.append(place)
        found = self.found.get(place)
        return found if found is None or not (len(found) == 1 and found[0].lower() in NOTHING) else []

    def says(self, place: str) -> bool:
        return place in self.found

    def beginning(self, start: str) -> list[str]:
        """The places whose names begin so, for lines of which there may be many."""
        return [place for place in self.found if place.startswith(start)]

    def word(self, place: str, allowed: Iterable[str], default: str) -> str:
        """One of some words."""
        found = self.words(place)
        if found is None:
            return default
        text, allowed = " ".join(found).lower(), list(allowed)
        if text not in allowed:
            raise self.fault(place, f"{_short(text)!r} is not allowed; allowed: {', '.join(allowed)}")
        return text

    def number(self, place: str, least: int, most: int, default: int) -> int:
        found = self.words(place)
        if found is None:
            return default
        return self.whole(place, " ".join(found), least, most)

    def whole(self, place: str, text: str, least: int, most: int) -> int:
        """A whole number as somebody typed it."""
        if not re.fullmatch(r"-?\d{1,20}", text) or not least <= int(text) <= most:
            allowed = f"a whole number from {least} to {most}" if least < most else f"{least}"
            raise self.fault(place, f"{_short(text)!r} is not allowed; allowed: {allowed}")
        return int(text)

    def seat(self, place: str, players: int, default: int | None = None) -> int:
        """A seat as people count, from 1; the first is 0 here."""
        found = self.words(place)
        if not found:
            if default is not None:
                return default
            raise self.fault(place, f"this line is missing; write which seat has to move, from 1 to {players}")
        text = " ".join(found).lower().removeprefix("seat ")
        if text == "0":
            raise self.fault(place, "seats count from 1")
        return self.whole(place, text, 1, players) - 1

    def card(self, place: str, name: str, names: Mapping[str, int]) -> int:
        """The card of a name, by names in small letters."""
        typed = name.lower()
        if typed not in names:
            hint = nearest(typed, names)
            some = ", ".join(list(names)[:: max(1, len(names) // 3)][:3])
            hint = hint.rstrip("?") if "did you mean" in hint else f"; written as: {some}"
            raise self.fault(place, f"unknown card {_short(name)!r}{hint}")
        return names[typed]

    def cards(self, place: str, names: Mapping[str, int]) -> list[int] | None:
        """Cards by their names, in the order of the line; UNKNOWN for `?`, and `3 ?` for three of them."""
        found = self.words(place)
        if found is None:
            return None
        cards: list[int] = []
        for word in found:
            several = re.fullmatch(r"(\d{1,3})\s*\?", word)
            if word == "?" or several:
                cards += [UNKNOWN] * (int(several[1]) if several else 1)
            else:
                cards.append(self.card(place, word, names))
        return cards

    def refuse_the_rest(self) -> None:
        """Lines that nobody asked for are slips: what they say would be lost without a word."""
        for place in self.found:
            if place not in self._known:
                hint = nearest(place, self._known)
                hint = (
                    hint.rstrip("?")
                    if "did you mean" in hint
                    else f"; there is {', '.join(dict.fromkeys(self._known))}"
                )
                raise InputError(f"{self.what}: unknown place {_short(place)!r}{hint}")


def from_1(words: str) -> str:
    """Seats, teams and players as people count: `seat 0` of the data is `seat 1`."""
    return re.sub(r"\b(seat|team|player) (\d+)\b", lambda match: f"{match[1]} {int(match[2]) + 1}", words)


def from_0(words: str) -> str:
    """`seat 1` as people count -> `seat 0` of the data."""
    return re.sub(r"\b(seat|team|player) (\d+)\b", lambda match: f"{match[1]} {int(match[2]) - 1}", words)


def as_text(places: Mapping[str, list[str]]) -> str:
    """A line a place."""
    return "".join(f"{place}: {', '.join(words) or 'none'}\n" for place, words in places.items())


def as_toml(places: Mapping[str, list[str]]) -> str:
    """The same as TOML: one word is a text, several are a list."""
    return "".join(f"{json.dumps(place)} = {json.dumps(data)}\n" for place, data in as_data(places).items())


def as_data(places: Mapping[str, list[str]]) -> dict[str, Any]:
    """The same as plain data, for JSON: one word is a text or a whole number, several are a list."""
    found: dict[str, Any] = {}
    for place, words in places.items():
        number = len(words) == 1 and words[0].isdigit() and words[0] == str(int(words[0]))
        found[place] = int(words[0]) if number else words[0] if len(words) == 1 else words
    return found
