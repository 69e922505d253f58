"""How games end: the share of games in each band of the rulebook, or what players score where it has no bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.sampling.simulation import simulate_games
from houle.reports.blocks import PERCENT, Block, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.difficulties import level_of
from houle.reports.figures.bands import draw

QUANTILES = (0.1, 0.5, 0.9)


def make_section(context: Context) -> Section:
    section = Section("bands", "How games end")
    difficulties = [
        difficulty for difficulty in context.difficulties if difficulty.levels and difficulty.levels[0].bands
    ]
    if difficulties:
        _bands(context, section, difficulties)
    else:
        _scores(context, section)
    return section


def _bands(context: Context, section: Section, difficulties: Sequence[Difficulty]) -> None:
    bands, strategy = difficulties[0].levels[0].bands, context.usual_strategy
    usual = next((difficulty for difficulty in difficulties if context.is_main(difficulty.setup)), difficulties[0])
    shown = level_of(usual, strategy) or usual.levels[0]
    section.add(
        text(
            "The rulebook rates what is left at the end. With {table}, everyone playing {strategy}: {scale}.",
            table=context.table(usual.setup),
            strategy=strategy,
            scale=[
                text("{label} {share}", label=f"{band.label} ({band.word})" if band.word else band.label,
                     share=number(share, PERCENT))
                for band, share in zip(bands, shown.shares, strict=True)
            ],
        )
    )  # fmt: skip
    inside: list[Block] = []
    drawn = [difficulty for difficulty in difficulties if difficulty.setup.score == difficulty.setup.ruleset.score]
    if drawn:
        shares = "; ".join(
            f"{context.table(difficulty.setup)}: " + ", ".join(f"{100 * share.value:.0f}%" for share in level.shares)
            for difficulty in drawn
            if (level := level_of(difficulty, strategy))
        )
        caption = f"Share of games in each band, everyone plays {strategy}."
        block = figure("bands", caption, f"Shares of the bands. {shares}.")
        inside.append(
            section.drawn(
                block, partial(draw, drawn, [context.name(difficulty.setup) for difficulty in drawn], strategy)
            )
        )
    columns = [Column("variant", "variant"), Column("players", context.players_noun()), Column("strategy", "strategy")]
    columns += [Column(f"band_{band.label}", band.label, PERCENT) for band in bands]
    columns.append(Column("mean", "mean score"))
    rows = [
        [
            context.name(difficulty.setup),
            difficulty.setup.players,
            level.strategy,
            *(number(share, PERCENT) for share in level.shares),
            number(level.score),
        ]
        for difficulty in difficulties
        for level in difficulty.levels
        if level.strategy in (strategy, context.effort["search"])
    ]
    caption = "Share of games in each band, in percent, and the mean, with 95% intervals"
    few = [row for row in rows if row[1] == usual.setup.players]
    if len(few) < len(rows):  # the figure has every table already
        inside.append(table("bands-main", f"{caption}; bands.csv has every table.", columns, few))
    inside.append(table("bands", f"{caption}.", columns, rows, shown=len(few) == len(rows)))
    ruleset = context.main.ruleset
    for knob, score in ruleset.score_when.items():
        if any(difficulty.setup.score == score for difficulty in difficulties):
            about = f": {ruleset.score_words[score]}" if score in ruleset.score_words else ""
            inside.append(note("With {knob} the score is {score}{about}.", knob=knob, score=score, about=about))
    section.add_fold("Every table, band by band", *inside)


def _scores(context: Context, section: Section) -> None:
    """Games whose rulebook rates no scores: the middle and the ends of the scores themselves."""
    rows: list[list[Any]] = [
        [
            context.table(difficulty.setup),
            level.strategy,
            number(level.score),
            *(number(quantile) for quantile in level.quantiles.values()),
        ]
        for difficulty in context.difficulties
        for level in difficulty.levels
    ]
    score = context.main.score
    columns = [Column("table", "table"), Column("strategy", "strategy"), Column("mean", f"mean {score}"),
               Column("q10", "lowest tenth ends at"), Column("q50", "middle"),
               Column("q90", "highest tenth begins at")]  # fmt: skip
    caption = f"{score.replace('_', ' ').capitalize()} of a side, with 95% intervals."
    rows = rows or _simulated(context, section)
    usual = [row for row in rows if row[1] == context.usual_strategy]
    main = next((row for row in usual if row[0] == context.main_table), (usual or rows)[0])
    section.add(
        text(
            "With {table}, everyone playing {strategy}, a side scores {mean} {score} in the mean; half score up to "
            "{half}, nine in ten up to {most}.",
            table=main[0],
            strategy=main[1],
            mean=main[2],
            score=score.replace("_", " "),
            half=main[4],
            most=main[5],
        )
    )
    section.add_fold("Every table", table("scores", caption, columns, rows))


def _simulated(context: Context, section: Section) -> list[list[Any]]:
    """Scores of the first side at tables with rivals, played for this section."""
    games, strategy = context.effort.number("games"), context.usual_strategy
    rows = []
    section.results["simulations"] = []
    for i, setup in enumerate(context.setups):
        progress = context.table_progress(games, i, len(context.setups))
        simulation = simulate_games(setup, strategy, games, context.seed, 0, context.threads, progress)
        section.results["simulations"].append(simulation.as_json())
        side = simulation.sides[0]
        quantiles = [number(_quantile(side.histogram, part)) for part in QUANTILES]
        rows.append([context.table(setup), strategy, number(side.score.interval), *quantiles])
        section.repeat.append(context.again(simulation))
    return rows


def _quantile(histogram: Mapping[int, int], part: float) -> float | None:
    total, passed = sum(histogram.values()), 0
    for score in sorted(histogram):
        passed += histogram[score]
        if passed >= part * total:
            return float(score)
    return None
