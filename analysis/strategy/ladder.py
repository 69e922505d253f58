"""Strategies from worst to best, each against the one below it, on the same deals: the numbers behind `houle ladder`.

Where all players are one side (a team, a solo game) every rung plays for all of them, and has a win rate, a mean score
and the difference of both to the rung below, paired by deal. Elsewhere one side of the rung meets the rung below on all
other sides, from every side in turn; n counts deals and intervals are clustered by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from houle.analysis.limits import SEED
from houle.analysis.sampling.same_deals import Arm, Deals, against, deals_digest, same_deals, seats_of
from houle.analysis.sampling.simulation import mean_as_json
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import RulesetError, Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.player import KINDS, THUMB, Strategy, parse

RUNGS = ("random", "greedy", "novice", "thumb", "flat:50", "ismcts:200", "clairvoyant")

Told = Callable[[int, float, str], None]  # games played, seconds of play so far, what is being played


@dataclass(frozen=True)
class Rung:
    """A strategy, and what it gets."""

    strategy: str
    below: str  # the rung below; empty for the first
    win: Interval | None  # share of the win; None for the first rung where it takes others to play
    score: Interval | None
    gain: Interval | None  # of the win over the rung below, on the same deals; where all play together
    score_gain: Interval | None

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"strategy": self.strategy, "below": self.below or None}
        data["deals"] = self.win.n if self.win else 0
        data["win"] = {"rate": self.win.value, "low": self.win.low, "high": self.win.high} if self.win else None
        for name, interval in (("score", self.score), ("gain", self.gain), ("score_gain", self.score_gain)):
            data[name] = mean_as_json(interval) if interval else None
        return data


@dataclass(frozen=True)
class Ladder:
    """All rungs, from the lowest."""

    setup: Setup
    rungs: tuple[Rung, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    seed: int
    fair: float | None  # what equal players get; None where all play together
    digest: str
    seconds: float
    interrupted: bool

    def as_json(self) -> dict[str, Any]:
        """The object that `houle ladder --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": self.setup.shown_options,
            "seed": self.seed,
            "score": self.setup.score,
            "fair_share": self.fair,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "rungs": [rung.as_json() for rung in self.rungs],
            "left_out": [{"strategy": text, "why": why} for text, why in self.left_out],
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def standing(setup: Setup, texts: Sequence[str] = RUNGS) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """The rungs that exist at this table, and why the others do not."""
    found: list[Strategy] = []
    left_out = []
    for strategy in map(parse, texts):
        why = _missing(strategy, setup)
        if texts is RUNGS and strategy.name == "clairvoyant" and not setup.game.has_solver:
            why = "the game has no exact solver"
        if why:
            left_out.append((strategy.text, why))
        else:
            found.append(strategy)
    return found, left_out


def _missing(strategy: Strategy, setup: Setup) -> str:
    try:
        entry = strategy.weights_entry(setup) if strategy.name != "random" else {}
    except RulesetError as fault:
        return str(fault)
    if strategy.name == "novice" and "temperature" not in strategy.options and "novice" not in entry:
        return "its weights name no temperature for the novice"
    return ""


@dataclass(frozen=True)
class Stage:
    """Rungs that are played together, on so many deals."""

    arms: list[Arm]
    deals: int
    name: str

    @property
    def plays(self) -> int:
        """Games of one deal."""
        return sum(map(len, self.arms))

    @property
    def games(self) -> int:
        return self.deals * self.plays


@dataclass(frozen=True)
class Plan:
    """Which stage and which of its arms says what about each rung."""

    setup: Setup
    strategies: list[Strategy]
    stages: list[Stage]
    places: list[tuple[int, int, int] | None]  # per rung: stage, its arm, the arm of the rung below (-1 for none)
    together: bool  # all players are one side

    @property
    def games(self) -> int:
        return sum(stage.games for stage in self.stages)


def plan(setup: Setup, strategies: list[Strategy], deals: int, search_deals: int) -> Plan:
    """Quick rungs on all the deals; rungs that search, and what is directly below them, on the first of them."""
    together = len(seats_of(setup)) == 1
    quick, slow = Stage([], deals, "rules of thumb"), Stage([], min(deals, search_deals), "search")
    stages = [quick, slow]
    places: list[tuple[int, int, int] | None] = []
    for i, strategy in enumerate(strategies):
        below = strategies[i - 1] if i else None
        searching = KINDS[strategy.name] > THUMB
        number = int(searching or (not together and below is not None and KINDS[below.name] > THUMB))
        stage = stages[number]
        if together:
            previous = places[-1] if places else None
            if previous is None or below is None:
                lower = -1
            elif previous[0] == number:
                lower = previous[1]
            else:
                stage.arms.append(against(setup, below, None))
                lower = len(stage.arms) - 1
            stage.arms.append(against(setup, strategy, None))
            places.append((number, len(stage.arms) - 1, lower))
        elif below is None:
            places.append(None)
        else:
            stage.arms.append(against(setup, strategy, below))
            places.append((number, len(stage.arms) - 1, -1))
    return Plan(setup, strategies, stages, places, together)


def _after(told: Told, stage: Stage, games: int, seconds: float) -> Progress:
    """Progress of one stage, told as progress of the whole."""

    def progress(done: int, spent: float) -> None:
        told(games + done * stage.plays, seconds + spent, stage.name)

    return progress


def climb(
    planned: Plan,
    left_out: Sequence[tuple[str, str]] = (),
    seed: int = SEED,
    threads: int | None = None,
    told: Told | None = None,
) -> Ladder:
    """Plays the ladder. After Ctrl-C the rungs that were played show what they have."""
    setup = planned.setup
    results: list[Deals] = []
    games, seconds, interrupted = 0, 0.0, False
    for stage in planned.stages:
        if interrupted or not stage.arms:
            results.append(Deals.empty(tuple(map(len, stage.arms))))
            continue
        progress = _after(told, stage, games, seconds) if told else None
        found = same_deals(setup, stage.arms, seed, stage.deals, 0, threads, progress)
        results.append(found)
        games, seconds = games + found.number * stage.plays, seconds + found.seconds
        interrupted = found.number < stage.deals
    rungs = []
    most = float(setup.score_range[1] - setup.score_range[0])
    for i, (strategy, place) in enumerate(zip(planned.strategies, planned.places, strict=True)):
        below = planned.strategies[i - 1].text if i else ""
        if place is None or results[place[0]].number == 0:
            rungs.append(Rung(strategy.text, below, None, None, None, None))
            continue
        deals, arm, lower = results[place[0]], place[1], place[2]
        rungs.append(
            Rung(
                strategy.text,
                below,
                deals.win(arm),
                deals.score(arm).within(*setup.score_range),
                deals.gain(arm, lower) if lower >= 0 else None,
                deals.score_gain(arm, lower, most) if lower >= 0 else None,
            )
        )
    digests = [
        deals_digest(setup, stage.arms, seed, 0, found) for stage, found in zip(planned.stages, results, strict=True)
    ]
    fair = None if planned.together else 1 / len(seats_of(setup))
    return Ladder(setup, tuple(rungs), tuple(left_out), seed, fair, digest(digests), seconds, interrupted)
