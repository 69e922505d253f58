"""A position as rows of card faces in plain data, as one seat sees it: what drawings show.

A game says it in view.py, `view(state, setup, seat)`: rows of {"label", "cards"}, or {"label", "text"} for what is told
rather than drawn. A card is {"name", "top", "paint", "mark", "move"}, each of them optional; `move` is the word by
which moves name it. What the seat may not see is `hidden`. Rows with `own` hold what can be played. Games that declare
their fields need no view.py: their own sets and what is public are shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from houle.solver.declare import Fields, Part
from houle.solver.ruleset import Setup

Row = dict[str, Any]
Face = dict[str, Any]
MOST_HIDDEN = 5  # backs drawn in a row; more would only say how many there are


def read(record: Any) -> Any:
    """A copy of a record to read from: numpy takes microseconds for every field of a record, for this nothing."""
    return SimpleNamespace(**dict(zip(record.dtype.names, record.item(), strict=True)))


def row(label: str, cards: Iterable[Face], own: bool = False) -> Row:
    return {"label": label, "cards": list(cards), "own": own}


def line(label: str, words: str) -> Row:
    """What is told rather than drawn."""
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
    """The position as the game shows it, or as its declaration does; no rows where it has neither."""
    file = setup.game.file("view")
    if file is not None:
        found: list[Row] = file.view(state, setup, seat)
        return found
    return [] if setup.game.declared is None else _declared_rows(setup.game.declared, state, setup, seat)


def move_in_words(setup: Setup, move: str) -> str:
    """A move as people read it; a game whose names of moves are codes has a `move_in_words` in its view.py."""
    words = getattr(setup.game.file("view"), "move_in_words", None)
    return str(words(setup, move)) if words else move


def _declared_rows(declared: Fields, state: Any, setup: Setup, viewer: int) -> list[Row]:
    """Everything public and the viewer's own; of what is hidden and others' own, how much there is."""
    seen = setup.game.snapshot(state, setup)
    rows: list[Row] = []
    for name, part in declared.public.items():
        rows += _public(name.replace("_", " "), seen[name], part, viewer)
    for name in declared.own:
        word = name.replace("_", " ")
        for seat, cards in enumerate(seen[name]):
            if seat != viewer:
                rows.append(row(f"{word} of player {seat + 1}", hidden(len(cards))))
        rows.append(row(f"your {word}", map(_face, seen[name][viewer]), True))
    for name, part in declared.hidden.items():
        number = sum(map(len, seen[name])) if part.by_seat else len(seen[name])
        rows.append(line(name.replace("_", " "), f"{number} cards"))
    return shown(rows)


def _face(card: int) -> Face:
    return {"top": str(card), "move": str(card)}


def _public(word: str, value: Any, part: Part, viewer: int) -> list[Row]:
    if part.by_seat and not part.cards:
        return [line(word, by_player(value, viewer))]
    if part.by_seat:
        who = ["your" if seat == viewer else f"player {seat + 1}'s" for seat in range(len(value))]
        return [row(f"{whose} {word}", map(_face, cards)) for whose, cards in zip(who, value, strict=True)]
    if part.cards and not part.shape:
        return [row(word, map(_face, value))]
    return [line(word, " ".join(map(str, value)) if isinstance(value, list) else str(value))]
