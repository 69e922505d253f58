"""What the results stand on: assumed rules, where every rule comes from, and how to repeat it all."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from houle.reports.blocks import OWN, POINTS, Column, Section, commands, figure, note, number, table, text
from houle.reports.context import Inquiry, variant
from houle.reports.html.format import listed
from houle.solver.ruleset import RulesetError

PACKAGES = ("houle", "numba", "numpy", "scipy", "pandas", "matplotlib", "jinja2")
PROVENANCE = {
    "printed": "in the rulebook",
    "found": "in independent public sources",
    "inferred": "from worked examples",
    "assumed": "where the rulebook is silent",
}


def assumed(inquiry: Inquiry) -> Section:
    section = Section("assumed", "What hangs on our reading of the rules")
    from houle.analysis.comparison.assumptions import assumptions
    from houle.analysis.comparison.measures import is_percent, measure_title
    from houle.reports.figures.assumptions import draw

    main, games = inquiry.main, inquiry.effort.number("assumed_games")
    changed = {knob: main.options[knob] for knob in main.changed}
    try:
        found = assumptions(
            main.ruleset.name, main.players, main.variants, changed, games, inquiry.seed, inquiry.usual,
            threads=inquiry.threads, progress=inquiry.progress(12 * games),
        )  # fmt: skip
    except RulesetError as fault:
        section.add(text(f"{str(fault)[0].upper()}{str(fault)[1:]}."))
        return section
    for measure, hangs, unknown in found.conclusions:
        title = measure_title(measure, [main]).replace("_", " ")
        if hangs:
            line = f"{title.capitalize()} hangs on {listed(hangs)}"
        else:
            line = f"{title.capitalize()} hangs on no assumed rule by more than matters"
        line += f"; not known yet: {listed(unknown)}" if unknown else ""
        section.add(text(f"{line}."))
    section.draw(
        figure("assumed", "What every turned rule changes, on the same games.", "Each assumed rule; see the table."),
        lambda path: draw(found, path),
    )  # fmt: skip
    rows: list[list[Any]] = []
    for one in found.ranked:
        for row in one.rows:
            if row.difference is None and row.verdict is None:
                continue
            percent = is_percent(row.measure)
            more = number(row.difference.interval, POINTS if percent else "") if row.difference else None
            rows.append([
                one.turn.label, one.turn.knob.provenance, measure_title(row.measure, [row.arm.setup]).replace("_", " "),
                more, row.verdict.text if row.verdict else "",
            ])  # fmt: skip
    columns = [
        Column("turn", "rule turned"), Column("provenance", "ours is"), Column("measure", "measure"),
        Column("change", "change", OWN), Column("verdict", "verdict"),
    ]  # fmt: skip
    section.add(
        table("assumed", f"Every rule that print does not settle, turned; {games:,} games each.", columns, rows)
    )
    for label, why in found.left_out:
        section.add(note(f"Not turned: {label}, because {why}."))
    section.results["assumptions"] = found.as_json()
    section.repeat = [
        f"houle sweep {inquiry.arguments(main)} --assumed -s {inquiry.usual} -n {games} --seed {inquiry.seed}"
    ]
    return section


def appendix(inquiry: Inquiry, lines: list[str]) -> Section:
    """Rules with provenance, seed, versions, commands."""
    section = Section("appendix", "Appendix: rules, seed, versions, commands")
    main = inquiry.main
    section.add(text(f"The rules of {inquiry.table(main)}. Where each comes from: "
                     + ", ".join(f"{word} ({about})" for word, about in PROVENANCE.items()) + "."))  # fmt: skip
    rows = [
        [knob.name, _value(main.options[knob.name]), knob.provenance, knob.text] for knob in main.ruleset.knobs.values()
    ]
    columns = [Column("rule", "rule"), Column("value", "value"), Column("provenance", "comes from"),
               Column("text", "what it is")]  # fmt: skip
    section.add(table("rules", "Every rule that can be turned.", columns, rows))
    if main.ruleset.variants:
        rows = [[one.name, one.level, one.provenance, one.text] for one in main.ruleset.variants.values()]
        columns = [Column("variant", "variant"), Column("level", "level in the rulebook"),
                   Column("provenance", "comes from"), Column("text", "what it is")]  # fmt: skip
        section.add(table("variants", "The variants.", columns, rows))
    tables: list[list[Any]] = [[variant(setup), setup.players, setup.digest] for setup in inquiry.setups]
    section.add(
        table("tables", "The tables of this report, and the digest of each one's rules.",
              [Column("variant", "variant"), Column("players", inquiry.people), Column("digest", "digest")], tables)
    )  # fmt: skip
    for line in dict.fromkeys(line for setup in inquiry.setups for line in setup.notes):
        section.add(note(f"{line[0].upper()}{line[1:]}" + ("" if line.endswith(".") else ".")))
    for label, why in inquiry.left_out:
        section.add(note(f"Left out: {label}, because {why}."))
    section.add(text("Intervals are 95% intervals: Wilson for rates, t for means, clustered by game or deal where "
                     "observations belong together. Each holds by itself."))  # fmt: skip
    section.add(text("Versions: " + ", ".join(versions()) + "."))
    section.add(text("The commands that give the numbers again:"))
    section.add(commands(lines))
    return section


def _value(value: Any) -> str:
    from houle.analysis.sampling.grid import value_text

    return value_text(value)


def versions() -> list[str]:
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
