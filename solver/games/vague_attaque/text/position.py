"""VAGUE & ATTAQUE: a position as a seat sees it, in lines.

    seat: 1                              who decides; `active` is whose turn it is, where that is another seat
    phase: land                          what is decided; `then` is what follows a decision within another
    turn: 12                             turns count from 1
    seat 1 artefact: artefact 3          by its number in the deck, from 0, or by its name
    seat 1 place 2a: souvenir 3          a place of a zone and what lies on it; `seat 1 ship`, or `ship` in the middle
    seat 1 hand: souvenir 4, place 3a    others: cards seen by name, else `souvenir ?` and `place ?`
    souvenirs left: 20                   cards in a pile; the rest of the deck if not said
    souvenirs discarded: souvenir 5      the top last; the same for places and encounters
    known to all: souvenir 4             cards that all have seen since they left a pile
    known to seat 2: place 3a            cards that went through this seat's hands
    encounter: encounter 5               the one being resolved; `turned up`: souvenirs that lie open
    target: souvenir 3                   the card named in a duel; `bonus`: on each die of the attacker
    souvenirs shuffles: 1                how often the discard became the pile
    souvenirs of shuffle 0: souvenir 9   cards in other hands that were drawn before that
    seat 2 hand: souvenir ? @0           one of those
    seat 2 card 1 known to: seat 3       who else has seen the first hidden card of a hand
    seat 2 card 1 is not: souvenir 2     teams: what it cannot be
    clue 1 cards: seat 2 card 1          teams: of these cards one at least is among `clue 1 fits`

Besides `place laid`, `laid`, `lent`, `thefts`, `refused` (of this turn) and `power used` (of the solo game).
"""

from __future__ import annotations

import re

from houle.solver.bitset import members
from houle.solver.games.vague_attaque.opening import names_of_cards
from houle.solver.games.vague_attaque.state import (
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    MAX_CLUES,
    NONE,
    OVER,
    PHASES,
    SHIP,
    SHIP_CARD,
    SPOTS,
)
from houle.solver.games.vague_attaque.text import spoken
from houle.solver.games.vague_attaque.text.names import card_name
from houle.solver.opening import set_of
from houle.solver.record.lines import Lines, Places
from houle.solver.ruleset import Setup
from houle.solver.types import State

STEPS = ("wait", "to the encounter", "to landing", "to tidying", "to the ship", "to the next turn")
PILES = ("souvenirs", "places", "encounters")
COUNTED = ("bonus", "laid", "lent", "thefts")  # of this turn
NOTED = ("power used", "place laid", "refused")
MOST = 255
MOST_SHUFFLES = 2**16 - 1


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move for people; what others keep or hand on out of sight is not told once it is `done`."""
    words = spoken(state, setup, action)
    if done and int(state.mover) != seat and words.startswith(("keep", "give")):
        return words.partition(" ")[0]
    return words


def pile_of(card: int) -> int:
    return 0 if card < FIRST_PLACE else 1 if card < FIRST_ENCOUNTER else 2


def hidden_cards(state: State, holder: int, seat: int) -> list[int]:
    """The cards of another hand that a seat has not seen, in the order of what shows of them."""
    if holder == seat:
        return []
    hidden = members(int(state.hand[holder]) & ~(int(state.public) | int(state.known[seat])))
    return sorted(hidden, key=lambda card: (pile_of(card), *_shows(state, card)))


def _shows(state: State, card: int) -> tuple[int, tuple[int, ...], int, tuple[int, ...]]:
    """Batch, who has seen it, what it is not, which clues are about it."""
    knowers = tuple(seat for seat in range(len(state.known)) if int(state.known[seat]) >> card & 1)
    souvenir = card < FIRST_PLACE
    clues = tuple(i for i in range(int(state.clues)) if souvenir and int(state.clue_cards[i]) >> card & 1)
    return int(state.batch[card]), knowers, int(state.barred[card]) if souvenir else 0, clues


def write(state: State, setup: Setup, seat: int) -> Places:
    """What the seat sees, a place a line."""
    places: Places = {"active": [str(int(state.seat) + 1)]} if int(state.seat) != seat else {}
    places |= {"phase": [PHASES[state.phase]], "then": [STEPS[state.then]], "turn": [str(int(state.turns) + 1)]}
    for word, value in zip(COUNTED, (state.bonus, state.laid, state.lent, state.thefts), strict=True):
        places |= {word: [str(int(value))]} if int(value) else {}
    for word, value in zip(NOTED, (state.power_used, state.place_laid, state.refused), strict=True):
        places |= {word: ["yes"]} if int(value) else {}
    for word, card in (("encounter", state.pending), ("target", state.target)):
        places |= {word: [card_name(int(card))]} if int(card) != NONE else {}
    drawn = [card_name(int(card)) for card in state.drawn if int(card) != NONE]
    places |= {"turned up": drawn} if drawn else {}
    for spot in range(SPOTS):
        owner, lying = int(state.owner[spot]), int(state.on[spot])
        if owner != NONE or lying:
            whose = "" if owner == NONE else f"seat {owner + 1} "
            places[f"{whose}{card_name(FIRST_PLACE + spot)}"] = [card_name(card) for card in members(lying)]
    for holder in range(setup.players):
        places[f"seat {holder + 1} artefact"] = [f"artefact {int(state.artefact[holder]) - FIRST_ARTEFACT}"]
        places |= _write_hand(state, holder, seat)
    places |= _write_known(state, setup, seat)
    return places | _write_piles(state, setup, seat) | _write_clues(state, setup, seat)


def _write_hand(state: State, holder: int, seat: int) -> Places:
    hidden, who = hidden_cards(state, holder, seat), f"seat {holder + 1}"
    shown = [card for card in members(int(state.hand[holder])) if card not in hidden]
    shown += [FIRST_ENCOUNTER + gold for gold in members(int(state.gold[holder]))]
    words = [card_name(card) for card in shown]
    found: Places = {}
    for number, card in enumerate(hidden, 1):
        batch, knowers, barred, _ = _shows(state, card)
        back = f"{'souvenir' if card < FIRST_PLACE else 'place'} ?"
        words.append(back if batch == int(state.shuffles[pile_of(card)]) else f"{back} @{batch}")
        if knowers:
            found[f"{who} card {number} known to"] = [f"seat {other + 1}" for other in knowers]
        if barred:
            found[f"{who} card {number} is not"] = [card_name(other) for other in members(barred)]
    return {f"{who} hand": words} | found


def _write_known(state: State, setup: Setup, seat: int) -> Places:
    """Who has seen which cards, as far as the seat has seen them too."""
    hidden = set_of(card for holder in range(setup.players) for card in hidden_cards(state, holder, seat))
    everybody = int(state.public) & ~hidden
    found: Places = {"known to all": [card_name(card) for card in members(everybody)]} if everybody else {}
    for other in range(setup.players):
        cards = members(int(state.known[other]) & ~hidden)
        found |= {f"known to seat {other + 1}": [card_name(card) for card in cards]} if cards else {}
    return found


def _write_piles(state: State, setup: Setup, seat: int) -> Places:
    found: Places = {}
    hidden = [card for holder in range(setup.players) for card in hidden_cards(state, holder, seat)]
    for pile, name in enumerate(PILES):
        shuffles = int(state.shuffles[pile])
        found[f"{name} left"] = [str(int(state.left[pile]))]
        found[f"{name} discarded"] = [card_name(int(c)) for c in state.discard[pile, : int(state.thrown[pile])]]
        if shuffles:
            found[f"{name} shuffles"] = [str(shuffles)]
        ages = sorted({int(state.batch[c]) for c in hidden if pile_of(c) == pile and int(state.batch[c]) != shuffles})
        for age in ages:
            cards = sorted(c for c in hidden if pile_of(c) == pile and int(state.batch[c]) == age)
            found[f"{name} of shuffle {age}"] = [card_name(card) for card in cards]
    return found


def _write_clues(state: State, setup: Setup, seat: int) -> Places:
    """Teams: of some cards one at least is among others; hidden cards go by their number in the hand."""
    titles = {
        card: f"seat {holder + 1} card {number}"
        for holder in range(setup.players)
        for number, card in enumerate(hidden_cards(state, holder, seat), 1)
    }
    found: Places = {}
    for clue in range(int(state.clues)):
        cards = sorted(titles.get(card, card_name(card)) for card in members(int(state.clue_cards[clue])))
        found[f"clue {clue + 1} cards"] = cards
        found[f"clue {clue + 1} fits"] = [card_name(card) for card in members(int(state.clue_fits[clue]))]
    return found


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat does not see are dealt in any way."""
    table = _Table(lines, setup, state, seat)
    state.mover, state.winner = seat, -1
    state.seat = lines.seat("active", setup.players, seat)
    phases = [phase for phase in PHASES if phase != PHASES[OVER]]
    state.phase = phases.index(lines.word("phase", phases, "explore"))
    state.then = STEPS.index(lines.word("then", STEPS, STEPS[0]))
    state.turns = lines.number("turn", 1, int(setup.rules[0].max_turns), 1) - 1
    state.bonus, state.laid, state.lent, state.thefts = (lines.number(word, 0, MOST, 0) for word in COUNTED)
    state.power_used, state.place_laid, state.refused = (
        lines.word(word, ("yes", "no"), "no") == "yes" for word in NOTED
    )
    for pile, name in enumerate(PILES):
        state.shuffles[pile] = lines.number(f"{name} shuffles", 0, MOST_SHUFFLES, 0)
    table.read_artefacts()
    table.read_zones()
    table.read_open_cards()
    for holder in range(setup.players):
        table.read_hand(holder)
    table.read_known()
    table.fill()
    table.read_clues()
    _survey(state, setup)


class _Table:
    """The cards of a position as they are read: each lies in one place, and the rest is in the piles."""

    def __init__(self, lines: Lines, setup: Setup, state: State, seat: int) -> None:
        self.lines, self.setup, self.state, self.seat = lines, setup, state, seat
        self.names = names_of_cards(setup, 0, FIRST_ARTEFACT)
        self.where: dict[int, str] = {}
        self.hidden: dict[tuple[int, int], tuple[int, int]] = {}  # seat and number in the hand -> pile and shuffle
        self.dealt: dict[tuple[int, int], int] = {}  # the card that lies there
        rules = setup.rules[0]
        self.deck = [[int(card) for card in rules.pile[pile, : int(rules.cards[pile])]] for pile in range(3)]

    def take(self, place: str, word: str, pile: int | None = None) -> int:
        card = self.lines.card(place, word, self.names)
        name = card_name(card)
        if card not in self.deck[pile_of(card)]:
            raise self.lines.fault(place, f"{name} is not in play at this table")
        if pile is not None and pile_of(card) != pile:
            raise self.lines.fault(place, f"{name} cannot lie there: these are {PILES[pile]}")
        if card in self.where:
            raise self.lines.fault(place, f"{name} is named twice, here and at {self.where[card]}")
        self.where[card] = place
        return card

    def read_artefacts(self) -> None:
        rules, state = self.setup.rules[0], self.state
        names = names_of_cards(self.setup, FIRST_ARTEFACT, FIRST_ARTEFACT + len(rules.power))
        names |= {f"artefact {number}": FIRST_ARTEFACT + number for number in range(len(rules.power))}
        taken: dict[int, str] = {}
        for holder in range(self.setup.players):
            place = f"seat {holder + 1} artefact"
            words = self.lines.words(place)
            if not words and not rules.solo:
                raise self.lines.fault(place, "this line is missing; every player has an artefact, and all see it")
            card = self.lines.card(place, " ".join(words), names) if words else FIRST_ARTEFACT + int(rules.hook)
            if card in taken:
                raise self.lines.fault(place, f"it is named twice, here and at {taken[card]}")
            taken[card] = place
            state.artefact[holder] = card
            state.power[holder] = rules.power[card - FIRST_ARTEFACT]

    def read_zones(self) -> None:
        state, rules = self.state, self.setup.rules[0]
        state.owner[:] = NONE
        for spot in range(SPOTS):
            name = card_name(FIRST_PLACE + spot)
            owners = [holder for holder in range(self.setup.players) if self.lines.says(f"seat {holder + 1} {name}")]
            if len(owners) > 1:
                raise self.lines.fault(
                    f"seat {owners[1] + 1} {name}", f"it lies in the zone of seat {owners[0] + 1} too"
                )
            place = f"seat {owners[0] + 1} {name}" if owners else name
            if not owners and spot != SHIP:
                continue
            if owners and spot == SHIP and (rules.solo or (rules.middle and len(self.lines.words(place) or ()) != 3)):
                raise self.lines.fault(place, "the ship lies in nobody's zone here: write `ship`")
            if spot != SHIP:
                self.take(place, name)
            state.owner[spot] = owners[0] if owners else NONE
            words = self.lines.words(place) or []
            if len(words) > 3 and not rules.solo:
                raise self.lines.fault(place, f"{len(words)} souvenirs; three validate a place, and more do not fit")
            for word in words:
                card = self.take(place, word, 0)
                if not int(rules.bears[card]) >> spot & 1 and not rules.solo:
                    raise self.lines.fault(place, f"{card_name(card)} does not match {name}")
                state.on[spot] |= 1 << card
                state.spot[card] = spot
        if not rules.solo and not rules.middle and int(state.owner[SHIP]) == NONE:
            raise self.lines.fault("ship", "it lies in somebody's zone: write `seat 1 ship: none` or what lies on it")

    def read_open_cards(self) -> None:
        """Discards, and what is being resolved, named or turned up."""
        state, lines = self.state, self.lines
        for pile, name in enumerate(PILES):
            place = f"{name} discarded"
            cards = [self.take(place, word, pile) for word in lines.words(place) or ()]
            state.discard[pile, : len(cards)] = cards
            state.thrown[pile] = len(cards)
        words = lines.words("encounter")
        state.pending = self.take("encounter", " ".join(words), 2) if words else NONE
        words = lines.words("target")
        names = self.names | {"ship": SHIP_CARD}
        state.target = lines.card("target", " ".join(words), names) if words else NONE
        drawn = [self.take("turned up", word, 0) for word in lines.words("turned up") or ()]
        if len(drawn) > 2:
            raise lines.fault("turned up", f"{len(drawn)} cards; two at most")
        state.drawn[:] = [*drawn, NONE, NONE][:2]

    def read_hand(self, holder: int) -> None:
        """Cards by name, and backs of cards that the seat has not seen."""
        state, lines, place = self.state, self.lines, f"seat {holder + 1} hand"
        number = 0
        for word in lines.words(place) or ():
            match = re.fullmatch(r"(souvenir|place) \? *(?:@ *(\d{1,5}))?", word.lower())
            if not match:
                card = self.take(place, word)
                if card >= FIRST_ENCOUNTER:
                    state.gold[holder] |= 1 << card - FIRST_ENCOUNTER
                else:
                    state.hand[holder] |= 1 << card
                continue
            if holder == self.seat:
                raise lines.fault(place, "the own cards are known: write their names instead of ?")
            number += 1
            pile = 0 if match[1] == "souvenir" else 1
            batch = int(state.shuffles[pile]) if match[2] is None else int(match[2])
            if batch > int(state.shuffles[pile]):
                raise lines.fault(place, f"{word}: there were {int(state.shuffles[pile])} shuffles")
            self.hidden[holder, number] = pile, batch

    def read_known(self) -> None:
        state, lines = self.state, self.lines
        souvenirs_and_places = {name: card for name, card in self.names.items() if card < FIRST_ENCOUNTER}
        state.public = set_of(lines.cards("known to all", souvenirs_and_places) or ())
        for other in range(self.setup.players):
            state.known[other] = set_of(lines.cards(f"known to seat {other + 1}", souvenirs_and_places) or ())
        for holder in range(self.setup.players):
            seen = int(state.public) | int(state.known[self.seat])
            for card in members(int(state.hand[holder]) & ~seen) if holder != self.seat else ():
                name = card_name(card)
                problem = f"seat {self.seat + 1} has not seen {name}: name it at `known to all` or `known to seat"
                raise lines.fault(f"seat {holder + 1} hand", f"{problem} {self.seat + 1}`, or write ? for it")

    def fill(self) -> None:
        """Hidden cards take any card of their shuffle; what is left is in the piles."""
        state, lines = self.state, self.lines
        older: dict[tuple[int, int], list[int]] = {}
        for pile in (0, 1):
            for batch in sorted({batch for its, batch in self.hidden.values() if its == pile}):
                if batch != int(state.shuffles[pile]):
                    place = f"{PILES[pile]} of shuffle {batch}"
                    older[pile, batch] = [self.take(place, word, pile) for word in lines.words(place) or ()]
        left = [[card for card in cards if card not in self.where] for cards in self.deck]
        for pile in (0, 1):
            for card in self.deck[pile]:
                state.batch[card] = state.shuffles[pile]
        for (holder, number), (pile, batch) in self.hidden.items():
            pool = older.get((pile, batch), left[pile])
            if not pool:
                raise lines.fault(f"seat {holder + 1} hand", f"no card of shuffle {batch} is left for a hidden one")
            card = pool.pop(0)
            self.dealt[holder, number] = card
            state.hand[holder] |= 1 << card
            state.batch[card] = batch
        for (pile, batch), rest in older.items():
            if rest:
                place = f"{PILES[pile]} of shuffle {batch}"
                raise lines.fault(
                    place, f"{card_name(rest[0])} is in no hand: fewer hidden cards are from that shuffle"
                )
        for pile, name in enumerate(PILES):
            said = lines.number(f"{name} left", 0, MOST, len(left[pile]))
            if said != len(left[pile]):
                problem = f"{said} cards cannot be: {len(left[pile])} are in no other place"
                raise lines.fault(f"{name} left", problem)
            state.pile[pile, : len(left[pile])] = left[pile]
            state.left[pile] = len(left[pile])

    def read_clues(self) -> None:
        """What all know of hidden cards: who else has seen them, what they are not, which of them one is."""
        state, lines = self.state, self.lines
        souvenirs = {name: card for name, card in self.names.items() if card < FIRST_PLACE}
        for (holder, number), card in self.dealt.items():
            place = f"seat {holder + 1} card {number}"
            for word in lines.words(f"{place} known to") or ():
                other = lines.whole(f"{place} known to", word.lower().removeprefix("seat "), 1, self.setup.players) - 1
                if other == self.seat:
                    raise lines.fault(f"{place} known to", "this seat would have seen it: name the card in the hand")
                state.known[other] |= 1 << card
            if card < FIRST_PLACE:
                state.barred[card] = set_of(lines.cards(f"{place} is not", souvenirs) or ())
                same = [c for key, c in self.dealt.items() if self.hidden[key] == self.hidden[holder, number]]
                if self.hidden[holder, number][1] == int(state.shuffles[0]):
                    same += [int(c) for c in state.pile[0, : int(state.left[0])]]
                if not set_of(same) & ~int(state.barred[card]):
                    raise lines.fault(f"{place} is not", "no souvenir is left that it may be")
        titles = {f"seat {holder + 1} card {number}": card for (holder, number), card in self.dealt.items()}
        for clue in range(MAX_CLUES):
            cards = lines.cards(f"clue {clue + 1} cards", souvenirs | titles)
            fits = lines.cards(f"clue {clue + 1} fits", souvenirs)
            if cards is None and fits is None:
                break
            state.clue_cards[clue], state.clue_fits[clue] = set_of(cards or ()), set_of(fits or ())
            state.clues = clue + 1


def _survey(state: State, setup: Setup) -> None:
    """What follows from the zones: spots one may load, cards one may name in a duel, places validated."""
    rules = setup.rules[0]
    for spot in range(SPOTS):
        owner, lying = int(state.owner[spot]), int(state.on[spot])
        number = bin(lying).count("1")
        if owner == NONE:
            if spot == SHIP and rules.middle:
                state.open[0] |= 1 << spot
                state.open[1] |= 1 << spot
                state.needy |= 1 << spot if number == 2 and not lying & int(rules.dedicated) else 0
            continue
        if number == 3:
            state.validated[owner] += 1
            continue
        for seat in (owner, int(rules.partner[owner])):
            state.open[seat] |= 1 << spot
        state.needy |= 1 << spot if number == 2 and not lying & int(rules.dedicated) else 0
        bare = 0 if spot == SHIP and not rules.ship_stealable else 1 << spot + FIRST_PLACE
        state.exposed[int(rules.side[owner])] |= lying or bare
