"""A table as words of an address: the rules, the deal, who sits where, and the moves.

The head is that of records (solver/record/head.py), so a link that is opened under other rules is refused instead of
misread. A move is its place among the possible ones: one sign for places below 35, with a `z` before it for every 35
more. The deal is in it by its seed, so whoever has the link could work out all cards.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit

from houle.analysis.play.sitting import MOST_MOVES, Course, Sitting, checked_seats
from houle.analysis.sampling.lineups import names_of
from houle.solver.errors import InputError
from houle.solver.record.head import read_head, write_head
from houle.solver.record.lines import read_lines
from houle.solver.record.position import MOST_GAME, MOST_SEED
from houle.solver.ruleset import Setup

SIGNS = "0123456789abcdefghijklmnopqrstuvwxy"
MORE = "z"
MOST_SIGNS = 30_000  # of a whole link
DEAL, SEATS, MOVES = "deal", "seats", "moves"
OTHERS = ("was", "open", "worlds", "side")  # what a page adds for itself


def signs_of(moves: tuple[int, ...]) -> str:
    return "".join(MORE * (place // len(SIGNS)) + SIGNS[place % len(SIGNS)] for place in moves)


def moves_of(signs: str) -> tuple[int, ...]:
    """The moves that the signs stand for, or a RulesetError."""
    if not re.fullmatch(rf"(?:{MORE}{{0,9}}[0-9a-y])*", signs, re.ASCII):
        raise InputError("link: moves: these are no moves")
    found = re.findall(rf"({MORE}*)([0-9a-y])", signs)
    if len(found) > MOST_MOVES:
        raise InputError(f"link: moves: more than {MOST_MOVES:,}")
    return tuple(len(more) * len(SIGNS) + SIGNS.index(sign) for more, sign in found)


def link_of(sitting: Sitting) -> str:
    """The query of an address."""
    head = {place: ", ".join(words) for place, words in write_head(sitting.setup).items()}
    table = {DEAL: f"{sitting.seed}/{sitting.game}", SEATS: ",".join(sitting.seats)}
    return urlencode(head | table | {MOVES: signs_of(sitting.moves)}, safe="/,:")


def read_link(link: str, near: Setup | None = None) -> Course:
    """The game that a link restores, or an address that holds one; a RulesetError of one line where it is none.

    `near` is a table whose rules are known already, those of a file say: it is meant where the link names its digest.
    A link names no files: a deck that lies in one is refused unless it is that of `near`.
    """
    if len(link) > MOST_SIGNS:
        raise InputError(f"link: longer than {MOST_SIGNS:,} signs")
    words = urlsplit(link).query if "?" in link else link
    found: dict[str, str] = {}
    for name, value in parse_qsl(words, keep_blank_values=True, max_num_fields=200):
        if name in found:
            raise InputError(f"link: {name[:40]!r} is there twice")
        found[name] = value
    deal, seats, signs = (found.pop(name, "") for name in (DEAL, SEATS, MOVES))
    for name in OTHERS:
        found.pop(name, None)
    setup = near if near is not None and found.get("rules") == near.digest else _table("\n".join(_lines(found)))
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})", deal, re.ASCII)
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME:
        raise InputError("link: deal: write SEED/GAME in whole numbers, as 7/3")
    who = checked_seats(setup, names_of(seats))
    return Course(Sitting(setup, int(match[1]), int(match[2]), who, moves_of(signs)))


def _lines(found: dict[str, str]) -> list[str]:
    if not found:
        raise InputError("link: it says no game")
    for name, value in found.items():
        if re.search(r"[\n\r;#:/\\]", name + value):
            raise InputError(f"link: {name[:40]!r}: a sign in it is not allowed")
    return [f"{name}: {value}" for name, value in found.items()]


@lru_cache(maxsize=64)
def _table(head: str) -> Setup:
    """The table that the lines of a head mean."""
    lines = read_lines(head, "link")
    setup = read_head(lines)
    lines.refuse_the_rest()
    return setup
