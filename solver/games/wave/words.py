"""WAVE in words: cards, moves and events, the page of the table, and what describes an opening."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.piles import cards_in_pile, pile_as_it_lies
from houle.solver.compiler.types import State, States
from houle.solver.games.wave import rules as game
from houle.solver.games.wave.knows import ORDERS
from houle.solver.interface.files import EndReader, GameEnds
from houle.solver.matches.known import Known
from houle.solver.matches.opening import Board, CardChange, Fact, Values, count, has, set_of
from houle.solver.matches.views import HAND, MIDDLE, SEAT, Face, Row, hidden, line, read, row
from houle.solver.rules import Setup
from houle.solver.texts import count_of

# ---- Names of cards and actions, the state as data and as text, events, the cards drawn


def card_name(setup: Setup, card: int) -> str:
    numbers = setup.options["deck.numbers"]
    return f"{setup.options['deck.colours'][card // len(numbers)]} {numbers[card % len(numbers)]}"


GENERAL = frozenset({"point", "point_room", "swap"})  # rules of thumb that explain no single move


def action_name(state: State, setup: Setup, action: int) -> str:
    if action == game.NO_SWAP:
        return "no swap"
    if action >= game.POINT:
        return f"point {signal_name(setup, game.AT_NONE if action == game.POINT_NONE else action - game.POINT)}"
    code = action & (game.HIDE - 1)
    card = int(state.held[state.acting, code - game.BACK]) if code >= game.BACK else code
    action_type = "swap" if action >= game.SWAP else "hide" if action >= game.HIDE else "play"
    return f"{action_type} {card_name(setup, card)}"


def signal_name(setup: Setup, signal: int, before: str = "") -> str:
    """What a signal points at: the place of a back card in the hand, from 1, a card of the dummy, or `none`."""
    if signal == game.AT_NONE:
        return "none"
    return f"{before}{signal - game.BACK + 1}" if signal >= game.BACK else card_name(setup, signal)


def others_in_turn(setup: Setup, acting: int, turned: int) -> list[int]:
    """The seats after the acting one, in the direction of play."""
    seats = int(setup.rules[0].seats)
    return [(acting + (-step if turned else step)) % seats for step in range(1, seats)]


def signals_given(known: Known) -> list[tuple[int, int]]:
    """Who pointed at this decision, in order, and the code of the card or AT_NONE."""
    order = others_in_turn(known.setup, known["turn"], known["direction"])
    signals = [(seat, known["signal", seat]) for seat in order]
    return [(seat, code - 1 if code > 0 else game.AT_NONE) for seat, code in signals if code]


def asked(state: State, setup: Setup) -> str:
    """What the surfer to move decides, as a question; seats count from 0."""
    rules, hand = setup.rules[0], hand_name(setup, int(state.acting))
    if game.is_signal(state):
        return f"Which card of {hand} do you point at?"
    if rules.virage and not state.asked:
        return "Do you swap a card for the Virage card?"
    if rules.dummy and int(state.acting) == game.DUMMY:
        return f"Which card do you play for {hand}?"
    return "Which card do you add to the wave?" if rules.nazare else "Which card do you play?"


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/wave.py uses."""
    state, rules = read(state), read(setup.rules[0])
    seats = range(int(rules.seats))
    over = int(state.mover) < 0

    def card(value: Any) -> int:
        return -1 if int(value) in (game.NONE, game.FACEDOWN) else int(value)

    return {
        "acting": -1 if over else int(state.acting),
        "direction": -1 if state.turned else 1,
        "front": [members(state.front[seat]) for seat in seats],
        "back": [members(state.back[seat]) for seat in seats],
        "pile": cards_in_pile(state),
        "top": card(state.top),
        "virage": card(state.virage),
        "taken": card(state.taken),
        "asked": bool(state.asked),
        "inverted": [bool(state.order & 1), bool(state.order & 2)],
        "wave": [card(value) for value in state.cells[: int(state.laid) + 1]] if rules.nazare else [],
        "facedown": int(state.facedown),
        "laid": int(state.laid),
        "over": over,
    }


def show(state: State, setup: Setup) -> str:
    """The whole state as text: the open cards, then every hand. Nazare adds what must be beaten next, and the wave."""
    rules = setup.rules[0]
    seen = snapshot(state, setup)

    def names(cards: list[int]) -> str:
        return ", ".join(card_name(setup, card) for card in cards) or "none"

    def single(card: int) -> str:
        return "face down" if card < 0 else card_name(setup, card)

    facts = [
        *([] if rules.nazare else [f"top {single(seen['top'])}"]),
        f"pile {len(seen['pile'])}",
        "clockwise" if seen["direction"] > 0 else "anticlockwise",
    ]
    if rules.virage:
        facts.append(f"Virage {single(seen['virage'])}" if seen["virage"] >= 0 else "Virage card laid")
    facts += [f"{what} inverted" for what, on in zip(("colours", "numbers"), seen["inverted"], strict=True) if on]
    lines = ["; ".join(facts)]
    for seat in range(int(rules.seats)):
        dummy = rules.dummy and seat == game.DUMMY
        who, open_to, hidden = ("dummy ", "face up", "face down") if dummy else (f"seat {seat}", "front", "back")
        lines.append(f"  {who}  {open_to} {names(seen['front'][seat])} | {hidden} {names(seen['back'][seat])}")
    if rules.nazare:
        lines += _next_cell(seen, setup)
        lines.append("  wave    " + " / ".join(" ".join(column) for column in _columns(seen["wave"], setup)))
    return "\n".join(lines)


def _columns(cells: list[int], setup: Setup) -> list[list[str]]:
    """The laid part of the great wave, a list per column from the bottom up."""
    columns, start = [], 0
    for height in setup.options["heights"]:
        part = cells[start : start + height]
        if part:
            columns.append(["##" if card < 0 else card_name(setup, card) for card in part])
        start += height
    return columns


def _next_cell(seen: dict[str, Any], setup: Setup) -> list[str]:
    """Where the next card of the great wave goes, and the neighbours it must beat."""
    rules, cells = setup.rules[0], seen["wave"]
    cell = len(cells)
    if cell >= int(rules.deck_size):
        return []
    column, row = 1, cell
    for height in setup.options["heights"]:
        if row < height:
            break
        column, row = column + 1, row - height

    def neighbour(place: int) -> str:
        if place == game.NONE:
            return "nothing"
        return "a face-down card (any card beats it)" if cells[place] < 0 else card_name(setup, cells[place])

    left, below = neighbour(int(rules.left[cell])), neighbour(int(rules.below[cell]))
    return [f"  next    column {column}, row {row + 1} from the bottom: must beat {left} on the left and {below} below"]


def hand_name(setup: Setup, seat: int) -> str:
    """The name of a hand: the dummy's or a seat's."""
    return "the dummy" if setup.rules[0].dummy and seat == game.DUMMY else f"seat {seat}"


def happened(before: State, after: State, setup: Setup, action: int, again: Any) -> list[str]:
    """The events of a move: the card drawn, changes of order and direction, seats that are skipped."""
    old, new, seat = snapshot(before, setup), snapshot(after, setup), int(before.acting)
    if action == game.NO_SWAP or action >= game.POINT:
        return []
    if action >= game.SWAP:
        taken, laid = (card_name(setup, seen["virage"]) for seen in (old, new))
        return [f"takes the Virage card {taken} as a front card; the Virage card is now {laid}"]
    events = []
    if old["direction"] != new["direction"]:
        events.append(f"reverse: play now goes {'clockwise' if new['direction'] > 0 else 'anticlockwise'}")
    events += _drawn(old, new, setup, seat)
    step, reached = new["direction"], int(after.acting)
    seats = int(setup.rules[0].seats)
    passed = (seat + step) % seats
    while not new["over"] and passed != reached:
        events.append(f"{hand_name(setup, passed)} has no cards and is skipped")
        passed = (passed + step) % seats
    return events


def _drawn(old: dict[str, Any], new: dict[str, Any], setup: Setup, seat: int) -> list[str]:
    """The inversion cards that came up, then the card that was drawn or that the dummy turned up."""
    who = f"{hand_name(setup, seat)} " if hand_name(setup, seat) == "the dummy" else ""
    gone = Counter(old["pile"]) - Counter(new["pile"])
    events = []
    for card, what, place in ((game.INVERT_COLOURS, "colour", 0), (game.INVERT_NUMBERS, "number", 1)):
        if gone[card]:
            order = "inverted" if new["inverted"][place] else "normal"
            cards = count_of(gone[card], f"{what} inversion card")
            events.append(f"{who}draws {cards}: {what}s are now {order}")
    held = set(old["front"][seat]) | set(old["back"][seat])
    front, back = (set(new[side][seat]) - held for side in ("front", "back"))
    if front or back:
        (card,) = front | back
        where = "" if who else " as a front card" if front else " as a back card"
        events.append(f"{who}draws {card_name(setup, card)}{where}")
    elif who and (turned := set(new["front"][seat]) & set(old["back"][seat])):
        events.append(f"the pile is empty: the dummy turns up {card_name(setup, turned.pop())}")
    else:
        events.append(f"{who}draws nothing: the pile is empty")
    return events


def ending(state: State, setup: Setup) -> list[str]:
    """Who is stuck and on which card, or that all cards are laid, and what happened to the Virage card."""
    seen, rules = snapshot(state, setup), setup.rules[0]
    hands = [front + back for front, back in zip(seen["front"], seen["back"], strict=True)]
    if any(hands):
        seat, top = int(state.acting), card_name(setup, seen["top"])
        choice = seen["front"][seat] if hand_name(setup, seat) == "the dummy" else hands[seat]
        cards = ", ".join(card_name(setup, card) for card in choice if card != seen["taken"]) or "no other card"
        return [f"{hand_name(setup, seat)} is stuck with {cards}: nothing beats the top card {top}"]
    if rules.nazare:
        return [f"the wave is complete with {count_of(seen['facedown'], 'card')} face down"]
    if seen["virage"] >= 0:
        virage, top = card_name(setup, seen["virage"]), card_name(setup, seen["top"])
        return [f"all hands are empty, but the Virage card {virage} does not beat the top card {top}"]
    return ["all cards are laid" + (", the Virage card last" if rules.virage else "")]


def place_of(state: State, setup: Setup, action: int, viewer: int | None = None) -> int:
    """The place in the hand, from 1, of a move's card; 0 if it has none or the viewer knows the card itself."""
    if action == game.NO_SWAP or action >= game.POINT:
        return 0
    code, holder = action & (game.HIDE - 1), int(state.acting)
    slot = code - game.BACK if code >= game.BACK else int(state.slot[code])
    if viewer is not None and Known.of(state, setup, viewer)["places", holder][slot] > 0:
        return 0
    return slot + 1


# ---- A position as rows of card faces, as a seat sees it


CALLED = {"the dummy": "Vaimiti"}  # at the table, as the rulebook does


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, acting = setup.rules[0], known["turn"]
    if rules.nazare:
        rows = [_great_wave(known["wave"], setup)]
    else:
        rows = [row("to beat", [_card(known["top"], setup)])]
    if rules.virage and known["virage"] >= 0:
        rows.append(row("Virage card", [_card(known["virage"], setup)]))
    for step in range(int(rules.seats)):
        seat = (acting + step) % int(rules.seats)
        front, back = _hand(known, setup, seat)
        if rules.dummy and seat == game.DUMMY:
            rows.append(row("Vaimiti, face up", front, seat == acting, region=HAND if seat == acting else MIDDLE))
            rows.append(row("Vaimiti, face down", back))
            continue
        for label, faces in (("front", front), ("back", back)):
            rows.append(row(label, faces, seat == acting, seat=seat, region=HAND if seat == known.seat else SEAT))
    if rules.nazare:
        rows.append(line("to beat", _to_beat(known["wave"], setup)))
    if rules.signals:
        rows.append(line("pointing", _signals(known, setup)))
    inverted = [ORDERS[what] for what in known["inverted"]] if "inverted" in known else []
    colours = list(setup.options["deck.colours"])
    rows.append(line("colours rise", " < ".join(reversed(colours) if "colours" in inverted else colours)))
    laid = f"{known['cards laid'] + 1} of {int(rules.deck_size)}"
    return [*rows, line("cards laid", laid), line("inverted", "; ".join(inverted))]


def _card(number: int, setup: Setup) -> Face:
    name = card_name(setup, number)
    colour, _, top = name.rpartition(" ")
    mark = "reverse" if int(setup.rules[0].reverse) >> number & 1 else ""
    return {"top": top, "name": colour, "paint": colour, "mark": mark, "typed": name}


def _hand(known: Known, setup: Setup, seat: int) -> tuple[list[Face], list[Face]]:
    """The front of a hand, by card, and its back, by place."""
    places, back = known["places", seat], known["back places", seat]
    front = [place for place, card in enumerate(places) if card and place not in back]
    seen = sorted((place for place in front if places[place] > 0), key=places.__getitem__)
    faces = [_face(known, setup, seat, place) for place in seen] + hidden(len(front) - len(seen))
    if setup.rules[0].dummy and seat == game.DUMMY:
        return faces, hidden(len(back))
    return faces, [_face(known, setup, seat, place) for place in back]


def _face(known: Known, setup: Setup, seat: int, place: int) -> Face:
    """A card of a hand, with the moves that it can mean; an unseen card has its place as a number."""
    card, in_back = known["places", seat][place] - 1, place in known["back places", seat]
    face: Face = _card(card, setup) if card >= 0 else {"hidden": True, "top": str(place + 1)}
    if seat != known["turn"]:
        return face
    code = game.BACK + place if in_back else card
    face["moves"] = tuple(what + code for what in (0, game.HIDE, game.SWAP, game.POINT))
    if setup.rules[0].signals:
        face |= {"place": str(place + 1)} if in_back and card >= 0 else {}
        pointing = [f"seat {adviser}" for adviser, signal in signals_given(known) if signal == code]
        face |= {"pointing": pointing} if pointing else {}
    of_another = seat != known.seat and seat < setup.players
    if known["to move"] == known.seat and not of_another:
        face["blocked"] = _blocked(known, setup, card)
    return face


def _blocked(known: Known, setup: Setup, card: int) -> str:
    """Why a card cannot be played."""
    if setup.rules[0].virage and card == known["taken"] >= 0:
        return "it was taken in this turn's swap"
    if setup.rules[0].nazare:
        return "it must beat the card on its left and the card below it, in number or in colour"
    return f"neither its number nor its colour is higher than {card_name(setup, known['top'])}"


def _signals(known: Known, setup: Setup) -> str:
    """Where the others point, in words."""
    given = [
        (seat, "no card" if code == game.AT_NONE else signal_name(setup, code, "card "))
        for seat, code in signals_given(known)
    ]
    return "; ".join(f"seat {seat} points at {what}" for seat, what in given)


def move_in_words(setup: Setup, move: str) -> str:
    """`point 4` -> `point at card 4`; unseen cards by the number on their back, `hide` and `swap` in full."""
    move = "do not swap" if move == "no swap" else re.sub(r"the card @(\d)", r"card \1", move)
    verb, _, what = move.partition(" ")
    if verb == "point":
        return "point at no card" if what == "none" else f"point at {'card ' if what.isdigit() else ''}{what}"
    return {"hide": f"lay {what} face down", "swap": f"swap {what} for the Virage card"}.get(verb, move)


def _great_wave(cells: list[int], setup: Setup) -> Row:
    """Nazare: the columns so far, from the bottom up; the place of the next card is marked."""
    faces, cell = [], 0
    for column, height in enumerate(setup.options["heights"], 1):
        for _ in range(height):
            if cell < len(cells):
                one = _card(cells[cell], setup) if cells[cell] >= 0 else {"hidden": True}
            else:
                one = {"empty": True, "name": "next" if cell == len(cells) else ""}
            faces.append(one | {"column": column})
            cell += 1
    return row("the wave", faces, layout="columns")


def _to_beat(cells: list[int], setup: Setup) -> str:
    """Nazare: what the next card must beat."""
    rules, cell = setup.rules[0], len(cells)
    if cell >= int(rules.deck_size):
        return ""
    near = [("on the left", int(rules.left[cell])), ("below", int(rules.below[cell]))]
    words = [
        f"{card_name(setup, cells[place])} {where}" for where, place in near if place != game.NONE and cells[place] >= 0
    ]
    return " and ".join(words) or "nothing: any card fits"


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: only its owner sees a drawn front card, the others a back card."""
    known, seat, place = Known.of(after, setup, viewer), int(before.acting), place_of(before, setup, action) - 1
    lines = [*_followed(before, setup, action, viewer), *events]
    if place < 0 or known["places", seat][place] >= 0:
        return lines
    unseen = "back" if place in known["back places", seat] else "front"
    return [f"draws a {unseen} card" if re.fullmatch(rf"draws .* as a {unseen} card", line) else line for line in lines]


def _followed(before: State, setup: Setup, action: int, viewer: int) -> list[str]:
    """Whether a surfer did what the viewer pointed at."""
    if not setup.rules[0].signals or game.is_signal(before):
        return []
    code = dict(signals_given(Known.of(before, setup, viewer))).get(viewer, game.AT_NONE)
    return [] if code == game.AT_NONE else [f"{'follows' if action == code else 'does not follow'} seat {viewer}"]


def last_trick(before: State, after: State, setup: Setup, action: int, again: Any) -> Row | None:
    """What a move laid, for the trail of all cards; see `views`. In Nazare the wave shows them all.

    The first move brings the start card along, and the last one the Virage card.
    """
    if setup.rules[0].nazare or after.laid == before.laid:
        return None
    start = [_card(int(before.top), setup)] if before.laid == 0 else []
    laid = members(int(after.seen) & ~int(before.seen))
    owned = [
        _card(card, setup) | {"owner": hand_name(setup, int(before.acting))}
        for card in sorted(laid, key=lambda card: card == after.top)
    ]
    return row("the wave", [*start, *owned], layout="trail")


# ---- The start card, the hands, and the cards that reverse the direction of play


def facts(setup: Setup) -> list[Fact]:
    rules, options = setup.rules[0], setup.options
    seats, players = int(rules.seats), setup.players
    colours, width = tuple(options["deck.colours"]), len(options["deck.numbers"])
    beats, reverse = rules.beats[0], rules.reverse
    deck = rules.deck[: int(rules.deck_size)]
    followers = count(beats[: len(colours) * width])  # how many cards beat a card
    strong = set_of(card for card in deck if 3 * followers[card] < rules.deck_size)

    def all_hands(openings: States) -> Any:
        return np.bitwise_or.reduce((openings.front | openings.back)[:, :seats], axis=1)

    def hands(openings: States) -> Any:
        return (openings.front | openings.back)[:, :players]

    def kinds(openings: States, divide: bool) -> Values:
        """How many colours (or numbers) a hand has."""
        groups = [card // width if divide else card % width for card in range(64)]
        masks = [set_of(card for card in deck if groups[card] == group) for group in sorted(set(groups))]
        return sum((count(hands(openings), mask) > 0).astype(np.int64) for mask in masks)  # type: ignore[return-value]

    facts = [
        Fact("start colour", "colour of the start card", lambda o: o.top // width, labels=colours),
        Fact(
            "start number",
            "number of the start card",
            lambda o: o.top % width,
            labels=tuple(map(str, options["deck.numbers"])),
        ),
        Fact("start followers", "cards of the deck that beat the start card", lambda o: followers[o.top]),
        Fact(
            "reverses in hands", "cards in all hands that reverse the direction", lambda o: count(all_hands(o), reverse)
        ),
        Fact(
            "strong cards in hands",
            "cards in all hands that less than a third of the deck beats",
            lambda o: count(all_hands(o), strong),
        ),
        Fact(
            "first hand fits",
            "cards of the first surfer that beat the start card",
            lambda o: count(hands(o)[:, 0], beats[o.top]),
        ),
        Fact(
            "own hand fits",
            "cards of a surfer that beat the start card",
            lambda o: count(hands(o), beats[o.top][:, None]),
        ),
        Fact("own reverses", "cards of a surfer that reverse the direction", lambda o: count(hands(o), reverse)),
        Fact(
            "own strong cards",
            "cards of a surfer that less than a third of the deck beats",
            lambda o: count(hands(o), strong),
        ),
        Fact("own colours", "different colours in a surfer's hand", lambda o: kinds(o, True)),
        Fact("own numbers", "different numbers in a surfer's hand", lambda o: kinds(o, False)),
    ]
    if rules.virage:
        facts.append(
            Fact("Virage followers", "cards of the deck that beat the Virage card", lambda o: followers[o.virage])
        )
    return facts


def _slots(setup: Setup) -> list[tuple[int, int]]:
    """Cards in front and in back of every hand."""
    rules = setup.rules[0]
    own, dummys = (int(rules.front), int(rules.back)), (int(rules.up), int(rules.down))
    return [dummys if rules.dummy and seat == game.DUMMY else own for seat in range(int(rules.seats))]


def cards(setup: Setup) -> list[str]:
    """The deck, card by card."""
    rules = setup.rules[0]
    return [card_name(setup, int(card)) for card in rules.deck[: int(rules.deck_size)]]


def card_changes(setup: Setup) -> list[CardChange]:
    """Every card out of the deck, missing cards back in, and the reverse symbol on cards without it."""
    rules = setup.rules[0]
    dealt = [int(card) for card in rules.deck[: int(rules.deck_size)]]
    plain = [card_name(setup, card) for card in dealt if not has(rules.reverse, card)]
    back = [name for name in setup.options["deck.missing"] if "*" not in name]
    return [
        *(CardChange(name, "out", knob="deck.missing", sign="+", value=name) for name in cards(setup)),
        *(CardChange(name, "in", knob="deck.missing", sign="-", value=name) for name in back),
        *(CardChange(name, "reverses", knob="deck.reverse", sign="+", value=name) for name in plain),
    ]


def board(setup: Setup) -> Board:
    """The start card, the hands slot by slot (front, then back), the Virage card, the pile."""
    places = {"top": [0]}
    position = 1
    for seat, (front, back) in enumerate(_slots(setup)):
        name = "dummy" if setup.rules[0].dummy and seat == game.DUMMY else f"seat {seat}"
        parts = ("up", "down") if name == "dummy" else ("front", "back")
        whole = list(range(position, position + front + back))
        places |= {name: whole, f"{name} {parts[0]}": whole[:front], f"{name} {parts[1]}": whole[front:]}
        position += front + back
    if setup.rules[0].virage:
        places["virage"] = [position]
    width = len(setup.options["deck.numbers"])
    names = {card_name(setup, card).lower(): card for card in range(len(setup.options["deck.colours"]) * width)}
    return Board(places, dict.fromkeys(places, names), np.arange(256))


def lying(state: State, setup: Setup) -> list[int]:
    hands = [card for seat, sizes in enumerate(_slots(setup)) for card in state.held[seat, : sum(sizes)]]
    virage = [state.virage] if setup.rules[0].virage else []
    return [int(card) for card in (state.top, *hands, *virage, *pile_as_it_lies(state)) if card < game.MAX_CARDS]


def end_reader(setup: Setup) -> EndReader | str:
    """Reads on which card and at which seat games end. With Nazare every card is laid."""
    rules = setup.rules[0]
    if rules.nazare:
        return "with Nazare every card is laid and no game ends early"
    deck = [int(card) for card in rules.deck[: int(rules.deck_size)]]
    seats = int(rules.seats)
    who = ["the dummy" if rules.dummy and seat == game.DUMMY else f"seat {seat}" for seat in range(seats)]
    numbers = np.arange(len(setup.options["deck.colours"]) * len(setup.options["deck.numbers"]), dtype=np.uint64)

    def read(states: Any) -> GameEnds:
        # If all hands are empty, nobody is stuck: the last Virage card did not fit.
        has_cards = (states["front"] | states["back"]).any(axis=1)
        return GameEnds(
            states["laid"].astype(np.int64),
            states["top"].astype(np.int64),
            np.where(has_cards, states["acting"], seats).astype(np.int64),
            (states["seen"][:, None] >> numbers) & np.uint64(1) != 0,
        )

    return EndReader(
        most=len(deck) - 1,
        cards={card: card_name(setup, card) for card in deck},
        who=(*who, "the Virage card" if rules.virage else ""),
        read=read,
        size=len(numbers),
    )
