"""A game's rules as data: its rules.toml -> every knob with its type, default, range, provenance and meaning."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.solver.ruleset.decks import GAMES, Deck, deck_names, read_deck
from houle.solver.ruleset.faults import KnobError, RulesetError, nearest

PROVENANCES = ("printed", "found", "inferred", "assumed")

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
            "deck": f"{', '.join(deck_names())} or the path of a deck file",
        }[self.type]

    def check(self, value: Any) -> Value:
        """The value if the knob takes it; else a KnobError in words."""
        if self.type == "choice":
            if isinstance(value, str) and value in self.choices:
                return value
            hint = nearest(value, self.choices) if isinstance(value, str) else ""
            raise KnobError(self.name, f"{value!r} is not allowed; allowed: {self.allowed}{hint}")
        if self.type == "deck" and isinstance(value, str | Deck):
            return value if isinstance(value, Deck) else read_deck(value)
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
        if self.type in ("ints", "names"):
            inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
            items = [item.strip().strip("\"'") for item in inner.split(",") if item.strip()]
            return [_number(item) for item in items] if self.type == "ints" else items
        return _number(text) if self.type == "int" else text


def _number(text: str) -> int | str:
    try:
        return int(text.replace("_", ""))
    except ValueError:
        return text


@dataclass(frozen=True)
class Variant:
    name: str
    set: Mapping[str, Value]
    provenance: str
    level: str
    text: str


@dataclass(frozen=True)
class FixedRule:
    """A rule that no knob turns: one of a mode, or one that print leaves open and that is played one way alone."""

    text: str
    provenance: str
    players: tuple[int, ...] = ()  # only with so many players; none: with any number
    needs: tuple[Mapping[str, Value], ...] = ()  # only where the knobs of one of these have these values
    unless: Mapping[str, Value] = field(default_factory=dict)  # not where one of these knobs has this value

    def in_force(self, players: int, options: Mapping[str, Any]) -> bool:
        """Whether it is a rule of this table."""
        return (
            (not self.players or players in self.players)
            and (not self.needs or any(all(options[k] == v for k, v in needs.items()) for needs in self.needs))
            and all(options[knob] != value for knob, value in self.unless.items())
        )


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game as its file states them."""

    name: str  # as users write it: "sea-change"
    title: str
    about: str
    players: tuple[int, ...]
    score: str
    knobs: Mapping[str, Knob]
    variants: Mapping[str, Variant]
    fixed: tuple[FixedRule, ...] = ()  # rules that no knob turns
    exclusive: tuple[tuple[str, ...], ...] = ()  # variants of which a table has one at most
    notes: tuple[str, ...] = ()  # what every result of the game must say
    turns: str = "turns"  # what a turn of the game is called, many of them; the length of a game is counted in it
    score_when: Mapping[str, str] = field(default_factory=dict)  # knob that is on -> the score's name then
    bench: Mapping[str, Any] = field(default_factory=dict)  # what `houle bench` times: players, unit, variants


def game_names() -> list[str]:
    """Every game that has a ruleset file, in the order of their `order` keys."""
    files = {path.parent.name.replace("_", "-"): _toml(path) for path in GAMES.glob("*/rules.toml")}
    return sorted(files, key=lambda name: (files[name]["order"], name))


@lru_cache
def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


@lru_cache
def load(name: str) -> Ruleset:
    """The ruleset of a game by name."""
    # A name is looked up, never made into a path: `../elsewhere/game` is no game.
    path = {path.parent.name: path for path in GAMES.glob("*/rules.toml")}.get(name.replace("-", "_"))
    if path is None:
        raise RulesetError(f"unknown game {name!r}{nearest(name, game_names())}")
    data = _toml(path)
    knobs = {key: _knob(key, spec) for key, spec in data["knobs"].items()}
    variants = {
        key: Variant(key, flat(spec["set"]), spec["provenance"], spec.get("level", ""), spec["text"])
        for key, spec in data.get("variants", {}).items()
    }
    return Ruleset(
        name=path.parent.name.replace("_", "-"),
        title=data["title"],
        about=data["about"],
        players=tuple(data["players"]),
        score=data["score"],
        knobs=knobs,
        variants=variants,
        fixed=tuple(_fixed_rule(spec, knobs) for spec in data.get("rule", ())),
        exclusive=tuple(map(tuple, data.get("exclusive", ()))),
        notes=tuple(data.get("notes", ())),
        turns=data.get("turns", "turns"),
        score_when=data.get("score_when", {}),
        bench=data.get("bench", {"players": data["players"][-1], "unit": "games"}),
    )


def _knob(name: str, spec: Mapping[str, Any]) -> Knob:
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
    )
    for value in (knob.default, *by_players.values()):
        knob.check(value)
    return knob


def _fixed_rule(spec: Mapping[str, Any], knobs: Mapping[str, Knob]) -> FixedRule:
    """An entry [[rule]]; `needs` is a table, or a list of tables of which one is enough."""
    asked = spec.get("needs", [])
    needs = tuple(flat(table) for table in ([asked] if isinstance(asked, dict) else asked))
    unless = flat(spec.get("unless", {}))
    for table in (*needs, unless):
        for name, value in table.items():
            knobs[name].check(value)
    return FixedRule(spec["text"], spec["provenance"], tuple(spec.get("players", ())), needs, unless)


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """TOML reads `hand.front = 4` as a table in a table; knobs have dotted names."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        found.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value})
    return found
