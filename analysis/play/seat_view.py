"""What a person in a game may see: the position, the possible moves, and what the others did, in words.

The position is drawn from what the seat knows (matches/known.py), so nothing else can be drawn.
Moves of others are shown as the seat saw them. Their effects are shown only as far as the game says that this seat sees
them (`visible_events` in its words.py). Players have their names (`seat_names`); the viewer is `you`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from houle.analysis.play.table_game import PERSON, Course, Made, choices
from houle.solver.declared.seen import indices, line_of
from houle.solver.errors import PositionError
from houle.solver.language.how_to_play import how_to_play
from houle.solver.language.seats import authored, seat_names, second_person, third_person, to_player
from houle.solver.matches.match import Match
from houle.solver.matches.record.card_names import cards_in
from houle.solver.matches.record.position import FILL, Position, move_name, write_position
from houle.solver.matches.record.replaying import events, replay
from houle.solver.matches.views import Row, move_in_words, named_row, shown, view_of
from houle.solver.rules import Setup
from houle.solver.rules.game_folders import home

OWN_EVENTS = ("draws", "takes")  # what events begin with that tell what the mover gets
TRAIL = "trail"  # the layout of a row that has a card of every move


@dataclass(frozen=True)
class Choice:
    """A move that a person can make: its index among the possible moves, and its words."""

    place: int
    words: str  # as the seat sees it
    name: str  # canonical, in a world of the seat: which cards it is about
    kind: int  # what cards that can make it carry (`Face.moves`)
    same: tuple[tuple[int, str], ...] = ()  # the moves that look the same, such as those with a card's twin

    def by(self, card: str) -> int:
        """The place of the move with this very card, where another card can make the same move."""
        return next((place for place, name in self.same if name.endswith(f" {card}")), self.place)


@dataclass(frozen=True)
class Heard:
    """A move and its effects as a seat saw them."""

    number: int
    seat: int
    who: str
    words: str
    events: tuple[str, ...]
    chapter: str  # the part of the game, such as a round; empty in games without parts
    ends: str  # what the move completes: the layout of that row; empty if it completes nothing
    new: bool = False  # since the seat's last turn
    whom: str = ""  # for whom the move was made, if for another player
    spoken: bool = True  # whether the words begin with a verb

    @property
    def said(self) -> str:
        """The move as what the player did: `plays 49`, `you play 49`."""
        return said_by(self.who, self.words, self.spoken)


def said_by(who: str, words: str, spoken: bool) -> str:
    """A move as what a player did, if its words begin with a verb."""
    return words if who == "you" or not spoken else third_person(words)


@dataclass(frozen=True)
class Turn:
    """Moves that one line of the history tells: a trick, a card with what was said before it, or a turn."""

    chapter: str
    moves: tuple[Heard, ...]
    told: tuple[str, ...]  # a whole trick in words, instead of its moves

    @property
    def new(self) -> bool:
        return any(one.new for one in self.moves)


@dataclass(frozen=True)
class SeatView:
    """What one seat sees when it has to move."""

    seat: int
    names: tuple[str, ...]  # of all seats
    hand: str  # whose hand it plays, if not its own
    signals: bool  # whether it signals to another player
    question: str  # what it decides
    rows: list[Row]
    choices: tuple[Choice, ...]
    news: tuple[Heard, ...]  # since its last turn, including that
    acts: int = -1  # the seat that moves next
    whom: int = -1  # whose hand is played or pointed at, if not the own one


def names_for(course: Course, viewer: int | None) -> list[str]:
    """What the players are called; the viewer is `you`."""
    return seat_names(course.setup, viewer, course.sitting.called)


def seat_view(course: Course, seat: int | None = None, early: Course | None = None, watches: bool = False) -> SeatView:
    """What the person to move sees, or the person in a seat who waits; a PositionError if it is a computer's seat.

    `early` is the game in which a person who waits signals (`signalling`), so that all can signal at once. Who only
    `watches` an earlier position is offered no moves.
    """
    match, setup, mover = course.match, course.setup, course.to_move
    seat = mover if seat is None else seat
    if course.over or course.sitting.seats[seat] != PERSON:
        raise PositionError("a person has to be to move")
    names = names_for(course, seat)
    rows = view_of(match.state, setup, seat, names) + last_trick(course, seat, names)
    if early is not None:
        match = early.match
    elif seat != mover or watches:
        waits = f"{names[mover]} points at a card" if match.is_signal() else f"{names[mover]} is to move"
        return SeatView(
            seat=seat,
            names=tuple(names),
            hand="",
            signals=False,
            question=waits,
            rows=rows,
            choices=(),
            news=news(course, seat),
            acts=mover,
        )
    ask = setup.game.words.asked
    question = to_player(setup, authored(setup.game, ask(match.state, setup)), seat, names) if ask else "Your move"
    rows = _with_moves(rows, match, seat) if setup.game.declared is not None else rows
    hand, signals = _hand(setup, match, seat, names), match.is_signal()
    moves = possible_moves(match, names)
    acting = int(getattr(match.state, "acting", seat))
    whom = -1 if acting == seat else acting
    return SeatView(
        seat=seat,
        names=tuple(names),
        hand=hand,
        signals=signals,
        question=question,
        rows=rows,
        choices=moves,
        news=news(course, seat),
        acts=seat,
        whom=whom,
    )


def signalling(course: Course, seat: int) -> Course | None:
    """The game in which a person signals for the decision that others signal for now; None if it is not so.

    The signals of the others in it are guesses: it tells only which signals are possible.
    """
    after, acting = course, getattr(course.match.state, "acting", None) if not course.over else None
    while acting is not None and after.to_move != seat and after.match.is_signal():
        after = after.choose(None)
        if after.over or after.match.state.acting != acting:
            return None
    return after if acting is not None and after is not course and after.match.is_signal() else None


def signals_from(course: Course) -> int:
    """The number of moves before the signals for this decision."""
    number = len(course.made)
    while number and course.match_before(course.made[number - 1]).is_signal():
        number -= 1
    return number


def _with_moves(rows: list[Row], match: Match, seat: int) -> list[Row]:
    """The rows of a declared game, whose own cards carry the moves after which they have left their place."""
    declared: Any = match.setup.game.declared
    own = [
        (line_of(name, index), name, (seat, *index), part)
        for name, part in declared.secret.items()
        for index in indices(part)
        if part.by_seat and (part.most or declared.sees(name, True))
    ]
    world, leaving = match.imagine(seat, FILL), defaultdict[tuple[str, int], list[int]](list)
    for action in world.moves():
        then = world.after(action)
        for line, name, index, part in own:
            left = cards_in(then.state[name][index], part)
            for place, card in enumerate(cards_in(world.state[name][index], part)):
                if card not in left:
                    leaving[line, place].append(world.seen(action, seat)[1])
    for row in rows:
        for place, face in enumerate(row["cards"] if row.get("own") else ()):
            face["moves"] = face.get("moves") or tuple(leaving[row["title"], place])
    return rows


def last_trick(course: Course, seat: int, names: list[str]) -> list[Row]:
    """The trick before this one, in games that show it, or the trail of all cards before the last one."""
    trail = list[Row]()
    for made in reversed(course.made if course.setup.game.table.last_trick else ()):
        row = _completed(course, made)
        trail += [named_row(row, seat, names)] if row else []
        if row and row["layout"] != TRAIL:
            break
    if not trail:
        return []
    cards = [card for row in reversed(trail) for card in row["cards"]]
    if trail[0]["layout"] == TRAIL and not course.over:
        cards.pop()  # the last card is the one to beat, which the table shows already
    return shown([trail[0] | {"cards": cards}])


def _completed(course: Course, made: Made) -> Row | None:
    """What a move completed, in games that show it: a trick, or a card of a trail."""
    ended = course.setup.game.table.last_trick
    if ended is None:
        return None
    match = course.match_before(made)
    match.states = made.after
    again = replay(match, made.before, made.action)
    return ended(made.before[0], made.after[0], course.setup, made.action, again)


def position_of(course: Course) -> Position:
    """The position of the player to move, for `advise`."""
    return write_position(course.match)


def possible_moves(match: Match, names: list[str] | None = None) -> tuple[Choice, ...]:
    """The different moves of the player to move, as that seat sees them."""
    possible, seat = match.moves(), match.to_move()
    world = match.imagine(seat, FILL)
    called = seat_names(match.setup, seat) if names is None else names
    kinds = [match.seen(action, seat)[1] for action in possible]

    def same(place: int) -> tuple[tuple[int, str], ...]:
        others = [i for i, kind in enumerate(kinds) if kind == kinds[place]]
        return tuple((i, world.name(possible[i])) for i in others) if len(others) > 1 else ()

    return tuple(
        Choice(
            place=place,
            words=in_words(match, possible[place], seat, called),
            name=world.name(possible[place]),
            kind=kinds[place],
            same=same(place),
        )
        for place in choices(match)
    )


def in_words(match: Match, action: int, seat: int, names: list[str], done: bool = False) -> str:
    """A move as a seat sees it, for people."""
    return to_player(match.setup, _raw_words(match, action, seat, done), seat, names)


def _hand(setup: Setup, match: Match, seat: int, names: list[str]) -> str:
    acting = int(getattr(match.state, "acting", seat))
    return "" if acting == seat else _hand_name(setup, acting, seat, names)


def _hand_name(setup: Setup, acting: int, seat: int, names: list[str]) -> str:
    call = setup.game.words.hand_name
    return to_player(setup, call(setup, acting) if call else f"seat {acting}", seat, names)


def _raw_words(match: Match, action: int, seat: int, done: bool, revealed: bool = False) -> str:
    """A move for people, as a seat sees it; seats count from 0."""
    name = match.name(action) if revealed else move_name(match, action, seat, done)
    return move_in_words(match.setup, name)


def news(course: Course, seat: int) -> tuple[Heard, ...]:
    """What happened since the seat's last turn, including that; further moves of one turn do not end it."""
    return tuple(heard(course, made, seat) for made in course.made[_last_turn(course, seat) :])


def _last_turn(course: Course, seat: int) -> int:
    """The index of the seat's last move that another player followed."""
    seats = [made.seat for made in course.made]
    ended = [i for i in range(len(seats) - 1) if seats[i] == seat != seats[i + 1]]
    return ended[-1] if ended else 0


def history(course: Course, seat: int) -> tuple[Heard, ...]:
    """The whole game as a seat saw it; cards that were shown later are named."""
    first = _last_turn(course, seat)
    return tuple(heard(course, made, seat, new=made.number > first) for made in course.made)


def turns(course: Course, seat: int) -> tuple[Turn, ...]:
    """The history in lines: a trick each, a card and what was said before it, or the moves of a player's turn."""
    lines: list[list[Heard]] = []
    by_turn = course.setup.game.table.last_trick is None
    for one in history(course, seat):
        last = lines[-1][-1] if lines else None
        goes_on = last is not None and last.chapter == one.chapter and not last.ends
        if goes_on and (not by_turn or lines[-1][-1].seat == one.seat):
            lines[-1].append(one)
        else:
            lines.append([one])
    return tuple(Turn(moves[0].chapter, tuple(moves), _whole_trick(moves)) for moves in lines)


def _whole_trick(moves: list[Heard]) -> tuple[str, ...]:
    """What the last card of a trick brought: it tells the whole trick."""
    return tuple(line for one in moves for line in one.events) if moves[-1].ends not in ("", TRAIL) else ()


def heard(course: Course, made: Made, seat: int, new: bool = False) -> Heard:
    """One move as a seat saw it."""
    setup, names = course.setup, names_for(course, seat)
    # A class does not say when a secret move is turned up. At the end all cards are shown.
    revealed = course.is_revealed(made) is True or (course.over and not setup.game.is_compiled)
    if (seat, revealed) not in made.told:
        words = _raw_words(course.match_before(made), made.action, seat, done=True, revealed=revealed)
        completed = _completed(course, made)
        ends = completed["layout"] if completed else ""
        made.told[seat, revealed] = words, _events(course, made, seat), ends
    words, effects, ends = made.told[seat, revealed]
    whom = "" if made.acting == made.seat else _hand_name(setup, made.acting, seat, names)
    part = setup.game.table.chapter
    lines = tuple(_to_doer(to_player(setup, line, seat, names), made.seat == seat) for line in effects)
    chapter, spoken = str(part(made.before[0], setup)) if part else "", not home(setup.ruleset.name).is_outside
    words = to_player(setup, words, seat, names)
    return Heard(
        number=made.number,
        seat=made.seat,
        who=names[made.seat],
        words=words,
        events=lines,
        chapter=chapter,
        ends=ends,
        new=new,
        whom=whom,
        spoken=spoken,
    )


def _to_doer(line: str, own: bool) -> str:
    """What a move brought, with its subject where that is the viewer: `draws red 3` is `you draw red 3`."""
    verb, _, rest = line.partition(" ")
    return f"you {second_person(verb)} {rest}" if own and verb in OWN_EVENTS else line


def _events(course: Course, made: Made, seat: int) -> tuple[str, ...]:
    setup = course.setup
    visible = setup.game.table.visible_events
    if visible is None:
        return ()
    match = course.match_before(made)
    match.states = made.after.copy()
    lines = events(match, made.before, made.action)
    return tuple(visible(made.before[0], made.after[0], setup, made.action, seat, lines))


DECISIONS = 5  # that are explained


@dataclass(frozen=True)
class Guidance:
    """The explanation of one decision; what to play is the hint's to say."""

    number: int  # of the decision, from 1; 0 if only one move is possible
    text: str  # what it is about and what to look at; empty if the game does not say


def guidance(course: Course, language: str) -> Guidance | None:
    """What to tell the person to move; None after the first decisions of this person."""
    if course.over:
        return None
    own = [
        before
        for made in course.made
        if made.seat == course.to_move
        if len(choices(before := course.match_before(made))) > 1
    ]
    if len(own) >= DECISIONS:
        return None
    page, text = how_to_play(course.setup, language), ""
    if page is not None and (kind := page.kind(course.match.names())) is not None:
        text = page.explanation(kind, [page.kind(before.names()) for before in own].count(kind))
    return Guidance(len(own) + 1 if len(choices(course.match)) > 1 else 0, text)
