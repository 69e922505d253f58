"""Decks that were changed in the studio. An address has only their names; each is a file in the user's state folder.

The name of a file ends with a digest of its text, so a name always stands for the same cards. The file is also what a
copied command plays: `--set deck=FILE`.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qsl

from houle.analysis.studio.state import MOST_SIGNS
from houle.cli.framework.files import state_folder
from houle.reports.rules_template import toml_value
from houle.solver.errors import InputError
from houle.solver.rules import SET, Deck, Setup, make_setup, read_deck
from houle.solver.rules.files import write_whole

NAME = re.compile(r"([\w -]{1,40})-([0-9a-f]{8})")


def deck_file(name: str) -> Path:
    return state_folder() / "decks" / f"{name}.toml"


def deck_text(deck: Deck) -> str:
    """A deck as a file, without its name."""
    names = {kind: [{"name": name} for name in some] for kind, some in deck.names.items()}
    parts = {key: value for key, value in (names | dict(deck.cards)).items() if key != "name"}
    plain = {key: value for key, value in parts.items() if not isinstance(value, dict | list)}
    lines = [f"{key} = {toml_value(value)}" for key, value in plain.items()]
    for kind, value in parts.items():
        for entry in value if isinstance(value, list) else [value] if isinstance(value, dict) else ():
            lines += ["", f"[[{kind}]]" if isinstance(value, list) else f"[{kind}]"]
            lines += [f"{key} = {toml_value(one)}" for key, one in entry.items()]
    return "\n".join([*lines, ""])


def keep_text(stem: str, text: str) -> str:
    """Write a deck, unless it is there already; returns its name. The text may come from a page that was sent."""
    if not NAME.fullmatch(f"{stem}-00000000") or "based_on" in text:
        raise InputError("deck: not a deck of the studio")
    name = f"{stem}-{sha256(text.encode()).hexdigest()[:8]}"
    whole = f'name = "{name}"\n{text}'
    if not deck_file(name).is_file():
        write_whole(deck_file(name), lambda beside: beside.write_text(whole, encoding="utf-8"))
    return name


def with_change(setup: Setup, card: str, what: str) -> tuple[str, str]:
    """The knob and the name of the deck after one change of a card, which is written to its file."""
    for change in setup.game.openings.card_changes(setup):
        if (change.card, change.what) == (card, what) and isinstance(change.value, Deck):
            now = setup.options[change.knob].name
            stem = match[1] if (match := NAME.fullmatch(now)) else re.sub(r"[^\w -]", "", now)[:40]
            return change.knob, keep_text(stem, deck_text(change.value))
    raise InputError(f"{card}, {what}: this change is not possible")


def sent_text(setup: Setup) -> dict[str, str]:
    """The deck that a page to send must hold: stem -> text; empty if the deck was not changed here."""
    decks = [value for value in setup.options.values() if isinstance(value, Deck) and NAME.fullmatch(value.name)]
    return {one.name[:-9]: deck_text(one) for one in decks if deck_file(one.name).is_file()}


def near_deck(query: str, near: Setup) -> Setup:
    """`near`, with the changed deck that an address names, if its file is here."""
    pairs = parse_qsl(query[:MOST_SIGNS])
    for name, value in pairs:
        if name.startswith(SET) and NAME.fullmatch(value) and deck_file(value).is_file():
            game = dict(pairs).get("game", near.ruleset.name)
            setup = near if near.ruleset.name == game else make_setup(game)
            return setup.turned({name.removeprefix(SET): read_deck(str(deck_file(value)))})
    return near
