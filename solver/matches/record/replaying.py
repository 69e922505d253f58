"""Replays a typed-in game move by move with its draws, its other luck and hidden cards that agree with the record.

Cards that a move draws (`drawn 3: navy 4`) are laid on top of the pile. A state holds random keys, not future dice. So
a move with other recorded events (`then 3: the duel is won`) is tried with other keys until they occur, and a move with
several draws with its cards in other orders. In a record of one seat's notes (`seen by: 1`), cards that the seat did
not see are arbitrary. When a move is impossible with them, they are dealt again as this seat might imagine them until
the move is possible; if that fails, the search goes back some moves. What the seat knows is the same in all of these
deals, and nothing else in them is meaningful.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from houle.solver.cards.piles import GAP, cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.errors import InputError, PositionError, WorldError
from houle.solver.language.seats import authored, from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.card_names import name_of_card
from houle.solver.matches.record.dealt_cards import deal_anew
from houle.solver.matches.record.line_parser import Places
from houle.solver.rules import Setup, nearest


def events(match: Match, before: Any, action: int) -> tuple[str, ...]:
    """The events of the move that was just made, in words; `before` holds the states before it."""
    game = match.setup.game
    if (describe := game.words.happened) is None:
        return ()
    lines = describe(before[0], match.state, match.setup, action, replay(match, before, action))
    return tuple(authored(game, line) for line in lines)


def replay(match: Match, before: Any, action: int) -> Callable[..., Any]:
    """Makes the move again with other rules; `before` holds the states before it."""

    def again(**rules: Any) -> Any:
        """The state after the same move from the same state, with some fields of the rules record changed."""
        other = copy(match)
        other.states = before.copy()
        other.setup = replace(match.setup)
        changed = match.setup.rules.copy()
        for name, value in rules.items():
            changed[0][name] = value
        vars(other.setup)["rules"] = changed  # overrides the cached property
        other.apply(action)
        return other.state

    return again


MOST_SHOWN = 8  # possible moves listed in an error message
MOST_TRIES = 4_000  # worlds and luck tried for one move of a seat's notes: about a second
MOST_LUCK = 20_000  # tried for one move of other records: two cards of a discard that becomes the pile come by luck
FEW = 200  # tried in each world
MOST_EVENTS = 1_000  # keys tried for the events of a move
MOST_BACK = 4  # moves that may be replayed with other cards
UNSEEN = "?"
AT = " @"  # before the slot of the hand that a card is laid from


@dataclass
class MoveOutcome:
    """The recorded outcome of a move."""

    drawn: tuple[str, ...] | None = None  # names of the cards that left a pile, `?` for unseen ones; None: unknown
    events: tuple[str, ...] = ()  # parts of the event lines of a trace
    dealt: Places = field(default_factory=dict)  # the hands of a new round

    def lines(self, number: int) -> Places:
        lines: Places = {} if self.drawn is None else {f"drawn {number}": list(self.drawn)}
        lines |= {f"then {number}": list(self.events)} if self.events else {}
        return lines | {f"dealt {number} {place}": cards for place, cards in self.dealt.items()}


def find_action(match: Match, number: int, seat: int, name: str, random: Random | None = None) -> int:
    """The legal action of a name. Raises PositionError if there is none. Of equal cards the first, or a random one.

    In games that know the slot of a hand that a card comes from, `@2` behind the name selects the slot.
    """
    mover, place = match.to_move(), f"record: move {number}"
    if mover < 0:
        raise PositionError(f"{place}: the game is over after move {number - 1}")
    if mover != seat:
        raise PositionError(f"{place}: seat {mover + 1} has to move, not seat {seat + 1}")
    names = [known.lower() for known in match.names()]
    wanted, at, slot = name.lower().partition(AT)
    same = [action for action, known in zip(match.moves(), names, strict=True) if known == wanted]
    if at:
        same = [action for action in same if f"{place_of(match, action)}" == slot]
    if same:
        return same[0] if random is None else random.choice(same)
    hint = nearest(name.lower(), names)
    possible = list(dict.fromkeys(from_1(authored(match.setup.game, known)) for known in names))
    shown = ", ".join(possible[:MOST_SHOWN]) + (
        f" and {len(possible) - MOST_SHOWN} more" if possible[MOST_SHOWN:] else ""
    )
    meant = f"; did you mean {hint.rpartition('did you mean ')[2]}" if "did you mean" in hint else ""
    name, meant = (from_1(authored(match.setup.game, words)) for words in (name, meant))
    raise PositionError(f"{place}: {str(name)!r} is not possible here; possible: {shown}{meant}")


def place_of(match: Match, action: int, viewer: int | None = None) -> int:
    """The slot of the hand, from 1, that the card of a move comes from; 0 if the game or the viewer needs none."""
    slot = match.setup.game.draws.place_of
    return int(slot(match.state, match.setup, action, viewer)) if slot else 0


class Replay:
    """Replays the moves of a record; `befores` are the matches before each move, `match` the one after the last."""

    def __init__(
        self,
        start: Match,
        moves: Sequence[tuple[int, str]],
        outcomes: dict[int, MoveOutcome],
        viewer: int | None,
        ends: bool,
    ) -> None:
        self.moves, self.outcomes, self.viewer = moves, outcomes, viewer
        self.ends = ends  # whether the last move must end the game
        self.befores: list[Match] = []
        self.actions: list[int] = []
        self.match = start
        self.left = MOST_LUCK  # tries left for the current move
        self.random = Random(0)
        for number in range(1, len(moves) + 1):
            self._make(number)

    def _make(self, number: int) -> None:
        """Applies a move to the match as it is, or with other unseen cards; raises the error that came furthest."""
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
                problem = self._made(other, first, number) if other is not None else fault
                if problem is None:
                    return
                fault = max(fault, problem, key=_how_far) if back == 0 else fault
        raise fault

    def _imagined(self, here: Match) -> Match | None:
        """The match with other unseen cards; the luck of decisions stays."""
        assert self.viewer is not None
        try:
            other = here.imagine(self.viewer, self.random.getrandbits(64))
        except WorldError:
            return None
        other.states[0].choice = here.states[0].choice
        return other

    def _made(self, here: Match, first: int, last: int) -> InputError | None:
        """Applies moves `first` to `last`; if one is impossible, nothing changes and the error is returned."""
        match, befores, actions = here, [], []
        for number in range(first, last + 1):
            seat, name = self.moves[number - 1]
            try:
                action = find_action(match, number, seat, name, random=self.random if here is not self.match else None)
                before = self._with_luck(match, action, number)
            except InputError as fault:
                return fault
            befores.append(before)
            actions.append(action)
            match = after_move(before, action, self.outcomes.get(number), number)
        if self.ends and last == len(self.moves) and match.to_move() >= 0:
            problem = f"it ends after move {last}, but the game is not over: seat {match.to_move() + 1} has to move"
            return PositionError(f"record: {problem}; write `broken off: yes` if it was not played to its end")
        self.befores[first - 1 :], self.actions[first - 1 :], self.match = befores, actions, match
        return None

    def _with_luck(self, match: Match, action: int, number: int) -> Match:
        """The match with draws and luck that lead to the recorded outcome of a move."""
        outcome = self.outcomes.get(number)
        if outcome is None or (outcome.drawn is None and not outcome.events):
            return match
        cards = self._wished(match, outcome.drawn or (), number)
        tries, left = 0, MOST_EVENTS
        while self.left > 0 and left and (self.viewer is None or tries < FEW):
            self.left -= 1
            before = self._other_luck(match, cards, tries) if tries else match
            tries += 1
            after = before.after(action)
            if outcome.drawn is not None:
                drawn = cards_drawn(match.setup, before, after, number)
                undrawn = bool(cards) and getattr(after.state, "stacked", 0) > 0
                if undrawn or not _same_cards(outcome.drawn, drawn):
                    continue
            left -= 1
            if not outcome.events or _happened(outcome.events, events(after, before.states, action)):
                return before
        if left < MOST_EVENTS:
            raise PositionError(
                f"record: then {number}: this does not happen in the move: {', '.join(outcome.events)[:60]}"
            )
        raise _not_drawn(outcome.drawn or (), {name.lower() for name in outcome.drawn or ()}, number)

    def _wished(self, match: Match, drawn: tuple[str, ...], number: int) -> list[int]:
        """The cards of a pile with the names that were drawn, and any others for `?`."""
        if not drawn:
            return []
        listed = (match.setup.game.draws.in_piles or _in_pile)(match.state, match.setup)
        left = [(card, [name.lower() for name in names]) for card, names in listed]
        known, wished = {name for _, names in left for name in names}, dict[int, int]()
        for place, name in sorted(enumerate(drawn), key=lambda one: one[1] == UNSEEN):
            found = [pair for pair in left if name == UNSEEN or name.lower() in pair[1]]
            if not found:
                raise _not_drawn(drawn, known, number)
            chosen = self.random.choice(found)
            left.remove(chosen)
            wished[place] = chosen[0]
        return [wished[place] for place in sorted(wished)]

    def _other_luck(self, match: Match, cards: list[int], tries: int) -> Match:
        """The match with cards on top of its pile, in another order at each try, and other keys for other luck.

        Every second time they come after a pile was filled again: a new round may begin in the move.
        """
        other = match.copied()
        state: Any = other.states[0]
        if tries > 1:
            state.root, state.deal, state.chance = (self.random.getrandbits(64) for _ in range(3))
            cards = self.random.sample(cards, len(cards))
        if cards:
            match.setup.game.draws.lay_on_top(state, [GAP, *cards] if tries % 2 == 0 else cards)
        return other


def _how_far(fault: InputError) -> int:
    """How far a move came before the error: the error that came furthest is the most useful."""
    ways = ("move", "drawn", "then", "it ends")
    return next((place for place, way in enumerate(ways) if str(fault).startswith(f"record: {way}")), len(ways))


def after_move(before: Match, action: int, outcome: MoveOutcome | None, number: int) -> Match:
    """The match after a move, with the typed hands of a round dealt in it."""
    match = before.after(action)
    return (
        deal_anew(before, match, action, outcome.dealt, number=number)
        if outcome is not None and outcome.dealt
        else match
    )


def cards_drawn(setup: Setup, before: Match, after: Match, number: int) -> list[tuple[str, ...]]:
    """The cards that left a pile in a move, each with all its names in lower case."""
    if setup.game.draws.drawn is None and setup.game.positions.name_of_card is None:
        raise PositionError(f"record: drawn {number}: {setup.ruleset.name} does not record draws")
    cards = (setup.game.draws.drawn or _left_pile)(before.state, after.state, setup)
    return [tuple(name.lower() for name in names) for names in cards]


def _left_pile(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The cards that left the pile; none if a new round was dealt, which leaves as many or more."""
    there, now = Counter(cards_in_pile(before)), Counter(cards_in_pile(after))
    return [(name_of_card(setup, card),) for card in (there - now).elements()] if now.total() < there.total() else []


def _in_pile(state: State, setup: Setup) -> list[tuple[int, tuple[str, ...]]]:
    """The cards of the pile, each with its name."""
    has_pile = setup.game.positions.name_of_card is not None
    return [(card, (name_of_card(setup, card),)) for card in cards_in_pile(state)] if has_pile else []


def _same_cards(drawn: tuple[str, ...], cards: list[tuple[str, ...]]) -> bool:
    if len(drawn) != len(cards):
        return False
    left = list(cards)
    for name in drawn:
        if name == UNSEEN:
            continue
        card = next((card for card in left if name.lower() in card), None)
        if card is None:
            return False
        left.remove(card)
    return True


def _happened(wanted: tuple[str, ...], events: tuple[str, ...]) -> bool:
    words = [from_1(event).lower() for event in events]
    return all(any(part.lower() in event for event in words) for part in wanted)


def _not_drawn(drawn: tuple[str, ...], names: set[str], number: int) -> PositionError:
    place = f"record: drawn {number}"
    for name in drawn:
        if name != UNSEEN and name.lower() not in names:
            hint = nearest(name.lower(), names)
            hint = hint.rstrip("?") if "did you mean" in hint else ""
            return PositionError(f"{place}: {name[:40]!r} cannot be drawn there{hint}")
    cards = ", ".join(drawn)[:60] or "none"
    return PositionError(f"{place}: other cards than {cards} are drawn; write every card, ? for unseen ones")
