"""The head of a position or record: which game, at which table, by which rules.

Whatever the user changed is written as `set KNOB`, and `rules` is the digest of all of it, the deck included: a file
that is read at another table is refused instead of misread.
"""

from __future__ import annotations

from houle.solver.errors import InputError
from houle.solver.record.lines import Lines, Places, read_lines
from houle.solver.ruleset import Setup, game_names, load, make_setup, nearest, shown_value, value_text

SET = "set "


def write_head(setup: Setup) -> Places:
    """The lines of a table."""
    head = {"game": [setup.ruleset.name], "players": [str(setup.players)]}
    if setup.variants:
        head["variants"] = ["+".join(setup.variants)]
    for knob in setup.changed:
        head[f"{SET}{knob}"] = [value_text(shown_value(setup.options[knob])).strip("[]")]
    return head | {"rules": [setup.digest]}


def game_of(text: str, what: str = "record") -> str:
    """The name of the game that a text is of."""
    lines = read_lines(text, what)
    named = _one(lines, "game")
    if named is None or named.replace("_", "-") not in game_names():
        raise lines.fault("game", f"write which game it is; there is {', '.join(game_names())}")
    return named.replace("_", "-")


def read_head(lines: Lines, setup: Setup | None = None, game: str | None = None) -> Setup:
    """The table that the lines are for. With a `setup` they must agree with it; what they do not say is its."""
    named = _one(lines, "game")
    if named is not None and named.replace("_", "-") not in game_names():
        raise lines.fault("game", f"unknown game {named!r}{nearest(named, game_names())}")
    name = setup.ruleset.name if setup is not None else game
    if name is not None and named is not None and named.replace("_", "-") != name:
        raise lines.fault("game", f"this is of {named}, not of {name}")
    name = name or named
    if name is None:
        raise lines.fault("game", f"this line is missing; there is {', '.join(game_names())}")
    found = _made(lines, name.replace("_", "-"), setup)
    digest = _one(lines, "rules")
    if digest is not None and digest != found.digest:
        raise lines.fault(
            "rules", f"written for {digest}, but the rules here are {found.digest}: some rule or card differs"
        )
    return found


def _made(lines: Lines, game: str, setup: Setup | None) -> Setup:
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
            continue  # a deck of one's own goes by its name here; the digest tells whether it is the same
        settings[knob] = ruleset.knobs[knob].parse(words)
    if setup is None:
        try:
            return make_setup(game, number, variants, settings, place=lines.what)
        except InputError as fault:
            problem = str(fault)
            if lines.says(f"{SET}deck") and "No such file" in problem:
                problem += "; write its path at `set deck`, or say it beside the file: --set deck=PATH"
            raise InputError(problem if problem.startswith(lines.what) else f"{lines.what}: {problem}") from None
    if number is not None and number != setup.players:
        raise lines.fault("players", f"it is for {number} players, the table has {setup.players}")
    if lines.says("variants") and set(variants) - {"base"} != set(setup.variants):
        raise lines.fault(
            "variants", f"it is for {'+'.join(variants)}, the table has {'+'.join(setup.variants) or 'base'}"
        )
    for knob, value in settings.items():
        here = value_text(shown_value(setup.options[knob]))
        if value_text(value) != here:
            raise lines.fault(f"{SET}{knob}", f"it is for {value_text(value)}, the table has {here}")
    return setup


def _one(lines: Lines, place: str) -> str | None:
    words = lines.words(place)
    return " ".join(words) if words else None
