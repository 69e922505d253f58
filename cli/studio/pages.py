"""The pages of the studio as HTML. All numbers come from analysis/studio."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from houle.analysis.comparison.effects import Effect
from houle.analysis.studio.rows import StudioRows
from houle.analysis.studio.state import LOCK, State, people
from houle.cli.play.forms import knob_data
from houle.cli.studio import answers as right
from houle.cli.studio.drawing import interval_row
from houle.cli.studio.jobs import Job
from houle.cli.studio.log import Entry, Log
from houle.cli.web.preparing import waiting_page
from houle.reports.html.page import templates
from houle.reports.rules_template import comment, template
from houle.solver.errors import InputError
from houle.solver.rules import (
    SET,
    Knob,
    Setup,
    difference_words,
    field_text,
    game_names,
    load,
    provenance,
    variant_name,
)

TEMPLATES = Path(__file__).parent / "templates"
ASSETS = ("studio.css", "studio.js")
MOST_SLIDER = 64  # values of a slider; a wider range is a number to type
OUT = "out"
NAMED_MEASURES = {"win": "wins", "first-seat": "first seat", "length": "turns"}


@lru_cache
def asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def render(name: str, **values: Any) -> str:
    return templates(TEMPLATES).get_template(name).render(values)


def with_knob(state: State, knob: str, value: Any) -> str:
    """The address of a state with another value of a knob; without it if the value is None."""
    try:
        return replace(state, setup=state.setup.turned({knob: value})).query
    except InputError:
        return ""


def turned_knob(state: State, knob: Knob) -> dict[str, Any]:
    """A rule with all that one can do with it here."""
    setup = state.setup
    changed = f"{SET}{knob.name}" in setup.fields()
    slider = (
        knob.type == "int" and knob.low is not None and knob.high is not None and knob.high - knob.low <= MOST_SLIDER
    )
    return knob_data(setup, knob) | {
        "id": knob.name.replace(".", "-"), "plain": field_text(setup.plain_options[knob.name]), "slider": slider,
        "number": knob.type == "int", "low": knob.low, "high": knob.high, "changed": changed,
        "undo": with_knob(state, knob.name, None) if changed else "", "locked": knob.name in state.locked,
        "alive": knob.in_force(setup.options), "cards": cards_of(setup, knob), "edits": edits_of(state, knob),
    }  # fmt: skip


def cards_of(setup: Setup, knob: Knob) -> list[dict[str, Any]]:
    """The cards of a knob that lists which cards are out, each with whether it is in."""
    if knob.type != "names":
        return []
    now = setup.options[knob.name]
    names = [change.value for change in _all_cards(setup, knob.name)]
    names += [name for name in now if name not in names and names]
    return [{"name": name, "out": name in now} for name in names]


def _all_cards(setup: Setup, knob: str) -> list[Any]:
    """Every card that could be taken out, by a setup in which none is."""
    try:
        whole = setup.turned({knob: []})
    except InputError:
        whole = setup
    changes = whole.game.openings.card_changes(whole)
    return [one for one in changes if one.knob == knob and one.sign == "+" and one.what == OUT]


def edits_of(state: State, knob: Knob) -> list[dict[str, str]]:
    """Single cards to add to a list of numbers or to take from it, each as an address."""
    if knob.type != "ints":
        return []
    edits = []
    for change in state.setup.game.openings.card_changes(state.setup):
        if change.knob == knob.name and change.sign:
            value = knob.edited(state.setup.options[knob.name], [change.value], change.sign)
            if query := with_knob(state, knob.name, value):
                edits.append({"words": f"{change.card} {change.what}", "query": query})
    return edits


def left_data(state: State) -> dict[str, Any]:
    """What the script needs after a change: the address, the differences in words, and the marks of all knobs."""
    setup, changed = state.setup, state.setup.fields()
    return {
        "query": state.query, "differs": differs(setup), "problem": "", "variant": variant_name(setup),
        "knobs": {knob.name: {"value": field_text(setup.options[knob.name]), "changed": f"{SET}{knob.name}" in changed,
                              "alive": knob.in_force(setup.options), "provenance": provenance(setup, knob.name)}
                  for knob in setup.ruleset.knobs.values()},
    }  # fmt: skip


def differs(setup: Setup) -> str:
    """How the rules differ from print, in a line."""
    words = difference_words(setup)
    return f"Differs from print: {'; '.join(words)}." if words else "The printed rules, without a change."


def effect_data(effects: Mapping[str, Effect], setup: Setup) -> dict[str, Any]:
    """Every rule's rank by effect, whether any game notices it, and what a step does in words."""
    order = sorted(effects, key=lambda name: effects[name].size, reverse=True)
    data: dict[str, Any] = {}
    for name in setup.ruleset.knobs:
        one = effects.get(name)
        data[name] = {"rank": order.index(name) if one else len(order), "alive": bool(one and not one.idle),
                      "words": effect_words(one) if one and not one.idle else ""}  # fmt: skip
    return data


def effect_words(effect: Effect) -> str:
    """What a step does, where that is certain: `hand.back=1: wins -8 points (-12 to -4)`."""
    sure = [f"{NAMED_MEASURES.get(name, name)} {one.text()}" for name, one in effect.by.items() if one.differs]
    return f"From print, {effect.arm.label}: {', '.join(sure)}" if sure else ""


def studio_page(live: StudioRows, log: Log, problem: str, knob: str, effects: Mapping[str, Effect] | None) -> str:
    state = live.state
    setup = state.setup
    ruleset = setup.ruleset
    knobs = [turned_knob(state, one) for one in ruleset.knobs.values() if not fixed(one, setup)]
    known = effect_data(effects, setup) if effects is not None else {}
    for one in knobs:
        effect = known.get(one["name"], {"rank": 0, "alive": True, "words": ""})
        one["alive"] = one["changed"] or (one["alive"] and effect["alive"])
        one["rank"], one["effect"] = effect["rank"], effect["words"]
    knobs.sort(key=lambda one: one["rank"])
    return render(
        "studio.html.j2", title=f"{right.title_of(setup)}: studio", state=state, setup=setup, query=state.query,
        games=[{"name": name, "title": load(name).title} for name in game_names()], people=people(setup),
        variants=list(ruleset.variants.values()), differs=differs(setup),
        alive=[one for one in knobs if one["alive"]], idle=[one for one in knobs if not one["alive"]],
        problem=problem, faulty=knob, set=SET, lock=LOCK, one_sided=live.one_sided,
        parts=answer_parts(live, log), **pins(live),
    )  # fmt: skip


def fixed(knob: Knob, setup: Setup) -> bool:
    """Whether a knob is that of a variant, which has its own switch."""
    return any(knob.name in variant.set and knob.name == variant.name for variant in setup.ruleset.variants.values())


def pins(live: StudioRows) -> dict[str, Any]:
    state = live.state
    here = state.without_pins.query
    return {"pin_a": replace(state, pins={**state.pins, "a": here}).query,
            "pin_b": replace(state, pins={**state.pins, "b": here}).query,
            "unpin": state.without_pins.query if state.pins else ""}  # fmt: skip


def answer_parts(live: StudioRows, log: Log) -> dict[str, Markup]:
    """The parts of the page that change while games are counted, by their id."""
    data = right.answers(live)
    return {
        "sentence": Markup.escape(data["sentence"]),
        "answers": Markup(render("answers.html.j2", **data, query=live.state.query)),
        "commands": Markup(render("commands.html.j2", **data)),
        "log": Markup(render("log.html.j2", rows=log_rows(log.of(live.state.setup.ruleset.name)),
                             here=live.state.without_pins.query, query=live.state.query, pins=pinned(live, log))),
    }  # fmt: skip


def pinned(live: StudioRows, log: Log) -> list[dict[str, Any]]:
    """The pinned settings and the present one, with the numbers of the log."""
    if not live.state.pins:
        return []
    known = {entry["query"]: entry for entry in log.of(live.state.setup.ruleset.name)}
    all_pins = [*((name.upper(), query) for name, query in sorted(live.state.pins.items())),
                ("now", live.state.without_pins.query)]  # fmt: skip
    return [{"name": name, "query": query, "entry": known.get(query)} for name, query in all_pins]


def log_rows(entries: list[Entry]) -> list[dict[str, Any]]:
    return [{**one, "cells": [(who, row) for who, row in one["rows"].items()]} for one in entries]


def log_page(log: Log) -> str:
    """The log as one page that needs no server: every setting with its numbers and a picture."""
    from houle.analysis.stats.estimate import PERCENT, Estimate

    games: dict[str, list[dict[str, Any]]] = {}
    for entry in reversed(log.entries.values()):
        rows = []
        for who, (value, low, high, number) in entry["rows"].items():
            one = Estimate(value / 100, low / 100, high / 100, number, PERCENT)
            rows.append({"who": who, "text": one.text(), "value": value, "games": number,
                         "svg": interval_row(one, None, 1.0, None, f"{who}: {one.text()}")})  # fmt: skip
        games.setdefault(entry["game"], []).append({**entry, "rows": rows})
    style = Markup((TEMPLATES / "export.css").read_text(encoding="utf-8"))
    script = Markup((TEMPLATES / "export.js").read_text(encoding="utf-8"))
    titles = {name: load(name).title if name in game_names() else name for name in games}
    return render("export.html.j2", games=games, titles=titles, style=style, script=script)


def file_name(setup: Setup) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", (setup.title or variant_name(setup)).lower()).strip("-")
    return f"{setup.ruleset.name}-{words or 'variant'}"[:60].rstrip("-")


def rules_file(live: StudioRows, name: str) -> str:
    """The setup as a rules file, with the numbers and their commands as comments."""
    lines = comment(f"Made by houle studio. {right.sentence(live)}") if live.main.mine.games else []
    for row in live.rows:
        if row.mine.games:
            lines += comment(f"{row.people}: {row.mine.win().text()}, {row.mine.games:,} games")
            lines.append(f"#   {row.mine.result.repeat()}")
    return (
        "\n".join(["# " + line if not line.startswith("#") else line for line in lines])
        + ("\n\n" if lines else "")
        + template(live.state.setup, Path(name), True)
    )


def job_page(job: Job) -> str:
    """How far a job is, or what it found."""
    back = f"studio?{job.state.query}"
    if not job.done:
        return waiting_page(job.title, job.words, job.share, job.steps[-8:], back)
    if job.problem or job.result is None:
        return fault_page(job.problem or "nothing was found", back)
    result = job.result
    proposals = []
    for proposal in result.proposals:
        setup = replace(proposal.setup, title=job.state.setup.title)
        measured = [(wish.sentence(proposal.setup, proposal.fresh[wish.key])) for wish in result.wishes
                    if wish.key in proposal.fresh]  # fmt: skip
        proposals.append({"label": proposal.label, "hit": proposal.hit, "measured": measured,
                          "query": replace(job.state, setup=setup).query})  # fmt: skip
    effects = [
        (words, wish.change(result.setup, effect))
        for wish in result.wishes
        for words, effect in result.effects_on(wish)[:12]
    ]
    return render("design.html.j2", title=job.title, sentence=result.sentence(), proposals=proposals, effects=effects,
                  back=back, command=job.command, tried=result.tried, games=result.games)  # fmt: skip


def fault_page(problem: str, back: str = "./") -> str:
    return render("fault.html.j2", title="This does not work", problem=problem, back=back)
