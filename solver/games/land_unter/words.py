"""LAND UNTER in words: cards, moves and events, the page of the table, and what describes an opening."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from houle.solver.cards import bits
from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile, pile_as_it_lies
from houle.solver.compiler.types import State, States
from houle.solver.games.land_unter.rules import TAKE
from houle.solver.matches import opening
from houle.solver.matches.known import Known
from houle.solver.matches.opening import members as list_members
from houle.solver.matches.record.line_parser import Places
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, line, read, row, tally
from houle.solver.rules import Setup
from houle.solver.texts import count_of

# ---- Names of actions, the state as plain data and as text, the events of a move, the cards drawn


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
            why = count_of(belts, "lifebelt")
            if end["level"][seat] == lowest and options["score.lowest"]:
                why += f" and the lowest level, {lowest}"
        sums.append(f"seat {seat} {gained:+d} ({why})")
    events = [f"round {new['round']} is over: {', '.join(sums)}"]
    return events if new["over"] else [*events, "every hand goes to the left neighbour"]


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The two water cards of the next trick, once a trick is over."""
    if int(after.tricks) == int(before.tricks) or int(after.mover) < 0:
        return []
    return [_water(int(value)) for value in after.water]


def in_piles(state: State, setup: Setup) -> list[tuple[int, tuple[str, ...]]]:
    """The cards that may be drawn, each with its names: all water cards, because a round may begin."""
    rules = setup.rules[0]
    return [(int(value), _water(int(value))) for value in rules.water[: int(rules.water_cards)]]


def _water(value: int) -> tuple[str, ...]:
    return str(value), f"water {value}"


def hindsight(setup: Setup, moves: Sequence[tuple[int, str]], hands: Mapping[int, Places]) -> Places:
    """The cards that a record shows each seat was dealt. Packs travel, so this depends on who played a card when.

    `hands` says after which moves a round began, and what each seat held then; seats in the names opening.count from 1.
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


# ---- A position as rows of card faces, as a seat sees it


# Drawn above the number of a card.
WAVES = "M2 10q3-4 6 0t6 0t6 0M2 15q3-4 6 0t6 0t6 0"
CLOUD = "M7 18a4 4 0 0 1 0-8a5 5 0 0 1 10-1a4 4 0 0 1 0 9z"
SUN = "M12 8a4 4 0 1 0 .1 0zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4 5l2-1 2 3-1 1zM16 17l1-1 3 3-1 1z"
RAIN = "M7 13a4 4 0 0 1 0-8a5 5 0 0 1 10-1a4 4 0 0 1 0 9zM7 15h2l-2 6H5zM12 15h2l-2 6h-2zM17 15h2l-2 6h-2z"
STORM = "M7 13a4 4 0 0 1 0-8a5 5 0 0 1 10-1a4 4 0 0 1 0 9zM13 14h4l-3 4h3l-7 6 2-5H9z"
WEATHER = (SUN, CLOUD, RAIN, STORM)  # the higher the number, the worse
NUMBERS, HIGHEST = 60, 12  # of weather cards, and of water


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, viewer, taking = setup.rules[0], known.seat, bool(known["taking"])
    water: list[Face] = [
        {
            "top": str(value),
            "name": "water",
            "word": "",
            "paint": "water",
            "icon": WAVES,
            "typed": str(value),
            "moves": (TAKE + value,) if rules.choice else (),
        }
        for value in (known["water"] if not known["over"] else ())
    ]
    hand = [
        _weather(card + 1) | {"moves": (card,), "blocked": "first take a water card" if taking else ""}
        for card in (known["hand", viewer] if not known["out", viewer] else ())
    ]
    players = [*zip(known.each("out"), known.each("lifebelts"), known.each("level"), strict=True)]
    return [
        row("water cards of this trick", water, True, region=MIDDLE),
        row("this trick", _played((seat, card) for seat, card in enumerate(known.each("card")) if card)),
        row("hand", hand, True, seat=viewer, region=HAND),
        line("round", f"{known['rounds'] + 1} of {int(rules.rounds)}"),
        line("trick", f"{known['tricks of the round'] + 1} of {int(rules.hand)}"),
        tally("lifebelts", ["out" if out else belts for out, belts, _ in players], "rings"),
        tally("water level", ["–" if out else level for out, _, level in players], "bar", HIGHEST),
        tally("cards", known.each("cards"), "fan"),
    ]


def _weather(number: int) -> Face:
    icon = WEATHER[min(number - 1, NUMBERS - 1) * len(WEATHER) // NUMBERS]
    return {"top": str(number), "name": "weather", "word": "", "icon": icon, "typed": str(number)}


def _played(cards: Iterable[tuple[int, int]]) -> list[Face]:
    return [_weather(card) | {"owner": f"seat {seat}"} for seat, card in cards]


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """The trick that a card ended; see `views`."""
    if int(after.tricks) == int(before.tricks):
        return None
    cards, *takers = trick_after(before, setup, action)
    cards = {} if int(after.rounds) > int(before.rounds) else cards  # the hands have moved on
    waters = ", ".join(f"seat {seat} took water {water}" for seat, water in takers)
    return row(f"last trick: {waters}", _played(cards.items()), layout="past")


def is_revealed(before: State, now: State) -> bool:
    """Whether everyone knows by now a card that was chosen face down."""
    return int(now.tricks) > int(before.tricks)


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.rounds) + 1}, trick {int(state.trick) + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a trick: everyone sees all of them."""
    return list(events)


# ---- Packs of weather cards, round by round, separately from the seats that play them


WATER = 256  # + value: a water card, to tell it from weather cards
REMARK = "Packs travel, so one round is played. The most points win it."


def scene(setup: Setup) -> tuple[Setup, str]:
    return replace(setup, options={**setup.options, "rounds": 1}), REMARK


def facts(setup: Setup) -> list[opening.Fact]:
    rules = setup.rules[0]
    weather, size = int(rules.weather), int(rules.hand)
    third = weather // 3
    low, middle, high = (
        opening.set_of(range(*ends)) for ends in ((0, third), (third, weather - third), (weather - third, weather))
    )

    def packs(openings: States) -> Any:
        return openings.pack[:, : setup.players]

    def numbers(openings: States) -> Any:
        return list_members(packs(openings), size) + 1

    def belts(openings: States) -> Any:
        return (opening.count(packs(openings), rules.half) + 2 * opening.count(packs(openings), rules.whole)) // 2

    return [
        opening.seat_fact(setup),
        opening.Fact("lifebelts", "lifebelts of the pack", belts),
        opening.Fact("sum of the pack", "sum of its weather cards", lambda o: numbers(o).sum(axis=2), most=64 * 21),
        opening.Fact("highest card", "its highest weather card", lambda o: numbers(o)[..., -1], least=1, most=weather),
        opening.Fact("lowest card", "its lowest weather card", lambda o: numbers(o)[..., 0], least=1, most=weather),
        opening.Fact("low cards", f"cards up to {third}", lambda o: opening.count(packs(o), low)),
        opening.Fact(
            "middle cards", f"cards from {third + 1} to {weather - third}", lambda o: opening.count(packs(o), middle)
        ),
        opening.Fact("high cards", f"cards from {weather - third + 1} up", lambda o: opening.count(packs(o), high)),
        opening.Fact(
            "widest gap",
            "the widest gap between two neighbouring cards of the pack",
            lambda o: np.diff(numbers(o), axis=2).max(axis=2, initial=0),
        ),
    ]


def cards(setup: Setup) -> list[str]:
    """Both decks, card by card."""
    rules = setup.rules[0]
    water = [f"water {int(card)}" for card in rules.water[: int(rules.water_cards)]]
    return [*(f"weather {card}" for card in range(1, int(rules.weather) + 1)), *water]


def card_changes(setup: Setup) -> list[opening.CardChange]:
    """Every water card out, and once more."""
    values = dict.fromkeys(sorted(setup.options["deck.water"]))
    return [
        opening.CardChange(f"water {value}", what, knob="deck.water", sign=sign, value=value)
        for what, sign in (("out", "-"), ("one more", "+"))
        for value in values
    ]


def board(setup: Setup) -> opening.Board:
    """The packs, the undealt weather cards, the two water cards turned up, the other water cards."""
    rules, size = setup.rules[0], int(setup.rules[0].hand)
    places = opening.hand_places([size] * setup.players, 0)
    weather = {str(card): card - 1 for card in range(1, int(rules.weather) + 1)}
    water = {str(value): WATER + value for value in sorted(map(int, rules.water[: int(rules.water_cards)]))}
    names = dict.fromkeys(places, weather) | {"water": water}
    places["water"] = [int(rules.weather), int(rules.weather) + 1]
    return opening.Board(places, names, np.arange(512))


def kind_of(face: int) -> int:
    return int(face >= WATER)


def lying(state: State, setup: Setup) -> list[int]:
    rules = setup.rules[0]
    packs = [card for seat in range(setup.players) for card in bits.members(state.pack[seat])]
    undealt = [card for card in range(int(rules.weather)) if card not in packs]
    water = [WATER + int(card) for card in (*state.water, *pile_as_it_lies(state))]
    return [*packs, *undealt, *water]
