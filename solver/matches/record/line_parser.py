"""Lines of the form `place: words`, read from text or JSON.

A game reads the lines that it knows, one by one. A line that nothing reads is an error, with a suggestion. What a
reader asks of a line says what may be written in it, so lines are also the fields of a form (position_form.py).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from houle.solver.errors import PositionError
from houle.solver.language.languages import CATALOGUES, Words, catalogue_files, read_typed
from houle.solver.rules import game_names, nearest
from houle.solver.rules.files import plain_values
from houle.solver.texts import typed_number, visible

UNKNOWN = -1  # a card that is not seen
MOST_LINES = 2_000
MOST_WORDS = 20_000  # in one line, such as the moves of a long game
NOTHING = ("none", "nothing", "-")
NAMES = ("game", "variants", "rules", "luck", "deal", "strategies")  # lines of names and numbers, not of words

CARDS, NUMBER, WORD, TEXT = "cards", "number", "word", "text"

Places = dict[str, list[str]]  # place -> words


@dataclass
class Field:
    """What may be written in a line."""

    place: str
    kind: str = TEXT
    allowed: tuple[str, ...] = ()  # words
    limits: tuple[int, int] = (0, 0)  # of a number
    names: Mapping[str, int] = field(default_factory=dict)  # of cards; a card may have several
    read: bool = False
    example: str = ""
    usual: bool = False  # shown first in a form


def read_lines(text: str, what: str = "position") -> Lines:
    """Reads a text in either form. `what` starts every error message."""
    text = visible(text.replace("\r\n", "\n"))
    if text.lstrip().startswith("{"):
        places = _from_data(_parse_json(text, what), what)
    else:
        places = _from_text(text, what)
    if not places:
        raise PositionError(f"{what}: it is empty; write lines such as `seat: 1`")
    return Lines(places, what)


def _parse_json(text: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as fault:
        raise PositionError(f"{what}: not valid JSON: {fault}") from None
    except RecursionError:
        raise PositionError(f"{what}: lists within lists are nested too deep") from None
    plain: dict[str, Any] = plain_values(data, what)
    return plain


def _from_data(data: Mapping[str, Any], what: str, before: str = "") -> Places:
    """Joins nested tables to places of several words: `hand.front = 4` in `[set]` is `set hand.front`."""
    places: Places = {}
    for key, value in data.items():
        place = f"{before}{_spaced(key)}"
        if isinstance(value, dict):
            joint = "." if place.startswith("set ") else " "
            inner = _from_data(value, what, f"{place}{joint}")
            _refuse_twice(places, inner, what)
            places |= inner
            continue
        items = value if isinstance(value, list) else [value]
        if any(isinstance(item, list | dict) for item in items):
            raise PositionError(f"{what}: {place}: write a text, a number or a list of these")
        words = [word for item in items for word in _split(_plain(item))]
        _refuse_twice(places, (place,), what)
        places[place] = _checked(words, place, what)
    return places


def _plain(item: Any) -> str:
    if item is None or isinstance(item, bool):
        return {True: "yes", False: "no", None: "none"}[item]
    return str(item)


def _from_text(text: str, what: str) -> Places:
    parts = [part.strip() for line in text.split("\n") for part in line.partition("#")[0].split(";")]
    places: Places = {}
    for part in (part for part in parts if part):
        place, colon, words = part.partition(":")
        if not colon:
            raise PositionError(f"{what}: {_short(part)!r}: write lines such as `seat: 1`")
        place = _spaced(place)
        _refuse_twice(places, (place,), what)
        places[place] = _checked(_split(words), place, what)
        if len(places) > MOST_LINES:
            raise PositionError(f"{what}: more than {MOST_LINES:,} lines")
    return places


def _refuse_twice(places: Places, new: Iterable[str], what: str) -> None:
    for place in new:
        if place in places:
            raise PositionError(f"{what}: {_short(place)}: there are two lines of this name")


def _checked(words: list[str], place: str, what: str) -> list[str]:
    if len(words) > MOST_WORDS:
        raise PositionError(f"{what}: {_short(place)}: {len(words):,} words; allowed: {MOST_WORDS:,}")
    return words


def _split(words: str) -> list[str]:
    return [" ".join(word.split()) for word in words.split(",") if word.strip()]


def _spaced(place: str) -> str:
    return " ".join(place.lower().split())


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def unseen(word: str) -> int:
    """How many cards that are not seen a word stands for, as `?` or `5 ?`; 0 for any other word."""
    match = re.fullmatch(r"(\d{1,3})? ?\?", word)
    return int(match[1] or 1) if match else 0


class Lines:
    """The lines of a position or record, with methods to read them one by one."""

    def __init__(self, places: Places, what: str) -> None:
        self.places, self.what = places, what
        self.fields: dict[str, Field] = {}  # all that was asked for
        self.hands: dict[str, Counter[str]] = {}  # the cards of hands by name, ? for unseen ones (named_cards.py)
        self._looked_for: set[str] = set()

    def _asks(self, place: str, kind: str = TEXT, **what: Any) -> Field:
        one = self.fields.setdefault(place, Field(place))
        if kind != TEXT:
            vars(one).update(what, kind=kind)
        return one

    def fault(self, place: str, problem: str) -> PositionError:
        """An error in a line: the text, the place, the problem."""
        return PositionError(f"{self.what}: {_short(place)}: {problem}")

    def words(self, place: str) -> list[str] | None:
        """The words of a line; None if the line is missing, an empty list for `none`."""
        self._asks(place).read = True
        words = self.places.get(place)
        return words if words is None or not (len(words) == 1 and words[0].lower() in NOTHING) else []

    def read_in_english(self, game: str | None) -> None:
        """Puts lines that are typed in another language into English; `game` or the line about it chooses the words."""
        for language in CATALOGUES:
            words = catalogue_files(language)
            self.places = {read_typed(place, words): typed for place, typed in self.places.items()}
            named = game or " ".join(self.places.get("game", ())).replace("_", "-")
            words = catalogue_files(language, named if named in game_names() else None)
            self.places = in_language(self.places, partial(read_typed, files=words))

    def says(self, place: str) -> bool:
        self._looked_for.add(place)
        return place in self.places

    def beginning(self, start: str) -> list[str]:
        """All places that start with a text."""
        return [place for place in self.places if place.startswith(start)]

    def card_words(self, place: str, names: Mapping[str, int]) -> list[str]:
        """The words of a line that names some of these cards; none if it is missing."""
        self._asks(place, CARDS, names=names)
        return self.words(place) or []

    def says_cards(self, place: str, names: Mapping[str, int]) -> bool:
        """Whether there is a line, which names some of these cards."""
        self._asks(place, CARDS, names=names)
        return self.says(place)

    def word(self, place: str, allowed: Iterable[str], default: str) -> str:
        """One of the allowed words."""
        allowed = list(allowed)
        self._asks(place, WORD, allowed=tuple(filter(None, allowed)))
        words = self.words(place)
        if words is None:
            return default
        text = " ".join(words).lower()
        if text not in allowed:
            raise self.fault(place, f"{_short(text)!r} is not allowed; allowed: {', '.join(allowed)}")
        return text

    def yes(self, place: str) -> bool:
        """Whether a line says `yes`; no by default."""
        return self.word(place, ("yes", "no"), "no") == "yes"

    def choices(self, place: str, allowed: Sequence[str]) -> list[str]:
        """Any number of the allowed words, in lower case."""
        self._asks(place, CARDS, names={word: number for number, word in enumerate(allowed)})
        words = self.words(place) or []
        for word in words:
            if word.lower() not in allowed:
                raise self.fault(place, f"{word!r} is not allowed; allowed: {', '.join(allowed)}")
        return [word.lower() for word in words]

    def rest(self, place: str, most: int, left: int, total: int | None = None) -> None:
        """Checks a stated number of cards: it must be what is left of all cards."""
        stated = self.number(place, 0, most, left)
        if stated != left:
            cards = "" if total is None else f" of the {total} cards"
            raise self.fault(place, f"{stated} cards do not fit: {left}{cards} are nowhere else")

    def number(self, place: str, least: int, most: int, default: int) -> int:
        self._asks(place, NUMBER, limits=(least, most))
        words = self.words(place)
        return default if words is None else self.whole(place, " ".join(words), least, most)

    def whole(self, place: str, text: str, least: int, most: int) -> int:
        """A whole number as typed."""
        number = typed_number(text, signed=True)
        if number is None or not least <= number <= most:
            allowed = f"a whole number from {least} to {most}" if least < most else f"{least}"
            raise self.fault(place, f"{_short(text)!r} is not allowed; allowed: {allowed}")
        return number

    def seat(self, place: str, players: int, default: int | None = None) -> int:
        """A seat, typed from 1, returned from 0."""
        self._asks(place, NUMBER, limits=(1, players))
        words = self.words(place)
        if not words:
            if default is not None:
                return default
            raise self.fault(place, f"this line is missing; write which seat has to move, from 1 to {players}")
        text = " ".join(words).lower().removeprefix("seat ")
        if text == "0":
            raise self.fault(place, "seats count from 1")
        return self.whole(place, text, 1, players) - 1

    def card(self, place: str, name: str, names: Mapping[str, int]) -> int:
        """The card of a name; `names` has lower-case names."""
        self._asks(place, CARDS, names=names)
        typed = name.lower()
        if typed not in names:
            hint = nearest(typed, names)
            some = ", ".join(list(names)[:: max(1, len(names) // 3)][:3])
            hint = hint.rstrip("?") if "did you mean" in hint else f"; cards are written as {some}"
            raise self.fault(place, f"unknown card {_short(name)!r}{hint}")
        return names[typed]

    def cards(self, place: str, names: Mapping[str, int]) -> list[int] | None:
        """The cards of a line in order; UNKNOWN for `?`, three of them for `3 ?`."""
        self._asks(place, CARDS, names=names)
        words = self.words(place)
        if words is None:
            return None
        return [card for word in words for card in [UNKNOWN] * unseen(word) or [self.card(place, word, names)]]

    def hidden(self, place: str, seat: int, names: Mapping[str, int]) -> int:
        """How many cards lie where a seat does not see them: `5 ?`, `?` or `5`; 0 without a line."""
        words = self.card_words(place, names)
        text = " ".join(words)
        match = re.fullmatch(r"(\d{0,4}) ?\?|(\d{1,4})", text)
        if words and match is None:
            problem = f"seat {seat + 1} does not see these cards; write how many, as `5 ?`"
            raise self.fault(place, f"{_short(text)!r}: {problem}")
        return int(match[1] or match[2] or 1) if match else 0

    @property
    def known(self) -> set[str]:
        """The places that were asked for."""
        return {*self._read, *self._looked_for}

    @property
    def _read(self) -> list[str]:
        return [place for place, one in self.fields.items() if one.read]

    def refuse_typos(self, valid: Iterable[str]) -> None:
        """Raises an error for a line that is neither read so far nor `valid` and is named almost like one of these."""
        known = {*self.known, *valid}
        for place in self.places:
            hint = "" if place in known or place.startswith("set ") else nearest(place, known - set(self.places))
            if "did you mean" in hint:
                raise PositionError(f"{self.what}: unknown place {_short(place)!r}{hint.rstrip('?')}")

    def refuse_the_rest(self) -> None:
        """Raises an error for lines that nothing has read: they are probably misspelled."""
        for place in self.places:
            if place not in self._read:
                hint = nearest(place, self._read)
                kinds = dict.fromkeys(re.sub(r" \d+$", " N", known) for known in self._read)  # one for all moves
                hint = hint.rstrip("?") if "did you mean" in hint else f"; there is {', '.join(kinds)}"
                raise PositionError(f"{self.what}: unknown place {_short(place)!r}{hint}")


def as_text(places: Mapping[str, list[str]]) -> str:
    """The places as text, a line each."""
    return "".join(f"{place}: {', '.join(words) or 'none'}\n" for place, words in places.items())


def in_language(places: Mapping[str, list[str]], say: Words) -> Places:
    """The places in another language, as far as their words are known. Names of games, variants and knobs stay."""
    return {
        say(place): words
        if place in NAMES or place.startswith("set ")
        else [say(word) for word in words or NOTHING[:1]]
        for place, words in places.items()
    }


def as_data(places: Mapping[str, list[str]]) -> dict[str, Any]:
    """The places as plain data for JSON: one word is a text or a whole number, several are a list."""
    data: dict[str, Any] = {}
    for place, words in places.items():
        number = typed_number(words[0]) if len(words) == 1 else None
        plain = number is not None and words[0] == str(number)  # 007 is a name
        data[place] = number if plain else words[0] if len(words) == 1 else words
    return data
