"""VAGUE & ATTAQUE in words: cards, moves and events, the page of the table, and what describes an opening."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.compiler.types import AllRules, State, States
from houle.solver.games.vague_attaque import deck
from houle.solver.games.vague_attaque import state as game
from houle.solver.games.vague_attaque.deck import ENTRIES, SHIP_PLACE
from houle.solver.games.vague_attaque.effects import TURN
from houle.solver.matches.known import Known
from houle.solver.matches.opening import Board, CardChange, Fact, Values, count, hand_places, has, seat_fact, set_of
from houle.solver.matches.views import HAND, MIDDLE, SEAT, Face, Row, line, read, row
from houle.solver.plain.random_streams import Chance
from houle.solver.rules import Deck, Setup
from houle.solver.rules.files import read_toml
from houle.solver.texts import count_of

# ---- Names of cards, by kind and number and as the deck calls them
#
# A place has the number that deck files give it, 0 to 9, and its two copies are a and b. `place 1a` is the first card
# of place 1, which the default deck calls the lighthouse: `lighthouse (a)`.


COPIES = "ab"
TEXTS = read_toml(Path(__file__).with_name("words.toml"))


def card_name(card: int) -> str:
    """The canonical name of a card: its kind and number."""
    if card < game.FIRST_PLACE:
        return f"souvenir {card}"
    if card < game.SHIP_CARD:
        place, copy = divmod(card - game.FIRST_PLACE, 2)
        return f"place {place}{COPIES[copy]}"
    return "ship" if card == game.SHIP_CARD else f"encounter {card - game.FIRST_ENCOUNTER}"


def spot_of(state: State, card: int) -> int:
    """The spot of a card that a duel names: its own, or the one it lies on."""
    return int(state.spot[card]) if card < game.FIRST_PLACE else card - game.FIRST_PLACE


def place_names(deck: Deck) -> list[str]:
    """The names of the places in a deck, the ship last."""
    return [*deck.names.get("place", [f"place {place}" for place in range(SHIP_PLACE)]), "ship"]


def called(setup: Setup, card: int) -> str:
    """A card by its name in the deck, with its number if another card of the deck has the same name."""
    cards = setup.options["deck"].cards
    if game.FIRST_PLACE <= card < game.FIRST_ENCOUNTER:
        place, copy = divmod(card - game.FIRST_PLACE, 2)
        return "ship" if card == game.SHIP_CARD else f"{place_names(setup.options['deck'])[place]} ({COPIES[copy]})"
    kind, first = ("souvenir", 0) if card < game.FIRST_PLACE else ("encounter", game.FIRST_ENCOUNTER)
    if card >= game.FIRST_ARTEFACT:
        return str(cards["artefact"][card - game.FIRST_ARTEFACT]["name"])
    names = [one["name"] for one in cards[kind]]
    name = str(names[card - first])
    return name if names.count(name) == 1 else f"{name} [{card_name(card)}]"


def title(setup: Setup, card: int) -> str:
    """A card with what it does: the places of a souvenir and its anchor, the effect of an encounter."""
    facts = facts_of(setup, card)
    return f"{called(setup, card)} [{facts}]" if facts and card < game.FIRST_ARTEFACT else called(setup, card)


def facts_of(setup: Setup, card: int) -> str:
    """What a card does: the places of a souvenir and its anchor, the effect of an encounter or an artefact."""
    cards = setup.options["deck"].cards
    if card < game.FIRST_PLACE:
        souvenir = cards["souvenir"][card]
        names = place_names(setup.options["deck"])
        bears = "/".join(names[place] for place in souvenir["places"])
        anchor = souvenir.get("anchor", "none")
        facts = bears if souvenir["dedicated"] else f"shared, {bears}"
        return facts + ("" if anchor == "none" else f"; anchor: {TEXTS['anchors'][anchor]}")
    if card < game.FIRST_ENCOUNTER:
        return ""
    if card < game.FIRST_ARTEFACT:
        return TEXTS["effects"][cards["encounter"][card - game.FIRST_ENCOUNTER]["effect"]]
    return TEXTS["powers"][cards["artefact"][card - game.FIRST_ARTEFACT]["power"]]


# ---- The events of a move: encounters, dice, cards that moved, the ship
#
# The state keeps where every card is, not how it came there. So most events are found by comparing where the cards
# were before and after a move. What the ship's die shows is found by playing the move again with dice that do
# something on only one face; the dice of duels are thrown again.


def throws(chance: int, turn: int, number: int, faces: int) -> list[tuple[int, int]]:
    """The results of the attacker's and the defender's dice for each throw of a turn."""
    luck, first = Chance(chance), turn << int(TURN)
    dice = [1 + luck(faces, first + i) for i in range(2 * number)]
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
    verb, card = game.VERBS[action >> game.VERB], action & 127
    events = list(_duel(before, after, setup, verb, card=card))
    if verb == "adventure":
        events += _encounter(before, after, setup)
    if verb in ("lay", "extra", "discard") and int(after.winner) < 0:
        anchor = setup.options["deck"].cards["souvenir"][card].get("anchor", "none")
        alone = ", but there is nobody to steal from" if anchor == "steal" and setup.players == 1 else ""
        events += [f"anchor: {TEXTS['anchors'][anchor]}{alone}"] if anchor != "none" else []
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
        places |= {game.FIRST_ENCOUNTER + gold: ("hand", seat) for gold in members(state.gold[seat])}
    for spot in range(game.SPOTS):
        places |= dict.fromkeys(members(state.on[spot]), ("on", spot))
        if int(state.owner[spot]) != game.NONE:
            places[game.FIRST_PLACE + spot] = ("zone", int(state.owner[spot]))
    for pile in range(len(game.PILES)):
        places |= {int(card): ("deck", pile) for card in state.pile[pile, : int(state.left[pile])]}
        places |= {int(card): ("thrown", pile) for card in state.discard[pile, : int(state.thrown[pile])]}
    places |= {int(card): ("turned up", 0) for card in (*state.drawn, state.pending) if card != game.NONE}
    return places


def _moved(before: State, after: State, setup: Setup, named: int) -> list[str]:
    """Cards that moved, except the one that the move itself names; from the active seat to the left."""
    old, new = where(before, setup), where(after, setup)
    shuffled = [pile for pile in range(len(game.PILES)) if int(after.shuffles[pile]) > int(before.shuffles[pile])]
    events = [f"the discarded {game.PILES[pile]} are shuffled into a new pile" for pile in shuffled]
    active, seats = int(before.seat), setup.players
    lines = []
    for card, place in new.items():
        source = old.get(card, ("deck", 0))
        if source[0] == "thrown" and source[1] in shuffled:
            source = ("deck", source[1])
        if card == named or source == place or card == game.FIRST_PLACE + game.SHIP:
            continue
        if card >= game.FIRST_ENCOUNTER and source[0] != "hand":
            continue  # the encounter of this move has its own event
        seat = next((seat for kind, seat in (source, place) if kind in ("hand", "zone")), active)
        lines.append(
            ((seat - active) % seats, card, _way(source, place, called(setup, card), title(setup, card), setup=setup))
        )
    return events + [words for _, _, words in sorted(lines)]


def _way(source: Place, place: Place, name: str, full: str, setup: Setup) -> str:
    """How one card moved, in words."""
    (old, giver), (new, taker) = source, place
    spot = called(setup, game.FIRST_PLACE + (giver if old == "on" else taker if new == "on" else 0))
    words: str = TEXTS["ways"].get(f"{old} to {new}", "{name}: {old} to {new}")
    return words.format(name=name, full=full, spot=spot, giver=giver, taker=taker, old=old, new=new)


def _duel(before: State, after: State, setup: Setup, verb: str, card: int) -> Iterator[str]:
    """The dice of a duel that was fought in this move, or that it was parried."""
    if verb not in ("duel", "steady", "parry"):
        return
    if verb == "parry" and card:
        yield "the duel is parried"
        return
    if int(after.phase) in (game.STEADY, game.PARRY) and int(after.mover) >= 0:
        yield f"seat {int(after.mover)} may {'use a steady hand' if after.phase == game.STEADY else 'parry'}"
        return
    target, bonus = int(after.target), int(after.bonus)
    defender, attacker = int(before.owner[spot_of(before, target)]), int(before.seat)
    number = 1 if target < game.FIRST_PLACE else 3
    thrown = throws(int(before.chance), int(before.turns), number, int(setup.rules[0].die))
    plus = f"+{bonus}" if bonus else ""
    dice = ", ".join(f"{mine}{plus} to {theirs}" for mine, theirs in thrown)
    result = verdict(thrown, bonus)
    yield f"dice of seat {attacker} against seat {defender}: {dice}; the duel is {result}"
    if result == "lost":
        choice = int(after.phase) == game.LOSE and int(after.mover) == attacker
        yield f"seat {attacker} must discard a card" if choice else f"seat {attacker} has no card to discard"


def _encounter(before: State, after: State, setup: Setup) -> list[str]:
    """The encounter that was drawn; if the pile was reshuffled, the one that is no longer in it."""
    old, new = where(before, setup), where(after, setup)
    reshuffled = int(after.shuffles[2]) > int(before.shuffles[2])
    drawn = [
        card
        for card, place in new.items()
        if card >= game.FIRST_ENCOUNTER
        and place[0] != "deck"
        and old[card][0] in ("deck", "thrown")
        and (reshuffled or old[card] != place)
    ]
    if not drawn:
        return ["no encounter is left to draw"]
    return [f"encounter: {title(setup, drawn[0])}"]


def _validated(before: State, after: State, setup: Setup) -> list[str]:
    """Places that now have their third souvenir."""
    events = []
    for spot in range(game.SPOTS):
        full = len(members(after.on[spot])) >= 3 > len(members(before.on[spot]))
        if full and int(after.owner[spot]) != game.NONE:
            owner = int(after.owner[spot])
            places = int(after.validated[owner])
            events.append(f"{called(setup, game.FIRST_PLACE + spot)} is validated: seat {owner} now has {places}")
    return events


def _ship_die(without_die: State, after: State, setup: Setup, again: Callable[..., State]) -> list[str]:
    """Solo: what the ship's die shows and does; nothing if it was not thrown in this move."""
    loads = deck.DIE_EFFECTS.index("ship_always")
    for face in range(deck.DIE_FACES):
        effects = [loads if other == face else 0 for other in range(deck.DIE_FACES)]
        if again(solo_die=effects) != without_die:
            words = TEXTS["die"][setup.options["deck"].cards["solo_die"]["faces"][face]]
            return [f"the ship's die shows {face + 1}: {words}", *_moved(without_die, after, setup, -1)]
    return []


def _ship(before: State, after: State, setup: Setup) -> list[str]:
    """The ship that sails on: by an encounter, and at the end of a round unless two souvenirs or a theft keep it."""
    if setup.players < 3:
        return []
    now = int(after.owner[game.SHIP])
    ended = int(after.turns) > int(before.turns) and int(after.winner) < 0 and int(before.seat) == setup.players - 1
    loaded = len(members(after.on[game.SHIP]))
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
    events = [f"the ship sails to seat {earlier}"] if earlier != int(before.owner[game.SHIP]) else []
    if ended:
        sails = f"stays, because {kept}" if kept else f"sails to seat {now}"
        events.append(f"round {int(after.turns) // setup.players} is over: the ship {sails}")
    return events


# ---- Names of moves, the state as plain data and as text, the cards drawn, how a game ended


GENERAL = frozenset({"duel", "places_short", "keep_useful", "keep_gold"})  # say nothing about a single move


def action_name(state: State, setup: Setup, action: int) -> str:
    verb, card, spot = game.VERBS[action >> game.VERB], action & 127, action >> game.SPOT & 31
    if verb in TEXTS["moves"]:
        return verb
    if verb in TEXTS["answers"]:
        return f"{verb} {'yes' if card else 'no'}"
    if verb == "steal":
        return f"steal from seat {card}"
    if verb == "refill":
        return f"refill {game.PILES[card][:-1]}"
    if verb in ("lay", "extra"):
        return f"{verb} {card_name(card)} on {card_name(game.FIRST_PLACE + spot)}"
    return f"{'lay' if verb == 'lay place' else verb} {card_name(card)}"


def spoken(state: State, setup: Setup, action: int) -> str:
    """A move for people: cards by their names in the deck, whose card a duel is for, where a given card goes."""
    verb, card, spot = game.VERBS[action >> game.VERB], action & 127, action >> game.SPOT & 31
    if verb in TEXTS["moves"]:
        return _top_discard(state, setup) if verb == "hook" else TEXTS["moves"][verb]
    if verb in TEXTS["answers"]:
        return TEXTS["answers"][verb][0 if card else 1]
    if verb == "steal":
        return f"steal a card from seat {card}"
    if verb == "refill":
        return f"draw a {game.PILES[card][:-1]}"
    name = called(setup, card)
    if verb == "duel":
        spot = spot_of(state, card)
        where = f" on {called(setup, game.FIRST_PLACE + spot)}" if card < game.FIRST_PLACE else ""
        return f"duel seat {int(state.owner[spot])} for {name}{where}"
    if verb in ("lay", "extra"):
        return f"lay {name} on {called(setup, game.FIRST_PLACE + spot)}"
    if verb == "give":
        return f"give {name} to seat {(int(state.mover) + 1) % setup.players}"
    return TEXTS["moves_with_a_card"][verb].format(name)


def _top_discard(state: State, setup: Setup) -> str:
    top = int(state.discard[0, int(state.thrown[0]) - 1])
    return f"take {called(setup, top)} from the discards"


def asked(state: State, setup: Setup) -> str:
    """What the player to move decides, as a question; seats count from 0."""
    phase, mover, attacker, card = game.PHASES[state.phase], int(state.mover), int(state.seat), int(state.target)
    whose = ""
    if phase in ("steady", "parry"):
        side = attacker if phase == "steady" else int(state.owner[spot_of(state, card)])
        whose = "your" if mover == side else f"seat {side}'s"
    elif phase == "power":
        card = next(int(card) for card in state.drawn if card != game.NONE)
    what = called(setup, card) if card != game.NONE else ""
    return str(TEXTS["questions"][phase]).format(attacker=attacker, whose=whose, what=what)


def hand_of(state: State, seat: int) -> list[int]:
    return members(state.hand[seat]) + [game.FIRST_ENCOUNTER + e for e in members(state.gold[seat])]


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/vague_attaque.py uses."""
    state, seats = read(state), range(setup.players)
    owner, on = state.owner.tolist(), state.on.tolist()

    def zone(seat: int) -> list[list[Any]]:
        return [[game.FIRST_PLACE + spot, members(on[spot])] for spot in range(game.SPOTS) if owner[spot] == seat]

    def listed(piles: Any, sizes: Any) -> dict[str, list[int]]:
        return {name: piles[i, : int(sizes[i])].tolist() for i, name in enumerate(game.PILES)}

    return {
        "seat": int(state.seat),
        "to_move": int(state.mover),
        "phase": game.PHASES[state.phase],
        "hands": [hand_of(state, seat) for seat in seats],
        "zones": [zone(seat) for seat in seats],
        "ship_holder": -1 if owner[game.SHIP] == game.NONE else owner[game.SHIP],
        "ship_cards": members(on[game.SHIP]),
        "ship_waits": bool(state.ship_waits),
        "validated": state.validated[: setup.players].tolist(),
        "decks": listed(state.pile, state.left),
        "discards": listed(state.discard, state.thrown),
        "pending": -1 if state.pending == game.NONE else int(state.pending),
        "artefact": state.artefact[: setup.players].tolist(),
        "turn": int(state.turns),
        "power_used": bool(state.power_used),
        "placed": [bool(state.place_laid), int(state.laid)],
        "over": int(state.mover) < 0,
    }


def show(state: State, setup: Setup) -> str:
    """The whole state as text, with the names of the deck: artefact, hand and zone of every seat, then the piles."""
    seen = snapshot(state, setup)

    def titles(numbers: list[int]) -> str:
        return ", ".join(title(setup, card) for card in numbers) or "nothing"

    piles = ", ".join(
        f"{name} {len(seen['decks'][name])} + {len(seen['discards'][name])} discarded" for name in game.PILES
    )
    asked = f" (seat {seen['to_move']} is asked)" if seen["to_move"] not in (-1, seen["seat"]) else ""
    lines = [f"turn {seen['turn'] + (not seen['over'])}, seat {seen['seat']}, {seen['phase']}{asked}; {piles}"]
    if seen["pending"] >= 0:
        lines.append(f"  encounter  {title(setup, seen['pending'])}")
    drawn = [int(card) for card in state.drawn if card != game.NONE]
    if drawn:
        lines.append(f"  turned up  {titles(drawn)}")
    for seat in range(setup.players):
        lines.append(f"  seat {seat}     {title(setup, seen['artefact'][seat])}; hand: {titles(seen['hands'][seat])}")
        for place, lying in seen["zones"][seat]:
            waits = place == game.SHIP_CARD and seen["ship_waits"]
            note = " (validated)" if len(lying) == 3 else " (robbed, stays this round)" if waits else ""
            lines.append(f"    {called(setup, place)}{note}: {titles(lying)}")
    if seen["ship_holder"] < 0:
        lines.append(f"  ship       {titles(seen['ship_cards'])}")
    return "\n".join(lines)


def ending(state: State, setup: Setup) -> list[str]:
    """Who won with how many places, or that nobody did in time."""
    turns, winner = int(state.turns), int(state.winner)
    if winner < 0:
        return [f"nobody wins in {turns} turns"]
    if setup.players == 1 and winner == 1:
        return [f"the ship wins with {len(members(state.on[game.SHIP]))} souvenirs in turn {turns}"]
    name, seats = setup.game.side_names(setup)[winner]
    places = sum(int(state.validated[seat]) for seat in seats)
    return [f"{name} wins with {count_of(places, 'validated place')} in turn {turns}"]


def end_conditions(states: Any, setup: Setup) -> dict[str, Any]:
    """Which of these final states ended in each way."""
    rules = setup.rules[0]
    drawn, holder = states.winner < 0, states.owner[:, game.SHIP]
    if rules.solo:
        return {
            "you complete enough places": states.winner == 0,
            "the ship is full": states.winner == 1,
            "the turns run out": drawn,
        }
    full = np.array([int(souvenirs).bit_count() == 3 for souvenirs in states.on[:, game.SHIP]])
    theirs = rules.side[np.minimum(holder, len(rules.side) - 1)] == states.winner
    by_ship = ~drawn & (holder != game.NONE) & theirs & full
    return {
        "enough places, the ship among them": by_ship,
        "enough places, without the ship": ~drawn & ~by_ship,
        "the turns run out": drawn,
    }


def house_rules(setup: Setup) -> list[str]:
    """What every result of this game must state: the deck, and how much of it is assumed."""
    deck = setup.options["deck"]
    entries = [card for kind in ENTRIES for card in deck.cards[kind]]
    assumed = sum(card["provenance"] == "assumed" for card in entries)
    if assumed == len(entries):
        state = "all its card texts are assumed, because the rulebook does not print them"
    elif assumed:
        state = f"{assumed} of its {len(entries)} card texts are assumed"
    else:
        state = "none of its card texts is assumed"
    return [f"Deck {deck!s}: {state}."]


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """Cards that were in a pile, or in a discard that became one, and are there no longer."""
    old, new = where(before, setup), where(after, setup)
    shuffled = [pile for pile in range(len(game.PILES)) if int(after.shuffles[pile]) > int(before.shuffles[pile])]
    hidden = [("deck", pile) for pile in range(len(game.PILES))]
    covered = [*hidden, *(("thrown", pile) for pile in shuffled)]
    gone = sorted(card for card, place in old.items() if place in covered and new.get(card) not in hidden)
    return [_names(card, setup) for card in gone]


def in_piles(state: State, setup: Setup) -> list[tuple[int, tuple[str, ...]]]:
    """The cards that may be drawn, each with its names: those of the discards too, because these become piles."""
    hidden = [(kind, pile) for kind in ("deck", "thrown") for pile in range(len(game.PILES))]
    return [(card, _names(card, setup)) for card, place in where(state, setup).items() if place in hidden]


def lay_on_top(state: State, cards: Sequence[int]) -> None:
    """Moves cards to the top of their piles, the first one on top."""
    for pile in range(len(game.PILES)):
        lying = [int(card) for card in state.pile[pile, : int(state.left[pile])]]
        lying.sort(key=lambda card: -cards.index(card) if card in cards else -len(cards))
        state.pile[pile, : len(lying)] = lying


def _names(card: int, setup: Setup) -> tuple[str, str]:
    return card_name(card), called(setup, card).partition(" [")[0]


# ---- A position as rows of card faces, as a seat sees it


PAINTS = (
    (game.FIRST_ARTEFACT, "pink"),
    (game.FIRST_ENCOUNTER, "grey"),
    (game.FIRST_PLACE, "sky"),
    (0, "yellow"),
)  # first card of a kind
PILE_PAINTS = ("yellow", "sky", "grey")  # of PILES
DRAWS = ("draw", "swap", "adventure")  # the verbs that take a card of each pile
FULL = 3  # souvenirs that complete a place
YES = 1
OF_HAND = {"swap", "lay place", "lay", "discard", "lose", "drop", "extra", "give", "retain"}  # moves with a card of it


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, viewer, phase, places = setup.rules[0], known.seat, game.PHASES[known["phase"]], zones(known)
    card = partial(_card, setup)
    kinds = [(game.VERBS[kind >> game.VERB], kind & 127, kind >> game.SPOT & 31, kind) for kind in known.kinds]

    def moves(verbs: Container[str], card: int | None = None, spot: int | None = None) -> tuple[int, ...]:
        """The kinds of moves with these verbs, a card and a spot."""
        return tuple(
            kind
            for verb, what, where, kind in kinds
            if verb in verbs and card in (None, what) and spot in (None, where)
        )

    def stack(owner: int, place: int, lying: list[int]) -> Row:
        spot, note = place - game.FIRST_PLACE, "validated" if len(lying) >= FULL else ""
        if place == game.SHIP_CARD and known["ship waits"]:
            note = "stays this round"
        if spot % 2 and not lying and places[spot - 1] == (owner, place - 1, []):
            spot -= 1  # two empty copies of a place are the same
        room = int(rules.ship_limit) if rules.solo and place == game.SHIP_CARD else FULL
        cards = [card(place, moves({"duel"}, game.FIRST_PLACE + spot) + moves({"lay", "extra"}, spot=spot))]
        cards += [card(souvenir, moves({"duel"}, souvenir)) for souvenir in lying]
        cards += [{"empty": True, "wide": True} for _ in range(room - len(lying))]
        seat, region = (owner, SEAT) if owner >= 0 else (None, MIDDLE)
        return row(called(setup, place), cards, True, seat=seat, region=region, layout="stack", note=note)

    def pile(number: int) -> Face:
        """A pile to draw from."""
        kinds = moves({DRAWS[number]}) + moves({"refill"}, number)
        return {
            "name": game.PILES[number],
            "paint": PILE_PAINTS[number],
            "about": f"{known[f'{game.PILES[number]} left']} left",
            "wide": True,
            "moves": kinds,
        }

    rows = [stack(*places[-1])] if places[-1][0] < 0 else []
    rows.append(row("piles", [pile(number) for number in range(len(game.PILES))], True, region=MIDDLE))
    rows.append(row("encounter", map(card, known["encounter"])))
    discarded = [card(top, moves({"hook"})) for top in known["souvenirs discarded"][:1]]
    rows.append(row("last souvenir discarded", discarded, True, region=MIDDLE))
    drawn = [card(one, moves({"keep"}, int(rules.twin[one]))) for one in known["turned up"] if one >= 0]
    rows.append(row("turned up", drawn, True, region=HAND))
    for step in range(1, setup.players + 1):
        seat = (viewer + step) % setup.players
        artefact = card(game.FIRST_ARTEFACT + known["artefact", seat], moves({"steal"}, seat))
        rows.append(row("artefact", [artefact], True, seat=seat, layout="stack"))
        rows += [stack(*place) for place in places if place[0] == seat]
    hand = [card(one, moves(OF_HAND, int(rules.twin[one]))) for one in known["hand", viewer]]
    for gold in known["gold", viewer]:
        answers = {verb for verb in ("steady", "parry", "mooring") if int(rules[verb]) >> gold & 1}
        one = game.FIRST_ENCOUNTER + gold
        hand.append(card(one, moves(OF_HAND, int(rules.twin[one])) + moves(answers, YES)))
    hand = [face | {"blocked": TEXTS["blocked"].get(phase, "it is not part of this decision")} for face in hand]
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    partner = int(rules.partner[viewer])
    return [
        *rows,
        line("round", f"{known['turns'] // setup.players + 1}"),
        line("phase", TEXTS["phases"].get(phase, "II, adventure")),
        line("turn of", f"seat {known['active']}" if known["active"] != viewer else ""),
        line("partner", f"seat {partner}" if partner != viewer else ""),
        line(
            "wins with",
            count_of(int(rules.target), "validated place") + (" of a team" if partner != viewer else ""),
        ),
    ]


def _card(setup: Setup, number: int, kinds: tuple[int, ...] = ()) -> Face:
    """A card with its facts, and the kinds of moves that it stands for."""
    paint = next(paint for first, paint in PAINTS if number >= first)
    typed = card_name(number) if number < game.FIRST_ARTEFACT else ""
    facts = facts_of(setup, number).replace("/", ", ").replace("; anchor: ", ", anchor: ")
    if number < game.FIRST_PLACE:
        shared = facts.removeprefix("shared, ")
        facts = f"dedicated, fits {facts}" if shared == facts else f"shared, fits {shared}"
    elif number < game.FIRST_ENCOUNTER:
        facts = "three souvenirs validate it"
    elif number >= game.FIRST_ARTEFACT:
        facts = f"artefact: {facts}"
    return {"name": called(setup, number), "paint": paint, "about": facts, "typed": typed, "wide": True, "moves": kinds}


def chapter(state: State, setup: Setup) -> str:
    """The part of the game, for its history."""
    return f"round {int(state.turns) // setup.players + 1}"


def move_in_words(setup: Setup, move: str) -> str:
    """A move with cards by their names in the deck; seats count from 0, as in all moves."""
    cards = setup.options["deck"].cards

    def name(match: re.Match[str]) -> str:
        return str(cards[match[1]][int(match[2])]["name"])

    return re.sub(r"\b(souvenir|encounter) (\d+)", name, move)


def visible_events(
    before: State, after: State, setup: Setup, action: int, viewer: int, events: Iterable[str]
) -> list[str]:
    """The events of a move as the viewer sees them: cards that others hold or look at unseen have no name."""
    places, unseen = where(after, setup), unseen_cards(Known.of(after, setup, viewer))
    hidden = [card for card in unseen if places[card][0] != "deck"]
    names = sorted((name for card in hidden for name in (title(setup, card), called(setup, card))), key=len)
    lines = []
    for words in events:
        for name in reversed(names):
            words = words.replace(name, "a card")
        lines.append(words)
    return lines


# ---- The seat, the artefact, and the place and souvenirs of the first hand


DEALT = 3  # two souvenirs and a place
LAST = game.FIRST_ARTEFACT + deck.ARTEFACTS


def facts(setup: Setup) -> list[Fact]:
    rules, seats = setup.rules[0], setup.players
    cards = setup.options["deck"].cards
    names = tuple(str(card["name"]) for card in cards["artefact"])
    anchored = set_of(s for s in range(deck.SOUVENIRS) if rules.anchor[s])
    places = tuple(place_names(setup.options["deck"])[: deck.SHIP_PLACE])

    def hands(openings: States) -> Any:
        return openings.hand[:, :seats]

    def place(openings: States) -> Values:
        """The place in the hand, from 0 to 9; each has two cards."""
        lowest = count((hands(openings) & game.ALL_PLACES) - np.uint64(1))  # bits below the one that is set
        return (lowest - game.FIRST_PLACE) // 2

    def matching(openings: States) -> Values:
        """Souvenirs of the hand that can be laid on its own place."""
        own = np.uint64(3) << (2 * place(openings)).astype(np.uint64)
        fits = np.zeros(own.shape, np.int64)
        for souvenir in range(deck.SOUVENIRS):
            fits += has(hands(openings), souvenir) & (own & rules.bears[souvenir] != 0)
        return fits

    facts = [
        seat_fact(setup),
        Fact("artefact", "the artefact", lambda o: o.artefact[:, :seats] - game.FIRST_ARTEFACT, labels=names),
        Fact("place", "the place in the first hand", place, labels=places),
        Fact("souvenirs that match", "souvenirs of the first hand that fit its place", matching, most=2),
        Fact(
            "dedicated souvenirs",
            "souvenirs of the first hand that belong to only one place",
            lambda o: count(hands(o), rules.dedicated),
            most=2,
        ),
        Fact("anchors", "souvenirs of the first hand with an anchor", lambda o: count(hands(o), anchored), most=2),
        Fact(
            "ship souvenirs",
            "souvenirs of the first hand with the ship's symbol",
            lambda o: count(hands(o), rules.on_ship),
            most=2,
        ),
    ]
    if rules.solo:
        facts.pop(1)
    return facts


def cards(setup: Setup) -> list[str]:
    """The names of souvenirs, encounters and artefacts."""
    own = setup.options["deck"].cards
    return [str(card["name"]) for kind in ("souvenir", "encounter", "artefact") for card in own[kind]]


# The key of a card's text, and what an entry without a text has.
BLANK: dict[str, tuple[str, dict[str, str]]] = {
    "souvenir": ("anchor", {"anchor": "none"}),
    "encounter": ("effect", {"effect": "calm", "colour": "blue"}),
    "artefact": ("power", {"power": "none"}),
}


def card_changes(setup: Setup) -> list[CardChange]:
    """Every text: all cards lose it, or one more card without a text gets it."""
    own = setup.options["deck"]
    changes = []
    for kind, (key, blank) in BLANK.items():
        entries = own.cards[kind]
        texts = Counter(str(card.get(key, blank[key])) for card in entries)
        plain = next((number for number, card in enumerate(entries) if card.get(key, blank[key]) == blank[key]), None)
        for text in (text for text in texts if text != blank[key]):
            bearers = [number for number, card in enumerate(entries) if card.get(key) == text]
            name = f"{kind} {text}" if len(bearers) > 1 else f"{kind} {entries[bearers[0]]['name']}"
            lost = "without its text" if len(bearers) == 1 else f"all {len(bearers)} lose the text"
            held = str(entries[bearers[0]]["name"]) if kind == "artefact" else ""
            changes.append(
                CardChange(name, lost, knob="deck", sign="", value=_reprinted(own, kind, bearers, blank), held=held)
            )
            if plain is not None:
                words = {part: entries[bearers[0]][part] for part in blank}
                changes.append(
                    CardChange(name, "one more", knob="deck", sign="", value=_reprinted(own, kind, [plain], words))
                )
    return changes


def _reprinted(own: Deck, kind: str, numbers: list[int], words: dict[str, str]) -> Deck:
    """A deck with another text on some cards."""
    entries = [{**card, **(words if i in numbers else {})} for i, card in enumerate(own.cards[kind])]
    return Deck(f"{own.name}, changed", {**own.cards, kind: entries}, own.names)


def board(setup: Setup) -> Board:
    """Every hand (its place, its souvenirs), all artefacts, dealt or not, and the piles from the top."""
    rules, seats = setup.rules[0], setup.players
    places = hand_places([DEALT] * seats, 0)
    position = DEALT * seats
    if not rules.solo:
        places |= {f"seat {seat} artefact": [position + seat] for seat in range(seats)}
        position += deck.ARTEFACTS
    ordered = ("souvenirs", "places", "encounters")
    for pile, dealt in enumerate((2 * seats, seats, 0)):
        size = int(rules.cards[pile]) - dealt
        places[ordered[pile]] = list(range(position, position + size))
        position += size
    lying, dealt_out = names_of_cards(setup, 0, game.FIRST_ARTEFACT), names_of_cards(setup, game.FIRST_ARTEFACT, LAST)
    names = {place: dealt_out if "artefact" in place else lying for place in places}
    return Board(places, names, np.arange(256), ordered)


def names_of_cards(setup: Setup, first: int, last: int) -> dict[str, int]:
    """The cards by kind and number and, if only one card has it, by the name in the deck, with or without the words in
    brackets at its end. If only one copy of a place is in play, its letter may be left out."""
    cards = setup.options["deck"].cards
    titles = {souvenir: card["name"] for souvenir, card in enumerate(cards["souvenir"])}
    titles |= {game.FIRST_ENCOUNTER + encounter: card["name"] for encounter, card in enumerate(cards["encounter"])}
    titles |= {game.FIRST_ARTEFACT + artefact: card["name"] for artefact, card in enumerate(cards["artefact"])}
    words = [str(title).lower() for title in titles.values()]
    short = [word.partition(" (")[0] for word in words]
    names = {card_name(card): card for card in range(first, min(last, game.FIRST_ARTEFACT)) if card != game.SHIP_CARD}
    for card, word, start in zip(titles, words, short, strict=True):
        if first <= card < last:
            names |= {" ".join(start.split()): card} if short.count(start) == 1 else {}
            names |= {" ".join(word.split()): card} if words.count(word) == 1 else {}
    for card in range(max(first, game.FIRST_PLACE), min(last, game.SHIP_CARD)):
        names[called(setup, card).lower()] = card
        if setup.players <= 2 and (card - game.FIRST_PLACE) % 2 == 0:
            place = (card - game.FIRST_PLACE) // 2
            names[f"place {place}"] = names[place_names(setup.options["deck"])[place].lower()] = card
    return names


def kind_of(face: int) -> int:
    """Souvenirs, places, encounters and artefacts never take each other's places."""
    return sum(face >= first for first in (game.FIRST_PLACE, game.FIRST_ENCOUNTER, game.FIRST_ARTEFACT))


def lying(state: State, setup: Setup) -> list[int]:
    cards = [card for hand in state.hand[: setup.players] for card in members(hand)]
    if not setup.rules[0].solo:
        cards += [game.FIRST_ARTEFACT + int(number) for number in state.scratch]  # those of the seats first
    piles = [state.pile[pile, : int(state.left[pile])][::-1] for pile in range(3)]  # the top comes last
    return [*cards, *(int(card) for pile in piles for card in pile)]


def ordered_rules(setup: Setup, cards: Sequence[int]) -> AllRules:
    """The rules with piles and artefacts in this order: those of the hands are dealt from the top."""
    all_rules, seats = setup.rules.copy(), setup.players
    rules = all_rules[0]
    rules.ordered = 1
    hands = [cards[DEALT * seat :][:DEALT] for seat in range(seats)]  # two souvenirs, then a place
    rest = list(cards[DEALT * seats :])
    if not rules.solo:
        rules.artefacts = [card - game.FIRST_ARTEFACT for card in rest[: deck.ARTEFACTS]]
        rest = rest[deck.ARTEFACTS :]
    for pile, slots in enumerate(((0, 1), (2,), ())):
        dealt = [hand[slot] for slot in slots for hand in hands]
        size = int(rules.cards[pile])
        rules.pile[pile, :size] = [*dealt, *rest[: size - len(dealt)]][::-1]
        rest = rest[size - len(dealt) :]
    return all_rules


def unseen_cards(known: Known) -> list[int]:
    """The souvenirs and places that a seat cannot place."""
    return [card for card, age in enumerate(known["unseen cards"]) if age]


def zones(known: Known) -> list[tuple[int, int, list[int]]]:
    """Who has each place (-1: nobody), its card, and the souvenirs on it."""
    under = known["place under each souvenir"]
    return [
        (
            (known.seat + owner - 1) % known.setup.players if owner else -1,
            game.FIRST_PLACE + spot,
            [souvenir for souvenir, where in enumerate(under) if where == spot + 1],
        )
        for spot, owner in enumerate(known["owner of each place"])
    ]
