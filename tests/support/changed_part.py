"""Changes one part of each game's table; prints which forms of what a seat sees change. Runs without the compiler."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

from houle.solver.interface.seen import NUMBER, Part, PartGroup, Seen
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import lines_of
from houle.solver.matches.views import view_of
from houle.solver.rules import make_setup

OTHER = 77  # no number is this one after the deal


def other_value(*_: Any) -> int:
    return OTHER


def with_changed_part(seen: Seen) -> Seen:
    """The table with another value of its first number that is in a line and on the page."""

    def is_shown(part: Part) -> bool:
        return part.form == NUMBER and bool(part.line) and bool(part.fact)

    parts = [part for one in seen.table for part in (one.parts if isinstance(one, PartGroup) else (one,))]
    first = next(part for part in parts if is_shown(part))

    def change(part: Part) -> Part:
        return replace(part, get=other_value) if part is first else part

    table = [
        replace(one, parts=tuple(map(change, one.parts))) if isinstance(one, PartGroup) else change(one)
        for one in seen.table
    ]
    return Seen(tuple(table))


def forms(match: Match) -> dict[str, Any]:
    known = match.known(0)
    return {
        "numbers": known.numbers.tolist(),
        "hash": known.label,
        "lines": lines_of(match, 0),
        "page": view_of(match.state, match.setup, 0),
    }


def changed_forms(name: str) -> list[str]:
    match = Match(make_setup(name), 1)
    game = match.setup.game
    before = forms(match)
    assert game.seen is not None
    vars(game)["seen"] = with_changed_part(game.seen)
    after = forms(match)
    return [form for form in before if before[form] != after[form]]


if __name__ == "__main__":
    print(json.dumps({name: changed_forms(name) for name in sys.argv[1:]}))
