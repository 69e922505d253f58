"""A position at the table as rows of card faces, as the player to move sees it: what the drawings of a report show.

Rows are {"label", "cards"}; a card is a face of reports/html/cards.py. What the player may not see lies face down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from houle.solver.games.sea_change.state import COLOURS, MAX_VALUES
from houle.solver.games.sea_change.text import card_name as sea_change_card
from houle.solver.games.vague_attaque.state import FIRST_ARTEFACT, FIRST_ENCOUNTER, FIRST_PLACE
from houle.solver.games.vague_attaque.text import card_name as attaque_card
from houle.solver.games.vague_verte.state import build_deck
from houle.solver.games.wave.state import DUMMY, OPEN, SILENT
from houle.solver.games.wave.text import card_name as wave_card
from houle.solver.position import Table

Row = dict[str, Any]
Face = dict[str, Any]
MOST_HIDDEN = 5  # backs drawn in a row; more would only say how many there are


def position_rows(table: Table, best: str = "", other: str = "") -> list[Row]:
    """The position; the cards of the two moves, given by their names, are ringed."""
    draw = {
        "wave": _wave,
        "sea-change": _sea_change,
        "land-unter": _land_unter,
        "vague-verte": _vague_verte,
        "vague-attaque": _vague_attaque,
    }[table.setup.ruleset.name]
    rows = draw(table)
    own = [card for row in rows if row.pop("own", False) for card in row["cards"]]
    for ring, move, rival in (("best", best, other), ("other", other, best)):
        meant = [card for card in own if move and card.get("move") and _mentions(move, card["move"])]
        # Where both moves are made with the same card, what tells them apart is ringed instead, a row say.
        meant = [card for card in meant if not _mentions(rival, card["move"])] or meant
        for card in meant:
            if not card.get("ring"):
                card["ring"] = ring
                break
    for row in rows:
        for card in row["cards"]:
            card.pop("move", None)
    return rows


def move_in_words(table: Table, move: str) -> str:
    """A move with Vague & Attaque's cards by the names of the deck; seats are counted from 0, as in all moves."""
    if table.setup.ruleset.name != "vague-attaque":
        return move
    cards = table.setup.options["deck"].cards

    def name(match: re.Match[str]) -> str:
        return str(cards[match[1]][int(match[2])]["name"])

    return re.sub(r"\b(souvenir|encounter) (\d+)", name, move)


def _mentions(move: str, card: str) -> bool:
    return f" {card} " in f" {move} "


def _row(label: str, cards: Iterable[Face], own: bool = False) -> Row:
    return {"label": label, "cards": list(cards), "own": own}


def _line(label: str, words: str) -> Row:
    """What is told rather than drawn."""
    return {"label": label, "cards": [], "text": words}


def _by_player(values: Iterable[object], viewer: int) -> str:
    """`you 3, player 2 -1`."""
    return ", ".join(
        f"{'you' if seat == viewer else f'player {seat + 1}'} {value}" for seat, value in enumerate(values)
    )


def _shown(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["cards"] or row.get("text")]


def _hidden(number: int) -> list[Face]:
    return [{"hidden": True}] * min(number, MOST_HIDDEN)


def _wave(table: Table) -> list[Row]:
    setup, seen, rules = table.setup, table.snapshot(), table.setup.rules[0]
    viewer, acting = table.to_move(), seen["acting"]

    def card(number: int) -> Face:
        name = wave_card(setup, number)
        colour, _, top = name.rpartition(" ")
        mark = "reverse" if int(rules.reverse) >> number & 1 else ""
        return {"top": top, "name": colour, "paint": colour, "mark": mark, "move": name}

    def cards(numbers: list[int], shown: bool) -> list[Face]:
        return [card(number) for number in numbers] if shown else _hidden(len(numbers))

    on_pile = [card(seen["top"])] if seen["top"] >= 0 else _hidden(1)
    rows = [_row("to beat", on_pile)]
    if seen["virage"] >= 0:
        rows.append(_row("Virage card", [card(seen["virage"])]))
    for step in range(int(rules.seats)):
        seat = (acting + step) % int(rules.seats)
        dummy = bool(rules.dummy) and seat == DUMMY
        who = "dummy" if dummy else "you" if seat == viewer else f"surfer {seat + 1}"
        front = dummy or seat == viewer or rules.talk == OPEN
        back = not dummy and (seat != viewer or rules.talk != SILENT)
        rows.append(_row(f"{who}, front", cards(seen["front"][seat], front), seat == acting))
        rows.append(_row(f"{who}, back", cards(seen["back"][seat], back), seat == acting))
    rows.append(_line("cards laid", f"{seen['laid']}; {len(seen['pile'])} in the pile"))
    return _shown(rows)


def _sea_change(table: Table) -> list[Row]:
    seen, viewer = table.snapshot(), table.to_move()

    def card(number: int) -> Face:
        colour = COLOURS[number // MAX_VALUES]
        return {"top": str(number % MAX_VALUES), "name": colour, "paint": colour, "move": sea_change_card(number)}

    trump = [] if seen["trump"] < 0 else [{"name": COLOURS[seen["trump"]], "paint": COLOURS[seen["trump"]]}]
    gone = [number for cards in seen["captured"] for number in cards]
    colours = {colour: sorted(number % MAX_VALUES for number in gone if COLOURS[number // MAX_VALUES] == colour)
               for colour in dict.fromkeys(COLOURS[number // MAX_VALUES] for number in sorted(gone))}  # fmt: skip
    played = "; ".join(f"{colour} {', '.join(map(str, values))}" for colour, values in colours.items())
    rows = [
        _row("trump", trump),
        _row("trick so far", (card(number) for _, number in seen["trick"])),
        _row("your hand", map(card, seen["hands"][viewer]), True),
        _line("played before", played or "nothing"),
        _line("points", _by_player(seen["points"], viewer)),
    ]
    return _shown(rows)


def _land_unter(table: Table) -> list[Row]:
    seen, viewer = table.snapshot(), table.to_move()
    water = [{"top": str(value), "name": "water", "paint": "water", "move": f"take {value}"} for value in seen["water"]]
    hand = [{"top": str(value), "name": "weather", "move": f"play {value}"} for value in seen["hands"][viewer]]
    levels = []
    for seat, level in enumerate(seen["level"]):
        who = "you" if seat == viewer else f"player {seat + 1}"
        out = seen["out"][seat]
        belts = "out" if out else f"{seen['belts'][seat]} belts"
        levels.append({"top": "" if out else str(level), "name": f"{who} {belts}", "paint": "grey"})
    return [
        _row("water cards of this trick", water, True),
        _row("water levels and lifebelts", levels),
        _row("your hand", hand, True),
        _line("trick", f"{seen['trick'] + 1}"),
        _line("points", _by_player(seen["points"], viewer)),
    ]


def _vague_verte(table: Table) -> list[Row]:
    seen, viewer = table.snapshot(), table.to_move()
    deck = build_deck(table.setup.options)

    def card(number: int) -> Face:
        name = deck[number]
        painted = next((word for word in name.replace("-", " ").split() if word in ("red", "green", "blue", "yellow",
                       "orange", "white", "black", "pink", "purple")), "paper")  # fmt: skip
        return {"name": name, "paint": painted, "move": name}

    rows = [_row("face-up pile, top", map(card, seen["faceup"][-1:]))]
    lights = [
        {"top": str(row), "name": "row, red light" if number >= 0 else "row", "paint": "red" if number >= 0 else "grey",
         "move": f"row {row}"}
        for row, number in enumerate(seen["lights"], 1)
    ]  # fmt: skip
    rows.append(_row("rows of the road", lights, True))
    for seat, road in enumerate(seen["roads"]):
        who = "your road" if seat == viewer else f"road of player {seat + 1}"
        rows.append(_row(who, (card(square[-1]) for square in road)))
    rows.append(_row("your hand", map(card, seen["hands"][viewer]), True))
    rows.append(_line("cards left to draw", f"{len(seen['stock'])}"))
    return _shown(rows)


def _vague_attaque(table: Table) -> list[Row]:
    seen, viewer = table.snapshot(), table.to_move()
    cards = table.setup.options["deck"].cards

    def card(number: int) -> Face:
        move = attaque_card(number) if number < FIRST_ARTEFACT else ""
        if number < FIRST_PLACE:
            return {"name": str(cards["souvenir"][number]["name"]), "paint": "yellow", "move": move}
        if number < FIRST_ENCOUNTER:
            return {"name": move, "paint": "sky", "move": move}
        if number < FIRST_ARTEFACT:
            return {"name": str(cards["encounter"][number - FIRST_ENCOUNTER]["name"]), "paint": "grey", "move": move}
        return {"name": str(cards["artefact"][number - FIRST_ARTEFACT]["name"]), "paint": "pink"}

    rows = [_row("your artefact", [card(seen["artefact"][viewer])])]
    if seen["pending"] >= 0:
        rows.append(_row("encounter", [card(seen["pending"])]))
    for seat, zone in enumerate(seen["zones"]):
        who = "your places" if seat == viewer else f"places of player {seat + 1}"
        rows.append(_row(who, (card(number) for place, lying in zone for number in (place, *lying)), True))
    rows.append(_row("your hand", map(card, seen["hands"][viewer]), True))
    return _shown(rows)
