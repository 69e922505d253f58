"""VAGUE VERTE in words: cards, moves and events, the page of the table, and what describes an opening."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile, pile_as_it_lies
from houle.solver.compiler.types import State, States
from houle.solver.games.vague_verte import rules as game
from houle.solver.matches import opening
from houle.solver.matches.known import Known
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, line, read, row, tally
from houle.solver.rules import Setup
from houle.solver.rules.files import read_toml

# ---- Names of cards and actions, the state as data and as text, events, the cards drawn


def action_name(state: State, setup: Setup, action: int) -> str:
    if action >= game.DRAW_STOCK:
        return "draw stock" if action == game.DRAW_STOCK else "draw face-up"
    target, card = divmod(action, game.MAX_CARDS)
    name = game.build_deck(setup.options)[card]
    if target == game.FACEUP:
        return f"discard {name}"
    if target >= game.ROW:
        return f"play {name} at row {target - game.ROW}"
    aimed = name.startswith(("breakdown", "ducks"))
    return f"play {name} on seat {target - game.ROAD}" if aimed else f"play {name}"


def spoken(state: State, setup: Setup, action: int) -> str:
    """A move for people: where a card is drawn from, and which card lies there."""
    if action == game.DRAW_STOCK:
        return "draw from the stock"
    if action > game.DRAW_STOCK:
        top = snapshot(state, setup)["faceup"][-1]
        return f"take {game.build_deck(setup.options)[top]} from the face-up pile"
    return action_name(state, setup, action)


CARDS = read_toml(Path(__file__).with_name("cards.toml"))  # what a kind of card does, and its drawing
KINDS = tuple(CARDS)
GENERAL = frozenset({"stock"})  # rules of thumb that say nothing about a single move


def asked(state: State, setup: Setup) -> str:
    """What the player to move decides, as a question."""
    return "Where do you draw a card?" if state.stage == game.DRAW else "Which card do you play or discard?"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/vague_verte.py uses."""
    state, rules = read(state), read(setup.rules[0])
    seats = range(int(rules.seats))
    over = int(state.mover) < 0
    ring = [int(state.faceup[(int(state.bottom) + i) % game.MAX_CARDS]) for i in range(int(state.faceup_left))]

    def card(value: Any) -> int:
        return -1 if int(value) == game.NONE else int(value)

    def lit(row: int) -> bool:
        return bool(int(state.targets) >> (game.LIT + row) & 1)

    return {
        "hands": [members(state.hand[seat]) for seat in seats],
        "stock": cards_in_pile(state),
        "faceup": ring,
        "roads": [_road(state, setup, seat) for seat in seats],
        "missed": [int(state.missed[seat]) for seat in seats],
        "lights": [int(state.light[row]) if lit(row) else -1 for row in range(1, int(rules.road) + 1)],
        "seat": int(state.seat),
        "drawn": card(state.drawn),
        "stage": "over" if over else "draw" if state.stage == game.DRAW else "play",
        "turn": int(state.turns),
        "winner": card(state.winner),
        "out_of_play": [],
    }


def _road(state: State, setup: Setup, seat: int) -> list[list[int]]:
    """The cards on each square; a breakdown is covered by a tow unless it is the last card of the road."""
    deck = game.build_deck(setup.options)
    filled, squares = int(state.filled[seat]), []
    for square in range(filled):
        card = int(state.road[seat, square])
        standing = square == filled - 1 and int(state.last[seat]) == card
        covered = deck[card].startswith("breakdown") and not standing
        squares.append([card, int(state.road[seat, game.MAX_ROAD + square])] if covered else [card])
    return squares


def squares_of(known: Known, seat: int) -> list[list[str]]:
    """The names of the cards on each square of a road, as a seat knows them."""
    deck, road, last = game.build_deck(known.setup.options), known["road", seat], known["last card", seat]
    standing = len(road) - 1 if road[-1:] == [last] else -1  # a breakdown elsewhere is covered by a tow
    return [
        [deck[card], "tow"] if deck[card].startswith("breakdown") and square != standing else [deck[card]]
        for square, card in enumerate(road)
    ]


def counted(numbers: Sequence[int]) -> list[int]:
    """The cards of a list that says how many there are of each."""
    return [card for card, number in enumerate(numbers) for _ in range(number)]


def show(state: State, setup: Setup) -> str:
    """The whole state as text: piles and lights, then every seat's road and hand."""
    seen = snapshot(state, setup)
    deck = game.build_deck(setup.options)

    def names(cards: list[int]) -> str:
        return ", ".join(deck[card] for card in cards) or "none"

    top = names(seen["faceup"][-1:])
    facts = [
        f"turn {seen['turn'] + (seen['stage'] != 'over')}",
        f"stock {len(seen['stock'])}",
        f"face-up {len(seen['faceup'])}, top {top}",
    ]
    lights = [str(row) for row, card in enumerate(seen["lights"], 1) if card >= 0]
    if lights:
        facts.append(f"red light at row {', '.join(lights)}")
    lines = ["; ".join(facts)]
    for seat, road in enumerate(seen["roads"]):
        squares = " > ".join(" + ".join(deck[card] for card in cards) for cards in road) or "not started"
        waits = f" (misses {seen['missed'][seat]})" if seen["missed"][seat] else ""
        lines.append(f"  seat {seat}  {squares}{waits} | {names(seen['hands'][seat])}")
    return "\n".join(lines)


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """The events of a move: the card drawn, turns that ducks will cost, missed turns, new piles."""
    old, new = snapshot(before, setup), snapshot(after, setup)
    deck = game.build_deck(setup.options)
    if action >= game.DRAW_STOCK:
        return [f"draws {deck[new['drawn']]}"]
    target, card = divmod(action, game.MAX_CARDS)
    events = []
    if deck[card].startswith("ducks") and game.ROAD <= target < game.ROW:
        events.append(f"seat {target - game.ROAD} will miss a turn")
    events += _passed_over(old, new, target - game.ROAD if events else -1, setup)
    if new["stage"] == "over":
        return events
    if not old["faceup"] and new["faceup"] and new["faceup"][0] in old["stock"]:
        events.append(f"the face-up pile was empty: {deck[new['faceup'][0]]} is turned up")
    if len(new["stock"]) > len(old["stock"]):
        events.append(f"the stock was empty: {len(new['stock'])} cards of the face-up pile are shuffled as a new stock")
    return events


def _passed_over(old: dict[str, Any], new: dict[str, Any], ducked: int, setup: Setup) -> list[str]:
    """The turns between this one and the next decision: missed because of ducks, or with nothing to draw or discard."""
    events, waits = [], list(old["missed"])
    if ducked >= 0:
        waits[ducked] += 1
    for turn in range(old["turn"] + 1, new["turn"]):
        seat = (old["seat"] + turn - old["turn"]) % setup.players
        why = "misses this turn because of ducks" if waits[seat] else "has nothing to draw and no card to discard"
        waits[seat] -= 1 if waits[seat] else 0
        events.append(f"turn {turn + 1}: seat {seat} {why}")
    return events


def end_conditions(states: Any, setup: Setup) -> dict[str, Any]:
    """Which of these final states ended in each way."""
    return {"a road is complete": states.winner != game.NONE, "no card is left": states.winner == game.NONE}


def ending(state: State, setup: Setup) -> list[str]:
    """Who reached the end of the road, or that nobody did in time."""
    seen = snapshot(state, setup)
    if seen["winner"] >= 0:
        return [f"seat {seen['winner']} reaches the end of the road in turn {seen['turn']}"]
    return [f"nobody reaches the end of a road in {seen['turn']} turns"]


# ---- A position as rows of card faces, as a seat sees it


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    viewer, squares, deck = known.seat, int(setup.rules[0].road), game.build_deck(setup.options)
    laying = [kind for kind in known.kinds if kind < game.DRAW_STOCK]

    def onto(target: int) -> tuple[int, ...]:
        """All moves of a card to a target."""
        return tuple(kind for kind in laying if kind // game.MAX_CARDS == target)

    def lane(seat: int) -> list[Face]:
        road = squares_of(known, seat)
        faces = [_face(square[-1]) | {"about": "a breakdown, towed" if len(square) > 1 else ""} for square in road]
        faces += [{"empty": True, "top": str(place)} for place in range(len(road) + 1, squares + 1)]
        # Where cards go: the end of another road is a target, the next square of the own one is driven to.
        moves = onto(game.ROAD + seat)
        ends = {len(road) - 1: moves, len(road): moves} if road else {}
        if seat == viewer:
            tows = tuple(kind for kind in moves if deck[kind % game.MAX_CARDS] == "tow")
            ends = {len(road) - 1: tows, len(road): tuple(kind for kind in moves if kind not in tows)}
        return [one | {"moves": ends.get(place, ())} for place, one in enumerate(faces)]

    def light(place: int) -> Face:
        moves = onto(game.ROW + place)
        if place - 1 not in known["red lights"]:
            return {"name": f"column {place}", "empty": True, "top": str(place), "moves": moves}
        return _face("red light") | {"about": f"bars the way beyond column {place}", "moves": moves}

    lights = [light(place) for place in range(1, squares + 1)]
    rows = [row("lights", lights, True, region=MIDDLE, layout="lane")]
    order = [(viewer + step) % setup.players for step in range(setup.players)]
    for seat in [*order[1:], viewer]:
        rows.append(row("road", lane(seat), True, seat=seat, region=MIDDLE, layout="lane"))
    dropped = (game.DRAW_FACEUP, *onto(game.FACEUP))
    top = [_face(deck[card]) | {"typed": deck[card], "moves": dropped} for card in known["face-up pile"][-1:]]
    empty: Face = {"empty": True, "name": "face-up pile, empty", "moves": dropped}
    rows.append(row("face-up pile", top or [empty], True, region=MIDDLE))
    stock: Face = {
        "hidden": True,
        "top": str(known["stock"]),
        "about": "cards in the stock",
        "moves": (game.DRAW_STOCK,),
    }
    rows.append(row("stock", [stock] if known["stock"] else [], True, region=MIDDLE))
    hand = [
        _face(deck[card])
        | {
            "typed": deck[card],
            "moves": tuple(kind for kind in laying if kind % game.MAX_CARDS == card),
            "blocked": "first draw a card" if known["step"] == game.DRAW else _blocked(known, deck, deck[card]),
        }
        for card in counted(known["hand", viewer])
    ]
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    rows.append(line("round", f"{known['turns'] // setup.players + 1}"))
    rows.append(line("goal", f"fill {squares} squares first; a draw after {int(setup.rules[0].max_turns)} turns"))
    if any(known.each("misses")):
        rows.append(tally("turns to miss", known.each("misses")))
    return rows


def _face(name: str) -> Face:
    """A card as it is drawn: cars with their number, lights as lights."""
    first, _, rest = name.partition(" ")
    drawn: Face = CARDS[kind(name)]
    if name.endswith("light"):
        return {"name": name, "paint": "black", "lamp": first, **drawn}
    colour, _, number = rest.partition(" ")
    one: Face = {"name": f"{colour} {first}" if colour else first, "paint": colour or "paper", **drawn}
    return one | {"top": number, "word": colour} if number else one


def _blocked(known: Known, deck: list[str], name: str) -> str:
    """Why a card can only be discarded, if that is so."""
    filled, kind = known["squares", known.seat], name.partition(" ")[0]
    if not filled:
        return "" if kind == "car" else "your first card must be a car"
    if deck[known["last card", known.seat]].startswith("breakdown") and kind in ("car", "ambulance"):
        return "your road needs a tow"
    if kind == "car":
        barred = filled - 1 in known["red lights"]
        return f"the red light over column {filled} stops you" if barred else "it must match your last car"
    if name.endswith("light"):
        return "there is no red light" if kind == "green" else "every column has a red light"
    if kind in ("breakdown", "ducks"):
        return _no_target(known, deck, name)
    return {"tow": "your road has no breakdown", "ambulance": "no red light stops you"}[kind]


def _no_target(known: Known, deck: list[str], name: str) -> str:
    """Why no other road can be attacked."""
    kind, _, colour = name.partition(" ")
    wanted = f"car {colour} " if kind == "breakdown" else ""
    roads = [
        (deck[card], known["squares", seat])
        for seat, card in enumerate(known.each("last card"))
        if seat != known.seat and card >= 0 and deck[card].startswith(wanted)
    ]
    if not roads:
        return f"no other road ends with a {colour} car" if wanted else "no other road has begun"
    lengths = [filled for last, filled in roads if wanted or not last.startswith("breakdown")]
    if not lengths:
        return "ducks do not go on a breakdown"
    if all(filled - 1 in known["red lights"] for filled in lengths):
        return "a red light protects the next square"
    return "the last square cannot be attacked, as we read the rules"


def move_in_words(setup: Setup, move: str) -> str:
    """Rows of squares across all roads are columns at the table."""
    return re.sub(r"\bat row (\d+)$", r"over column \1", move)


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.turns) // setup.players + 1}"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: a card that others draw, or that the move names, is not said."""
    unsaid = action == game.DRAW_FACEUP or (action == game.DRAW_STOCK and not Known.of(after, setup, viewer)["drawn"])
    return [line for line in events if not (unsaid and line.startswith("draws "))]


# ---- The seat, the kinds of cards in the first hand, and the face-up card


WORDS = ("cars", "breakdowns", "tows", "ambulances", "ducks", "red lights", "green lights")


def kind(name: str) -> str:
    return next(start for start in KINDS if name.startswith(start))


def facts(setup: Setup) -> list[opening.Fact]:
    rules, seats = setup.rules[0], setup.players
    deck = game.build_deck(setup.options)
    kinds = np.array([KINDS.index(kind(name)) for name in deck])
    cars = [card for card in range(len(deck)) if kinds[card] == 0]

    def hands(openings: States) -> Any:
        return openings.hand[:, :seats]

    def held(openings: States, *wanted: int) -> opening.Values:
        return opening.count(hands(openings), opening.set_of(np.flatnonzero(np.isin(kinds, wanted))))

    def matches(openings: States) -> opening.Values:
        """Pairs of cars of a hand that can follow one another."""
        both: opening.Values = np.zeros((len(openings), seats), np.int64)
        for card in cars:
            both += opening.has(hands(openings), card) * opening.count(
                hands(openings), int(rules.follow[card]) & ~(1 << card)
            )
        return both // 2

    def first_faceup(openings: States) -> opening.Values:
        """The face-up card, for the seat that may take it first."""
        of_seats = np.full((len(openings), seats), opening.ELSEWHERE)
        of_seats[:, 0] = kinds[openings.faceup[:, 0]]
        return of_seats

    facts = [opening.seat_fact(setup)]
    for i, word in enumerate(WORDS):
        facts.append(opening.Fact(word, f"{word} in the first hand", lambda o, i=i: held(o, i), most=16))  # type: ignore[misc]
    facts += [
        opening.Fact(
            "attacks", "breakdowns, ducks and red lights in the first hand", lambda o: held(o, 1, 4, 5), most=16
        ),
        opening.Fact("face-up card", "the first face-up card, for seat 0, who may take it", first_faceup, labels=KINDS),
    ]
    if setup.options["match"] != "none":  # if any car may follow any other, the number of cars is enough
        about = "pairs of cars in the first hand that can follow each other"
        facts.append(opening.Fact("cars that match", about, matches, most=120))
    return facts


def cards(setup: Setup) -> list[str]:
    """The deck, card by card."""
    return game.build_deck(setup.options)


def card_changes(setup: Setup) -> list[opening.CardChange]:
    """One card less and one more of every kind; a car or a breakdown in every colour."""
    numbers = dict.fromkeys(setup.options["deck.cars"])
    changes = [
        opening.CardChange(f"car {number}", "out", knob="deck.cars", sign="-", value=number) for number in numbers
    ]
    changes += [
        opening.CardChange(f"car {number}", "one more", knob="deck.cars", sign="+", value=number) for number in numbers
    ]
    for word in ("breakdowns", "tows", "ambulances", "ducks", "red_lights", "green_lights"):
        name, knob = word.replace("_", " "), f"deck.{word}"
        now = setup.options[knob]
        changes += [opening.CardChange(name, "one less", knob=knob, sign="", value=now - 1)] if now else []
        changes.append(opening.CardChange(name, "one more", knob=knob, sign="", value=now + 1))
    return changes


def board(setup: Setup) -> opening.Board:
    """The hands, the face-up card, the stock."""
    rules, deck = setup.rules[0], game.build_deck(setup.options)
    size = int(rules.hand)
    places = opening.hand_places([size] * setup.players, 0) | {"top": [size * setup.players]}
    names = {name: int(rules.face[card]) for card, name in enumerate(deck)}
    return opening.Board(places, dict.fromkeys(places, names), rules.face.astype(np.int64))


def lying(state: State, setup: Setup) -> list[int]:
    hands = [card for hand in state.hand[: setup.players] for card in members(hand)]
    return [*hands, int(state.faceup[0]), *pile_as_it_lies(state)]
