"""Things a designer should know about the games: no winner, over before the first move, not solved.

They are properties of the rules. They are shown with the numbers and never stop a run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from houle.analysis.result import Record
from houle.analysis.sampling.experiment import Sample
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import draw_rate, wilson
from houle.solver.interface.files import end_reader_of
from houle.solver.rules import Setup
from houle.solver.run.tally import Tally


@dataclass(frozen=True)
class Finding:
    """How often something unusual happens in an arm."""

    arm: str
    what: str  # completes "x% of ..."
    rate: Estimate
    deals: str = ""  # digest of the rules, if it depends only on the deal and not on the players

    def as_json(self) -> Record:
        return {"arm": self.arm, "what": self.what, **self.rate.as_json()}


def findings(setup: Setup, tally: Tally, arm: str = "") -> list[Finding]:
    """Findings about one arm; none if nothing unusual happened."""
    games, several = tally.games, []
    if tally.draws:
        limit = setup.options.get("max_turns")
        when = f" when the turn limit of {limit} is reached" if limit else ""
        several.append(Finding(arm, f"the games have no winner{when}", draw_rate(tally)))
    if tally.unresolved:
        what = "the deals could not be solved within the limit of the solver"
        several.append(Finding(arm, what, wilson(tally.unresolved / games, games)))
    dead = _dead_deals(setup, tally)
    if dead:
        what = "the deals are lost before they start: the first player cannot move"
        several.append(Finding(arm, what, wilson(dead / games, games), setup.digest))
    return several


def _dead_deals(setup: Setup, tally: Tally) -> int:
    """Games in which no card could be played, in games that end when a card does not fit."""
    end_reader = end_reader_of(setup)
    return 0 if isinstance(end_reader, str) else tally.scores(0).get(end_reader.most, 0)


def all_findings(sample: Sample) -> list[Finding]:
    """Findings about every arm with one seating."""
    return [
        finding
        for number, arm in enumerate(sample.arms)
        if sample.deals(number) and not arm.seatings
        for finding in findings(arm.setup, sample.tally(number), arm.label)
    ]


def finding_texts(several: Iterable[Finding]) -> list[str]:
    """The findings as sentences; the same finding in several arms makes one sentence."""
    kinds: dict[str, list[Finding]] = {}
    for finding in several:
        kinds.setdefault(finding.what, []).append(finding)
    return [_sentence(what, _once_per_deal(same)) for what, same in kinds.items()]


def _once_per_deal(several: list[Finding]) -> list[Finding]:
    """Of findings about the same deals only the one with most games; it holds for all players."""
    best: dict[str, Finding] = {}
    for finding in several:
        if finding.deals and (finding.deals not in best or finding.rate.n > best[finding.deals].rate.n):
            best[finding.deals] = finding
    if len(best) == 1 and all(finding.deals for finding in several):
        return [replace(next(iter(best.values())), arm="")]
    return [finding for finding in several if not finding.deals or best[finding.deals] is finding]


def _sentence(what: str, several: list[Finding]) -> str:
    if len(several) == 1:
        text = f"{several[0].rate.text()} of {what}"
        return f"{several[0].arm}: {text}" if several[0].arm else text
    few, many = (end(several, key=lambda finding: finding.rate.value) for end in (min, max))
    if few.rate.value == many.rate.value:
        return f"{few.rate.short()} of {what}, in all {len(several)} variants"
    ends = f"{few.rate.short()} ({few.arm}) to {many.rate.short()} ({many.arm})"
    return f"{ends} of {what}, in {len(several)} variants"
