"""VAGUE VERTE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable

from houle.solver.compiler.types import State
from houle.solver.games.vague_verte.play import action_kinds
from houle.solver.games.vague_verte.state import DRAW, DRAW_FACEUP, DRAW_STOCK, MAX_CARDS, ROAD, ROW, build_deck
from houle.solver.games.vague_verte.text import counted, squares_of
from houle.solver.matches.known import Known
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, line, row, tally
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


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    viewer, squares, deck = known.seat, int(setup.rules[0].road), build_deck(setup.options)
    laying = [kind for kind in action_kinds(setup, viewer) if kind < DRAW_STOCK]

    def onto(target: int) -> tuple[int, ...]:
        """All moves of a card to a target."""
        return tuple(kind for kind in laying if kind // MAX_CARDS == target)

    def lane(seat: int) -> list[Face]:
        road = squares_of(known, seat)
        faces = [_face(square[-1]) | {"about": "a breakdown, towed" if len(square) > 1 else ""} for square in road]
        faces += [{"empty": True, "top": str(place)} for place in range(len(road) + 1, squares + 1)]
        # Where cards go: the end of another road is a target, the next square of the own one is driven to.
        moves = onto(ROAD + seat)
        ends = {len(road) - 1: moves, len(road): moves} if road else {}
        if seat == viewer:
            tows = tuple(kind for kind in moves if deck[kind % MAX_CARDS] == "tow")
            ends = {len(road) - 1: tows, len(road): tuple(kind for kind in moves if kind not in tows)}
        return [one | {"moves": ends.get(place, ())} for place, one in enumerate(faces)]

    def light(place: int) -> Face:
        moves = onto(ROW + place)
        if place - 1 not in known["red lights"]:
            return {"name": f"row {place}", "empty": True, "top": str(place), "moves": moves}
        return _face("red light") | {"about": f"bars the way beyond row {place}", "moves": moves}

    lights = [light(place) for place in range(1, squares + 1)]
    rows = [row("lights", lights, True, region=MIDDLE, layout="lane")]
    order = [(viewer + step) % setup.players for step in range(setup.players)]
    for seat in [*order[1:], viewer]:
        rows.append(row("road", lane(seat), True, seat=seat, region=MIDDLE, layout="lane"))
    top = [_face(deck[card]) | {"typed": deck[card], "moves": (DRAW_FACEUP,)} for card in known["face-up pile"][-1:]]
    rows.append(row("face-up pile", top, True, region=MIDDLE))
    stock: Face = {"hidden": True, "top": str(known["stock"]), "about": "cards in the stock", "moves": (DRAW_STOCK,)}
    rows.append(row("stock", [stock] if known["stock"] else [], True, region=MIDDLE))
    hand = [
        _face(deck[card])
        | {
            "typed": deck[card],
            "moves": tuple(kind for kind in laying if kind % MAX_CARDS == card),
            "blocked": "first draw a card" if known["step"] == DRAW else _blocked(known, deck, deck[card]),
        }
        for card in counted(known["hand", viewer])
    ]
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    rows.append(line("round", f"{known['turns'] // setup.players + 1}"))
    rows.append(line("goal", f"be the first to fill {squares} squares"))
    if any(known.each("misses")):
        rows.append(tally("turns to miss", known.each("misses")))
    return rows


def _face(name: str) -> Face:
    """A card as it is drawn: cars with their number, lights as lights."""
    kind, _, rest = name.partition(" ")
    if name.endswith("light"):
        return {"name": name, "paint": "black", "icon": ICONS["light"], "lamp": kind, "about": ABOUT[name]}
    colour, _, number = rest.partition(" ")
    words = f"{colour} {kind}" if colour else kind
    one: Face = {"name": words, "paint": colour or "paper", "icon": ICONS[kind], "about": ABOUT[kind]}
    return one | {"top": number} if number else one


def _blocked(known: Known, deck: list[str], name: str) -> str:
    """Why a card can only be discarded, if that is so."""
    filled, kind = known["squares", known.seat], name.partition(" ")[0]
    if not filled:
        return "" if kind == "car" else "your first card must be a car"
    if deck[known["last card", known.seat]].startswith("breakdown") and kind in ("car", "ambulance"):
        return "your road needs a tow"
    if kind == "car":
        barred = filled - 1 in known["red lights"]
        return f"the red light at row {filled} stops you" if barred else "it must match your last car"
    if name.endswith("light"):
        return "there is no red light" if kind == "green" else "every row has a red light"
    if kind in ("breakdown", "ducks"):
        return _no_target(known, deck, name)
    return {"tow": "your road has no breakdown", "ambulance": "no red light stops you"}[kind]


def _no_target(known: Known, deck: list[str], name: str) -> str:
    """Why no other road can be attacked."""
    kind, _, colour = name.partition(" ")
    wanted = f"car {colour} " if kind == "breakdown" else ""
    roads = [(deck[card], known["squares", seat]) for seat, card in enumerate(known.each("last card"))
             if seat != known.seat and card >= 0 and deck[card].startswith(wanted)]  # fmt: skip
    if not roads:
        return f"no other road ends with a {colour} car" if wanted else "no other road has begun"
    lengths = [filled for last, filled in roads if wanted or not last.startswith("breakdown")]
    if not lengths:
        return "ducks do not go on a breakdown"
    if all(filled - 1 in known["red lights"] for filled in lengths):
        return "a red light protects the next square"
    return "the last square cannot be attacked, as we read the rules"


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.turns) // setup.players + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: cards that others draw from the stock are not shown."""
    unseen = action == DRAW_STOCK and not Known.of(after, setup, viewer)["drawn"]
    return ["draws a card"] if unseen else list(events)
