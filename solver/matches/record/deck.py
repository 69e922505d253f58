"""A real deck in a record: every card of the game, in the order in which cards are dealt and drawn.

    deck: G1 Y3 R1 ...

The order replaces the shuffle. Cards fill the positions of the opening one after the other (stacked_deal.py); those
that are not dealt are drawn in their order, until a pile is filled again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from houle.solver.errors import PositionError
from houle.solver.matches.match import Match
from houle.solver.matches.opening import board_of
from houle.solver.matches.record.card_names import cards_of_game
from houle.solver.matches.record.line_parser import Lines
from houle.solver.matches.record.stacked_deal import StackedDeal, is_dealt, kinds_of, lying
from houle.solver.rules import Setup

DECK = "deck"


class Layout(NamedTuple):
    """Where the cards of a deck go."""

    kinds: list[int]  # of the cards that can lie in each position
    names: dict[int, dict[str, tuple[int, ...]]]  # kind -> name in lower case -> all cards with this name


@dataclass(frozen=True)
class Deck:
    """All cards of a game in order, by name and by number."""

    setup: Setup
    words: tuple[str, ...]
    cards: tuple[int, ...]

    def start(self) -> Match:
        """A match with these cards dealt; the others are drawn in their order."""
        match = StackedDeal(self.setup).match(self.cards)
        if not is_dealt(match, self.cards):
            problem = f"{self.setup.ruleset.name} does not draw every card by `draw`; write `deal: SEED/GAME`"
            raise PositionError(f"record: {DECK}: {problem}")
        if "pile_left" in match.state.dtype.names and match.state.stacked != match.state.pile_left:
            problem = "this variant shuffles further cards into the pile; write `dealt` and `drawn` lines instead"
            raise PositionError(f"record: {DECK}: {problem}")
        return match


def read_deck(lines: Lines, setup: Setup) -> Deck | None:
    """The deck of a record; None if it has none. Raises PositionError unless it holds exactly the cards of the game."""
    if not lines.says(DECK):
        return None
    words = lines.words(DECK) or []
    if len(words) == 1:
        words = words[0].split()  # names without spaces need no commas
    layout = layout_of(setup)
    cards: list[int] = []
    used: Counter[tuple[int, ...]] = Counter()
    for number, word in enumerate(words[: len(layout.kinds)]):
        names = layout.names[layout.kinds[number]]
        lines.card(DECK, word, dict.fromkeys(names, 0))
        same = names[word.lower()]
        if used[same] == len(same):
            times = "once" if len(same) == 1 else f"{len(same)} times"
            raise lines.fault(DECK, f"card {number + 1}: {word} is in the deck only {times}")
        cards.append(same[used[same]])
        used[same] += 1
    if len(words) != len(layout.kinds):
        wanted = f"{len(layout.kinds)}, all cards of the game in the order they are dealt and drawn"
        raise lines.fault(DECK, f"{len(words)} cards are named; allowed: {wanted}")
    return Deck(setup, tuple(words), tuple(cards))


def layout_of(setup: Setup) -> Layout:
    """What kind of card lies in each position, and the names of all cards."""
    game = setup.game
    names: dict[int, dict[str, tuple[int, ...]]] = {}
    if game.openings.board is not None:
        board, cards, kind_of = board_of(setup), lying(Match(setup, 0)), game.openings.kind_of
        by_face: dict[int, list[int]] = {}
        for card in sorted(cards):
            by_face.setdefault(int(board.faces[card]), []).append(card)
        for known in board.names.values():
            for name, face in known.items():
                if face in by_face:
                    names.setdefault(kind_of(face), {})[name.lower()] = tuple(by_face[face])
        return Layout(kinds_of(setup, cards), names)
    if game.declared is None:
        how = "write `deal: SEED/GAME`; a deck needs `board` in words.py or declared fields"
        raise PositionError(f"record: {DECK}: {setup.ruleset.name} does not say where its cards are; {how}")
    called = cards_of_game(setup)
    if len(called) > 1:
        problem = f"{setup.ruleset.name} has cards of {len(called)} kinds; write `deal: SEED/GAME`"
        raise PositionError(f"record: {DECK}: {problem}")
    for card, name in [pair for kind in called.values() for pair in kind.items()]:
        names.setdefault(0, {})[name.lower()] = (*names.get(0, {}).get(name.lower(), ()), card)
    return Layout([0] * len(lying(Match(setup, 0))), names)
