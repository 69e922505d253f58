"""A game's rules as data: its rules.toml -> what the house knows of the game, every key checked, faults in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError, KnobError
from houle.solver.ruleset.files import read_toml
from houle.solver.ruleset.homes import Broken, home, homes
from houle.solver.ruleset.knobs import PROVENANCES, TYPES, Knob, Value, make_knob
from houle.solver.ruleset.texts import nearest

LAST = 1000  # where games stand that do not say where

# The keys of a rules.toml and of its tables: what each holds, and whether it must be there.
Keys = Mapping[str, tuple[type | tuple[type, ...], bool]]
WHOLE_FILE: Keys = {
    "title": (str, True), "about": (str, True), "players": (list, True), "score": ((str, dict), True),
    "order": (int, False), "turns": (str, False), "player": (str, False), "notes": (list, False),
    "exclusive": (list, False), "bench": (dict, False), "report": (dict, False), "knobs": (dict, False),
    "variants": (dict, False), "rule": (list, False), "all_open": (bool, False), "features": (dict, False),
    "version": (int, False),
}  # fmt: skip
SCORE: Keys = {
    "name": (str, True), "lower_is_better": (bool, False), "when": (dict, False), "words": (dict, False),
    "bands": (dict, False), "range": (list, False),
}  # fmt: skip
KNOB: Keys = {
    "type": (str, True), "default": (object, True), "provenance": (str, True), "text": (str, True),
    "min": (int, False), "max": (int, False), "choices": (list, False), "most": (int, False),
    "by_players": (dict, False), "needs": (dict, False), "rising": (bool, False), "ambiguous": (bool, False),
    "fixes_players": (dict, False), "alternatives": (list, False),
}  # fmt: skip
VARIANT: Keys = {
    "set": (dict, False), "by_players": (dict, False), "provenance": (str, True), "text": (str, True),
    "level": (str, False),
}  # fmt: skip
RULE: Keys = {
    "text": (str, True), "provenance": (str, True), "players": (list, False), "needs": ((list, dict), False),
    "unless": (dict, False),
}  # fmt: skip
BENCH: Keys = {"players": (int, True), "unit": (str, True), "variants": (bool, False), "twin": (str, False)}
REPORT: Keys = {"games": ((int, float), False), "search": ((int, float), False), "work": ((int, float), False)}
FEATURES: Keys = {"far": (list, False), "memory": (list, False)}
BANDS: Keys = {"knob": (str, True), "words": (list, True)}
WORDS = {str: "text in quotes", int: "a whole number", list: "a list", dict: "a table", bool: "true or false",
         float: "a number", object: "a value"}  # fmt: skip


@dataclass(frozen=True)
class Variant:
    name: str
    set: Mapping[str, Value]
    provenance: str
    level: str
    text: str
    by_players: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)  # what it sets with so many players

    def settings(self, players: int) -> Mapping[str, Value]:
        """The knobs it sets at a table."""
        return {**self.set, **self.by_players.get(players, {})}


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

    name: str  # as users write it, with hyphens
    title: str
    about: str
    players: tuple[int, ...]
    score: str
    knobs: Mapping[str, Knob]
    variants: Mapping[str, Variant]
    fixed: tuple[FixedRule, ...] = ()  # rules that no knob turns
    exclusive: tuple[tuple[str, ...], ...] = ()  # variants of which a table has one at most
    notes: tuple[str, ...] = ()  # what every result of the game must say
    player: str = "player"  # what one player of the game is called
    turns: str = "turns"  # what a turn of the game is called, many of them; the length of a game is counted in it
    lower_is_better: bool = False  # of the scores
    score_when: Mapping[str, str] = field(default_factory=dict)  # knob that is on -> the score's name then
    score_words: Mapping[str, str] = field(default_factory=dict)  # a score's name -> what it counts
    score_range: tuple[int, int] | None = None  # the least and the greatest score, where no table has others
    band_knob: str = ""  # the knob that says where the bands of the score end; none: the rulebook has no bands
    band_words: tuple[str, ...] = ()  # the rulebook's words for them, from the best
    bench: Mapping[str, Any] = field(default_factory=dict)  # what `houle bench` times: players, unit, variants, twin
    report_share: Mapping[str, float] = field(default_factory=dict)  # of a report's counts: games, search, work
    all_open: bool = False  # nothing is hidden from anybody: who knows all cards does not cheat
    # Rules of thumb that look further than the next turn (far), or need memory of what was played (memory).
    marked_features: Mapping[str, Sequence[str]] = field(default_factory=dict)
    order: int = LAST  # among the games
    version: int = 1  # part of the digest; raised when a default changes its meaning


def game_names() -> list[str]:
    """Every game that can be played, in the order of their `order` keys."""
    found = [ruleset for name in homes().games if isinstance(ruleset := _tried(name), Ruleset)]
    return [ruleset.name for ruleset in sorted(found, key=lambda ruleset: (ruleset.order, ruleset.name))]


def broken_games() -> list[Broken]:
    """What was meant to be a game and cannot be played, by what is known without importing anything."""
    found = [Broken(name, homes().games[name].origin, str(_tried(name))) for name in homes().games
             if not isinstance(_tried(name), Ruleset)]  # fmt: skip
    return [*homes().broken, *found]


def _tried(name: str) -> Ruleset | InputError:
    try:
        return load(name)
    except InputError as fault:
        return fault


def load(name: str) -> Ruleset:
    """The ruleset of a game by name."""
    found = home(name)
    return _load(found.name, found.rules)


@lru_cache
def _load(name: str, path: Path) -> Ruleset:
    data = _checked(read_toml(path), WHOLE_FILE, str(path))
    knobs = {key: _knob(key, spec, path) for key, spec in data.get("knobs", {}).items()}
    variants = {
        key: _variant(key, spec, knobs, f"{path}: variants.{key}") for key, spec in data.get("variants", {}).items()
    }
    players = tuple(data["players"])
    if not players or not all(isinstance(number, int) and number > 0 for number in players):
        raise InputError(f"{path}: players: {data['players']!r} is not allowed; allowed: a list of whole numbers")
    score = {"name": data["score"]} if isinstance(data["score"], str) else data["score"]
    score = _checked(score, SCORE, f"{path}: score")
    bands: dict[str, Any] = {"knob": "", "words": ()}
    if "bands" in score:
        bands = _checked(score["bands"], BANDS, f"{path}: score.bands")
    for key in (*([bands["knob"]] if bands["knob"] else []), *score.get("when", {})):
        _known(key, knobs, f"{path}: score")
    return Ruleset(
        name=name,
        title=data["title"],
        about=data["about"],
        players=players,
        version=data.get("version", 1),
        score=score["name"],
        knobs=knobs,
        variants=variants,
        fixed=tuple(_fixed_rule(spec, knobs, f"{path}: rule {i}") for i, spec in enumerate(data.get("rule", ()), 1)),
        exclusive=tuple(map(tuple, data.get("exclusive", ()))),
        notes=tuple(data.get("notes", ())),
        player=data.get("player", "player"),
        turns=data.get("turns", "turns"),
        lower_is_better=score.get("lower_is_better", False),
        score_when=score.get("when", {}),
        score_words=score.get("words", {}),
        score_range=(score["range"][0], score["range"][-1]) if score.get("range") else None,
        band_knob=bands["knob"],
        band_words=tuple(bands["words"]),
        bench=_checked(data["bench"], BENCH, f"{path}: bench") if "bench" in data else _usual_bench(players),
        report_share=_checked(data.get("report", {}), REPORT, f"{path}: report"),
        all_open=data.get("all_open", False),
        marked_features=_checked(data.get("features", {}), FEATURES, f"{path}: features"),
        order=data.get("order", LAST),
    )


def _usual_bench(players: tuple[int, ...]) -> dict[str, Any]:
    return {"players": players[-1], "unit": "games"}


def _checked(data: Any, keys: Keys, place: str) -> dict[str, Any]:
    """A table of the file, if it has the keys it must have and none that nobody reads."""
    if not isinstance(data, dict):
        raise InputError(f"{place}: {data!r} is not allowed; allowed: a table")
    for key, (types, needed) in keys.items():
        if key not in data:
            if needed:
                raise InputError(f"{place}: {key} is missing")
            continue
        allowed = types if isinstance(types, tuple) else (types,)
        wrong = not isinstance(data[key], allowed) or (isinstance(data[key], bool) and not {bool, object} & {*allowed})
        if wrong:
            words = " or ".join(WORDS[one] for one in allowed)
            raise InputError(f"{place}: {key}: {data[key]!r} is not allowed; allowed: {words}")
    for key in data:
        if key not in keys:
            raise InputError(f"{place}: unknown key {key!r}{nearest(key, keys)}")
    if data.get("provenance", PROVENANCES[0]) not in PROVENANCES:
        allowed_words = ", ".join(PROVENANCES)
        raise InputError(f"{place}: provenance: {data['provenance']!r} is not allowed; allowed: {allowed_words}")
    return data


def _known(knob: str, knobs: Mapping[str, Knob], place: str) -> Knob:
    if knob not in knobs:
        raise InputError(f"{place}: there is no knob {knob!r}{nearest(knob, knobs) if knobs else ''}")
    return knobs[knob]


def _knob(name: str, spec: Any, path: Path) -> Knob:
    place = f"{path}: knobs.{name}"
    if isinstance(spec, dict) and "type" not in spec and any(isinstance(value, dict) for value in spec.values()):
        raise InputError(f'{place}: type is missing; a name with a dot is written [knobs."{name}.{next(iter(spec))}"]')
    spec = _checked(spec, KNOB, place)
    if spec["type"] not in TYPES:
        raise InputError(f"{place}: type: {spec['type']!r} is not allowed; allowed: {', '.join(TYPES)}")
    try:
        return make_knob(name, spec, path.parent)
    except (KnobError, ValueError) as fault:
        raise InputError(f"{place}: {fault}") from None


def _variant(name: str, spec: Any, knobs: Mapping[str, Knob], place: str) -> Variant:
    spec = _checked(spec, VARIANT, place)
    try:
        by_players = {
            int(number): _settings(table, knobs, place) for number, table in spec.get("by_players", {}).items()
        }
    except ValueError as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"{place}: by_players: write numbers of players: by_players.3 = {{ ... }}") from None
    own = _settings(spec.get("set", {}), knobs, place)
    return Variant(name, own, spec["provenance"], spec.get("level", ""), spec["text"], by_players)


def _settings(table: Any, knobs: Mapping[str, Knob], place: str) -> dict[str, Any]:
    """Values of knobs, each of which takes its own."""
    if not isinstance(table, dict):
        raise InputError(f"{place}: {table!r} is not allowed; allowed: a table of knobs")
    found = flat(table)
    for knob, value in found.items():
        try:
            _known(knob, knobs, place).check(value)
        except KnobError as fault:
            raise InputError(f"{place}: {fault}") from None
    return found


def _fixed_rule(spec: Any, knobs: Mapping[str, Knob], place: str) -> FixedRule:
    """An entry [[rule]]; `needs` is a table, or a list of tables of which one is enough."""
    spec = _checked(spec, RULE, place)
    asked = spec.get("needs", [])
    needs = tuple(_settings(table, knobs, place) for table in ([asked] if isinstance(asked, dict) else asked))
    unless = _settings(spec.get("unless", {}), knobs, place)
    return FixedRule(spec["text"], spec["provenance"], tuple(spec.get("players", ())), needs, unless)


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """TOML reads `hand.front = 4` as a table in a table; knobs have dotted names."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        found.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value})
    return found
