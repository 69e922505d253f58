"""A position as rows of cards in plain data, as one seat sees it: the input of drawings and of the table.

A game has `view(known, setup)` in words.py, which returns rows made by `row`, `line` and `tally` from what the seat
knows; the facts of its table (interface/seen.py) follow. `view_of` puts the names of the players in. Games that declare
their fields need no view. `Row` and `Face` (interface/files.py) say what a row and a card have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from houle.solver.declared.seen import COUNTED
from houle.solver.interface.files import Face as Face
from houle.solver.interface.files import Row as Row
from houle.solver.interface.seen import CARDS, COUNT, FACTS, NUMBER, ROW, SHARED, SIDES, Part
from houle.solver.interface.seen import SEAT as SEAT_NUMBER
from houle.solver.language.seats import Authored, from_1, seat_names, with_names
from houle.solver.matches.known import Known
from houle.solver.matches.record.card_names import ANY, fact_in_words, name_of_card
from houle.solver.rules import Setup

FILL = 0x486F_756C_65  # the key of the world that replaces everything the seat cannot see
MOST_HIDDEN = 5  # card backs drawn in a row
HAND, MIDDLE, SEAT, FACT = "hand", "middle", "seat", "fact"


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
    return {
        "label": label,
        "cards": list(cards),
        "own": own,
        "seat": seat,
        "region": where,
        "layout": layout,
        "note": note,
    }


def line(label: str, words: str, remark: bool = False) -> Row:
    """A row of text; a long one is a remark."""
    return {"label": label, "cards": [], "text": words, "region": FACT, "remark": remark}


def tally(label: str, values: Iterable[object], drawn: str = "", most: int = 0) -> Row:
    """A value of every seat: `seat 0 3, seat 1 -1`; at the table drawn as a bar up to `most`, as rings, or as a fan."""
    numbers = list(values)
    words = ", ".join(f"seat {seat} {value}" for seat, value in enumerate(numbers))
    return {**line(label, words), "values": numbers, "drawn": drawn, "most": most}


def shown(rows: Iterable[Row]) -> list[Row]:
    """The rows that show something."""
    return [row for row in rows if row["cards"] or row.get("text")]


def hidden(number: int) -> list[Face]:
    return [{"hidden": True}] * min(number, MOST_HIDDEN)


def view_of(state: Any, setup: Setup, seat: int, names: Sequence[str] | None = None) -> list[Row]:
    """The rows of the game's view and the facts of its table, or those that follow from its declared fields."""
    if setup.game.class_view is not None:
        seen = setup.game.class_view.seen(state, setup.rules[0], seat)
        rows = shown(line(Authored(name), Authored(plain_words(value))) for name, value in seen.items())
    elif view := setup.game.table.view:
        known = Known.of(state, setup, seat)
        rows = shown([*view(known, setup), *facts(known)])
    else:
        rows = _declared_rows(Known.of(state, setup, seat)) if setup.game.declared else []
    called = seat_names(setup, seat) if names is None else names
    return [named_row(row, seat, called) for row in rows]


def plain_words(value: object) -> str:
    """A value of a class for people: lists without brackets, yes and no."""
    if isinstance(value, list | tuple):
        nested = any(isinstance(one, list | tuple) for one in value)
        return ("; " if nested else ", ").join(map(plain_words, value)) or "none"
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    return str(value)


def named_row(row: Row, viewer: int, names: Sequence[str]) -> Row:
    """A row with the names of the players."""

    def put(words: str) -> str:
        return with_names(from_1(words), names)

    owner, title = row.get("seat"), put(row["label"])
    label = title if owner is None else f"your {title}" if owner == viewer else f"{title} of {names[owner]}"
    for card in row["cards"]:
        for key in ("owner", "about", "blocked"):
            if card.get(key):
                card[key] = put(card[key])
        if card.get("pointing"):
            card["pointing"] = [put(who) for who in card["pointing"]]
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
    """A move in words; games whose move names are codes have their own."""
    words = setup.game.table.move_in_words
    return words(setup, move) if words else move


def facts(known: Known) -> list[Row]:
    """The facts of the table: a line for what is shared, a value of each player for the rest."""
    rows: list[Row] = []
    for group in known.setup.game.seen.groups(known.setup) if known.setup.game.seen else ():
        for part in group.parts:
            if not part.fact:
                continue
            if group.of == SHARED:
                value = known[part.name]
                words = f"seat {value}" if part.form == SEAT_NUMBER else part.said[value] if part.said else ""
                rows.append(line(part.fact, words or str(value + part.first)))
                continue
            values, label = known.each(part.name), part.fact
            if group.of == SIDES:  # every player has the value of the own side
                label = f"team {label}" if len(values) < known.setup.players else label
                values = [values[int(side)] for side in known.setup.rules[0].side[: known.setup.players]]
            rows.append(tally(label, [value + part.first for value in values], "fan" if part.name == "cards" else ""))
    return rows


def _declared_rows(known: Known) -> list[Row]:
    """Every field that the viewer sees; cards that it does not see face down, with what is known about them."""
    rows: list[Row] = []
    groups = list(known.setup.game.seen.groups(known.setup)) if known.setup.game.seen else []
    about = {part.of: part for group in groups for part in group.parts if _is_about_places(part)}
    for group in groups:
        for one in group.parts:
            if not one.line or one.line in COUNTED or _is_about_places(one):
                continue
            if group.of != SHARED and one.form == NUMBER:
                rows.append(tally(one.line, known.each(one.name)))
                continue
            seats = [seat for seat in range(known.setup.players) if seat != known.seat] + [known.seat]
            for seat in seats if group.of != SHARED else [-1]:
                part = one.others if one.others and seat != known.seat else one
                facts = known[about[one.name].name, seat] if one.name in about else ()
                words = [fact_in_words(known.setup, about[one.name].each, cards) for cards in facts]
                shown_row = _field(part, known[one.name, seat], seat if seat >= 0 else None, known, words=words)
                mine = one.others is not None and seat == known.seat
                rows.append({**shown_row, "own": True, "region": HAND} if mine else shown_row)
    return shown(rows)


def _is_about_places(part: Part) -> bool:
    """Whether it is what is known about each card of a row, which is shown on the cards."""
    return part.form == FACTS and part.width != part.each


def _field(part: Part, value: Any, seat: int | None, known: Known, words: list[str]) -> Row:
    """A field as a row of cards, or as words."""
    whose = "" if seat is None else f" of seat {seat}"
    if part.form == FACTS:
        return line(f"{part.line}{whose}", ", ".join(fact_in_words(known.setup, part.each, cards) for cards in value))
    faces: list[Face]
    in_places = part.others is not None and part.others.form == ROW  # the seat's own row, which the others see
    if part.form in (CARDS, ROW):
        names = [name_of_card(known.setup, card) for card in value]
        faces = [{"top": name, "typed": name} for name in names]
    elif part.form != COUNT:
        return line(part.line, " ".join(map(str, value)) if isinstance(value, list) else str(value))
    elif words or in_places:
        faces = [{"hidden": True, "top": str(place + 1)} if in_places else {"hidden": True} for place in range(value)]
    else:
        return row(part.line, hidden(value), seat=seat) if seat is not None else line(part.line, f"{value} cards")
    for face, fact in zip(faces, words, strict=False):
        if fact != ANY:
            face["known"] = fact
    return row(part.line, faces, seat=seat)
