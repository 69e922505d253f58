"""LAND UNTER in words: names of actions, the state as plain data and as text, the events of a move, the cards drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.games.land_unter.state import TAKE
from houle.solver.matches.record.line_parser import Places
from houle.solver.matches.views import read
from houle.solver.rules import Setup


def numbers(cards: int) -> list[int]:
    """The numbers of a set of weather cards, ascending."""
    return [card + 1 for card in members(cards)]


def action_name(state: State, setup: Setup, action: int) -> str:
    return f"take {int(state.water[action - TAKE])}" if action >= TAKE else f"play {action + 1}"


def asked(state: State, setup: Setup) -> str:
    """What the player to move decides, as a question."""
    return "Your card is the highest: which water card do you take?" if state.taking else "Which card do you play?"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/land_unter.py uses."""
    state, rules = read(state), read(setup.rules[0])
    seats = range(int(rules.seats))
    over = int(state.mover) < 0
    return {
        "hands": [numbers(state.hand[seat]) for seat in seats],
        "packs": [numbers(state.pack[seat]) for seat in seats],
        "belts": [int(state.belts[seat]) for seat in seats],
        "level": [int(state.level[seat]) for seat in seats],
        "out": [bool(state.out >> seat & 1) for seat in seats],
        "committed": [int(state.committed[seat]) for seat in seats],
        "water": [] if over else [int(value) for value in state.water],
        "pile": cards_in_pile(state),
        "trick": int(state.trick),
        "round": int(state.rounds),
        "leader": int(state.leader) if rules.open else -1,
        "points": [int(state.points[seat]) for seat in seats],
        "eliminations": int(state.eliminations),
        "tricks": int(state.tricks),
        "over": over,
    }


def show(state: State, setup: Setup) -> str:
    """The whole state as text: round, trick and water, then every seat with level, lifebelts, points and hand."""
    seen = snapshot(state, setup)
    if seen["over"]:
        facts = [f"over after {seen['round']} rounds"]
    else:
        low, high = sorted(seen["water"])
        facts = [f"round {seen['round'] + 1}, trick {seen['trick'] + 1}", f"water {low} and {high}"]
        facts += [f"leader seat {seen['leader']}"] * (seen["leader"] >= 0)
    lines = ["; ".join(facts)]
    for seat in range(setup.players):
        where = "out" if seen["out"][seat] else f"level {seen['level'][seat]:2}, belts {seen['belts'][seat]}"
        chosen = f"; chose {seen['committed'][seat]}" if seen["committed"][seat] else ""
        hand = " ".join(map(str, seen["hands"][seat])) or "none"
        lines.append(f"  seat {seat}  {where}, points {seen['points'][seat]}  hand {hand}{chosen}")
    return "\n".join(lines)


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """The events of the last card of a trick: water, lifebelts, who is out, and the points of a round.

    The next round is dealt within the same move. `again` replays the move without a further round, so that nothing of
    the finished round is overwritten.
    """
    old, new = snapshot(before, setup), snapshot(after, setup)
    if new["tricks"] == old["tricks"]:
        return []
    ended = new["round"] > old["round"]
    end = snapshot(again(rounds=new["round"]), setup) if ended else new
    played, (first, mine), (second, other) = trick_after(before, setup, action)
    events = ["cards: " + ", ".join(f"seat {seat}: {card}" for seat, card in played.items())]
    events.append(f"seat {first} takes water {mine}, seat {second} takes water {other}")
    levels = {seat: old["level"][seat] for seat in played} | {first: mine, second: other}
    events += _flood(old, end, levels)
    return events + (_round_end(old, new, end, setup) if ended else [])


def trick_after(before: State, setup: Setup, action: int) -> tuple[dict[int, int], tuple[int, int], tuple[int, int]]:
    """The cards of a trick that a move ended, by seats, and the two players who take water, with their water."""
    played = dict(enumerate(snapshot(before, setup)["committed"]))
    if action < TAKE:
        played[int(before.mover)] = action + 1
    played = {seat: card for seat, card in played.items() if card}
    first, second = sorted(played, key=lambda seat: -played[seat])[:2]
    waters = [int(value) for value in before.water]
    mine = waters[action - TAKE] if action >= TAKE else min(waters)
    return played, (first, mine), (second, sum(waters) - mine)


def _flood(old: dict[str, Any], end: dict[str, Any], levels: dict[int, int]) -> list[str]:
    """Who paid for the highest level, and who paid next if all with that level are out."""
    lost = [seat for seat in levels if end["belts"][seat] < old["belts"][seat] and not end["out"][seat]]
    gone = sorted((seat for seat in levels if end["out"][seat]), key=lambda seat: -levels[seat])
    events = [f"seat {seat} is out of the round: level {levels[seat]} and no lifebelt" for seat in gone]
    for seat in lost:
        events.append(f"seat {seat} loses a lifebelt at level {levels[seat]}: {end['belts'][seat]} left")
    return events


def _round_end(old: dict[str, Any], new: dict[str, Any], end: dict[str, Any], setup: Setup) -> list[str]:
    """The points of a round and where they come from."""
    options = setup.options
    still = [seat for seat in range(setup.players) if not end["out"][seat]]
    lowest = min((end["level"][seat] for seat in still), default=-1)
    sums = []
    for seat in range(setup.players):
        gained = end["points"][seat] - old["points"][seat]
        if end["out"][seat]:
            why = "eliminated"
        else:
            belts = end["belts"][seat]
            why = f"{belts} lifebelt{'s' if belts != 1 else ''}"
            if end["level"][seat] == lowest and options["score.lowest"]:
                why += f" and the lowest level, {lowest}"
        sums.append(f"seat {seat} {gained:+d} ({why})")
    events = [f"round {new['round']} is over: {', '.join(sums)}"]
    return events if new["over"] else [*events, "every hand goes to the left neighbour"]


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The two water cards of the next trick, once a trick is over."""
    if int(after.tricks) == int(before.tricks) or int(after.mover) < 0:
        return []
    return [(str(int(value)), f"water {int(value)}") for value in after.water]


def hindsight(setup: Setup, moves: Sequence[tuple[int, str]], hands: Mapping[int, Places]) -> Places:
    """The cards that a record shows each seat was dealt. Packs travel, so this depends on who played a card when.

    `hands` says after which moves a round began, and what each seat held then; seats in the names count from 1.
    """
    packs: Places = {f"seat {seat + 1}": [] for seat in range(setup.players)}
    turns = 0  # how often packs have gone to the left
    for number, (seat, name) in enumerate(moves, 1):
        action_type, _, card = name.partition(" ")
        dealt_to = packs[f"seat {(seat - turns) % setup.players + 1}"]
        if action_type == "play" and card not in dealt_to:
            dealt_to.append(card)
        for place, cards in hands.get(number, {}).items():
            turns += place == next(iter(hands[number]))
            holder = re.fullmatch(r"seat (\d)(?: hand)?", place)
            if holder:
                pack = packs.setdefault(f"seat {(int(holder[1]) - 1 - turns) % setup.players + 1}", [])
                pack += [card for card in cards if card not in pack]
    return {place: cards for place, cards in packs.items() if cards}
