"""One table for every question about several arms: what each reached, how it differs from another, and a verdict.

`compare`, `sweep`, `difficulty`, `strength` and others are functions that make one. All of them have the same columns
in files and in JSON, the same blocks in the terminal and in reports, and the same figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.blocks import Block, Column, answer, table, text
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import Difference, measure_name, pairing_gain
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, Target
from houle.analysis.measures.verdicts import Verdict
from houle.analysis.result import (
    Facts,
    Record,
    Result,
    command_line,
    draw,
    flat,
    notes_of,
    setup_as_json,
    words_of_setup,
)
from houle.analysis.sampling.experiment import Sample
from houle.analysis.sampling.grid import Arm, Grid, short_line_up
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.tables.findings import Finding, all_findings, finding_texts
from houle.analysis.tables.until_sure import UntilSure
from houle.solver.rules import Setup
from houle.solver.texts import count_of

if TYPE_CHECKING:
    import pandas as pd

NOTHING = Verdict("", "")
REFERENCE = Verdict("", "the reference")
HEADS = {"label": "variant", "against": "compared with", "difference": "difference", "verdict": "verdict", "note": ""}
FITS: Mapping[str | None, str] = {
    INSIDE: ", certainly",
    PERHAPS: ", perhaps (the interval reaches into the range)",
    OUTSIDE: ", outside",
    None: ", of other players",
}


@dataclass(frozen=True)
class Row:
    """What an arm reached in one measure, and how that differs from another arm."""

    arm: Arm
    number: int  # of the arm in the sample
    label: str
    measure: str
    value: Estimate
    against: str = ""  # what it is compared with
    beside: Estimate | None = None  # what that reached, on the same deals
    difference: Difference | None = None  # None if there is nothing to compare with
    verdict: Verdict = NOTHING
    target: str | None = None  # inside, perhaps or outside
    note: str = ""

    @property
    def setup(self) -> Setup:
        return self.arm.setup

    @property
    def strategy(self) -> str:
        """Who plays: `family`, or one name per seat."""
        return short_line_up(self.arm.strategies)

    @property
    def is_bound(self) -> bool:
        """Whether it is the most possible and not a player."""
        return self.strategy.startswith("clairvoyant")

    @property
    def change(self) -> Estimate | None:
        """The difference as an estimate."""
        return self.difference.interval if self.difference else None

    @property
    def name(self) -> str:
        """The measure as a column heading: a score by its own name."""
        return measure_name(self.measure, self.setup)

    @property
    def record(self) -> Record:
        """The row as columns of files; the same for every table."""
        return {
            "label": self.label,
            "measure": self.measure,
            "value": self.value,
            "n": self.value.n,
            "against": self.against or None,
            "difference": self.change or MISSING,
            "paired": self.difference.paired if self.difference else None,
            "changed": self.difference.changed if self.difference else None,
            "verdict": self.verdict.text or None,
            "target": self.target,
            "note": self.note or None,
        }


@dataclass(frozen=True)
class Confirmed:
    """What was picked for its size, or for fitting best: what picked it, and what as many fresh games say."""

    row: Row
    picked: Mapping[str, Estimate]  # by measure
    fresh: Mapping[str, Estimate]
    again: bool  # whether the fresh games by themselves show the same
    games: int
    first: int
    digest: str

    def sentence(self) -> Block:
        """`hand.back=4: win 31% (29 to 33) on 2,000 new games, 32% (30 to 34) on the games that picked it`"""
        parts = [
            text(
                "{what} {fresh} on {games} new games, {picked} on the games that picked it",
                what=measure_name(name, self.row.setup),
                fresh=fresh,
                games=self.games,
                picked=self.picked[name],
            )
            for name, fresh in self.fresh.items()
        ]
        label = "confirmed" if self.again else "not confirmed"
        return answer(label, text("{row}: {parts}", row=self.row.label, parts=parts))

    def as_json(self) -> Record:
        return {
            "label": self.row.label,
            "picked": self.picked,
            "fresh": self.fresh,
            "confirmed": self.again,
            "games": self.games,
            "first": self.first,
            "result_digest": self.digest,
        }


@dataclass(frozen=True, repr=False)
class Table(Result):
    """Rows of one question, with the sentences that answer it."""

    command: str
    question: str
    main: Setup  # what the question is about
    sample: Sample
    rows: tuple[Row, ...]
    measures: tuple[str, ...]  # that pages and figures show; files have all rows
    sentences: tuple[Block, ...] = ()  # the answer
    remarks: tuple[Block, ...] = ()  # how to read it
    heads: Mapping[str, str] = field(default_factory=dict)  # of columns, where they differ from HEADS
    grid: Grid | None = None  # what the user varied
    targets: tuple[Target, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()  # what was not played, and why
    until: UntilSure | None = None  # None if the number of games was given
    confirmed: Confirmed | None = None
    margin: float | None = None  # the smallest difference that matters
    by_change: bool = False  # whether figures show differences, not values
    options: tuple[str, ...] = ()  # of the command, where the arms do not say them
    only_certain: bool = False  # whether pages list only the rows that certainly differ; files have all

    @cached_property
    def facts(self) -> Facts:
        sample, names = self.sample, dict.fromkeys(short_line_up(arm.strategies) for arm in self.sample.arms)
        who = sample.arms[0].strategies if self.grid or len(names) == 1 else tuple(names)
        deals = max(map(sample.deals, range(len(sample.arms))))
        return Facts(
            self.main,
            strategies=who,
            seed=sample.seed,
            games=deals,
            asked=max(sample.asked),
            seconds=sample.seconds,
            digest=sample.digest,
            first=sample.spec.first,
        )

    @property
    def arms(self) -> tuple[Arm, ...]:
        return self.sample.arms

    @property
    def interrupted(self) -> bool:
        return self.sample.interrupted

    @property
    def part(self) -> int | None:
        """See `Result.part`: one where each row has the games that this -n gives it, and nothing was chosen."""
        if not self.interrupted or self.until or self.targets or "-n" in self.options:
            return None
        played = [self.sample.deals(arm) for arm in range(len(self.arms))]
        return self.games if self.sample.experiment.deals_of(self.games) == played else None

    @property
    def games_per_second(self) -> float:
        return self.sample.games / self.seconds if self.seconds else 0.0

    @property
    def goal(self) -> Goal:
        return Goal(self.main)

    @property
    def headline(self) -> str:
        """The row of the first measure with the greatest number of games that says most: the last."""
        shown = [row for row in self.rows if row.measure == self.measures[0]]
        known = [row for row in shown if row.difference] or shown[-1:]
        if not known:
            return ""
        row, more = known[0], f"; {len(known) - 1} more" if len(known) > 1 else ""
        words = [row.verdict.text, row.name, (row.change or row.value).text()]
        return f"{row.label}: {' '.join(filter(None, words))}{more}"

    @property
    def notes(self) -> list[str]:
        every = [name for arm in self.arms for name in arm.strategies]
        return list(dict.fromkeys(line for arm in self.arms for line in notes_of(arm.setup, every)))

    @cached_property
    def findings(self) -> list[Finding]:
        """What is unusual about the games; not about those of rules that only stand beside."""
        found = all_findings(self.sample)
        own = {row.label for row in self.levels}
        return [finding for finding in found if finding.arm in own] if "beside" in self.heads else found

    def of(self, measure: str) -> list[Row]:
        """The rows of a measure."""
        return [row for row in self.rows if row.measure == measure]

    @property
    def levels(self) -> list[Row]:
        """The rows of the first measure with the rules that the question is about."""
        return [row for row in self.of(self.measures[0]) if row.setup is self.main]

    def row(self, label: str, measure: str | None = None) -> Row | None:
        """The row of a label, in the first measure or in another."""
        return next((row for row in self.of(measure or self.measures[0]) if row.label == label), None)

    def blocks(self) -> list[Block]:
        """What terminal, report and studio show: the answer, the rows, how to read them, and what is unusual."""
        return [*self.sentences, *self.tables(), *self.remarks, *self.endnotes()]

    def tables(self) -> list[Block]:
        """A table for each measure and kind of players; one for all measures where nothing is compared."""
        if self.targets:
            return self._by_target()
        groups: dict[Any, list[Row]] = {}
        compared = any(row.difference or row.verdict.text for row in self.rows)
        for measure in self.measures:
            for row in filter(self._is_listed, self.of(measure)):
                key = (measure, row.arm.strategies if self.command == "compare" else "") if compared else ""
                groups.setdefault(key, []).append(row)
        return [self._one(f"{self.command}-{number}", rows) for number, rows in enumerate(groups.values(), 1)]

    def _is_listed(self, row: Row) -> bool:
        return not self.only_certain or row.change is None or row.change.differs

    def _by_target(self) -> list[Block]:
        """The rows that fit the targets, those that perhaps do, and the others."""
        wanted, blocks = " and ".join(target.text for target in self.targets), []
        shown = [row for row in self.rows if row.measure in self.measures]
        for kind, words in FITS.items():
            rows = [row for row in shown if row.target == kind]
            number = count_of(len({row.number for row in rows}), "setup")
            if rows or kind is not None:
                blocks.append(text("{wanted}{fit}: {number}", wanted=wanted, fit=words, number=number))
            blocks += [self._one(f"{self.command}-{kind or 'others'}", rows)] if rows else []
        return blocks

    def _one(self, name: str, rows: Sequence[Row]) -> Block:
        """The rows of some measures as a block: a line per arm, a column per measure, and what is said of them."""
        heads = {**HEADS, **self.heads}
        if "beside" in heads:
            rows = [row for row in rows if row.setup is self.main]
        lines: dict[int, list[Row]] = {}
        for row in rows:
            lines.setdefault(row.number, []).append(row)
        measures = list(dict.fromkeys(row.measure for row in rows))
        uneven = len({row.value.n for row in rows if row.measure == measures[0]}) > 1
        several = len({row.name for row in rows if row.measure == "score"}) > 1
        columns, cells = [Column("label", heads["label"])], [[some[0].label] for some in lines.values()]
        if self.grid and len(self.grid.axes) > 1 and len(lines) > 1 and not any(row.difference for row in rows):
            columns = [Column(axis, axis) for axis in self.grid.axes]
            cells = [
                [self.grid.shown(axis, some[0].arm.values[axis]) for axis in self.grid.axes] for some in lines.values()
            ]

        def add(key: str, title: str, values: Sequence[Any]) -> None:
            if any(value not in (None, "") for value in values):
                columns.append(Column(key, title))
                for cell, value in zip(cells, values, strict=True):
                    cell.append(value)

        if "against" in self.heads:
            add("against", heads["against"], [some[0].against for some in lines.values()])
        if uneven:
            add("games", "games", [self.sample.deals(number) for number in lines])
        for measure in measures:
            found = [next((row for row in some if row.measure == measure), None) for some in lines.values()]
            title = measure if measure == "score" and several else next(row.name for row in found if row)
            add(measure, heads.get(measure, title), [row and row.value for row in found])
        if "beside" in heads:
            add("beside", heads["beside"], [some[0].beside for some in lines.values()])
        add("difference", heads["difference"], [some[0].change for some in lines.values()])
        add("verdict", heads["verdict"], [some[0].verdict.text for some in lines.values()])
        add("note", heads["note"], [some[0].note for some in lines.values()])
        return table(name, self.question, columns, cells)

    def pairing(self) -> list[Block]:
        """How much it gained that variants play the same deals."""
        other_of, gains = dict(self.sample.pairs), []
        for row in self.rows:
            if row.number in other_of and (
                gain := pairing_gain(self.sample, row.number, row.measure, other_of[row.number])
            ):
                gains.append(f"{row.label} ({row.measure}) {gain:.2f} times")
        words = text("as good as so many times the games: {gains}", gains="; ".join(gains))
        return [answer("pairing", words)] if gains else []

    def endnotes(self) -> list[Block]:
        """What was found beside the answer, and what was not played."""
        why: dict[str, list[str]] = {}
        for label, reason in self.left_out:
            why.setdefault(reason, []).append(label)
        return [
            *([self.confirmed.sentence()] if self.confirmed else []),
            *(answer("finding", text("{line}", line=line)) for line in finding_texts(self.findings)),
            *(
                answer("left out", text("{labels}: {why}", labels="; ".join(labels), why=reason))
                for reason, labels in why.items()
            ),
        ]

    def records(self) -> list[Record]:
        return [row.record for row in self.rows]

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """A line for each row, with its setup and its games; every table has the same columns."""
        import pandas as pd

        sample = self.sample
        return pd.DataFrame(
            [
                {
                    **row.arm.columns,
                    "seed": self.seed,
                    "first": sample.firsts[row.number],
                    "games": sample.deals(row.number),
                    **flat(row.record),
                    "rules_digest": row.setup.digest,
                    "result_digest": sample.digest_of(row.number),
                }
                for row in self.rows
            ]
        )

    def summary(self) -> Record:
        sample = self.sample
        return {
            "question": self.question,
            "arms": [
                {
                    "label": arm.label,
                    **setup_as_json(arm.setup),
                    "strategies": list(arm.strategies),
                    "set": arm.settings,
                    "first": sample.firsts[number],
                    "games": sample.deals(number),
                    "rules_digest": arm.setup.digest,
                    "result_digest": sample.digest_of(number),
                }
                for number, arm in enumerate(self.arms)
            ],
            "targets": [target.text for target in self.targets],
            "until_sure": self.until.as_json() if self.until else None,
            "confirmed": self.confirmed.as_json() if self.confirmed else None,
            "findings": [finding.as_json() for finding in self.findings],
            "left_out": [{"label": label, "why": why} for label, why in self.left_out],
        }

    def repeat(self) -> str:
        """The command for this question with this seed; of setups that no options combine to, only the first."""
        words = (self.grid.words() if self.grid else None) or words_of_setup(self.main)
        words += self.options
        if "-s" not in words:
            words += ["-s", self.player]
        words += [word for name in self.measures if self.grid for word in ("--measure", name)]
        words += [word for target in self.targets for word in ("--target", target.text)]
        words += ["--until-sure"] if self.until else []
        if "-n" not in words:
            words += ["-n", str(self.until.most if self.until else self.part or self.asked)]
        return command_line([self.command, *words, "--seed", str(self.seed)], self.main)

    def plot(self, path: str | Path | None = None, **options: Any) -> Any:
        """The figure: a panel for each measure; of a sweep over a grid a line or a map."""
        return draw(self, path, **options)

    def __repr__(self) -> str:
        games = f"{self.games:,} games" + (f", interrupted, {self.asked:,} asked for" if self.interrupted else "")
        return f"Table({self.command}, {', '.join(filter(None, [self.main.summary, self.headline, games]))})"
