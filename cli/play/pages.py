"""The pages as HTML, with cards drawn as in reports. All content comes from analysis/play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import houle
from houle.analysis.play.ending import because, by_experts, ending_of, open_rows
from houle.analysis.play.link import command_for, link_of, moves_of, signs_of
from houle.analysis.play.seat_view import (
    DECISIONS,
    Heard,
    SeatView,
    guidance,
    history,
    names_for,
    position_of,
    seat_view,
)
from houle.analysis.play.table_game import Course, Sitting
from houle.analysis.result import setup_title
from houle.cli.framework.advice import plain_reason, verdict
from houle.cli.play.forms import form_data, seed_of_today, setup_of
from houle.cli.play.table import groups_of, kind_of, table_of
from houle.cli.web.languages import here
from houle.reports.cards import PAINTS
from houle.reports.html.page import TEMPLATES as REPORT_TEMPLATES
from houle.reports.html.page import templates
from houle.solver.errors import PositionError
from houle.solver.language.how_to_play import how_to_play
from houle.solver.language.seats import to_player
from houle.solver.matches.record.position import has_positions
from houle.solver.matches.views import move_in_words, view_of
from houle.solver.rules import differences_line

TEMPLATES = Path(__file__).parent / "templates"
STEPS = (40, 160, 640, 2_000)  # worlds of a hint, which gets better step by step
ASSETS = ("style.css", "script.js", "review.css", "review.js", "setup_position.css", "setup_position.js")
SETTLED = 640  # worlds from which a hint commits itself
MOST_ROWS = 12  # moves of a hint that are shown
LEAST_SCALE = 0.05  # bars of a hint are not drawn larger: five games in 100, or this part of the scores, fill the width

Query = Mapping[str, str]


@lru_cache
def asset(name: str) -> str:
    """A script or style; the main style is that of reports with our additions."""
    own = (TEMPLATES / name).read_text(encoding="utf-8")
    if name != "style.css":
        return own
    paints = "".join(f".paint-{one} {{ background: {card}; color: {ink}; }}\n" for one, (card, ink) in PAINTS.items())
    return (REPORT_TEMPLATES / name).read_text(encoding="utf-8") + own + paints


def render(template: str, **values: Any) -> str:
    shared = {"lan": False, "no_hints": False, "advises": True, "languages": here().switches()}
    return templates(TEMPLATES).get_template(template).render(shared | values)


def link_for(sitting: Sitting, was: str = "", opened: int | None = None) -> str:
    """The link of a game. With several people all hands are hidden, except that of a person who moves again."""
    link = link_of(sitting)
    if len(sitting.people) > 1 and opened is not None:
        link += f"&open={opened + 1}"
    return f"{link}&was={quote(was)}" if was else link


def frame(course: Course, query: Query) -> dict[str, Any]:
    """What all pages of a game share."""
    was = query.get("was", "")
    moves_of(was)  # raises an error if it is not a list of moves
    sitting = course.sitting
    return {
        "start": bool(sitting.start),
        "advises": has_positions(course.setup),
        "title": setup_title(course.setup),
        "link": link_for(sitting, was),
        "plain_link": link_of(sitting),
        "seed": f"{sitting.seed}/{sitting.game}",
        "number": len(course.made) + 1,
        "back": link_of(replace(sitting, moves=moves_of(was))) if was else "",
        "seats": [
            {"name": name, "kind": kind_of(who)}
            for name, who in zip(names_for(course, None), sitting.seats, strict=True)
        ],
        "seat": course.to_move + 1,
        "mover": names_for(course, None)[course.to_move],
        "deal_link": link_of(sitting.until(0)),
        "deal_command": command_for(sitting.until(0)),
        "today": link_of(replace(sitting.until(0), seed=seed_of_today(), game=0, start="")),
        "can_undo": bool(course.own_decisions()),
        "form": urlencode(sitting.setup.fields()),
        "notes": [*filter(None, [differences_line(course.setup)]), *course.setup.notes],
        "about": course.setup.ruleset.about,
        "how_to_play": how_to_play(course.setup, here().language),
        "guided": here().guided,
        "guide": guidance(course, here().language) if here().guided else None,
        "guided_decisions": DECISIONS,
    }


def reader(course: Course, query: Query, page: str) -> int:
    """The seat whose view a page shows: that of the person to move, once the hand is shown; the first after the end."""
    if course.over:
        return course.sitting.people[0]
    if not course.waits_for_a_person:
        raise PositionError(f"{page}: a person has to be to move")
    if len(course.sitting.people) > 1 and query.get("open", "") != str(course.to_move + 1):
        raise PositionError(f"{page}: show your hand first")
    return course.to_move


def table_page(course: Course, query: Query, record: str | None) -> str:
    """The game as the person to move sees it; hidden if another person moved before; or the end."""
    around = frame(course, query) | {"record": record or ""}
    if course.over:
        return render("end.html.j2", **around, **end_of(course, course.sitting.people[0]))
    several = len(course.sitting.people) > 1
    if several and query.get("open", "") != str(course.to_move + 1):
        return render("cover.html.j2", **around)
    return render("table.html.j2", **around, **seen(course, seat_view(course)), hint=None, first_step=STEPS[0])


def hint_page(course: Course, query: Query, worlds: int, part: bool, record: str | None) -> str:
    """The game with a hint beside it; for the script only the hint."""
    reader(course, query, "hint")
    hint, around = hint_of(course, worlds), frame(course, query) | {"record": record or ""}
    if part:
        return render("hint.html.j2", link=around["link"], opened=_opened(course), hint=hint)
    return render("table.html.j2", **around, **seen(course, seat_view(course)), hint=hint, first_step=STEPS[0])


def moves_page(course: Course, query: Query) -> str:
    """All moves so far as the player saw them, with a link back to each of the player's own moves."""
    seat = reader(course, query, "moves")
    sitting, was = course.sitting, query.get("was", "") or signs_of(course.sitting.moves)
    own = dict.fromkeys(course.own_decisions())
    back = {number + 1: link_for(sitting.until(number), was) for number in own}
    parts = _chapters(history(course, seat), newest_first=False)
    return render("moves.html.j2", **frame(course, query), parts=parts, back_to=back)


def _chapters(moves: Iterable[Heard], newest_first: bool) -> list[dict[str, Any]]:
    """The moves by the parts of the game."""
    parts = [{"title": title, "moves": list(part)} for title, part in groupby(moves, key=lambda one: one.chapter)]
    if newest_first:
        return [{"title": part["title"], "moves": part["moves"][::-1]} for part in parts[::-1]]
    return parts


def new_page(query: Query, first: Sitting) -> str:
    setup = setup_of(query, first.setup)
    return render("new.html.j2", title="A new game", **form_data(setup, first), seed=query.get("seed", ""))


def fault_page(problem: str) -> str:
    return render("fault.html.j2", title="This does not work", problem=problem)


def seen(course: Course, view: SeatView) -> dict[str, Any]:
    """The table and the history as a person sees them; the news begin with what the person's last move brought."""
    last = max((one.number for one in view.news if one.seat == view.seat), default=0)
    return {
        "table": table_of(view, course.sitting.seats),
        "hand": view.hand,
        "signals": view.signals,
        "question": view.question,
        "news": [one for one in view.news if one.number >= last],
        "me": view.seat,
        "parts": _chapters(history(course, view.seat), newest_first=True),
        "opened": _opened(course),
    }


def _opened(course: Course) -> int:
    """The seat whose hand is shown, from 1, for the addresses of its pages; 0 if there is only one person."""
    return course.to_move + 1 if len(course.sitting.people) > 1 else 0


def hint_of(course: Course, worlds: int) -> dict[str, Any]:
    """What to play, for the person to move."""
    advice = houle.advise(position_of(course), worlds=worlds, players=False)
    longer = next((step for step in STEPS if step > worlds), 0) if len(advice.moves) > 1 else 0
    seat, names = course.to_move, names_for(course, course.to_move)

    def say(name: str) -> str:
        return to_player(course.setup, move_in_words(course.setup, name), seat, names)

    # Bars are drawn on a scale of differences; the longest fills it.
    shown, goal = advice.moves[:MOST_ROWS], advice.goal
    scale = 100 / max(LEAST_SCALE * goal.span, *(move.loss.value for move in shown))
    unit, digits = goal.pick((100, 0), (1, 1))
    rows = [
        {"words": say(move.name), "reached": f"{unit * advice.reached(move).value:.{digits}f}",
         "cost": f"{unit * move.loss.value:.{digits}f}", "wide": round(scale * max(0.0, move.loss.value), 1)}
        for move in shown
    ]  # fmt: skip
    settled = worlds >= SETTLED or not advice.contenders
    rough = not settled and advice.rival is not None and advice.rival.loss.low <= 0  # costs would only be noise
    return {
        "worlds": advice.games,
        "rough": rough,
        "rows": rows,
        "head": goal.head,
        "in_games": not goal.is_score,
        "verdict": verdict(advice, say, settled=settled, more=False),
        "reason": "" if rough else plain_reason(advice, say),
        "longer": longer,
        "left": max(0, len(advice.moves) - MOST_ROWS),
    }


def end_of(course: Course, seat: int) -> dict[str, Any]:
    """The result in one sentence to a person, the numbers of all players, and the last position with open cards."""
    end, setup = ending_of(course), course.setup
    names = names_for(course, seat)
    tallies = [row for row in view_of(course.match.state, setup, seat, names)
               if "values" in row and row["title"] != end.score and any(row["values"])]  # fmt: skip
    own = next(side for side in end.sides if seat in side.seats)
    rows = [
        {"name": names[who], "kind": kind_of(course.sitting.seats[who]), "verdict": side.verdict,
         "values": [row["values"][who] for row in tallies] + [side.score]}
        for side in end.sides for who in side.seats
    ] if not setup.one_sided else []  # fmt: skip
    return {
        "end": end,
        "own": own,
        "low_is_better": setup.ruleset.lower_is_better,
        "rows": rows,
        "columns": [*(row["title"] for row in tallies), end.score],
        "because": because(course.match, seat, course.sitting.called),
        "last_position": groups_of(open_rows(course, seat)),
        "parts": _chapters(history(course, seat), newest_first=True),
    }


def experts_page(course: Course, query: Query) -> str:
    """How experts do with the deal of a finished game, as a part of its page."""
    if not course.over:
        raise PositionError("experts: only after the end of a game")
    seat = course.sitting.people[0]
    own = next(side for side in ending_of(course).sides if seat in side.seats)
    return render("experts.html.j2", own=own, other=by_experts(course, seat), score=ending_of(course).score)
