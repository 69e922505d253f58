"""WAVE: how positions are written and read as text. docs/reference/positions.md explains the lines."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.piles import lay_pile
from houle.solver.compiler.types import State, States
from houle.solver.games.wave import rules as game
from houle.solver.games.wave.knows import ORDERS
from houle.solver.games.wave.words import (
    action_name,
    card_name,
    hand_name,
    others_in_turn,
    place_of,
    signal_name,
    signals_given,
)
from houle.solver.matches.known import Known
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.line_parser import UNKNOWN, Lines, Places
from houle.solver.matches.record.named_cards import Held, PositionCards
from houle.solver.rules import Setup
from houle.solver.texts import typed_number

ALL_BITS = 2**64 - 1
TAKEN = game.FACEDOWN  # a place of a hand for a card that is still to be dealt
DOWN = "down"  # a cell with a face-down card
INVERSIONS = {game.INVERT_COLOURS: "colour inversion", game.INVERT_NUMBERS: "number inversion"}


def name_of_card(setup: Setup, card: int) -> str:
    return DOWN if card < 0 else INVERSIONS.get(card) or card_name(setup, card)


def hand_parts(setup: Setup, holder: int) -> tuple[str, str]:
    """The names of the two parts of a hand: what its owner sees, and what the owner does not see."""
    if setup.rules[0].dummy and holder == game.DUMMY:
        return "dummy up", "dummy down"
    return f"seat {holder + 1} front", f"seat {holder + 1} back"


def hand_title(setup: Setup, holder: int) -> str:
    return hand_parts(setup, holder)[0].rpartition(" ")[0]


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move as `seat` sees it, before or after it is `done`: unseen cards are named by their place in the hand."""
    shown = (done or seat != int(state.mover)) and not game.HIDE <= action < game.SWAP
    place = 0 if shown else place_of(state, setup, action, seat)
    name = action_name(state, setup, action)
    return f"{name.partition(' ')[0]} the card @{place}" if place else name


def _turn(known: Known, who: int) -> Places:
    """Whose hand is played, if it is not that of the surfer to move."""
    return {} if known["turn"] == known["to move"] else {"turn": [hand_title(known.setup, known["turn"])]}


def _signals(known: Known, who: int) -> Places:
    """The signals given at this decision, in the order in which they were given."""
    given = [f"seat {seat + 1} {signal_name(known.setup, code, '@')}" for seat, code in signals_given(known)]
    return {"signals": given} if given else {}


def _face_down(known: Known, who: int) -> Places:
    """Nazare: face-down cards that a surfer has seen; with open hands one line is enough."""
    names = [card_name(known.setup, card) for card in known["seen face down", who]]
    surfers = 1 if known.setup.rules[0].talk == game.OPEN else known.setup.players
    return {f"face down known to seat {who + 1}": names} if names and who < surfers else {}


def _laid(known: Known, who: int) -> Places:
    """The card to beat and the cards below it; in Nazare the wave shows them."""
    if known.setup.rules[0].nazare:
        return {}
    top, laid = known["top"], known["laid"]
    names = [card_name(known.setup, card) for card in laid if card != top]
    return {"top": [card_name(known.setup, top)], "laid": names}


def _inverted(known: Known, who: int) -> Places:
    """Which orders are inverted, and the inversion cards that are still in the pile."""
    left = {what: known[f"inversions of {what}"] for what in ORDERS if f"inversions of {what}" in known}
    words = [f"{number} {what}" for what, number in left.items() if number]
    return {"inverted": [ORDERS[what] for what in known["inverted"]], "inversion cards": words}


def _hand(known: Known, who: int) -> Places:
    """Front and back in the order of the places; a card's place is written if the cards are not in this order."""
    places, back = known["places", who], known["back places", who]
    held = [place for place, card in enumerate(places) if card]
    parts = [place for place in held if place not in back], back
    words = ["?" if card < 0 else card_name(known.setup, card - 1) for card in places]
    if [*parts[0], *back] != list(range(len(held))):
        words = [f"{word} @{place}" for place, word in enumerate(words, 1)]
    titles = hand_parts(known.setup, who)
    return {title: [words[place] for place in part] for title, part in zip(titles, parts, strict=True)}


def _clues(known: Known, who: int) -> Places:
    """What hidden cards of hands may be for seats that do not see them, unless they may be anything."""
    setup, lines, rules = known.setup, Places(), known.setup.rules[0]
    places, marks = known["places", who], known["may be", who]
    width = len(marks) // len(places)
    for place in (place for place, card in enumerate(places) if card):
        parts: tuple[list[str], list[str]] = [], []
        for card in rules.deck[: int(rules.deck_size)].tolist():
            parts[marks[place * width + card]].append(card_name(setup, card))
        never, may = parts
        if never:
            few = len(may) <= len(never)
            lines[f"{hand_title(setup, who)} @{place + 1} {'may be' if few else 'is not'}"] = may if few else never
    return lines


LINES = {
    "turn": _turn,
    "signal": _signals,
    "seen face down": _face_down,
    "laid": _laid,
    "inverted": _inverted,
    "places": _hand,
    "may be": _clues,
}


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily."""
    rules = setup.rules[0]
    cards = _Cards(lines, setup, state, seat, deck=rules.deck[: int(rules.deck_size)].tolist())
    cards.read_turn()
    if rules.nazare:
        cards.read_wave()
    else:
        cards.read_laid()
    cards.read_virage()
    cards.read_hands()
    if rules.nazare:
        cards.read_sunk()
    cards.lay_pile()
    if rules.tracks:
        cards.read_clues()
    cards.offer()
    if rules.signals:
        cards.read_signals()


class _Cards(PositionCards):
    """The cards of a position as they are read: each is in one place, and together they are the deck."""

    def read_turn(self) -> None:
        """Reads whose hand is played, who decides, and which orders are inverted."""
        state, rules = self.state, self.rules
        titles = {hand_title(self.setup, holder): holder for holder in range(int(rules.seats))}
        own = f"seat {self.seat + 1}"
        turns = tuple(title for title in titles if rules.signals or title in ("dummy", own))
        state.acting = titles[self.lines.word("turn", turns, own)]
        dummy = rules.dummy and int(state.acting) == game.DUMMY
        if dummy and int(state.surfer) != self.seat and not rules.signals:
            raise self.fault("last surfer", "the surfer who laid the last card decides for the dummy")
        state.decider = state.surfer if dummy else state.acting
        tides = [what for what, on in zip(ORDERS, (rules.tide_colours, rules.tide_numbers), strict=True) if on]
        for what in self.lines.choices("inverted", tides) if tides else ():
            state.order |= 1 << ORDERS.index(what)

    def read_laid(self) -> None:
        state, top = self.state, self.single("top", "the card to beat")
        laid = self.named("laid")
        state.top = state.cells[0] = top
        state.laid = len(laid)
        state.seen = set_of([top, *laid])
        if not (self.rules.tide_colours or self.rules.tide_numbers):
            self._check_laid(top, set(laid))

    def _check_laid(self, top: int, laid: set[int]) -> None:
        """Checks that some order of these cards ends on the top: one of any two cards beats the other."""
        beats = self.rules.beats[0]
        reached: set[int] = set()
        new = [top]
        while new:
            card = new.pop()
            below = {other for other in laid - reached if int(beats[other]) >> card & 1}
            reached |= below
            new += below
        for card in sorted(laid - reached):
            problem = f"{self.shown(card)} cannot lie below {self.shown(top)}: no legal order of these cards ends on it"
            raise self.fault("laid", problem)

    def read_wave(self) -> None:
        """Reads the cells of the great wave, in the order in which they are filled."""
        state, rules = self.state, self.rules
        cells = [game.FACEDOWN if word == DOWN else self.take("wave", word) for word in self.words("wave")]
        if not cells or cells[0] == game.FACEDOWN:
            raise self.fault("wave", f"write its cards in order, the start card first, {DOWN} for a face-down card")
        if len(cells) > int(rules.deck_size):
            raise self.fault("wave", f"{len(cells)} cards; the deck has {int(rules.deck_size)}")
        state.cells[: len(cells)] = cells
        state.laid, state.facedown = len(cells) - 1, cells.count(game.FACEDOWN)
        state.top = game.NONE if cells[-1] == game.FACEDOWN else cells[-1]
        state.seen = set_of(card for card in cells if card != game.FACEDOWN)
        if not (rules.tide_colours or rules.tide_numbers):
            for cell, card in enumerate(cells):
                self._check_cell(cell, card, "to its left", int(rules.left[cell]))
                self._check_cell(cell, card, "below it", int(rules.below[cell]))

    def _check_cell(self, cell: int, card: int, where: str, other: int) -> None:
        held = game.FACEDOWN if other == game.NONE else int(self.state.cells[other])
        if game.FACEDOWN not in (card, held) and not int(self.rules.beats[0, held]) >> card & 1:
            problem = f"card {cell + 1}, {self.shown(card)}, does not beat {self.shown(held)} {where}"
            raise self.fault("wave", problem)

    def read_virage(self) -> None:
        state, lines = self.state, self.lines
        state.virage = state.taken = game.NONE
        if not self.rules.virage:
            state.asked = 1
            return
        state.virage = self.single("virage", "the card beside the pile")
        if not lines.says("swap"):
            if not lines.says("taken"):
                problem = "this line is missing; write `open` if this turn's swap is still to be decided, else `closed`"
                raise self.fault("swap", problem)
            state.asked = 1
        taken = self.seen("taken")
        if taken and (len(taken) > 1 or not state.asked):
            raise self.fault("taken", "allowed: one card, and only after the swap is decided")
        state.taken = taken[0] if taken else game.NONE
        state.public = set_of([*self.seen("known to all"), *taken])

    def read_hands(self) -> None:
        state, rules, lines = self.state, self.rules, self.lines
        state.held[:] = game.NONE
        for holder in range(int(rules.seats)):
            dummy, full = rules.dummy and holder == game.DUMMY, int(rules.places[holder])
            parts, sizes = (
                hand_parts(self.setup, holder),
                (rules.up, rules.down) if dummy else (rules.front, rules.back),
            )
            for place, other, size in zip(parts, parts[::-1], sizes, strict=True):
                # Without a line the hand has as many unseen cards as it has room for.
                usual = max(0, full - len(self.words(other))) if lines.says(other) else int(size)
                for held in self.hand(place, usual):
                    self._hold(holder, place, held, place == parts[0])
        for card in members(int(state.public) & ~int(np.bitwise_or.reduce(state.front))):
            raise self.fault("known to all", f"{self.shown(card)} is not a front card of any hand")
        if int(state.taken) != game.NONE and not int(state.front[state.acting]) >> int(state.taken) & 1:
            name = self.shown(int(state.taken))
            raise self.fault("taken", f"{name} is not a front card of the player who took it")

    def _hold(self, holder: int, place: str, held: Held, front: bool) -> None:
        """Puts one card of a hand into the place that is named, else into the first free one."""
        slots, full = self.state.held[holder], int(self.rules.places[holder])
        free = next((slot for slot in range(full) if slots[slot] == game.NONE), full)
        slot = self.lines.whole(place, held.at, 1, full) - 1 if held.at else free
        if slot >= full:
            raise self.fault(place, f"{held.word!r} is one card too many; this hand has room for {full}")
        if slots[slot] != game.NONE:
            raise self.fault(place, f"{held.word}: another card is in this place of the hand")
        slots[slot] = TAKEN
        lay = partial(self._lay, holder, slot, front)
        if held.card == UNKNOWN:
            self.hide(place, lay)
        else:
            lay(held.card)

    def _lay(self, holder: int, slot: int, front: bool, card: int) -> None:
        state = self.state
        state.held[holder, slot], state.slot[card], state.may[holder, slot] = card, slot, ALL_BITS
        (state.front if front else state.back)[holder] |= 1 << card

    def read_sunk(self) -> None:
        """Reads the face-down cards of the wave that a seat has seen; with open hands all have seen the same."""
        state = self.state
        for other in range(1 if self.rules.talk == game.OPEN else self.setup.players):
            place = f"face down known to seat {other + 1}"
            cards = {*self.seen(place)}
            self.lines.hands[place] = Counter(map(self.shown, cards))
            for card in cards - {*members(int(state.sunk))}:
                self.put(card, place)
            state.sunk_known[other] = set_of(cards)
            state.sunk |= set_of(cards)
            if (number := int(state.sunk).bit_count()) > int(state.facedown):
                raise self.fault(place, f"{number} cards; {int(state.facedown)} lie face down")
        for _ in range(int(state.facedown) - int(state.sunk).bit_count()):
            self.hide("wave", self._sink)

    def _sink(self, card: int) -> None:
        self.state.sunk |= 1 << card

    def lay_pile(self) -> None:
        """Lays the rest of the deck as the pile, after checking its stated size; hands are full while there is one."""
        state, deck, pile = self.state, len(self.deck), self.fill()
        self.lines.rest("pile", deck, len(pile), deck)
        inversions = self._inversions()
        for holder in range(int(self.rules.seats)):
            held, full = int(state.front[holder] | state.back[holder]).bit_count(), int(self.rules.places[holder])
            if pile and held != full:
                place = hand_parts(self.setup, holder)[0]
                raise self.fault(place, f"{held} cards in the hand; while there is a pile it has {full}")
        lay_pile(state, pile, inversions)

    def _inversions(self) -> list[int]:
        """The inversion cards in the pile. Each one that is gone has reversed its order once."""
        most = {"colours": 2 * int(self.rules.tide_colours), "numbers": 2 * int(self.rules.tide_numbers)}
        words, left = self.lines.words("inversion cards") if any(most.values()) else None, dict.fromkeys(most, 0)
        for word in words or ():
            typed, _, what = word.lower().partition(" ")
            number = typed_number(typed)
            if what not in most or number is None or number > most[what]:
                allowed = ", ".join(f"0 to {many} {what}" for what, many in most.items() if many)
                raise self.fault("inversion cards", f"{word!r} is not allowed; allowed: {allowed}")
            left[what] = number
        for bit, (what, many) in enumerate(most.items()):
            turned = int(self.state.order) >> bit & 1
            left[what] = many - turned if words is None else left[what]
            if (gone := many - left[what]) % 2 != turned:
                problem = f"{gone} of {what} came up, so {what} are {'normal' if turned else 'inverted'}"
                raise self.fault("inversion cards", problem)
        return [game.INVERT_NUMBERS] * left["numbers"] + [game.INVERT_COLOURS] * left["colours"]

    def read_clues(self) -> None:
        """Reads what cards may be. A seen card must be among its candidates; an unseen one needs a card that no line
        names."""
        state, unseen, deck = self.state, set_of(self.left()), int(self.rules.cards)
        for holder in range(int(self.rules.seats)):
            for slot in range(int(self.rules.places[holder])):
                place, card = f"{hand_title(self.setup, holder)} @{slot + 1}", int(state.held[holder, slot])
                may, never = (self.lines.cards(f"{place} {what}", self.names) for what in ("may be", "is not"))
                if (may is not None or never is not None) and card == game.NONE:
                    raise self.fault(place, "no card is in this place of the hand")
                candidates = deck if may is None else set_of(one for one in may if one != UNKNOWN)
                candidates &= ~set_of(one for one in never or () if one != UNKNOWN)
                if card != game.NONE and not candidates & (1 << card if card in self.where else unseen):
                    seen = f", and {self.shown(card)} is there" if card in self.where else ""
                    raise self.fault(f"{place} {'is not' if may is None else 'may be'}", f"no card fits this{seen}")
                state.may[holder, slot] = candidates | (ALL_BITS & ~deck)

    def offer(self) -> None:
        """Checks that the turn can be taken, and sets what may be laid on the top card. Worlds compute it anew."""
        state, rules, seat = self.state, self.rules, int(self.state.acting)
        dummy = rules.dummy and seat == game.DUMMY
        hand = int(state.front[seat]) | (0 if dummy else int(state.back[seat]))
        if not state.asked and not (rules.virage and (rules.dummy_swaps or not dummy) and hand.bit_count() > 1):
            raise self.fault("swap", "this turn has no swap")
        if not hand:
            raise self.fault(hand_parts(self.setup, seat)[0], "a player without cards has no turn")
        if state.asked and not rules.nazare:
            chosen = hand if int(state.taken) == game.NONE else hand & ~(1 << int(state.taken))
            state.playable = chosen & int(rules.beats[state.order, state.top])

    def read_signals(self) -> None:
        """Reads where the others point; a signal that is not written counts as not given."""
        state, rules, acting = self.state, self.rules, int(self.state.acting)
        order, is_signal = _advisers(state, self.setup), int(state.mover) != int(state.decider)
        earlier = order[: order.index(int(state.mover))] if is_signal else order
        # In Nazare hidden front cards decide whether back cards may be sunk, and here they are dealt arbitrarily.
        seen = state.front if rules.dummy and acting == game.DUMMY else state.back
        usable = int(seen[acting]) if rules.nazare else game.pointable(state, rules)
        if is_signal and not usable:
            raise self.fault("turn", "nobody signals here: no card that others may point at can be used")
        state.signals[:] = game.NONE
        for word in self.lines.words("signals") or ():
            match = re.fullmatch(r"seat ([0-9]+) (none|@[0-9]+|[^@]+)", word.strip().lower())
            seat = int(match[1]) - 1 if match else -1
            if match is None or seat not in earlier:
                allowed = ", ".join(f"seat {other + 1}" for other in earlier) or "nobody"
                problem = (
                    f"{word!r} is not a signal before this decision; allowed: {allowed}, then none or @ and a place"
                )
                raise self.fault("signals", problem)
            state.signals[seat] = game.AT_NONE if match[2] == "none" else self._pointed_at(match[2])

    def _pointed_at(self, word: str) -> int:
        """The code of the card that somebody points at."""
        state, acting = self.state, int(self.state.acting)
        if self.rules.dummy and acting == game.DUMMY:
            card = self.lines.card("signals", word, self.names)
            if not int(state.front[acting]) >> card & 1:
                raise self.fault("signals", f"{word} is not a face-up card of the dummy")
            return card
        slot = self.lines.whole("signals", word.removeprefix("@"), 1, int(self.rules.places[acting])) - 1
        card = int(state.held[acting, slot])
        if card == game.NONE or not int(state.back[acting]) >> card & 1:
            hand = hand_title(self.setup, acting)
            raise self.fault("signals", f"{word} is not the place of a back card of {hand}")
        return game.BACK + slot


def _advisers(state: State, setup: Setup) -> list[int]:
    """The surfers who signal at this decision, in order."""
    others = others_in_turn(setup, int(state.acting), int(state.turned))
    return [seat for seat in others if seat < setup.players and seat != int(state.decider)]


def earlier_decisions(states: States, setup: Setup) -> list[tuple[States, int]]:
    """The signals given at this decision: the state before each, and the action."""
    given = [seat for seat in _advisers(states[0], setup) if int(states[0].signals[seat]) != game.NONE]
    decisions = []
    for number, seat in enumerate(given):
        signal, before = int(states[0].signals[seat]), states.copy()
        before[0].mover = seat
        for later in given[number:]:
            before[0].signals[later] = game.NONE
        decisions.append((before, game.POINT_NONE if signal == game.AT_NONE else game.POINT + signal))
    return decisions


def how_it_ends(states: States, setup: Setup) -> list[str]:
    """How finished games ended: who was stuck, or that all cards are laid; in Nazare how many cards are face down."""
    rules = setup.rules[0]
    if rules.nazare:
        return [f"{int(number)} cards face down" for number in states.facedown]
    seats = int(rules.seats)
    holds = ((states.front | states.back)[:, :seats] != 0).any(axis=1)
    stuck = [f"{hand_name(setup, seat)} is stuck" for seat in range(seats)]
    complete = "all cards are laid" if not rules.virage else "all hands are empty"
    return [stuck[int(seat)] if held else complete for seat, held in zip(states.acting, holds, strict=True)]
