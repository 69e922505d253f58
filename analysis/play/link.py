"""A game with people as a link: the setup, the deal, who sits where, and the moves.

The digest of the rules is in it, so a link that is opened under other rules is refused, not misread.
A move is its index among the possible moves: one character for indices below 35, with a `z` before it for every 35
more. The deal is given by its seed, so anyone who has the link could work out all cards.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from urllib.parse import parse_qsl, urlencode, urlsplit

from houle.analysis.play.table_game import MOST_MOVES, PERSON, Sitting, checked_names, checked_seats
from houle.analysis.players.line_ups import names_of, read_strategy
from houle.solver.errors import PositionError, StrategyError
from houle.solver.matches.record.position import MOST_GAME, MOST_SEED
from houle.solver.rules import SET, Setup

SIGNS = "0123456789abcdefghijklmnopqrstuvwxy"
MORE = "z"
MOST_SIGNS = 30_000  # characters of a whole link
MOST_BUDGET = 2_000  # of a search that a link may ask for
DEAL, SEATS, MOVES, NAMES, START = "deal", "seats", "moves", "names", "position"
HEAD = ("game", "players", "variants", "rules")
OTHERS = ("was", "open", "worlds", "side", "at", "save")  # added by pages for themselves


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
    fields = sitting.setup.fields() | {"rules": sitting.setup.digest}
    fields |= {DEAL: f"{sitting.seed}/{sitting.game}", SEATS: ",".join(sitting.seats)}
    fields |= {NAMES: ",".join(sitting.names)} if sitting.names else {}
    start = {START: sitting.start} if sitting.start else {}
    return urlencode(fields | {MOVES: signs_of(sitting.moves)} | start, safe="/,:")


def fields_in(link: str) -> dict[str, str]:
    """The fields of a link, without those that pages add for themselves."""
    if len(link) > MOST_SIGNS:
        raise PositionError(f"link: longer than {MOST_SIGNS:,} characters")
    values: dict[str, str] = {}
    for name, value in parse_qsl(urlsplit(link).query if "?" in link else link, True, max_num_fields=200):
        if name in values:
            raise PositionError(f"link: {name[:40]!r} is there twice")
        if name not in (*HEAD, DEAL, SEATS, MOVES, NAMES, START, *OTHERS) and not name.startswith(SET):
            raise PositionError(f"link: {name[:40]!r} is unknown")
        values[name] = value
    return {name: value for name, value in values.items() if name not in OTHERS}


def command_for(sitting: Sitting) -> str:
    """The command that shows a game again; a class must be named, because it is code."""
    named = "" if sitting.setup.game.is_compiled else f"--game-path {shlex.quote(sitting.setup.ruleset.name)} "
    return f"houle {named}play {link_of(sitting)!r}"


def read_link(link: str | dict[str, str], near: Setup | None = None, known: Collection[str] = ()) -> Sitting:
    """The game that a link or its fields hold, before it is played; an InputError of one line if they hold none.

    `near` is a setup that is already known, such as that of a file: it is used if the link names its digest. Players
    that are `known` were typed by the user, so they may search longer than a link may ask for.
    """
    fields = fields_in(link) if isinstance(link, str) else link
    if "game" not in fields:
        raise PositionError("link: it names no game")
    rules = fields.get("rules", "")
    setup = near if near is not None and rules == near.digest else Setup.read(fields, near, "link")
    if rules not in ("", setup.digest):
        raise PositionError(f"link: written for the rules {rules[:40]}, but the rules here are {setup.digest}")
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})", fields.get(DEAL, ""), re.ASCII)
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME:
        raise PositionError("link: deal: allowed: SEED/GAME in whole numbers, as 7/3")
    names = fields[NAMES].split(",") if fields.get(NAMES) else ()
    who, called = checked_seats(setup, names_of(fields.get(SEATS, ""))), checked_names(setup, names)
    for player in who:
        if player != PERSON and player not in known and read_strategy(player, setup).budget > MOST_BUDGET:
            raise StrategyError(f"seats: {player} would take too long here; allowed: searches up to {MOST_BUDGET:,}")
    moves = moves_of(fields.get(MOVES, ""))
    return Sitting(
        setup, seed=int(match[1]), game=int(match[2]), seats=who, moves=moves, names=called, start=fields.get(START, "")
    )
