"""The review in the browser: the chance graph, every move, the position before it, and what would have been better.

The page asks again and again, and each answer has judged a little more; when the page is left, nothing goes on. During
a game only the decisions of the player to move are judged, on what that player knew, and other moves are shown as that
player saw them.
"""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from houle.analysis.kept import Kept
from houle.analysis.measures.goal import Goal
from houle.analysis.play import review_words as words
from houle.analysis.play.ending import because
from houle.analysis.play.link import link_of, signs_of
from houle.analysis.play.review import Judged, digits_of, mistakes
from houle.analysis.play.review_steps import Reviewing, played_course
from houle.analysis.play.seat_view import names_for, said_by
from houle.analysis.play.table_game import PERSON, Course
from houle.analysis.result import setup_title
from houle.cli.play.pages import Query, asset, link_for, reader, render
from houle.cli.web.languages import here
from houle.reports.cards import NO_MOVE, face, ringed
from houle.solver.errors import PositionError
from houle.solver.language.seats import with_names
from houle.solver.matches.views import view_of
from houle.solver.rules.game_folders import home
from houle.solver.texts import capital, typed_number

MOST_KEPT = 6  # games whose review is kept
SECONDS = 0.8  # of judging per request
MOST_LISTED = 6  # mistakes

PARTS = ("review", "position")  # what the script asks for: more judging, or only another move


class Reviews:
    """The reviews of the last few games."""

    def __init__(self) -> None:
        self._kept = Kept[str, Reviewing](MOST_KEPT)

    def of(self, course: Course) -> Reviewing:
        return self._kept.get(link_of(course.sitting), lambda: Reviewing(played_course(course)))

    def answer(self, course: Course, query: Query, part: str, can_branch: bool = True) -> Response:
        """The page, the part of it that changes, or the page as a file."""
        if not query.get("save"):
            return HTMLResponse(self.page(course, query, part, can_branch))
        head = {"content-disposition": f'attachment; filename="{course.setup.ruleset.name}-review.html"'}
        return HTMLResponse(self.saved(course, query), headers=head)

    def page(self, course: Course, query: Query, part: str, can_branch: bool = True) -> str:
        """The whole page, or the part that changes; `can_branch`: with links that try another move."""
        you, reviewing = self._judged(course, query, SECONDS if part != PARTS[1] else 0)
        values = _values(course, reviewing, you, query)
        if not can_branch:
            values["here"]["what_if"] = ""
        name = "review_part.html.j2" if part in PARTS else "review.html.j2"
        return render(name, **values)

    def saved(self, course: Course, query: Query) -> str:
        """The review as one file to send, with the positions of the mistakes that the page lists.

        It needs no server and no script, and it has no link, because a link holds the seed of the deal.
        """
        you, reviewing = self._judged(course, query, 0)
        values = _values(course, reviewing, you, query)
        positions = {
            one["number"]: {**_here(course, reviewing, one["number"], you), "what_if": "", "number": one["number"]}
            for one in (*values["mistakes"], *values["theirs"])
        }
        for name in ("fields", "table", "save", "here", "others"):
            del values[name]
        values["graph"] = _graph(reviewing, you, len(course.made), None)
        return render(
            "review_saved.html.j2",
            **values | {"saved": True},
            seat=you + 1,
            made=time.strftime("%Y-%m-%d"),
            style=Markup(asset("style.css") + asset("review.css")),
            own_positions=[positions[one["number"]] for one in values["mistakes"]],
            their_positions=[positions[one["number"]] for one in values["theirs"]],
        )

    def _judged(self, course: Course, query: Query, seconds: float) -> tuple[int, Reviewing]:
        """The seat of the reader, and the review after so many more seconds of judging."""
        if not course.made:
            raise PositionError("review: no move has been made yet")
        you, reviewing = _reader(course, query), self.of(course)
        if seconds:
            reviewing.go_on(seconds)
        return you, reviewing


def _reader(course: Course, query: Query) -> int:
    """The seat of the reader. After the end it may be any seat; during a game it is the player to move."""
    seat, asked = reader(course, query, "review"), query.get("side", "")
    if not course.over or not asked:
        return seat
    number = typed_number(asked)
    if number is None or not 1 <= number <= course.setup.players:
        raise PositionError(f"side: allowed: a seat from 1 to {course.setup.players}")
    return number - 1


def _values(course: Course, reviewing: Reviewing, you: int, query: Query) -> dict[str, Any]:
    """What the templates show."""
    moves, worlds = len(course.made), reviewing.worlds
    side = int(course.setup.rules[0].side[you])
    own = [number for number in reviewing.numbers if course.made[number - 1].seat == you]
    asked = typed_number(query.get("at", ""))
    account, wrong = reviewing.account(you), mistakes(one for one in reviewing.decisions if one.seat == you)
    turn = _turn(reviewing, you)
    first = wrong[0].number if wrong else turn[0][0] if turn else (own or [moves])[-1]
    at = asked if asked is not None and 1 <= asked <= moves else first
    theirs = mistakes((one for one in reviewing.decisions if one.seat != you), side)
    judged = (one for one in reviewing.decisions if one.seat == you and one.is_doubtful)
    doubts = sorted(judged, key=lambda one: -one.loss.value) if reviewing.round else []
    goal, names = Goal(course.setup), names_for(course, you)
    hidden = {"open": query["open"]} if query.get("open") else {}
    fields = [*_fields(course), *hidden.items(), *([("side", str(you + 1))] if query.get("side") else [])]
    return {
        "title": setup_title(course.setup),
        "fields": fields,
        "save": urlencode([*fields, ("save", "1")]),
        "table": f"table?{link_of(course.sitting)}{f'&open={you + 1}' if hidden else ''}",
        "because": because(course.match, you, course.sitting.called) if course.over else "",
        "over": course.over,
        "done": reviewing.done,
        "saved": False,
        "steps": reviewing.steps,
        "all_steps": reviewing.all_steps,
        "worlds": worlds,
        "first_look": not reviewing.round,
        "in_short": words.in_short(account, goal, "You", course.over, worlds=worlds) if account else "",
        "mistakes": [{"number": one.number, "words": words.mistake(one, worlds, names)} for one in wrong[:MOST_LISTED]],
        "turn": words.turn(*turn, goal, worlds) if turn and not wrong else "",
        "more_mistakes": max(0, len(wrong) - MOST_LISTED),
        "doubts": [{"number": one.number, "words": words.doubt(one, worlds, names)} for one in doubts[:MOST_LISTED]],
        "theirs": [
            {
                "number": one.number,
                "words": words.mistake(one, worlds, names),
                "effect": words.effect(one, side, worlds),
            }
            for one in theirs[:MOST_LISTED]
        ],
        "swings": [
            {"number": one.number, "words": words.swing(one, goal, worlds, names)}
            for one in (account.swings if account else ())
        ],
        "graph": _graph(reviewing, you, moves, at),
        "rows": [_row(course, reviewing, number, you, at=at) for number in range(1, moves + 1)],
        "here": _here(course, reviewing, at, you),
        "at": at,
        "last": moves,
        "others": _others(course, you) if course.over else [],
    }


def _turn(reviewing: Reviewing, seat: int) -> tuple[words.Point, words.Point] | None:
    """Where a player's chance fell most; None while that is too rough, or if it fell little."""
    own = [one for one in reviewing.decisions if one.seat == seat]
    if not reviewing.round or not own:
        return None
    points, played, goal = [(one.number, one.after.value) for one in own], reviewing.played, own[0].goal
    if played.over:
        points.append((len(played.actions), goal.in_result(played.last.result(), own[0].side)))
    return words.largest_fall([(own[0].number, own[0].before.value), *points], goal, len(played.actions))


def _fields(course: Course) -> list[tuple[str, str]]:
    return parse_qsl(link_of(course.sitting), keep_blank_values=True)


def _others(course: Course, you: int) -> list[dict[str, Any]]:
    """Whose review can be read after the end."""
    return [{"seat": seat + 1, "name": name, "here": seat == you} for seat, name in enumerate(names_for(course, you))]


def _row(course: Course, reviewing: Reviewing, number: int, you: int, at: int) -> dict[str, Any]:
    """A line of the list of moves."""
    seat = course.made[number - 1].seat
    said, _ = reviewing.played.told(number)
    one = reviewing.judged(number)
    digits = digits_of(reviewing.worlds, Goal(course.setup))
    return _done(course, said, seat, names_for(course, you)) | {
        "number": number,
        "chance": one.after.short(digits) if one is not None and seat == you else "",
        "lost": f"−{one.loss.parts(digits)[0].lstrip('+')}" if one is not None and one.is_mistake else "",
        "here": number == at,
    }


def _done(course: Course, said: str, seat: int, names: list[str]) -> dict[str, Any]:
    """A move as what a player did, as in the history of the table."""
    words = with_names(said, names)
    spoken = not home(course.setup.ruleset.name).is_outside
    return {
        "who": names[seat],
        "words": words,
        "whom": "",
        "spoken": spoken,
        "said": said_by(names[seat], words, spoken),
    }


def _here(course: Course, reviewing: Reviewing, at: int, you: int) -> dict[str, Any]:
    """The position before a move, what was played, what it did, and what would have been better."""
    made, worlds = course.made[at - 1], reviewing.worlds
    seat = made.seat if course.over else you
    before = reviewing.played.befores[at - 1]
    rows, names = view_of(before.state, course.setup, seat, names_for(course, seat)), names_for(course, you)
    one, own = reviewing.judged(at), before.seen(made.action, seat)[1] if seat == made.seat else NO_MOVE
    best, mine = one.kinds if one is not None else (NO_MOVE, own)
    shown = ringed(rows, best if one is not None and one.is_mistake else NO_MOVE, mine)
    said, effects = reviewing.played.told(at)
    person = course.sitting.seats[made.seat] == PERSON
    sitting = course.sitting
    # The hand of another person stays covered.
    opened = you if made.seat == you else None
    what_if = link_for(sitting.until(at - 1), signs_of(sitting.moves), opened) if person else ""
    return _done(course, said, made.seat, names) | {
        "events": [with_names(line, names) for line in effects],
        "seen_by": "" if seat == you else names[seat],
        "rows": [
            {
                "label": _to_reader(row["label"], seat, names),
                "text": _to_reader(row.get("text", ""), seat, names),
                "cards": [Markup(face(card, here().say)) for card in row["cards"]],
            }
            for row in shown
        ],
        "chance": _chances(one, worlds) if one is not None else "",
        "better": words.better(one, worlds, names) if one is not None and one.is_mistake else "",
        "what_if": what_if,
    }


def _to_reader(label: str, seat: int, names: list[str]) -> str:
    """Words that a view says to a seat, for the reader."""
    if names[seat] == "you":
        return label
    return re.sub(r"\byou(r?)\b", lambda match: names[seat] + ("'s" if match[1] else ""), label)


def _chances(one: Judged, worlds: int) -> str:
    goal = one.goal
    before, after = words.chance(one.before, goal, worlds), words.chance(one.after, goal, worlds)
    what = goal.pick("Chance to win", f"{capital(goal.score)} to expect")
    if one.is_mistake:
        return f"{what}: {after} after this move, {before} after the better one."
    return f"{what} after this move: {after}. No other move is certainly better."


def _graph(reviewing: Reviewing, seat: int, moves: int, at: int | None) -> Markup:
    """The chance of a player over the game as one line in SVG; positions are in percent, so it fits any width."""
    own = [one for one in reviewing.decisions if one.seat == seat]
    goal = Goal(reviewing.played.last.setup)
    least = goal.pick(0, goal.setup.score_range[0])

    def x(number: float) -> str:
        return f"{2 + 96 * (number - 1) / max(1, moves):.2f}%"

    def y(value: float) -> str:
        return f"{92 - 84 * (value - least) / goal.span:.2f}%"

    def line(name: str, x1: str, y1: str, x2: str, y2: str) -> str:
        return f'<line class="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'

    ticks = [least + goal.span * part for part in (0, 0.5, 1)]
    parts = [line("grid", "0%", y(tick), "100%", y2=y(tick)) for tick in ticks]
    parts += [f'<text x="0" y="{y(tick)}" dy="-4">{tick:{goal.pick(".0%", "g")}}</text>' for tick in ticks]
    if at is not None:
        parts.append(line("here", x(at), "0%", x(at), y2="100%"))
    parts += [line("band", x(one.number), y(one.after.low), x(one.number), y2=y(one.after.high)) for one in own]
    points = [(one.number, one.after.value) for one in own]
    points = [(max(1, own[0].number - 1), own[0].before.value), *points] if own else []
    if own and reviewing.played.over:
        points.append((moves + 1, goal.in_result(reviewing.played.last.result(), own[0].side)))
        parts.append(f'<circle class="end" cx="{x(moves + 1)}" cy="{y(points[-1][1])}" r="5"/>')
    parts += [line("chain", x(start), y(high), x(end), y2=y(low)) for (start, high), (end, low) in pairwise(points)]
    for one in own:
        kind = "dot lost" if one.is_mistake else "dot"
        parts.append(
            f'<circle class="{kind}" cx="{x(one.number)}" cy="{y(one.after.value)}" r="{3 + one.is_mistake}"/>'
        )
    digits = digits_of(reviewing.worlds, goal)
    for one in mistakes(own)[:3]:
        lost = one.loss.parts(digits)[0].lstrip("+")
        anchor = "end" if one.number > moves / 2 else "start"
        parts.append(
            f'<text class="cost" x="{x(one.number)}" y="{y(one.after.value)}" dy="14" text-anchor="{anchor}">'
            f"{one.number}: −{escape(lost)}</text>"
        )
    first = own[0].before.short(digits) if own else ""
    what = goal.pick("Chance to win", f"{capital(goal.score)} to expect")
    label = f"{what}, move by move, from {first}" if own else "No decision has been judged yet"
    return Markup(
        f'<svg class="graph" id="graph" role="img" aria-label="{label}" data-moves="{moves}">{"".join(parts)}</svg>'
    )
