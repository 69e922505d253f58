"""SEA CHANGE in words: cards, moves and events, the page of the table, and what describes an opening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile, pile_as_it_lies
from houle.solver.compiler.types import State, States
from houle.solver.games.sea_change.rules import AI, COLOURS, MAX_VALUES, NO_COLOUR, SOLO_DUTY
from houle.solver.matches.known import Known
from houle.solver.matches.opening import Board, CardChange, Fact, Values, count, hand_places
from houle.solver.matches.views import HAND, Face, Row, line, read, row
from houle.solver.rules import Setup
from houle.solver.texts import count_of

# ---- Names of cards and actions, the state as data and as text, events, the cards drawn


def card_name(card: int) -> str:
    return f"{COLOURS[card // MAX_VALUES]} {card % MAX_VALUES}"


def action_name(state: State, setup: Setup, action: int) -> str:
    return f"play {card_name(action)}"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/sea_change.py uses."""
    state, rules = read(state), read(setup.rules[0])
    seats, sides = int(rules.seats), range(int(rules.sides))
    over = int(state.mover) < 0

    def colour(value: Any) -> int:
        return -1 if int(value) == NO_COLOUR else int(value)

    return {
        "hands": [members(state.hand[seat]) for seat in range(seats)],
        "pile": cards_in_pile(state),
        "trick": [[player_at(setup, place, int(state.leader)), int(state.trick[place])] for place in range(state.laid)],
        "led": colour(state.led),
        "trump": colour(state.trump),
        "leader": int(state.leader),
        "dealer": (int(state.starter) - 1) % seats,
        "captured": [members(state.captured[side]) for side in sides],
        "points": [int(state.points[side]) for side in sides],
        "vp": [int(state.vp[side]) for side in sides],
        "round": int(state.rounds) - over,
        "sea_changes": int(state.changes),
        "void": [
            [bool(state.void[seat] >> colour & 1) for colour in range(int(rules.colours))] for seat in range(seats)
        ],
        "over": over,
    }


def show(state: State, setup: Setup) -> str:
    """The whole state as text: round and trump, the trick so far, then every hand and the points of every side."""
    rules = setup.rules[0]
    seen = snapshot(state, setup)
    sides = setup.game.side_names(setup)

    def names(cards: list[int]) -> str:
        return ", ".join(card_name(card) for card in cards) or "none"

    trump = COLOURS[seen["trump"]] if seen["trump"] >= 0 else "none yet"
    facts = [f"round {seen['round'] + 1}", f"trump {trump}", f"sea changes {seen['sea_changes']}"]
    if rules.solo or rules.stock:
        facts.append(f"pile {len(seen['pile'])}")
    lines = ["; ".join(facts)]
    trick = ", ".join(f"{who(setup, seat)} {card_name(card)}" for seat, card in seen["trick"])
    lines.append(f"  trick   {trick or 'not begun'}")
    for seat, hand in enumerate(seen["hands"]):
        voids = [COLOURS[colour] for colour, void in enumerate(seen["void"][seat]) if void]
        lines.append(f"  {who(setup, seat)}  {names(hand)}" + (f" (void in {', '.join(voids)})" if voids else ""))
    # Zeros are scored when a round ends; until then they count nothing.
    points = [int(state.scores[side]) for side in range(int(rules.sides))] if seen["over"] else seen["points"]
    standing = (f"{name}: {score} ({vp} VP)" for (name, _), score, vp in zip(sides, points, seen["vp"], strict=True))
    lines.append(f"  points  {', '.join(standing)}")
    return "\n".join(lines)


def player_at(setup: Setup, place: int, leader: int) -> int:
    """Who played a card of the trick; in the solo game the AI plays the first and the last."""
    return (leader + place) % setup.players if not setup.rules[0].solo else 0 if place == 1 else AI


def who(setup: Setup, seat: int) -> str:
    return "the AI" if setup.rules[0].solo and seat == AI else f"seat {seat}"


def asked(state: State, setup: Setup) -> str:
    """What the player to move decides, as a question."""
    if not int(state.laid):
        return "You lead the trick: which card do you play?"
    led, value = COLOURS[int(state.led)], int(state.trick[int(state.laid) - 1]) % MAX_VALUES
    hand = members(state.hand[int(state.mover)])
    follows = any(card // MAX_VALUES == int(state.led) for card in hand)
    matches = any(card % MAX_VALUES == value for card in hand if card // MAX_VALUES != int(state.led))
    if not follows:
        change = f"; any {value} is a sea change" if matches else ""
        return f"You have no {led}: play any card{change}"
    return f"Follow {led}, or play any {value}: sea change" if matches else f"Follow {led}"


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """The events of a card: the card drawn; the whole trick, including the AI's cards; the end of a round.

    The next round is dealt within the same move. `again` replays the move to one victory point, so that nothing of the
    finished round is overwritten.
    """
    old, new, rules = snapshot(before, setup), snapshot(after, setup), setup.rules[0]
    events = []
    seat = int(before.mover)
    ended = bool(after.ended)
    end_state = again(target=1) if ended else after
    end = snapshot(end_state, setup)
    drawn = set(end["hands"][seat]) - set(old["hands"][seat]) if rules.stock else set()
    events += [f"draws {card_name(card)}" for card in drawn]
    trick, won = trick_after(old, end, seat, action, setup=setup)
    if not any(won):
        trump = old["trump"] if old["trump"] >= 0 else trick[0][1] // MAX_VALUES
        change = len(trick) > 1 and trick[-2][1] % MAX_VALUES == action % MAX_VALUES
        return [*events, f"sea change: trump {COLOURS[new['trump']]}"] if change and trump >= 0 else events
    events.append(_trick(trick, old, end, won, setup=setup))
    return events + (_round_end(end_state, end, setup) if ended else [])


def trick_after(
    old: dict[str, Any], end: dict[str, Any], seat: int, action: int, setup: Setup
) -> tuple[list[list[int]], list[set[int]]]:
    """The trick with a card, and which cards each side took with it; in solo the AI's last card too."""
    trick = [*old["trick"], [seat, action]]
    won = [set(end["captured"][side]) - set(old["captured"][side]) for side in range(len(end["captured"]))]
    if any(won) and setup.rules[0].solo:
        (last,) = set().union(*won) - {card for _, card in trick}
        trick.append([AI, last])
    return trick, won


def best_of(trick: list[list[int]], trump: int) -> list[int]:
    """Who takes a trick, and with which card."""
    led = trick[0][1] // MAX_VALUES
    return max(trick, key=lambda laid: (laid[1] // MAX_VALUES == trump, laid[1] // MAX_VALUES == led, laid[1]))


def _trick(trick: list[list[int]], old: dict[str, Any], end: dict[str, Any], won: list[Any], setup: Setup) -> str:
    """A finished trick: its cards, the sea changes, who takes it with which card, and its points."""
    words = []
    for place, (seat, card) in enumerate(trick):
        change = place > 0 and trick[place - 1][1] % MAX_VALUES == card % MAX_VALUES
        note = f" (sea change: trump {COLOURS[card // MAX_VALUES]})" if change else ""
        words.append(f"{who(setup, seat)} {card_name(card)}{note}")
    led, trump = trick[0][1] // MAX_VALUES, end["trump"]
    best = best_of(trick, trump)
    side = next(side for side, cards in enumerate(won) if cards)
    gained = end["points"][side] - old["points"][side]
    how = (
        "the highest trump" if best[1] // MAX_VALUES == trump else f"the highest {COLOURS[led]}, as no trump was played"
    )
    return f"trick: {', '.join(words)}; {who(setup, best[0])} takes it with {card_name(best[1])}, {how} ({gained:+d})"


def _round_end(state: State, end: dict[str, Any], setup: Setup) -> list[str]:
    """The points of a round with the zeros, and who gets a victory point; `state` is before the next deal."""
    rules, names = setup.rules[0], [name for name, _ in setup.game.side_names(setup)]
    zero = end["trump"] * MAX_VALUES
    sums = []
    for side, name in enumerate(names):
        holds = zero in end["captured"][side]
        extra = f" (with {int(rules.trump_zero):+d} for {card_name(zero)}, the trump's 0)" if holds else ""
        sums.append(f"{name}: {int(state.scores[side])}{extra}")
    events = [f"round {end['round'] + 1} ends with trump {COLOURS[end['trump']]}; points: {'; '.join(sums)}"]
    if rules.solo and not any(card % MAX_VALUES == SOLO_DUTY for card in end["captured"][0]):
        events.append(f"seat 0 captured no {SOLO_DUTY}: the round is lost")
    winners = [name for side, name in enumerate(names) if int(state.won) >> side & 1]
    return [*events, f"a victory point for {' and '.join(winners)}"]


def end_conditions(states: Any, setup: Setup) -> dict[str, Any]:
    """Which of these final states ended in each way."""
    rules = setup.rules[0]
    there = (states.vp[:, : rules.sides] >= rules.target).sum(axis=1)
    return {"one side reaches the target": there == 1, "several reach it at once": there > 1}


def ending(state: State, setup: Setup) -> list[str]:
    """Who reached the target, and what decided if several did."""
    end, target = snapshot(state, setup), int(setup.rules[0].target)
    names = [name for name, _ in setup.game.side_names(setup)]
    there = [side for side, points in enumerate(end["vp"]) if points >= target]
    reached = " and ".join(names[side] for side in there)
    result = f"{reached} reached {count_of(target, 'victory point')}"
    if len(there) == 1:
        return [result]
    zero = end["trump"] * MAX_VALUES
    if any(zero in end["captured"][side] for side in there):
        return [f"{result}; {card_name(zero)}, the trump's 0, decides"]
    cards = ", ".join(f"{names[side]}: {len(end['captured'][side])}" for side in there)
    return [f"{result}; the fewest captured cards decide: {cards}"]


def house_rules(setup: Setup) -> list[str]:
    """Says if a solo player cannot win, because the deck has no card of the value that must be captured."""
    if setup.players > 1 or SOLO_DUTY in setup.options["deck.values"]:
        return []
    duty = f"a round without a captured {SOLO_DUTY} is lost, and this deck has none"
    return [f"the player loses every round: {duty} (deck.values)"]


# ---- A position as rows of card faces, as a seat sees it


CALLED = {"ai": "the AI"}  # the side of the AI in solo


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, viewer = setup.rules[0], known.seat
    blocked = _blocked(known)
    hand = [_card(card, setup) | {"blocked": blocked} for card in known["hand", viewer]]
    leader = AI if rules.solo else known["leader"]
    trick = [
        _card(card, setup) | {"owner": who(setup, player_at(setup, place, leader))}
        for place, card in enumerate(known["trick"])
    ]
    # Players who are still to play have an empty place; after the last trick there are none.
    places = (3 if rules.solo else setup.players) if trick or hand else 0
    later = range(len(trick), places)
    trick += [{"empty": True, "owner": who(setup, player_at(setup, place, leader))} for place in later]
    trump: list[Face] = [
        {"name": COLOURS[colour], "paint": COLOURS[colour]} for colour in [known["trump"]] if colour >= 0
    ]
    colours: dict[str, list[int]] = {}
    for card in sorted(card for cards in known.each("captured") for card in cards):
        colours.setdefault(COLOURS[card // MAX_VALUES], []).append(card % MAX_VALUES)
    played = "; ".join(f"{colour}: {', '.join(map(str, values))}" for colour, values in colours.items())
    partners = [f"seat {seat}" for seat, side in enumerate(known.each("side")) if side == 0 and seat != viewer]
    target = int(rules.target)
    rows = [
        row("trick so far", trick),
        row("trump", trump),
        row("hand", hand, True, seat=viewer, region=HAND),
        line("wins with", count_of(target, "victory point")),
        line("partner", " and ".join(partners)),
        line("played before", played, remark=True),
    ]
    if rules.solo:
        won = known["victory points", AI]
        points = f"{count_of(won, 'victory point')}, {known['points', AI]} points this round"
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
    return {
        "top": str(value),
        "name": colour,
        "paint": colour,
        "typed": card_name(number),
        "about": about,
        "mark": mark,
        "moves": (number,),
    }


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """The trick that a card ended; see `views`."""
    end = snapshot(again(target=1) if after.ended else after, setup)
    trick, won = trick_after(snapshot(before, setup), end, int(before.mover), action, setup=setup)
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


# ---- The first hands of a game, and each seat's distance from the first lead. One round is played


DEALT_ANEW = True  # every round deals new hands; a record may state those of later rounds too
REMARK = "Every round deals new hands, so one round is played: a game to one victory point."


def scene(setup: Setup) -> tuple[Setup, str]:
    return replace(setup, options={**setup.options, "target": 1, "team_target": 1}), REMARK


def facts(setup: Setup) -> list[Fact]:
    rules, seats = setup.rules[0], setup.players
    values = setup.options["deck.values"]
    high = values[-max(1, len(values) // 4)]
    points = [int(rules.zero), *map(int, rules.points[1:])]

    def of(openings: States, masks: Any) -> Values:
        """How many cards of each hand are in a set of two words."""
        return count(openings.hand[:, :seats, 0], masks[0]) + count(openings.hand[:, :seats, 1], masks[1])

    def of_value(openings: States, *wanted: int) -> Values:
        return sum((of(openings, rules.of_value[value]) for value in wanted), np.zeros((1, seats), np.int64))

    def by_colour(openings: States) -> Values:
        return np.stack([of(openings, rules.of_colour[colour]) for colour in range(int(rules.colours))], axis=2)

    def pairs(openings: States) -> Values:
        """Pairs of cards of the same value: with either you can change the trump after the other."""
        held = [of(openings, rules.of_value[value]) for value in values]
        return sum((each * (each - 1) // 2 for each in held), np.zeros((1, seats), np.int64))

    def hand_points(openings: States) -> Values:
        return sum(
            (points[value] * of(openings, rules.of_value[value]) for value in values), np.zeros((1, seats), np.int64)
        )

    of_hands = [
        Fact("longest colour", "cards of the longest colour", lambda o: by_colour(o).max(axis=2)),
        Fact("colours missing", "colours missing from the hand", lambda o: (by_colour(o) == 0).sum(axis=2)),
        Fact("high cards", f"cards of value {high} or more", lambda o: of_value(o, *(v for v in values if v >= high))),
        Fact(
            "sum of values",
            "sum of the values of the hand",
            lambda o: sum(value * of(o, rules.of_value[value]) for value in values),
            most=40 * MAX_VALUES,
        ),
        Fact("points in hand", "points of the hand's cards when captured", hand_points, least=-400, most=400),
        Fact("pairs", "pairs of cards of the same value", pairs, most=800),
        *(
            Fact(name, f"cards of value {value}", lambda o, value=value: of_value(o, value))  # type: ignore[misc]
            for value, name in ((8, "eights"), (0, "zeros"), (9, "nines"))
            if value in values
        ),
    ]
    if rules.solo:
        lead_colour, lead_value = (lambda o: o.trick[:, 0] // MAX_VALUES), (lambda o: o.trick[:, 0] % MAX_VALUES)
        names = tuple(COLOURS[: int(rules.colours)])
        return [
            Fact("first colour", "colour of the AI's first card, which is the first trump", lead_colour, labels=names),
            Fact("first value", "value of the AI's first card", lead_value, most=MAX_VALUES - 1),
            *of_hands,
        ]

    def distance(openings: States) -> Values:
        away: Values = (np.arange(seats) - openings.starter[:, None].astype(np.int64)) % seats
        return away

    away_from_lead = Fact("distance from the lead", "seats after the one that leads first", distance, most=seats - 1)
    return [away_from_lead, *of_hands]


def cards(setup: Setup) -> list[str]:
    """The deck, card by card."""
    rules = setup.rules[0]
    return [card_name(int(card)) for card in rules.deck[: int(rules.deck_size)]]


def card_changes(setup: Setup) -> list[CardChange]:
    """Every value out of all colours."""
    return [
        CardChange(f"every {value}", "out", knob="deck.values", sign="-", value=value)
        for value in setup.options["deck.values"]
    ]


def board(setup: Setup) -> Board:
    """The hands; in the solo game also the AI's first card; for two players also the stock, in no order."""
    rules = setup.rules[0]
    places = hand_places([int(rules.hand)] * setup.players, 0)
    if rules.solo:
        places["lead"] = [int(rules.hand)]
    if rules.stock:
        places["stock"] = list(range(int(rules.hand) * setup.players, int(rules.deck_size)))
    every = range(int(rules.colours) * MAX_VALUES)
    names = {card_name(card): card for card in every}
    return Board(places, dict.fromkeys(places, names), np.arange(256))


def lying(state: State, setup: Setup) -> list[int]:
    words = [(64 * word, hand[word]) for hand in state.hand[: setup.players] for word in (0, 1)]
    hands = [first + card for first, cards in words for card in members(cards)]
    lead = [int(state.trick[0])] if setup.rules[0].solo else []
    return [*hands, *lead, *pile_as_it_lies(state)]
