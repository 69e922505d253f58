"""VAGUE VERTE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.vague_verte.state import DRAW_STOCK, build_deck
from houle.solver.games.vague_verte.text import snapshot
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, line, row, shown, tally
from houle.solver.rules import Setup

CAR = "M2 15v-4l3-1 3-4h8l3 4 3 1v4h-3a2 2 0 0 0-4 0H9a2 2 0 0 0-4 0zM5 17a2 2 0 1 0 4 0zM15 17a2 2 0 1 0 4 0z"
ICONS = {
    "car": CAR,
    "breakdown": "M12 3l10 18H2zM11 9v6h2V9zM11 17v2h2v-2z",
    "tow": "M5 20h6v-2H9V7l7-3v6a2 2 0 1 0 3 2l-1-1V2L7 6v12H5z",
    "ambulance": "M2 6h12v3h4l4 4v5h-3a2 2 0 0 0-4 0H9a2 2 0 0 0-4 0H2zM7 8v2H5v2h2v2h2v-2h2v-2H9V8z",
    "ducks": "M14 5a3 3 0 0 1 5 2l3 1-3 1q-1 1-1 2 2 7-6 7H8q-6 0-5-6 2 3 6 1 5-1 5-5z",
    "light": "M9 2h6a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-2v4h-2v-4H9a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z",
}
ABOUT = {
    "car": "goes on the next square of your road",
    "breakdown": "stops a road that ends with a car of this colour",
    "tow": "removes the breakdown on your road",
    "ambulance": "drives past the red light that stops you",
    "ducks": "fill a square of another road and cost a turn",
    "red light": "stops everyone who has not passed its row",
    "green light": "removes a red light",
}


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen, squares = snapshot(state, setup), int(setup.rules[0].road)
    deck = build_deck(setup.options)

    def lane(seat: int) -> list[Face]:
        road = seen["roads"][seat]
        squares_of = [
            _face(deck[square[-1]]) | {"about": "a breakdown, towed" if len(square) > 1 else ""} for square in road
        ]
        squares_of += [{"empty": True, "top": str(place)} for place in range(len(road) + 1, squares + 1)]
        # Where cards go: the end of another road is a target, the next square of the own one is driven to.
        if seat != viewer:
            ends = {len(road) - 1, len(road)} if road else set()
            return [
                one | ({"move": f"on seat {seat}"} if place in ends else {}) for place, one in enumerate(squares_of)
            ]
        moves = {len(road): ("play car", "play ambulance"), len(road) - 1: ("play tow",)}
        return [one | {"move": moves.get(place, ())} for place, one in enumerate(squares_of)]

    lights = [
        {"name": "red light" if number >= 0 else f"row {place}", "move": f"row {place}"}
        | ({"paint": "black", "icon": ICONS["light"], "lamp": "red", "about": f"bars the way beyond row {place}"}
           if number >= 0 else {"empty": True, "top": str(place)})
        for place, number in enumerate(seen["lights"], 1)
    ]  # fmt: skip
    rows = [row("lights", lights, True, region=MIDDLE, layout="lane")]
    order = [(viewer + step) % setup.players for step in range(setup.players)]
    for seat in [*order[1:], viewer]:
        rows.append(row("road", lane(seat), True, seat=seat, region=MIDDLE, layout="lane"))
    top = [_face(deck[number]) | {"move": "draw face-up"} for number in seen["faceup"][-1:]]
    rows.append(row("face-up pile", top, True, region=MIDDLE))
    stock = [{"hidden": True, "top": str(len(seen["stock"])), "about": "cards in the stock", "move": "draw stock"}]
    rows.append(row("stock", stock if seen["stock"] else [], True, region=MIDDLE))
    drawing = "first draw a card" if seen["stage"] == "draw" else ""
    hand = [
        _face(deck[number]) | {"move": deck[number], "blocked": drawing or _blocked(deck, deck[number], seen, viewer)}
        for number in seen["hands"][viewer]
    ]
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    rows.append(line("round", f"{seen['turn'] // setup.players + 1}"))
    rows.append(line("wins", f"the first road with {squares} squares"))
    rows.append(tally("squares", [len(road) for road in seen["roads"]]))
    rows.append(tally("cards", [len(hand) for hand in seen["hands"]]))
    if any(seen["missed"]):
        rows.append(tally("turns to miss", seen["missed"]))
    return shown(rows)


def _face(name: str) -> Face:
    """A card as it is drawn: cars with their number, lights as lights."""
    kind, _, rest = name.partition(" ")
    if name.endswith("light"):
        lamp = kind
        return {"name": name, "paint": "black", "icon": ICONS["light"], "lamp": lamp, "about": ABOUT[name]}
    colour, _, number = rest.partition(" ")
    words = f"{colour} {kind}" if colour else kind
    one = {"name": words, "paint": colour or "paper", "icon": ICONS[kind], "about": ABOUT[kind]}
    return one | ({"top": number} if number else {})


def _blocked(deck: list[str], name: str, seen: dict[str, Any], viewer: int) -> str:
    """Why a card can only be discarded, if that is so."""
    road, kind = seen["roads"][viewer], name.partition(" ")[0]
    barred = bool(road) and seen["lights"][len(road) - 1] >= 0
    broken = bool(road) and deck[road[-1][-1]].startswith("breakdown")
    if not road:
        return "" if kind == "car" else "your first card must be a car"
    if broken and kind in ("car", "ambulance"):
        return "your road needs a tow"
    if kind == "car":
        return f"the red light at row {len(road)} stops you" if barred else "it must match your last car"
    if name.endswith("light"):
        return "there is no red light" if kind == "green" else "every row has a red light"
    if kind in ("breakdown", "ducks"):
        return _no_target(deck, name, seen, viewer)
    return {"tow": "your road has no breakdown", "ambulance": "no red light stops you"}[kind]


def _no_target(deck: list[str], name: str, seen: dict[str, Any], viewer: int) -> str:
    """Why no other road can be attacked."""
    kind, _, colour = name.partition(" ")
    roads = [road for seat, road in enumerate(seen["roads"]) if seat != viewer and road]
    ends = f"car {colour} " if kind == "breakdown" else ""
    roads = [road for road in roads if deck[road[-1][-1]].startswith(ends)]
    if not roads:
        return f"no other road ends with a {colour} car" if ends else "no other road has begun"
    if not ends:
        roads = [road for road in roads if not deck[road[-1][-1]].startswith("breakdown")]
    if not roads:
        return "ducks do not go on a breakdown"
    if all(seen["lights"][len(road) - 1] >= 0 for road in roads):
        return "a red light protects the next square"
    return "the last square cannot be attacked, as we read the rules"


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.turns) // setup.players + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: cards that others draw from the stock are not shown."""
    unseen = action == DRAW_STOCK and int(before.mover) != viewer
    return ["draws a card"] if unseen else list(events)
