"""The head of a position or record: the game, the players, the variants and the rules.

Knobs that the user changed are written as `set KNOB`. `rules` is the digest of all rules, the deck included, so a text
for other rules is refused.
"""

from __future__ import annotations

from houle.solver.errors import InputError, PositionError
from houle.solver.matches.record.line_parser import Lines, Places, read_lines
from houle.solver.rules import Setup, game_names, load, make_setup, nearest, shown_value, value_text
from houle.solver.rules.game_folders import is_plain

SET = "set "


def write_head(setup: Setup) -> Places:
    """The head lines of a setup."""
    head = {"game": [setup.ruleset.name], "players": [str(setup.players)]}
    if setup.variants:
        head["variants"] = ["+".join(setup.variants)]
    for knob in setup.changed:
        head[f"{SET}{knob}"] = [value_text(shown_value(setup.options[knob])).strip("[]")]
    return head | {"rules": [setup.digest]}


def game_of(text: str, what: str = "record") -> str:
    """The name of the game in a text."""
    lines = read_lines(text, what)
    named = _game(lines)
    if named is None or not (named in game_names() or is_plain(named)):
        raise lines.fault("game", f"write the name of the game; there is {', '.join(game_names())}")
    return named


def read_head(lines: Lines, setup: Setup | None = None, game: str | None = None) -> Setup:
    """The setup of a text. With a `setup`, the lines may be incomplete but must agree with it."""
    lines.read_in_english(setup.ruleset.name if setup is not None else game)
    named = _game(lines)
    if named is not None and named not in game_names() and not is_plain(named):
        raise lines.fault("game", f"unknown game {named!r}{nearest(named, game_names())}")
    name = setup.ruleset.name if setup is not None else game
    if name is not None and named is not None and named != name:
        raise lines.fault("game", f"this text is for {named}, not for {name}")
    name = name or named
    if name is None:
        raise lines.fault("game", f"this line is missing; there is {', '.join(game_names())}")
    setup = _setup_of(lines, name if is_plain(name) else name.replace("_", "-"), setup)
    digest = _one(lines, "rules")
    if digest is not None and digest != setup.digest:
        raise lines.fault(
            "rules", f"written for {digest}, but the rules here are {setup.digest}: some rule or card differs"
        )
    return setup


def _setup_of(lines: Lines, game: str, setup: Setup | None) -> Setup:
    """The setup that the lines describe, or the given one if they agree with it."""
    ruleset = load(game)
    players = _one(lines, "players")
    number = None if players is None else lines.whole("players", players, 1, 99)
    variants = [part for word in lines.words("variants") or () for part in word.replace(" ", "").split("+")]
    settings = {}
    for place in lines.beginning(SET):
        knob = place.removeprefix(SET)
        if knob not in ruleset.knobs:
            raise lines.fault(place, f"{game} has no knob {knob!r}{nearest(knob, ruleset.knobs)}")
        words = ", ".join(lines.words(place) or ())
        if setup is not None and words == value_text(shown_value(setup.options[knob])):
            continue  # a user's deck is written by its name; the digest checks its cards
        settings[knob] = ruleset.knobs[knob].parse(words)
    if setup is None:
        try:
            return make_setup(game, number, variants, settings, place=lines.what)
        except InputError as fault:
            problem = str(fault)
            if lines.says(f"{SET}deck") and "No such file" in problem:
                problem += "; write its path at `set deck`, or use --set deck=PATH"
            raise PositionError(problem if problem.startswith(lines.what) else f"{lines.what}: {problem}") from None
    if number is not None and number != setup.players:
        raise lines.fault("players", f"this text is for {number} players, the setup has {setup.players}")
    if lines.says("variants") and set(variants) - {"base"} != set(setup.variants):
        raise lines.fault(
            "variants", f"this text is for {'+'.join(variants)}, the setup has {'+'.join(setup.variants) or 'base'}"
        )
    for knob, value in settings.items():
        here = value_text(shown_value(setup.options[knob]))
        if value_text(value) != here:
            raise lines.fault(f"{SET}{knob}", f"this text is for {value_text(value)}, the setup has {here}")
    return setup


def _game(lines: Lines) -> str | None:
    """The game that the lines name; a class in plain Python by its file."""
    named = _one(lines, "game")
    return named if named is None or is_plain(named) else named.replace("_", "-")


def _one(lines: Lines, place: str) -> str | None:
    words = lines.words(place)
    return " ".join(words) if words else None
