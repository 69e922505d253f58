"""A game with people as a link: the rules, the deal, who sits where, and the moves.

The head is that of records (record/head.py), so a link that is opened under other rules is refused, not misread.
A move is its index among the possible moves: one character for indices below 35, with a `z` before it for every 35
more. The deal is given by its seed, so anyone who has the link could work out all cards.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit

from houle.analysis.play.table_game import MOST_MOVES, Course, Sitting, checked_names, checked_seats
from houle.analysis.players.line_ups import names_of
from houle.solver.errors import PositionError
from houle.solver.matches.record.line_parser import read_lines
from houle.solver.matches.record.position import MOST_GAME, MOST_SEED
from houle.solver.matches.record.setup_head import read_head, write_head
from houle.solver.rules import Setup, deck_names, game_names, load, shown_value, value_text
from houle.solver.rules.game_folders import is_named

SIGNS = "0123456789abcdefghijklmnopqrstuvwxy"
MORE = "z"
MOST_SIGNS = 30_000  # characters of a whole link
DEAL, SEATS, MOVES, NAMES, START = "deal", "seats", "moves", "names", "position"
OTHERS = ("was", "open", "worlds", "side", "at")  # added by pages for themselves


def signs_of(moves: tuple[int, ...]) -> str:
    """Moves as the characters of a link."""
    return "".join(MORE * (index // len(SIGNS)) + SIGNS[index % len(SIGNS)] for index in moves)


def moves_of(signs: str) -> tuple[int, ...]:
    """The moves that the characters of a link stand for."""
    if not re.fullmatch(rf"(?:{MORE}{{0,9}}[0-9a-y])*", signs, re.ASCII):
        raise PositionError("link: moves: not a list of moves")
    indices = re.findall(rf"({MORE}*)([0-9a-y])", signs)
    if len(indices) > MOST_MOVES:
        raise PositionError(f"link: moves: more than {MOST_MOVES:,}")
    return tuple(len(more) * len(SIGNS) + SIGNS.index(sign) for more, sign in indices)


def link_of(sitting: Sitting) -> str:
    """The query part of a link."""
    head = {key: ", ".join(words) for key, words in write_head(sitting.setup).items()}
    deal = {DEAL: f"{sitting.seed}/{sitting.game}", SEATS: ",".join(sitting.seats)}
    deal |= {NAMES: ",".join(sitting.names)} if sitting.names else {}
    start = {START: sitting.start} if sitting.start else {}
    return urlencode(head | deal | {MOVES: signs_of(sitting.moves)} | start, safe="/,:")


def read_link(link: str, near: Setup | None = None) -> Course:
    """The game that a link holds; a PositionError of one line if it holds none.

    `near` is a setup that is already known, such as that of a file: it is used if the link names its digest. A link
    names no files, so a deck from a file is refused unless it is that of `near`.
    """
    if len(link) > MOST_SIGNS:
        raise PositionError(f"link: longer than {MOST_SIGNS:,} characters")
    words = urlsplit(link).query if "?" in link else link
    values: dict[str, str] = {}
    for name, value in parse_qsl(words, keep_blank_values=True, max_num_fields=200):
        if name in values:
            raise PositionError(f"link: {name[:40]!r} is there twice")
        values[name] = value
    deal, seats, signs, names, start = (values.pop(name, "") for name in (DEAL, SEATS, MOVES, NAMES, START))
    for name in OTHERS:
        values.pop(name, None)
    setup = near if near is not None and values.get("rules") == near.digest else _setup("\n".join(_lines(values)))
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})", deal, re.ASCII)
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME:
        raise PositionError("link: deal: allowed: SEED/GAME in whole numbers, as 7/3")
    who, called = checked_seats(setup, names_of(seats)), checked_names(setup, names.split(",") if names else ())
    if start:
        refuse_files(start, setup)
    return Course(Sitting(setup, int(match[1]), int(match[2]), who, moves_of(signs), called, start))


def refuse_files(text: str, near: Setup) -> None:
    """Raises PositionError if a position from a page names a deck that is neither the game's own nor that of `near`."""
    lines = read_lines(text)
    name = " ".join(lines.words("game") or [near.ruleset.name]).replace("_", "-")
    knobs = load(name).knobs if name in game_names() else {}
    for place in lines.beginning("set "):
        knob, value = place.removeprefix("set "), ", ".join(lines.words(place) or ())
        if knob not in knobs or knobs[knob].type != "deck":
            continue
        own = value_text(shown_value(near.options[knob])) if name == near.ruleset.name else ""
        if value not in (*deck_names(knobs[knob].folder), own):
            raise lines.fault(place, f"{value[:40]!r} is not allowed here; allowed: a deck of the game")


def _lines(values: dict[str, str]) -> list[str]:
    if not values:
        raise PositionError("link: it names no game")
    for name, value in values.items():
        if re.search(r"[\n\r;#:/\\]", name + value) and not (name == "game" and is_named(value)):
            raise PositionError(f"link: {name[:40]!r}: a character in it is not allowed")
    return [f"{name}: {value}" for name, value in values.items()]


@lru_cache(maxsize=64)
def _setup(head: str) -> Setup:
    """The setup that the lines of a head name."""
    lines = read_lines(head, "link")
    setup = read_head(lines)
    lines.refuse_the_rest()
    return setup
