"""VAGUE & ATTAQUE: a position as rows of card faces, as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import partial

from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.play import action_kinds
from houle.solver.games.vague_attaque.state import (
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    PHASES,
    PILES,
    SHIP_CARD,
    SPOT,
    VERB,
    VERBS,
)
from houle.solver.games.vague_attaque.text.happened import where
from houle.solver.games.vague_attaque.text.names import called, card_name, facts_of, title
from houle.solver.games.vague_attaque.text.position import unseen_cards, zones
from houle.solver.matches.known import Known
from houle.solver.matches.views import HAND, MIDDLE, SEAT, Face, Row, line, row
from houle.solver.rules import Setup

PAINTS = (
    (FIRST_ARTEFACT, "pink"),
    (FIRST_ENCOUNTER, "grey"),
    (FIRST_PLACE, "sky"),
    (0, "yellow"),
)  # first card of a kind
FULL = 3  # souvenirs that complete a place
YES = 1
OF_HAND = {"swap", "lay place", "lay", "discard", "lose", "drop", "extra", "give", "retain"}  # moves with a card of it
PHASE_WORDS = {
    "explore": "I, explore", "spyglass": "I, explore", "encounter": "II, adventure or duel", "steady": "II, duel",
    "parry": "II, duel", "lose": "II, duel", "land": "III, land", "extra": "III, land", "mooring": "III, land",
    "drop": "end of the turn", "refill": "end of the turn",
}  # fmt: skip


def view(known: Known, setup: Setup) -> list[Row]:
    """What the viewer sees, as rows; see `views`."""
    rules, viewer, phase, places = setup.rules[0], known.seat, PHASES[known["phase"]], zones(known)
    card = partial(_card, setup)
    kinds = [(VERBS[kind >> VERB], kind & 127, kind >> SPOT & 31, kind) for kind in action_kinds(setup, viewer)]

    def moves(verbs: Container[str], card: int | None = None, spot: int | None = None) -> tuple[int, ...]:
        """The kinds of moves with these verbs, a card and a spot."""
        return tuple(kind for verb, what, where, kind in kinds
                     if verb in verbs and card in (None, what) and spot in (None, where))  # fmt: skip

    def stack(owner: int, place: int, lying: list[int]) -> Row:
        spot, note = place - FIRST_PLACE, "validated" if len(lying) >= FULL else ""
        if place == SHIP_CARD and known["ship waits"]:
            note = "stays this round"
        if spot % 2 and not lying and places[spot - 1] == (owner, place - 1, []):
            spot -= 1  # two empty copies of a place are the same
        room = int(rules.ship_limit) if rules.solo and place == SHIP_CARD else FULL
        cards = [card(place, moves({"duel"}, FIRST_PLACE + spot) + moves({"lay", "extra"}, spot=spot))]
        cards += [card(souvenir, moves({"duel"}, souvenir)) for souvenir in lying]
        cards += [{"empty": True, "wide": True} for _ in range(room - len(lying))]
        seat, region = (owner, SEAT) if owner >= 0 else (None, MIDDLE)
        return row(called(setup, place), cards, True, seat=seat, region=region, layout="stack", note=note)

    rows = [stack(*places[-1])] if places[-1][0] < 0 else []
    rows.append(row("encounter", map(card, known["encounter"])))
    discarded = [card(top, moves({"hook"})) for top in known["souvenirs discarded"][:1]]
    rows.append(row("last souvenir discarded", discarded, True, region=MIDDLE))
    drawn = [card(one, moves({"keep"}, int(rules.twin[one]))) for one in known["turned up"] if one >= 0]
    rows.append(row("turned up", drawn, True, region=HAND))
    for step in range(1, setup.players + 1):
        seat = (viewer + step) % setup.players
        rows.append(row("artefact", [card(FIRST_ARTEFACT + known["artefact", seat])], seat=seat, layout="stack"))
        rows += [stack(*place) for place in places if place[0] == seat]
    hand = [card(one, moves(OF_HAND, int(rules.twin[one]))) for one in known["hand", viewer]]
    for gold in known["gold", viewer]:
        answers = {verb for verb in ("steady", "parry", "mooring") if int(rules[verb]) >> gold & 1}
        one = FIRST_ENCOUNTER + gold
        hand.append(card(one, moves(OF_HAND, int(rules.twin[one])) + moves(answers, YES)))
    hand = [face | {"blocked": _blocked(phase)} for face in hand]
    rows.append(row("hand", hand, True, seat=viewer, region=HAND))
    partner = int(rules.partner[viewer])
    return [
        *rows,
        line("round", f"{known['turns'] // setup.players + 1}"),
        line("phase", PHASE_WORDS.get(phase, "II, adventure")),
        line("turn of", f"seat {known['active']}" if known["active"] != viewer else ""),
        line("partner", f"seat {partner}" if partner != viewer else ""),
        line("wins with", f"{int(rules.target)} validated places" + (" of a team" if partner != viewer else "")),
        line("piles", ", ".join(f"{known[f'{name} left']} {name}" for name in PILES)),
    ]


def _card(setup: Setup, number: int, kinds: tuple[int, ...] = ()) -> Face:
    """A card with its facts, and the kinds of moves that it stands for."""
    paint = next(paint for first, paint in PAINTS if number >= first)
    typed = card_name(number) if number < FIRST_ARTEFACT else ""
    facts = facts_of(setup, number).replace("/", ", ").replace("; anchor: ", ", anchor: ")
    if number < FIRST_PLACE:
        shared = facts.removeprefix("shared, ")
        facts = f"dedicated, fits {facts}" if shared == facts else f"shared, fits {shared}"
    elif number < FIRST_ENCOUNTER:
        facts = "three souvenirs validate it"
    elif number >= FIRST_ARTEFACT:
        facts = f"artefact: {facts}"
    return {"name": called(setup, number), "paint": paint, "about": facts, "typed": typed, "wide": True,
            "moves": kinds}  # fmt: skip


def _blocked(phase: str) -> str:
    """Why a card of the hand cannot be played now."""
    return {
        "explore": "in phase I you only draw",
        "encounter": "cards of your hand are laid in phase III",
        "land": "it fits no open place of yours, or its third souvenir would leave no dedicated one",
        "extra": "it fits no open place of yours",
    }.get(phase, "it is not part of this decision")


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
