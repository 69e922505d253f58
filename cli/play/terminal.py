"""`houle play` in a terminal: what the player sees, the possible moves, and a line to type in.

You type the number of a move or the beginning of its name. `?` asks for advice, `u` takes the last move back, `u 12`
goes back to before move 12, `r` shows the moves so far, `l` the link, `s FILE` saves the record, `q` quits.
"""

from __future__ import annotations

from collections.abc import Callable

import click

import houle
from houle.analysis.advice.advise import Advice
from houle.analysis.play.ending import Ending, KeptResults, because, ending_of
from houle.analysis.play.link import command_for
from houle.analysis.play.seat_view import Choice, Heard, SeatView, heard, history, names_for, position_of, seat_view
from houle.analysis.play.table_game import Course, Sitting
from houle.cli.framework import text
from houle.cli.framework.advice import move_table, reason_lines, verdict
from houle.cli.framework.files import check_file, write_text
from houle.solver.errors import InputError, PositionError
from houle.solver.language.languages import LANGUAGES, catalogue_files, fold, words_in
from houle.solver.matches.record.position import has_positions
from houle.solver.matches.views import Face, Row, plain_rows
from houle.solver.rules import Setup
from houle.solver.texts import typed_number

HELP = (
    "the number or the beginning of a move; ? for advice, u to undo, u N to go back before move N, r for the moves so "
    "far, l for a link, s FILE to save, q to quit"
)
ADVICE = "? for advice, "
WORLDS = 400

Ask = Callable[[], str | None]
Show = Callable[[str], None]


def play(
    sitting: Sitting, record: str | None, ask: Ask, show: Show = click.echo, kept: KeptResults | None = None
) -> Sitting:
    """Plays until the game is over or the input ends; returns the game as it is then."""
    show("\n".join([*text.differences(sitting.setup), text.say(text.setup_title(sitting.setup))]))
    show(text.paragraph(f"Type {help_for(sitting.setup)}.", 0, 4))
    course, shown, seen = Course(sitting), None, -1
    while True:
        if course.over:
            show("\n".join(map(text.say, end_lines(ending_of(course), course))))
            if kept is not None:
                kept.note(course)
                show(f"The result is kept in {kept.file}.")
            return course.sitting
        if len(sitting.people) > 1 and course.to_move != seen:
            mover = names_for(course, None)[course.to_move]
            show(f"\n{mover} is to move. The others look away; then press Enter.")
            if ask() is None:
                return _left(course.sitting, show)
            click.clear()
        seen = course.to_move
        view = seat_view(course)
        if course is not shown:
            show("\n".join(view_lines(course, view)))
        shown = course
        typed = ask()
        if typed is None or typed in ("q", "quit"):
            return _left(course.sitting, show)
        try:
            course = _obey(typed, course, view, show)
        except InputError as fault:
            show(f"{fault}")
        if course is not shown and record is not None:
            save(course, record)


def help_for(setup: Setup) -> str:
    """What can be typed; advice needs positions, which a class in plain Python does not have."""
    return HELP if has_positions(setup) else HELP.replace(ADVICE, "")


def _left(sitting: Sitting, show: Show) -> Sitting:
    show(f"\nTo continue:   {command_for(sitting, ' --text')}")
    return sitting


def save(course: Course, record: str) -> None:
    """Writes the record; before the first move, or for a position that was set up, there is nothing to write."""
    if course.made and not course.dealt.start:
        write_text(record, course.record().as_text())


def _obey(typed: str, course: Course, view: SeatView, show: Show) -> Course:
    """Does what was typed; returns the game after it."""
    word, _, rest = typed.partition(" ")
    if word == "?":
        show(advice_text(houle.advise(position_of(course), worlds=WORLDS)))
    elif word == "u" and not rest:
        return course.undone() or course
    elif word == "u":
        return back_to(course, rest)
    elif word == "t" and view.signals:
        return course.choose(None)
    elif word == "r":
        show("\n".join(map(heard_line, history(course, view.seat))))
    elif word == "l":
        show(command_for(course.sitting))
        show("The link contains the seed: anyone who has it can find out all cards.")
    elif word == "s":
        check_file("s", rest, (".txt",))
        save(course, rest)
        show(f"saved {rest}")
    else:
        return course.choose(find_choice(typed, view.choices, course.setup).place)
    return course


def back_to(course: Course, typed: str) -> Course:
    """The game before the move with this number."""
    numbers = [before + 1 for before in course.own_decisions()]
    number = typed_number(typed)
    if number is None or number not in numbers:
        allowed = ", ".join(map(str, numbers)) or "none, you have not moved yet"
        raise PositionError(f"u: {typed!r} is not the number of one of your moves; allowed: {allowed}")
    return course.until(number - 1)


def find_choice(typed: str, choices: tuple[Choice, ...], setup: Setup) -> Choice:
    """The move that was typed: by its number, its name, or the beginning of its name or of a word in it.

    Names are known in every language, with or without accents.
    """
    words = fold(typed)
    number = typed_number(words)
    if number is not None and 1 <= number <= len(choices):
        return choices[number - 1]
    tongues = [words_in(code, catalogue_files(code, setup.ruleset.name)) for code in LANGUAGES]
    names = [[fold(say(choice.words)) for say in tongues] for choice in choices]
    tests = (words.__eq__, lambda name: name.startswith(words), lambda name: f" {words}" in name)
    for is_meant in tests:
        fits = [choice for choice, spoken in zip(choices, names, strict=True) if any(map(is_meant, spoken))]
        if len(fits) == 1:
            return fits[0]
        if fits:
            meant = ", ".join(text.say(choice.words) for choice in fits[:6])
            raise PositionError(f"{typed!r} can mean {meant}; type more of it")
    raise PositionError(f"{typed!r} is not a possible move; type {help_for(setup)}")


def view_lines(course: Course, view: SeatView) -> list[str]:
    """What happened, the position, and the moves."""
    lines = ["", *(heard_line(one) for one in view.news), ""]
    rows = plain_rows(view.rows)
    lines += [text.paragraph(f"{text.say(row['label'])}: {text.say(row_words(row))}", 2, 4) for row in rows]
    lines += ["", f"{text.say(f'move {len(course.made) + 1}')}: {text.say(view.question)}"]
    lines += [text.say("Type t to leave it to the rules of thumb.")] if view.signals else []
    return lines + [f"  {number:>2}  {text.say(choice.words)}" for number, choice in enumerate(view.choices, 1)]


def heard_line(one: Heard) -> str:
    words = "; ".join(map(text.say, [one.words, *one.events]))
    return text.paragraph(f"{one.number:>3}  {text.say(one.who)}: {words}", 0, 5)


def row_words(row: Row) -> str:
    """A row of cards in words; a card face down is `?`."""
    return row.get("text") or ", ".join(face_words(card) for card in row["cards"]) or "none"


def face_words(card: Face) -> str:
    pointing = f" (pointed at by {', '.join(card['pointing'])})" if card.get("pointing") else ""
    pointing += f" [{card['known']}]" if card.get("known") else ""
    if card.get("hidden"):
        return (f"? @{card['top']}" if card.get("top") else "?") + pointing
    reverse = " (reverse)" if card.get("mark") == "reverse" else ""
    about = f" [{card['about']}]" if card.get("wide") and card.get("about") else ""
    owner = f" ({card['owner']})" if card.get("owner") else ""
    return " ".join(str(card[part]) for part in ("name", "top") if card.get(part)) + about + reverse + owner + pointing


def advice_text(advice: Advice) -> str:
    """What to play, the moves from best to worst, and why."""
    lines = [text.paragraph(line, 0, 4) for line in verdict(advice)]
    foot = f"Hidden cards imagined {advice.games:,} times, from what you know."
    return "\n".join([*lines, move_table(advice), foot, *reason_lines(advice)])


def end_lines(end: Ending, course: Course) -> list[str]:
    """Why the game is over, the scores, and what the rulebook says about them if it has words for scores."""
    says = ["the rulebook says"] if any(side.band for side in end.sides) else []
    rows = [[side.name, str(side.score), side.verdict, *([side.band] if says else [])] for side in end.sides]
    seat = course.sitting.people[0]
    return [
        "",
        *(heard_line(heard(course, made, seat)) for made in course.made[-len(course.sitting.seats) :]),
        "",
        text.paragraph(because(course.match, seat, course.sitting.called), 0, 4),
        text.columns(["side", end.score, "", *says], rows, right=(1,)),
        "",
        f"To see it again:   {command_for(course.sitting, ' --text')}",
    ]
