"""The form for a new game: players, variants, and who plays in which seat; other rules stay as they are."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from houle.analysis.limits import MOST_INDEX
from houle.analysis.play.table_game import MOST_NAME, PERSON, Sitting, from_record, sit_down
from houle.analysis.players.listing import players_at
from houle.analysis.result import words_of_setup
from houle.cli.play.table import kind_of
from houle.solver.errors import InputError, StrategyError
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.line_parser import read_lines
from houle.solver.matches.record.setup_head import fields_of
from houle.solver.rules import SET, Knob, Setup, deck_names, field_text, game_names, load, provenance
from houle.solver.texts import typed_number

MOST_NEW_SEED = 10**9
NO_SEAT = "clairvoyant"


def number_of(form: Mapping[str, str], name: str, least: int, most: int, default: int) -> int:
    text = form.get(name, "").strip()
    if not text:
        return default
    number = typed_number(text)
    if number is None or not least <= number <= most:
        raise InputError(f"{name}: {text[:40]!r} is not allowed; allowed: a whole number from {least} to {most}")
    return number


def setup_of(form: Mapping[str, str], near: Setup) -> Setup:
    """The setup that a form describes; `near` itself if it is the same, because it knows its files and its name."""
    setup = Setup.read(form, near, "new game")
    return near if setup.digest == near.digest else setup


def seed_of_today() -> int:
    """The seed of the deal of the day, the same everywhere."""
    return int(f"{date.today():%Y%m%d}")


def chosen(form: Mapping[str, str], near: Setup) -> Sitting:
    """The game that a filled-in form describes."""
    setup = setup_of(form, near)
    new = secrets.randbelow(MOST_NEW_SEED)
    seed = (
        seed_of_today()
        if form.get("deal") == "today"
        else number_of(form, "seed", least=0, most=2**64 - 1, default=new)
    )
    names = [form.get(f"name {seat + 1}", "") for seat in range(setup.players)]
    return sit_down(
        setup, seats_in(form, setup), seed, number_of(form, "number", least=0, most=MOST_INDEX, default=0), names=names
    )


def seats_in(form: Mapping[str, str], setup: Setup) -> list[str]:
    """Who plays in each seat; by default a person in the first seat and thumb in the others."""
    named = {one.player.name for one in players_at(setup) if not one.missing} | {PERSON}
    seats = []
    for seat in range(setup.players):
        who = form.get(f"seat {seat + 1}", PERSON if seat == 0 else "thumb" if "thumb" in named else "random")
        if who not in named:
            raise StrategyError(f"seat {seat + 1}: {who[:40]!r} is not allowed; allowed: {', '.join(sorted(named))}")
        seats.append(who)
    return seats


def loaded(form: Mapping[str, str], near: Setup) -> Sitting:
    """The game of a record that was uploaded."""
    text = form.get("record", "")
    mine = f"rules: {near.digest}" in text
    setup = near if mine else Setup.read(fields_of(read_lines(text, "record")), near, "record")
    return from_record(read_record(text, setup), seats_in(form, setup))


def form_data(setup: Setup, sitting: Sitting) -> dict[str, Any]:
    """What the form shows: all choices with their texts and sources."""
    ruleset = setup.ruleset
    players = [one for one in players_at(setup) if not one.missing and one.player.name != NO_SEAT]
    seats = sitting.seats if sitting.setup.players == setup.players else (PERSON, *["thumb"] * (setup.players - 1))
    names = [*(sitting.names if sitting.setup.players == setup.players else ()), *[""] * setup.players]
    return setup_data(setup) | {
        "about": ruleset.about,
        "player": ruleset.player,
        "most_name": MOST_NAME,
        "rules": [(name, value) for name, value in setup.fields().items() if name.startswith(SET)],
        "studio": urlencode(setup.fields()),
        "command": shlex.join(["houle", "studio", *words_of_setup(setup)]),
        "seats": [
            {
                "number": seat + 1,
                "name": names[seat],
                "choices": [_seat(PERSON, "a person", who)]
                + [_seat(one.player.name, kind_of(one.player.name), who, one.player.strategy) for one in players],
            }
            for seat, who in enumerate(seats)
        ],
    }


def setup_data(setup: Setup) -> dict[str, Any]:
    """The games, numbers of players and variants to choose from, with those of a setup marked."""
    ruleset = setup.ruleset
    return {
        "games": [{"name": name, "title": load(name).title, "here": name == ruleset.name} for name in game_names()],
        "game": ruleset.name,
        "players": [{"number": number, "here": number == setup.players} for number in ruleset.players],
        "variants": [
            {"name": one.name, "text": one.text, "provenance": one.provenance, "here": one.name in setup.variants}
            for one in ruleset.variants.values()
        ],
    }


def _seat(name: str, words: str, who: str, strategy: str = "") -> dict[str, Any]:
    return {"name": name, "words": words, "here": who in (name, strategy)}


def knob_data(setup: Setup, knob: Knob) -> dict[str, Any]:
    """A rule as a field of a form: its value, what can be chosen, where it comes from, and what it means."""
    value = field_text(setup.options[knob.name])
    choices = {"bool": ["true", "false"], "choice": list(knob.choices)}.get(knob.type, [])
    if knob.type == "deck":
        choices = sorted({*deck_names(knob.folder), value})
    return {
        "name": knob.name,
        "value": value,
        "choices": choices,
        "allowed": knob.allowed,
        "text": knob.text,
        "provenance": provenance(setup, knob.name),
    }
