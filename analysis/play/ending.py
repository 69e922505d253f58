"""The end of a game that people played: who won, the scores, why it is over, and the rulebook's word for the score."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import bands
from houle.analysis.play.seat_view import names_for
from houle.analysis.play.table_game import PERSON, Course
from houle.analysis.play.trace import ending
from houle.analysis.players.line_ups import EXPERT, line_up
from houle.analysis.players.results_file import add_result
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.errors import InputError
from houle.solver.language.seats import from_1, seat_names, to_player
from houle.solver.matches.match import Match
from houle.solver.matches.views import HAND, MIDDLE, Face, Row, view_of
from houle.solver.rules import Setup
from houle.solver.texts import of_plural


@dataclass(frozen=True)
class SideResult:
    """The result of one side."""

    name: str  # seats count from 1
    seats: tuple[int, ...]
    score: int
    share: float  # of the win
    band: str  # the rulebook's word for the score; empty if it has none
    can_win: bool = True  # the score is not the goal

    @property
    def verdict(self) -> str:
        if not self.can_win:
            return ""
        if self.share in (0.0, 1.0):
            return "won" if self.share else "lost"
        return f"shares the win ({self.share:.2f})"


@dataclass(frozen=True)
class Ending:
    """A finished game."""

    why: tuple[str, ...]
    drawn: bool
    score: str  # what is scored
    sides: tuple[SideResult, ...]
    counts: dict[str, int]
    shown: str  # the final state, all cards face up


def ending_of(course: Course) -> Ending:
    """How a finished game ended; all cards may be shown now."""
    setup, result = course.setup, course.match.result()
    why = tuple(from_1(line) for line in ending(course.match))
    shown = from_1(course.match.show())
    sides = side_results(setup, result)
    return Ending(
        why=why,
        drawn=bool(result["drawn"]),
        score=setup.score.replace("_", " "),
        sides=sides,
        counts=result["counts"],
        shown=shown,
    )


def side_results(setup: Setup, result: dict[str, Any]) -> tuple[SideResult, ...]:
    """The result of every side."""
    words, sides = bands(setup), []
    for side, (name, seats) in enumerate(setup.game.side_names(setup)):
        score = int(result["scores"][side])
        band = next(
            (band.word for band in words if band.low <= score and (band.high is None or score <= band.high)), ""
        )
        share = result["shares"][side] / WHOLE_WIN
        sides.append(
            SideResult(
                from_1(name), seats=tuple(seats), score=score, share=share, band=band, can_win=not Goal(setup).is_score
            )
        )
    return tuple(sides)


def open_rows(course: Course, reader: int) -> list[Row]:
    """The last position with all cards open: of every row the view of the player who sees most of it."""
    names, found = names_for(course, reader), dict[tuple[int, str], Row]()
    for viewer in range(course.setup.players):
        for row in view_of(course.match.state, course.setup, viewer, names_for(course, viewer)):
            owner = row.get("seat")
            seat = owner if owner is not None else viewer if row["region"] == HAND else -1
            shown: list[Face] = [{**card, "blocked": ""} for card in row["cards"]]
            hidden = sum(bool(card.get("hidden")) for card in shown)
            kept = found.get((seat, row["title"]))
            if shown and (kept is None or hidden < sum(bool(card.get("hidden")) for card in kept["cards"])):
                label = f"{names[seat]}: {row['title']}" if 0 <= seat < len(names) else row["title"]
                found[seat, row["title"]] = {**row, "cards": shown, "label": label, "region": MIDDLE, "seat": None}
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def by_experts(course: Course, reader: int) -> SideResult:
    """The result of the reader's side if experts play this deal in the seats of the people."""
    sitting = course.sitting
    seats = tuple(EXPERT if who == PERSON else who for who in sitting.seats)
    match, seated = Course(sitting.until(0)).match, line_up(course.setup, list(seats))
    while match.to_move() >= 0:
        match.apply(match.decide(seated))
    return next(side for side in side_results(course.setup, match.result()) if reader in side.seats)


def because(match: Match, seat: int, given: Sequence[str] = ()) -> str:
    """Who won and why, in one sentence to the player in a seat: `You lost because player 2 ...`.

    Where the score is the goal, the score and why the game is over.
    """
    names = seat_names(match.setup, seat, given)
    setup, result = match.setup, match.result()
    side, sides = int(setup.rules[0].side[seat]), setup.game.side_names(setup)
    share, goal = result["shares"][side] / WHOLE_WIN, Goal(setup)
    if goal.is_score:
        why = [to_player(setup, line, seat, names) for line in ending(match)]
        points = f"You scored {of_plural(result['scores'][side], goal.score)}"
        return f"{points}: {'; '.join(why).rstrip('.')}." if why else f"{points}."
    won = (
        "Nobody won"
        if result["drawn"]
        else "You lost"
        if not share
        else "You won"
        if share == 1
        else "You share the win"
    )
    why = [to_player(setup, line, seat, names) for line in ending(match) or _by_score(match, side, sides)]
    return f"{won} because {'; '.join(why).rstrip('.')}."


def _by_score(match: Match, side: int, sides: list[tuple[str, list[int]]]) -> list[str]:
    """Why a side won or lost by score: its score and those of all winners; for a single winner also the next."""
    result, what = match.result(), match.setup.score.replace("_", " ")
    scores, low = result["scores"], match.setup.ruleset.lower_is_better
    order = sorted(range(len(sides)), key=lambda i: (-result["shares"][i], scores[i] if low else -scores[i]))
    winners = [i for i in order if result["shares"][i]] or order[:1]
    shown = order[:2] if winners == [side] else dict.fromkeys([*winners, side])
    return [", ".join(f"{sides[i][0]} has {of_plural(scores[i], what)}" for i in shown)]


def check_named_rules(setup: Setup) -> None:
    """Raises InputError if a results file cannot say which rules are played."""
    sources = set(setup.changed.values())
    if len(sources) > 1 or not all(map(os.path.isfile, sources)):
        raise InputError("--results: the file names rules by one rules file; write them with houle rules GAME --write")


@dataclass
class KeptResults:
    """The file, and the games that are in it already: going back and playing on differently counts once."""

    file: str
    noted: set[tuple[str, int, int]] = field(default_factory=set)

    def note(self, course: Course) -> None:
        """Add a finished game, unless it began at a position that was set up."""
        setup, sitting = course.setup, course.sitting
        game = (setup.digest, sitting.seed, sitting.game)
        if not course.over or sitting.start or game in self.noted:
            return
        check_named_rules(setup)
        self.noted.add(game)
        seat = sitting.people[0]
        side = next(side for side in ending_of(course).sides if seat in side.seats)
        others = [who for who in sitting.seats if who != PERSON]
        decided = side.share in (0.0, 1.0) and (setup.one_sided or others)
        add_result(
            self.file,
            {
                "game": setup.ruleset.name,
                "players": setup.players,
                "variant": "+".join(setup.variants) or "base",
                "rules": next((str(Path(file).resolve()) for file in setup.changed.values()), ""),
                "seats": "+".join(str(seat + 1) for seat in sitting.people) if others else "",
                "others": ",".join(others[:1] if len(set(others)) == 1 else others),
                "result": ("win" if side.share else "loss") if decided else side.score,
            },
        )
