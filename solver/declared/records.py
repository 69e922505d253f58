"""Plain Python parts of declared games: records, rules and texts that follow from FIELDS.

A game that defines one of these itself keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.declared.fields import DeclaredField, Fields, number, placed
from houle.solver.declared.kernels import (
    clearing_deal,
    clearing_determinize,
    counting_apply,
    end_of_this_round,
    make_counts,
    make_determinize,
)
from houle.solver.declared.seen import declared_seen
from houle.solver.errors import RulesError
from houle.solver.interface.files import misfit
from houle.solver.interface.limits import MAX_SIDES, OWNED
from houle.solver.rules import Knob, Setup, load

Function = Callable[..., Any]

# What only declared games may have, and the file of each.
DECLARED = {"FIELDS": "rules", "make_tables": "rules", "seating": "rules", "possible": "knows", "card_name": "words"}


def from_declaration(own: str, given: Mapping[str, Any], one_team: bool) -> dict[str, Any]:
    """Completes the definitions of a game with all that follows from its FIELDS, if it has them."""
    given = dict(given)
    extra = {name: given.pop(name, None) for name in DECLARED}
    declared: Fields | None = extra["FIELDS"]
    if declared is None:
        return given
    name = own.replace("_", "-")
    knobs, players = load(name).knobs, max(load(name).players)
    if (names := extra["card_name"]) is not None and (problem := misfit(names, Callable[[Setup, int], str])):
        raise RulesError(f"card_name {problem}: write card_name(setup, card)")
    declared = replace(placed(declared, players), card_name=names)
    if players > min(declared.seats, MAX_SIDES):
        room = f"FIELDS has room for {declared.seats} seats" if players > declared.seats else f"at most {MAX_SIDES}"
        raise RulesError(f"rules.toml: players: {players} players are not possible; {room}")
    for knob in knobs.values():
        if knob_field(knob.name) in OWNED:
            raise RulesError(
                f"rules.toml: knobs.{knob.name}: {knob_field(knob.name)} is an attribute of numpy records; rename it"
            )
    says = "SEEN" in given  # the game says itself what a seat sees
    secret = not ("determinize" in given and says)
    for fault in declared.faults(secret):
        raise RulesError(fault)
    made: dict[str, Any] = {"STATE": declared.state(own), "RULES": declared.rules(own, knob_parts(knobs))} | given
    if declared.rounds:
        made.setdefault("search_over", end_of_this_round)
    made |= {"declared": declared, "snapshot": given.get("snapshot") or snapshot}
    seating = extra["seating"] or seating_of(one_team, declared.teams)
    made.setdefault("make_rules", rules_maker(name, made["RULES"], seating, extra["make_tables"]))
    if not says:
        made["SEEN"] = declared_seen(declared)
    deal_again = made.get("determinize") or make_determinize(declared, extra["possible"])
    made["determinize"] = clearing_determinize(declared, made["STATE"], deal_again)
    if "counts" not in given:
        made["counts"] = make_counts(given.get("COUNTS", ())[3:], declared.rounds)
    if {"apply", "deal"} <= given.keys():
        made |= {"apply": counting_apply(given["apply"]), "deal": clearing_deal(declared, made["STATE"], given["deal"])}
    return made


def knob_field(knob: str) -> str:
    """The field of RULES that holds a knob: `hand.front` is `hand_front`."""
    return knob.replace(".", "_").replace("-", "_")


def knob_parts(knobs: Mapping[str, Knob]) -> dict[str, DeclaredField]:
    """The fields of RULES for knobs: numbers, booleans, indices of choices, lists. Games read names and decks."""
    parts: dict[str, DeclaredField] = {}
    for knob in knobs.values():
        name = knob_field(knob.name)
        if knob.type in ("int", "bool", "choice"):
            parts[name] = number()
        elif knob.type == "ints":
            parts[name], parts[f"{name}_count"] = number(knob.most), number()
    return parts


def seating_of(one_team: bool, teams: int) -> Function:
    """Makes `seating`: the side of each seat."""

    def seating(options: Mapping[str, Any], players: int) -> list[int]:
        return [0 if one_team else seat % teams if teams else seat for seat in range(players)]

    return seating


def rules_maker(name: str, dtype: np.dtype[Any], seating: Function, make_tables: Function | None) -> Function:
    """Makes `make_rules`: fills the fields of all knobs, seats and sides, then calls the game's `make_tables`."""

    def make_rules(options: Mapping[str, Any], players: int) -> Any:
        made = np.zeros(1, dtype).view(np.recarray)
        rules = made[0]
        sides = seating(options, players)
        rules.seats, rules.sides = players, max(sides) + 1
        rules.side[:players] = sides
        for knob in load(name).knobs.values():
            field, value = knob_field(knob.name), options[knob.name]
            if knob.type in ("int", "bool"):
                rules[field] = value
            elif knob.type == "choice":
                rules[field] = knob.choices.index(value)
            elif knob.type == "ints":
                rules[field][: len(value)] = value
                rules[f"{field}_count"] = len(value)
        if make_tables:
            make_tables(rules, options, players)
        return made

    return make_rules


def snapshot(state: Any, setup: Setup) -> dict[str, Any]:
    """Every declared field as plain data, sets as lists of cards; facts only about cards that lie."""
    declared: Fields = setup.game.declared
    seen = {"mover": int(state.mover)} | {
        name: plain_value(state[name], name, part, setup.players) for name, part in declared.all.items()
    }
    for name, part in declared.facts.items():
        if part.places and part.by_seat:
            seen[name] = [facts[: len(row)] for facts, row in zip(seen[name], seen[part.of], strict=True)]
        elif part.places:
            seen[name] = seen[name][: len(seen[part.of])]
    return seen


def plain_value(value: Any, name: str, part: DeclaredField, players: int) -> Any:
    """A field as plain data, without the entries of unused seats."""
    if part.by_seat or (part.cards and part.shape):
        inner = replace(part, shape=part.shape[1:], by_seat=False)
        return [plain_value(one, name, inner, players) for one in value[: players if part.by_seat else None]]
    if not part.cards:
        return np.asarray(value).tolist()
    cards = [int(card) for card in value if card >= 0] if part.most else members(value)
    if max(cards, default=-1) >= part.cards:
        raise RulesError(f"{name} holds card {max(cards)}; it is declared for cards 0 to {part.cards - 1}")
    return cards
