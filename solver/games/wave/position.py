"""WAVE: positions as text: names, lines with a syntax of their own, and how lines are read.

seat: 1                              who decides
turn: dummy                          whose hand is played, if it is not the seat's own: the seat signals, or decides for
                                     the dummy
signals: seat 2 @4, seat 3 none      where the others point, by place in the hand; for the dummy's cards by name
top: white 3                         the card to beat
    wave: red 1, down, navy 2            Nazare, instead of top and laid: all cells in order, `down` if face down
laid: white 0, navy 1                the other cards laid so far, in any order
pile: 12                             cards in the pile without inversion cards; by default the rest of the deck
direction: anticlockwise             clockwise by default
virage: red 2                        the card beside the pile
swap: open                           Virage: this turn's swap is still to be decided; `closed` if not
taken: red 5                         taken in this turn's swap
inverted: colours                    which orders are reversed now; `inversion cards`: those left in the pile
seat 1 front: red 2, navy 5 @4       a hand; @4 is the card's place in it, needed if the cards lie in another order
seat 2 back: navy 1, white 4
known to all: navy 5                 cards in hands that used to be the Virage card
face down known to seat 1: red 1     Nazare: which face-down cards a seat has seen
seat 1 @4 may be: red 1, red 3       what seats that cannot see a card know about it; or `is not`
"""

from __future__ import annotations

import re
from functools import partial

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
from houle.solver.matches.record.known_lines import NamedCards
from houle.solver.matches.record.line_parser import UNKNOWN, Lines, Places
from houle.solver.rules import Setup
from houle.solver.texts import typed_number

ALL_BITS = 2**64 - 1
ALL_SEE = "everyone sees these cards; write their names instead of ?"
DOWN = "down"  # a cell with a face-down card


def name_of_card(setup: Setup, card: int) -> str:
    return DOWN if card < 0 else card_name(setup, card)


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
    "turn": _turn, "signal": _signals, "seen face down": _face_down, "laid": _laid,
    "inverted": _inverted, "places": _hand, "may be": _clues,
}  # fmt: skip


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily."""
    rules, cards = setup.rules[0], _Cards(lines, setup)
    state.mover = seat
    titles = {hand_title(setup, holder): holder for holder in range(int(rules.seats))}
    own = f"seat {seat + 1}"
    turns = tuple(title for title in titles if rules.signals or title in ("dummy", own))
    state.acting = titles[lines.word("turn", turns, own)]
    dummy = rules.dummy and int(state.acting) == game.DUMMY
    if dummy and not lines.says("last surfer"):
        state.surfer = seat
    if dummy and int(state.surfer) != seat and not rules.signals:
        raise lines.fault("last surfer", "the surfer who laid the last card decides for the dummy")
    state.decider = state.surfer if dummy else state.acting
    state.virage = state.taken = game.NONE
    tides = [what for what, on in zip(ORDERS, (rules.tide_colours, rules.tide_numbers), strict=True) if on]
    for what in lines.choices("inverted", tides) if tides else ():
        state.order |= 1 << ORDERS.index(what)
    if rules.nazare:
        cards.read_wave(state)
    else:
        cards.read_laid(state)
    _read_virage(lines, setup, state, cards)
    cards.read_hands(state, seat)
    if rules.nazare:
        cards.read_sunk(state, seat)
    pile = cards.fill(state)
    _lay_pile(lines, setup, state, pile)
    if rules.tracks:
        _read_clues(lines, setup, state, cards)
    _offer(lines, setup, state)
    if rules.signals:
        _read_signals(lines, setup, state, cards)


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


def _read_signals(lines: Lines, setup: Setup, state: State, cards: _Cards) -> None:
    """Reads where the others point; a signal that is not written counts as not given."""
    order, is_signal = _advisers(state, setup), int(state.mover) != int(state.decider)
    earlier = order[: order.index(int(state.mover))] if is_signal else order
    # In Nazare hidden front cards decide whether back cards may be sunk, and here they are dealt arbitrarily.
    rules, acting = setup.rules[0], int(state.acting)
    seen = state.front if rules.dummy and acting == game.DUMMY else state.back
    usable = int(seen[acting]) if rules.nazare else game.pointable(state, rules)
    if is_signal and not usable:
        raise lines.fault("turn", "nobody signals here: no card that others may point at can be used")
    state.signals[:] = game.NONE
    for word in lines.words("signals") or ():
        match = re.fullmatch(r"seat ([0-9]+) (none|@[0-9]+|[^@]+)", word.strip().lower())
        seat = int(match[1]) - 1 if match else -1
        if match is None or seat not in earlier:
            allowed = ", ".join(f"seat {other + 1}" for other in earlier) or "nobody"
            problem = f"{word!r} is not a signal before this decision; allowed: {allowed}, then none or @ and a place"
            raise lines.fault("signals", problem)
        state.signals[seat] = _read_signal(lines, setup, state, cards, match[2])


def _read_signal(lines: Lines, setup: Setup, state: State, cards: _Cards, word: str) -> int:
    if word == "none":
        return game.AT_NONE
    acting = int(state.acting)
    if setup.rules[0].dummy and acting == game.DUMMY:
        card = lines.card("signals", word, cards.names)
        if not int(state.front[acting]) >> card & 1:
            raise lines.fault("signals", f"{word} is not a face-up card of the dummy")
        return card
    slot = lines.whole("signals", word.removeprefix("@"), 1, int(setup.rules[0].places[acting])) - 1
    card = int(state.held[acting, slot])
    if card == game.NONE or not int(state.back[acting]) >> card & 1:
        raise lines.fault("signals", f"{word} is not the place of a back card of {hand_title(setup, acting)}")
    return game.BACK + slot


def _read_virage(lines: Lines, setup: Setup, state: State, cards: _Cards) -> None:
    if not setup.rules[0].virage:
        state.asked = 1
        return
    card = cards.single("virage")
    if card is None:
        raise lines.fault("virage", "this line is missing; write the card beside the pile")
    state.virage = card
    state.public = set_of(cards.seen("known to all", ALL_SEE))
    if not lines.says("swap"):
        if not lines.says("taken"):
            problem = "this line is missing; write `open` if this turn's swap is still to be decided, else `closed`"
            raise lines.fault("swap", problem)
        state.asked = 1
    taken = cards.seen("taken", ALL_SEE)
    if taken:
        if len(taken) > 1 or not state.asked:
            raise lines.fault("taken", "allowed: one card, and only after the swap is decided")
        state.taken = taken[0]
        state.public |= 1 << taken[0]


class _Cards(NamedCards):
    """The cards of a position as they are read: each is in one place, and together they are the deck."""

    def __init__(self, lines: Lines, setup: Setup) -> None:
        deck = setup.rules[0].deck[: int(setup.rules[0].deck_size)].tolist()
        super().__init__(lines, deck, partial(card_name, setup))
        self.setup = setup
        self.held: list[tuple[int, int, str, str]] = []  # hand, slot, line, typed card
        self.hidden: list[tuple[int, int, bool]] = []  # hand, slot, whether in front
        self.sunk = 0  # face-down cards that the seat has not seen

    def single(self, place: str) -> int | None:
        cards = self.named(place, ALL_SEE)
        if len(cards) > 1:
            raise self.lines.fault(place, f"{len(cards)} cards; allowed: one")
        return cards[0] if cards else None

    def read_laid(self, state: State) -> None:
        top = self.single("top")
        if top is None:
            raise self.lines.fault("top", "this line is missing; write the card to beat")
        laid = self.named("laid", ALL_SEE)
        state.top = state.cells[0] = top
        state.laid = len(laid)
        state.seen = set_of([top, *laid])
        rules = self.setup.rules[0]
        if not (rules.tide_colours or rules.tide_numbers):
            self._check_laid(top, set(laid))

    def _check_laid(self, top: int, laid: set[int]) -> None:
        """Checks that some order of these cards ends on the top: one of any two cards beats the other."""
        beats = self.setup.rules[0].beats[0]
        reached: set[int] = set()
        new = [top]
        while new:
            card = new.pop()
            below = {other for other in laid - reached if int(beats[other]) >> card & 1}
            reached |= below
            new += below
        for card in sorted(laid - reached):
            problem = f"{self.shown(card)} cannot lie below {self.shown(top)}: no legal order of these cards ends on it"
            raise self.lines.fault("laid", problem)

    def read_wave(self, state: State) -> None:
        """Reads the cells of the great wave, in the order in which they are filled."""
        rules, lines = self.setup.rules[0], self.lines
        cells = []
        for word in self.words("wave"):
            cells.append(game.FACEDOWN if word == DOWN else self.take("wave", word))
        if not cells or cells[0] == game.FACEDOWN:
            raise lines.fault("wave", f"write its cards in order, the start card first, {DOWN} for a face-down card")
        if len(cells) > int(rules.deck_size):
            raise lines.fault("wave", f"{len(cells)} cards; the deck has {int(rules.deck_size)}")
        for cell, card in enumerate(cells):
            if not (rules.tide_colours or rules.tide_numbers) and card != game.FACEDOWN:
                self._check_cell(cells, cell)
            state.cells[cell] = card
        state.laid, state.facedown = len(cells) - 1, cells.count(game.FACEDOWN)
        state.top = game.NONE if cells[-1] == game.FACEDOWN else cells[-1]
        state.seen = set_of(card for card in cells if card != game.FACEDOWN)

    def _check_cell(self, cells: list[int], cell: int) -> None:
        rules = self.setup.rules[0]
        for where, other in (("to its left", int(rules.left[cell])), ("below it", int(rules.below[cell]))):
            if (
                other != game.NONE
                and cells[other] != game.FACEDOWN
                and not int(rules.beats[0, cells[other]]) >> cells[cell] & 1
            ):
                card, held = self.shown(cells[cell]), self.shown(cells[other])
                raise self.lines.fault("wave", f"card {cell + 1}, {card}, does not beat {held} {where}")

    def read_hands(self, state: State, seat: int) -> None:
        rules, lines = self.setup.rules[0], self.lines
        state.held[:] = game.NONE
        for holder in range(int(rules.seats)):
            full, parts = int(rules.places[holder]), hand_parts(self.setup, holder)
            named = [self.words(place) if lines.says(place) else None for place in parts]
            sizes = [None if words is None else len(words) for words in named]
            used: set[int] = set()
            for side, (place, words) in enumerate(zip(parts, named, strict=True)):
                if words is None:  # no line: as many unseen cards as the hand has room for
                    usual = int(rules.up if side == 0 else rules.down) if rules.dummy and holder == game.DUMMY else (
                        int(rules.front if side == 0 else rules.back)
                    )  # fmt: skip
                    words = ["?"] * (usual if sizes[1 - side] is None else max(0, full - (sizes[1 - side] or 0)))
                for word in words:
                    self._hold(state, holder, place, word, side == 0, used, full)
        self._check_seen(state, seat)
        for card in members(int(state.public)):
            if not any(int(state.front[holder]) >> card & 1 for holder in range(int(rules.seats))):
                raise lines.fault("known to all", f"{self.shown(card)} is not a front card of any hand")
        if int(state.taken) != game.NONE and not int(state.front[state.acting]) >> int(state.taken) & 1:
            name = self.shown(int(state.taken))
            raise lines.fault("taken", f"{name} is not a front card of the player who took it")

    def _hold(self, state: State, holder: int, place: str, word: str, front: bool, used: set[int], full: int) -> None:
        """Puts one card of a hand into the place that is named, else into the first free one."""
        lines = self.lines
        name, at, number = word.partition("@")
        name = name.strip()
        free = next((slot for slot in range(full) if slot not in used), full)
        slot = lines.whole(place, number.strip(), 1, full) - 1 if at else free
        if slot >= full:
            raise lines.fault(place, f"{word!r} is one card too many; this hand has room for {full}")
        if slot in used:
            raise lines.fault(place, f"{word}: another card is in this place of the hand")
        used.add(slot)
        self.held.append((holder, slot, place, name))
        if name == "?":
            self.hidden.append((holder, slot, front))
        else:
            _hold(state, holder, slot, self.take(place, name), front)

    def _check_seen(self, state: State, seat: int) -> None:
        """Refuses ? for cards that the seat sees, and names of cards that it does not see."""
        dealt, free = state.copy(), [card for card in self.left() if not int(state.public) >> card & 1]
        for (holder, slot, front), card in zip(self.hidden, free, strict=False):
            _hold(dealt, holder, slot, card, front)
        known = Known.of(dealt, self.setup, seat)
        for holder, slot, place, name in self.held:
            sees = known["places", holder][slot] > 0
            if sees and name == "?":
                typed = place in self.lines.places
                how = "write their names instead of ?" if typed else "this line with their names is missing"
                raise self.lines.fault(place, f"seat {seat + 1} sees these cards; {how}")
            if not sees and name != "?":
                raise self.lines.fault(place, f"seat {seat + 1} cannot see {name}; write ? instead")

    def read_sunk(self, state: State, seat: int) -> None:
        """Reads the face-down cards of the wave that some seat has seen."""
        rules = self.setup.rules[0]
        known: set[int] = set()
        for other in range(self.setup.players):
            place = f"face down known to seat {other + 1}"
            cards = self.seen(place, ALL_SEE)
            state.sunk_known[other] = set_of(cards)
            for card in set(cards) - known:
                self.put(card, place)
            known |= set(cards)
            if len(known) > int(state.facedown):
                raise self.lines.fault(place, f"{len(known)} cards; {int(state.facedown)} lie face down")
        state.sunk = set_of(known)
        if rules.talk == game.OPEN and len(known) < int(state.facedown):
            raise self.lines.fault("face down known to seat 1", "talk is open: name every face-down card")
        others = known - set(members(int(state.sunk_known[seat]))) if rules.talk != game.OPEN else set()
        for card in sorted(others):
            problem = f"{self.shown(card)} is missing; a card that this seat has not seen cannot be named"
            raise self.lines.fault(f"face down known to seat {seat + 1}", problem)
        self.sunk = int(state.facedown) - len(known)

    def fill(self, state: State) -> list[int]:
        """Deals the cards that are not named to the hidden places; returns the rest, which is the pile."""
        rest = self.left()
        needed = len(self.hidden) + self.sunk
        if needed > len(rest):
            problem = f"{needed} cards are hidden in hands or face down, but only {len(rest)} cards are not named"
            raise self.lines.fault("pile", problem)
        for holder, slot, front in self.hidden:
            _hold(state, holder, slot, rest.pop(0), front)
        for _ in range(self.sunk):
            state.sunk |= 1 << rest.pop(0)
        return rest


def _hold(state: State, holder: int, slot: int, card: int, front: bool) -> None:
    state.held[holder, slot] = card
    state.slot[card] = slot
    if front:
        state.front[holder] |= 1 << card
    else:
        state.back[holder] |= 1 << card
    state.may[holder, slot] = ALL_BITS


def _lay_pile(lines: Lines, setup: Setup, state: State, pile: list[int]) -> None:
    """Lays the rest of the deck as the pile, after checking its stated size; hands are full while there is a pile."""
    rules = setup.rules[0]
    lines.rest("pile", int(rules.deck_size), len(pile), int(rules.deck_size))
    inversions = _inversions(lines, setup, state)
    for holder in range(int(rules.seats)):
        held, full = (int(state.front[holder]) | int(state.back[holder])).bit_count(), int(rules.places[holder])
        if pile and held != full:
            place = hand_parts(setup, holder)[0]
            raise lines.fault(place, f"{held} cards in the hand; while there is a pile it has {full}")
    lay_pile(state, pile, inversions)


def _inversions(lines: Lines, setup: Setup, state: State) -> list[int]:
    """The inversion cards in the pile. Each one that is gone has reversed its order once."""
    rules = setup.rules[0]
    left = {"colours": 2 * int(rules.tide_colours), "numbers": 2 * int(rules.tide_numbers)}
    most = dict(left)
    if not any(left.values()):
        return []
    words = lines.words("inversion cards")
    if words is not None:
        left = dict.fromkeys(left, 0)
    for word in words or ():
        typed, _, what = word.lower().partition(" ")
        number = typed_number(typed)
        if what not in most or number is None or number > most[what]:
            allowed = ", ".join(f"0 to {many} {what}" for what, many in most.items() if many)
            raise lines.fault("inversion cards", f"{word!r} is not allowed; allowed: {allowed}")
        left[what] = number
    for bit, what in enumerate(("colours", "numbers")):
        turned = int(state.order) >> bit & 1
        if words is None and turned:
            left[what] = 1
        if most[what] and (most[what] - left[what]) % 2 != turned:
            gone = most[what] - left[what]
            problem = f"{gone} of {what} came up, so {what} are {'normal' if turned else 'inverted'}"
            raise lines.fault("inversion cards", problem)
    return [game.INVERT_NUMBERS] * left["numbers"] + [game.INVERT_COLOURS] * left["colours"]


def _read_clues(lines: Lines, setup: Setup, state: State, cards: _Cards) -> None:
    """Reads what cards may be. A seen card must be among its candidates; an unseen one needs a card not yet placed."""
    rules, names = setup.rules[0], cards.names
    unseen = set_of(cards.left())
    hidden = {(holder, slot) for holder, slot, _ in cards.hidden}
    deck = int(rules.cards)
    for holder in range(int(rules.seats)):
        for slot in range(int(rules.places[holder])):
            place = f"{hand_title(setup, holder)} @{slot + 1}"
            may, never = (lines.cards(f"{place} {what}", names) for what in ("may be", "is not"))
            if (may is not None or never is not None) and int(state.held[holder, slot]) == game.NONE:
                raise lines.fault(place, "no card is in this place of the hand")
            candidates = deck if may is None else set_of(card for card in may if card != UNKNOWN)
            candidates &= ~set_of(card for card in never or () if card != UNKNOWN)
            left = unseen if (holder, slot) in hidden else 1 << int(state.held[holder, slot])
            if int(state.held[holder, slot]) != game.NONE and not candidates & left:
                seen = "" if left == unseen else f", and {card_name(setup, int(state.held[holder, slot]))} is there"
                raise lines.fault(f"{place} {'is not' if may is None else 'may be'}", f"no card fits this{seen}")
            state.may[holder, slot] = candidates | (ALL_BITS & ~deck)


def _offer(lines: Lines, setup: Setup, state: State) -> None:
    """Checks that the turn can be taken, and sets what may be laid on the top card. Worlds compute it anew."""
    rules, seat = setup.rules[0], int(state.acting)
    hand = int(state.front[seat]) | (0 if rules.dummy and seat == game.DUMMY else int(state.back[seat]))
    swaps = (
        rules.virage and (rules.dummy_swaps or not (rules.dummy and seat == game.DUMMY)) and bin(hand).count("1") > 1
    )
    if not state.asked and not swaps:
        raise lines.fault("swap", "this turn has no swap")
    if not hand:
        raise lines.fault(hand_parts(setup, seat)[0], "a player without cards has no turn")
    if state.asked and not rules.nazare:
        chosen = hand if int(state.taken) == game.NONE else hand & ~(1 << int(state.taken))
        state.playable = chosen & int(rules.beats[state.order, state.top])
