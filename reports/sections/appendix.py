"""The appendix: rules with their sources, digests, versions, and the commands that repeat all numbers."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from houle.analysis.blocks import Block, Column, note, table, text
from houle.analysis.result import command_line
from houle.reports.blocks import Section, commands
from houle.reports.context import Context
from houle.solver.rules import SOURCES, Knob, Setup, provenance, value_text
from houle.solver.texts import as_sentence

MOST_COMMANDS = 3  # of a section; the others are in data.json
MOST_SETUPS = 6  # in the table of digests; setups.csv has all
PACKAGES = ("houle", "numba", "numpy", "scipy", "pandas", "matplotlib", "jinja2")


def fill(context: Context, section: Section) -> None:
    section.add(
        text(
            "Numbers in brackets are 95% intervals: Wilson for rates, t for means, clustered by game or deal where "
            "observations belong together. Each interval holds by itself; a number that was picked as the largest or "
            "smallest of several has a wider one, which holds for all of them. Sections share their games, so one "
            "thing has one number. The tables and figures are also files beside this page.",
        )
    )
    section.add(*(note("Left out. {line}", line=line) for line in context.left_sections))
    if context.left_out:
        lines = [note("{label}, because {why}.", label=label, why=why) for label, why in context.left_out]
        section.add_fold("Setups that cannot be played", *lines)
    section.add_fold(
        "Every rule, and where it comes from",
        text(
            "The rules with {setup}. Where they come from: {sources}.",
            setup=context.main_setup,
            sources="; ".join(f"{word} = {about}" for word, about in SOURCES.items()),
        ),
        *_rules(context),
        *(
            note("{remark}", remark=as_sentence(line))
            for line in dict.fromkeys(line for setup in context.setups for line in setup.notes)
        ),
    )
    section.add_fold(
        "Digests, versions, and the commands that repeat the numbers",
        _setups(context),
        text("Versions: {versions}.", versions=versions_text()),
        commands(_repeated(context)),
        *_more_commands(context),
    )


def _rules(context: Context) -> list[Block]:
    main = context.main
    knobs = [
        [knob.name, value_text(main.options[knob.name]), provenance(main, knob.name), knob.text, knob.rests_on]
        for knob in main.ruleset.knobs.values()
        if in_play(main, knob)
    ]
    columns = [
        Column("rule", "rule"),
        Column("value", "value"),
        Column("provenance", "comes from"),
        Column("text", "what it is"),
        Column("rulebook", "what it rests on"),
    ]
    blocks = [table("rules", "Every rule in play that can be changed.", columns, knobs)]
    variants = [
        [variant.name, variant.level, variant.provenance, variant.text] for variant in main.ruleset.variants.values()
    ]
    if variants and any(setup.variants for setup in context.setups):
        columns = [
            Column("variant", "variant"),
            Column("level", "level in the rulebook"),
            Column("provenance", "comes from"),
            Column("text", "what it is"),
        ]
        blocks.append(table("printed_variants", "The variants.", columns, variants))
    return [*blocks, *_fixed_rules(main)]


def in_play(setup: Setup, knob: Knob) -> bool:
    """Whether a rule can change a game of a setup: not if it needs other rules, players or variants."""
    return knob.in_play(setup.players, setup.options) or knob.name in setup.changed


def _fixed_rules(setup: Setup) -> list[Block]:
    """The rules of a setup that cannot be changed."""
    columns = [Column("text", "rule"), Column("provenance", "comes from")]
    rows = [[rule.text, rule.provenance] for rule in setup.fixed_rules]
    return [table("fixed_rules", "Rules that cannot be changed here.", columns, rows)] if rows else []


def _setups(context: Context) -> Block:
    columns = [Column("variant", "variant"), Column("players", context.players_noun()), Column("digest", "digest")]
    rows = [[context.name(setup), setup.players, setup.digest] for setup in context.setups]
    caption = "The setups of this report, and the digest of the rules of each."
    return table("setups", caption, columns, rows, shown=len(rows) <= MOST_SETUPS)


def _repeated(context: Context) -> list[str]:
    """The command of the whole report, if there is one, then the first commands of every section."""
    whole = [command_line(["report", *context.command_words], context.main)] if context.command_words else []
    lines = [line for section in context.sections.values() for line in section.repeat[:MOST_COMMANDS]]
    return list(dict.fromkeys([*whole, *lines]))


def _more_commands(context: Context) -> list[Block]:
    number = sum(len(section.repeat[MOST_COMMANDS:]) for section in context.sections.values())
    if not number:
        return []
    return [note("data.json has {number} more for the other setups, under `repeat`.", number=number)]


def versions() -> dict[str, str]:
    """Python and every package that is installed, by name."""
    numbers = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            numbers[name] = version(name)
        except PackageNotFoundError:
            continue
    return numbers


def versions_text() -> str:
    """`Python 3.11.7, houle 0.1.0, numba ...`."""
    return ", ".join(f"{name} {number}" for name, number in versions().items())


def made_by() -> str:
    """`houle 0.1.0`."""
    return f"houle {versions().get('houle', 'of unknown version')}"
