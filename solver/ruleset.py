"""Rules as data: a game's TOML file -> checked knobs -> a setup that kernels can play.

A ruleset file names every knob with its type, default, range, provenance and meaning, and every variant as a set
of knob values. Users change knobs on the command line or in a file of their own; every fault is reported with
its place, its key, what is allowed and the nearest valid name. Nothing here needs the compiler.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

RULESETS = Path(__file__).parent / "rulesets"
DECKS = Path(__file__).parent / "decks"
PROVENANCES = ("printed", "found", "inferred", "assumed")

Value = bool | int | str | list[int] | list[str]


class RulesetError(ValueError):
    """A fault in what the user asked for: one line, ready to print."""


class KnobError(ValueError):
    """A game's complaint about a knob; becomes a RulesetError that names the place it was set."""

    def __init__(self, knob: str, problem: str) -> None:
        super().__init__(f"{knob}: {problem}")
        self.knob = knob


def digest(data: Any) -> str:
    """First 16 hex digits of SHA-256 over canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def nearest(name: str, known: Iterable[str]) -> str:
    """'; did you mean X?' where something is near, else what there is."""
    known = sorted(known)
    # Half a name is nearer to the names it begins than to others of its length.
    close = [other for other in known if name and other.startswith(name)]
    close = close or get_close_matches(name, known, n=1, cutoff=0.4)
    return f"; did you mean {close[0]!r}?" if close else f"; there is {', '.join(known)}"


class Deck(str):
    """A deck of cards read from a file: shown by its name, told from others by its cards."""

    cards: Mapping[str, Any]

    def __new__(cls, name: str, cards: Mapping[str, Any]) -> Deck:
        deck = super().__new__(cls, name)
        deck.cards = cards
        return deck

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]
        return str(self), self.cards

    def __eq__(self, other: object) -> bool:
        return self.cards == other.cards if isinstance(other, Deck) else str(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def deck_names() -> list[str]:
    """The decks that ship with the games."""
    return sorted(path.stem for path in DECKS.glob("*.toml"))


def read_deck(name: str) -> Deck:
    """A shipped deck by its name, or a user's own by its path; what the cards mean is for the game to check."""
    path = DECKS / f"{name}.toml" if name in deck_names() else Path(name)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        hint = nearest(name, deck_names()) if path.suffix == "" else ""
        raise KnobError("deck", f"{name}: {fault.strerror or fault}{hint}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise KnobError("deck", f"{name}: not valid TOML: {fault}") from None
    return Deck(str(data.get("name", path.stem)), data)


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

    def default_for(self, players: int) -> Value:
        value = self.by_players.get(players, self.default)
        return self.check(value) if self.type == "deck" else value

    @property
    def allowed(self) -> str:
        """What may be set, in words."""
        span = "" if self.low is None else f" from {self.low} to {self.high}"
        return {
            "int": f"a whole number{span}",
            "bool": "true or false",
            "choice": " or ".join(self.choices),
            "ints": f"a list of at most {self.most} whole numbers{span}",
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
        if self.type == "deck" and isinstance(value, str):
            return value if isinstance(value, Deck) else read_deck(value)
        if self.type == "bool" and isinstance(value, bool):
            return value
        if self.type == "int" and self._in_range(value):
            return int(value)
        items = value if isinstance(value, list) and len(value) <= self.most else None
        if self.type == "ints" and items is not None and all(map(self._in_range, items)):
            return [int(item) for item in items]
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
class Ruleset:
    """The rules of one game as its file states them."""

    name: str  # as users write it: "sea-change"
    title: str
    about: str
    players: tuple[int, ...]
    score: str
    knobs: Mapping[str, Knob]
    variants: Mapping[str, Variant]
    notes: tuple[str, ...] = ()  # what every result of the game must say
    score_when: Mapping[str, str] = field(default_factory=dict)  # knob that is on -> the score's name then
    bench: Mapping[str, Any] = field(default_factory=dict)  # what `houle bench` times: players, unit, variants


def game_names() -> list[str]:
    """Every game that has a ruleset file, in the order of their `order` keys."""
    files = {path.stem.replace("_", "-"): _toml(path) for path in RULESETS.glob("*.toml")}
    return sorted(files, key=lambda name: (files[name]["order"], name))


@lru_cache
def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


@lru_cache
def load(name: str) -> Ruleset:
    """The ruleset of a game by name."""
    path = RULESETS / f"{name.replace('-', '_')}.toml"
    if not path.exists():
        raise RulesetError(f"unknown game {name!r}{nearest(name, game_names())}")
    data = _toml(path)
    knobs = {key: _knob(key, spec) for key, spec in data["knobs"].items()}
    variants = {
        key: Variant(key, _flat(spec["set"]), spec["provenance"], spec.get("level", ""), spec["text"])
        for key, spec in data.get("variants", {}).items()
    }
    return Ruleset(
        name=path.stem.replace("_", "-"),
        title=data["title"],
        about=data["about"],
        players=tuple(data["players"]),
        score=data["score"],
        knobs=knobs,
        variants=variants,
        notes=tuple(data.get("notes", ())),
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
    )
    for value in (knob.default, *by_players.values()):
        knob.check(value)
    return knob


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """TOML reads `hand.front = 4` as a table in a table; knobs have dotted names."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat.update(_flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value})
    return flat


@dataclass(frozen=True)
class Setup:
    """A game ready to play: which game, how many players, every effective knob."""

    ruleset: Ruleset
    players: int
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    title: str = ""  # of a user's own variant
    changed: Mapping[str, str] = field(default_factory=dict)  # knob -> where the user set it

    @cached_property
    def game(self) -> ModuleType:
        """The game's module; imports numba on first use."""
        from houle.solver import contract

        return contract.game(self.ruleset.name)

    @cached_property
    def rules(self) -> Any:
        """The RULES record (one element) for the kernels."""
        try:
            return self.game.make_rules(self.options, self.players)
        except KnobError as fault:
            raise RulesetError(f"{self.changed.get(fault.knob, self.ruleset.name)}: {fault}") from None

    @cached_property
    def score_range(self) -> tuple[int, int]:
        low, high = self.game.score_range(self)
        return int(low), int(high)

    @property
    def score(self) -> str:
        """What is scored, by name: a knob that is on may give the score another meaning."""
        names = (name for knob, name in self.ruleset.score_when.items() if self.options[knob] is True)
        return next(names, self.ruleset.score)

    @cached_property
    def notes(self) -> list[str]:
        """What every result must say: the ruleset's notes, and the game's word on rules not in print."""
        house_rules = getattr(self.game, "house_rules", None)
        return [*self.ruleset.notes, *(house_rules(self) if house_rules else ())]

    @cached_property
    def digest(self) -> str:
        options = {knob: value.cards if isinstance(value, Deck) else value for knob, value in self.options.items()}
        return digest({"game": self.ruleset.name, "players": self.players, "options": options})

    @cached_property
    def differences(self) -> list[tuple[str, Any, Any]]:
        """(knob, value without the user's changes, value now) for every knob the user really changed."""
        plain = _effective(self.ruleset, self.players, self.variants)
        return [(knob, plain[knob], self.options[knob]) for knob in self.changed if plain[knob] != self.options[knob]]


def _effective(ruleset: Ruleset, players: int, variants: Iterable[str]) -> dict[str, Any]:
    options = {knob.name: knob.default_for(players) for knob in ruleset.knobs.values()}
    for variant in variants:
        options.update(ruleset.variants[variant].set)
    return options


def make_setup(
    game: str,
    players: int | None = None,
    variants: Iterable[str] = (),
    settings: Mapping[str, Any] | None = None,
    file: str | Path | Iterable[str | Path] | None = None,
    place: str = "--set",
) -> Setup:
    """Everything a user can ask for -> a checked setup, or a RulesetError of one line.

    Later wins: ruleset defaults, variants (of the files, then named), the files' own settings, `settings`.
    """
    ruleset = load(game)
    files = (file,) if isinstance(file, str | Path) else tuple(file or ())
    asked = [(str(path), read_custom(path, ruleset)) for path in files]
    asked.append((place, {"variants": list(variants), "set": settings or {}}))
    chosen: list[str] = []
    count, source = 3 if 3 in ruleset.players else ruleset.players[0], ruleset.name
    for where, custom in asked:
        origin = ruleset.name if where == place else where
        count, source = (custom["players"], origin) if "players" in custom else (count, source)
        for name in (part for text in custom.get("variants", ()) for part in text.split("+")):
            if name not in ("base", *ruleset.variants):
                hint = nearest(name, ("base", *ruleset.variants))
                raise RulesetError(f"{origin}: unknown variant {name!r}{hint}")
            if name != "base" and name not in chosen:
                chosen.append(name)
    players, source = (count, source) if players is None else (players, ruleset.name)
    if players not in ruleset.players:
        allowed = ", ".join(map(str, ruleset.players))
        raise RulesetError(f"{source}: {players} players is not possible; allowed: {allowed}")
    options = _effective(ruleset, players, chosen)
    changed: dict[str, str] = {}
    for where, custom in asked:
        for key, value in custom["set"].items():
            options[key] = _checked(ruleset, key, value, where)
            changed[key] = where
    titles = [custom["name"] for _, custom in asked if custom.get("name")]
    setup = Setup(ruleset, players, tuple(chosen), options, " + ".join(titles), changed)
    _ = setup.rules  # the game's own checks (a deck too small, heights that do not sum)
    return setup


def _checked(ruleset: Ruleset, key: str, value: Any, where: str) -> Value:
    knob = ruleset.knobs.get(key)
    if knob is None:
        raise RulesetError(f"{where}: {ruleset.name} has no knob {key!r}{nearest(key, ruleset.knobs)}")
    try:
        return knob.check(value)
    except KnobError as fault:
        raise RulesetError(f"{where}: {fault}") from None


def parse_settings(ruleset: Ruleset, pairs: Iterable[str]) -> dict[str, Any]:
    """`key=value` pairs as typed -> values; the range is checked by make_setup."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip()
        if not equals:
            raise RulesetError(f"--set {pair}: write key=value")
        if key not in ruleset.knobs:
            raise RulesetError(f"--set: {ruleset.name} has no knob {key!r}{nearest(key, ruleset.knobs)}")
        settings[key] = ruleset.knobs[key].parse(text)
    return settings


def read_custom(file: str | Path, ruleset: Ruleset) -> dict[str, Any]:
    """A user's own variant: game, name, players, variants and a [set] table."""
    path = Path(file)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise RulesetError(f"{file}: {fault.strerror or fault}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise RulesetError(f"{file}: not valid TOML: {fault}") from None
    shape = {"game": str, "name": str, "players": int, "variants": list, "set": dict}
    words = {str: "text in quotes", int: "a whole number", list: "a list of names", dict: "a table"}
    for key, value in data.items():
        if key not in shape:
            raise RulesetError(f"{file}: unknown key {key!r}{nearest(key, shape)}")
        if not isinstance(value, shape[key]) or isinstance(value, bool):
            raise RulesetError(f"{file}: {key}: {value!r} is not allowed; allowed: {words[shape[key]]}")
    if data.get("game", ruleset.name) != ruleset.name:
        raise RulesetError(f"{file}: game: this file is for {data['game']!r}, not {ruleset.name!r}")
    if not all(isinstance(name, str) for name in data.get("variants", ())):
        raise RulesetError(f"{file}: variants: {data['variants']!r} is not allowed; allowed: a list of names")
    data["set"] = _flat(data.get("set", {}))
    return data
