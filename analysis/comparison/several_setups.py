"""Base class of comparisons and sweeps: results of several setups of one game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from houle.analysis.comparison.findings import Finding, all_findings
from houle.analysis.measures.targets import OUTSIDE
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.result import Facts, Record, Result, command_line, flat, notes_of, setup_as_json
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.sampling.paired_arms import STRETCH, PlayedArms, play_until
from houle.analysis.stats.sequential_tests import looks
from houle.solver.rules import Setup

if TYPE_CHECKING:
    import pandas as pd


class Sequential(Protocol):
    """A test that is updated at every look until it ends."""

    @property
    def kind(self) -> str | None: ...

    def games(self, now: int) -> int: ...


@dataclass(frozen=True)
class UntilDecided:
    """The state of a run that ends when every question is decided."""

    most: int  # games allowed per arm
    tests: Mapping[tuple[int, Any], Sequential]  # (arm, question) -> its test

    @property
    def undecided(self) -> list[int]:
        """The arms that are not decided yet; one missed target decides an arm."""
        missed = {arm for (arm, _), test in self.tests.items() if test.kind == OUTSIDE}
        return sorted({arm for (arm, _), test in self.tests.items() if test.kind is None} - missed)

    @property
    def reached(self) -> bool:
        return not self.undecided

    def play(
        self, arms: Sequence[Arm], spec: RunSpec, counts: Sequence[int], look: Callable[[PlayedArms], None], pairs: bool
    ) -> PlayedArms:
        """Play all arms to the first look, then those that are not decided, at most `counts` games of each.

        `look` updates the tests.
        """

        def still_open(played: PlayedArms) -> list[int]:
            look(played)
            going = [arm for arm in self.undecided if played.asked_of(arm) < counts[arm]]
            if going:
                spec.expect(self.expected(played, [0, *going] if pairs else going))
            return going

        return play_until(arms, spec, sorted({*looks(self.most), *counts}), still_open, pairs)

    def expected(self, played: PlayedArms, going: Sequence[int]) -> int:
        """The forecast number of games of all arms, if these arms continue."""
        now = {arm: played.asked_of(arm) for arm in going}
        likely = dict.fromkeys(going, 0)
        for (arm, _), test in self.tests.items():
            if arm in now:
                likely[arm] = max(likely[arm], min(test.games(now[arm]), self.most) - now[arm])
        return played.games + sum(likely.values())

    def as_json(self) -> Record:
        return {"most": self.most, "reached": self.reached}


@dataclass(frozen=True, repr=False)
class SeveralSetups(Result):
    """Results of several arms. Its setup, strategies and digests are those of the first arm.

    JSON has an object per arm, and outside of them the setup of the first.
    """

    grid: Grid
    played: PlayedArms
    measures: tuple[str, ...]  # shown in pages and figures
    margins: Mapping[str, float]  # the smallest difference that matters, or how near is at the edge of a target
    until: UntilDecided | None = field(default=None, kw_only=True)  # None if the number of games was given
    search_games: int | None = field(default=None, kw_only=True)  # of arms with players that search, if fewer

    arm_key: ClassVar[str]  # the key of an arm's label in JSON

    @abstractmethod
    def arm_records(self) -> Iterable[tuple[int, Record]]:
        """For JSON: the number of every arm, and what was measured."""

    @abstractmethod
    def measured(self) -> Iterable[tuple[int, Record]]:
        """For the frame: the number of an arm, and what was measured, row by row."""

    @cached_property
    def facts(self) -> Facts:
        first, played = self.arms[0], self.played
        counted = (played.batches[0].number, played.asked, played.seconds)
        return Facts(first.setup, first.strategies, played.seed, *counted, played.digest, played.firsts[0])

    @property
    def arms(self) -> tuple[Arm, ...]:
        return self.grid.arms

    @property
    def interrupted(self) -> bool:
        return self.played.interrupted

    @property
    def games_per_second(self) -> float:
        return self.played.games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        every = [name for arm in self.arms for name in arm.strategies]
        return list(dict.fromkeys(line for arm in self.arms for line in notes_of(arm.setup, every)))

    @cached_property
    def findings(self) -> list[Finding]:
        return all_findings(self.played)

    def records(self) -> list[Record]:
        return [
            {
                self.arm_key: self.arms[number].label,
                **setup_as_json(self.arms[number].setup),
                "strategies": list(self.arms[number].strategies),
                "first": self.played.firsts[number],
                "rules_digest": self.arms[number].setup.digest,
                **record,
            }
            for number, record in self.arm_records()
        ]

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """One row per arm, or per measure and arm, with every estimate as x, x_low, x_high."""
        import pandas as pd

        return pd.DataFrame([self.row(number, measured) for number, measured in self.measured()])

    def row(self, number: int, measured: Record) -> dict[str, Any]:
        """A row of the frame: setup and games of an arm, what was measured, and the digests."""
        arm, played = self.arms[number], self.played
        games = {"seed": self.seed, "first": played.firsts[number], "games": played.tally(number).games}
        digests = {"rules_digest": arm.setup.digest, "result_digest": self.digest_of(number)}
        return {**arm.columns, **games, **flat(measured), **digests}

    def digest_of(self, number: int) -> str:
        """The result digest in the rows of an arm."""
        return self.digest

    def summary(self) -> Record:
        return {
            "until_decided": self.until.as_json() if self.until else None,
            "findings": [finding.as_json() for finding in self.findings],
        }

    @property
    def judged(self) -> Iterable[str]:
        """The measures whose margins matter."""
        return self.measures

    @property
    def target_texts(self) -> list[str]:
        """The targets as typed."""
        return []

    @property
    def own_margins(self) -> dict[str, float]:
        """Margins that differ from the defaults."""
        usual = margins_of()
        return {name: self.margins[name] for name in self.judged if self.margins[name] != usual[name]}

    def words(self) -> list[str]:
        return [
            *(word for name in self.measures for word in ("--measure", name)),
            *(word for text in self.target_texts for word in ("--target", text)),
            *(word for name, value in self.own_margins.items() for word in ("--margin", f"{name}={value!r}")),
            *(["--until-decided"] if self.until else []),
        ]

    def count_words(self) -> list[str]:
        until, searched = self.until, self.search_games
        fewer = [] if searched is None else ["--search-games", str(searched)]
        if until and not self.interrupted:
            return [*(["-n", str(until.most)] if until.most != STRETCH else []), *fewer]
        # After an interruption, batches have different numbers of games.
        several = len(self.played.batches) > 1
        number = (until.most if until else self.asked) if several else self.games
        return ["-n", str(number), *fewer]

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives this result again; a line of Python for setups that no options combine to."""
        setups = self.grid.words() if setup_words is None else setup_words
        if setups is None:
            return self._python()
        words = [self.command, *setups, *self.words(), *self.count_words(), "--seed", str(self.seed)]
        words += ["--first", str(self.first)] if self.first else []
        return command_line(words, self.setup)

    def python_words(self) -> dict[str, Any]:
        """Further arguments of the call in Python; they override the common ones."""
        facts: dict[str, Any] = {"targets": self.target_texts} if self.target_texts else {}
        facts |= {"margins": self.own_margins} if self.own_margins else {}
        facts |= {} if self.search_games is None else {"search_games": self.search_games}
        if self.until:
            facts |= {"until_decided": True, "games": self.games if self.interrupted else self.until.most}
        return facts

    def _python(self) -> str:
        line_ups = list(self.grid.line_ups)
        setups = ", ".join(call_of(arm.setup) for arm in self.arms[:: len(line_ups)])
        strategies = line_ups[0] if len(line_ups) == 1 else line_ups
        facts = {"strategies": strategies, "games": self.games, "seed": self.seed, "measures": list(self.measures)}
        facts |= {"first": self.first} if self.first else {}
        facts |= self.python_words()
        return f"houle.{self.command}([{setups}], {', '.join(f'{name}={value!r}' for name, value in facts.items())})"

    def interruption(self, again: str) -> str:
        if len(self.played.batches) == 1 and self.until:
            return f"{self.games:,} games of the undecided arms are counted; exactly this part again: {again}"
        if len(self.played.batches) == 1:
            return super().interruption(again)
        return f"{self.played.games:,} of {self.asked * len(self.arms):,} games are counted; the whole again: {again}"


def call_of(setup: Setup) -> str:
    """A setup as a call of `houle.setup`."""
    parts = [repr(setup.ruleset.name), f"players={setup.players}"]
    parts += [f"variants={'+'.join(setup.variants)!r}"] if setup.variants else []
    changed = {knob: setup.shown_options[knob] for knob, _, _ in setup.differences}
    return f"houle.setup({', '.join([*parts, *([f'set={changed!r}'] if changed else [])])})"
