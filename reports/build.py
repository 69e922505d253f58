"""Makes a report: works through the sections one by one, tells how far it is, and puts them in reading order.

The verdict stands first and is written last, from what the others found.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from dataclasses import dataclass

from houle.reports.blocks import Part, Report, Section
from houle.reports.context import Inquiry, variant
from houle.reports.html.format import in_words, listed
from houle.reports.sections import changes, course, difficulty, ground, play, thinking
from houle.reports.sections.verdict import verdict

Make = Callable[[Inquiry], Section]


@dataclass(frozen=True)
class Step:
    """A section to work on, and about how much work it is beside the others."""

    title: str
    make: Make
    weight: float


DESIGNER = (
    Step("difficulty", difficulty.difficulty, 10),
    Step("how games end", difficulty.bands, 1),
    Step("what games are like", changes.shape, 1),
    Step("what variants change", changes.changes, 3),
    Step("survival", course.survival, 1),
    Step("starts", course.starts, 1),
    Step("balance", course.evenness, 1),
    Step("decisions", thinking.decisions, 2),
    Step("skill and luck", thinking.skill, 3),
    Step("assumed rules", ground.assumed, 2),
)
PLAYER = (
    Step("rules of thumb", play.rules, 2),
    Step("a short list", play.shortlist, 5),
    Step("openings", play.openings, 2),
    Step("mistakes", play.mistakes, 1),
)

# The step's title, its number from 1, of how many, share of all the work that is done, seconds so far.
Told = Callable[[str, int, int, float, float], None]


def make_report(inquiry: Inquiry, told: Told | None = None, date: str | None = None) -> Report:
    """Everything that is asked about the tables of an inquiry."""
    start = time.perf_counter()
    steps = (*DESIGNER, *PLAYER)
    whole = sum(step.weight for step in steps)
    done = 0.0
    sections: list[Section] = []
    for i, step in enumerate(steps, 1):

        def tell(share: float, step: Step = step, number: int = i, before: float = done) -> None:
            if told:
                part = (before + step.weight * share) / whole
                told(step.title, number, len(steps), part, time.perf_counter() - start)

        inquiry.told = tell
        tell(0.0)
        sections.append(step.make(inquiry))
        done += step.weight
    designer, player = sections[: len(DESIGNER)], sections[len(DESIGNER) :]
    named = {section.name: section for section in sections}
    commands = [
        "houle report " + " ".join(inquiry.words),
        *(line for section in sections for line in section.repeat),
    ]
    first = verdict(inquiry, named)
    parts = [
        Part("For the designer", [first, *designer, ground.appendix(inquiry, commands)]),
        Part("For the player", player),
    ]
    return Report(
        inquiry.main.ruleset.name,
        f"{inquiry.title}: how hard, how fair, how to play",
        _subtitle(inquiry),
        facts(inquiry),
        date or datetime.date.today().isoformat(),
        parts,
    )


def facts(inquiry: Inquiry) -> dict[str, str]:
    """What names a report beside its date."""
    return {
        "game": inquiry.main.ruleset.name,
        "effort": inquiry.effort.name,
        "seed": str(inquiry.seed),
        "made by": next(word for word in ground.versions() if word.startswith("houle")),
    }


def _subtitle(inquiry: Inquiry) -> str:
    counts = sorted({setup.players for setup in inquiry.setups})
    variants = list(dict.fromkeys(variant(setup) for setup in inquiry.setups))
    people = inquiry.people if counts != [1] else inquiry.people[:-1]
    several = f"{in_words(len(inquiry.setups))} tables: " if len(inquiry.setups) > 1 else ""
    return f"{several}{listed(variants)}; {listed([in_words(count) for count in counts])} {people}".capitalize()
