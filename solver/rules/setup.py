"""A setup: a game, a number of players and the values of all knobs, checked and ready for the kernels.

Users change knobs on the command line or in a file. Error messages give the place, the key, what is allowed and the
nearest valid name. Nothing here needs the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.solver.errors import FileError, KnobError, RulesError
from houle.solver.rules.decks import Deck, deck_names, shown_value
from houle.solver.rules.files import read_toml
from houle.solver.rules.game_folders import RULES, WEIGHTS, find_game, found, home, is_named, portable_name
from houle.solver.rules.knobs import LISTS, Knob, RuleChange, Value, knob_and_sign, value_text
from houle.solver.rules.rules_file import (
    SCORE_GOAL,
    WIN_GOAL,
    FixedRule,
    Keys,
    Ruleset,
    checked_table,
    flat,
    game_names,
    is_game,
    load,
)
from houle.solver.sources import digest_of, outside
from houle.solver.texts import count_of, digest, nearest, typed_number, visible

if TYPE_CHECKING:
    from houle.solver.interface import Game

BASE_GAME = "base game"  # the printed rules without a variant
BY_HAND = ("--set", "set")  # sources of a changed rule that are not a file
MOST_SETTINGS = 3  # in a name that is made of settings
SET = "set "  # before the name of a knob among the fields of a setup
SHOWN = 40  # letters of a wrong text that are shown
# The keys of a rules file.
CUSTOM: Keys = dict.fromkeys(("game", "name"), (str, False)) | {
    "players": (int, False),
    "variants": (list, False),
    "set": (dict, False),
}


class _Options(dict[str, Any]):
    """The values of all knobs as a key of a cache; lists and decks have no hash of their own."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(repr(self))


@lru_cache(maxsize=200)
def _made_rules(make_rules: Callable[..., Any], options: _Options, players: int) -> Any:
    """The RULES record, made once for equal setups: it takes milliseconds, and many analyses make a setup again."""
    return make_rules(options, players)


@dataclass(frozen=True)
class Setup:
    """A game, a number of players and the values of all knobs."""

    ruleset: Ruleset
    players: int
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    title: str = ""  # of a user's own variant
    changed: Mapping[str, str] = field(default_factory=dict)  # knob -> where the user set it
    refit: Mapping[str, Any] = field(default_factory=dict)  # weights tuned to this setup, used instead of the game's

    def __repr__(self) -> str:
        return f"Setup({self.summary})"

    @property
    def summary(self) -> str:
        """One short line: `wave, 3 players, virage, hand.front=4`."""
        name = variant_name(self)
        players = count_of(self.players, "player")
        return ", ".join([self.ruleset.name, players, *([] if name == BASE_GAME else [name])])

    @cached_property
    def game(self) -> Game:
        """The game. Imports numba on first use."""
        return find_game(self.ruleset.name)

    @cached_property
    def source(self) -> dict[str, str]:
        """The origin and code digest of a game that is not shipped with houle; empty for others."""
        place = found(self.ruleset.name)
        return {"from": place.origin, "code": own_code(self.ruleset.name)} if place and place.is_outside else {}

    @cached_property
    def rules(self) -> Any:
        """The RULES record as a plain array of one element, with which kernels are called eight times as fast."""
        import numpy as np

        try:
            made = _made_rules(self.game.make_rules, _Options(self.options), self.players)
            rules = np.zeros(made.shape, made.dtype)  # a copy would leave any bytes between the fields
            rules[:] = made
            if "score_low" in (rules.dtype.names or ()):  # for the defaults of `outcome` and `utility`
                rules[0].score_low, rules[0].score_high = self.score_range
                rules[0].lower_is_better = self.ruleset.lower_is_better
            if "score_goal" in (rules.dtype.names or ()):
                best = self.score_range[0 if self.ruleset.lower_is_better else 1]
                rules[0].score_goal = self.ruleset.goal if isinstance(self.ruleset.goal, int) else best
            return rules
        except KnobError as fault:
            place = self.changed.get(fault.knob, self.ruleset.name)
            # The knob in the message may have its default, if another knob was changed.
            untouched = fault.knob in self.ruleset.knobs and fault.knob not in self.changed and self.changed
            hint = f"; {fault.knob} has its default; set it too: --set {fault.knob}=..." if untouched else ""
            deck, inspect = self.options.get(fault.knob), self.game.check_deck
            broken = isinstance(deck, Deck) and deck.path and inspect is not None and inspect(Path(deck.path))
            raise (FileError if broken else RulesError)(f"{place}: {fault}{hint}") from None

    @cached_property
    def score_range(self) -> tuple[int, int]:
        """The least and the greatest score. In games that declare their fields it must not read `rules`."""
        low, high = self.game.score_range(self)
        return int(low), int(high)

    @cached_property
    def seats_by_side(self) -> dict[int, list[int]]:
        """The players' seats by side. A side that the game itself plays has no seat and is left out."""
        seats: dict[int, list[int]] = {}
        for seat in range(self.players):
            seats.setdefault(int(self.rules[0].side[seat]), []).append(seat)
        return seats

    @property
    def one_sided(self) -> bool:
        """Whether all players win or lose together: a cooperative game, or a single player."""
        return len(self.seats_by_side) == 1

    @property
    def goal(self) -> str:
        """What the analyses of this setup measure first: `win`, or `score` if that is the goal of all players."""
        return SCORE_GOAL if self.ruleset.goal == SCORE_GOAL and self.one_sided else WIN_GOAL

    @property
    def has_signals(self) -> bool:
        """Whether players give signals in this setup."""
        return self.game.has("is_signal") and bool(self.rules[0].signals)

    @property
    def score(self) -> str:
        """The name of the score; it may depend on knobs."""
        names = (name for knob, name in self.ruleset.score_when.items() if self.options[knob] is True)
        return next(names, self.ruleset.score)

    @cached_property
    def notes(self) -> list[str]:
        """Notes for every result: those of the ruleset, and the game's house rules."""
        return [*self.ruleset.notes, *self.game.house_rules(self)]

    @cached_property
    def fixed_rules(self) -> list[FixedRule]:
        """The rules of this setup that have no knob."""
        return [rule for rule in self.ruleset.fixed if rule.in_force(self.players, self.options)]

    @cached_property
    def worlds_forget(self) -> str:
        """What imagined worlds of this setup leave out of what a seat knows; empty: nothing."""
        rules = self.ruleset.worlds_forget
        return "; ".join(rule.text for rule in rules if rule.in_force(self.players, self.options))

    @cached_property
    def shown_options(self) -> dict[str, Any]:
        """The knobs for JSON and files: a deck is shown by its name."""
        return {knob: shown_value(value) for knob, value in self.options.items()}

    @cached_property
    def digest(self) -> str:
        """The digest of these rules: game, version, players, and every knob in force that differs from its default.

        A new knob changes no digest. `version` in rules.toml is raised when a default changes its meaning. The defaults
        of a game of your own may change at any time, so all its knobs count; the folder of its file does not.
        """
        place = found(self.ruleset.name)
        is_outside = place is not None and place.is_outside
        changed = {
            knob.name: value.cards if isinstance(value, Deck) else value
            for knob in self.ruleset.knobs.values()
            if knob.in_force(self.options)
            and ((value := self.options[knob.name]) != knob.default_for(self.players) or is_outside)
        }
        game = {"game": portable_name(self.ruleset.name), "version": self.ruleset.version, "players": self.players}
        goal = {} if self.ruleset.goal == WIN_GOAL else {"goal": self.ruleset.goal}
        return digest({**game, **goal, "knobs": changed})

    @cached_property
    def differences(self) -> list[tuple[str, Any, Any]]:
        """(knob, value without the user's changes, value now) for every knob whose value the user changed."""
        plain = self.plain_options
        return [(knob, plain[knob], self.options[knob]) for knob in self.changed if plain[knob] != self.options[knob]]

    @cached_property
    def plain_options(self) -> dict[str, Any]:
        """The value of every knob without the user's changes."""
        return _effective(self.ruleset, self.players, self.variants)

    def source_of(self, knob: str) -> str:
        """The provenance of a knob's value without the user's changes: that of the variant that sets it, or its own."""
        by = [self.ruleset.variants[name] for name in self.variants]
        sources = [one.provenance for one in by if knob in one.settings(self.players)]
        return [self.ruleset.knobs[knob].provenance, *sources][-1]

    def fields(self) -> dict[str, str]:
        """The setup as texts by name: `game`, `players`, `variants`, and `set KNOB` for every changed rule.

        Heads of records, links and addresses are made of these. `Setup.read` makes the setup again.
        """
        fields = {"game": self.ruleset.name, "players": str(self.players)}
        fields |= {"variants": "+".join(self.variants)} if self.variants else {}
        return fields | {f"{SET}{knob}": field_text(now) for knob, _, now in self.differences}

    @classmethod
    def read(
        cls, fields: Mapping[str, str], near: Setup | None = None, place: str = "set", files: bool = False
    ) -> Setup:
        """The setup that fields describe; other names among them are ignored. Raises RulesError if there is none.

        `near` is the game and the number of players if the fields name none. Fields may come from a link or a form, so
        a deck in them is one of the game or that of `near`. Only with `files` it may be a path.
        """
        name = fields.get("game") or (near.ruleset.name if near else "")
        if not (is_game(name) if files else name in game_names() or is_named(name)):
            short = visible(name[:SHOWN])
            raise RulesError(f"game: unknown game {short!r}{nearest(short, game_names())}")
        ruleset, same = load(name), near if near is not None and near.ruleset.name == name else None
        settings: dict[str, Any] = {}
        for key, text in fields.items():
            if key.startswith(SET):
                knob, _ = find_knob(ruleset, key.removeprefix(SET), place)
                settings[knob.name] = knob.parse(text)
                if knob.type == "deck" and not files:
                    settings[knob.name] = _own_deck(knob, text, same, place)
        named = fields.get("variants") or fields.get("variant", "")  # a form and a results file have one or several
        players = same.players if same is not None else None
        if text := fields.get("players", ""):
            players = typed_number(text)
            if players is None:
                raise RulesError(f"players: {visible(text[:SHOWN])!r} is not allowed; allowed: a whole number")
        made = make_setup(name, players, [part for part in named.split("+") if part], settings, place=place)
        return replace(made, changed={knob: made.changed[knob] for knob, _, _ in made.differences})

    def turned(
        self,
        settings: Mapping[str, Any],
        place: str = "set",
        *,
        players: int | None = None,
        variants: Iterable[str] | None = None,
    ) -> Setup:
        """The same setup with some rules changed: `{"hand.front": 4}`; None gives a rule its printed value back.

        A key with a sign (`deck.missing+`) edits a list. With other players or variants, rules that the user changed
        stay as they are. Raises RulesError, beginning with `place`, if something is not allowed.
        """
        base = self
        if players is not None or variants is not None:
            names = _variants(self.ruleset, self.variants if variants is None else variants, self.ruleset.name)
            base = _as_printed(self.ruleset, self.players if players is None else players, names)
            kept = {knob: self.options[knob] for knob in self.changed}
            base = replace(base, options={**base.options, **kept}, title=self.title, changed=self.changed)
        return _playable(replace(_changed(base, settings, place), refit={}))


def own_code(name: str) -> str:
    """The digest of the files of a game: its code if it is not shipped with houle, its rules and its weights."""
    place, game, rules = home(name), find_game(name), load(name).file_digest
    files = {file: source.content for file, source in outside[game.marker].items()} if place.is_outside else {}
    weights = place.weights.read_bytes() if place.weights.is_file() else b""
    return digest_of({**files, RULES: rules.encode(), WEIGHTS: weights})


def rule_changes(setup: Setup) -> list[RuleChange]:
    """All rules that differ from the printed ones, in the order in which they were set."""
    return [
        RuleChange(knob=knob, printed=before, now=now, provenance=setup.source_of(knob), source=setup.changed[knob])
        for knob, before, now in setup.differences
    ]


def variant_name(setup: Setup) -> str:
    """The name of a setup's rules: `base game`, `virage + nazare`, or a user's title with further settings.

    A user's variant without a title is named by its settings: `virage, hand.back=3`.
    """
    shown = [change for change in rule_changes(setup) if not setup.title or change.source in BY_HAND]
    settings = [change.setting for change in shown[:MOST_SETTINGS]]
    more = [f"{len(shown) - MOST_SETTINGS} more"] if len(shown) > MOST_SETTINGS else []
    parts = [setup.title, " + ".join(setup.variants), *settings, *more]
    return ", ".join(filter(None, parts)) or BASE_GAME


def field_text(value: Any) -> str:
    """A knob's value as a field of a setup: a list without its brackets."""
    return value_text(value).strip("[]")


def _effective(ruleset: Ruleset, players: int, variants: Iterable[str]) -> dict[str, Any]:
    options = {knob.name: knob.default_for(players) for knob in ruleset.knobs.values()}
    for variant in variants:
        options.update(ruleset.variants[variant].settings(players))
    return options


def make_setup(
    game: str,
    players: int | None = None,
    variants: Iterable[str] = (),
    settings: Mapping[str, Any] | None = None,
    file: str | Path | Iterable[str | Path] | None = None,
    place: str = "--set",
) -> Setup:
    """Makes and checks a setup. Raises RulesError if something is not allowed.

    Later settings override earlier ones: defaults, variants (of the files, then named), settings of the files,
    `settings`. A key with a sign (`deck.missing+`, `deck.missing-`) adds to the current list or removes from it.
    """
    ruleset = load(game)
    files = (file,) if isinstance(file, str | Path) else tuple(file or ())
    asked = [(str(path), read_custom(path, ruleset)) for path in files]
    asked.append((place, {"variants": list(variants), "set": settings or {}}))
    chosen: list[str] = []
    count: int | None = None
    source = ruleset.name
    for where, custom in asked:
        origin = ruleset.name if where == place else where
        count, source = (custom["players"], origin) if "players" in custom else (count, source)
        chosen += _variants(ruleset, custom.get("variants", ()), origin)
    players, source = (count, source) if players is None else (players, ruleset.name)
    if players is None:
        players = _usual_players(ruleset, chosen, [custom["set"] for _, custom in asked])
    setup = _as_printed(ruleset, players, chosen, source)
    for where, custom in asked:
        setup = _changed(setup, custom["set"], where)
    titles = [custom["name"] for _, custom in asked if custom.get("name")]
    return _playable(replace(setup, title=" + ".join(titles)))


def _playable(setup: Setup) -> Setup:
    """The setup, after the game's own checks: a deck too small, heights that do not add up."""
    _ = setup.rules
    return setup


def _as_printed(ruleset: Ruleset, players: int, variants: Iterable[str], source: str = "") -> Setup:
    """The setup without a change, before the game's own checks. `source` says where the players come from."""
    chosen = tuple(dict.fromkeys(variants))
    for group in ruleset.exclusive:
        both = [name for name in chosen if name in group]
        if len(both) > 1:
            raise RulesError(f"{ruleset.name}: the variants {' and '.join(both)} exclude each other; choose one")
    if players not in ruleset.players:
        allowed = ", ".join(map(str, ruleset.players))
        raise RulesError(f"{source or ruleset.name}: players: {players} is not allowed; allowed: {allowed}")
    return Setup(ruleset, players, chosen, _effective(ruleset, players, chosen))


def _changed(setup: Setup, settings: Mapping[str, Any], place: str) -> Setup:
    """The setup with some knobs changed, before the game's own checks; None gives a knob its printed value back."""
    options, changed = dict(setup.options), dict(setup.changed)
    for key, value in settings.items():
        name, sign = knob_and_sign(key)
        if value is None:
            options[name] = setup.plain_options[name]
            changed.pop(name, None)
            continue
        options[name] = _checked(setup.ruleset, key, value, place, before=options.get(name) if sign else None)
        changed[name] = place
    return replace(setup, options=options, changed=changed)


def _own_deck(knob: Knob, name: str, near: Setup | None, place: str) -> Any:
    """A deck by its name: one of the game, or that of `near`. No other file is read."""
    mine = near.options[knob.name] if near is not None else None
    if isinstance(mine, Deck) and name == mine.name:
        return mine
    known = deck_names(knob.folder)
    if name not in known:
        short = visible(name[:SHOWN])
        raise RulesError(f"{place}: {knob.name}: {short!r} is not allowed; allowed: {', '.join(known)}")
    return name


def _usual_players(ruleset: Ruleset, chosen: Iterable[str], settings: Iterable[Mapping[str, Any]]) -> int:
    """The default number of players: that of a team layout, else three if possible."""
    named: dict[str, Any] = {}
    for variant in chosen:
        named.update(ruleset.variants[variant].set)
    for some in settings:
        named.update(some)
    for knob, value in named.items():
        if knob in ruleset.knobs and isinstance(value, str) and value in ruleset.knobs[knob].fixes_players:
            return ruleset.knobs[knob].fixes_players[value]
    return 3 if 3 in ruleset.players else ruleset.players[0]


def find_knob(ruleset: Ruleset, key: str, place: str) -> tuple[Knob, str]:
    """The knob of a key and its sign; RulesError if the game has no such knob."""
    name, sign = knob_and_sign(key)
    if name not in ruleset.knobs:
        raise RulesError(f"{place}: {ruleset.name} has no knob {visible(name)!r}{nearest(name, ruleset.knobs)}")
    return ruleset.knobs[name], sign


def _checked(ruleset: Ruleset, key: str, value: Any, where: str, before: Any = None) -> Value:
    """A checked value. For a signed key: the edited list if `before` is given, else only the checked items."""
    knob, sign = find_knob(ruleset, key, where)
    try:
        if not sign:
            return knob.check(value)
        items = knob.check_items(value)
        return items if before is None else knob.edited(before, items, sign)
    except KnobError as fault:
        raise RulesError(f"{where}: {fault}") from None


def parse_settings(ruleset: Ruleset, pairs: Iterable[str]) -> dict[str, Any]:
    """Reads `key=value` pairs, for lists also `key+=item` and `key-=item`. make_setup checks the values."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        knob, sign, text = parse_setting(ruleset, pair)
        key = f"{knob.name}{sign}"
        earlier = settings.get(key, []) if sign and knob.type in LISTS else None
        settings[key] = knob.parse(text) if earlier is None else [*earlier, *knob.parse(text)]
        if knob.type in ("int", "bool", "choice") and (".." in text or "," in text):
            several = "use houle sweep or compare for several values"
            raise RulesError(f"--set: {key}: {text!r} is not allowed; allowed: {knob.allowed}; {several}")
    return settings


def parse_setting(ruleset: Ruleset, pair: str) -> tuple[Knob, str, str]:
    """`deck.missing+=red 3` as typed after --set: the knob, the sign, and the text of the value."""
    key, equals, text = pair.partition("=")
    if not equals:
        raise RulesError(f"--set {pair}: write key=value")
    return *find_knob(ruleset, key.strip(), "--set"), text.strip()


def read_custom(file: str | Path, ruleset: Ruleset) -> dict[str, Any]:
    """Reads a rules file: game, name, players, variants and a [set] table, each checked on its own."""
    data = read_toml(file)
    for key in (key for key in data if key not in CUSTOM):
        knobs = [knob for knob in ruleset.knobs if knob == key or knob.startswith(f"{key}.")]
        if knobs:
            raise RulesError(f"{file}: unknown key {key!r}; write {' and '.join(knobs)} below [set]")
    checked_table(data, CUSTOM, str(file))
    if data.get("game", ruleset.name) != ruleset.name:
        raise RulesError(f"{file}: game: this file is for {data['game']!r}, not {ruleset.name!r}")
    if not all(isinstance(name, str) for name in data.get("variants", ())):
        raise RulesError(f"{file}: variants: {data['variants']!r} is not allowed; allowed: a list of names")
    data["name"] = " ".join(data.get("name", "").split())
    data["set"] = {key: _checked(ruleset, key, value, str(file)) for key, value in flat(data.get("set", {})).items()}
    _variants(ruleset, data.get("variants", ()), str(file))
    return data


def _variants(ruleset: Ruleset, texts: Iterable[str], where: str) -> list[str]:
    """The variants in texts such as `virage+nazare`; `base` is none."""
    known = ("base", *ruleset.variants)
    names = [name for text in texts for name in text.split("+")]
    for name in names:
        if name not in known:
            raise RulesError(f"{where}: unknown variant {name!r}{nearest(name, known)}")
    return [name for name in names if name != "base"]
