"""A real deck in a record: every card of the game, in the order in which cards are dealt and drawn.

    deck: G1 Y3 R1 ...

The order replaces the shuffle. Cards fill the positions of the opening one after the other (stacked_deal.py); those
that are not dealt are drawn in their order, until a pile is filled again.
"""

from __future__ import annotations

from dataclasses import dataclass

from houle.solver.errors import PositionError
from houle.solver.matches.match import Match
from houle.solver.matches.record.card_names import cards_of_game
from houle.solver.matches.record.line_parser import Lines
from houle.solver.matches.record.stacked_deal import StackedDeal, decks_of, is_dealt, kinds_of, lying
from houle.solver.rules import Setup

DECK = "deck"


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
    kinds = 1 if setup.game.openings.board is not None else len(cards_of_game(setup))
    if kinds != 1:
        unknown = "does not say where its cards are; a deck needs `board` in words.py or declared fields"
        problem = f"has cards of {kinds} kinds" if kinds else unknown
        raise PositionError(f"record: {DECK}: {setup.ruleset.name} {problem}; write `deal: SEED/GAME`")
    dealt = lying(Match(setup, 0))
    decks = decks_of(setup, lines, dealt)
    places = [
        decks[kind].take(f"{DECK}: card {number}", word)
        for number, (word, kind) in enumerate(zip(words, kinds_of(setup, dealt), strict=False), 1)
    ]
    if len(words) != len(dealt):
        wanted = f"{len(dealt)}, all cards of the game in the order they are dealt and drawn"
        raise lines.fault(DECK, f"{len(words)} cards are named; allowed: {wanted}")
    return Deck(setup, tuple(words), tuple(dealt[place] for place in places))
