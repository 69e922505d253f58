"""The head of a position or record: the game, the players, the variants and the rules.

Knobs that the user changed are written as `set KNOB`. `rules` is the digest of all rules, the deck included, so a text
for other rules is refused.
"""

from __future__ import annotations

from houle.solver.errors import InputError, PositionError
from houle.solver.matches.record.line_parser import Lines, Places, read_lines
from houle.solver.rules import SET, Setup, field_text, find_knob, game_names, is_game, nearest, shown_value
from houle.solver.rules.game_folders import game_name


def write_head(setup: Setup) -> Places:
    """The head lines of a setup."""
    return {place: [text] for place, text in setup.fields().items()} | {"rules": [setup.digest]}


def fields_of(lines: Lines, game: str | None = None) -> dict[str, str]:
    """The head of a text as the fields of a setup. Lines in other languages are read with the words of the game."""
    lines.read_in_english(game)
    places = ("game", "players", "variants", *lines.beginning(SET))
    fields = {place: ", ".join(words) for place in places if (words := lines.words(place)) is not None}
    if "variants" in fields:
        fields["variants"] = fields["variants"].replace(",", "+").replace(" ", "")
    return fields | {"game": game_name(fields.get("game", ""))}


def game_of(text: str, what: str = "record") -> str:
    """The name of the game in a text."""
    lines = read_lines(text, what)
    named = fields_of(lines)["game"]
    if not is_game(named):
        raise lines.fault("game", f"write the name of the game; there is {', '.join(game_names())}")
    return named


def read_head(lines: Lines, setup: Setup | None = None, game: str | None = None) -> Setup:
    """The setup of a text. With a `setup`, the lines may be incomplete but must agree with it."""
    name = setup.ruleset.name if setup is not None else game
    fields = fields_of(lines, name)
    named = fields["game"]
    if named and not is_game(named):
        raise lines.fault("game", f"unknown game {named!r}{nearest(named, game_names())}")
    if name is not None and named and named != name:
        raise lines.fault("game", f"this text is for {named}, not for {name}")
    if name is None and not named:
        raise lines.fault("game", f"this line is missing; there is {', '.join(game_names())}")
    setup = _read(lines, {**fields, "game": named or str(name)}) if setup is None else _agreeing(lines, fields, setup)
    digest = " ".join(lines.words("rules") or ())
    if digest and digest != setup.digest:
        raise lines.fault(
            "rules", f"written for {digest}, but the rules here are {setup.digest}: some rule or card differs"
        )
    return setup


def _read(lines: Lines, fields: dict[str, str]) -> Setup:
    """The setup of the fields. A text that the user names may name a deck by its path."""
    try:
        return Setup.read(fields, place=lines.what, files=True)
    except InputError as fault:
        problem = str(fault)
        if f"{SET}deck" in fields and "No such file" in problem:
            problem += "; write its path at `set deck`, or use --set deck=PATH"
        raise PositionError(problem if problem.startswith(lines.what) else f"{lines.what}: {problem}") from None


def _agreeing(lines: Lines, fields: dict[str, str], setup: Setup) -> Setup:
    """The setup, after a check of every field. A user's deck is written by its name; the digest checks its cards."""
    here = setup.fields()
    for place, text in fields.items():
        if place.startswith(SET):
            knob, _ = find_knob(setup.ruleset, place.removeprefix(SET), lines.what)
            value = setup.options[knob.name]
            now, same = field_text(value), knob.parse(text) == shown_value(value)
        else:
            now = here.get(place, "base")
            same = not text or {*text.split("+")} - {"base"} == {*now.split("+")} - {"base"}
        if not same:
            raise lines.fault(place, f"this text is for {text}, the setup has {now}")
    return setup
