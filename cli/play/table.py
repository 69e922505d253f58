"""The table as data for the templates: what is always in sight, the players around, the middle, the hand, the moves.

A card that means moves is a button. Its accessible name says what it is, what it does, and its move, or why it cannot
be played. A card with several moves is tapped first; then another card tells them apart, such as the road it goes on.
The list of moves shows what no cards tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import combinations, groupby
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from houle.analysis.play.seat_view import TRAIL, Choice, SeatView
from houle.analysis.play.table_game import PERSON
from houle.analysis.players.named_players import named_players
from houle.cli.web.languages import here
from houle.reports.cards import PAINTS, face, fan
from houle.solver.matches.views import FACT, HAND, MIDDLE, SEAT, Face, Row
from houle.solver.texts import count_of

# How simulated players play, after their names: `Moana plays like a family`. Others keep their names.
KINDS = {
    "random": "plays at random",
    "first-game": "plays a first game",
    "family": "plays like a family",
    "regular": "plays often",
    "seasoned": "has played a lot",
    "expert": "thinks ahead",
    "thumb": "follows simple rules",
    "tree-searcher": "plans far ahead",
}
# One key per move. Letters that mean something else are left out: hint, link, moves, new game, undo.
KEYS = "123456789abcdefgijkopqrstvwxyz"
LANE = "lane"
RISES = " < "  # between the names of an order
ARROWS = {"clockwise": "↻", "anticlockwise": "↺"}


def table_of(view: SeatView) -> dict[str, Any]:
    """Everything on the table as a seat sees it."""
    others = [(view.seat + step) % len(view.names) for step in range(1, len(view.names))]
    everyone: dict[int | None, Any] = {seat: _player(view, seat) for seat in others}
    on_lanes = {row["seat"] for row in _in(view.rows, MIDDLE) if row["layout"] == LANE}
    seated = [player for seat, player in everyone.items() if seat not in on_lanes]
    lines = [row for row in _in(view.rows, FACT) if "values" not in row]
    hand = groups_of(_in(view.rows, HAND), view.choices)
    middle, me = groups_of(_in(view.rows, MIDDLE), view.choices, everyone), _player(view, view.seat)
    drawn = [*middle, *me["groups"], *hand, *(part for player in everyone.values() for part in player["groups"])]
    cards = [card for part in drawn for row in part["rows"] for card in row["cards"] if card["places"]]
    return {
        "facts": [_fact(row) for row in lines if not row.get("remark")],
        "remarks": [{"label": row["title"], "text": row["text"]} for row in lines if row.get("remark")],
        "players": seated,
        "me": me,
        # Up to three players without cards before them sit around the middle, unless a long trail lies there.
        "around": 0 < len(seated) <= 3
        and not any(player["groups"] for player in seated)
        and all(part["layout"] != TRAIL for part in middle),
        "middle": middle,
        "hand": hand,
        "choices": [
            {
                "place": one.place,
                "words": one.words,
                "key": KEYS[i] if i < len(KEYS) else "",
                "carded": _on_cards(one.place, cards),
            }
            for i, one in enumerate(view.choices)
        ],
    }


def _on_cards(place: int, cards: list[dict[str, Any]]) -> bool:
    """Whether a move can be made by one card that means it alone, or by two that have only this move in common."""
    meant = [card for card in cards if place in card["places"]]
    pairs = combinations((set(card["places"]) for card in meant), 2)
    return any(card["at_once"] for card in meant) or any(one & other == {place} for one, other in pairs)


def _fact(row: Row) -> dict[str, Any]:
    """A line of the table; an order of colours is a strip of them, and a direction has its arrow."""
    parts = row["text"].split(RISES)
    chips = parts if len(parts) > 1 and all(part in PAINTS for part in parts) else []
    return {"label": row["title"], "text": row["text"], "chips": chips, "arrow": ARROWS.get(row["text"], "")}


def _in(rows: Iterable[Row], region: str) -> list[Row]:
    return [row for row in rows if row["region"] == region]


def _player(view: SeatView, seat: int) -> dict[str, Any]:
    """What lies before a player, and the player's numbers."""
    rows = [row for row in _in(view.rows, SEAT) if row["seat"] == seat]
    tallies = [_tally(row, seat) for row in _in(view.rows, FACT) if "values" in row]
    return {
        "seat": seat,
        "name": view.names[seat],
        "tallies": tallies,
        "groups": groups_of(rows, view.choices),
        "fan": next((Markup(fan(int(one["value"]))) for one in tallies if one["drawn"] == "fan"), ""),
        "acts": seat == view.acts,
        "whom": seat == view.whom,
    }


def _tally(row: Row, seat: int) -> dict[str, Any]:
    """A number of a player; as a bar or as rings where the game says so."""
    value, most = row["values"][seat], row.get("most", 0)
    drawn = row.get("drawn", "") if str(value).isdigit() else ""
    full = round(100 * min(1, int(value) / most)) if drawn == "bar" and most else 0
    return {"label": row["title"], "value": value, "drawn": drawn, "full": full}


def kind_of(strategy: str) -> str:
    """Whom a computer plays like, in words; empty for a person."""
    if strategy == PERSON:
        return ""
    name = next((one.name for one in named_players() if strategy in (one.name, one.strategy)), strategy)
    return KINDS.get(name, name)


def groups_of(
    rows: Iterable[Row], choices: tuple[Choice, ...] = (), players: Mapping[int | None, Any] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Rows that are drawn together: lanes lie one above the other, each with the numbers of its player."""
    groups = []
    for layout, part in groupby(rows, key=lambda row: row["layout"]):
        drawn = [_row(row, choices) | {"player": players.get(row["seat"])} for row in part]
        groups += (
            [{"layout": layout, "rows": drawn}]
            if layout == LANE
            else [{"layout": layout, "rows": [one]} for one in drawn]
        )
    return groups


def _row(row: Row, choices: tuple[Choice, ...]) -> dict[str, Any]:
    cards = [_card(card, choices if row.get("own") else ()) for card in row["cards"]]
    columns = [list(part) for _, part in groupby(cards, key=lambda card: card["column"])]
    short = row["title"] if row["region"] == SEAT else row["label"]
    return {"label": short, "note": row.get("note", ""), "cards": cards, "columns": columns, "seat": row["seat"]}


def _card(card: Face, choices: tuple[Choice, ...]) -> dict[str, Any]:
    """A card, drawn, with the moves that it can mean."""
    meant = [one for one in choices if one.kind in card.get("moves", ())]
    discards = all(choice.name.startswith("discard ") for choice in meant)
    about, blocked = card.get("about", ""), card.get("blocked", "") if discards else ""
    name = _as_drawn(spoken_name(card), card)
    parts = [", ".join(filter(None, [name, about])), *(f"cannot be played: {why}" for why in [blocked] if why)]
    typed = card.get("typed", "")
    named = typed if set(typed.split()) == set(name.partition(",")[0].split()) else ""
    for choice in meant[:3]:  # the name is not repeated: `red 3; play`
        parts.append(re.sub(rf"^(play|discard) {re.escape(named)}", r"\1", choice.words) if named else choice.words)
    parts += [count_of(len(meant) - 3, "more move")] if len(meant) > 3 else []
    return {
        "svg": "" if card.get("wide") else Markup(face(card, here().say)),
        "wide": bool(card.get("wide")),
        "paint": card.get("paint", "paper"),
        "title": card.get("name", ""),
        "about": about,
        "blocked": blocked,
        "empty": bool(card.get("empty")),
        "hidden": bool(card.get("hidden")),
        "owner": card.get("owner", ""),
        "places": [choice.place for choice in meant],
        "sends": meant[0].by(typed) if len(meant) == 1 else "",  # a card's twin makes its own move
        "at_once": len(meant) == 1 and not blocked,  # a click plays it; nothing is discarded by surprise
        "words": "; ".join(parts),
        "say": "; ".join(filter(None, [f"{name}, {about}" if about else "", blocked and f"not now: {blocked}"])),
        "column": card.get("column", 0),
    }


def _as_drawn(name: str, card: Face) -> str:
    """The name of a card as its face shows it, the number first: people say to a computer what they read.

    French names have their number first already.
    """
    both = [str(card.get(part, "")) for part in ("name", "top")]
    drawn = not card.get("hidden") and not card.get("empty") and all(both) and here().page and not here().words
    return name.replace(" ".join(both), " ".join(reversed(both)), 1) if drawn else name


def spoken_name(card: Face) -> str:
    """What a card is called."""
    if card.get("hidden"):
        name = f"face-down card {card['top']}" if card.get("top") else "a face-down card"
    elif card.get("empty"):
        name = str(card.get("name") or f"empty place {card.get('top', '')}".strip())
    else:
        name = " ".join(str(card[part]) for part in ("name", "top") if card.get(part))
    mark = "reverse" if card.get("mark") == "reverse" else ""
    pointing = f"pointed at by {' and '.join(card['pointing'])}" if card.get("pointing") else ""
    owner = f"played by {card['owner']}" if card.get("owner") else ""
    known = f"known: {card['known']}" if card.get("known") else ""
    return ", ".join(filter(None, [name, known, mark, pointing, owner]))
