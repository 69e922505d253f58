"""Decks of cards as files: those in a game's folder by name, and a user's own by path.

A deck that is `based_on` another lists only its changes: cards to `remove` by name, entries with the name of a card,
which change the keys they have, and new entries, which come `after` a card or at the end of their kind.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError, KnobError
from houle.solver.rules.files import read_toml
from houle.solver.texts import nearest

GAMES = Path(__file__).parent.parent / "games"
MOST_BASES = 8  # decks based on one another
NO_CARD = object()  # instead of the name of something that is not an entry
NAMED = {"place": 10}  # entries that only name things, and their required number


@dataclass(frozen=True)
class Deck:
    """A deck of cards read from a file."""

    name: str
    cards: Mapping[str, Any] = field(hash=False)
    # Kind of thing -> names. They are only shown, so they are not in the digest.
    names: Mapping[str, list[str]] = field(default_factory=dict, hash=False, compare=False)
    path: str = field(default="", hash=False, compare=False)  # of a user's own deck, as it was typed

    def __str__(self) -> str:
        return self.name


def shown_value(value: Any) -> Any:
    """A knob's value for JSON and files: a deck is shown by its name."""
    return value.name if isinstance(value, Deck) else value


def deck_names(folder: Path | None = None) -> list[str]:
    """The decks in a game's folder; without a folder, those of all shipped games."""
    return sorted(_shipped(folder))


def _shipped(folder: Path | None = None) -> dict[str, Path]:
    paths = GAMES.glob("*/decks/*.toml") if folder is None else folder.glob("decks/*.toml")
    return {path.stem: path for path in paths}


def read_deck(name: str, folder: Path | None = None) -> Deck:
    """Reads a shipped deck by its name, or a user's own by its path. The game checks the cards."""
    shipped = _shipped(folder)
    path = shipped.get(name, Path(name))
    cards = _read(path, name, ())
    names = {kind: _called(cards.pop(kind), kind, path) for kind in NAMED if kind in cards}
    return Deck(" ".join(str(cards.get("name", path.stem)).split()), cards, names, "" if name in shipped else name)


def _called(entries: Any, kind: str, path: Path) -> list[str]:
    """The names of the things of a kind, in order."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _fault(path, kind, f"write every name as an entry [[{kind}]]")
    if len(entries) != NAMED[kind]:
        raise _fault(path, kind, f"{len(entries)} names; allowed: exactly {NAMED[kind]}")
    for number, entry in enumerate(entries):
        name = entry.get("name")
        if not isinstance(name, str) or not name.strip() or entry.keys() - {"name", "provenance"}:
            raise _fault(path, f"{kind} {number}", f"{entry} is not allowed; allowed: name, text in quotes; provenance")
    names = [" ".join(entry["name"].split()) for entry in entries]
    twice = sorted({name for name in names if [other.lower() for other in names].count(name.lower()) > 1})
    if twice:
        raise _fault(path, kind, f"the name {twice[0]!r} is used twice")
    return names


def _read(path: Path, called: str, above: tuple[Path, ...]) -> dict[str, Any]:
    """The cards of a file and of those it is based on; `above` are the files based on this one."""
    try:
        data = read_toml(path)
    except InputError as fault:
        hint = nearest(called, _shipped()) if path.suffix == "" and not os.path.exists(path) else ""
        raise KnobError("deck", f"{fault}{hint}") from None
    if "based_on" not in data:
        return data
    base = data.pop("based_on")
    if not isinstance(base, str):
        raise _fault(path, "based_on", f"{base!r} is not allowed; allowed: the name of a deck in quotes, or its path")
    below = _shipped().get(base, path.parent / base)
    if not os.path.isfile(below):
        raise _fault(path, "based_on", f"there is no deck {base!r}{nearest(base, _shipped())}")
    if below.resolve() in (*above, path.resolve()):
        raise _fault(path, "based_on", f"{base} is based on this deck itself")
    if len(above) > MOST_BASES:
        raise _fault(path, "based_on", f"more than {MOST_BASES} decks based on one another")
    return _changed(_read(below, str(below), (*above, path.resolve())), data, path)


def _changed(base: Mapping[str, Any], changes: dict[str, Any], path: Path) -> dict[str, Any]:
    """Applies the changes of a file to the cards of its base; tables are merged key by key."""
    cards = deepcopy(dict(base))
    removed = changes.pop("remove", {})
    if not isinstance(removed, dict) or not all(isinstance(names, list) for names in removed.values()):
        raise _fault(path, "remove", "write a table [remove] with a list of names for every kind of card")
    for kind, names in removed.items():
        for name in names:
            index = _index(cards, kind, name, path, key=f"remove: {kind}")
            del cards[kind][index]
    for key, value in changes.items():
        if isinstance(value, list) and isinstance(cards.get(key), list):
            for entry in value:
                _put(cards, key, entry, path)
        elif isinstance(value, dict) and isinstance(cards.get(key), dict):
            cards[key] |= value
        else:
            cards[key] = value
    return cards


def _put(cards: Mapping[str, Any], kind: str, entry: Any, path: Path) -> None:
    """Changes the card with the name of the entry, or adds the entry."""
    if not isinstance(entry, dict):
        raise _fault(path, kind, f"write every card as an entry [[{kind}]]")
    names = _names(cards, kind)
    new = {key: value for key, value in entry.items() if key != "after"}
    if "after" in entry:
        cards[kind].insert(_index(cards, kind, entry["after"], path, key=f"{kind}: after") + 1, new)
    elif entry.get("name") in names:
        cards[kind][names.index(entry["name"])] |= new
    else:
        cards[kind].append(new)


def _names(cards: Mapping[str, Any], kind: str) -> list[Any]:
    entries = cards.get(kind)
    if not isinstance(entries, list):
        return []
    return [card.get("name") if isinstance(card, dict) else NO_CARD for card in entries]


def _index(cards: Mapping[str, Any], kind: str, name: Any, path: Path, key: str) -> int:
    """The index of a card among its kind."""
    names = _names(cards, kind)
    if name not in names:
        hint = nearest(str(name), map(str, names)) if names else ""
        raise _fault(path, key, f"there is no card {name!r}{hint}")
    return names.index(name)


def _fault(path: Path, key: str, problem: str) -> KnobError:
    return KnobError("deck", f"{path}: {key}: {problem}")
