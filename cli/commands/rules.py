"""`houle rules`: all rules of a game, what you can change, and where each rule comes from."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import check_new, write_text
from houle.reports.rules_template import template
from houle.solver.errors import FileError, RulesError
from houle.solver.rules import (
    SOURCES,
    Deck,
    Knob,
    OpenRule,
    Setup,
    open_rules_in,
    provenance,
    read_deck,
    shown_value,
    value_shown,
)
from houle.solver.rules.files import entry_line, read_text

FAULTY = 1


@command()
@options.setup_options
@click.option(
    "--write",
    metavar="FILE",
    type=options.FileName(),
    help="Write a rules file to edit, with everything you can change.",
)
@click.option(
    "--check-deck",
    "deck",
    metavar="FILE",
    type=options.FileName(),
    help="Instead: check your own deck of cards; the exit code is 1 if it has errors.",
)
@options.json_option
def rules(call: Call, write: str | None, deck: str | None) -> None:
    """Show the rules of a game, and which of them you can change.

    The variants; the knobs, which are the rules you can change with --set, with their values and what is allowed; then
    all other rules, and the open rules, which the rulebook does not settle. Each rule says where it comes from, and
    each knob what the rulebook says about it. -p and -v choose the number of players and the variant.

    \b
    Examples:
      houle rules wave
      houle rules wave -p 2 -v virage
      houle rules sea-change -p 1
      houle rules vague-attaque -v teams --json
      houle rules wave --write my.toml
      houle rules wave --rules my.toml
    """
    setup, players = call.setup, bool(call.asked.players)
    if deck:
        call.ctx.exit(check_deck(setup, deck))
    if write:
        check_new(write)
        write_text(write, template(setup, Path(write), players))
        click.echo(f"Wrote {write}. Edit it, then: houle simulate {setup.ruleset.name} --rules {write}")
    else:
        call.print(as_data(setup), describe(setup, players))


def check_deck(setup: Setup, file: str) -> int:
    """Prints all errors of a deck; returns 1 if there are any."""
    inspect = setup.game.check_deck
    if inspect is None:
        raise RulesError(f"--check-deck: {setup.ruleset.name} cannot be played with your own deck")
    if not os.path.isfile(file):
        raise FileError(f"--check-deck: {file}: no such file")
    faults = inspect(Path(file))
    for line in faults:
        click.echo(f"{fault_line(file, line)}{line}")
    if not faults:
        click.echo(f"{file}: no errors")
        for line in deck_summary(read_deck(file)):
            click.echo(text.paragraph(f"  {line}", 0, 4))
    return FAULTY if faults else 0


def fault_line(file: str, fault: str) -> str:
    """`line 49: ` for an error that names a card (`souvenir 12 (Pearl): dedicated: ...`); else empty."""
    card = re.match(r"(\w+) (\d+) \((.*?)\): (?:unknown key ')?(\w*)", fault)
    if card is None:
        return ""
    deck = read_text(file)
    # A deck based on another one counts the cards of both, so the number does not help.
    number = 0 if re.search(r"^\s*based_on\s*=", deck, re.MULTILINE) else int(card[2])
    line = entry_line(deck, card[1], number, card[3], key=card[4])
    return "" if line is None else f"line {line}: "


def deck_summary(deck: Deck) -> list[str]:
    """What to proof-read: the number of cards per kind, their marks and sources, and names that occur twice."""
    lines = []
    for kind, cards in deck.cards.items():
        entries = [card for card in cards if isinstance(card, dict)] if isinstance(cards, list) else []
        if not entries:
            continue
        sources = Counter(str(card.get("provenance", "unknown")) for card in entries)
        marks = Counter(
            key if value is True else f"{key} {value}"
            for card in entries
            for key, value in card.items()
            if key not in ("name", "provenance") and (value is True or isinstance(value, str))
        )
        counts = [f"{number} {mark}" for mark, number in sorted(marks.items()) if number < len(entries)]
        counts += [f"{number} {source}" for source, number in sources.items()]
        lines.append(f"{len(entries)} x {kind}: {', '.join(counts)}")
        twice = [name for name, number in Counter(str(card.get("name")) for card in entries).items() if number > 1]
        lines += [f"{kind}: the name {name!r} occurs more than once" for name in twice]
    return lines


def as_data(setup: Setup) -> dict[str, Any]:
    ruleset = setup.ruleset
    return {
        "game": ruleset.name,
        "title": ruleset.title,
        "about": ruleset.about,
        "players": setup.players,
        "players_allowed": list(ruleset.players),
        "score": setup.score,
        "rules_digest": setup.digest,
        "notes": list(setup.notes),
        "differences": [
            {"knob": knob, "before": shown_value(before), "now": shown_value(now), "place": setup.changed[knob]}
            for knob, before, now in setup.differences
        ],
        "variants": [
            {
                "name": v.name,
                "chosen": v.name in setup.variants,
                "set": dict(v.settings(setup.players)),
                "provenance": v.provenance,
            }
            | {"level": v.level, "text": v.text}
            for v in ruleset.variants.values()
        ],
        "knobs": [
            {"name": knob.name, "value": setup.shown_options[knob.name]}
            | {"default": shown_value(knob.default_for(setup.players))}
            | {"allowed": knob.allowed, "provenance": provenance(setup, knob.name), "text": knob.text}
            | {"rulebook": knob.rests_on, "tunable": knob.tunable}
            for knob in ruleset.knobs.values()
        ],
        "rules": [{"text": rule.text, "provenance": rule.provenance} for rule in setup.fixed_rules],
        "open_rules": [
            {"text": rule.text, "knob": rule.knob or None, "provenance": rule.provenance}
            | {"answers": [answer.words for answer in rule.answers]}
            for rule in open_rules_in(setup)
        ],
    }


def describe(setup: Setup, shown_players: bool) -> list[str]:
    """The page: changed rules first, then variants, knobs and all other rules."""
    ruleset = setup.ruleset
    changed = text.differences(setup)
    lines = [*changed, ""] if changed else []
    lines += [text.setup_title(setup), text.paragraph(ruleset.about)]
    hint = "" if shown_players or len(ruleset.players) == 1 else f" (shown for {setup.players}; -p shows others)"
    facts = f"players {text.span(ruleset.players)}{hint}; score {setup.score}; rules {setup.digest}"
    lines.append(text.paragraph(facts))
    lines += text.notes(setup.notes)
    if ruleset.variants:
        lines += ["", click.style("Variants", bold=True)]
        for variant in ruleset.variants.values():
            chosen = "  <- chosen" if variant.name in setup.variants else ""
            facts = ", ".join(fact for fact in (variant.provenance, variant.level) if fact)
            lines += [f"  {variant.name}  ({facts}){chosen}", text.paragraph(variant.text, 6)]
    lines += [
        "",
        click.style("Knobs", bold=True) + ": rules you can change with --set; name = value (source; what is allowed)",
    ]
    others = [knob for knob in ruleset.knobs.values() if shown_players and of_others(knob, setup)]
    for knob in ruleset.knobs.values():
        lines += knob_lines(knob, setup) if knob not in others else []
    if others:
        names = ", ".join(knob.name for knob in others)
        lines.append(text.paragraph(f"For other numbers of players: {names}.", 2, 4))
    if setup.fixed_rules:
        lines += ["", click.style("Other rules", bold=True) + " (source)"]
        lines += [text.paragraph(f"{rule.text} ({rule.provenance})", 2, 4) for rule in setup.fixed_rules]
    rules = open_rules_in(setup)
    if rules:
        play = " (compare --open-rules plays the other answers)" if rules[0].answers else ""
        lines += ["", click.style("Open rules", bold=True) + play]
        lines += [text.paragraph(open_line(rule), 2, 4) for rule in rules]
    return [
        *lines,
        "",
        text.paragraph("Sources of values and rules: " + "; ".join(f"{k} = {v}" for k, v in SOURCES.items()) + "."),
    ]


def open_line(rule: OpenRule) -> str:
    """`how freely people point (talk, ours): nobody points at cards; all hands are open`."""
    answers = "; ".join(answer.words for answer in rule.answers)
    return f"{rule.text} ({rule.knob}, {rule.provenance}): {answers}" if answers else f"{rule.text} ({rule.provenance})"


def of_others(knob: Knob, setup: Setup) -> bool:
    """Whether only games with other numbers of players have a rule."""
    players = knob.only.get("players", [])
    return bool(players) and setup.players not in players and knob.name not in setup.changed


def knob_lines(knob: Knob, setup: Setup) -> list[str]:
    value = setup.options[knob.name]
    facts = f"({provenance(setup, knob.name)}; {knob.allowed}{'' if knob.tunable else '; part of what the game is'})"
    lines = [text.paragraph(f"{knob.name} = {value_shown(value)}  {facts}", 2, 4)]
    lines += [text.paragraph(words, 6) for words in (knob.text, knob.rests_on) if words]
    default = knob.default_for(setup.players)
    if value != default:
        by = setup.changed.get(knob.name) or "variant " + " + ".join(
            name for name in setup.variants if knob.name in setup.ruleset.variants[name].settings(setup.players)
        )
        lines.append(text.paragraph(f"set by {by}; otherwise {value_shown(default)}", 6))
    if knob.by_players:
        lines.append(text.paragraph("default: " + _by_players(knob, setup.ruleset.players), 6))
    return lines


def _by_players(knob: Knob, players: Sequence[int]) -> str:
    """`3 with 1-3 players; 4 with 4 players`."""
    values: dict[str, list[int]] = {value_shown(knob.default_for(number)): [] for number in players}
    for number in players:
        values[value_shown(knob.default_for(number))].append(number)
    return "; ".join(f"{value} with {text.span(numbers)} players" for value, numbers in values.items())
