"""Reads a game's rules.toml and checks every key. Errors are one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError, KnobError, RulesError
from houle.solver.rules.files import parse_toml, read_text
from houle.solver.rules.game_folders import Broken, home, homes, is_plain
from houle.solver.rules.knobs import PROVENANCES, TYPES, Knob, Value, make_knob
from houle.solver.texts import digest, nearest

LAST = 1000  # the order of games without `order`
WIN_GOAL, SCORE_GOAL = "win", "score"  # goals: to win as often as possible, to have the best score on average

# The keys of rules.toml and of its tables: their types, and whether they are required.
Keys = Mapping[str, tuple[type | tuple[type, ...], bool]]
WHOLE_FILE: Keys = {
    "title": (str, True),
    "about": (str, True),
    "players": (list, True),
    "score": ((str, dict), True),
    "order": (int, False),
    "turns": (str, False),
    "player": (str, False),
    "notes": (list, False),
    "exclusive": (list, False),
    "report": (dict, False),
    "knobs": (dict, False),
    "variants": (dict, False),
    "rule": (list, False),
    "all_open": (bool, False),
    "features": (dict, False),
    "moves": (dict, False),
    "version": (int, False),
    "worlds_forget": (list, False),
}
SCORE: Keys = {
    "name": (str, True),
    "lower_is_better": (bool, False),
    "when": (dict, False),
    "words": (dict, False),
    "bands": (dict, False),
    "range": (list, False),
    "goal": ((str, int), False),
}
KNOB: Keys = {
    "type": (str, True),
    "default": (object, True),
    "provenance": (str, True),
    "text": (str, True),
    "min": (int, False),
    "max": (int, False),
    "choices": (list, False),
    "most": (int, False),
    "by_players": (dict, False),
    "needs": (dict, False),
    "only": (dict, False),
    "rising": (bool, False),
    "fixes_players": (dict, False),
    "alternatives": (list, False),
    "doubt": (str, False),
    "rulebook": (str, False),
    "words": (dict, False),
    "touches": (int, False),
    "tunable": (bool, False),
}
VARIANT: Keys = {
    "set": (dict, False),
    "by_players": (dict, False),
    "provenance": (str, True),
    "text": (str, True),
    "level": (str, False),
}
RULE: Keys = {
    "text": (str, True),
    "provenance": (str, True),
    "players": (list, False),
    "needs": ((list, dict), False),
    "unless": (dict, False),
}
REPORT: Keys = dict.fromkeys(("games", "deals", "search", "work"), ((int, float), False))
FEATURES: Keys = {"far": (list, False), "memory": (list, False)}
MOVES: Keys = {"optional": (list, False)}
BANDS: Keys = {"knob": (str, True), "words": (list, True)}
WORDS = {
    str: "text in quotes",
    int: "a whole number",
    list: "a list",
    dict: "a table",
    bool: "true or false",
    float: "a number",
    object: "a value",
}


@dataclass(frozen=True)
class Variant:
    name: str
    set: Mapping[str, Value]
    provenance: str
    level: str
    text: str
    by_players: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)  # further settings by number of players

    def settings(self, players: int) -> Mapping[str, Value]:
        """The knobs that it sets for this number of players."""
        return {**self.set, **self.by_players.get(players, {})}


@dataclass(frozen=True)
class FixedRule:
    """A rule without a knob: part of a mode, or left open by the print and played in one way only."""

    text: str
    provenance: str
    players: tuple[int, ...] = ()  # applies only with these numbers of players; empty: with any
    needs: tuple[Mapping[str, Value], ...] = ()  # applies only if one of these settings holds
    unless: Mapping[str, Value] = field(default_factory=dict)  # does not apply if one of these knobs has this value

    def in_force(self, players: int, options: Mapping[str, Any]) -> bool:
        """Whether the rule applies to this setup."""
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
    fixed: tuple[FixedRule, ...] = ()  # rules without a knob
    worlds_forget: tuple[FixedRule, ...] = ()  # what imagined worlds leave out of what a seat knows
    exclusive: tuple[tuple[str, ...], ...] = ()  # groups of variants that exclude each other
    notes: tuple[str, ...] = ()  # shown with every result
    player: str = "player"  # the game's word for a player
    turns: str = "turns"  # the game's word for turns, the unit of a game's length
    lower_is_better: bool = False  # of the scores
    score_when: Mapping[str, str] = field(default_factory=dict)  # knob -> the score's name if the knob is on
    score_words: Mapping[str, str] = field(default_factory=dict)  # a score's name -> what it counts
    score_range: tuple[int, int] | None = None  # least and greatest score, if they are the same in all setups
    goal: str | int = WIN_GOAL  # of players on one side: WIN_GOAL, SCORE_GOAL, or the score with which they win
    band_knob: str = ""  # the knob with the limits of the rulebook's score bands; empty: no bands
    band_words: tuple[str, ...] = ()  # the rulebook's words for the bands, best first
    report_share: Mapping[str, float] = field(default_factory=dict)  # factors of a report's numbers of games
    all_open: bool = False  # no information is hidden, so a clairvoyant does not cheat
    # Rules of thumb that look beyond the next turn (far), or need memory of what was played (memory).
    marked_features: Mapping[str, Sequence[str]] = field(default_factory=dict)
    optional: tuple[str, ...] = ()  # categories of moves that help and that a player may always leave out
    order: int = LAST  # among the games
    version: int = 1  # part of the digest; raised when a default changes its meaning
    file_digest: str = ""  # of its rules.toml as it was read; empty for a class without


def game_names() -> list[str]:
    """Every game that can be played, sorted by the `order` of rules.toml."""
    rulesets = [ruleset for name in homes().games if isinstance(ruleset := _load_or_error(name), Ruleset)]
    return [ruleset.name for ruleset in sorted(rulesets, key=lambda ruleset: (ruleset.order, ruleset.name))]


def is_game(text: str) -> bool:
    """Whether a text names a game, or the file of a class."""
    return text in game_names() or is_plain(text)


def broken_games() -> list[Broken]:
    """Games that cannot be played, as far as can be seen without importing them."""
    broken = [
        Broken(name, homes().games[name].origin, str(_load_or_error(name)))
        for name in homes().games
        if not isinstance(_load_or_error(name), Ruleset)
    ]
    return [*homes().broken, *broken]


def _load_or_error(name: str) -> Ruleset | InputError:
    try:
        return load(name)
    except InputError as fault:
        return fault


def load(name: str) -> Ruleset:
    """The ruleset of a game by name."""
    place = home(name)
    return read_rules(place.name, place.rules) if place.plain is None else place.plain[0]


@lru_cache
def read_rules(name: str, path: Path) -> Ruleset:
    """The ruleset in a rules.toml."""
    text = read_text(path)
    data = checked_table(parse_toml(text, str(path)), WHOLE_FILE, str(path))
    knobs = {key: _knob(key, spec, path) for key, spec in data.get("knobs", {}).items()}
    for key, knob in knobs.items():
        others = {name: value for name, value in knob.only.items() if name != "players"}
        _settings(others, knobs, f"{path}: knobs.{key}: only")
    variants = {
        key: _variant(key, spec, knobs, f"{path}: variants.{key}") for key, spec in data.get("variants", {}).items()
    }
    players = tuple(data["players"])
    if not players or not all(isinstance(number, int) and number > 0 for number in players):
        raise RulesError(f"{path}: players: {data['players']!r} is not allowed; allowed: a list of whole numbers")
    score = {"name": data["score"]} if isinstance(data["score"], str) else data["score"]
    score = checked_table(score, SCORE, f"{path}: score")
    bands: dict[str, Any] = {"knob": "", "words": ()}
    if "bands" in score:
        bands = checked_table(score["bands"], BANDS, f"{path}: score.bands")
    for key in (*([bands["knob"]] if bands["knob"] else []), *score.get("when", {})):
        _known_knob(key, knobs, f"{path}: score")
    same = ("title", "about", "version", "player", "turns", "all_open", "order")  # fields with the names of keys
    return Ruleset(
        **{key: data[key] for key in same if key in data},
        name=name,
        file_digest=digest(text),
        players=players,
        score=score["name"],
        knobs=knobs,
        variants=variants,
        fixed=tuple(_fixed_rule(spec, knobs, f"{path}: rule {i}") for i, spec in enumerate(data.get("rule", ()), 1)),
        worlds_forget=tuple(
            _fixed_rule({"provenance": "assumed", **spec}, knobs, f"{path}: worlds_forget")
            for spec in data.get("worlds_forget", ())
        ),
        exclusive=tuple(map(tuple, data.get("exclusive", ()))),
        notes=tuple(data.get("notes", ())),
        lower_is_better=score.get("lower_is_better", False),
        score_when=score.get("when", {}),
        score_words=score.get("words", {}),
        score_range=(score["range"][0], score["range"][-1]) if score.get("range") else None,
        goal=read_goal(score.get("goal", WIN_GOAL), f"{path}: score: goal"),
        band_knob=bands["knob"],
        band_words=tuple(bands["words"]),
        report_share=checked_table(data.get("report", {}), REPORT, f"{path}: report"),
        marked_features=checked_table(data.get("features", {}), FEATURES, f"{path}: features"),
        optional=tuple(checked_table(data.get("moves", {}), MOVES, f"{path}: moves").get("optional", ())),
    )


def read_goal(goal: object, place: str) -> str | int:
    """The goal of a game; RulesError if there is no such goal."""
    if goal in (WIN_GOAL, SCORE_GOAL):
        return str(goal)
    if isinstance(goal, bool) or not isinstance(goal, int):
        raise RulesError(f'{place}: {goal!r} is not allowed; allowed: "{SCORE_GOAL}", or the score that wins')
    return goal


def checked_table(data: Any, keys: Keys, place: str) -> dict[str, Any]:
    """Checks the keys of a table: required ones are there, all are known and of the right type."""
    if not isinstance(data, dict):
        raise RulesError(f"{place}: {data!r} is not allowed; allowed: a table")
    for key, (types, needed) in keys.items():
        if key not in data:
            if needed:
                raise RulesError(f"{place}: {key} is missing")
            continue
        allowed = types if isinstance(types, tuple) else (types,)
        wrong = not isinstance(data[key], allowed) or (isinstance(data[key], bool) and not {bool, object} & {*allowed})
        if wrong:
            words = " or ".join(WORDS[one] for one in allowed)
            raise RulesError(f"{place}: {key}: {data[key]!r} is not allowed; allowed: {words}")
    for key in data:
        if key not in keys:
            raise RulesError(f"{place}: unknown key {key!r}{nearest(key, keys)}")
    if "provenance" in data and data["provenance"] not in PROVENANCES:
        allowed_words = ", ".join(PROVENANCES)
        raise RulesError(f"{place}: provenance: {data['provenance']!r} is not allowed; allowed: {allowed_words}")
    return data


def _known_knob(knob: str, knobs: Mapping[str, Knob], place: str) -> Knob:
    if knob not in knobs:
        raise RulesError(f"{place}: there is no knob {knob!r}{nearest(knob, knobs) if knobs else ''}")
    return knobs[knob]


def _knob(name: str, spec: Any, path: Path) -> Knob:
    place = f"{path}: knobs.{name}"
    if isinstance(spec, dict) and "type" not in spec and any(isinstance(value, dict) for value in spec.values()):
        raise RulesError(f'{place}: type is missing; a name with a dot is written [knobs."{name}.{next(iter(spec))}"]')
    spec = checked_table(spec, KNOB, place)
    if spec["type"] not in TYPES:
        raise RulesError(f"{place}: type: {spec['type']!r} is not allowed; allowed: {', '.join(TYPES)}")
    try:
        return make_knob(name, spec, path.parent)
    except (KnobError, ValueError) as fault:
        raise RulesError(f"{place}: {fault}") from None


def _variant(name: str, spec: Any, knobs: Mapping[str, Knob], place: str) -> Variant:
    spec = checked_table(spec, VARIANT, place)
    try:
        by_players = {
            int(number): _settings(table, knobs, place) for number, table in spec.get("by_players", {}).items()
        }
    except ValueError as fault:
        if isinstance(fault, InputError):
            raise
        raise RulesError(f"{place}: by_players: write numbers of players: by_players.3 = {{ ... }}") from None
    own = _settings(spec.get("set", {}), knobs, place)
    return Variant(
        name,
        set=own,
        provenance=spec["provenance"],
        level=spec.get("level", ""),
        text=spec["text"],
        by_players=by_players,
    )


def _settings(table: Any, knobs: Mapping[str, Knob], place: str) -> dict[str, Any]:
    """Checks a table of settings; returns it with dotted names."""
    if not isinstance(table, dict):
        raise RulesError(f"{place}: {table!r} is not allowed; allowed: a table of knobs")
    settings = flat(table)
    for knob, value in settings.items():
        try:
            _known_knob(knob, knobs, place).check(value)
        except KnobError as fault:
            raise RulesError(f"{place}: {fault}") from None
    return settings


def _fixed_rule(spec: Any, knobs: Mapping[str, Knob], place: str) -> FixedRule:
    """An entry [[rule]]; `needs` is a table, or a list of tables of which one must hold."""
    spec = checked_table(spec, RULE, place)
    asked = spec.get("needs", [])
    needs = tuple(_settings(table, knobs, place) for table in ([asked] if isinstance(asked, dict) else asked))
    unless = _settings(spec.get("unless", {}), knobs, place)
    return FixedRule(
        spec["text"], provenance=spec["provenance"], players=tuple(spec.get("players", ())), needs=needs, unless=unless
    )


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Joins nested tables to dotted names: TOML reads `hand.front = 4` as a table in a table."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        # An empty table is a value too, which no knob accepts.
        inner = flat(value, f"{prefix}{key}.") if isinstance(value, dict) and value else {f"{prefix}{key}": value}
        values.update(inner)
    return values
