"""The pages as HTML, with cards drawn as in reports. All content comes from analysis/play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

import houle
from houle.analysis.advice.advise import Advice
from houle.analysis.play.ending import ending_of
from houle.analysis.play.guide import DECISIONS, guidance
from houle.analysis.play.link import link_of, moves_of, signs_of
from houle.analysis.play.seat_view import Choice, heard, position_of, seat_view
from houle.analysis.play.sitting import PERSON, Course, Sitting
from houle.analysis.result import shown_side
from houle.cli.framework.advice import verdict
from houle.cli.framework.text import setup_line
from houle.cli.play.forms import form_data, setup_of
from houle.cli.web.languages import here
from houle.reports.cards import face
from houle.reports.html.page import TEMPLATES as REPORT_TEMPLATES
from houle.reports.html.page import templates
from houle.solver.errors import PositionError
from houle.solver.matches.views import Row
from houle.solver.rules import differences_line
from houle.solver.rules.how_to_play import how_to_play

TEMPLATES = Path(__file__).parent / "templates"
STEPS = (40, 160, 640, 2_000)  # worlds of a hint, which gets better step by step
ASSETS = ("style.css", "script.js", "review.css", "review.js")
MOST_ROWS = 12  # moves of a hint that are shown

Query = Mapping[str, str]


@lru_cache
def asset(name: str) -> str:
    """A script or style; the main style is that of reports with our additions."""
    own = (TEMPLATES / name).read_text(encoding="utf-8")
    return (REPORT_TEMPLATES / name).read_text(encoding="utf-8") + own if name == "style.css" else own


def _page(template: str, **values: Any) -> str:
    return templates(TEMPLATES).get_template(template).render(values, languages=here().switches())


def link_for(course: Course, before: int | None = None, was: str = "") -> str:
    """The link of a game. With several people the hand is hidden, unless the same person moves again."""
    link = link_of(course.sitting)
    if len(course.sitting.people) > 1 and not course.over and course.to_move == before:
        link += f"&open={course.to_move + 1}"
    return f"{link}&was={quote(was)}" if was else link


def _frame(course: Course, query: Query) -> dict[str, Any]:
    """What all pages of a game share."""
    was = query.get("was", "")
    moves_of(was)  # raises an error if it is not a list of moves
    sitting = course.sitting
    return {
        "title": setup_line(course.setup),
        "link": link_of(sitting) + (f"&was={quote(was)}" if was else ""),
        "plain_link": link_of(sitting),
        "seed": f"{sitting.seed}/{sitting.game}",
        "number": len(course.made) + 1,
        "back": _with_moves(sitting, was) if was else "",
        "seats": [_who(seat, who, course) for seat, who in enumerate(sitting.seats)],
        "again": link_for(Course(sitting.as_dealt())) if course.made else "",
        "can_undo": bool(course.own_decisions()),
        "form": new_query(sitting),
        "notes": [*filter(None, [differences_line(course.setup)]), *course.setup.notes],
        "about": course.setup.ruleset.about,
        "how_to_play": how_to_play(course.setup, here().language),
        "guided": here().guided,
        "guide": guidance(course, here().language) if here().guided else None,
        "guided_decisions": DECISIONS,
    }


def _with_moves(sitting: Sitting, signs: str) -> str:
    return link_for(Course(Sitting(sitting.setup, sitting.seed, sitting.game, sitting.seats, moves_of(signs))))


def _who(seat: int, who: str, course: Course) -> str:
    return f"seat {seat + 1}: {'a person' if who == PERSON else who}"


def table_page(course: Course, query: Query, record: str | None) -> str:
    """The game as the person to move sees it; hidden if another person moved before; or the end."""
    frame = _frame(course, query) | {"record": record or ""}
    if course.over:
        return _page("end.html.j2", **frame, **_end(course))
    several = len(course.sitting.people) > 1
    if several and query.get("open", "") != str(course.to_move + 1):
        return _page("cover.html.j2", **frame, seat=course.to_move + 1)
    return _page("table.html.j2", **frame, **_seen(course), hint=None, first_step=STEPS[0])


def hint_page(course: Course, query: Query, worlds: int, part: bool, record: str | None) -> str:
    """The game with a hint below it; for the script only the hint."""
    hint = _hint(houle.advise(position_of(course), worlds=worlds, players=worlds >= STEPS[-1]), worlds)
    frame = _frame(course, query) | {"record": record or ""}
    if part:
        return _page("hint.html.j2", link=frame["link"], hint=hint)
    return _page("table.html.j2", **frame, **_seen(course), hint=hint, first_step=STEPS[0])


def moves_page(course: Course, query: Query) -> str:
    """All moves so far as the player saw them, with a link back to each of the player's own moves."""
    seat = course.sitting.people[0] if course.over else course.to_move
    if len(course.sitting.people) > 1 and not course.over and query.get("open", "") != str(seat + 1):
        raise PositionError("moves: show your hand first")
    sitting, was = course.sitting, query.get("was", "") or signs_of(course.sitting.moves)
    own = set(course.own_decisions())
    rows = []
    for made in course.made:
        one = heard(course, made, seat, with_events=False)
        before = link_for(Course(sitting.until(made.number - 1)), None, was) if made.number - 1 in own else ""
        rows.append({"number": made.number, "seat": made.seat + 1, "words": one.words, "what_if": before})
    return _page("moves.html.j2", **_frame(course, query), rows=rows)


def new_page(query: Query, first: Sitting) -> str:
    setup = setup_of(query, first.setup)
    return _page("new.html.j2", title="A new game", **form_data(setup, first), seed=query.get("seed", ""))


def new_query(sitting: Sitting) -> str:
    setup = sitting.setup
    return f"game={setup.ruleset.name}&players={setup.players}&variant={quote('+'.join(setup.variants))}"


def fault_page(problem: str) -> str:
    return _page("fault.html.j2", title="This does not work", problem=problem)


def _seen(course: Course) -> dict[str, Any]:
    """The position; a card that means a move is a button."""
    view = seat_view(course)
    rows = [_row(row, view.choices) for row in view.rows]
    news = [{"seat": one.seat + 1, "own": one.seat == view.seat, "words": one.words, "events": one.events}
            for one in view.news]  # fmt: skip
    choices = [{"place": choice.place, "words": choice.words} for choice in view.choices]
    several = len(course.sitting.people) > 1
    return {"seat": view.seat + 1, "hand": view.hand, "signals": view.signals, "rows": rows, "news": news,
            "choices": choices, "opened": view.seat + 1 if several else 0}  # fmt: skip


def _row(row: Row, choices: tuple[Choice, ...]) -> dict[str, Any]:
    cards = []
    for card in row["cards"]:
        word = card.get("move") if row.get("own") else None
        meant = [choice for choice in choices if word and f" {word} " in f" {choice.name} {choice.words} "]
        drawn = Markup(face({name: value for name, value in card.items() if name != "move"}, here().say))
        words = meant[0].words if len(meant) == 1 else f"{len(meant)} moves with {word}"
        cards.append({"svg": drawn, "places": [choice.place for choice in meant], "words": words})
    return {"label": row["label"], "text": row.get("text", ""), "cards": cards}


def _hint(advice: Advice, worlds: int) -> dict[str, Any]:
    longer = next((step for step in STEPS if step > worlds), 0) if len(advice.moves) > 1 else 0
    rows = []
    for move in advice.moves[:MOST_ROWS]:
        low, value, high = (round(100 * part, 1) for part in (move.win.low, move.win.value, move.win.high))
        rows.append({"words": shown_side(move.name), "win": move.win, "low": low, "value": value,
                     "wide": round(max(high - low, 0.6), 1)})  # fmt: skip
    return {"worlds": advice.games, "rows": rows, "verdict": verdict(advice, more=False), "longer": longer,
            "left": max(0, len(advice.moves) - MOST_ROWS)}  # fmt: skip


def _end(course: Course) -> dict[str, Any]:
    end, seat = ending_of(course), course.sitting.people[0]
    last = max((made.number for made in course.made if made.seat == seat), default=1)
    news = [heard(course, made, seat) for made in course.made[last - 1 :]]
    return {"end": end, "news": [{"seat": one.seat + 1, "own": one.seat == seat, "words": one.words,
                                  "events": one.events} for one in news]}  # fmt: skip
