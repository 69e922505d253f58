"""The pages of the studio as HTML. All numbers come from analysis/studio."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from houle.analysis.studio.rows import StudioRows
from houle.analysis.studio.single_changes import SingleChanges
from houle.analysis.studio.state import LOCK, State, by_variants, people, read_state
from houle.cli.play.forms import knob_data
from houle.cli.studio import answers as right
from houle.cli.studio.decks import keep_text, near_deck, sent_text
from houle.cli.studio.drawing import asset, render
from houle.cli.studio.extras import Extras, cards_part
from houle.cli.studio.jobs import Job
from houle.cli.studio.log import Entry, Log, shown_in
from houle.cli.web.languages import here
from houle.cli.web.preparing import waiting_page
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
from houle.solver.rules.rules_file import Variant

ASSETS = ("studio.css", "studio.js")
MOST_SLIDER = 64  # values of a slider; a wider range is a number to type


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
        "id": knob.name.replace(".", "-"),
        "plain": field_text(setup.plain_options[knob.name]),
        "slider": slider,
        "number": knob.type == "int",
        "low": knob.low,
        "high": knob.high,
        "changed": changed,
        "undo": with_knob(state, knob.name, None) if changed else "",
        "locked": knob.name in state.locked,
        "alive": knob.in_play(setup.players, setup.options),
        "by_cards": knob.type in ("names", "deck")
        and knob.name in {change.knob for change in setup.game.openings.card_changes(setup)},
    }


def left_data(state: State) -> dict[str, Any]:
    """What the script needs after a change: the address, the differences in words, and the marks of all knobs."""
    setup, changed = state.setup, state.setup.fields()
    return {
        "query": state.query,
        "differs": differs(setup),
        "problem": "",
        "variant": variant_name(setup),
        "knobs": {
            knob.name: {
                "value": field_text(setup.options[knob.name]),
                "changed": f"{SET}{knob.name}" in changed,
                "alive": knob.in_play(setup.players, setup.options),
                "provenance": provenance(setup, knob.name),
            }
            for knob in setup.ruleset.knobs.values()
        },
    }


def differs(setup: Setup) -> str:
    """How the rules differ from the printed ones, in a line."""
    words = difference_words(setup)
    return f"Differs from the printed rules: {'; '.join(words)}." if words else "The printed rules, without a change."


def rule_data(changes: SingleChanges, live: StudioRows) -> dict[str, Any]:
    """Every rule that was tried: what a step does toward the target, and whether any game notices it."""
    want, setup = right.direction(live), live.state.setup
    here = changes.setup.digest == setup.digest
    found = {}
    for rule in dict.fromkeys(rule for rule, _ in changes.found):
        words = right.hint(changes, rule, want) if here or rule not in setup.changed else ""
        words = words if here or not words else f"From the printed rules, {words}"
        found[rule] = {"words": words, "idle": changes.idle(rule), "known": not words.endswith(right.AWAY)}
    return found


def studio_page(live: StudioRows, log: Log, problem: str, knob: str, extras: Extras) -> str:
    state = live.state
    setup = state.setup
    ruleset = setup.ruleset
    knobs = [turned_knob(state, one) for one in ruleset.knobs.values() if not by_variants(one, setup)]
    known = rule_data(extras.rules, live) if extras.rules is not None else {}
    for one in knobs:
        effect = known.get(one["name"], {"idle": False, "words": "", "known": False})
        one["alive"] = one["changed"] or one["alive"]
        one["known"] = effect["known"]
        one["effect"], one["folded"] = effect["words"], effect["idle"] and not one["changed"]
    turned = [one["name"] for one in knobs if one["alive"] and not one["by_cards"]]
    hand = [name for name in turned if name.startswith("hand")] or turned
    parts = answer_parts(live) | log_part(live, log)
    has_cards = bool(setup.game.openings.card_changes(setup))
    parts["cards"] = Markup(cards_part(live, extras.cards)) if has_cards else Markup("")
    return render(
        "studio.html.j2",
        title=f"{right.title_of(setup)}: studio",
        state=state,
        setup=setup,
        query=state.query,
        games=[{"name": name, "title": load(name).title} for name in games_beside(setup)],
        people=people(setup),
        variants=[one for one in ruleset.variants.values() if possible(one, setup)],
        differs=differs(setup),
        alive=[one for one in knobs if one["alive"]],
        idle=[one for one in knobs if not one["alive"]],
        problem=problem,
        faulty=knob,
        set=SET,
        lock=LOCK,
        one_sided=live.one_sided,
        goal=live.goal,
        ends=live.goal.ends if live.goal.is_score else (0, 100),
        deck_is_open=extras.deck_is_open,
        has_cards=has_cards,
        before_cards=hand[-1],
        parts=parts,
        switches=here().switches(),
        pin=replace(state, pin=state.without_pin.query).query,
        unpin=state.without_pin.query if state.pin else "",
    )


def games_beside(setup: Setup) -> list[str]:
    """The games of the first choice; a class in plain Python runs without the compiler, so no other game does."""
    return game_names() if setup.game.is_compiled else [setup.ruleset.name]


def possible(variant: Variant, setup: Setup) -> bool:
    """Whether a variant can be played by so many players."""
    knobs = setup.ruleset.knobs
    return all(
        knobs[name].fixes_players.get(value, setup.players) == setup.players
        for name, value in variant.set.items()
        if isinstance(value, str)
    )


def answer_parts(live: StudioRows, sent: bool = False) -> dict[str, Markup]:
    """The parts of the page that change while games are counted, by their id."""
    data = right.answers(live, sent)
    return {
        "sentence": Markup.escape(data["sentence"]),
        "status": Markup.escape(data["status"]),
        "small": data["small"],
        "answers": Markup(render("answers.html.j2", **data, query=live.state.query)),
        "commands": Markup(render("commands.html.j2", **data)),
    }


def log_part(live: StudioRows, log: Log) -> dict[str, Markup]:
    """What was tried, and what is pinned."""
    return {
        "log": Markup(
            render(
                "log.html.j2",
                rows=with_rates(log.of(live.state.setup.ruleset.name)),
                here=live.state.without_pin.query,
                query=live.state.query,
                pins=pinned(live, log),
            )
        )
    }


def event_data(extras: Extras, log: Log, short: bool = False) -> dict[str, Any]:
    """What an event holds: the parts of the page, and what each rule does if that is known; `short` without the log."""
    parts = answer_parts(extras.live)
    parts |= {"cards": Markup(cards_part(extras.live, extras.cards))} if extras.cards else {}
    rules = rule_data(extras.rules, extras.live) if extras.rules is not None else None
    return {"parts": parts if short else parts | log_part(extras.live, log), "rules": rules}


def pinned(live: StudioRows, log: Log) -> list[dict[str, Any]]:
    """The pinned setting and the present one, with the numbers of the log."""
    if not live.state.pin:
        return []
    known = {entry["query"]: entry for entry in with_rates(list(log.entries.values()))}
    both = {"pinned": live.state.pin, "this setup": live.state.without_pin.query}
    return [{"name": name, "query": query, "entry": known.get(query)} for name, query in both.items()]


def with_rates(entries: list[Entry]) -> list[Entry]:
    """Entries of the log with their rates for people."""
    return [{**one, "shown": shown_in(one)} for one in entries]


def send_page(extras: Extras, log: Log) -> str:
    """The state as one page: numbers, pictures, commands, the rules file, what was tried, and the state as data."""
    live, setup = extras.live, extras.live.state.setup
    parts, cards = answer_parts(live, sent=True), extras.cards
    parts["cards"] = unlinked(cards_part(live, cards)) if cards is not None and cards.done else Markup("")
    entries = [one for one in log.of(setup.ruleset.name) if one["send"]]
    title = f"{setup.ruleset.title}, {setup.title}" if setup.title else setup.ruleset.title
    data = json.dumps({"studio": 1, "query": live.state.query, "tried": entries, "decks": sent_text(setup)}).replace(
        "</", "<\\/"
    )
    return render(
        "send.html.j2",
        title=title,
        players=setup.players,
        parts=parts,
        differs=differs(setup),
        commands=right.commands(live, sent=True),
        rules=rules_file(live, "mine.toml"),
        entries=with_rates(entries),
        data=Markup(data),
        style=Markup(asset("studio.css")),
        made=time.strftime("%Y-%m-%d"),
    )


def unlinked(part: str) -> Markup:
    """A part of the page without the links, which need the server."""
    return Markup(re.sub(r'<a [^>]*href="studio[^>]*>(.*?)</a>', r"\1", part, flags=re.DOTALL))


def read_sent(text: str, name: str, near: Setup) -> tuple[State, list[Entry]]:
    """The state and what was tried, from a page that was sent; InputError if it is none."""
    match = re.search(r'<script type="application/json" id="houle-studio">(.*?)</script>', text, re.DOTALL)
    try:
        data: Any = json.loads(match[1]) if match else None
        query, tried = str(data["query"]), data["tried"]
        for stem, deck in data.get("decks", {}).items():
            keep_text(stem, deck)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(f"{name}: not a page of the studio; save one with its button *A page to send*") from None
    return read_state(query, near_deck(query, near)), tried if isinstance(tried, list) else []


def file_name(setup: Setup) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", (setup.title or variant_name(setup)).lower()).strip("-")
    return f"{setup.ruleset.name}-{words or 'variant'}"[:60].rstrip("-")


def rules_file(live: StudioRows, name: str) -> str:
    """The setup as a rules file, with the numbers and their commands as comments."""
    lines = comment(f"Made by houle studio. {right.sentence(live, True)}") if live.main.mine.games else []
    for row in live.rows:
        if row.mine.games:
            lines += comment(f"{row.people}: {live.goal.says(row.mine.rate())}, {row.mine.games:,} games")
            lines.append(f"#   {row.mine.command}")
    return (
        "\n".join(["# " + line if not line.startswith("#") else line for line in lines])
        + ("\n\n" if lines else "")
        + template(live.state.setup, Path(name), True)
    )


def job_page(job: Job) -> str:
    """How far a job is, or what it found."""
    back = f"studio?{job.state.query}"
    if not job.done:
        stop = f"stop-design?id={job.id}" if job.seconds else ""
        return waiting_page(job.title, job.words, job.share, job.steps[-8:], back=back, stop=stop)
    if job.problem or job.result is None:
        return fault_page(job.problem or "nothing was found", back)
    return render("page.html.j2", title=job.title, part=Markup(proposals_part(job)), problem="", back=back)


def proposals_part(job: Job) -> str:
    """What the search for the target found, so far or in the end."""
    result, proposals = job.result, []
    for proposal in result.proposals if result is not None else job.proposals:
        setup = replace(proposal.setup, title=job.state.setup.title)
        measured = [wish.sentence(proposal.setup, proposal.fresh[wish.key]) for wish in job.wishes]
        query = replace(job.state, setup=setup).query
        proposals.append(
            {
                "label": proposal.label,
                "hit": proposal.hit,
                "measured": measured,
                "query": query,
            }
        )
    effects = [
        (result.space.words(change), known[wish.key][0].text(), wish.change(result.setup, known[wish.key][1]))
        for proposal in (result.proposals[:1] if result is not None else ())
        for change, known in proposal.without.items()
        for wish in job.wishes
    ]
    return render(
        "proposals.html.j2",
        sentence=result.sentence() if result is not None else "",
        proposals=proposals,
        effects=effects,
        command=job.command,
        stopped=result.stopped if result is not None else "",
        tried=result.tried if result is not None else 0,
        games=result.games if result is not None else 0,
        done=job.done,
        problem=job.problem,
    )


def fault_page(problem: str, back: str = "./") -> str:
    return render("page.html.j2", title="This does not work", part="", problem=problem, back=back)
