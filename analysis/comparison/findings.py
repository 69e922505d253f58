"""What games did that a designer should hear of: ends without a winner, ends before the first move, open proofs.

Such things are properties of the rules, so they are told beside the numbers and never stop a run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.result import interval_as_json
from houle.analysis.sampling.paired import Played
from houle.analysis.stats.intervals import Interval, draw_rate, wilson
from houle.solver.end_reader import end_reader_of
from houle.solver.ruleset import Setup
from houle.solver.tally import Tally


@dataclass(frozen=True)
class Finding:
    """How often something strange happens in an arm."""

    arm: str
    what: str  # goes on after "x% of "
    rate: Interval
    deals: str = ""  # the rules whose deals it is about, where it does not hang on who plays them

    def as_json(self) -> dict[str, Any]:
        return {"arm": self.arm, "what": self.what, "rate": self.rate.value, **interval_as_json(self.rate)}


def findings(setup: Setup, tally: Tally, arm: str = "") -> list[Finding]:
    """About one arm; none where nothing strange happened."""
    games, found = tally.games, []
    if tally.draws:
        limit = setup.options.get("max_turns")
        when = f" when the turn limit of {limit} is reached" if limit else ""
        found.append(Finding(arm, f"the games have no winner{when}", draw_rate(tally)))
    if tally.unresolved:
        what = "the deals are neither proven winnable nor unwinnable within the solver's limit"
        found.append(Finding(arm, what, wilson(tally.unresolved / games, games)))
    dead = _dead_deals(setup, tally)
    if dead:
        what = "the deals are over before the first card: who begins cannot move"
        found.append(Finding(arm, what, wilson(dead / games, games), setup.digest))
    return found


def _dead_deals(setup: Setup, tally: Tally) -> int:
    """Games in which not one card could be laid, of games that die of a card that does not fit."""
    end_reader = end_reader_of(setup)
    return 0 if isinstance(end_reader, str) else tally.scores(0).get(end_reader.most, 0)


def all_findings(played: Played) -> list[Finding]:
    """Of every arm."""
    return [
        finding
        for i, arm in enumerate(played.arms)
        if played.tally(i).games
        for finding in findings(arm.setup, played.tally(i), arm.label)
    ]


def finding_texts(found: Iterable[Finding]) -> list[str]:
    """Sentences; the same finding in several arms is one of them, and what lies in the deal is told once."""
    kinds: dict[str, list[Finding]] = {}
    for finding in found:
        kinds.setdefault(finding.what, []).append(finding)
    return [_sentence(what, _told_once(several)) for what, several in kinds.items()]


def _told_once(several: list[Finding]) -> list[Finding]:
    """Of findings about the same deals the one with most games, without a name: whoever plays, the deals are these."""
    best: dict[str, Finding] = {}
    for finding in several:
        if finding.deals and (finding.deals not in best or finding.rate.n > best[finding.deals].rate.n):
            best[finding.deals] = finding
    if len(best) == 1 and all(finding.deals for finding in several):
        return [replace(next(iter(best.values())), arm="")]
    return [finding for finding in several if not finding.deals or best[finding.deals] is finding]


def _sentence(what: str, several: list[Finding]) -> str:
    rates = [finding.rate for finding in several]
    if len(several) == 1:
        rate = rates[0]
        text = f"{100 * rate.value:.3g}% ({100 * rate.low:.3g} to {100 * rate.high:.3g}) of {what}"
        return f"{several[0].arm}: {text}" if several[0].arm else text
    values = [100 * rate.value for rate in rates]
    if min(values) == max(values):
        return f"{values[0]:.3g}% of {what}; in {len(several)} arms alike"
    few, many = (several[values.index(end)].arm for end in (min(values), max(values)))
    return f"{min(values):.3g}% ({few}) to {max(values):.3g}% ({many}) of {what}; in {len(several)} arms"
