"""VAGUE & ATTAQUE: the events of a move: encounters, dice, cards that moved, the ship.

The state keeps where every card is, not how it came there. So most events are found by comparing where the cards were
before and after a move. What the ship's die shows is found by playing the move again with dice that do something on
only one face; the dice of duels are thrown again (dice.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.streams import FOLD, STEP
from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque import deck
from houle.solver.games.vague_attaque.piles import TURN
from houle.solver.games.vague_attaque.state import (
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    LOSE,
    NONE,
    PARRY,
    PILES,
    SHIP,
    SPOTS,
    STEADY,
    VERB,
    VERBS,
)
from houle.solver.games.vague_attaque.text.names import ANCHOR_WORDS, DIE_WORDS, called, spot_of, title
from houle.solver.rules import Setup

WORD = 2**64


def draw_below(stream: int, n: int) -> int:
    """The same number that `streams.below` gives at a stream's position."""
    other = stream ^ int(FOLD)
    product = stream * other
    mixed = (product >> 64) ^ (product % WORD)
    return (mixed >> 32) * n >> 32


def throws(chance: int, turn: int, number: int, faces: int) -> list[tuple[int, int]]:
    """The results of the attacker's and the defender's dice for each throw of a turn."""
    first = turn << int(TURN)
    dice = [draw_below((chance + (first + i) * int(STEP)) % WORD, faces) + 1 for i in range(2 * number)]
    return list(zip(dice[::2], dice[1::2], strict=True))


def verdict(thrown: list[tuple[int, int]], bonus: int) -> str:
    """won, lost or tied for the attacker: a single throw decides; of three throws two are needed."""
    won = sum(mine + bonus > theirs for mine, theirs in thrown)
    lost = sum(mine + bonus < theirs for mine, theirs in thrown)
    needed = 1 if len(thrown) == 1 else 2
    return "lost" if lost >= needed else "won" if won >= needed else "tied"


Place = tuple[str, int]  # a kind of place, and the seat, spot or pile
# Verbs whose card goes where the verb says: no event is needed for it.
SAID = ("swap", "lay place", "lay", "discard", "lose", "drop", "keep", "extra", "give", "retain")


def happened(before: State, after: State, setup: Setup, action: int, again: Callable[..., State]) -> list[str]:
    """The events of a move, in the order of the rules."""
    verb, card = VERBS[action >> VERB], action & 127
    events = list(_duel(before, after, setup, verb, card))
    if verb == "adventure":
        events += _encounter(before, after, setup)
    if verb in ("lay", "extra", "discard") and int(after.winner) < 0:
        anchor = setup.options["deck"].cards["souvenir"][card].get("anchor", "none")
        alone = ", but there is nobody to steal from" if anchor == "steal" and setup.players == 1 else ""
        events += [f"anchor: {ANCHOR_WORDS[anchor]}{alone}"] if anchor != "none" else []
    without_die = again(solo_die=[0] * deck.DIE_FACES) if setup.players == 1 else after
    named = card if verb in SAID else -1
    events += _moved(before, without_die, setup, named)
    events += _validated(before, after, setup)
    if setup.players == 1:
        events += _ship_die(without_die, after, setup, again)
    return events + _ship(before, after, setup)


def where(state: State, setup: Setup) -> dict[int, Place]:
    """Where every card is."""
    places: dict[int, Place] = {}
    for seat in range(setup.players):
        places |= dict.fromkeys(members(state.hand[seat]), ("hand", seat))
        places |= {FIRST_ENCOUNTER + gold: ("hand", seat) for gold in members(state.gold[seat])}
    for spot in range(SPOTS):
        places |= dict.fromkeys(members(state.on[spot]), ("on", spot))
        if int(state.owner[spot]) != NONE:
            places[FIRST_PLACE + spot] = ("zone", int(state.owner[spot]))
    for pile in range(len(PILES)):
        places |= {int(card): ("deck", pile) for card in state.pile[pile, : int(state.left[pile])]}
        places |= {int(card): ("thrown", pile) for card in state.discard[pile, : int(state.thrown[pile])]}
    places |= {int(card): ("turned up", 0) for card in (*state.drawn, state.pending) if card != NONE}
    return places


def _moved(before: State, after: State, setup: Setup, named: int) -> list[str]:
    """Cards that moved, except the one that the move itself names; from the active seat to the left."""
    old, new = where(before, setup), where(after, setup)
    shuffled = [pile for pile in range(len(PILES)) if int(after.shuffles[pile]) > int(before.shuffles[pile])]
    events = [f"the discarded {PILES[pile]} are shuffled into a new pile" for pile in shuffled]
    active, seats = int(before.seat), setup.players
    lines = []
    for card, place in new.items():
        source = old.get(card, ("deck", 0))
        if source[0] == "thrown" and source[1] in shuffled:
            source = ("deck", source[1])
        if card == named or source == place or card == FIRST_PLACE + SHIP:
            continue
        if card >= FIRST_ENCOUNTER and source[0] != "hand":
            continue  # the encounter of this move has its own event
        seat = next((seat for kind, seat in (source, place) if kind in ("hand", "zone")), active)
        lines.append(
            ((seat - active) % seats, card, _way(source, place, called(setup, card), title(setup, card), setup))
        )
    return events + [words for _, _, words in sorted(lines)]


def _way(source: Place, place: Place, name: str, full: str, setup: Setup) -> str:
    """How one card moved, in words."""
    (old, giver), (new, taker) = source, place
    spot = called(setup, FIRST_PLACE + (giver if old == "on" else taker if new == "on" else 0))
    ways = {
        ("deck", "hand"): f"seat {taker} draws {full}",
        ("thrown", "hand"): f"seat {taker} takes {full} from the discard",
        ("turned up", "hand"): f"seat {taker} keeps {name}",
        ("hand", "hand"): f"{name} goes from seat {giver} to seat {taker}",
        ("hand", "thrown"): f"seat {giver} discards {name}",
        ("on", "hand"): f"{name} goes from {spot} to the hand of seat {taker}",
        ("on", "thrown"): f"{name} is discarded from {spot}",
        ("deck", "thrown"): f"{full} is turned up and discarded",
        ("deck", "turned up"): f"{full} is turned up",
        ("turned up", "thrown"): f"{name} is discarded",
        ("deck", "on"): f"{full} goes on the {spot}",
        ("thrown", "on"): f"{full} goes on the {spot}",
        ("turned up", "on"): f"{name} goes on the {spot}",
        ("zone", "zone"): f"{name} goes from seat {giver} to seat {taker}",
    }
    return ways.get((old, new), f"{name}: {old} -> {new}")


def _duel(before: State, after: State, setup: Setup, verb: str, card: int) -> Iterator[str]:
    """The dice of a duel that was fought in this move, or that it was parried."""
    if verb not in ("duel", "steady", "parry"):
        return
    if verb == "parry" and card:
        yield "the duel is parried"
        return
    if int(after.phase) in (STEADY, PARRY) and int(after.mover) >= 0:
        yield f"seat {int(after.mover)} may {'use a steady hand' if after.phase == STEADY else 'parry'}"
        return
    target, bonus = int(after.target), int(after.bonus)
    defender, attacker = int(before.owner[spot_of(before, target)]), int(before.seat)
    number = 1 if target < FIRST_PLACE else 3
    thrown = throws(int(before.chance), int(before.turns), number, int(setup.rules[0].die))
    plus = f"+{bonus}" if bonus else ""
    dice = ", ".join(f"{mine}{plus} to {theirs}" for mine, theirs in thrown)
    result = verdict(thrown, bonus)
    yield f"dice of seat {attacker} against seat {defender}: {dice}; the duel is {result}"
    if result == "lost":
        choice = int(after.phase) == LOSE and int(after.mover) == attacker
        yield f"seat {attacker} must discard a card" if choice else f"seat {attacker} has no card to discard"


def _encounter(before: State, after: State, setup: Setup) -> list[str]:
    """The encounter that was drawn; if the pile was reshuffled, the one that is no longer in it."""
    old, new = where(before, setup), where(after, setup)
    left = [card for card in new if card >= FIRST_ENCOUNTER and new[card][0] != "deck" and old[card] != new[card]]
    reshuffled = int(after.shuffles[2]) > int(before.shuffles[2])
    if reshuffled:
        left = [card for card in new if card >= FIRST_ENCOUNTER and new[card][0] != "deck" and old[card][0] != "hand"]
    drawn = [card for card in left if old[card][0] in ("deck", "thrown")]
    if not drawn:
        return ["no encounter is left to draw"]
    return [f"encounter: {title(setup, drawn[0])}"]


def _validated(before: State, after: State, setup: Setup) -> list[str]:
    """Places that now have their third souvenir."""
    events = []
    for spot in range(SPOTS):
        full = len(members(after.on[spot])) >= 3 > len(members(before.on[spot]))
        if full and int(after.owner[spot]) != NONE:
            owner = int(after.owner[spot])
            places = int(after.validated[owner])
            events.append(f"{called(setup, FIRST_PLACE + spot)} is validated: seat {owner} now has {places}")
    return events


def _ship_die(without_die: State, after: State, setup: Setup, again: Callable[..., State]) -> list[str]:
    """Solo: what the ship's die shows and does; nothing if it was not thrown in this move."""
    loads = deck.DIE_EFFECTS.index("ship_always")
    for face in range(deck.DIE_FACES):
        effects = [loads if other == face else 0 for other in range(deck.DIE_FACES)]
        if _differ(again(solo_die=effects), without_die):
            words = DIE_WORDS[setup.options["deck"].cards["solo_die"]["faces"][face]]
            return [f"the ship's die shows {face + 1}: {words}", *_moved(without_die, after, setup, -1)]
    return []


def _differ(one: State, other: State) -> bool:
    """Compares field by field, because the bytes between the fields of a record are arbitrary."""
    return any(not np.array_equal(one[name], other[name]) for name in one.dtype.names)


def _ship(before: State, after: State, setup: Setup) -> list[str]:
    """The ship that sails on: by an encounter, and at the end of a round unless two souvenirs or a theft keep it."""
    if setup.players < 3:
        return []
    now = int(after.owner[SHIP])
    ended = int(after.turns) > int(before.turns) and int(after.winner) < 0 and int(before.seat) == setup.players - 1
    loaded = len(members(after.on[SHIP]))
    kept = (
        "it is validated"
        if loaded >= 3
        else "two souvenirs hold it"
        if loaded >= 2
        else "it was robbed in this round"
        if before.ship_waits
        else ""
    )
    earlier = (now + 1) % setup.players if ended and not kept else now
    events = [f"the ship sails to seat {earlier}"] if earlier != int(before.owner[SHIP]) else []
    if ended:
        sails = f"stays, because {kept}" if kept else f"sails to seat {now}"
        events.append(f"round {int(after.turns) // setup.players} is over: the ship {sails}")
    return events
