"""VAGUE & ATTAQUE: the records, the action codes, and how knobs become a RULES record.

Each card has one number: souvenirs 0-40, place cards 41-60 (two copies of ten places), the ship 61, encounters 62-93,
artefacts 94-98. So the souvenirs and places of a hand, or all cards that a duel may name, are one 64-bit set; the gold
encounters of a hand are a second one. A spot is a place card in play: 0-19, and 20 for the ship.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.streams import STREAM_FIELDS
from houle.solver.compiler.types import AllRules, Rules
from houle.solver.games import defining
from houle.solver.games.vague_attaque import deck
from houle.solver.interface import blank
from houle.solver.rules import KnobError, Setup

MAX_SEATS = 5
MAX_CLUES = 8
FIRST_PLACE = 41
SHIP_CARD = 61
FIRST_ENCOUNTER = 62
FIRST_ARTEFACT = 94
SPOTS = 21
SHIP = 20  # the ship's spot
NONE = 255  # no card, no owner
ALL_SOUVENIRS = np.uint64((1 << FIRST_PLACE) - 1)
ALL_PLACES = np.uint64(((1 << 20) - 1) << FIRST_PLACE)

# Piles: the first index of `pile` and `discard`. Codes that kernels pass to each other are numpy integers of one type,
# because numba compiles a function again for every plain number it is called with.
PILES = ("souvenirs", "places", "encounters")
SOUVENIRS, PLACES, ENCOUNTERS = np.uint64(0), np.uint64(1), np.uint64(2)
MAX_PILE = 41

# What is being decided.
PHASES = (
    "explore",
    "encounter",
    "land",
    "lose",
    "drop",
    "spyglass",
    "steady",
    "parry",
    "extra",
    "steal",
    "give",
    "refill",
    "power",
    "retain",
    "mooring",
    "over",
)
(
    EXPLORE,
    ENCOUNTER,
    LAND,
    LOSE,
    DROP,
    SPYGLASS,
    STEADY,
    PARRY,
    EXTRA,
    STEAL,
    GIVE,
    REFILL,
    POWER,
    RETAIN,
    MOORING,
    OVER,
) = map(np.uint8, range(len(PHASES)))

# The step that follows an action. No effect has anything left to do after a decision it asked for (the effect of a laid
# souvenir comes last), so decisions within decisions need to remember only one such step.
WAIT, TO_ENCOUNTER, TO_LAND, TO_TIDY, TO_SHIP, TO_NEXT = map(np.uint8, range(6))

# Actions: verb << VERB | spot << SPOT | card. For STEADY, PARRY, MOORING and POWER the card is 1 for yes and 0 for no,
# for REFILL it is a pile, for STEAL a seat.
SPOT, VERB = 7, 12
VERBS = (
    "draw",
    "hook",
    "swap",
    "adventure",
    "duel",
    "lay place",
    "lay",
    "stop",
    "discard",
    "lose",
    "drop",
    "keep",
    "steady",
    "parry",
    "extra",
    "decline",
    "steal",
    "give",
    "refill",
    "power",
    "retain",
    "mooring",
)
(
    V_DRAW,
    V_HOOK,
    V_SWAP,
    V_ADVENTURE,
    V_DUEL,
    V_PLACE,
    V_LAY,
    V_STOP,
    V_DISCARD,
    V_LOSE,
    V_DROP,
    V_KEEP,
    V_STEADY,
    V_PARRY,
    V_EXTRA,
    V_DECLINE,
    V_STEAL,
    V_GIVE,
    V_REFILL,
    V_POWER,
    V_RETAIN,
    V_MOORING,
) = range(len(VERBS))
# Phase III lists the most actions: every souvenir on every spot, places, discards, stop.
MAX_MOVES = deck.SOUVENIRS * SPOTS + 20 + deck.SOUVENIRS + 1

COUNTS = ("moves", "turns", "rounds", "duels", "ship_wins")
RATES: dict[str, tuple[str, str]] = {"duels_per_turn": ("duels", "turns")}

RULES = np.dtype(
    [
        ("die", "u1"),  # faces of the dice in duels
        ("seats", "u1"),
        ("sides", "u1"),  # seats, or 2 teams, or the player and the ship
        ("side", "u1", 8),  # side of each seat
        ("partner", "u1", MAX_SEATS),  # the partner's seat; the seat itself without teams
        ("partner_gold", "u1"),  # teams: 1 if any gold card may help the partner; a parry always may
        ("solo", "u1"),
        ("middle", "u1"),  # 1 with two players: the ship lies in the middle
        ("ship_stealable", "u1"),  # 1 if a bare ship in a zone may be named in a duel
        ("ship_waits", "u1"),  # 1 if being robbed from two souvenirs to one keeps the ship until the next round
        ("target", "u1"),  # validated places that win
        ("ship_limit", "u1"),  # solo: souvenirs on the ship that lose
        ("limit", "u1", len(deck.POWERS)),  # hand limit by power
        ("allowance", "u1", len(deck.POWERS)),  # souvenirs to lay in phase III by power
        ("max_turns", "u2"),
        ("power", "u1", deck.ARTEFACTS),  # what each artefact does: index in POWERS
        ("hook", "u1"),  # solo: the artefact to play with
        ("cards", "u1", 3),  # cards in each pile at the start
        ("pile", "u1", (3, MAX_PILE)),  # those cards, ascending
        ("artefacts", "u1", deck.ARTEFACTS),  # the artefacts by number, ascending
        ("ordered", "u1"),  # 1 if piles and artefacts lie as a record says; the top is last, the first artefact first
        ("anchor", "u1", deck.SOUVENIRS),  # index in ANCHORS
        ("effect", "u1", deck.ENCOUNTERS),  # index in EFFECTS
        ("solo_die", "u1", deck.DIE_FACES),  # index in DIE_EFFECTS
        ("twin", "u1", FIRST_ARTEFACT),  # the lowest card that is the same in the hand
        ("bears", "u8", deck.SOUVENIRS),  # spots a souvenir matches
        ("shared", "u8", deck.SOUVENIRS),  # the same for shared souvenirs, none for dedicated ones
        ("dedicated", "u8"),  # souvenirs that belong to only one place
        ("on_ship", "u8"),  # souvenirs with the ship's symbol
        ("parry", "u8"),  # encounters (by their index) with each gold effect
        ("steady", "u8"),
        ("mooring", "u8"),
        ("vague_attaque", "u1"),  # marker
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("hand", "u8", MAX_SEATS),  # souvenirs and places in hand
        ("gold", "u8", MAX_SEATS),  # gold encounters in hand, by their index
        ("open", "u8", MAX_SEATS),  # spots the seat may load: unvalidated, and its own, its partner's or in the middle
        ("exposed", "u8", MAX_SEATS),  # per side: souvenirs on its unvalidated places, and its bare places
        ("on", "u8", SPOTS),  # souvenirs lying on each spot
        ("needy", "u8"),  # spots with two shared souvenirs: the third must be dedicated
        ("public", "u8"),  # souvenirs and places that everyone has seen since they last left a pile
        ("known", "u8", MAX_SEATS),  # those a seat has seen in its own or another hand since then
        ("barred", "u8", deck.SOUVENIRS),  # teams: for a souvenir in a hand, what everyone knows it is not
        ("clue_cards", "u8", MAX_CLUES),  # teams: souvenirs of a hand; everyone knows that at least one ...
        ("clue_fits", "u8", MAX_CLUES),  # ... is among these
        ("clues", "u1"),  # number of such clues
        ("mover", "i1"),  # the seat that decides; -1 when over
        ("seat", "u1"),  # the active seat
        ("phase", "u1"),  # index in PHASES
        ("then", "u1"),  # step that follows a decision asked for within another
        ("pending", "u1"),  # blue encounter being resolved (its card), or NONE
        ("target", "u1"),  # card named in the duel
        ("bonus", "u1"),  # added to each of the attacker's dice
        ("ship_waits", "u1"),  # 1 if the ship stays at the end of this round because it was robbed
        ("power_used", "u1"),  # solo: 1 once the once-per-game power is used
        ("place_laid", "u1"),  # 1 once a place was laid in this turn
        ("laid", "u1"),  # souvenirs laid in this turn within the allowance
        ("lent", "u1"),  # teams: moorings the partner lent in this turn, which raise the allowance
        ("thefts", "u1"),  # cards stolen in this turn
        ("refused", "u1"),  # teams: 1 once the partner refused to lend one in this turn
        ("winner", "i1"),  # side that won, or -1
        ("power", "u1", MAX_SEATS),  # what the seat's artefact does
        ("artefact", "u1", MAX_SEATS),  # its card
        ("validated", "u1", MAX_SEATS),  # places with three souvenirs, per seat
        ("drawn", "u1", 2),  # souvenirs in no hand yet (spyglass; solo: bound for the ship), or NONE
        ("scratch", "u1", deck.ARTEFACTS),  # room to shuffle the artefacts in
        ("owner", "u1", SPOTS),  # seat in whose zone a place card lies, or NONE
        ("spot", "u1", deck.SOUVENIRS),  # spot of a souvenir that was laid
        ("left", "u1", 3),  # cards in each pile
        ("thrown", "u1", 3),  # cards in each discard
        ("pile", "u1", (3, MAX_PILE)),  # face-down piles, the top last
        ("discard", "u1", (3, MAX_PILE)),  # discards, the top last
        ("shuffles", "u2", 3),  # times each discard became the pile
        ("batch", "u2", FIRST_PLACE + 20),  # `shuffles` when a card last entered its pile; everyone knows it
        ("duels", "u2"),  # duels named
        ("turns", "u2"),  # turns played
        ("moves", "u4"),  # cards laid by players
        ("vague_attaque", "u1"),  # marker
    ],
    align=True,
)


def make_rules(options: Mapping[str, Any], players: int) -> AllRules:
    """The RULES record of checked knobs; raises KnobError if the setup is impossible."""
    teams = options["teams"] == "2v2"
    if teams and players != 4:
        raise KnobError("teams", f"2v2 needs four players, not {players}")
    cards = deck.checked(options["deck"])
    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.die = options["die"]
    rules.seats = players
    rules.solo, rules.middle = players == 1, players == 2
    rules.sides = 2 if teams or players == 1 else players
    for seat in range(players):
        rules.side[seat] = seat % 2 if teams else seat
        rules.partner[seat] = (seat + 2) % 4 if teams else seat
    rules.partner_gold = teams and options["partner_gold"] == "any"
    rules.ship_stealable = options["ship_stealable"] and players > 2
    rules.ship_waits = options["ship_resumes"] == "next_round" and players > 2
    rules.target = options["target"] or (2 if players > 2 and not teams else 3)
    rules.ship_limit = options["ship_limit"]
    for code, power in enumerate(deck.POWERS):
        rules.limit[code] = options["chest_limit" if power == "chest" else "hand_limit"]
        rules.allowance[code] = 2 if power == "compass" else 1
    rules.max_turns = options["max_turns"]
    _fill_piles(rules, cards, players)
    _fill_tables(rules, cards)
    return all_rules


def _fill_piles(rules: Rules, cards: Mapping[str, Any], players: int) -> None:
    piles = (
        range(deck.SOUVENIRS),
        range(FIRST_PLACE, SHIP_CARD, 2 if players <= 2 else 1),
        [FIRST_ENCOUNTER + e for e, card in enumerate(cards["encounter"]) if card["solo"] or players > 1],
    )
    for pile, numbers in enumerate(piles):
        rules.cards[pile] = len(numbers)
        rules.pile[pile, : len(numbers)] = numbers
    rules.artefacts = range(deck.ARTEFACTS)


def _fill_tables(rules: Rules, cards: Mapping[str, Any]) -> None:
    """Writes what every card does, as codes and sets."""
    souvenirs, encounters = cards["souvenir"], cards["encounter"]
    for s, card in enumerate(souvenirs):
        spots = sum(1 << SHIP if place == deck.SHIP_PLACE else 0b11 << 2 * place for place in card["places"])
        rules.bears[s] = spots
        rules.shared[s] = 0 if card["dedicated"] else spots
        rules.anchor[s] = deck.ANCHORS.index(card.get("anchor", "none"))
    rules.dedicated = sum(1 << s for s, card in enumerate(souvenirs) if card["dedicated"])
    rules.on_ship = sum(1 << s for s, card in enumerate(souvenirs) if deck.SHIP_PLACE in card["places"])
    for e, card in enumerate(encounters):
        rules.effect[e] = deck.EFFECTS.index(card["effect"])
    for field, effect in (("parry", "parry"), ("steady", "steady_hand"), ("mooring", "extra_mooring")):
        rules[field] = sum(1 << e for e, card in enumerate(encounters) if card["effect"] == effect)
    for a, card in enumerate(cards["artefact"]):
        rules.power[a] = deck.POWERS.index(card["power"])
    powers = [card["power"] for card in cards["artefact"]]
    if rules.solo and "hook" not in powers:
        raise KnobError("deck", "no artefact has the power hook, which the solo game needs")
    rules.hook = powers.index("hook") if "hook" in powers else 0
    rules.solo_die[:] = [deck.DIE_EFFECTS.index(face) for face in cards["solo_die"]["faces"]]
    same = [(int(rules.bears[s]), int(rules.shared[s]), int(rules.anchor[s])) for s in range(deck.SOUVENIRS)]
    effects = rules.effect.tolist()
    for card in range(FIRST_ARTEFACT):
        if card < FIRST_PLACE:
            rules.twin[card] = same.index(same[card])
        elif card < FIRST_ENCOUNTER:
            rules.twin[card] = card - (card - FIRST_PLACE) % 2
        else:
            rules.twin[card] = FIRST_ENCOUNTER + effects.index(effects[card - FIRST_ENCOUNTER])


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    if setup.players == 1:
        return [("player", [0]), ("ship", [])]
    return defining.side_names(setup)


def score_range(setup: Setup) -> tuple[int, int]:
    rules = setup.rules[0]
    return 0, max(int(rules.target), int(rules.ship_limit) if setup.players == 1 else 0)
