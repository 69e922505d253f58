"""The rules file that `houle rules GAME --write` writes: all knobs, commented out if unchanged."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from houle.solver.rules import Deck, Setup

WIDTH = 100


def toml_value(value: Any) -> str:
    """The value of a knob in TOML, which for these types is the same as JSON."""
    return json.dumps(value, ensure_ascii=False)


def comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


def template(setup: Setup, file: Path, with_players: bool) -> str:
    """The text of the file; what the user already changed is active, everything else is commented out."""
    ruleset = setup.ruleset
    lines = comment(
        f"Your own rules for {ruleset.title}. Remove the # in front of a line to change that rule, then run:"
    )
    lines += [
        f"#   houle rules {ruleset.name} --rules {file}",
        f"#   houle simulate {ruleset.name} --rules {file}",
        "",
    ]
    lines += [f"game = {toml_value(ruleset.name)}", f"name = {toml_value(setup.title or file.stem)}"]
    lines += [("" if with_players else "# ") + f"players = {setup.players}", ""]
    for variant in ruleset.variants.values():
        lines += comment(f"{variant.name} ({variant.provenance}): {variant.text}")
    lines += [f"variants = {toml_value(list(setup.variants))}", "", "[set]"]
    plain = {name for name in ruleset.knobs if name not in setup.changed}
    for knob in ruleset.knobs.values():
        lines += ["", *comment(f"{knob.text} {knob.rests_on}".rstrip() + f" ({knob.provenance}; {knob.allowed})")]
        mark = "# " if knob.name in plain else ""
        value = setup.options[knob.name]
        shown = value.path if isinstance(value, Deck) and value.path else setup.shown_options[knob.name]
        lines.append(f"{mark}{knob.name} = {toml_value(shown)}")
    return "\n".join(lines) + "\n"
