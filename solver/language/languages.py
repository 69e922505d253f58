"""Phrases in another language, from catalogue files, and typed words in that language back into English.

A catalogue is a TOML file: the English phrase, and the phrase in the other language. `{N}` is a number, `{X}` a text
that stays as it is, and a name in lower case a part that is translated by itself:

    "{colour} {N}" = "{N} {colour}"
    "red" = "rouge"
    "play {card}" = "jouer {card}"

translates `play red 3` as `jouer 3 rouge`. `{the_card}` prefers the phrase for `the ...`, with its article, and
`{the_cards}` does so for each part of a list. `{colour}` has no capital, `{who}` may be a name, and a phrase about
`player {N}` is also one about a name. `{N} point(s)` has its s from 2 on, as in French. Lists are translated part by
part. Sections of the file are headings, except those in TYPED: what users type is read by them, with or without
accents. A list has first the phrase that is shown, then others that may be typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from houle.solver.rules.files import read_toml
from houle.solver.rules.game_folders import home
from houle.solver.texts import capital

ENGLISH = "en"
CATALOGUES = {"fr": "french.toml"}  # the file of a language in the folder of a game, or of other texts
LANGUAGES = {ENGLISH: "English", "fr": "Français"}  # by their own names
TYPED = ("cards", "places", "moves")
MOST_KEPT = 20_000  # translations kept in memory

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NUMBER = r"[+−-]?\d[\d,]*(?:\.\d+)?"
_NAME = r"[A-ZÀ-ÖØ-Þ][\w.'’-]*(?: [\w.'’-]+)?"  # of a person, at most two words
_UNCAPPED = r"[^\WA-Z\d][^A-Z\d]*?"
_PLAYER = re.compile(r"\bplayer \{N(\d?)\}")
_JOUEUR = re.compile(r"\b(?:(au|du|le) )?joueur \{N(\d?)\}")
_LISTS = (("; ", " ; "), (", ", ", "), (" and ", " et "), (" or ", " ou "))
_PLURAL = re.compile(r"(\{N\d?\})( [^{}()]*)\(s\)")
_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z])")
_ENDS = re.compile(r"([\s:;,.(–…!?]*)(.*?)([\s:;,.)–…!?]*)", re.DOTALL)
_INFINITIVE = re.compile(r"^(ne |n['’])?((?:pas |plus )?(?:rien )?)((?:l[ae] |l['’]|vous )?)(\w+(?:er|re|ir))\b")
_ELIDED = re.compile(r"^ne (?=[aeiouyéèêh])")
# Verbs that are not conjugated like `jouer`: in the third person, and after `vous`.
_IRREGULAR = {
    "prendre": ("prend", "prenez"),
    "remettre": ("remet", "remettez"),
    "mettre": ("met", "mettez"),
    "partir": ("part", "partez"),
    "choisir": ("choisit", "choisissez"),
    "faire": ("fait", "faites"),
    "perdre": ("perd", "perdez"),
    "rendre": ("rend", "rendez"),
    "suivre": ("suit", "suivez"),
    "tenir": ("tient", "tenez"),
}
_BEFORE_VOWEL = re.compile(r"\b([Qq]ue |[Cc]arte )de (?=[aeiouéèêîAEIOUÉÈÊÎ])")
_TYPESET = (
    (" :", "\xa0:"),
    (" ;", "\u202f;"),
    (" ?", "\u202f?"),
    (" !", "\u202f!"),
    ("« ", "«\xa0"),
    (" »", "\xa0»"),
    (" %", "\u202f%"),
    ("'", "’"),
)

Words = Callable[[str], str]


class _Phrase(NamedTuple):
    pattern: re.Pattern[str]
    names: tuple[str, ...]
    meaning: str


class Catalogue:
    """Phrases and their meanings; `number` and `mark` write numbers and punctuation, `lists` are separators."""

    def __init__(
        self,
        phrases: Iterable[tuple[str, str]],
        number: Words = str,
        lists: Sequence[tuple[str, str]] = (),
        mark: Words = str,
    ) -> None:
        self.number, self.lists, self.mark = number, lists, mark
        self._plain: dict[str, str] = {}
        self._open: dict[str, list[_Phrase]] = {}  # by the first word; those that begin with a placeholder at ""
        self._known: dict[str, str | None] = {}
        # Phrases with more words of their own come first, and those that keep a part as it is after others.
        for phrase, meaning in sorted(
            phrases, key=lambda one: (-len(_PLACEHOLDER.sub("", one[0])), "{X" in one[0], "{P" in one[0])
        ):
            if not _PLACEHOLDER.search(phrase):
                self._plain.setdefault(phrase, meaning)
                continue
            start = _PLACEHOLDER.split(phrase)[0]
            first = start.split(" ")[0] if " " in start else ""
            self._open.setdefault(first, []).append(_phrase(phrase, meaning))

    def find(self, text: str) -> str | None:
        """The meaning of a text; None if a part of it is unknown."""
        if text not in self._known:
            if len(self._known) > MOST_KEPT:
                self._known.clear()
            self._known[text] = None  # a phrase that leads back to itself has no meaning
            self._known[text] = self._find(text)
        return self._known[text]

    def _find(self, text: str) -> str | None:
        if text in self._plain:
            return self._plain[text]
        if re.fullmatch(_NUMBER, text):
            return self.number(text)
        meaning = self._by_parts(text) or self._by(self._open.get(text.split(" ", 1)[0], ()), text)
        if meaning is not None:
            return meaning
        if text[:1].isupper() and (meaning := self.find(text[0].lower() + text[1:])) is not None:
            return capital(meaning)
        return self._between_marks(text) or self._by(self._open.get("", ()), text)

    def _between_marks(self, text: str) -> str | None:
        """A text with punctuation around it."""
        before, core, after = _ENDS.fullmatch(text).groups()  # type: ignore[union-attr]
        if not core:
            return text
        for start, middle, end in ((before, core + after, ""), ("", before + core, after), (before, core, after)):
            if middle != text and (meaning := self.find(middle)) is not None:
                return f"{self.mark(start)}{meaning}{self.mark(end)}"
        return None

    def _by(self, phrases: Iterable[_Phrase], text: str) -> str | None:
        """The meaning by the first of these phrases that fits and whose parts are all known."""
        matches = ((phrase, phrase.pattern.fullmatch(text)) for phrase in phrases)
        filled = (self._filled(phrase, match) for phrase, match in matches if match)
        return next((meaning for meaning in filled if meaning is not None), None)

    def _by_parts(self, text: str) -> str | None:
        """Sentences one by one, or a list part by part."""
        sentences = [self.find(sentence) for sentence in _SENTENCES.split(text)] if _SENTENCES.search(text) else [None]
        if None not in sentences:
            return " ".join(filter(None, sentences))
        for separator, joint in self.lists:
            parts = [self.find(part) for part in _split(text, separator)] if separator in text else [None]
            if None not in parts:
                return joint.join(part for part in parts if part is not None)
        return None

    def _part(self, name: str, part: str) -> str | None:
        """The meaning of a part; with its article where the phrase asks for `{the_...}` and the catalogue has it."""
        meaning = (self._with_article(part) if name.startswith("the_") else None) or self.find(part)
        is_person = "who" in name and re.fullmatch(_NAME, part)
        return part if meaning is None and is_person else meaning

    def _with_article(self, part: str) -> str | None:
        """The meaning of a part with its article; of a list, each of its parts with its own."""
        for separator, joint in self.lists:
            if len(parts := _split(part, separator)) > 1:  # not inside brackets
                return joint.join(self._part("the_one", one) or one for one in parts)
        return self.find(f"the {part}") if not part.startswith("the ") else None

    def _filled(self, phrase: _Phrase, match: re.Match[str]) -> str | None:
        parts = {}
        for name, part in zip(phrase.names, match.groups(), strict=True):
            meaning = part if name[0] in "XP" else self.number(part) if name.startswith("N") else self._part(name, part)
            if meaning is None:
                return None
            parts[name] = meaning
        counted = _PLURAL.sub(lambda one: one[1] + one[2] + "s" * _is_plural(parts[one[1][1:-1]]), phrase.meaning)
        filled = _PLACEHOLDER.sub(lambda name: parts[name[1]], counted)
        return _BEFORE_VOWEL.sub(r"\1d’", filled)


def _is_plural(number: str) -> bool:
    """Whether French counts a number as several: from 2 on, below zero too."""
    return number.strip("+−-").partition(",")[0] not in ("0", "1")


def conjugated(move: str, you: bool) -> str:
    """A French move as what a player does: `jouer le 3` -> `joue le 3`, after `vous` `jouez le 3`."""

    def finite(verb: str) -> str:
        return _IRREGULAR[verb][you] if verb in _IRREGULAR else verb.removesuffix("r") + "z" * you

    def placed(part: re.Match[str]) -> str:
        denial = f" {part[2].strip()}" if part[2] else ""
        return f"{part[1] or ''}{part[3]}{finite(part[4])}{denial}"

    return _ELIDED.sub("n’", _INFINITIVE.sub(placed, move, count=1))


def _split(text: str, separator: str) -> list[str]:
    """The parts of a list, not split inside brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if not depth and text.startswith(separator, place) and place >= start:
            parts.append(text[start:place])
            start = place + len(separator)
    return [*parts, text[start:]]


def _phrase(phrase: str, meaning: str) -> _Phrase:
    pieces = _PLACEHOLDER.split(phrase)
    pattern = "".join(f"({_pattern(piece)})" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))
    return _Phrase(re.compile(pattern, re.DOTALL), tuple(pieces[1::2]), meaning)


def _pattern(name: str) -> str:
    """What a placeholder of this name stands for."""
    by_letter = {"N": _NUMBER, "P": _NAME}.get(name[0], ".+?")
    return _UNCAPPED if name == "colour" else by_letter


def catalogue_files(language: str, game: str | None = None, folders: Iterable[Path] = ()) -> tuple[Path, ...]:
    """The catalogues of a language that exist: that of a game first, then that of all games, then others."""
    name = CATALOGUES.get(language)
    everywhere = [*([home(game).folder] if game is not None else []), Path(__file__).parent, *folders]
    return tuple(folder / name for folder in everywhere if name and (folder / name).is_file())


@lru_cache
def translator(files: tuple[Path, ...]) -> Catalogue:
    """The catalogue of these files; what an earlier file says counts."""
    phrases = [(english, typeset(meanings[0])) for file in files for english, meanings in _phrases(file)]
    phrases += [named for phrase in phrases for named in _named(*phrase)]
    return Catalogue(phrases, french_number, [(one, typeset(joint)) for one, joint in _LISTS], french_mark)


def _named(phrase: str, meaning: str) -> Iterator[tuple[str, str]]:
    """A phrase about players, each of whom may have a name: `give {card} to {P}`, `donner {card} à {P}`."""
    for chosen in product((False, True), repeat=len(_PLAYER.findall(phrase))):
        numbers = {place for place, name in zip(_PLAYER.findall(phrase), chosen, strict=True) if name}
        if not numbers or _PLAYER.fullmatch(phrase):
            continue

        def name(found: re.Match[str], numbers: set[str] = numbers) -> str:
            if found[found.re.groups] not in numbers:
                return found[0]
            before = {"au": "à ", "du": "de "}.get(found[1], "") if found.re.groups > 1 else ""
            return f"{before}{{P{found[found.re.groups]}}}"

        yield _PLAYER.sub(name, phrase), _JOUEUR.sub(name, meaning)


@lru_cache
def typed_words(files: tuple[Path, ...]) -> Catalogue:
    """The other way round: the English of what users type in another language."""
    phrases = [phrase for file in files for phrase in _phrases(file, TYPED)]
    return Catalogue([(_folded_phrase(meaning), english) for english, meanings in phrases for meaning in meanings])


def _phrases(file: Path, sections: Iterable[str] | None = None) -> list[tuple[str, list[str]]]:
    """The phrases of a file; of several meanings the first is shown, and all may be typed."""
    data: Mapping[str, Mapping[str, str | list[str]]] = read_toml(file)
    chosen = [data.get(section, {}) for section in (data if sections is None else sections)]
    return [
        (english, [meaning] if isinstance(meaning, str) else meaning)
        for section in chosen
        for english, meaning in section.items()
    ]


def words_in(language: str, files: tuple[Path, ...]) -> Words:
    """Translates a text if all of it is known, else leaves it in English."""
    if language == ENGLISH:
        return str
    known = translator(files)
    return lambda text: known.find(text) or text


def read_typed(text: str, files: tuple[Path, ...]) -> str:
    """The English of a typed text; the text itself if it is English or unknown."""
    meaning = typed_words(files).find(fold(text))
    return text if meaning is None or fold(meaning) == fold(text) else meaning


def fold(text: str) -> str:
    """In lower case, without accents, typographic spaces and apostrophes."""
    plain = unicodedata.normalize("NFD", text.replace("’", "'").replace("œ", "oe").replace("Œ", "OE"))
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).lower().split())


def _folded_phrase(phrase: str) -> str:
    pieces = re.split(r"(\{\w+\})", phrase)
    folded = [piece if number % 2 else _fold_inside(piece) for number, piece in enumerate(pieces)]
    return "".join(folded).strip()


def _fold_inside(piece: str) -> str:
    """Folds a part of a phrase, and keeps the spaces at its ends."""
    return f"{' ' * piece.startswith(' ')}{fold(piece)}{' ' * piece.endswith(' ')}" if piece.strip() else piece


def typeset(text: str) -> str:
    """French typography: no line break before : ; ? ! and inside guillemets, and a curly apostrophe."""
    for plain, set_text in _TYPESET:
        text = text.replace(plain, set_text)
    return text


def french_number(text: str) -> str:
    """`2,000.5` -> `2 000,5`."""
    return text.replace(",", "\u202f").replace(".", ",").replace("-", "−")


def french_mark(text: str) -> str:
    """Punctuation with the space that French has before it."""
    return typeset(re.sub(r"(?<! )([:;?!])", r" \1", text))
