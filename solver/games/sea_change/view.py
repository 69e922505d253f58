"""SEA CHANGE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.solver.compiler.types import State
from houle.solver.games.sea_change.state import AI, COLOURS, MAX_VALUES, SOLO_DUTY
from houle.solver.games.sea_change.text import best_of, card_name, player_at, snapshot, trick_after, who
from houle.solver.matches.known import Known
from houle.solver.matches.views import HAND, Face, Row, line, row
from houle.solver.rules import Setup

CALLED = {"ai": "the AI"}  # the side of the AI in solo


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, viewer = setup.rules[0], known.seat
    blocked = _blocked(known)
    trick = [_card(card, setup) | {"owner": who(setup, player_at(setup, place, AI if rules.solo else known["leader"]))}
             for place, card in enumerate(known["trick"])]  # fmt: skip
    trump: list[Face] = [
        {"name": COLOURS[colour], "paint": COLOURS[colour]} for colour in [known["trump"]] if colour >= 0
    ]
    colours: dict[str, list[int]] = {}
    for card in sorted(card for cards in known.each("captured") for card in cards):
        colours.setdefault(COLOURS[card // MAX_VALUES], []).append(card % MAX_VALUES)
    played = "; ".join(f"{colour}: {', '.join(map(str, values))}" for colour, values in colours.items())
    hand = [_card(card, setup) | {"blocked": blocked} for card in known["hand", viewer]]
    partners = [f"seat {seat}" for seat, side in enumerate(known.each("side")) if side == 0 and seat != viewer]
    target = int(rules.target)
    rows = [
        row("trick so far", trick),
        row("trump", trump),
        row("hand", hand, True, seat=viewer, region=HAND),
        line("wins with", f"{target} victory point{'s' if target > 1 else ''}"),
        line("partner", " and ".join(partners)),
        line("played before", played, remark=True),
    ]
    if rules.solo:
        won = known["victory points", AI]
        points = f"{won} victory point{'s' if won != 1 else ''}, {known['points', AI]} points this round"
        duty = any(card % MAX_VALUES == SOLO_DUTY for card in known.each("captured")[0])
        rows += [line("leads", "the AI"), line("the AI", points)]
        rows.append(line(f"an {SOLO_DUTY} in this round", "captured" if duty else "not yet captured"))
    return rows


def _card(number: int, setup: Setup) -> Face:
    colour, value = COLOURS[number // MAX_VALUES], number % MAX_VALUES
    zero = f"{int(setup.rules[0].trump_zero):+d} if {colour} is trump in the end"
    worth = f"{setup.options['points'][value]:+d}" if value else zero
    about = f"scores {worth}" if worth != "+0" else "scores nothing"
    mark = worth if value and worth != "+0" else ""
    return {"top": str(value), "name": colour, "paint": colour, "typed": card_name(number), "about": about,
            "mark": mark, "moves": (number,)}  # fmt: skip


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """The trick that a card ended; see `views`."""
    end = snapshot(again(target=1) if after.ended else after, setup)
    trick, won = trick_after(snapshot(before, setup), end, int(before.mover), action, setup)
    if not any(won):
        return None
    # After the last trick of a round all cards are dealt again.
    cards = [] if after.ended else [_card(number, setup) | {"owner": who(setup, seat)} for seat, number in trick]
    return row(f"last trick, taken by {who(setup, best_of(trick, end['trump'])[0])}", cards, layout="past")


def _blocked(known: Known) -> str:
    """Why a card cannot be played."""
    if not known["trick"]:
        return ""
    return f"you have {COLOURS[known['led']]} and must follow it, unless you play another {known['value']}"


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.rounds) + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a card as the viewer sees them: cards that others draw are not shown."""
    own = int(before.mover) == viewer
    return [line if own or not line.startswith("draws ") else "draws a card" for line in events]
