"""The three figures of docs/method/people.md: likelihood by experience and model, cells, and variants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from houle.reports.figures.style import Row, interval_rows, make_figure, save, side_by_side
from tools.people.cells import CellsAnswer
from tools.people.likelihood import HAS, MODELS, NEVER, SEED, Likelihoods
from tools.people.moves import estimated
from tools.people.variants import Variant


def draw_all(
    folder: Path, first: Likelihoods, cells: CellsAnswer, variants: Sequence[Variant], hard: dict[str, float]
) -> None:
    """Writes people-moves.png, people-games.png and, if there are variants, people-variants.png."""
    folder.mkdir(parents=True, exist_ok=True)
    draw_moves(folder / "people-moves.png", first)
    draw_games(folder / "people-games.png", cells)
    if variants:
        draw_variants(folder / "people-variants.png", variants, hard)


def draw_moves(path: Path, first: Likelihoods) -> None:
    """Nats per move by experience and model, of all people; each with a fit that does not know the person."""
    held, fitting = first.kept_back, ~first.kept_back
    answers = np.array(first.experience)
    scored = {}
    for model in MODELS:
        nats = np.zeros(len(answers))
        nats[held], nats[fitting] = first.held_out(model)[0], first.cross_validated(model)
        scored[model] = nats

    def paint(figure: Any) -> None:
        for ax, name in zip(side_by_side(figure, 2, same_rows=True), (NEVER, HAS), strict=True):
            rows: list[Row] = [(model, estimated(nats[answers == name], SEED), "C0") for model, nats in scored.items()]
            interval_rows(ax, rows)
            ax.set_title(f"{name}, {int((answers == name).sum())} people", loc="left")
            ax.set_ylim(len(rows) - 0.5, -0.6)

    caption = f"{len(answers)} people, first games; nats per move, less is better; bars are 95% intervals over people"
    save(make_figure("How likely each model makes people's moves", caption, (8.5, 3.2), paint), path)


def draw_games(path: Path, cells: CellsAnswer) -> None:
    """People's mean points in each cell beside the prediction."""

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for number, partner in enumerate(dict.fromkeys(cell[1] for cell in cells.cells)):
            own = [at for at, cell in enumerate(cells.cells) if cell[1] == partner]
            ax.plot(cells.predicted[own], cells.people[own], "o", color=f"C{number}", label=f"partner {partner}")
        ends = [min(*cells.people, *cells.predicted) - 0.5, max(*cells.people, *cells.predicted) + 0.5]
        ax.plot(ends, ends, color="#888888", linewidth=0.8)
        ax.set_xlabel("predicted points")
        ax.set_ylabel("people's mean points")
        ax.legend(loc="upper left")

    caption = "15 cells of deck and partner; on the line, people score as predicted"
    save(make_figure("Points of first games, predicted from other decks", caption, (8.5, 4.6), paint), path)


def draw_variants(path: Path, variants: Sequence[Variant], hard: dict[str, float]) -> None:
    """People's win rates beside the difficulty of houle, special variants."""
    special = [one for one in variants if one.words]

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for once in sorted({one.once for one in special}):
            own = [one for one in special if one.once == once]
            ax.plot(
                [hard[one.name] for one in own],
                [100 * one.win for one in own],
                "o",
                color=f"C{once}",
                label=f"{once} suits of one copy",
            )
        ax.set_xlabel("points missing to the maximum, houle")
        ax.set_ylabel("games that people win, %")
        ax.legend(loc="upper right")

    caption = (
        f"{len(special)} special variants; people's games of a site for strong teams, all numbers of players together"
    )
    save(make_figure("Rule variants: houle's difficulty and people's wins", caption, (8.5, 4.6), paint), path)
