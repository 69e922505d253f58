"""One rule that users can turn: its type, default, range, provenance and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from houle.solver.errors import KnobError
from houle.solver.ruleset.decks import Deck, deck_names, read_deck
from houle.solver.ruleset.texts import nearest

PROVENANCES = ("printed", "found", "inferred", "assumed")
TYPES = ("int", "bool", "choice", "ints", "names", "deck")

LISTS = ("ints", "names")
SIGNS = ("+", "-")  # behind the name of a knob that is a list: what is added to it or taken out of it

Value = bool | int | str | list[int] | list[str] | Deck


@dataclass(frozen=True)
class Knob:
    """One rule a user can turn."""

    name: str
    type: str  # int, bool, choice, ints, names, deck
    default: Value
    by_players: Mapping[int, Value]  # defaults that depend on the number of players
    low: int | None
    high: int | None
    choices: tuple[str, ...]
    most: int  # the greatest length of a list
    provenance: str
    text: str
    needs: Mapping[str, Value] = field(default_factory=dict)  # other knobs without which this one means nothing
    rising: bool = False  # a list of numbers of which none is as small as the one before
    ambiguous: bool = False  # printed, but print can be read in another way too
    fixes_players: Mapping[str, int] = field(default_factory=dict)  # choices for one number of players alone
    # What else print could mean, to be turned by `sweep --assumed`: tables with `values`, or `change` for single values
    # of a list (`among`: the knob that lists which of them are in play), and with `players` and `variant` where the
    # rule is in force at such tables alone.
    alternatives: tuple[Mapping[str, Any], ...] = ()
    folder: Path | None = None  # of the game, where its decks lie

    def default_for(self, players: int) -> Value:
        value = self.by_players.get(players, self.default)
        return self.check(value) if self.type == "deck" else value

    def in_force(self, options: Mapping[str, Any]) -> bool:
        """Whether the knob means anything beside these."""
        return all(options[knob] == value for knob, value in self.needs.items())

    @property
    def allowed(self) -> str:
        """What may be set, in words."""
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
        """The value if the knob takes it; else a KnobError in words."""
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
                raise KnobError(self.name, f"{value!r} does not rise; allowed: {self.allowed}, none twice")
            return numbers
        if self.type == "names" and items is not None and all(isinstance(item, str) and item.strip() for item in items):
            return [" ".join(item.split()) for item in items]
        raise KnobError(self.name, f"{value!r} is not allowed; allowed: {self.allowed}")

    def check_items(self, items: Any) -> list[Any]:
        """What is added to the knob's list or taken out of it, as far as that can be told without the list."""
        if self.type not in LISTS:
            raise KnobError(self.name, f"is no list, so that nothing can be added to it; write {self.name}={items}")
        return list(replace(self, rising=False).check(items))  # type: ignore[arg-type]  # the type is that of a list

    def edited(self, value: list[Any], items: list[Any], sign: str) -> Value:
        """A list with some items more (`+`) or fewer (`-`); names are in a list once, numbers may be several times."""
        found = list(value)
        for item in items:
            if sign == "-" and item not in found:
                raise KnobError(
                    self.name, f"{item!r} is not in it; it holds: {', '.join(map(str, found)) or 'nothing'}"
                )
            if sign == "+" and self.type == "names" and item in found:
                raise KnobError(self.name, f"{item!r} is in it already; it holds: {', '.join(map(str, found))}")
            if sign == "+":
                found.append(item)
            else:
                found.remove(item)
        return self.check(sorted(found) if self.rising else found)

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
    """`deck.missing+` -> the knob's name, and whether its list grows or shrinks; no sign: the value is replaced."""
    name, sign = key[:-1].rstrip(), key[-1:]
    return (name, sign) if sign in SIGNS else (key, "")


def _number(text: str) -> int | str:
    try:
        return int(text.replace("_", ""))
    except ValueError:
        return text


def make_knob(name: str, spec: Mapping[str, Any], folder: Path) -> Knob:
    """The knob that an entry [knobs.NAME] describes; its keys are there and known."""
    by_players = {int(players): value for players, value in spec.get("by_players", {}).items()}
    knob = Knob(
        name=name,
        type=spec["type"],
        default=spec["default"],
        by_players=by_players,
        low=spec.get("min"),
        high=spec.get("max"),
        choices=tuple(spec.get("choices", ())),
        most=spec.get("most", 64),
        provenance=spec["provenance"],
        text=spec["text"],
        needs=spec.get("needs", {}),
        rising=spec.get("rising", False),
        ambiguous=spec.get("ambiguous", False),
        fixes_players=spec.get("fixes_players", {}),
        alternatives=tuple(spec.get("alternatives", ())),
        folder=folder,
    )
    for value in (knob.default, *by_players.values()):
        knob.check(value)
    return knob
