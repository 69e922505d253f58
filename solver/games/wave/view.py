"""WAVE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from houle.solver.compiler.types import State
from houle.solver.games.wave.board import is_signal
from houle.solver.games.wave.seen import ORDERS
from houle.solver.games.wave.state import AT_NONE, BACK, DUMMY, HIDE, NONE, POINT, SWAP
from houle.solver.games.wave.text import card_name, hand_name, place_of, signal_name, signals_given
from houle.solver.matches.known import Known
from houle.solver.matches.views import HAND, MIDDLE, SEAT, Face, Row, hidden, line, row
from houle.solver.rules import Setup

CALLED = {"the dummy": "Vaimiti"}  # at the table, as the rulebook does


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, acting = setup.rules[0], known["turn"]
    if rules.nazare:
        rows = [_great_wave(known["wave"], setup)]
    else:
        rows = [row("to beat", [_card(known["top"], setup)])]
    if rules.virage and known["virage"] >= 0:
        rows.append(row("Virage card", [_card(known["virage"], setup)]))
    for step in range(int(rules.seats)):
        seat = (acting + step) % int(rules.seats)
        front, back = _hand(known, setup, seat)
        if rules.dummy and seat == DUMMY:
            rows.append(row("Vaimiti, face up", front, seat == acting, region=HAND if seat == acting else MIDDLE))
            rows.append(row("Vaimiti, face down", back))
            continue
        for label, faces in (("front", front), ("back", back)):
            rows.append(row(label, faces, seat == acting, seat=seat, region=HAND if seat == known.seat else SEAT))
    if rules.nazare:
        rows.append(line("to beat", _to_beat(known["wave"], setup)))
    if rules.signals:
        rows.append(line("pointing", _signals(known, setup)))
    inverted = [ORDERS[what] for what in known["inverted"]] if "inverted" in known else []
    colours = list(setup.options["deck.colours"])
    rows.append(line("colours rise", " < ".join(reversed(colours) if "colours" in inverted else colours)))
    laid = f"{known['cards laid'] + 1} of {int(rules.deck_size)}"
    return [*rows, line("cards laid", laid), line("inverted", "; ".join(inverted))]


def _card(number: int, setup: Setup) -> Face:
    name = card_name(setup, number)
    colour, _, top = name.rpartition(" ")
    mark = "reverse" if int(setup.rules[0].reverse) >> number & 1 else ""
    return {"top": top, "name": colour, "paint": colour, "mark": mark, "typed": name}


def _hand(known: Known, setup: Setup, seat: int) -> tuple[list[Face], list[Face]]:
    """The front of a hand, by card, and its back, by place."""
    places, back = known["places", seat], known["back places", seat]
    front = [place for place, card in enumerate(places) if card and place not in back]
    seen = sorted((place for place in front if places[place] > 0), key=places.__getitem__)
    faces = [_face(known, setup, seat, place) for place in seen] + hidden(len(front) - len(seen))
    if setup.rules[0].dummy and seat == DUMMY:
        return faces, hidden(len(back))
    return faces, [_face(known, setup, seat, place) for place in back]


def _face(known: Known, setup: Setup, seat: int, place: int) -> Face:
    """A card of a hand, with the moves that it can mean; an unseen card has its place as a number."""
    card, in_back = known["places", seat][place] - 1, place in known["back places", seat]
    face: Face = _card(card, setup) if card >= 0 else {"hidden": True, "top": str(place + 1)}
    if seat != known["turn"]:
        return face
    code = BACK + place if in_back else card
    face["moves"] = tuple(what + code for what in (0, HIDE, SWAP, POINT))
    if setup.rules[0].signals:
        face |= {"place": str(place + 1)} if in_back and card >= 0 else {}
        pointing = [f"seat {adviser}" for adviser, signal in signals_given(known) if signal == code]
        face |= {"pointing": pointing} if pointing else {}
    of_another = seat != known.seat and seat < setup.players
    if known["to move"] == known.seat and not of_another:
        face["blocked"] = _blocked(known, setup, card)
    return face


def _blocked(known: Known, setup: Setup, card: int) -> str:
    """Why a card cannot be played."""
    if setup.rules[0].virage and card == known["taken"] >= 0:
        return "it was taken in this turn's swap"
    if setup.rules[0].nazare:
        return "it must beat the card on its left and the card below it, in number or in colour"
    return f"neither its number nor its colour is higher than {card_name(setup, known['top'])}"


def _signals(known: Known, setup: Setup) -> str:
    """Where the others point, in words."""
    given = [(seat, "no card: a front card seems better" if code == AT_NONE else signal_name(setup, code, "card "))
             for seat, code in signals_given(known)]  # fmt: skip
    return "; ".join(f"seat {seat} points at {what}" for seat, what in given)


def move_in_words(setup: Setup, move: str) -> str:
    """`point 4` -> `point at card 4`; unseen cards by the number on their back, `hide` and `swap` in full."""
    move = re.sub(r"the card @(\d)", r"card \1", move)
    verb, _, what = move.partition(" ")
    if verb == "point":
        return "point at no card" if what == "none" else f"point at {'card ' if what.isdigit() else ''}{what}"
    return {"hide": f"lay {what} face down", "swap": f"swap {what} for the Virage card"}.get(verb, move)


def cards_in_places(states: Any, setup: Setup) -> Any:
    """The card in every slot of every hand, counted from 1, one row per state; 0 for an empty slot."""
    held = states.held.reshape(len(states), -1).astype(int)
    return np.where(held == NONE, 0, held + 1)


def _great_wave(cells: list[int], setup: Setup) -> Row:
    """Nazare: the columns so far, from the bottom up; the place of the next card is marked."""
    faces, cell = [], 0
    for column, height in enumerate(setup.options["heights"], 1):
        for _ in range(height):
            if cell < len(cells):
                one = _card(cells[cell], setup) if cells[cell] >= 0 else {"hidden": True}
            else:
                one = {"empty": True, "name": "next" if cell == len(cells) else ""}
            faces.append(one | {"column": column})
            cell += 1
    return row("the wave", faces, layout="columns")


def _to_beat(cells: list[int], setup: Setup) -> str:
    """Nazare: what the next card must beat."""
    rules, cell = setup.rules[0], len(cells)
    if cell >= int(rules.deck_size):
        return ""
    near = [("on the left", int(rules.left[cell])), ("below", int(rules.below[cell]))]
    words = [f"{card_name(setup, cells[place])} {where}" for where, place in near
             if place != NONE and cells[place] >= 0]  # fmt: skip
    return " and ".join(words) or "nothing: any card fits"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: only its owner sees a drawn front card, the others a back card."""
    known, seat, place = Known.of(after, setup, viewer), int(before.acting), place_of(before, setup, action) - 1
    lines = [*_followed(before, setup, action, viewer), *events]
    if place < 0 or known["places", seat][place] >= 0:
        return lines
    unseen = "back" if place in known["back places", seat] else "front"
    return [f"draws a {unseen} card" if re.fullmatch(rf"draws .* as a {unseen} card", line) else line
            for line in lines]  # fmt: skip


def _followed(before: State, setup: Setup, action: int, viewer: int) -> list[str]:
    """Whether a surfer did what the viewer pointed at."""
    if not setup.rules[0].signals or is_signal(before):
        return []
    code = dict(signals_given(Known.of(before, setup, viewer))).get(viewer, AT_NONE)
    return [] if code == AT_NONE else [f"{'follows' if action == code else 'does not follow'} seat {viewer}"]


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """The card that a move laid, for the trail of the last cards; see `views`. In Nazare the wave shows them all."""
    if setup.rules[0].nazare or after.laid == before.laid:
        return None
    laid = _card(int(after.top), setup) | {"owner": hand_name(setup, int(before.acting))}
    return row("last cards", [laid], layout="trail")
