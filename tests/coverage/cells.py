"""The cells of `make coverage`: every interval of the project in the cases that are hard for intervals.

A cell draws one run and returns its interval; the truth is known. Real games are played once, by thumbs. Runs are drawn
from them with replacement, so the truth is their mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from houle.analysis.measures.measures import difference, estimate
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.experiment import NAMES, Sample
from houle.analysis.stats.clusters import clustered_mean, clustered_share
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import (
    WHOLE_WIN,
    mean_score,
    score_quantile,
    score_share,
    shared_rate,
    wilson,
    win_rate,
    with_prior,
)
from houle.analysis.stats.moments import Moments
from houle.analysis.stats.seat_gap import seat_gap
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import Tally, blank_ledger
from tests.coverage import designs, openings
from tests.support.synthetic import played, rows_of

Draws = np.random.Generator
LOOKS = "five looks share the confidence, and most designs need fewer"
PICKED = "the best and the worst seat are picked, and all pairs share the 5%"
BLOCK = 20  # games of a tally; a run combines several tallies


@dataclass(frozen=True)
class Cell:
    """One interval in one case."""

    interval: str
    case: str
    truth: float
    run: Callable[[Draws], Estimate | None]
    conservative: str = ""  # why it may cover more than it says
    slow: int = 1  # it has so many times fewer runs, because one takes as long as hundreds of others
    whole: bool = False  # the truth is a whole number, so an interval may be a single point
    warning: str = ""  # an interval that is not used, to show what would go wrong: it must cover less


@cache
def games(game: str, players: int, strategy: str, number: int, **knobs: Any) -> Any:
    """A ledger of games; the same game numbers of the same seed for every setting."""
    variants = (knobs.pop("variant"),) if "variant" in knobs else ()
    setup = make_setup(game, players, variants, knobs)
    ledger = blank_ledger(number, int(setup.rules[0].sides))
    play_chunk(line_up(setup, strategy), 7, 0, number, ledger=ledger)
    return ledger


@cache
def blocks(game: str, players: int, number: int) -> list[Tally]:
    """Tallies of BLOCK games each."""
    setup = make_setup(game, players)
    return [play_chunk(seat_strategies(setup, ("thumb",)), 7, BLOCK * i, BLOCK) for i in range(number)]


def wins(rate: float, n: int) -> Callable[[Draws], Estimate]:
    return lambda draws: wilson(draws.binomial(n, rate) / n, n)


@cache
def wave_setup() -> Setup:
    return make_setup("wave", 3)


def left_open(draws: Draws) -> Estimate:
    """15% proven won and 77% open, all of which are won."""
    tally = Tally.empty(wave_setup())
    won, opened, _ = draws.multinomial(400, [0.15, 0.77, 0.08])
    tally.totals[0].games, tally.totals[0].unresolved, tally.moments[0].share = 400, opened, won * WHOLE_WIN
    tally.moments[0].share_squared = won * WHOLE_WIN**2
    return win_rate(tally, 0)


def open_deals(draws: Draws) -> Estimate:
    """The same for deals: by how much a clairvoyant wins more than a player who wins 10%."""
    won, opened, _ = draws.multinomial(200, [0.15, 0.77, 0.08])
    nothing = np.zeros(200, np.int64)
    sample = played([rows_of(draws.random(200) < 0.1, nothing), rows_of(np.arange(200) < won, nothing)])
    sample.tally(1).totals[0].unresolved = opened
    return difference(sample, 1, "win").interval


def several_plays(shares: np.ndarray, plays: int) -> Sample:
    """An arm that plays each deal so often, from the wins of its plays."""
    rows = rows_of(shares, np.zeros(len(shares), np.int64))
    rows[:, NAMES.index("games")] = plays
    sample = played([rows])
    arm = sample.arms[0]
    sample.arms = (replace(arm, seatings=((arm.line_up, 0),) * plays),)
    return sample


def plays_of_deals(draws: Draws) -> Estimate:
    """Four plays per deal that share its luck, 3% won."""
    return estimate(several_plays(draws.binomial(4, draws.beta(0.03 * 0.5, 0.97 * 0.5, 200)), 4), 0, "win")


def independent(draws: Draws) -> Estimate:
    one, other = (wilson(draws.binomial(400, rate) / 400, 400) for rate in (0.3, 0.25))
    return one.difference(other)


def decisions(draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """40 games of 6 choices that are alike within a game."""
    chances = np.repeat(draws.beta(1, 3, 40), 6)
    return (draws.random(240) < chances).astype(float), np.repeat(np.arange(40), 6)


def drawn(pool: Any, n: int, draws: Draws) -> Any:
    return pool[draws.integers(0, len(pool), n)]


def pair_cell(case: str, n: int, one: Any, other: Any, column: str, conservative: str = "") -> Cell:
    """A paired difference of the first side: of wins, or of another column's mean."""
    rows = np.stack([one[:, 0][column], other[:, 0][column]], axis=1)
    changed = rows[:, 0] != rows[:, 1]
    most = float(np.abs(rows[:, 0] - rows[:, 1]).max(initial=1)) if column == "turns" else float(np.ptp(rows))
    unit = WHOLE_WIN if column == "share" else 1

    def run(draws: Draws) -> Estimate:
        places = draws.integers(0, len(rows), n)
        moments = Moments.of(("a", "b"), rows[places])
        mine, theirs = moments.mean("a", unit), moments.mean("b", unit)
        if column == "share":
            return moments.rate_difference(mine, theirs)
        return moments.mean_difference(mine, theirs, most, int(changed[places].sum()))

    truth = float((rows[:, 0] - rows[:, 1]).mean()) / unit
    name = "paired difference of rates" if column == "share" else "paired difference of means"
    return Cell(name, f"{case}, n = {n:,}", truth=truth, run=run, conservative=conservative)


def shared_cell(fewer: int) -> Cell:
    shares = games("land-unter", 4, "thumb", 20_000 // fewer)[:, 0].share

    def run(draws: Draws) -> Estimate:
        some = drawn(shares, 400, draws)
        return shared_rate(int(some.sum()), int((some**2).sum()), 400)

    return Cell("win rate", "shared wins: Land Unter, 4 thumbs, n = 400", float(shares.mean()) / WHOLE_WIN, run)


def gap_cell(sides: int, n: int, gap: float) -> Cell:
    """Seats of which one wins more than all others, which are equal."""
    odds = np.full(sides, (1 - gap) / sides)
    odds[0] += gap

    def run(draws: Draws) -> Estimate:
        won = WHOLE_WIN * draws.multinomial(n, odds)
        return seat_gap(Moments(tuple(range(sides)), n, won, np.diag(WHOLE_WIN * won))).interval

    return Cell("seat gap", f"{sides} seats, {100 * gap:g} points, n = {n:,}", truth=gap, run=run, conservative=PICKED)


def shared_gap_cell(fewer: int) -> Cell:
    shares = games("land-unter", 4, "thumb", 20_000 // fewer).share
    means = shares.mean(axis=0) / WHOLE_WIN

    def run(draws: Draws) -> Estimate:
        return seat_gap(Moments.of(range(4), drawn(shares, 2_000, draws))).interval

    return Cell(
        "seat gap",
        "shared wins: Land Unter, 4 thumbs, n = 2,000",
        truth=float(np.ptp(means)),
        run=run,
        conservative=PICKED,
    )


def score_cell(case: str, pool: Any, n: int) -> Cell:
    rows = np.stack([pool[:, 0].points, pool[:, 0].entries], axis=1)

    def run(draws: Draws) -> Estimate:
        return Moments.of(("points", "entries"), drawn(rows, n, draws)).ratio("points", "entries")

    return Cell("mean score", f"{case}, n = {n:,}", float(rows[:, 0].sum() / rows[:, 1].sum()), run)


def rounds_cells(fewer: int) -> list[Cell]:
    """Sea Change, whose games have several rounds: a run is 20 blocks of 20 games."""
    pool = blocks("sea-change", 4, 400 // fewer)
    setup = make_setup("sea-change", 4)
    all_games = Tally.empty(setup)
    for part in pool:
        all_games.add(part)
    middle = int(score_quantile(all_games, 0, 0.5).value)

    def cell(name: str, read: Callable[[Tally], Estimate], conservative: str = "", whole: bool = False) -> Cell:
        def run(draws: Draws) -> Estimate:
            total = Tally.empty(setup)
            for place in draws.integers(0, len(pool), 20):
                total.add(pool[place])
            return read(total)

        case = "rounds: Sea Change, 4 thumbs, n = 400"
        return Cell(name, case, truth=read(all_games).value, run=run, conservative=conservative, whole=whole)

    return [
        cell("win rate", lambda tally: win_rate(tally, 0)),
        cell("mean score", lambda tally: mean_score(tally, 0).interval),
        cell("share of scores", lambda tally: score_share(tally, 0, tally.lowest, middle)),
        cell("quantile of scores", lambda tally: score_quantile(tally, 0, 0.25), "scores are whole numbers", True),
    ]


def level_cells() -> list[Cell]:
    """A level at which every game ends alike, one of few hands, and one with several hands per game."""
    alike = "all games of the level end alike: what as many miss may lie anywhere"
    cells = []
    for game, players, fact, level, n, why in (
        ("wave", 3, "first hand fits", openings.rarest("wave", 3, "first hand fits"), 1000, alike),
        ("wave", 3, "own hand fits", openings.rarest("wave", 3, "own hand fits"), 1000, ""),
        ("land-unter", 4, "sum of the pack", 0, 400, ""),
    ):
        what = (game, players, fact, level)
        truth = openings.read(*what, np.arange(openings.GAMES))

        def run(draws: Draws, name: str, what: tuple[str, int, str, int] = what, n: int = n) -> Estimate | None:
            return openings.read(*what, draws.integers(0, openings.GAMES, n)).get(name)

        for name in openings.ESTIMATES:
            case = f"{name.replace('_more', ' more than all')}: {game} {players}, {fact}, n = {n:,}"
            cells.append(
                Cell("level of a start", case, truth=truth[name].value, run=partial(run, name=name), conservative=why)
            )
    return cells


def hardly_varied(draws: Draws) -> Estimate:
    """100 games of 600 turns, but one in 200 has 10."""
    turns = np.where(draws.random(100) < 0.005, 10, 600)
    mean = Moments.of(("turns", "games"), np.stack([turns, np.ones(100, np.int64)], axis=1)).ratio("turns", "games")
    return with_prior(mean, 100)


def cells() -> list[Cell]:
    """All cells; the first call plays the games."""
    return [*usual_cells(), *level_cells(), *design_cells()]


def usual_cells(fewer: int = 1) -> list[Cell]:
    """The cells of rates, means and differences; from `fewer` times fewer games, whose means are the truth too."""
    careful, half, whole = "two imagined pairs outweigh what was seen", 20_000 // fewer, 40_000 // fewer
    verte = [games("vague-verte", 4, "thumb", whole, attack_last_square=value) for value in (True, False)]
    wave = [games("wave", 3, "thumb", half), games("wave", 3, "thumb", half, variant="virage")]
    nazare = [games("wave", 4, name, whole, variant="nazare") for name in ("family", "random")]
    draws = (verte[0].share.sum(axis=1) == 0).mean()
    return [
        Cell("win rate", "usual wins, 30%, n = 400", 0.3, wins(0.3, 400)),
        Cell("win rate", "rare wins, 1%, n = 400", 0.01, wins(0.01, 400)),
        shared_cell(fewer),
        *(gap_cell(*case) for case in ((2, 500, 0.0), (4, 500, 0.0), (4, 8_000, 0.03), (8, 2_000, 0.05))),
        shared_gap_cell(fewer),
        Cell("win rate", "draws: Vague Verte, 4 thumbs, n = 400", float(draws), wins(float(draws), 400)),
        Cell(
            "win rate",
            "unresolved deals, all won, n = 400",
            truth=0.92,
            run=left_open,
            conservative="it holds all that they may be",
        ),
        Cell("win rate, clustered", "rare wins, 200 deals of 4 plays", 0.03, plays_of_deals),
        score_cell("usual: WAVE, 3 thumbs", wave[0], 400),
        Cell(
            "mean length",
            "hardly ever otherwise: 600 turns, 1 in 200 has 10, n = 100",
            truth=600 - 0.005 * 590,
            run=hardly_varied,
            conservative="what as many games miss may lie anywhere",
        ),
        *rounds_cells(fewer),
        pair_cell("usual wins: WAVE with virage", 400, *wave, "share"),
        *(
            pair_cell("rare wins: WAVE nazare, family against random", n, *nazare, "share", careful)
            for n in (100, 200, 400, 2000)
        ),
        Cell(
            "paired difference of rates",
            "unresolved deals, all won, 200 deals",
            truth=0.82,
            run=open_deals,
            conservative="it holds all that they may be",
        ),
        pair_cell("usual: cards left in WAVE with virage", 400, *wave, "points"),
        *(
            pair_cell(
                "few changed games: turns in Vague Verte",
                n,
                *verte,
                "turns",
                "how often times by how much" if n < 20_000 else "",
            )
            for n in (400, 2000, 4800)
        ),
        Cell("difference of independent rates", "30% and 25%, n = 400", 0.05, independent),
        Cell("mean of decisions", "40 games of 6", 0.25, lambda d: clustered_mean(*decisions(d), 40)),
        Cell("share of decisions", "40 games of 6", 0.25, lambda d: clustered_share(*decisions(d), 40)),
    ]


def design_cells() -> list[Cell]:
    """Winners of artificial designs: as shown to users, and by the games that chose them."""
    cells = []
    for within_reach, case, remark in (
        (True, "what some setting nearly has", {"conservative": "not shown; the middle is chosen, where truths lie"}),
        (False, "what no setting has", {"conservative": "not shown; other games chose among the nearest"}),
    ):
        fresh, chosen = (designs.winners(within_reach, fresh) for fresh in (True, False))
        name = "winner of a design"
        cells.append(Cell(name, f"{case}, fresh games", truth=0.0, run=fresh, conservative=LOOKS, slow=5))
        cells.append(Cell(name, f"{case}, games that chose it", 0.0, chosen, slow=5, **remark))
    return cells
