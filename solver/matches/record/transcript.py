"""What one seat saw of a game, as text for people, in any game that can show what a seat sees.

Games with an opening.py write notes instead (notes.py), which houle can replay. A transcript has the view of the seat
at the start, then every move as the seat saw it, with what changed in its view:

    seen by: 2
    at the start
      hand of seat 2: 3 8 12
    move 1: seat 1 choose ?
    move 2: seat 2 choose 8
      hand of seat 2: 3 12
"""

from __future__ import annotations

from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import Record
from houle.solver.matches.record.line_parser import as_text
from houle.solver.matches.record.position import move_name
from houle.solver.matches.record.setup_head import write_head
from houle.solver.matches.views import Face, plain_rows, view_of

HIDDEN = "?"


def transcript_of(record: Record, viewer: int) -> str:
    """The game as a seat, counted from 0, saw it."""
    setup = record.setup
    lines = [f"# What seat {viewer + 1} saw, to read; `houle trace --record` without --seen-by can be replayed."]
    lines += as_text(write_head(setup) | {"seen by": [str(viewer + 1)]}).splitlines()
    known: dict[str, str] = {}

    def changes(match: Match) -> list[str]:
        shown = seen_rows(match, viewer)
        changed = [f"  {label}: {words}".rstrip() for label, words in shown.items() if known.get(label) != words]
        gone = [f"  {label}:" for label in known if label not in shown and known[label]]
        known.clear()
        known.update(shown)
        return changed + gone

    lines += ["at the start", *changes(record.start())]
    played = record.played()
    afters = [*played.befores[1:], played.match]
    for number, (before, action, after) in enumerate(zip(played.befores, played.actions, afters, strict=True), 1):
        name = from_1(move_name(before, action, viewer, True))
        lines += [f"move {number}: seat {before.to_move() + 1} {name}", *changes(after)]
    return "\n".join(lines) + "\n"


def seen_rows(match: Match, viewer: int) -> dict[str, str]:
    """The rows of a view as words."""
    setup = match.setup
    names = [f"seat {seat + 1}" for seat in range(setup.players)]
    rows = plain_rows(view_of(match.state, setup, viewer, names))
    return {row["label"]: row.get("text") or " ".join(_word(card) for card in row["cards"]) for row in rows}


def _word(card: Face) -> str:
    word = HIDDEN if card.get("hidden") else str(card.get("name") or card.get("top") or "")
    return f"{word} [{card['known']}]" if card.get("known") else word
