"""VAGUE & ATTAQUE: a position as a seat sees it, as text.

    seat: 1                              who decides; `active` is the seat whose turn it is, if that is another
    phase: land                          what is decided; `then` is what follows a decision within another
    turn: 12                             turns count from 1
    seat 1 artefact: artefact 3          by its number in the deck, from 0, or by its name
    seat 1 place 2a: souvenir 3          a place of a zone and what is on it; `seat 1 ship`, or `ship` in the middle;
                                         also by its name: `seat 1 lighthouse (a)`
    seat 1 hand: souvenir 4, place 3a    in other hands seen cards by name, else `souvenir ?` and `place ?`
    souvenirs left: 20                   cards in a pile; by default the rest of the deck
    souvenirs discarded: souvenir 5      the top last; the same for places and encounters
    known to all: souvenir 4             cards that everyone has seen since they left a pile
    known to seat 2: place 3a            cards that went through this seat's hands
    encounter: encounter 5               the one being resolved; `turned up`: souvenirs that are face up
    target: souvenir 3                   the card named in a duel; `bonus`: on each die of the attacker
    souvenirs shuffles: 1                how often the discard became the pile
    souvenirs of shuffle 0: souvenir 9   cards in other hands that were drawn before that
    seat 2 hand: souvenir ? @0           one of those
    seat 2 card 1 known to: seat 3       who else has seen the first hidden card of a hand
    seat 2 card 1 is not: souvenir 2     teams: what it cannot be
    clue 1 cards: seat 2 card 1          teams: at least one of these cards is among `clue 1 fits`

There are also `place laid`, `laid`, `lent`, `thefts`, `refused` (of this turn), `ship waits` (it was robbed and stays
at the end of this round) and `power used` (solo game).
"""

from __future__ import annotations

from houle.solver.compiler.bits import members
from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.state import (
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    NONE,
    OVER,
    PHASES,
    SPOTS,
    V_GIVE,
    V_KEEP,
    VERB,
)
from houle.solver.games.vague_attaque.text import spoken
from houle.solver.games.vague_attaque.text.names import card_name
from houle.solver.games.vague_attaque.text.position_cards import MOST, PILES, CardsRead, pile_of, survey
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.lines import Lines, Places
from houle.solver.rules import Setup

STEPS = ("wait", "to the encounter", "to landing", "to tidying", "to the ship", "to the next turn")
COUNTED = ("bonus", "laid", "lent", "thefts")  # of this turn
NOTED = ("ship waits", "power used", "place laid", "refused")
MOST_SHUFFLES = 2**16 - 1


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move for people. What others keep or give out of sight is not shown once it is `done`."""
    if done and int(state.mover) != seat and action >> VERB in (V_KEEP, V_GIVE):
        return "keep a card" if action >> VERB == V_KEEP else "give a card"
    return spoken(state, setup, action)


def hidden_cards(state: State, holder: int, seat: int) -> list[int]:
    """The cards of another hand that a seat has not seen, in the order of what is known of them."""
    if holder == seat:
        return []
    hidden = members(int(state.hand[holder]) & ~(int(state.public) | int(state.known[seat])))
    return sorted(hidden, key=lambda card: (pile_of(card), *_shows(state, card)))


def _shows(state: State, card: int) -> tuple[int, tuple[int, ...], int, tuple[int, ...]]:
    """What is known of a card: batch, who has seen it, what it is not, which clues are about it."""
    knowers = tuple(seat for seat in range(len(state.known)) if int(state.known[seat]) >> card & 1)
    souvenir = card < FIRST_PLACE
    clues = tuple(i for i in range(int(state.clues)) if souvenir and int(state.clue_cards[i]) >> card & 1)
    return int(state.batch[card]), knowers, int(state.barred[card]) if souvenir else 0, clues


def write(state: State, setup: Setup, seat: int) -> Places:
    """What the seat sees, one line per place."""
    places: Places = {"active": [str(int(state.seat) + 1)]} if int(state.seat) != seat else {}
    places |= {"phase": [PHASES[state.phase]], "then": [STEPS[state.then]], "turn": [str(int(state.turns) + 1)]}
    for word, value in zip(COUNTED, (state.bonus, state.laid, state.lent, state.thefts), strict=True):
        places |= {word: [str(int(value))]} if int(value) else {}
    for word, value in zip(NOTED, (state.ship_waits, state.power_used, state.place_laid, state.refused), strict=True):
        places |= {word: ["yes"]} if int(value) else {}
    for word, card in (("encounter", state.pending), ("target", state.target)):
        places |= {word: [card_name(int(card))]} if int(card) != NONE else {}
    own = int(state.mover) == seat  # who chooses among these cards sees them
    drawn = [card_name(int(card)) if own or int(state.known[seat]) >> int(card) & 1 else "?"
             for card in state.drawn if int(card) != NONE]  # fmt: skip
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
    clues: Places = {}
    for number, card in enumerate(hidden, 1):
        batch, knowers, barred, _ = _shows(state, card)
        back = f"{'souvenir' if card < FIRST_PLACE else 'place'} ?"
        words.append(back if batch == int(state.shuffles[pile_of(card)]) else f"{back} @{batch}")
        if knowers:
            clues[f"{who} card {number} known to"] = [f"seat {other + 1}" for other in knowers]
        if barred:
            clues[f"{who} card {number} is not"] = [card_name(other) for other in members(barred)]
    return {f"{who} hand": words} | clues


def _write_known(state: State, setup: Setup, seat: int) -> Places:
    """Who has seen which cards, as far as the seat has seen them too."""
    hidden = set_of(card for holder in range(setup.players) for card in hidden_cards(state, holder, seat))
    public = int(state.public) & ~hidden
    lines: Places = {"known to all": [card_name(card) for card in members(public)]} if public else {}
    for other in range(setup.players):
        cards = members(int(state.known[other]) & ~hidden)
        lines |= {f"known to seat {other + 1}": [card_name(card) for card in cards]} if cards else {}
    return lines


def _write_piles(state: State, setup: Setup, seat: int) -> Places:
    lines: Places = {}
    hidden = [card for holder in range(setup.players) for card in hidden_cards(state, holder, seat)]
    for pile, name in enumerate(PILES):
        shuffles = int(state.shuffles[pile])
        lines[f"{name} left"] = [str(int(state.left[pile]))]
        lines[f"{name} discarded"] = [card_name(int(c)) for c in state.discard[pile, : int(state.thrown[pile])]]
        if shuffles:
            lines[f"{name} shuffles"] = [str(shuffles)]
        ages = sorted({int(state.batch[c]) for c in hidden if pile_of(c) == pile and int(state.batch[c]) != shuffles})
        for age in ages:
            cards = sorted(c for c in hidden if pile_of(c) == pile and int(state.batch[c]) == age)
            lines[f"{name} of shuffle {age}"] = [card_name(card) for card in cards]
    return lines


def _write_clues(state: State, setup: Setup, seat: int) -> Places:
    """Teams: at least one of some cards is among others; hidden cards are named by their number in the hand."""
    titles = {
        card: f"seat {holder + 1} card {number}"
        for holder in range(setup.players)
        for number, card in enumerate(hidden_cards(state, holder, seat), 1)
    }
    lines: Places = {}
    for clue in range(int(state.clues)):
        cards = sorted(titles.get(card, card_name(card)) for card in members(int(state.clue_cards[clue])))
        lines[f"clue {clue + 1} cards"] = cards
        lines[f"clue {clue + 1} fits"] = [card_name(card) for card in members(int(state.clue_fits[clue]))]
    return lines


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily."""
    cards = CardsRead(lines, setup, state, seat)
    state.mover, state.winner = seat, -1
    state.seat = lines.seat("active", setup.players, seat)
    phases = [phase for phase in PHASES if phase != PHASES[OVER]]
    state.phase = phases.index(lines.word("phase", phases, "explore"))
    state.then = STEPS.index(lines.word("then", STEPS, STEPS[0]))
    state.turns = lines.number("turn", 1, int(setup.rules[0].max_turns), 1) - 1
    state.bonus, state.laid, state.lent, state.thefts = (lines.number(word, 0, MOST, 0) for word in COUNTED)
    state.ship_waits, state.power_used, state.place_laid, state.refused = map(lines.yes, NOTED)
    if state.ship_waits and not setup.rules[0].ship_waits:
        raise lines.fault("ship waits", "being robbed does not keep the ship in this setup; leave out this line")
    for pile, name in enumerate(PILES):
        state.shuffles[pile] = lines.number(f"{name} shuffles", 0, MOST_SHUFFLES, 0)
    cards.read_artefacts()
    cards.read_zones()
    cards.read_open_cards()
    for holder in range(setup.players):
        cards.read_hand(holder)
    cards.read_known()
    cards.fill()
    cards.read_clues()
    survey(state, setup)
