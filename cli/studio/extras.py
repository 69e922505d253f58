"""The panels of the studio that are counted only while they are open, and what each rule does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from houle.analysis.kept import Kept
from houle.analysis.stats.estimate import Estimate
from houle.analysis.studio.course import DuringGame
from houle.analysis.studio.growing_results import Stop, on_same_deals
from houle.analysis.studio.panels import SideBySide, TwoRules, can_be_mapped
from houle.analysis.studio.rows import StudioRows
from houle.analysis.studio.single_changes import SingleChanges
from houle.analysis.studio.state import aim_of
from houle.cli.studio.answers import change_words, farthest, seat_scale
from houle.cli.studio.drawing import fan, interval_row, line_picture, quantile_of, shade
from houle.cli.studio.rendering import render
from houle.solver.errors import InputError
from houle.solver.language.seats import from_1
from houle.solver.rules import Deck, field_text
from houle.solver.texts import capital

CARDS, SIDE, MAP, COURSE = "cards", "side", "map", "course"
PANELS = (SIDE, COURSE, MAP, CARDS)  # what is known soonest is counted first
DO = "do"  # the field of an address that changes a card of a deck
FAR = 0.2  # from an equal share: the darkest colour of a map
MOST_KEPT = 120  # panels of all states together

Panel = SingleChanges | SideBySide | TwoRules | DuringGame
Memory = Kept[Hashable, Any]


class Extras:
    """What is shown beside the answers of a state: the panels in `names`, and what each rule does."""

    def __init__(self, live: StudioRows, memory: Memory, names: Sequence[str] = (), pair: Sequence[str] = ()) -> None:
        state, aimed = live.state, live.aimed.name
        self.live, self.memory, self.names = live, memory, tuple(name for name in PANELS if name in names)
        self.mappable = can_be_mapped(state.setup)
        usual = [name for name in (*state.setup.changed, *self.mappable) if name in self.mappable]
        usual.sort(key=lambda name: name in state.setup.ruleset.variants)  # the switch of a variant last
        self.pair = tuple(pair) if len({*pair} & {*self.mappable}) == 2 else tuple(dict.fromkeys(usual))[:2]
        here, before = (("rules", setup.digest, aimed, state.seed) for setup in (state.setup, live.before))
        self._here, self._before = here, before
        self.seed, self.aimed = state.seed, aimed
        self._turn = -1  # of what is counted in turn
        self._refused: list[Panel] = []  # the rules of a class in plain Python may fail in some game

    def panel(self, name: str, make: bool = False) -> Any:
        """A panel of this state; None if it is not open, cannot be, or if nobody has made it."""
        if name not in self.names or (name == MAP and len(self.pair) < 2):
            return None
        live, setup = self.live, self.live.state.setup
        makers: dict[str, Callable[[], Panel]] = {
            CARDS: lambda: SingleChanges(setup, self.aimed, self.seed, cards=True),
            SIDE: lambda: SideBySide(live),
            MAP: lambda: TwoRules(live, self.pair),
            COURSE: lambda: DuringGame(setup, live.state.who, self.seed),
        }
        key = (name, setup.digest, self.aimed, live.state.who, self.seed, *(self.pair if name == MAP else ()))
        return self.memory.get(key, makers[name]) if make else self.memory.known(key)

    @property
    def rules(self) -> SingleChanges | None:
        """What each rule does from here; from the printed rules until that is counted, None before."""
        for key in (self._here, self._before):
            found: SingleChanges | None = self.memory.known(key)
            if found is not None and found.found:
                return found
        return None

    def _work(self, only_panels: bool) -> list[Panel]:
        """What there is to count: the panels that are open, and what each rule does here and from the printed rules."""
        live = self.live
        panels = [panel for name in self.names if (panel := self.panel(name, True)) is not None]
        if only_panels:
            return panels
        rules = [
            self.memory.get(key, partial(SingleChanges, setup, self.aimed, self.seed, cards=False))
            for key, setup in ((self._before, live.before), (self._here, live.state.setup))
        ]
        return [*panels, *rules]

    def step(self, stop: Stop, only_panels: bool = False) -> bool:
        """Count a little more, everything in turn; false if nothing is left to count."""
        work = [one for one in self._work(only_panels) if one not in self._refused]
        for _ in work:
            self._turn += 1
            one = work[self._turn % len(work)]
            try:
                if one.step(stop):
                    return True
            except InputError:
                self._refused.append(one)
        return False


def extra_parts(live: StudioRows, extras: Extras, sent: bool = False) -> dict[str, Markup]:
    """The panels that are open, by their id; `sent`: those that are counted to the end."""
    makers: dict[str, Callable[..., str]] = {CARDS: cards_part, SIDE: side_part, MAP: map_part, COURSE: course_part}
    found = {name: extras.panel(name) for name in PANELS}
    parts = {name: Markup(makers[name](live, extras, one)) for name, one in found.items()
             if one is not None and (one.done or not sent)}  # fmt: skip
    return {name: parts.get(name, Markup("")) for name in PANELS}


# Signs on a card: what is done to it.
SIGNS = {"out": "−", "one less": "−", "in": "+", "one more": "+", "reverses": "↺"}


def cards_part(live: StudioRows, extras: Extras, changes: SingleChanges | None = None) -> str:
    """Every card with what can be done to it, in rows by colour and columns by number, coloured by the effect."""
    found = changes.found if changes is not None else {}
    state, setup = live.state, live.state.setup
    rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for change in setup.game.openings.card_changes(setup):
        row, _, column = change.card.partition(" ")
        if not column:
            row, column = "", change.card
        by = changes.effect((change.card, change.what)) if changes and (change.card, change.what) in found else None
        value = change.value if not change.sign else setup.ruleset.knobs[change.knob].edited(
            setup.options[change.knob], [change.value], change.sign)  # fmt: skip
        allowed = (
            changes is None or (change.card, change.what) in changes.changes
        )  # what the rules forbid is not counted
        query = state.with_rules({change.knob: field_text(value)})
        if isinstance(value, Deck):
            query = f"{state.query}&{DO}={quote(f'{change.card}: {change.what}')}"
        known = change_words(by, live.goal) if by is not None else "not counted yet" if allowed else "not possible"
        words = f"{change.card}, {change.what}: {known}"
        rows.setdefault(row, {}).setdefault(column, []).append({
            "sign": SIGNS.get(change.what, "−" if "los" in change.what or "without" in change.what else "+"),
            "what": change.what, "words": words, "shade": shade(by, live.goal.span),
            "query": query if allowed else "",
        })  # fmt: skip
    numbers = sorted({column for cells in rows.values() for column in cells if column.isdigit()}, key=int)
    tabled = {row: cells for row, cells in rows.items() if all(column.isdigit() for column in cells)}
    cards = setup.game.openings.cards
    games = sorted({effect.by[changes.measure].n for effect in found.values()}) if changes else []
    return render("cards.html.j2", tabled=tabled, numbers=numbers, others={row: cells for row, cells in rows.items()
                  if row not in tabled}, number=len(cards(setup)) if cards is not None else 0, games=games,
                  who=live.aimed.people, aim=aim_words(live))  # fmt: skip


def aim_words(live: StudioRows) -> str:
    named = {"win": live.goal.title, "score": live.goal.title, "first-seat": "games won by the first seat"}
    return named.get(aim_of(live.state.setup), "the distance of the farthest seat from an equal share")


def side_part(live: StudioRows, extras: Extras, side: SideBySide) -> str:
    """A small picture for every number of players."""
    rows = []
    for other in side.all:
        entry: dict[str, Any] = {"title": other.title, "problem": other.problem, "query": "", "mine": None}
        if other.setup is not None and other.mine is not None and other.print is not None:
            entry["query"] = replace(live.state, setup=other.setup).query
            if other.mine.games and other.print.games:
                entry |= _side_numbers(live, *on_same_deals(other.mine, other.print))
        rows.append(entry)
    return render("side.html.j2", rows=rows, who=live.aimed.people, one_sided=live.one_sided)


def _side_numbers(live: StudioRows, mine: Any, before: Any) -> dict[str, Any]:
    sides = len(mine.setup.game.side_names(mine.setup))
    fair = 1 / max(1, sides)
    far = 0 if live.one_sided else farthest(mine, sides)
    now, then = mine.rate(far), before.rate(far)
    changed = mine.setup.digest != before.setup.digest
    words = f"{now.text()}" + (f"; printed rules {then.text()}" if changed else "")
    ends = live.scale if live.one_sided else seat_scale(fair)
    halves = [quantile_of(one.course.lengths.tolist(), 0.5) for one in (mine, before)]
    return {"svg": interval_row(now, then if changed else None, ends, live.band(fair), words,
                                None if live.one_sided else fair),
            "mine": now, "games": mine.games,
            "against": change_words(now.difference(then), live.goal) if changed else "",
            "seat": "" if live.one_sided else from_1(mine.setup.game.side_names(mine.setup)[far][0]),
            "fair": 100 * fair, "length": halves[0], "unit": mine.setup.ruleset.turns}  # fmt: skip


def map_part(live: StudioRows, extras: Extras, two: TwoRules) -> str:
    """Two rules as a map: a cell for every pair of values, coloured by the measure of the target."""
    setup, ends = live.state.setup, live.scale if live.one_sided else (0.0, FAR)
    low, high = live.band(0.0)
    rows = []
    for first in two.axes[0]:
        cells = []
        for second in two.axes[1]:
            value = two.value((first, second))
            changed = two.cells[str(first), str(second)]
            here = setup.options[two.rules[0]] == first and setup.options[two.rules[1]] == second
            query = "" if isinstance(changed, str) else replace(live.state, setup=changed).query
            cells.append({"value": value, "here": here, "problem": changed if isinstance(changed, str) else "",
                          "hit": value is not None and low <= value.value <= high,
                          "shade": level_shade(value, ends), "query": query})  # fmt: skip
        rows.append({"name": field_text(first), "cells": cells})
    return render("map.html.j2", rows=rows, columns=[field_text(one) for one in two.axes[1]], rules=two.rules,
                  mappable=extras.mappable, games=two.games, who=live.aimed.people, aim=aim_words(live),
                  digits=int(live.goal.is_score))  # fmt: skip


def level_shade(value: Estimate | None, ends: tuple[float, float]) -> int:
    """A step of colour from 0 to 10 for a place on a scale."""
    return 0 if value is None else round(10 * min(1.0, max(0.0, (value.value - ends[0]) / (ends[1] - ends[0]))))


def course_part(live: StudioRows, extras: Extras, course: DuringGame) -> str:
    """The chance to win by turn, and what players have to choose from."""
    if not course.games:
        return render("course.html.j2", games=0, who=live.main.people)
    bands = course.bands()
    goal, side = live.goal, "" if live.one_sided else f" of {from_1(live.seats[0])}"
    named = f"{goal.title} to expect" if goal.is_score else f"chance{side} to win"
    marks = [goal.ends[0] + goal.span * share for share in (0, 0.5, 1, bands[0][2], bands[-1][2])]
    texts = [f"{mark:.3g}" if goal.is_score else f"{mark:.0%}" for mark in marks]
    words = f"{capital(named)} by turn: the middle game goes from {texts[3]} to {texts[4]}"
    pictures = [{"title": title, "svg": line_picture(values, f"{title} by turn")}
                for title, values in (("moves to choose from", course.moves()), ("cards in hand", course.cards()))
                if values]  # fmt: skip
    return render(
        "course.html.j2",
        games=course.games,
        who=live.main.people,
        svg=fan(bands, words, texts[:3]),
        named=capital(named),
        pictures=pictures,
        decided=course.decided(),
        worlds=course.worlds,
    )
