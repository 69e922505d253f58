"""How much of a game is skill: the ladder's gaps, how near the best fair play comes to a bound, and what decides a win.

The three are in ladder.py, relative.py and luck.py; here they are planned and played for one table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import SEED
from houle.analysis.sampling.same_deals import seats_of
from houle.analysis.stats.clusters import columns
from houle.analysis.strategy import ladder as rungs
from houle.analysis.strategy.ladder import Ladder, Told
from houle.analysis.strategy.luck import TAKES, Luck, measure_luck
from houle.analysis.strategy.skill_gap import Relative, has_bound, plays_of, relative_skill
from houle.solver.ruleset import RulesetError, Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.player import KINDS, THUMB, LineUp, Strategy, line_up

if TYPE_CHECKING:
    import pandas as pd

FAIR = ("random", "greedy", "novice", "thumb", "flat:50")
DEALS, SEARCH_DEALS = 2000, 200


@dataclass(frozen=True)
class Skill:
    """Gaps, relative skill and luck of one table."""

    setup: Setup
    ladder: Ladder
    relative: Relative | None  # None where only one fair strategy plays, or after Ctrl-C
    alike: Luck | None  # all play the same
    mixed: Luck | None  # different players, at every seat in turn
    remarks: tuple[str, ...]  # what is not there, and why
    seed: int
    seconds: float
    interrupted: bool

    @property
    def digest(self) -> str:
        parts = [self.ladder.digest, *(part.digest for part in (self.relative, self.alike, self.mixed) if part)]
        return digest(parts)

    def frame(self) -> pd.DataFrame:
        """A row per number: what it is, of whom, its estimate."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for rung in self.ladder.rungs:
            whom = rung.strategy + (f" against {rung.below}" if rung.below and self.ladder.fair is not None else "")
            for name, one in (("win", rung.win), ("gain", rung.gain)):
                rows += [{"measure": f"ladder {name}", "of": whom, **columns("value", one)}] if one else []
        if self.relative:
            gap = self.relative
            for name, found in (("skill", gap.skill), ("relative skill", gap.relative)):
                whom = f"{gap.best} over {gap.lowest}"
                rows += [{"measure": name, "of": whom, **columns("value", found)}] if found else []
        for table in (self.alike, self.mixed):
            for outcome, parts in (table.parts if table else {}).items():
                for part, share in (parts or {}).items():
                    whom = ",".join(dict.fromkeys(table.strategies)) if table else ""
                    rows.append({"measure": f"{part}, share of {outcome}", "of": whom, **columns("value", share)})
        about = {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": "+".join(self.setup.variants) or "base",
            "seed": self.seed,
        }
        digests = {"rules_digest": self.setup.digest, "result_digest": self.digest}
        return pd.DataFrame([{**about, **row, **digests} for row in rows])

    def as_json(self) -> dict[str, Any]:
        """The object that `houle skill --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": self.setup.shown_options,
            "seed": self.seed,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "ladder": self.ladder.as_json(),
            "skill": self.relative.as_json() if self.relative else None,
            "luck": {
                "alike": self.alike.as_json() if self.alike else None,
                "mixed": self.mixed.as_json() if self.mixed else None,
            },
            "remarks": list(self.remarks),
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Plan:
    """What will be played for a table."""

    setup: Setup
    strategies: list[Strategy]  # from the lowest to the best
    ladder: rungs.Plan
    left_out: tuple[tuple[str, str], ...]
    deals: int
    relative_deals: int
    takes: int
    alike: LineUp
    mixed: LineUp | None
    remarks: tuple[str, ...]

    @property
    def games(self) -> int:
        pairs = self.relative_deals * plays_of(self.setup) if len(self.strategies) > 1 else 0
        turns = 1 + (self.setup.players if self.mixed else 0)
        return self.ladder.games + pairs + self.deals * self.takes * turns


def plan(
    setup: Setup,
    fair: Sequence[str] | Sequence[Strategy] = FAIR,
    deals: int = DEALS,
    search_deals: int = SEARCH_DEALS,
    takes: int = TAKES,
    mixed: Sequence[str] = (),
) -> Plan:
    """Strategies from the lowest to the best. What searches is played on `search_deals`, all else on `deals`.

    `mixed` gives a line-up of different players, one each; by default the best quick strategy sits among the next best.
    """
    given = [one for one in fair if isinstance(one, Strategy)]
    texts = [one for one in fair if isinstance(one, str)]
    found, left_out = (given, []) if given else rungs.standing(setup, texts)
    for strategy in found:
        if strategy.name == "clairvoyant":
            raise RulesetError("skill: clairvoyant is no rung; the bound is played by itself where there is one")
    quick = [strategy for strategy in found if KINDS[strategy.name] <= THUMB]
    if not quick:
        raise RulesetError("skill: give at least one strategy that does not search")
    remarks = []
    seated = None
    if len(seats_of(setup)) == 1:
        remarks.append("who plays: all players are one side, nobody wins more than another")
        if mixed:
            raise RulesetError("skill: --line-up: all players are one side, nobody wins more than another")
    elif mixed:
        if len(mixed) != setup.players:
            allowed = "one strategy per player"
            raise RulesetError(f"skill: --line-up: {len(mixed)} for {setup.players} players; allowed: {allowed}")
        seated = line_up(setup, mixed)
    elif len(quick) < 2:
        remarks.append(f"who plays: there is no second strategy beside {quick[0].text}")
    else:
        seated = LineUp(setup, (quick[-1], *(quick[-2],) * (setup.players - 1)))
    if len(found) < 2:
        remarks.append(f"skill: there is no second strategy beside {found[0].text}")
    slow = has_bound(setup) or KINDS[found[-1].name] > THUMB
    alike = LineUp(setup, (quick[-1],) * setup.players)
    climbing = rungs.plan(setup, found, deals, search_deals)
    return Plan(
        setup, found, climbing, tuple(left_out), deals, min(deals, search_deals) if slow else deals, takes, alike,
        seated, tuple(remarks),
    )  # fmt: skip


def play_plan(planned: Plan, seed: int = SEED, threads: int | None = None, told: Told | None = None) -> Skill:
    """Plays what is planned. After Ctrl-C the parts that were played show what they have."""
    setup = planned.setup
    games, seconds = 0, 0.0

    def part(plays: int, name: str) -> Progress:
        before, spent = games, seconds

        def progress(done: int, now: float) -> None:
            if told:
                told(before + done * plays, spent + now, name)

        return progress

    climbed = rungs.climb(planned.ladder, planned.left_out, seed, threads, told)
    games, seconds, interrupted = planned.ladder.games, climbed.seconds, climbed.interrupted
    relative = None
    tables: list[Luck | None] = []
    if not interrupted and len(planned.strategies) > 1:
        plays = plays_of(setup)
        lowest, best, wanted = planned.strategies[0], planned.strategies[-1], planned.relative_deals
        relative = relative_skill(setup, lowest, best, wanted, seed, threads, part(plays, "relative skill"))
        games += wanted * plays
        interrupted = relative is None or relative.deals < wanted
        seconds += relative.seconds if relative else 0.0
    for seated in (planned.alike, planned.mixed):
        if seated is None or interrupted:
            tables.append(None)
            continue
        plays = planned.takes * (setup.players if len(set(seated.names)) > 1 else 1)
        found = measure_luck(setup, seated, planned.deals, planned.takes, seed, threads, part(plays, "luck"))
        tables.append(found)
        games, seconds = games + planned.deals * plays, seconds + (found.seconds if found else 0.0)
        interrupted = found is None or found.deals < planned.deals
    return Skill(setup, climbed, relative, tables[0], tables[1], planned.remarks, seed, seconds, interrupted)


def measure_skill(
    setup: Setup,
    fair: Sequence[str] | Sequence[Strategy] = FAIR,
    deals: int = DEALS,
    search_deals: int = SEARCH_DEALS,
    takes: int = TAKES,
    mixed: Sequence[str] = (),
    seed: int = SEED,
    threads: int | None = None,
    told: Told | None = None,
) -> Skill:
    """Plans and plays: see `plan` for what the arguments mean."""
    return play_plan(plan(setup, fair, deals, search_deals, takes, mixed), seed, threads, told)
