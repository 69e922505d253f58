"""The lines of a position, made of what a seat knows, and the plain half of reading them.

A part of the table (interface/seen.py) with a `line` is a line. Parts whose line has a syntax of its own, such as hands
with unknown cards, are written by the game: LINES in position.py names their functions.
"""

from __future__ import annotations

from typing import Any

from houle.solver.compiler.types import State
from houle.solver.interface import seen
from houle.solver.interface.seen import CARDS, CHOICE, COUNT, FLAG, LIST, MARK, NUMBER, ROW, SEAT, SHARED, SIDES, Part
from houle.solver.language.seats import from_1
from houle.solver.matches.known import Known
from houle.solver.matches.record.card_names import fact_in_words, name_of_card
from houle.solver.matches.record.line_parser import Lines, Places
from houle.solver.rules import Setup


def known_lines(known: Known) -> Places:
    """What a seat knows, a line per part, in the order of the table."""
    game = known.setup.game
    assert game.seen is not None
    own, places = game.positions.LINES, Places()
    for group in game.seen.groups(known.setup):
        for who in about(known.setup, group.of):
            for one in group.parts:
                part = one.others if one.others and who != known.seat else one
                if (part.name, who) not in known:
                    continue  # what is seen only of others
                if part.name in own:
                    places |= own[part.name](known, who)
                elif part.line:
                    value = known[part.name, who]
                    none = value < 0 if part.form in (MARK, SEAT) else not value
                    if not (none and part.optional):
                        places[title(known.setup, group.of, who, part.line)] = words_of_value(part, value, known.setup)
    return places


def about(setup: Setup, of: str) -> list[int]:
    """The seats or sides that a group of parts is about; -1 for nobody."""
    rules = setup.rules[0]
    return [-1] if of == SHARED else list(range(int(rules.sides if of == SIDES else rules.seats)))


def title(setup: Setup, of: str, who: int, line: str) -> str:
    """The name of a line: `seat 2 level`, `team 1 points`."""
    if of == SHARED:
        return line
    return f"{from_1(setup.game.side_names(setup)[who][0]) if of == SIDES else f'seat {who + 1}'} {line}"


def words_of_value(part: Part, value: Any, setup: Setup) -> list[str]:
    """The words of a value."""
    if part.form == FLAG:
        return ["yes"]
    if part.form == CHOICE:
        return [part.said[value]]
    if part.form in (MARK, CARDS, ROW):
        cards = [value] * (value >= 0) if part.form == MARK else value
        return [part.said[card] if part.said else name_of_card(setup, card) for card in cards]
    if part.form == seen.FACTS:
        return [fact_in_words(setup, part.each, cards) for cards in value]
    if part.form == COUNT:
        return [f"{value} ?"] if value else []
    if part.form == SEAT:
        return [str(value + 1)] if value >= 0 else []
    return [str(one + part.first) for one in (value if part.form == LIST else [value])]


def read_plain(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Reads the lines of numbers, seats and words that are fields of the state; a seat is by default the given one."""
    for group in setup.game.seen.groups(setup) if setup.game.seen else ():
        for who in about(setup, group.of):
            for part in group.parts:
                if part.line and isinstance(part.get, str) and part.name not in setup.game.positions.LINES:
                    value = _read(lines, title(setup, group.of, who, part.line), part, setup, seat=seat)
                    if value is None:
                        continue
                    if who < 0:
                        state[part.get] = value
                    else:
                        state[part.get][who] = value


def _read(lines: Lines, place: str, part: Part, setup: Setup, seat: int) -> int | None:
    """The value of a plain line, or its default; None for forms that the game reads."""
    if part.form == NUMBER:
        return lines.number(place, part.first, seen.size_of(part.most, setup.rules[0]), part.first) - part.first
    if part.form == SEAT:
        return lines.seat(place, setup.players, seat)
    if part.form == FLAG:
        return int(lines.yes(place))
    if part.form == CHOICE:
        return part.said.index(lines.word(place, part.said, part.said[0]))
    return None
