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
from houle.analysis.play.advise import AdvisedMove
from houle.analysis.play.ending import because, by_experts, ending_of, open_rows
from houle.analysis.play.link import command_for, link_of, moves_of, signs_of
from houle.analysis.play.seat_view import (
    DECISIONS,
    TRAIL,
    SeatView,
    guidance,
    history,
    last_trick,
    names_for,
    position_of,
    possible_moves,
    seat_view,
    turns,
)
from houle.analysis.play.table_game import Course, Sitting
from houle.analysis.result import setup_title
from houle.cli.framework.advice import plain_reason, verdict
from houle.cli.play.forms import form_data, seed_of_today, setup_of
from houle.cli.play.table import LANE, groups_of, kind_of, table_of
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
STEPS = (400, 2_000)  # worlds of a hint: of a first look, and of the answer
ASSETS = ("style.css", "script.js", "review.css", "review.js", "setup_position.css", "setup_position.js")
MOST_ROWS = 12  # moves of a hint that are shown
FULL_BAR = 0.25  # what the longest bar of a hint costs, in games or as a part of the range of scores
MOST_FRAMES = 12  # moves of others that are shown one after another

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
    parts = _chapters(history(course, seat))
    return render("moves.html.j2", **frame(course, query), parts=parts, back_to=back)


def _chapters(lines: Iterable[Any]) -> list[dict[str, Any]]:
    """The history by the parts of the game, oldest first."""
    return [{"title": title, "lines": list(part)} for title, part in groupby(lines, key=lambda one: one.chapter)]


def new_page(query: Query, first: Sitting, in_studio: bool = False) -> str:
    setup, seed = setup_of(query, first.setup), query.get("seed", "")
    return render("new.html.j2", title="New game", **form_data(setup, first), seed=seed, in_studio=in_studio)


def fault_page(problem: str) -> str:
    return render("fault.html.j2", title="This does not work", problem=problem)


def seen(course: Course, view: SeatView) -> dict[str, Any]:
    """The table and the history as a person sees them; the news begin with what the person's last move brought."""
    last = max((one.number for one in view.news if one.seat == view.seat), default=0)
    return {
        "table": table_of(view),
        "hand": view.hand,
        "signals": view.signals,
        "question": view.question,
        "news": [one for one in view.news if one.number >= last],
        "me": view.seat,
        "parts": _chapters(turns(course, view.seat)),
        "opened": _opened(course),
        "frames": frames_of(course, view.seat),
    }


def frames_of(course: Course, seat: int) -> list[dict[str, Any]]:
    """The table after each of the moves since the seat's last one, as the seat saw it then, without moves to choose."""
    last = max((one.number for one in course.made if one.seat == seat), default=1)
    frames = []
    for made in course.made[last - 1 : -1][-MOST_FRAMES:]:
        view = replace(seat_view(course.until(made.number), seat, watches=True), acts=made.seat)
        frames.append({"number": made.number, "table": table_of(view)})
    return frames


def _opened(course: Course) -> int:
    """The seat whose hand is shown, from 1, for the addresses of its pages; 0 if there is only one person."""
    return course.to_move + 1 if len(course.sitting.people) > 1 else 0


def hint_of(course: Course, worlds: int) -> dict[str, Any]:
    """What to play, for the person to move; `rows` are empty until the last look."""
    advice = houle.advise(position_of(course), worlds=worlds, players=False)
    longer = next((step for step in STEPS if step > worlds), 0)
    seat, names = course.to_move, names_for(course, course.to_move)

    def say(name: str) -> str:
        return to_player(course.setup, move_in_words(course.setup, name), seat, names)

    goal, settled = advice.goal, not longer
    unit, digits = goal.pick((100, 0), (1, 1))
    here = advice.position.match()
    kinds = {one.kind: one.place for one in possible_moves(course.match)}

    def row(move: AdvisedMove) -> dict[str, Any]:
        cost = f"{unit * max(0.0, move.loss.value):.{digits}f}"
        return {
            "words": say(move.name),
            "place": kinds[here.seen(move.action, seat)[1]],
            "reached": f"{unit * advice.reached(move).value:.{digits}f}",
            "cost": "=" if move in advice.contenders else f"−{cost}" if move is not advice.best else "",
            "wide": min(100, round(float(cost) * 100 / (FULL_BAR * goal.span * unit))),
        }

    rows = [row(move) for move in advice.moves]
    return {
        "worlds": advice.games,
        "best": rows[0]["place"],
        "rows": rows if settled else [],
        "most_rows": MOST_ROWS,
        "head": goal.head,
        "in_games": not goal.is_score,
        "verdict": verdict(advice, say, settled=settled, more=False),
        "reason": plain_reason(advice, say) if settled else "",
        "longer": longer,
    }


def end_of(course: Course, seat: int) -> dict[str, Any]:
    """The result in one sentence to a person, the numbers of all players, and the last position with open cards."""
    end, setup = ending_of(course), course.setup
    names = names_for(course, seat)
    counted = [row for row in view_of(course.match.state, setup, seat, names) if "values" in row]
    tallies = [row for row in counted if row["drawn"] != "fan" and row["title"] != end.score and any(row["values"])]
    own = next(side for side in end.sides if seat in side.seats)
    trail = [row for row in last_trick(course, seat, names) if row["layout"] == TRAIL]
    # Roads lie one above the other, so that they line up with what stands over their columns.
    last_rows = [*trail, *sorted(open_rows(course, seat), key=lambda row: row["layout"] != LANE)]
    rows = (
        [
            {
                "name": names[who],
                "kind": kind_of(course.sitting.seats[who]),
                "verdict": side.verdict,
                "values": [row["values"][who] for row in tallies] + [side.score],
            }
            for side in end.sides
            for who in side.seats
        ]
        if not setup.one_sided
        else []
    )
    return {
        "end": end,
        "own": own,
        "low_is_better": setup.ruleset.lower_is_better,
        "rows": rows,
        "columns": [*(row["title"] for row in tallies), end.score],
        "because": because(course.match, seat, course.sitting.called),
        "last_position": groups_of(last_rows),
        "parts": _chapters(turns(course, seat)),
        "frames": frames_of(course, seat),
    }


def experts_page(course: Course, query: Query) -> str:
    """How experts do with the deal of a finished game, as a part of its page."""
    if not course.over:
        raise PositionError("experts: only after the end of a game")
    seat = course.sitting.people[0]
    own = next(side for side in ending_of(course).sides if seat in side.seats)
    return render("experts.html.j2", own=own, other=by_experts(course, seat), score=ending_of(course).score)
