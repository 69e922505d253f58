"""A typed-in game, move by move: luck is looked for that agrees with what came, and a deal with what was played.

Games keep no list of what is to come: which card is drawn next, or what dice show, is decided by keys in the state. So
a move of which the record tells what came of it (`drawn 3: navy 4`, `then 3: the duel is won`) is tried with other keys
until that comes. Where the record is what one seat saw (`seen by: 1`), cards that it did not see are any: as soon as a
move is not possible with them, they are dealt anew as this seat might imagine them (the worlds of searches), until it
is; where that does not help, from the move before on, whose unseen draws may be others then. What that seat knows is
the same in all of these deals, and nothing else of them means anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from random import Random
from types import ModuleType
from typing import Any

from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.record.dealt import deal_anew
from houle.solver.record.events import events
from houle.solver.record.lines import Places, from_1
from houle.solver.ruleset import Setup, nearest

MOST_SHOWN = 8  # possible moves that a fault names
MOST_TRIES = 4_000  # worlds and keys for one move of one seat's notes: about a second
MOST_LUCK = 20_000  # keys tried for the cards that a move drew
SOON = 200  # by then every card of a pile has come at least once, but for bad luck
MOST_TELLING = 1_000  # keys tried for what a move brought about in words
MOST_BACK = 4  # moves that are made again with other cards
UNSEEN = "?"
AT = " @"  # before the place of a hand that a card is laid from


class MoveOutcome:
    """What a record tells of what came of a move."""

    def __init__(
        self, drawn: tuple[str, ...] | None = None, told: tuple[str, ...] = (), dealt: Places | None = None
    ) -> None:
        self.drawn = drawn  # names of the cards that left a pile, ? for unseen ones; None: not told
        self.told = told  # parts of the words in which a trace tells it
        self.dealt = dealt or {}  # the hands of a round that was dealt anew

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveOutcome) and vars(self) == vars(other)

    def lines(self, number: int) -> Places:
        lines: Places = {} if self.drawn is None else {f"drawn {number}": list(self.drawn)}
        lines |= {f"then {number}": list(self.told)} if self.told else {}
        return lines | {f"dealt {number} {place}": cards for place, cards in self.dealt.items()}


def find_action(match: Match, number: int, seat: int, name: str, random: Random | None = None) -> int:
    """The move of a name, or why it is none: a RulesetError of one line. Of equal cards the first, or any at random.

    Where a game says from which place of a hand a card is laid, `@2` behind the name asks for that place.
    """
    mover, place = match.to_move(), f"record: move {number}"
    if mover < 0:
        raise InputError(f"{place}: the game is over after move {number - 1}")
    if mover != seat:
        raise InputError(f"{place}: seat {mover + 1} has to move, not seat {seat + 1}")
    names = [known.lower() for known in match.names()]
    wanted, at, slot = name.lower().partition(AT)
    same = [action for action, known in zip(match.moves(), names, strict=True) if known == wanted]
    if at:
        same = [action for action in same if f"{place_of(match, action)}" == slot]
    if same:
        return same[0] if random is None else random.choice(same)
    hint = nearest(name.lower(), names)
    possible = list(dict.fromkeys(map(from_1, names)))
    shown = ", ".join(possible[:MOST_SHOWN]) + (
        f" and {len(possible) - MOST_SHOWN} more" if possible[MOST_SHOWN:] else ""
    )
    meant = f"; did you mean {hint.rpartition('did you mean ')[2]}" if "did you mean" in hint else ""
    raise InputError(f"{place}: {from_1(name)!r} is not possible here; possible: {shown}{from_1(meant)}")


def place_of(match: Match, action: int, viewer: int | None = None) -> int:
    """The place in a hand, from 1, that the card of a move comes from; 0 where the game or the viewer needs none."""
    tell = getattr(drawn_file(match.setup), "place_of", None)
    return int(tell(match.state, match.setup, action, viewer)) if tell else 0


class Replay:
    """The moves of a record at a table, one after the other; `befores` are the tables before each of them."""

    def __init__(
        self,
        start: Match,
        moves: Sequence[tuple[int, str]],
        came: dict[int, MoveOutcome],
        viewer: int | None,
        ends: bool,
    ) -> None:
        self.moves, self.outcomes, self.viewer = moves, came, viewer
        self.ends = ends  # the last move ends the game
        self.befores: list[Match] = []
        self.actions: list[int] = []
        self.match = start
        self.left = MOST_LUCK  # tries before a move is given up
        self.random = Random(0)
        for number in range(1, len(moves) + 1):
            self._make(number)

    def _make(self, number: int) -> None:
        """Makes a move at the table as it is, or with other unseen cards; what stands in the way is told as it is."""
        self.left = MOST_LUCK if self.viewer is None else MOST_TRIES
        fault = self._made(self.match, number, number)
        if fault is None:
            return
        for back in range(min(MOST_BACK, number) if self.viewer is not None else 0):
            first = number - back
            here = self.match if back == 0 else self.befores[first - 1]
            self.left = MOST_TRIES // MOST_BACK
            while self.left > 0:
                self.left -= 1
                other = self._imagined(here)
                found = self._made(other, first, number) if other is not None else fault
                if found is None:
                    return
                fault = max(fault, found, key=_how_far) if back == 0 else fault
        raise fault

    def _imagined(self, here: Match) -> Match | None:
        """The same table with other unseen cards; the luck of who decides stays."""
        assert self.viewer is not None
        try:
            other = here.imagine(self.viewer, self.random.getrandbits(64))
        except RuntimeError:
            return None
        other.states[0].choice = here.states[0].choice
        return other

    def _made(self, here: Match, first: int, last: int) -> InputError | None:
        """Makes moves `first` to `last` from a table on; if one is not possible everything stays, and why is said."""
        table, befores, actions = here, [], []
        for number in range(first, last + 1):
            seat, name = self.moves[number - 1]
            try:
                action = find_action(table, number, seat, name, self.random if here is not self.match else None)
                before = self._with_luck(table, action, number)
            except InputError as fault:
                return fault
            befores.append(before)
            actions.append(action)
            table = after_move(before, action, self.outcomes.get(number), number)
        if self.ends and last == len(self.moves) and table.to_move() >= 0:
            problem = f"it ends after move {last}, but the game is not over: seat {table.to_move() + 1} has to move"
            return InputError(f"record: {problem}; write `broken off: yes` if it was not played to its end")
        self.befores[first - 1 :], self.actions[first - 1 :], self.match = befores, actions, table
        return None

    def _with_luck(self, match: Match, action: int, number: int) -> Match:
        """The table with keys that bring about what is told of a move."""
        came = self.outcomes.get(number)
        if came is None or (came.drawn is None and not came.told):
            return match
        names: set[str] = set()
        wanted = {name.lower() for name in came.drawn or () if name != UNSEEN}
        if hasattr(file := drawn_file(match.setup), "pile_names"):
            names = {name.lower() for name in file.pile_names(match.state, match.setup)}  # type: ignore[union-attr]
            if not wanted <= names:
                raise _not_drawn(came.drawn or (), names, number)
        tries, told = 0, MOST_TELLING
        while self.left > 0 and told and (self.viewer is None or tries < SOON):
            self.left -= 1
            before = _other_luck(match, self.random, wanted) if tries else match
            tries += 1
            if tries % SOON == 0 and not wanted <= names:
                break
            after = copied(before)
            after.apply(action)
            if came.drawn is not None:
                cards = cards_drawn(match.setup, before, after, number)
                names |= {name for card in cards for name in card}
                if not _same_cards(came.drawn, cards):
                    continue
            told -= 1
            if not came.told or _is_told(came.told, events(after, before.states, action)):
                return before
        if told < MOST_TELLING:
            raise InputError(f"record: then {number}: this does not come of the move: {', '.join(came.told)[:60]}")
        raise _not_drawn(came.drawn or (), names, number)


def _how_far(fault: InputError) -> int:
    """How much of a move could be made before something was in its way: the last of these is what is wrong."""
    ways = ("move", "drawn", "then", "it ends")
    return next((place for place, way in enumerate(ways) if str(fault).startswith(f"record: {way}")), len(ways))


def after_move(before: Match, action: int, came: MoveOutcome | None, number: int) -> Match:
    """The table after a move, with the hands of a round that was dealt in it."""
    table = copied(before)
    table.apply(action)
    if came is not None and came.dealt:
        deal_anew(table, came.dealt, number)
    return table


def cards_drawn(setup: Setup, before: Match, after: Match, number: int) -> list[tuple[str, ...]]:
    """The cards that left a pile in a move, each by all its names, in small letters."""
    file = drawn_file(setup)
    if file is None:
        raise InputError(f"record: drawn {number}: {setup.ruleset.name} does not say what is drawn (no text/drawn.py)")
    found = file.drawn(before.state, after.state, setup)
    return [tuple(name.lower() for name in names) for names in found]


def drawn_file(setup: Setup) -> ModuleType | None:
    """The file of a game that says what is drawn; a game need not have one."""
    return setup.game.file("text.drawn") if hasattr(setup.game.file("text"), "__path__") else None


def _same_cards(told: tuple[str, ...], cards: list[tuple[str, ...]]) -> bool:
    if len(told) != len(cards):
        return False
    left = list(cards)
    for name in told:
        if name == UNSEEN:
            continue
        found = next((card for card in left if name.lower() in card), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _is_told(told: tuple[str, ...], found: tuple[str, ...]) -> bool:
    words = [from_1(event).lower() for event in found]
    return all(any(part.lower() in event for event in words) for part in told)


def _not_drawn(told: tuple[str, ...], names: set[str], number: int) -> InputError:
    place = f"record: drawn {number}"
    for name in told:
        if name != UNSEEN and name.lower() not in names:
            hint = nearest(name.lower(), names)
            hint = hint.rstrip("?") if "did you mean" in hint else ""
            return InputError(f"{place}: {name[:40]!r} cannot be drawn there{hint}")
    return InputError(f"{place}: not just {', '.join(told)[:60] or 'nothing'}: write every card, ? for unseen ones")


def copied(match: Match) -> Match:
    """A table of its own in the same state."""
    other = copy(match)
    other.states = match.states.copy()
    return other


def _other_luck(match: Match, random: Random, wanted: set[str]) -> Match:
    """The same table with other keys of what is still to come; where a game can, `wanted` cards come first."""
    other = copied(match)
    state: Any = other.states[0]
    state.root, state.deal, state.chance = (random.getrandbits(64) for _ in range(3))
    file = drawn_file(match.setup)
    if hasattr(file, "shuffle_piles"):
        file.shuffle_piles(state, match.setup, random, wanted)  # type: ignore[union-attr]
    return other
