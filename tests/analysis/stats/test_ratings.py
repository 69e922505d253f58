"""Ratings are recovered if they exist and rejected if they do not; alpha-rank of known games."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from houle.analysis.stats.ratings import ELO, SELECTION, Payoffs, alpha_rank, fit_ratings

DEALS = 2_000


def matchups(strengths: list[float], seats: int, draws: np.random.Generator, depends: float = 0.0) -> tuple:
    """Logs of win ratios for every mix of every two kinds, and their covariance, from given strengths.

    `depends`: how much stronger a kind gets with every other player of its kind.
    """
    pairs, logs, errors = [], [], []
    for one, other in combinations(range(len(strengths)), 2):
        for number in range(1, seats):
            mine = number * strengths[one] * np.exp(depends * (number - 1))
            wins = draws.binomial(DEALS, mine / (mine + (seats - number) * strengths[other]))
            pairs.append((one, other))
            logs.append(np.log(wins / number) - np.log((DEALS - wins) / (seats - number)))
            errors.append(1 / wins + 1 / (DEALS - wins))
    return pairs, logs, np.diag(errors)


def test_ratings_and_the_test_of_fit_are_calibrated() -> None:
    draws, strengths = np.random.default_rng(1), [1.0, 2.0, 0.5]
    covered, refused = [], 0
    for _ in range(300):
        found = fit_ratings(*matchups(strengths, 4, draws), len(strengths), DEALS)
        truth = ELO * np.log(strengths)
        covered += [one.low <= value <= one.high for one, value in zip(found.points[1:], truth[1:], strict=True)]
        refused += found.p < 0.05
    assert found.freedom == 9 - 2
    assert 0.93 <= np.mean(covered) <= 0.97
    assert 0.02 <= refused / 300 <= 0.09


def test_results_that_depend_on_company_have_no_ratings() -> None:
    found = fit_ratings(*matchups([1.0, 2.0, 0.5], 4, np.random.default_rng(2), depends=0.4), 3, DEALS)
    assert found.p < 1e-6


def test_two_players_leave_nothing_to_test() -> None:
    found = fit_ratings(*matchups([1.0, 3.0], 2, np.random.default_rng(3)), 2, DEALS)
    assert found.freedom == 0
    assert np.isnan(found.p)
    assert found.points[1].value == pytest.approx(ELO * np.log(3), rel=0.1)


def payoffs(gap: float, seats: int = 3) -> Payoffs:
    """One kind wins more than the other by the same factor in any company."""
    numbers = range(1, seats)
    return Payoffs(
        {k: 1 + gap * (seats - k) / seats for k in numbers}, {k: 1 - gap * k / seats for k in numbers}, seats
    )


def test_a_neutral_mutant_takes_over_only_by_luck() -> None:
    assert payoffs(0.0).fixation() == pytest.approx(1 / 50)
    gap = payoffs(0.2).gaps_in_population().mean()
    assert payoffs(0.2).fixation() == pytest.approx(1 - np.exp(-gap * SELECTION), rel=0.02)
    assert payoffs(-0.2).fixation() < 1e-20


def test_alpha_rank_of_known_games() -> None:
    better, worse = payoffs(0.2).fixation(), payoffs(-0.2).fixation()
    ranks = alpha_rank(np.array([[0, better], [worse, 0]]))
    assert ranks == pytest.approx([0.0, 1.0], abs=1e-9)
    cycle = np.array([[0, better, worse], [worse, 0, better], [better, worse, 0]])  # rock, paper, scissors
    assert alpha_rank(cycle) == pytest.approx([1 / 3] * 3)


def test_kinds_that_win_when_rare_coexist() -> None:
    """The first wins 1 + a where it is alone among three and 1 - b where it is one of two: hawks and doves."""
    hawks = Payoffs({1: 1.6, 2: 0.7}, {1: 0.7, 2: 1.6}, 3)
    (mix,) = hawks.equilibria()
    assert mix == pytest.approx(0.5, abs=0.01)
    assert hawks.gap(0.3) > 0 > hawks.gap(0.7)
    assert payoffs(0.2).equilibria() == []
