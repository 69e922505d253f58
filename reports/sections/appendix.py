"""The appendix: rules with provenance, digests, versions, and the commands that give all numbers again."""

from __future__ import annotations

from houle.analysis.result import command_line
from houle.reports.blocks import Block, Column, Section, commands, note, table, text
from houle.reports.context import Context
from houle.reports.html.format import as_sentence
from houle.reports.versions import versions_text
from houle.solver.ruleset import YOURS, Setup, provenance, value_text

PROVENANCE = {
    "printed": "in the rulebook",
    "found": "in independent public sources",
    "inferred": "from worked examples",
    "assumed": "where the rulebook is silent",
    YOURS: "set for this report",
}
MOST_COMMANDS = 3  # of a section; those of more tables are in data.json
MOST_TABLES = 6  # whose digests are shown; those of more are in tables.csv


def make_section(context: Context) -> Section:
    section = Section("appendix", "Appendix: rules, seed, versions, commands")
    section.add(
        text(
            "Intervals are 95% intervals: Wilson for rates, t for means, clustered by game or deal where observations "
            "belong together. Each holds by itself. Tables and figures lie beside this page as files."
        )
    )
    section.add(
        *(note("Left out: {label}, because {why}.", label=label, why=why) for label, why in context.left_out),
    )
    section.add_fold(
        "Every rule, and where it comes from",
        text(
            "The rules of {table}. Where each comes from: {provenance}.",
            table=context.main_table,
            provenance=", ".join(f"{word} ({about})" for word, about in PROVENANCE.items()),
        ),
        *_rules(context),
        *(note("{remark}", remark=as_sentence(line))
          for line in dict.fromkeys(line for setup in context.setups for line in setup.notes)),
    )  # fmt: skip
    section.add_fold(
        "Digests, versions and the commands that give the numbers again",
        _tables(context),
        text("Versions: {versions}.", versions=versions_text()),
        commands(_repeated(context)),
        *_more_commands(context),
    )
    return section


def _rules(context: Context) -> list[Block]:
    main = context.main
    knobs = [
        [knob.name, value_text(main.options[knob.name]), provenance(main, knob.name), knob.text]
        for knob in main.ruleset.knobs.values()
    ]
    columns = [Column("rule", "rule"), Column("value", "value"), Column("provenance", "comes from"),
               Column("text", "what it is")]  # fmt: skip
    blocks = [table("rules", "Every rule that can be turned.", columns, knobs)]
    variants = [
        [variant.name, variant.level, variant.provenance, variant.text] for variant in main.ruleset.variants.values()
    ]
    if variants:
        columns = [Column("variant", "variant"), Column("level", "level in the rulebook"),
                   Column("provenance", "comes from"), Column("text", "what it is")]  # fmt: skip
        blocks.append(table("variants", "The variants.", columns, variants))
    return [*blocks, *_fixed_rules(main)]


def _fixed_rules(setup: Setup) -> list[Block]:
    """The rules of a table that no knob turns."""
    columns = [Column("text", "rule"), Column("provenance", "comes from")]
    rows = [[rule.text, rule.provenance] for rule in setup.fixed_rules]
    return [table("fixed_rules", "Rules of this table that cannot be turned.", columns, rows)] if rows else []


def _tables(context: Context) -> Block:
    columns = [Column("variant", "variant"), Column("players", context.players_noun()), Column("digest", "digest")]
    rows = [[context.name(setup), setup.players, setup.digest] for setup in context.setups]
    caption = "The tables of this report, and the digest of each one's rules."
    return table("tables", caption, columns, rows, shown=len(rows) <= MOST_TABLES)


def _repeated(context: Context) -> list[str]:
    """The whole report where a command makes it, then every section, of many tables the first."""
    whole = [command_line(["report", *context.command_words], context.main)] if context.command_words else []
    return [*whole, *(line for section in context.sections.values() for line in section.repeat[:MOST_COMMANDS])]


def _more_commands(context: Context) -> list[Block]:
    number = sum(len(section.repeat[MOST_COMMANDS:]) for section in context.sections.values())
    if not number:
        return []
    return [note("{number} more, for the other tables, stand in data.json under `repeat`.", number=number)]
