"""A record: a game as text that can be replayed. It has the head, the deal, and the moves by name.

A game dealt by houle has the seed and number of the deal:

    game: wave
    players: 3
    rules: dc1e26c7eb5ca1e5
    deal: 7/3
    move 1: seat 1 play white 3
    move 2: seat 3 play yellow 4

A game played with real cards has the cards as dealt (dealt_cards.py), and the outcomes of moves (replaying.py):

    seen by: 1                             the seat that took these notes; without it all cards are known
    dealt top: white 3
    dealt seat 1 front: red 2, navy 4, sky 0
    move 1: seat 1 play red 2
    drawn 1: navy 1                        cards that left a pile in move 1; ? for a card that was not seen
    move 2: seat 2 play yellow 5 @1        @1: laid from this slot of the hand, for a card that the seat did not see
    then 1: the duel is won                anything else that chance decided, in the words of a trace
    dealt 30 seat 1: blue 4, yellow 0      after move 30, in games that deal again or pass hands on
    broken off: yes                        the game was not played to its end

Or it has all cards in the order in which they were dealt and drawn (deck.py):

    deck: G1 Y3 R1 ...

In Python: `read_record(text)`, then `for match, action in record.replay()` gives the match before every move. In a
record with `seen_by`, only what that seat knows is meaningful: use `write_position(match)` where it has to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from houle.solver.errors import InputError
from houle.solver.language.seats import authored, from_0, from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.dealt_cards import DEALT, opening_match, with_hindsight
from houle.solver.matches.record.deck import DECK, Deck, read_deck
from houle.solver.matches.record.line_parser import Lines, Places, as_text, read_lines, unseen
from houle.solver.matches.record.position import MOST_GAME, MOST_SEED
from houle.solver.matches.record.replaying import AT, UNSEEN, MoveOutcome, Replay
from houle.solver.matches.record.setup_head import read_head, write_head
from houle.solver.rules import Setup

OUTCOME = re.compile(r"(drawn|then|dealt) \d+( |$)")


@dataclass(frozen=True)
class Record:
    """The moves of a game with their seats, and the source of its cards."""

    setup: Setup
    seed: int
    game: int
    strategies: tuple[str, ...]  # the players, if known
    moves: tuple[tuple[int, str], ...]  # seat from 0, and canonical name
    dealt: Places | None = None  # the cards dealt, as typed in; None: those of seed and game
    outcomes: dict[int, MoveOutcome] = field(default_factory=dict)  # number of a move -> its outcome
    seen_by: int | None = None  # the seat that took these notes, from 0; None: all cards are known
    broken_off: bool = False  # the game was not played to its end
    deck: Deck | None = None  # all cards in order; None: those of seed and game, or as typed in

    def as_text(self) -> str:
        lines = write_head(self.setup)
        if self.deck is not None:
            lines |= {DECK: list(self.deck.words)}
        elif self.dealt is None:
            lines |= {"deal": [f"{self.seed}/{self.game}"]}
        else:
            lines |= {"seen by": [str(self.seen_by + 1)]} if self.seen_by is not None else {}
            lines |= {f"{DEALT}{place}": cards for place, cards in self.dealt.items()}
        lines |= {"strategies": list(self.strategies)} if self.strategies else {}
        for number, (seat, name) in enumerate(self.moves, 1):
            lines[f"move {number}"] = [f"seat {seat + 1} {from_1(name)}"]
            lines |= self.outcomes[number].lines(number) if number in self.outcomes else {}
        return as_text(lines | ({"broken off": ["yes"]} if self.broken_off else {}))

    def start(self) -> Match:
        """The match before the first move."""
        if self.deck is not None:
            return self.deck.start()
        if self.dealt is None:
            return Match(self.setup, self.seed, self.game)
        look_back = self.setup.game.draws.hindsight
        if look_back is None or self.seen_by is None:
            return opening_match(self.setup, self.dealt)
        hands = {number: outcome.dealt for number, outcome in self.outcomes.items() if outcome.dealt}
        return opening_match(self.setup, with_hindsight(self.dealt, look_back(self.setup, self.moves, hands)))

    def replay(self) -> Iterator[tuple[Match, int]]:
        """The match before every move, and the action. Raises PositionError where a move is impossible.

        With `seen_by`, cards that this seat did not see may change between moves (replaying.py).
        """
        played = self.played()
        yield from zip(played.befores, played.actions, strict=True)

    def played(self) -> Replay:
        """Replays all moves; also gives the match after the last move.

        Notes may lack things that a seat saw, or contain mistakes. If cards cannot come from the noted slots, the slots
        are ignored.
        """
        without = tuple((seat, name.partition(AT)[0]) for seat, name in self.moves)
        if without != self.moves:
            with suppress(InputError):
                return self._replayed(self.moves)
        return self._replayed(without)

    def _replayed(self, moves: Sequence[tuple[int, str]]) -> Replay:
        return Replay(self.start(), moves, self.outcomes, self.seen_by, ends=not self.broken_off)


def read_record(text: str, setup: Setup | None = None, game: str | None = None) -> Record:
    """Reads a record. Raises PositionError if it is malformed; `replay` finds impossible moves."""
    lines = read_lines(text, "record")
    setup = read_head(lines, setup, game)
    broken_off = lines.yes("broken off")
    moves = tuple(_read_moves(lines, setup))
    dealt, outcomes = _read_dealt(lines, len(moves)), _read_outcomes(lines, len(moves))
    deck = read_deck(lines, setup)
    seed, number = (0, 0) if dealt is not None or deck is not None else _read_deal(lines)
    if dealt is not None and lines.says("deal"):
        raise lines.fault("deal", "write either the seed and number of the game or the cards dealt, not both")
    if deck is not None and (dealt is not None or lines.says("deal")):
        raise lines.fault(DECK, "write either the whole deck, or the line `deal` or the cards dealt")
    drawn = [number for number, outcome in outcomes.items() if deck is None or outcome.drawn is not None]
    if dealt is None and (drawn or lines.says("seen by")):
        place = "seen by" if lines.says("seen by") else next(iter(outcomes[min(drawn)].lines(min(drawn))))
        given = "deal" if deck is None else DECK
        raise lines.fault(place, f"the line `{given}` gives all cards; this is for cards that you type in")
    seen_by = lines.seat("seen by", setup.players) if lines.says("seen by") else None
    strategies = tuple(lines.words("strategies") or ())
    lines.refuse_the_rest()
    record = Record(
        setup,
        seed=seed,
        game=number,
        strategies=strategies,
        moves=moves,
        dealt=dealt,
        outcomes=outcomes,
        seen_by=seen_by,
        broken_off=broken_off,
        deck=deck,
    )
    if not moves and not broken_off and record.start().to_move() >= 0:  # some deals are lost before the first move
        raise lines.fault("move 1", "this line is missing; write who did what, as `seat 1 ...`")
    return record


def _read_dealt(lines: Lines, moves: int) -> Places | None:
    """The cards dealt at the start; None if there are none."""
    places = [place for place in lines.beginning(DEALT) if not re.match(r"dealt \d+ ", place)]
    return {place.removeprefix(DEALT): lines.words(place) or [] for place in places} if places else None


def _read_outcomes(lines: Lines, moves: int) -> dict[int, MoveOutcome]:
    """The outcomes of moves."""
    outcomes: dict[int, MoveOutcome] = {}
    for number in sorted({_number(lines, place, moves) for place in lines.places if re.match(OUTCOME, place)}):
        drawn = lines.words(f"drawn {number}")
        cards = None if drawn is None else tuple(one for word in drawn for one in [UNSEEN] * unseen(word) or [word])
        start = f"dealt {number} "
        dealt = {place.removeprefix(start): lines.words(place) or [] for place in lines.beginning(start)}
        outcomes[number] = MoveOutcome(cards, tuple(lines.words(f"then {number}") or ()), dealt)
    return outcomes


def _number(lines: Lines, place: str, moves: int) -> int:
    number = int(place.split()[1][:9])
    if not 1 <= number <= moves:
        raise lines.fault(place, f"there is no move {number}; the last is move {moves}")
    return number


def _read_deal(lines: Lines) -> tuple[int, int]:
    words = lines.words("deal")
    if not words:
        example = "write the seed and the number of the game, as 7/3, or the cards dealt, as `dealt seat 1: ...`"
        raise lines.fault("deal", f"this line is missing; {example}")
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})", " ".join(words).replace(" ", ""), re.ASCII)
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME:
        raise lines.fault("deal", f"{' '.join(words)!r}: write SEED/GAME in whole numbers, as 7/3")
    return int(match[1]), int(match[2])


def _read_moves(lines: Lines, setup: Setup) -> Iterator[tuple[int, str]]:
    number = 0
    while lines.says(place := f"move {number + 1}"):
        number += 1
        words = " ".join(lines.words(place) or ()).lower()
        match = re.fullmatch(r"seat (\d{1,3}) (\S.*)", words)
        if not match or not 1 <= int(match[1]) <= setup.players:
            raise lines.fault(
                place, f"{words[:40]!r}: write who did what, as `seat 1 ...`, seats from 1 to {setup.players}"
            )
        yield int(match[1]) - 1, from_0(authored(setup.game, match[2]))
