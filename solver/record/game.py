"""A record: a whole game as text that can be replayed. The head, the deal by its seed and number, the moves by name.

game: wave
players: 3
rules: dc1e26c7eb5ca1e5
deal: 7/3
move 1: seat 1 play white 3
move 2: seat 3 play yellow 4
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from houle.solver.position import Table
from houle.solver.record.head import read_head, write_head
from houle.solver.record.lines import Lines, as_text, read_lines
from houle.solver.record.position import MOST_GAME, MOST_SEED
from houle.solver.ruleset import RulesetError, Setup, nearest

MOST_SHOWN = 8  # possible moves that a fault names


@dataclass(frozen=True)
class Record:
    """The moves of a game, each with its seat, and where the cards come from."""

    setup: Setup
    seed: int
    game: int
    strategies: tuple[str, ...]  # who decided, where that is known
    moves: tuple[tuple[int, str], ...]  # seat, counted from 0, and the canonical name

    def as_text(self) -> str:
        lines = write_head(self.setup) | {"deal": [f"{self.seed}/{self.game}"]}
        lines |= {"strategies": list(self.strategies)} if self.strategies else {}
        named = {f"move {n}": [f"seat {seat + 1} {_from_1(name)}"] for n, (seat, name) in enumerate(self.moves, 1)}
        return as_text(lines | named)

    def replay(self) -> Iterator[tuple[Table, int]]:
        """The table before every move, and the action; the table goes on when the next one is asked for."""
        table = Table(self.setup, self.seed, self.game)
        for number, (seat, name) in enumerate(self.moves, 1):
            yield table, _action(table, number, seat, name)
            table.apply(_action(table, number, seat, name))
        if table.to_move() >= 0:
            raise RulesetError(
                f"record: it ends after move {len(self.moves)}, but the game is not over: seat {table.to_move() + 1} "
                "has to move"
            )


def _action(table: Table, number: int, seat: int, name: str) -> int:
    """The move of a name, or why it is none."""
    mover, place = table.to_move(), f"record: move {number}"
    if mover < 0:
        raise RulesetError(f"{place}: the game is over after move {number - 1}")
    if mover != seat:
        raise RulesetError(f"{place}: seat {mover + 1} has to move, not seat {seat + 1}")
    names = [known.lower() for known in table.names()]
    if name.lower() in names:
        return table.moves()[names.index(name.lower())]
    hint = nearest(name.lower(), names)
    possible = list(dict.fromkeys(map(_from_1, names)))
    shown = ", ".join(possible[:MOST_SHOWN]) + (
        f" and {len(possible) - MOST_SHOWN} more" if possible[MOST_SHOWN:] else ""
    )
    meant = f"; did you mean {hint.rpartition('did you mean ')[2]}" if "did you mean" in hint else ""
    raise RulesetError(f"{place}: {_from_1(name)!r} is not possible here; possible: {shown}{_from_1(meant)}")


def _from_1(name: str) -> str:
    return re.sub(r"\b(seat|player) (\d+)\b", lambda match: f"{match[1]} {int(match[2]) + 1}", name)


def _from_0(name: str) -> str:
    return re.sub(r"\b(seat|player) (\d+)\b", lambda match: f"{match[1]} {int(match[2]) - 1}", name)


def write_record(table: Table, strategies: Iterable[str], moves: Iterable[tuple[int, str]]) -> Record:
    """The record of a game that was played at a table."""
    return Record(table.setup, table.seed, table.game, tuple(dict.fromkeys(strategies)), tuple(moves))


def read_record(text: str, setup: Setup | None = None, game: str | None = None) -> Record:
    """A record as somebody wrote it, or a RulesetError of one line; `replay` finds moves that are not possible."""
    lines = read_lines(text, "record")
    found = read_head(lines, setup, game)
    seed, number = _read_deal(lines)
    strategies = tuple(lines.words("strategies") or ())
    moves = tuple(_read_moves(lines, found))
    lines.refuse_the_rest()
    return Record(found, seed, number, strategies, moves)


def _read_deal(lines: Lines) -> tuple[int, int]:
    words = lines.words("deal")
    if not words:
        raise lines.fault("deal", "this line is missing; write the seed and the number of the game, as 7/3")
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})", " ".join(words).replace(" ", ""), re.ASCII)
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME:
        raise lines.fault("deal", f"{' '.join(words)!r}: write SEED/GAME in whole numbers, as 7/3")
    return int(match[1]), int(match[2])


def _read_moves(lines: Lines, setup: Setup) -> Iterator[tuple[int, str]]:
    number = 0
    while lines.says(place := f"move {number + 1}"):
        number += 1
        words = " ".join(lines.words(place) or ()).lower()
        match = re.fullmatch(r"seat (\d{1,3}) (\S.*)", words)
        if not match or not 1 <= int(match[1]) <= setup.players:
            raise lines.fault(
                place, f"{words[:40]!r}: write who did what, as `seat 1 ...`, seats from 1 to {setup.players}"
            )
        yield int(match[1]) - 1, _from_0(match[2])
    if number == 0:
        raise lines.fault("move 1", "this line is missing; write who did what, as `seat 1 ...`")
