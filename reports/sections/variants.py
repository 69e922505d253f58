"""What each variant changes: differences between the variants on the same deals, for every number of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from houle.analysis.blocks import Block, Column, about, sentence, table, text, with_word
from houle.analysis.measures.measures import measure_title
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.named_players import levels, players_of
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.stats.estimate import GAP
from houle.analysis.tables.both_ways import both_ways
from houle.analysis.tables.compare import compare_grid
from houle.analysis.tables.difficulty import rules_beside, score_sentence
from houle.analysis.tables.table import Row, Table
from houle.reports.blocks import Section, as_files, figure
from houle.reports.context import Context
from houle.reports.figures.both_ways import draw as draw_both_ways
from houle.reports.figures.table import draw
from houle.solver.rules import is_own
from houle.solver.texts import capital, listed

MEASURES_OF_A_FIGURE = 2
UNCHANGED = ""  # instead of a verdict, where no difference is shown


def fill(context: Context, section: Section) -> None:
    counts = dict.fromkeys(setup.players for setup in context.setups)
    groups = [[setup for setup in context.setups if setup.players == players] for players in counts]
    groups = [sorted(group, key=is_own) for group in groups if len(group) > 1]  # printed rules first: the baseline
    if not groups:
        return
    comparisons: list[Table] = []
    for i, group in enumerate(groups):
        arms = tuple(context.arm(setup) for setup in group)
        games = context.level_games if is_own(context.main) and context.main in group else context.games
        run = context.run(games, len(arms), (i / len(groups), (i + 1) / len(groups)))
        comparisons.append(compare_grid(Grid(arms), RunSpec.of(run)))
    of_main = [group for group in comparisons if context.main in [arm.setup for arm in group.arms]]
    drawn = (of_main or comparisons)[0]
    changes = [row.change for row in drawn.of("win") if row.change]
    if changes and not context.knows(section, max(changes, key=lambda one: one.half)):
        return
    context.results.comparison = drawn
    section.add(
        text(
            "Every variant is compared with the {baseline} on the same {games} deals, when {everyone}.",
            baseline=drawn.arms[0].label,
            games=drawn.games,
            everyone=context.everyone,
        )
    )
    section.add(*(one.sentence for one in context.results.opposed))
    section.add(*(text("{line}.", line=line) for line in context.results.labels))
    _by_level(context, section, drawn, context.games)
    if context.results.by_level:
        section.add(*changes_of_own(context))
    else:
        section.add(*_sentences(drawn, {one.variant for one in context.results.opposed}))
    figures = _figures(context, section, drawn)
    if not _both_ways(context, section, drawn):
        section.add(figures.pop(0))
    section.add_fold(
        "Every setup and measure",
        *figures,
        _all_measures(context, comparisons, drawn.measures),
        *(block for one in comparisons for block in as_files(one.tables(), f"variants-{one.arms[0].setup.players}")),
    )
    section.results["compared_with_print"] = [_change_data(row) for row in _rows_of_own(context)]
    section.results["comparisons"] = comparisons
    section.repeat = context.repeat_section(section)


def _both_ways(context: Context, section: Section, comparison: Table) -> bool:
    """Add a hundred deals that your own variant and the printed rules both play, if there are such deals."""
    number = next((i for i, arm in enumerate(comparison.arms) if i and context.is_main(arm.setup)), None)
    pair = both_ways(comparison.sample, number) if number is not None else None
    if pair is None:
        return False
    section.add(pair.sentence())
    block = figure("both_ways", "A hundred deals, played with both rules.", sentence(pair.sentence()))
    section.add_figure(block, partial(draw_both_ways, pair, "A hundred deals, played with both rules"))
    return True


def _sentences(comparison: Table, mentioned: set[str]) -> list[Block]:
    """What is known to change in the first measure, for variants that are not mentioned yet."""
    measure = comparison.measures[0]
    rows = [row for row in comparison.rows if row.measure == measure and row.label not in mentioned]
    known = [row for row in rows if row.difference and verdict_word(row)]
    parts = [
        about(
            text(
                "{variant} is {word}, {difference}",
                variant=row.arm.label,
                word=verdict_word(row),
                difference=row.change,
            ),
            comparison.player,
            f"{measure}, change",
        )
        for row in known
        if row.difference
    ]
    if not parts:
        return []
    title = measure_title(measure, [arm.setup for arm in comparison.arms]).replace("_", " ")
    return [
        text(
            "{measure}, compared with the {baseline}: {variants}.",
            measure=capital(title),
            baseline=comparison.arms[0].label,
            variants=parts,
        )
    ]


def _figures(context: Context, section: Section, comparison: Table) -> list[Block]:
    """Figures of the differences from the first variant, two measures each."""
    rows = [row for row in comparison.rows if row.difference]
    alt = "; ".join(
        f"{row.arm.label}, {measure_title(row.measure, [row.arm.setup])}: {row.verdict.text}" for row in rows
    )
    baseline = comparison.arms[0]
    caption = f"Differences from the {baseline.label}, {baseline.setup.players} {context.players_noun()}."
    blocks = []
    for i in range(0, len(comparison.measures), MEASURES_OF_A_FIGURE):
        some = comparison.measures[i : i + MEASURES_OF_A_FIGURE]
        name = "variants" if i == 0 else f"variants-{i // MEASURES_OF_A_FIGURE + 1}"
        blocks.append(section.drawn(figure(name, caption, f"{alt}."), partial(draw, comparison, measures=some)))
    return blocks


def _all_measures(context: Context, comparisons: Sequence[Table], measures: Sequence[str]) -> Block:
    """Every setup with all its measures, and below each the verdict compared with the first variant."""
    setups = [arm.setup for comparison in comparisons for arm in comparison.arms]
    columns = [Column("variant", "variant"), Column("players", context.players_noun())]
    columns += [Column(name, measure_title(name, setups).replace("_", " ")) for name in measures]
    rows = []
    for comparison in comparisons:
        for i, arm in enumerate(comparison.arms):
            measured = {row.measure: row for row in comparison.rows if row.number == i}
            cells = [
                with_word(measured[name].value, verdict_word(measured[name])) if name in measured else None
                for name in measures
            ]
            rows.append([arm.label, arm.setup.players, *cells])
    return table("variants", "Every setup, with 95% intervals.", columns, rows)


def _by_level(context: Context, section: Section, drawn: Table, games: int) -> None:
    """Play your own variant and the printed rules with each level, if all players win together."""
    main = context.main
    if not (is_own(main) and main.one_sided and context.has_thumb) or drawn.arms[0].setup.digest == main.digest:
        return
    section.results["levels"] = {}
    for level in levels():
        comparison = drawn
        if level.name != context.level:
            setups = [drawn.arms[0].setup, main]
            arms = tuple(Arm(line_up(setup, level.name), {}, context.name(setup)) for setup in setups)
            comparison = compare_grid(Grid(arms), RunSpec.of(context.run(games, 2, (1.0, 1.0))), {"": ["win"]})
            section.results["levels"][level.name] = comparison
        for row in comparison.rows:
            if row.measure == "win" and context.is_main(row.arm.setup) and row.difference:
                context.results.by_level[level.name] = row


def _rows_of_own(context: Context) -> list[Row]:
    """What your own variant changes in every measure, for the usual player."""
    comparison = context.results.comparison
    if comparison is None or not is_own(context.main):
        return []
    return [row for row in comparison.rows if context.is_main(row.arm.setup) and row.difference]


def changes_of_own(context: Context, only: str | None = None) -> list[Block]:
    """What your own variant changes against the printed rules, in words; also that nothing is shown.

    `only`: for one level, where all players win together.
    """
    rows = _rows_of_own(context)
    by_level = {name: row for name, row in context.results.by_level.items() if only in (None, name)}
    name = context.name(context.main)
    if by_level:
        words: dict[str, list[Block]] = {}
        for level, row in by_level.items():
            who, change = players_of(level), row.change
            if change and not verdict_word(row):  # how large a difference could be
                change = replace(change, low=-change.farthest, high=change.farthest, unit=GAP)
            part = about(text("{who} {change}", who=who, change=change), level, "win, change")
            words.setdefault(verdict_word(row) or UNCHANGED, []).append(part)
        return [
            text("No difference in games won is shown for {who}.", who=parts)
            if word == UNCHANGED
            else text("{variant} is {word} than the printed rules: {who}.", variant=name, word=word, who=parts)
            for word, parts in words.items()
        ] + _score(context, by_level)
    known = [row for row in rows if verdict_word(row)]
    same = [_title(row) for row in rows if row not in known]
    blocks = []
    if known:
        parts = [
            about(
                text("{measure} {word}, {change}", measure=_title(row), change=row.change, word=verdict_word(row)),
                context.level,
                f"{row.measure}, change",
            )
            for row in known
            if row.difference
        ]
        blocks.append(
            text(
                "When {everyone}, {variant} compared with the printed rules: {changes}.",
                everyone=context.everyone,
                variant=name,
                changes=parts,
            )
        )
    if same:
        blocks.append(text("No difference from the printed rules is shown in {measures}.", measures=listed(same)))
    return blocks


def _score(context: Context, by_level: Mapping[str, Row]) -> list[Block]:
    """What the score says where no difference in games won is shown for the level of the page."""
    usual, beside = by_level.get(context.level), rules_beside(context.main)
    if usual is None or beside is None or verdict_word(usual):
        return []
    return [line for row in _rows_of_own(context) if row.measure == "score" for line in score_sentence(row, beside)]


def _title(row: Row) -> str:
    return measure_title(row.measure, [row.arm.setup]).replace("_", " ")


def _change_data(row: Row) -> dict[str, Any]:
    return {
        "variant": row.arm.label,
        "measure": _title(row),
        "known": bool(verdict_word(row)),
        "verdict": row.verdict.text,
        "difference": row.change,
        "unit": row.change.unit if row.change else "",
    }


def verdict_word(row: Row) -> str:
    """`harder`; empty if the difference is small or not known."""
    return row.verdict.text if row.verdict.kind in ("more", "less") else ""
