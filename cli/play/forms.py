"""The form for a new game: players, variants, rules you can change with their sources, and who plays in which seat."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from houle.analysis.limits import MOST_INDEX
from houle.analysis.play.table_game import MOST_NAME, PERSON, Sitting, from_record, sit_down
from houle.analysis.players.read_players import players_at
from houle.solver.errors import InputError, RulesError, StrategyError
from houle.solver.matches.record.game import read_record
from houle.solver.rules import (
    Knob,
    Setup,
    deck_names,
    game_names,
    load,
    make_setup,
    provenance,
    shown_value,
    value_text,
)
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
    """The setup that a form describes; values equal to the default are not set."""
    name = form.get("game", near.ruleset.name)
    if name not in game_names():
        raise RulesError(f"game: {name[:40]!r} is unknown; allowed: {', '.join(game_names())}")
    ruleset = load(name)
    usual = near.players if near.ruleset.name == name else 3 if 3 in ruleset.players else ruleset.players[0]
    players = number_of(form, "players", 1, 99, usual)
    variants = [part for part in form.get("variant", "").split("+") if part]
    plain = make_setup(name, players, variants)
    settings = {}
    for knob in ruleset.knobs.values():
        typed = form.get(f"set {knob.name}")
        if typed is None or typed.strip() == knob_text(plain, knob):
            continue
        if knob.type == "deck" and typed not in deck_names(knob.folder):
            raise RulesError(
                f"{knob.name}: {typed[:40]!r} is not allowed; allowed: {', '.join(deck_names(knob.folder))}"
            )
        settings[knob.name] = knob.parse(typed)
    setup = make_setup(name, players, variants, settings) if settings else plain
    return near if setup.digest == near.digest else setup


def knob_text(setup: Setup, knob: Knob) -> str:
    return value_text(shown_value(setup.options[knob.name]))


def chosen(form: Mapping[str, str], near: Setup) -> Sitting:
    """The game that a filled-in form describes."""
    setup = setup_of(form, near)
    seed = number_of(form, "seed", 0, 2**64 - 1, secrets.randbelow(MOST_NEW_SEED))
    names = [form.get(f"name {seat + 1}", "") for seat in range(setup.players)]
    return sit_down(setup, seats_in(form, setup), seed, number_of(form, "number", 0, MOST_INDEX, 0), names)


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
    setup = read_record(text, near if mine else None).setup
    return from_record(text, seats_in(form, setup), setup)


def form_data(setup: Setup, sitting: Sitting) -> dict[str, Any]:
    """What the form shows: all choices with their texts and sources."""
    ruleset = setup.ruleset
    players = [one for one in players_at(setup) if not one.missing and one.player.name != NO_SEAT]
    seats = sitting.seats if sitting.setup.players == setup.players else (PERSON, *["thumb"] * (setup.players - 1))
    names = [*(sitting.names if sitting.setup.players == setup.players else ()), *[""] * setup.players]
    return {
        "games": [{"name": name, "title": load(name).title, "here": name == ruleset.name} for name in game_names()],
        "game": ruleset.name,
        "about": ruleset.about,
        "player": ruleset.player,
        "most_name": MOST_NAME,
        "players": [{"number": number, "here": number == setup.players} for number in ruleset.players],
        "variants": [
            {"name": one.name, "text": one.text, "provenance": one.provenance, "here": one.name in setup.variants}
            for one in ruleset.variants.values()
        ],
        "knobs": [_knob(setup, knob) for knob in ruleset.knobs.values()],
        "seats": [
            {"number": seat + 1, "name": names[seat], "choices": [_seat(PERSON, "a person", who)] + [
                _seat(one.player.name, f"{one.player.name}: {one.player.who}", who, one.player.strategy)
                for one in players
            ]}
            for seat, who in enumerate(seats)
        ],
        "rules": [{"text": rule.text, "provenance": rule.provenance} for rule in setup.fixed_rules],
    }  # fmt: skip


def _seat(name: str, words: str, who: str, strategy: str = "") -> dict[str, Any]:
    return {"name": name, "words": words, "here": who in (name, strategy)}


def _knob(setup: Setup, knob: Knob) -> dict[str, Any]:
    choices = {"bool": ["true", "false"], "choice": list(knob.choices)}.get(knob.type, [])
    if knob.type == "deck":
        choices = list(deck_names(knob.folder))
    value = knob_text(setup, knob)
    return {
        "name": knob.name,
        "value": value,
        "choices": choices if value in choices else [],
        "allowed": knob.allowed if knob.type != "deck" else "",
        "provenance": provenance(setup, knob.name),
        "text": knob.text,
    }
