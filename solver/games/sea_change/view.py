"""SEA CHANGE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.sea_change.state import AI, COLOURS, MAX_VALUES
from houle.solver.games.sea_change.text import best_of, card_name, snapshot, trick_after, who
from houle.solver.matches.views import HAND, Face, Row, line, row, shown, tally
from houle.solver.rules import Setup

CALLED = {"ai": "the AI"}  # the side of the AI in solo


def view(state: Any, setup: Setup, viewer: int) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    side = [int(rules.side[seat]) for seat in range(setup.players)]
    blocked = _blocked(seen)

    trick = [_card(number, setup) | {"owner": who(setup, seat)} for seat, number in seen["trick"]]
    trump = [] if seen["trump"] < 0 else [{"name": COLOURS[seen["trump"]], "paint": COLOURS[seen["trump"]]}]
    gone = [number for cards in seen["captured"] for number in cards]
    colours = {colour: sorted(number % MAX_VALUES for number in gone if COLOURS[number // MAX_VALUES] == colour)
               for colour in dict.fromkeys(COLOURS[number // MAX_VALUES] for number in sorted(gone))}  # fmt: skip
    played = "; ".join(f"{colour} {', '.join(map(str, values))}" for colour, values in colours.items())
    hand = [_card(number, setup) | {"blocked": blocked} for number in seen["hands"][viewer]]
    partners = [f"seat {seat}" for seat in range(setup.players) if side[seat] == side[viewer] and seat != viewer]
    target = int(rules.target)
    team = "" if setup.options["teams"] == "none" else "team "
    rows = [
        row("trick so far", trick),
        row("trump", trump),
        row("hand", hand, True, seat=viewer, region=HAND),
        line("round", f"{seen['round'] + 1}"),
        line("leads", who(setup, seen["leader"]) if not rules.solo else "the AI"),
        line("wins with", f"{target} victory point{'s' if target > 1 else ''}"),
        line("partner", " and ".join(partners)),
        line("played before", played, remark=True),
        tally(f"{team}victory points", [seen["vp"][one] for one in side]),
        tally(f"{team}points", [seen["points"][one] for one in side]),
        tally("cards", [len(hand) for hand in seen["hands"]]),
    ]
    if rules.solo:
        rows.append(line("the AI", f"{seen['vp'][AI]} victory points, {seen['points'][AI]} points this round"))
    return shown(rows)


def _card(number: int, setup: Setup) -> Face:
    colour, value = COLOURS[number // MAX_VALUES], number % MAX_VALUES
    zero = f"{int(setup.rules[0].trump_zero):+d} if {colour} is trump in the end"
    worth = f"{setup.options['points'][value]:+d}" if value else zero
    about = f"scores {worth}" if worth != "+0" else "scores nothing"
    return {"top": str(value), "name": colour, "paint": colour, "move": card_name(number), "about": about}


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """The trick that a card ended; see `views`."""
    end = snapshot(again(target=1) if after.ended else after, setup)
    trick, won = trick_after(snapshot(before, setup), end, int(before.mover), action, setup)
    if not any(won):
        return None
    # After the last trick of a round all cards are dealt again.
    cards = [] if after.ended else [_card(number, setup) | {"owner": who(setup, seat)} for seat, number in trick]
    return row(f"last trick, taken by {who(setup, best_of(trick, end['trump'])[0])}", cards, layout="past")


def _blocked(seen: dict[str, Any]) -> str:
    """Why a card cannot be played."""
    if not seen["trick"]:
        return ""
    value = seen["trick"][-1][1] % MAX_VALUES
    return f"you have {COLOURS[seen['led']]} and must follow it, unless you play another {value}"


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.rounds) + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a card as the viewer sees them: cards that others draw are not shown."""
    own = int(before.mover) == viewer
    return [line if own or not line.startswith("draws ") else "draws a card" for line in events]
