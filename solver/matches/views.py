"""A position as rows of cards in plain data, as one seat sees it: the input of drawings.

A game has `view(state, setup, seat)` in view.py. A row is {"label", "cards"}, or {"label", "text"} for text. A card
has the optional keys "name", "top", "paint", "mark", "place" (in a hand), "pointing" (who points at it) and "move",
the word for it in the names of moves. Cards that the seat does not see are {"hidden": True}, with "top" for a number
on their back. Rows with `own` hold the cards that can be played. Games that declare their fields need no view.py:
public fields and the seat's own sets are shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from houle.solver.interface.declare import Fields, Part
from houle.solver.rules import Setup

Row = dict[str, Any]
Face = dict[str, Any]
MOST_HIDDEN = 5  # card backs drawn in a row


def read(record: Any) -> Any:
    """A copy of a record with fast attributes: numpy takes microseconds to read one field of a record."""
    return SimpleNamespace(**dict(zip(record.dtype.names, record.item(), strict=True)))


def row(label: str, cards: Iterable[Face], own: bool = False) -> Row:
    return {"label": label, "cards": list(cards), "own": own}


def line(label: str, words: str) -> Row:
    """A row of text."""
    return {"label": label, "cards": [], "text": words}


def by_player(values: Iterable[object], viewer: int) -> str:
    """`you 3, player 2 -1`."""
    return ", ".join(
        f"{'you' if seat == viewer else f'player {seat + 1}'} {value}" for seat, value in enumerate(values)
    )


def shown(rows: Iterable[Row]) -> list[Row]:
    """The rows that show something."""
    return [row for row in rows if row["cards"] or row.get("text")]


def hidden(number: int) -> list[Face]:
    return [{"hidden": True}] * min(number, MOST_HIDDEN)


def view_of(state: Any, setup: Setup, seat: int) -> list[Row]:
    """The rows of the game's view.py, or those that follow from its declared fields; no rows without either."""
    file = setup.game.file("view")
    if file is not None:
        rows: list[Row] = file.view(state, setup, seat)
        return rows
    if setup.game.plain is not None:
        return shown(
            line(name, str(value)) for name, value in setup.game.plain.seen(state, setup.rules[0], seat).items()
        )
    return [] if setup.game.declared is None else _declared_rows(setup.game.declared, state, setup, seat)


def move_in_words(setup: Setup, move: str) -> str:
    """A move in words. A game whose move names are codes has `move_in_words` in its view.py."""
    words = getattr(setup.game.file("view"), "move_in_words", None)
    return str(words(setup, move)) if words else move


def _declared_rows(declared: Fields, state: Any, setup: Setup, viewer: int) -> list[Row]:
    """Public fields and the viewer's own sets; the number of cards of hidden sets and of others' sets."""
    seen = setup.game.snapshot(state, setup)
    rows: list[Row] = []
    for name, part in declared.public.items():
        rows += _public(name.replace("_", " "), seen[name], part, viewer, declared.first)
    for name in declared.own:
        word = name.replace("_", " ")
        for seat, cards in enumerate(seen[name]):
            if seat != viewer:
                rows.append(row(f"{word} of player {seat + 1}", hidden(len(cards))))
        rows.append(row(f"your {word}", _faces(seen[name][viewer], declared.first), True))
    for name, part in declared.hidden.items():
        number = sum(map(len, seen[name])) if part.by_seat else len(seen[name])
        rows.append(line(name.replace("_", " "), f"{number} cards"))
    return shown(rows)


def _rows(word: str, value: Any, first: int) -> list[Row]:
    """A row of cards, or one for each set of an array, counted from 1."""
    if value and isinstance(value[0], list):
        return [one for number, cards in enumerate(value, 1) for one in _rows(f"{word} {number}", cards, first)]
    return [row(word, _faces(value, first))]


def _faces(cards: list[int], first: int) -> list[Face]:
    return [{"top": str(card + first), "move": str(card + first)} for card in cards]


def _public(word: str, value: Any, part: Part, viewer: int, first: int) -> list[Row]:
    if part.by_seat and not part.cards:
        return [line(word, by_player(value, viewer))]
    if part.by_seat:
        who = ["your" if seat == viewer else f"player {seat + 1}'s" for seat in range(len(value))]
        return [one for whose, cards in zip(who, value, strict=True) for one in _rows(f"{whose} {word}", cards, first)]
    if part.cards:
        return _rows(word, value, first)
    return [line(word, " ".join(map(str, value)) if isinstance(value, list) else str(value))]
