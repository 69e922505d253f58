"""A section appears when its first number is known; what the first screen says stands once; one number has one form."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.blocks import Column, bullets, lead, note, sentence, table, text
from houle.analysis.explain.balance import quantile
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import PERCENT, PERCENTAGE_POINTS, POINTS, Estimate
from houle.reports.blocks import Section
from houle.reports.build import SECTIONS, in_percentage_points, said_once
from houle.reports.context import Context, make_context, needs
from houle.reports.effort import Effort
from houle.reports.figures.balance import below, twenty
from houle.reports.html.page import VERDICT
from houle.reports.sections.appendix import in_play
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick


def context(only: tuple[str, ...] = (), **counts: object) -> Context:
    return make_context([make_setup("wave", 3)], Effort("few", {"games": 30, **counts}), RunSpec(), only=only)


def known_to(points: float) -> Estimate:
    return Estimate(0.3, 0.3 - points / 100, 0.3 + points / 100, 500, PERCENT)


def test_needs_are_those_of_sections() -> None:
    assert set(needs()) <= {step.name for step in SECTIONS}


def test_a_section_without_its_number_is_left_out_with_a_line() -> None:
    page, section = context(), Section("strength", "Strength: what a better player gains")
    assert page.knows(section, known_to(5))
    assert page.left_sections == []
    assert not page.knows(section, known_to(7))
    assert not page.knows(section, None)
    assert page.left_sections == [
        "Strength: what a better player gains: what one better player gains is known to ±7 points in 100, and 5 are "
        "needed.",
        "Strength: what a better player gains: what one better player gains is not known, and 5 are needed.",
    ]


def test_widths_of_scores_are_parts_of_their_range() -> None:
    section = Section("strength", "Strength")
    assert context().knows(section, Estimate(12.0, 11.0, 13.0, 500), 25)
    assert not context().knows(section, Estimate(12.0, 11.0, 13.0, 500), 10)


def test_an_effort_may_ask_for_every_section() -> None:
    assert context(every_section=True).knows(Section("strength", "Strength"), known_to(50))


def test_some_sections_are_made_only_when_asked() -> None:
    section, later = Section("decisions", "Which decisions matter"), ["decisions"]
    page = context(only_when_asked=later)
    assert not page.wants(section)
    assert page.left_sections == ["Which decisions matter: --only decisions plays it, or --effort normal."]
    assert context(("decisions",), only_when_asked=later).wants(section)
    assert context().wants(section)


def test_what_the_verdict_says_stands_once() -> None:
    """Also as a part of a sentence or in a list; notes, other sentences and tables stay."""
    win = known_to(2)
    seats = text("the seats are fair: {win}", win=win)
    verdict = Section(VERDICT, "", [lead("With three players, {seats}.", seats=seats), bullets([text("Said.")])])
    shown = table("t", "c", [Column("win", "wins")], [[win]])
    other = Section("balance", "", [text("The seats are fair: {win}.", win=win), shown, note("Said."),
                                    bullets([text("Said."), text("New.")]), bullets([text("Said.")])])  # fmt: skip
    made = said_once({VERDICT: verdict, "balance": other})
    assert made[VERDICT].blocks == verdict.blocks
    assert made["balance"].blocks == [shown, note("Said."), bullets([text("New.")])]


def test_points_of_a_game_are_no_percentage_points() -> None:
    gain, score = Estimate(0.021, 0.007, 0.036, 500, POINTS), Estimate(2.0, 1.0, 3.0, 500, "")
    blocks = [bullets([text("{gain}, {score}", gain=gain, score=score)])]
    (changed,) = in_percentage_points(blocks)
    assert sentence(changed["items"][0]) == "+2.1 percentage points (+0.7 to +3.6), 2 (1 to 3)"
    assert blocks[0]["items"][0]["values"]["gain"]["unit"] == POINTS
    assert Estimate(0.02, 0.01, 0.03, 9, PERCENTAGE_POINTS).text().startswith("+2")


@pytest.mark.parametrize("seed", range(5))
def test_dots_of_lengths_are_those_of_the_sentence(seed: int) -> None:
    """The 10th and 18th of twenty dots stand where half and nine in ten games are over."""
    lengths = np.bincount(np.random.default_rng(seed).integers(20, 60, 300))
    dots = twenty([(int(turns), int(lengths[turns])) for turns in np.flatnonzero(lengths)])
    assert len(dots) == 20
    assert (dots[9], dots[17]) == (quantile(lengths, 0.5).value, quantile(lengths, 0.9).value)
    assert below(dots).endswith(f"end within {dots[17]}")


def test_rules_of_other_setups_are_not_in_play() -> None:
    two, three = make_setup("wave", 2, ["virage"]), make_setup("wave", 3)
    knobs = three.ruleset.knobs
    assert [in_play(setup, knobs["dummy_swaps"]) for setup in (two, three)] == [True, False]
    assert in_play(three, knobs["talk"])
    own = make_setup("wave", 3, (), {"dummy_swaps": True})
    assert in_play(own, knobs["dummy_swaps"])
