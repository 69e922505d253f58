"""What a variant changes: paired differences between the variants, for every number of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from houle.analysis.comparison.compare import Comparison, Row, compare_grid
from houle.analysis.comparison.measures import is_percent, measure_title
from houle.analysis.result import command_line, interval_as_json
from houle.analysis.sampling.grid import Grid
from houle.reports.blocks import PERCENT, POINTS, Block, Column, Section, figure, number, table, text, with_word
from houle.reports.context import Context
from houle.reports.figures.compare import draw
from houle.reports.sections.verdict import opposed_sentence
from houle.solver.ruleset import BY_HAND, Setup, is_own

MEASURES_OF_A_FIGURE = 2  # side by side they still read on a phone


def make_section(context: Context) -> Section:
    section = Section("changes", "What a variant changes")
    counts = dict.fromkeys(setup.players for setup in context.setups)
    groups = [[setup for setup in context.setups if setup.players == players] for players in counts]
    groups = [sorted(group, key=is_own) for group in groups if len(group) > 1]  # what others are compared with: print
    if not groups:
        return section
    games = context.effort.number("compare_games")
    comparisons: list[Comparison] = []
    for i, group in enumerate(groups):
        arms = tuple(context.arm(setup) for setup in group)
        progress = context.table_progress(games * len(arms), i, len(groups))
        comparisons.append(compare_grid(Grid(arms), games, context.seed, (), None, context.threads, progress))
    section.add(
        text(
            "Every variant and the {yardstick} play the same {games} games of the seed, everyone by {strategy}, so "
            "that the luck of the deal cancels as far as the rules allow.",
            games=games,
            yardstick=comparisons[0].arms[0].label,
            strategy=context.usual_strategy,
        )
    )
    opposed = context.sections["difficulty"].results.get("opposed", []) if "difficulty" in context.sections else []
    section.add(*map(opposed_sentence, opposed))
    of_main = [group for group in comparisons if context.main in [arm.setup for arm in group.arms]]
    drawn = (of_main or comparisons)[0]
    section.add(*_sentences(drawn, {found["variant"] for found in opposed}))
    first, *others = _figures(context, section, drawn)
    section.add(first)
    section.add_fold(
        "Every table and measure",
        *others,
        _all_measures(context, comparisons, drawn.measures),
        *(_table(context, comparisons, measure) for measure in drawn.measures),
    )
    section.results["beside_print"] = _beside_print(context, drawn)
    section.results["comparisons"] = [comparison.as_json() for comparison in comparisons]
    section.repeat = [
        _command(context, found, games)
        for found in sorted(comparisons, key=lambda found: context.main not in [arm.setup for arm in found.arms])
    ]
    return section


def _sentences(comparison: Comparison, told: set[str]) -> list[Block]:
    """What is known to change in the measure that is asked for first, by variants that are not told yet."""
    measure = comparison.measures[0]
    rows = [row for row in comparison.rows if row.measure == measure and row.arm.label not in told]
    known = [row for row in rows if row.difference and _verdict_word(row)]
    unit = POINTS if is_percent(measure) else ""
    parts = [
        text("{variant} {word}, {difference}", variant=row.arm.label, word=_verdict_word(row),
             difference=number(row.difference.interval, unit))
        for row in known
        if row.difference
    ]  # fmt: skip
    if not parts:
        return []
    title = measure_title(measure, [arm.setup for arm in comparison.arms]).replace("_", " ")
    return [text("By {measure}: {variants}.", measure=title, variants=parts)]


def _figures(context: Context, section: Section, comparison: Comparison) -> list[Block]:
    """Differences from the first variant, the measures that are asked for first in front."""
    rows = [row for row in comparison.rows if row.verdict and row.difference]
    alt = "; ".join(f"{row.arm.label}, {row.measure}: {row.verdict.text}" for row in rows if row.verdict)
    yardstick = comparison.arms[0]
    caption = f"Differences from {yardstick.label}, {yardstick.setup.players} {context.players_noun()}."
    blocks = []
    for i in range(0, len(comparison.measures), MEASURES_OF_A_FIGURE):
        page = replace(comparison, measures=comparison.measures[i : i + MEASURES_OF_A_FIGURE])
        name = "changes" if i == 0 else f"changes-{i // MEASURES_OF_A_FIGURE + 1}"
        blocks.append(section.drawn(figure(name, caption, f"{alt}."), partial(draw, page)))
    return blocks


def _all_measures(context: Context, comparisons: Sequence[Comparison], measures: Sequence[str]) -> Block:
    """Every table with all its measures, and below each what it means beside the first variant."""
    setups = [arm.setup for comparison in comparisons for arm in comparison.arms]
    units = {measure: PERCENT if is_percent(measure) else "" for measure in measures}
    columns = [Column("variant", "variant"), Column("players", context.players_noun())]
    columns += [Column(name, measure_title(name, setups).replace("_", " "), units[name]) for name in measures]
    rows = []
    for comparison in comparisons:
        for i, arm in enumerate(comparison.arms):
            found = {row.measure: row for row in comparison.rows if row.number == i}
            cells = [
                with_word(number(found[name].value, units[name]), _verdict_word(found[name]))
                if name in found else None
                for name in measures
            ]  # fmt: skip
            rows.append([arm.label, arm.setup.players, *cells])
    return table("changes", "Every table, with 95% intervals.", columns, rows)


def _beside_print(context: Context, comparison: Comparison) -> dict[str, Any] | None:
    """What a variant of one's own changes in games won, where that is known."""
    for row in comparison.rows:
        if context.is_main(row.arm.setup) and is_own(row.arm.setup) and row.measure == "win" and row.difference:
            word = _verdict_word(row)
            return (
                word
                and {
                    "variant": row.arm.label,
                    "strategy": context.usual_strategy,
                    "word": word,
                    "difference": interval_as_json(row.difference.interval),
                }
            ) or None
    return None


def _verdict_word(row: Row) -> str:
    """`harder`; nothing where the difference is small or not known."""
    return row.verdict.text if row.verdict and row.verdict.kind in ("more", "less") else ""


def _table(context: Context, comparisons: Sequence[Comparison], measure: str) -> Block:
    unit, more_unit = (PERCENT, POINTS) if is_percent(measure) else ("", "")
    rows = [
        [
            row.arm.setup.players,
            row.arm.label,
            number(row.value, unit),
            number(row.difference.interval, more_unit) if row.difference else None,
            row.verdict.text if row.verdict else "compared with",
        ]
        for comparison in comparisons
        for row in comparison.rows
        if row.measure == measure
    ]
    title = measure_title(measure, [arm.setup for arm in comparisons[0].arms]).replace("_", " ")
    columns = [
        Column("players", context.players_noun()),
        Column("variant", "variant"),
        Column("value", title, unit),
        Column("difference", "difference", more_unit),
        Column("verdict", "verdict"),
    ]
    caption = f"{title.capitalize()}, and the difference from the same games of the first variant."
    return table(f"changes-{measure}", caption, columns, rows, shown=False)


def _command(context: Context, comparison: Comparison, games: int) -> str:
    """The command that compares these tables; a line of Python where no options combine to them."""
    setups = [arm.setup for arm in comparison.arms]
    words = ["compare", setups[0].ruleset.name, "-p", str(setups[0].players)]
    if not any(map(is_own, setups)):
        words += [word for setup in setups for word in ("-v", "+".join(setup.variants) or "base")]
    elif from_files(setups):
        words += ["-v", "+".join(setups[0].variants)] if setups[0].variants else []
        files = [next(iter(setup.changed.values()), "base") for setup in setups]
        words += [word for file in files for word in ("--rules", file)]
    else:
        return comparison.repeat()
    words += ["-s", context.usual_strategy, "-n", str(games), "--seed", str(context.seed)]
    return command_line(words, setups[0])


def from_files(setups: Sequence[Setup]) -> bool:
    """Whether tables differ by one rules file each, or none, and by nothing else."""
    sources = [set(setup.changed.values()) for setup in setups]
    alone = all(len(files) <= 1 and not files & set(BY_HAND) for files in sources)
    return (
        alone
        and len({setup.variants for setup in setups}) == 1
        and all(files or not setup.title for files, setup in zip(sources, setups, strict=True))
    )
