"""A record: a whole game as text that can be replayed. The head, the deal, the moves by name.

The deal goes by its seed and number, where houle dealt it:

    game: wave
    players: 3
    rules: dc1e26c7eb5ca1e5
    deal: 7/3
    move 1: seat 1 play white 3
    move 2: seat 3 play yellow 4

A game from a real table has the cards as they were dealt (dealt.py), and what came of the moves (replaying.py):

    seen by: 1                             whose notes these are; without it all cards are known
    dealt top: white 3
    dealt seat 1 front: red 2, navy 4, sky 0
    move 1: seat 1 play red 2
    drawn 1: navy 1                        cards that left a pile in move 1; ? for a card that was not seen
    move 2: seat 2 play yellow 5 @1        @1: laid from this place of the hand, where that seat did not see the card
    then 1: the duel is won                anything else that chance decided, in the words of a trace
    dealt 30 seat 1: blue 4, yellow 0      after move 30, where hands are dealt anew or go round
    broken off: yes                        the game was not played to its end

In Python: `read_record(text)`, then `for table, action in record.replay()` gives the table before every move. Of a
record with `seen_by` only what that seat knows means anything: `write_position(table)` where it has to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.record.dealt import DEALT, opening_match, with_hindsight
from houle.solver.record.head import read_head, write_head
from houle.solver.record.lines import Lines, Places, as_text, from_0, from_1, read_lines
from houle.solver.record.position import MOST_GAME, MOST_SEED
from houle.solver.record.replaying import AT, MoveOutcome, Replay, drawn_file
from houle.solver.ruleset import Setup

CAME = re.compile(r"(drawn|then|dealt) \d+( |$)")
YES_NO = ("yes", "no")


@dataclass(frozen=True)
class Record:
    """The moves of a game, each with its seat, and where the cards come from."""

    setup: Setup
    seed: int
    game: int
    strategies: tuple[str, ...]  # who decided, where that is known
    moves: tuple[tuple[int, str], ...]  # seat, counted from 0, and the canonical name
    dealt: Places | None = None  # the cards dealt, as typed in; None: those of seed and game
    came: dict[int, MoveOutcome] = field(default_factory=dict)  # number of a move -> what is told of what came of it
    seen_by: int | None = None  # whose notes these are, from 0; None: all cards are known, or all that matter
    broken_off: bool = False  # the game was not played to its end

    def as_text(self) -> str:
        lines = write_head(self.setup)
        if self.dealt is None:
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
        """The table before the first move."""
        if self.dealt is None:
            return Match(self.setup, self.seed, self.game)
        look_back = getattr(drawn_file(self.setup), "hindsight", None)
        if look_back is None or self.seen_by is None:
            return opening_match(self.setup, self.dealt)
        hands = {number: came.dealt for number, came in self.outcomes.items() if came.dealt}
        return opening_match(self.setup, with_hindsight(self.dealt, look_back(self.setup, self.moves, hands)))

    def replay(self) -> Iterator[tuple[Match, int]]:
        """The table before every move, and the action; a RulesetError of one line where a move is not possible.

        With `seen_by` the cards that this seat did not see are other ones from time to time, see replaying.py.
        """
        played = self.played()
        yield from zip(played.befores, played.actions, strict=True)

    def played(self) -> Replay:
        """The same with the table after the last move.

        Notes do not tell everything that a seat saw, as which card the dummy turns up. Where cards cannot come from the
        places that are told, for that reason or because of a slip, they come from anywhere.
        """
        without = tuple((seat, name.partition(AT)[0]) for seat, name in self.moves)
        if without != self.moves:
            with suppress(InputError):
                return Replay(self.start(), self.moves, self.outcomes, self.seen_by, not self.broken_off)
        return Replay(self.start(), without, self.outcomes, self.seen_by, not self.broken_off)


def write_record(match: Match, strategies: Iterable[str], moves: Iterable[tuple[int, str]]) -> Record:
    """The record of a game that was played at a table."""
    return Record(match.setup, match.seed, match.game, tuple(dict.fromkeys(strategies)), tuple(moves))


def read_record(text: str, setup: Setup | None = None, game: str | None = None) -> Record:
    """A record as somebody wrote it, or a RulesetError of one line; `replay` finds moves that are not possible."""
    lines = read_lines(text, "record")
    found = read_head(lines, setup, game)
    broken_off = lines.word("broken off", YES_NO, "no") == "yes"
    moves = tuple(_read_moves(lines, found, broken_off))
    dealt, came = _read_dealt(lines, len(moves)), _read_came(lines, len(moves))
    seed, number = (0, 0) if dealt is not None else _read_deal(lines)
    if dealt is not None and lines.says("deal"):
        raise lines.fault("deal", "write either the seed and the number of the game or the cards dealt, not both")
    if dealt is None and (came or lines.says("seen by")):
        place = "seen by" if lines.says("seen by") else next(iter(came[min(came)].lines(min(came))))
        raise lines.fault(place, "the deal says all cards; this is for cards typed in, as `dealt seat 1: ...`")
    seen_by = lines.seat("seen by", found.players) if lines.says("seen by") else None
    strategies = tuple(lines.words("strategies") or ())
    lines.refuse_the_rest()
    return Record(found, seed, number, strategies, moves, dealt, came, seen_by, broken_off)


def _read_dealt(lines: Lines, moves: int) -> Places | None:
    """The cards dealt at the start; None where nothing is said of them."""
    places = [place for place in lines.beginning(DEALT) if not re.match(r"dealt \d+ ", place)]
    return {place.removeprefix(DEALT): lines.words(place) or [] for place in places} if places else None


def _read_came(lines: Lines, moves: int) -> dict[int, MoveOutcome]:
    """What is told of what came of moves."""
    found: dict[int, MoveOutcome] = {}
    for number in sorted({_number(lines, place, moves) for place in lines.found if re.match(CAME, place)}):
        drawn = lines.words(f"drawn {number}")
        unseen = [_unseen(word) for word in drawn or ()]
        cards = None if drawn is None else tuple(word for words in unseen for word in words)
        start = f"dealt {number} "
        dealt = {place.removeprefix(start): lines.words(place) or [] for place in lines.beginning(start)}
        found[number] = MoveOutcome(cards, tuple(lines.words(f"then {number}") or ()), dealt)
    return found


def _number(lines: Lines, place: str, moves: int) -> int:
    number = int(place.split()[1][:9])
    if not 1 <= number <= moves:
        raise lines.fault(place, f"there is no move {number}; the last is move {moves}")
    return number


def _unseen(word: str) -> list[str]:
    """`3 ?` is three cards that were not seen."""
    several = re.fullmatch(r"(\d{1,2}) *\?", word)
    return ["?"] * int(several[1]) if several else [word]


def _read_deal(lines: Lines) -> tuple[int, int]:
    words = lines.words("deal")
    if not words:
        example = "write the seed and the number of the game, as 7/3, or the cards dealt, as `dealt seat 1: ...`"
        raise lines.fault("deal", f"this line is missing; {example}")
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})", " ".join(words).replace(" ", ""), re.ASCII)
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME:
        raise lines.fault("deal", f"{' '.join(words)!r}: write SEED/GAME in whole numbers, as 7/3")
    return int(match[1]), int(match[2])


def _read_moves(lines: Lines, setup: Setup, none_needed: bool) -> Iterator[tuple[int, str]]:
    number = 0
    while lines.says(place := f"move {number + 1}"):
        number += 1
        words = " ".join(lines.words(place) or ()).lower()
        match = re.fullmatch(r"seat (\d{1,3}) (\S.*)", words)
        if not match or not 1 <= int(match[1]) <= setup.players:
            raise lines.fault(
                place, f"{words[:40]!r}: write who did what, as `seat 1 ...`, seats from 1 to {setup.players}"
            )
        yield int(match[1]) - 1, from_0(match[2])
    if number == 0 and not none_needed:
        raise lines.fault("move 1", "this line is missing; write who did what, as `seat 1 ...`")
