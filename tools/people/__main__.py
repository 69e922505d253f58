"""Questions about real people: their moves, their games, and rule variants (docs/method/people.md).

    python -m tools.people FILE [--variants TABLE] [--jobs N] [--keep FOLDER] [--figures FOLDER]
    python -m tools.people FILE -s PLAYER ...       # how likely these players make the moves of people, nothing else
    python -m tools.people --pairs TABLE [-s PLAYER] [-n GAMES] [--jobs N] [--keep FOLDER]     # is A harder than B?

FILE has games of Hanabi in the format of examples/games/hanabi/people, and TABLE has variants. The verdicts come last.
--keep stores what was played in a folder, and a second call goes on from there.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

import houle
from tools.people import cells, likelihood, pairs, variants
from tools.people.figures import draw_all
from tools.people.games import is_kept_back, read_decisions, read_games
from tools.people.likelihood import Likelihoods
from tools.people.move_chances import REPEATS
from tools.people.moves import nats_of, scores, table

FLOOR, SEED = 0.02, 1
REMOVED, AGAIN, FEWER_VARIANTS = 20, 20, 6


class Shown:
    """Shows on stderr how far a part is, at most once a second."""

    line_is_open = False  # whether the last line on stderr has no end yet

    def __init__(self, part: str, whole: int) -> None:
        self.part, self.whole, self.last = part, whole, 0.0

    def __call__(self, done: int, seconds: float = 0.0) -> None:
        if time.monotonic() > self.last + 1 or done == self.whole:
            self.last = time.monotonic()
            Shown.line_is_open = done < self.whole
            end = "" if self.line_is_open else "\n"
            print(f"\r{self.part}: {done:,} of {self.whole:,}", end=end, file=sys.stderr, flush=True)


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--variants", "variants_file", type=click.Path(path_type=Path), help="A table of rule variants.")
@click.option(
    "--pairs", "pairs_file", type=click.Path(path_type=Path), help="Only ask which of two variants is harder."
)
@click.option(
    "-s",
    "players",
    multiple=True,
    help="Only score this player on the people for fitting; several are allowed. "
    "With --pairs: who plays, thumb by default.",
)
@click.option(
    "-p",
    "seats",
    type=click.IntRange(2, 5),
    multiple=True,
    help="Players in a game, for --pairs; 2, 3 and 4 by default.",
)
@click.option("-n", "games_each", type=click.IntRange(1), help="Games of a variant and number of players, for --pairs.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Processes for games and variants.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for what was played, to go on from there.")
@click.option("--figures", type=click.Path(path_type=Path), help="A folder for three figures.")
def main(
    file: Path | None,
    variants_file: Path | None,
    pairs_file: Path | None,
    players: tuple[str, ...],
    seats: tuple[int, ...],
    games_each: int | None,
    jobs: int,
    keep: Path | None,
    figures: Path | None,
) -> None:
    """Ask three questions of the games in FILE, score players on its moves, or compare pairs of variants."""
    if (file is None) == (pairs_file is None):
        raise click.UsageError("give FILE with games of people, or --pairs TABLE")
    try:
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        if pairs_file:
            for player in dict.fromkeys(players or ("thumb",)):
                number = tuple(dict.fromkeys(seats or variants.PLAYERS))
                click.echo("\n".join(pairs_question(pairs_file, player, number, games_each, jobs=jobs, keep=keep)))
            return
        assert file is not None
        games = read_games(file)
        listed = variants.read_variants(variants_file) if variants_file else []
        if players:
            click.echo("\n".join(scored(games, file, players)))
            return
        firm = Firmness(sorted({game["person"] for game in games}))
        first, lines = moves_question(games, file, keep, firm)
        cell_answer, more = games_question(games, jobs, keep, firm)
        hard, last = variants_question(listed, jobs, keep, firm) if listed else ({}, [])
        if figures:
            draw_all(figures, first, cell_answer, listed, hard=hard)
    except houle.InputError as fault:
        if Shown.line_is_open:
            print(file=sys.stderr)
        raise click.ClickException(str(fault)) from None
    click.echo("\n".join([*lines, *more, *last, "", *firm.verdicts]))


def scored(games: list[dict[str, Any]], file: Path, players: tuple[str, ...]) -> list[str]:
    """The nats per move of some players, for people who are not kept back."""
    decisions, left_out = read_decisions([game for game in games if not is_kept_back(game)], file)
    nats = nats_of(decisions, list(dict.fromkeys(players)), REPEATS, FLOOR, seed=SEED, shown=Shown)
    last = f"{left_out} games against the rules left out; repeats {REPEATS}, floor {FLOOR:g}, seed {SEED}"
    return [*table(scores(decisions, nats, SEED)), last]


class Firmness:
    """The verdicts, each with how often it stays when some people are removed."""

    def __init__(self, people: list[str]) -> None:
        fewer = min(REMOVED, len(people) // 3)
        self.removed = [set(np.random.default_rng(seed).permutation(people)[:fewer]) for seed in range(1, AGAIN + 1)]
        self.verdicts: list[str] = []

    def judge(self, question: str, passed: bool, again: Callable[[int, set[str]], bool]) -> None:
        """Adds a verdict; `again(i, people)` is the verdict without some people, for the ith time."""
        stays = sum(again(number, people) == passed for number, people in enumerate(self.removed))
        word = "passed" if passed else "not passed"
        self.verdicts.append(f"verdict {question}: {word}; the same {stays} of {AGAIN} times with some removed")


def moves_question(
    games: list[dict[str, Any]], file: Path, keep: Path | None, firm: Firmness
) -> tuple[Likelihoods, list[str]]:
    """Question a: what is known of first games, and the lines."""
    shown = Shown("replayed games", len(games))
    decisions, left_out = read_decisions(games, file, shown)
    shown(len(games))
    path = keep / "moves.npz" if keep else None
    if path and path.exists():
        nats = {str(point): values for point, values in np.load(path).items()}
    else:
        nats = nats_of(decisions, likelihood.POINTS, REPEATS, FLOOR, seed=SEED, shown=Shown)
        if path:
            np.savez_compressed(path, **nats)  # type: ignore[arg-type]
    first = Likelihoods.of(decisions, nats, lambda one: one.nth == 1)
    later = Likelihoods.of(decisions, nats, lambda one: one.nth > 1)
    _refuse_few(first, file)
    found = likelihood.answer(first)
    firm.judge("a, moves", found.passed, lambda _, people: likelihood.answer(first.without(people)).passed)
    lines = [
        *found.lines(),
        *likelihood.descriptive(first, "first games"),
        *likelihood.descriptive(later, "later games"),
    ]
    return first, [*lines, f"   {left_out} games against the rules are left out", ""]


def _refuse_few(first: Likelihoods, file: Path) -> None:
    for kept_back in (True, False):
        for name in (likelihood.NEVER, likelihood.HAS):
            if not (first.groups[name] & (first.kept_back == kept_back)).any():
                who = "kept back" if kept_back else "for fitting"
                raise houle.InputError(
                    f"{file}: nobody of the people {who} {name}; question a needs people of both sorts"
                )


def games_question(
    games: list[dict[str, Any]], jobs: int, keep: Path | None, firm: Firmness
) -> tuple[cells.CellsAnswer, list[str]]:
    """Question b: the answer, and the lines."""
    found = cells.first_games(games)
    shown = Shown("points of the plane with partners", len(cells.POINTS))
    played = cells.simulate_all(found, jobs, keep / "cells.json" if keep else None, shown)
    results = cells.played_by_people(found)
    people = cells.means_of(results)
    here = cells.answer(people, played)

    firm.judge("b, games", here.passed, lambda _, some: cells.answer(cells.means_of(results, some), played).passed)
    return here, [*here.lines(), *cells.beside(people, played, list(here.points.values())), ""]


def variants_question(
    listed: list[variants.Variant], jobs: int, keep: Path | None, firm: Firmness
) -> tuple[dict[str, float], list[str]]:
    """Question c: the difficulties, and the lines."""
    shown = Shown("variants and numbers of players", len(listed) * len(variants.PLAYERS))
    hard = variants.difficulties(listed, jobs, keep / "variants.json" if keep else None, shown)
    here = variants.answer(listed, hard)

    def again(number: int, _: set[str]) -> bool:
        rest = np.random.default_rng(number + 1).permutation(len(listed))[FEWER_VARIANTS:]
        return variants.answer([listed[at] for at in sorted(rest)], hard).passed

    firm.judge("c, variants", here.passed, again)
    return hard, here.lines()


def pairs_question(
    file: Path, player: str, players: Sequence[int], games: int | None, jobs: int, keep: Path | None
) -> list[str]:
    """Question d for one player: the lines."""
    listed = pairs.Pairs(variants.read_variants(file), file)
    shown = Shown(f"variants and numbers of players, {player}", len(listed.variants) * len(players))
    kept, games = keep / pairs.FILE if keep else None, games or pairs.GAMES.get(player, pairs.OTHERS)
    rows = pairs.play_all(listed.variants, player, players=players, games=games, threads=jobs, kept=kept, shown=shown)
    return pairs.lines(listed, pairs.Values.of(rows))


if __name__ == "__main__":
    main()
