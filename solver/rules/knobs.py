"""A knob: a rule that users can change, with its type, default, range, provenance and meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from houle.solver.errors import KnobError
from houle.solver.rules.decks import Deck, deck_names, read_deck
from houle.solver.texts import in_words, listed, nearest

OURS, YOURS = "ours", "yours"
# Where the usual value of a knob comes from, or a rule or a card.
SOURCES = {
    "printed": "in the rulebook",
    "found": "in other public sources; the rulebook leaves it out",
    "inferred": "follows from other statements, examples or numbers of the rulebook",
    "unclear": "the rulebook can be read in more than one way, and we chose one",
    "assumed": "the rulebook leaves it open, and we chose",
    OURS: "not in the rulebook: our model of people, a rule that we added, or a limit that ends endless games",
    YOURS: "set by you",
}
PROVENANCES = tuple(source for source in SOURCES if source != YOURS)  # that a rules file may name
SETTLED = ("printed", "found", YOURS)  # the others are open rules (open_rules.py)
TYPES = ("int", "bool", "choice", "ints", "names", "deck")

# Words that stand beside knobs on the command line and in files.
TAKEN = ("game", "players", "variant", "variants", "rules", "set", "strategies", "seed", "games")

LISTS = ("ints", "names")
SEPARATORS = ';,#?[]"'  # have a meaning in lists, positions and records, so no name contains them
SIGNS = ("+", "-")  # after the name of a list knob: add to the list, or remove from it

IDENTITY = 5  # how much of the game a change of what the game is touches

Value = bool | int | str | list[int] | list[str] | Deck


@dataclass(frozen=True)
class Knob:
    """A rule that users can change."""

    name: str
    type: str  # int, bool, choice, ints, names, deck
    default: Value
    provenance: str
    text: str
    by_players: Mapping[int, Value] = field(default_factory=dict)  # defaults that depend on the number of players
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    most: int = 64  # greatest length of a list
    needs: Mapping[str, Value] = field(default_factory=dict)  # values of other knobs that this one requires
    # Where the knob plays a part: `players` and values of other knobs. Elsewhere it changes no game, but pages only.
    only: Mapping[str, Any] = field(default_factory=dict)
    rising: bool = False  # a list of strictly rising numbers
    fixes_players: Mapping[str, int] = field(default_factory=dict)  # choice -> its only number of players
    rulebook: str = ""  # what the rulebook says about it: `gives each surfer three cards that only the owner sees`
    doubt: str = (
        ""  # what is open, if anything is, to complete "The rulebook leaves open ...": `whether the dummy may swap`
    )
    # Other answers, played by `compare --open-rules`: tables with `values`, or `change` for single values of a list
    # (`among`: the knob that lists which of them are in play), and with `needs` if they matter only with other rules.
    alternatives: tuple[Mapping[str, Any], ...] = ()
    folder: Path | None = None  # of the game, with its decks
    # A change in words for people who do not know the knob: `more` and `less` of a number or of the names in a list, a
    # text for each value, or `each` for single values of a list.
    words: Mapping[str, str] = field(default_factory=dict)
    touches: int = 1  # how much of the game a change touches: 1 for a card or a number, 2 for a rule, 3 for a great one
    tunable: bool = True  # if false, the knob is part of what the game is, and a design leaves it alone

    @property
    def rests_on(self) -> str:
        """What the rulebook says about it, as a sentence; empty if a settled rule does not say."""
        said = self.rulebook or ("" if self.provenance in SETTLED else "says nothing about it")
        return said and f"The rulebook {said}."

    def in_words(self, before: Any, now: Any) -> str:
        """A change in words: `one card more in front`; empty if the rules have no words for it."""
        if self.type == "names":
            ways = {"more": [name for name in now if name not in before], "less": [n for n in before if n not in now]}
            return ", ".join(text.format(n=listed(ways[way])) for way, text in self.words.items() if ways[way])
        if self.type != "int":
            return self.words.get(value_text(now), "")
        change = now - before
        count = in_words(abs(change))
        return self.words.get("more" if change > 0 else "less", "").format(n=count, s="" if abs(change) == 1 else "s")

    def default_for(self, players: int) -> Value:
        value = self.by_players.get(players, self.default)
        return self.check(value) if self.type == "deck" else value

    def in_force(self, options: Mapping[str, Any]) -> bool:
        """Whether the knob has an effect with these values of the others."""
        return all(options[knob] == value for knob, value in self.needs.items())

    def in_play(self, players: int, options: Mapping[str, Any]) -> bool:
        """Whether the knob plays a part with so many players and these values of the others."""
        here = {**options, "players": players}
        only = {"players": [players], **self.only}
        return self.in_force(options) and all(
            here[name] in value if name == "players" else here[name] == value for name, value in only.items()
        )

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        span = "" if self.low is None else f" from {self.low} to {self.high}"
        return {
            "int": f"a whole number{span}",
            "bool": "true or false",
            "choice": " or ".join(self.choices),
            "ints": f"a list of at most {self.most} {'rising ' if self.rising else ''}whole numbers{span}",
            "names": f"a list of at most {self.most} names",
            "deck": f"{', '.join(deck_names(self.folder))} or the path of a deck file",
        }[self.type]

    def check(self, value: Any) -> Value:
        """The value, checked. Raises KnobError if it is not allowed."""
        if self.type == "choice":
            if isinstance(value, str) and value in self.choices:
                return value
            hint = nearest(value, self.choices) if isinstance(value, str) else ""
            raise KnobError(self.name, f"{value!r} is not allowed; allowed: {self.allowed}{hint}")
        if self.type == "deck" and isinstance(value, str | Deck):
            return value if isinstance(value, Deck) else read_deck(value, self.folder)
        if self.type == "bool" and isinstance(value, bool):
            return value
        if self.type == "int" and self._in_range(value):
            return int(value)
        items = value if isinstance(value, list) and len(value) <= self.most else None
        if self.type == "ints" and items is not None and all(map(self._in_range, items)):
            numbers = [int(item) for item in items]
            if self.rising and numbers != sorted(set(numbers)):
                raise KnobError(self.name, f"{value!r} does not rise; allowed: {self.allowed}")
            return numbers
        if self.type == "names" and items is not None and all(isinstance(item, str) and item.strip() for item in items):
            for item in items:
                if sign := next((sign for sign in SEPARATORS if sign in item), ""):
                    raise KnobError(self.name, f"{item!r} is not allowed; a name has no {sign} in it")
            return [" ".join(item.split()) for item in items]
        span = re.fullmatch(r"(\d+) *- *(\d+)", value) if self.type == "int" and isinstance(value, str) else None
        several = f"; all of these are written {span[1]}..{span[2]}, in sweep and compare" if span else ""
        raise KnobError(self.name, f"{value!r} is not allowed; allowed: {self.allowed}{several}")

    def check_items(self, items: Any) -> list[Any]:
        """Checks items to add to the knob's list or to remove from it, as far as possible without the list."""
        if self.type not in LISTS:
            raise KnobError(self.name, f"not a list, so nothing can be added or removed; write {self.name}={items}")
        return list(replace(self, rising=False).check(items))  # type: ignore[arg-type]  # the type is that of a list

    def edited(self, value: list[Any], items: list[Any], sign: str) -> Value:
        """The list with items added (`+`) or removed (`-`). A name may be in a list once, a number several times."""
        edited = list(value)
        for item in items:
            if sign == "-" and item not in edited:
                content = ", ".join(map(str, edited)) or "nothing"
                raise KnobError(self.name, f"{item!r} is not in the list; it holds: {content}")
            if sign == "+" and self.type == "names" and item in edited:
                content = ", ".join(map(str, edited))
                raise KnobError(self.name, f"{item!r} is already in the list; it holds: {content}")
            if sign == "+":
                edited.append(item)
            else:
                edited.remove(item)
        return self.check(sorted(edited) if self.rising else edited)

    def _in_range(self, value: Any) -> bool:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return self.low is None or self.high is None or self.low <= value <= self.high

    def parse(self, text: str) -> Any:
        """A value as typed on the command line, in the knob's type where that is possible."""
        text = text.strip()
        if self.type == "bool":
            return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(
                text.lower(), text
            )
        if self.type in LISTS:
            inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
            items = [item.strip().strip("\"'") for item in inner.split(",") if item.strip()]
            return [_number(item) for item in items] if self.type == "ints" else items
        return _number(text) if self.type == "int" else text


def knob_and_sign(key: str) -> tuple[str, str]:
    """Splits `deck.missing+` into the knob's name and the sign; without a sign the value is replaced."""
    name, sign = key[:-1].rstrip(), key[-1:]
    return (name, sign) if sign in SIGNS else (key, "")


def _number(text: str) -> int | str:
    try:
        return int(text.replace("_", ""))
    except ValueError:
        return text


def make_knob(name: str, spec: Mapping[str, Any], folder: Path) -> Knob:
    """The knob of an entry [knobs.NAME], whose keys have been checked. Most fields have the names of keys."""
    if name in TAKEN:
        raise KnobError(name, "the command line uses this word; rename the knob")
    given: dict[str, Any] = {"doubt": f"the value of {name}", "touches": 2 if spec["type"] in ("bool", "choice") else 1}
    given |= {} if spec.get("tunable", True) else {"touches": IDENTITY}
    given |= {{"min": "low", "max": "high"}.get(key, key): value for key, value in spec.items()}
    given |= {key: tuple(spec[key]) for key in ("choices", "alternatives") if key in spec}
    given["by_players"] = {int(players): value for players, value in spec.get("by_players", {}).items()}
    knob = Knob(name=name, folder=folder, **given)
    for value in (knob.default, *knob.by_players.values()):
        knob.check(value)
    return knob


LONG_VALUE = 30  # characters; longer values are not part of a name
LONG_LIST = 12  # items; of longer lists only the differences are shown


@dataclass(frozen=True)
class RuleChange:
    """A rule that differs from the printed rules."""

    knob: str
    printed: Any  # the value without the user's changes
    now: Any
    provenance: str  # of the replaced value
    source: str  # where the user set it: a file, or "--set"

    @property
    def words(self) -> str:
        """`hand.front = 2, not 3 (printed)`."""
        if isinstance(self.now, list) and isinstance(self.printed, list) and len(self.now) > LONG_LIST:
            return f"{self.knob}: {_differing(self.printed, self.now)} ({self.provenance})"
        return f"{self.knob} = {value_shown(self.now)}, not {value_shown(self.printed)} ({self.provenance})"

    @property
    def setting(self) -> str:
        """`hand.back=3`, as typed; long values are left out."""
        value = value_text(self.now)
        return f"{self.knob}={value}" if len(value) <= LONG_VALUE else f"{self.knob} changed"


def value_text(value: Any) -> str:
    """A knob's value as it is typed after `--set key=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "[" + ",".join(map(str, value)) + "]" if isinstance(value, list | tuple) else str(value)


def value_shown(value: Any) -> str:
    """A knob's value for people: lists with spaces between their items."""
    return value_text(value).replace(",", ", ") if isinstance(value, list | tuple) else value_text(value)


def _differing(printed: list[Any], now: list[Any]) -> str:
    """The differences of two long lists in words."""
    if len(printed) != len(now):
        return f"{len(now)} entries, not {len(printed)}"
    places = [i for i, (a, b) in enumerate(zip(printed, now, strict=True)) if a != b]
    first = places[0]
    text = f"entry {first + 1} is {now[first]}, not {printed[first]}"
    return text if len(places) == 1 else f"{len(places)} of {len(now)} entries differ; {text}"
