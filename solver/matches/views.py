"""A position as rows of cards in plain data, as one seat sees it: the input of drawings and of the table.

A game has `view(state, setup, seat)` in view.py, which returns rows made by `row`, `line` and `tally`. In their words
players are `seat 0`, `seat 1`, ...; `view_of` puts the names in.

| key of a row | meaning |
| --- | --- |
| label, title | its words, with and without the player it belongs to |
| cards, text | what it shows: cards, or words |
| own | its cards can mean a move |
| region | where it lies: `hand` (the viewer's cards), `middle`, `seat` (before a player) or `fact` (always in sight) |
| seat | the player it belongs to |
| layout | `row`, `lane` (squares; lanes lie above each other), `columns` (bottom up), `stack` or `past` (small) |
| values | one value per seat |
| note | words beside it, such as `validated` |

A card has the optional keys "name", "top", "paint", "mark", "icon" (an SVG path, 24 by 24), "place" (in a hand),
"pointing" (who points at it), "owner" (who played it), "about" (what it does), "blocked" (why it cannot be played),
"column" (in a layout of columns) and "move", the word or words for it in the names of moves. Cards that the seat does
not see are {"hidden": True}, with "top" for a number on their back; {"empty": True} is a place without a card. Games
that declare their fields need no view.py: public fields and the seat's own sets are shown.

A game of tricks may have `last_trick(before, after, setup, action, again)` in view.py: the row of the trick that this
move ended, or None; without cards if it was the last one of a round. Players may look at the last trick, and a state
holds only the trick in progress.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from houle.solver.interface.declare import Fields, Part
from houle.solver.matches.record.lines import from_1
from houle.solver.rules import Setup

Row = dict[str, Any]
Face = dict[str, Any]
MOST_HIDDEN = 5  # card backs drawn in a row
HAND, MIDDLE, SEAT, FACT = "hand", "middle", "seat", "fact"
SUBJECT = "\0"  # marks a `you` that does something, until its second verb is found
_SECOND_VERB = re.compile(rf"(you{SUBJECT} [^;:.()]*? and )([a-z]+s)(?= (?:an?|the)\b| [a-z]+ed\b)")
VERBS = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}  # after `you`


def read(record: Any) -> Any:
    """A copy of a record with fast attributes: numpy takes microseconds to read one field of a record."""
    return SimpleNamespace(**dict(zip(record.dtype.names, record.item(), strict=True)))


def row(
    label: str,
    cards: Iterable[Face],
    own: bool = False,
    *,
    seat: int | None = None,
    region: str = "",
    layout: str = "row",
    note: str = "",
) -> Row:
    where = region or (SEAT if seat is not None else HAND if own else MIDDLE)
    return {"label": label, "cards": list(cards), "own": own, "seat": seat, "region": where, "layout": layout,
            "note": note}  # fmt: skip


def line(label: str, words: str, remark: bool = False) -> Row:
    """A row of text; a long one is a remark."""
    return {"label": label, "cards": [], "text": words, "region": FACT, "remark": remark}


def tally(label: str, values: Iterable[object]) -> Row:
    """A value of every seat: `seat 0 3, seat 1 -1`."""
    numbers = list(values)
    words = ", ".join(f"seat {seat} {value}" for seat, value in enumerate(numbers))
    return {**line(label, words), "values": numbers}


def shown(rows: Iterable[Row]) -> list[Row]:
    """The rows that show something."""
    return [row for row in rows if row["cards"] or row.get("text")]


def hidden(number: int) -> list[Face]:
    return [{"hidden": True}] * min(number, MOST_HIDDEN)


def seat_names(setup: Setup, viewer: int | None = None, given: Sequence[str] = ()) -> list[str]:
    """What every seat is called: `you`, a name that was given, or the game's word for a player and its number."""
    names = [given[seat] if seat < len(given) and given[seat] else f"{setup.ruleset.player} {seat + 1}"
             for seat in range(setup.players)]  # fmt: skip
    return ["you" if seat == viewer else name for seat, name in enumerate(names)]


def with_names(words: str, names: Sequence[str]) -> str:
    """Words about seats, counted from 1, with names: `seat 1 is stuck` becomes `you are stuck`."""

    def named(match: re.Match[str]) -> str:
        name, verb = names[int(match[1]) - 1] if 1 <= int(match[1]) <= len(names) else f"seat {match[1]}", match[3]
        if name == "you" and match[2]:
            return f"your{match[2][2:]}" + (f" {verb}" if verb else "")
        if name == "you" and verb:
            return f"you{SUBJECT} {second_person(verb)}"
        return f"{name}{match[2] or ''}" + (f" {verb}" if verb else "")

    words = re.sub(r"\bseat (\d+)('s)?(?: ([a-z]+)\b)?", named, words)
    words = _SECOND_VERB.sub(lambda match: match[1] + second_person(match[2]), words).replace(SUBJECT, "")
    return re.sub(r"\b(?:the )?(hand|road|places|dice) of you\b", r"your \1", words)


def to_player(setup: Setup, words: str, viewer: int, names: Sequence[str]) -> str:
    """Words of a game (seats count from 0) as a player hears them, with names and `your team`."""
    words = from_1(words)
    for name, seats in setup.game.side_names(setup):
        if len(seats) > 1 and viewer in seats and name.startswith("team "):
            words = re.sub(rf"\b{from_1(name)}\b", "your team", words)
        elif name == "player":  # the only one
            words = re.sub(r"\bplayer\b", f"seat {seats[0] + 1}", words)
    for old, new in getattr(setup.game.file("view"), "CALLED", {}).items():
        words = re.sub(rf"\b{old}\b", new, words)
    return with_names(words, names)


def second_person(verb: str) -> str:
    """`draws` -> `draw`, `reaches` -> `reach`, `has` -> `have`; other words stay."""
    if verb in VERBS:
        return VERBS[verb]
    if re.search(r"(ss|ch|sh|x)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith(("ss", "us")) else verb


def view_of(state: Any, setup: Setup, seat: int, names: Sequence[str] | None = None) -> list[Row]:
    """The rows of the game's view.py, or those that follow from its declared fields; no rows without either."""
    file = setup.game.file("view")
    if file is not None:
        rows: list[Row] = file.view(state, setup, seat)
    elif setup.game.plain is not None:
        seen = setup.game.plain.seen(state, setup.rules[0], seat)
        rows = shown(line(name, str(value)) for name, value in seen.items())
    else:
        rows = [] if setup.game.declared is None else _declared_rows(setup.game.declared, state, setup, seat)
    called = seat_names(setup, seat) if names is None else names
    return [named_row(row, seat, called) for row in rows]


def named_row(row: Row, viewer: int, names: Sequence[str]) -> Row:
    """A row with the names of the players."""

    def put(words: str) -> str:
        return with_names(from_1(words), names)

    owner, title = row.get("seat"), put(row["label"])
    label = title if owner is None else f"your {title}" if owner == viewer else f"{title} of {names[owner]}"
    for card in row["cards"]:
        card |= {key: put(card[key]) for key in ("owner", "about", "blocked") if card.get(key)}
        card |= {"pointing": [put(who) for who in card["pointing"]]} if card.get("pointing") else {}
    return row | {"label": label, "title": title, **({"text": put(row["text"])} if row.get("text") else {})}


def plain_rows(rows: Iterable[Row]) -> list[Row]:
    """Rows for drawings without a table: a row per column, no empty places, no rows without cards or words."""
    plain: list[Row] = []
    for one in rows:
        cards = [card for card in one["cards"] if not card.get("empty")]
        if one.get("layout") != "columns":
            plain.append(one | {"cards": cards})
            continue
        for column in dict.fromkeys(card["column"] for card in cards):
            part = [card for card in cards if card["column"] == column]
            plain.append(one | {"label": f"{one['label']}, column {column}", "cards": part})
    return shown(plain)


def move_in_words(setup: Setup, move: str) -> str:
    """A move in words. A game whose move names are codes has `move_in_words` in its view.py."""
    words = getattr(setup.game.file("view"), "move_in_words", None)
    return str(words(setup, move)) if words else move


def _declared_rows(declared: Fields, state: Any, setup: Setup, viewer: int) -> list[Row]:
    """Public fields and the viewer's own sets; the number of cards of hidden sets and of others' sets."""
    seen = setup.game.snapshot(state, setup)
    rows: list[Row] = []
    for name, part in declared.public.items():
        rows += _public(name.replace("_", " "), seen[name], part, declared.first)
    for name in declared.own:
        word = name.replace("_", " ")
        for seat, cards in enumerate(seen[name]):
            if seat != viewer:
                rows.append(row(word, hidden(_number(cards)), seat=seat))
        for one in _rows(word, seen[name][viewer], declared.first, viewer):
            rows.append(one | {"own": True, "region": HAND})
    for name in declared.hidden:
        rows.append(line(name.replace("_", " "), f"{_number(seen[name])} cards"))
    return shown(rows)


def _number(cards: list[Any]) -> int:
    """How many cards there are in a list, or in lists of lists."""
    return sum(_number(one) if isinstance(one, list) else 1 for one in cards)


def _rows(word: str, value: Any, first: int, seat: int | None = None) -> list[Row]:
    """A row of cards, or one for each set of an array, counted from 1."""
    if value and isinstance(value[0], list):
        return [one for number, cards in enumerate(value, 1) for one in _rows(f"{word} {number}", cards, first, seat)]
    return [row(word, _faces(value, first), seat=seat)]


def _faces(cards: list[int], first: int) -> list[Face]:
    return [{"top": str(card + first), "move": str(card + first)} for card in cards]


def _public(word: str, value: Any, part: Part, first: int) -> list[Row]:
    if part.by_seat and not part.cards:
        return [tally(word, value)]
    if part.by_seat:
        return [one for seat, cards in enumerate(value) for one in _rows(word, cards, first, seat)]
    if part.cards:
        return _rows(word, value, first)
    return [line(word, " ".join(map(str, value)) if isinstance(value, list) else str(value))]
