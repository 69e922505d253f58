"""The table in a terminal: what the seat sees, its moves by name, and a line in which one types.

A move is typed by its number or by the beginning of its name. `?` asks for advice, `u` takes the last move back, `u 12`
goes back to before move 12 (what if?), `r` shows the moves so far, `l` the link, `s FILE` keeps the record, `q` leaves.
"""

from __future__ import annotations

from collections.abc import Callable

import click

import houle
from houle.analysis.advice.advise import Advice
from houle.analysis.play.ending import Ending, ending_of
from houle.analysis.play.link import link_of
from houle.analysis.play.seat_view import Choice, Heard, SeatView, heard, position_of, seat_view
from houle.analysis.play.sitting import Course, Sitting, choose
from houle.cli.commands.advise import move_table, reason_lines, verdict
from houle.cli.framework import text
from houle.cli.framework.files import check_file, write_text
from houle.solver.errors import InputError
from houle.solver.views import Face, Row

HELP = "a number or the beginning of a move; ? advice, u undo, u N before move N, r moves, l link, s FILE, q leave"
WORLDS = 400

Ask = Callable[[], str | None]


def play(sitting: Sitting, record: str | None, ask: Ask, tell: Callable[[str], None] = click.echo) -> Sitting:
    """Asks and shows until the game is over or nobody types any more; returns where it stands."""
    tell("\n".join([*text.differences(sitting.setup), text.setup_line(sitting.setup)]))
    tell(text.paragraph(f"Type {HELP}.", 0, 4))
    shown, seen = None, -1
    while True:
        course = Course(sitting)
        if course.over:
            tell("\n".join(end_lines(ending_of(course), course)))
            return sitting
        if len(sitting.people) > 1 and course.to_move != seen:
            tell(f"\nSeat {course.to_move + 1} has to move: the others look away, then press Enter.")
            if ask() is None:
                return _left(sitting, tell)
            click.clear()
        seen = course.to_move
        view = seat_view(course)
        if sitting != shown:
            tell("\n".join(view_lines(course, view)))
        shown = sitting
        typed = ask()
        if typed is None or typed in ("q", "quit"):
            return _left(sitting, tell)
        try:
            sitting = _obey(typed, course, view, tell)
        except InputError as fault:
            tell(f"{fault}")
        if sitting != shown and record is not None:
            save(sitting, record)


def _left(sitting: Sitting, tell: Callable[[str], None]) -> Sitting:
    tell(f"\ngo on with   houle play --text {link_of(sitting)!r}")
    return sitting


def save(sitting: Sitting, record: str) -> None:
    """Writes the record; before the first move there is none."""
    if sitting.moves:
        write_text(record, Course(sitting).record().as_text())


def _obey(typed: str, course: Course, view: SeatView, tell: Callable[[str], None]) -> Sitting:
    """What was typed, done; the table after it."""
    word, _, rest = typed.partition(" ")
    sitting = course.sitting
    if word == "?":
        tell(advice_text(houle.advise(position_of(course), worlds=WORLDS)))
    elif word == "u" and not rest:
        return course.undone() or sitting
    elif word == "u":
        return back_to(course, rest)
    elif word == "r":
        tell("\n".join(heard_line(heard(course, made, view.seat)) for made in course.made))
    elif word == "l":
        tell(f"houle play {link_of(sitting)!r}")
        tell("The seed is in it: whoever has the link could work out all cards.")
    elif word == "s":
        check_file("s", rest, (".txt",))
        save(sitting, rest)
        tell(f"saved {rest}")
    else:
        return choose(sitting, find_choice(typed, view.choices).place)
    return sitting


def back_to(course: Course, typed: str) -> Sitting:
    """The table before a move, by its number: from there another one can be made."""
    numbers = [before + 1 for before in course.own_decisions()]
    if not typed.isdigit() or int(typed) not in numbers:
        raise InputError(f"u: write the number of a move of yours: {', '.join(map(str, numbers)) or 'there is none'}")
    return course.sitting.until(int(typed) - 1)


def find_choice(typed: str, choices: tuple[Choice, ...]) -> Choice:
    """The move that was meant: by its number, its name, or the beginning of its name or of its last words."""
    words = " ".join(typed.lower().split())
    if words.isdigit() and 1 <= int(words) <= len(choices):
        return choices[int(words) - 1]
    names = [choice.words.lower() for choice in choices]
    for fits in (
        [choice for choice, name in zip(choices, names, strict=True) if name == words],
        [choice for choice, name in zip(choices, names, strict=True) if name.startswith(words)],
        [choice for choice, name in zip(choices, names, strict=True) if f" {words}" in name],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise InputError(f"{typed!r} may be {', '.join(choice.words for choice in fits[:6])}; type more of it")
    raise InputError(f"{typed!r} is no move here; type {HELP}")


def view_lines(course: Course, view: SeatView) -> list[str]:
    """What happened, the position, and the moves."""
    lines = ["", *(heard_line(one) for one in view.news), ""]
    lines += [text.paragraph(f"{row['label']}: {row_words(row)}", 2, 4) for row in view.rows]
    hand = f", with the hand of {view.hand}" if view.hand else ""
    lines += ["", f"move {len(course.made) + 1}: seat {view.seat + 1} has to move{hand}"]
    return lines + [f"  {number:>2}  {choice.words}" for number, choice in enumerate(view.choices, 1)]


def heard_line(one: Heard) -> str:
    told = "".join(f"; {event}" for event in one.events)
    return text.paragraph(f"{one.number:>3}  seat {one.seat + 1}: {one.words}{told}", 0, 5)


def row_words(row: Row) -> str:
    """A row of cards in words; what is face down is `?`."""
    return row.get("text") or ", ".join(face_words(card) for card in row["cards"]) or "none"


def face_words(card: Face) -> str:
    if card.get("hidden"):
        return "?"
    reverse = " (reverse)" if card.get("mark") == "reverse" else ""
    return " ".join(str(card[part]) for part in ("name", "top") if card.get(part)) + reverse


def advice_text(found: Advice) -> str:
    """The moves ranked, what to play, and why."""
    lines = [text.paragraph(line, 0, 4) for line in verdict(found)]
    head = f"{found.games:,} worlds that agree with what you know, played on by thumbs"
    return "\n".join([head, move_table(found), *lines, *reason_lines(found)])


def end_lines(end: Ending, course: Course) -> list[str]:
    """Why it is over, the scores, and the rulebook's words."""
    rows = [[side.name, str(side.score), side.verdict, side.band] for side in end.sides]
    seat = course.sitting.people[0]
    return [
        "",
        *(heard_line(heard(course, made, seat)) for made in course.made[-len(course.sitting.seats) :]),
        "",
        *(text.paragraph(line, 0, 4) for line in end.why),
        "over, without a winner" if end.drawn else "over",
        text.columns(["side", end.score, "", "in the rulebook's words"], rows, right=(1,)),
        "",
        f"look again   houle play --text {link_of(course.sitting)!r}",
    ]
