"""Replays a report: every sentence with a number, on another seed and with many times its games.

    python -m tools.replay out/wave [--seed 977] [--times 20] [--section NAME ...]

The folder is one that `houle report` wrote. A number misses if the replayed value lies outside its interval. With few
times the games the replay has noise of its own, so it is also said how many misses are larger than that. Sentences that
name what was picked (the most dangerous card) are compared with the same sentence about the same pick; if the replay
picks another one, the sentence counts as not replayed. Plain measures (wins, lengths) are also played on their own with
the players that the sentence names, so a sentence about other players than it says is found.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.analysis.blocks import estimate_of, numbers_of, sentence
from houle.analysis.measures.measures import QUANTILE, estimate
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import play_arms
from houle.analysis.stats.estimate import Estimate
from houle.cli.commands.report import grid_of
from houle.cli.commands.report import report as report_command
from houle.cli.framework.options import take_asked
from houle.reports.blocks import every_block
from houle.reports.build import SECTIONS, USUAL_PLAYERS, main_first, make_section, with_printed
from houle.reports.context import Context, make_context
from houle.reports.effort import Effort, load_effort
from houle.reports.html.write import DATA
from houle.reports.sections import difficulty

PLAIN = ("win", "score", "length", "draws")  # measures that are played on their own
KEPT = ("examples",)  # counts of an effort that are no games


@dataclass(frozen=True)
class Claim:
    """A sentence with numbers, and what its data says about it."""

    section: str
    words: str  # as people read it
    player: str | None
    measure: str | None
    n: int | None
    numbers: tuple[tuple[str, Estimate], ...]  # name in the sentence, value
    key: tuple[str, ...]  # the sentence without its numbers

    @property
    def said(self) -> bool:
        """Whether the data says about whom it is, what was measured and in how many games."""
        return bool(self.player and self.measure and self.n)


def claims(data: Mapping[str, Any]) -> Iterator[Claim]:
    """Every sentence of a report that has a number with an interval."""
    for part in data["parts"]:
        for section in part["sections"]:
            for block in every_block(section["blocks"]):
                inner = [block, *block.get("items", ()), *block.get("moves", ())]
                inner += [block["caption"]] if isinstance(block.get("caption"), Mapping) else []
                for one in inner:
                    if "values" in one:
                        yield from _claims(section["name"], one)


def _claims(section: str, block: Mapping[str, Any]) -> Iterator[Claim]:
    """The sentence if it says about whom it is, else the sentences in it that do."""
    if not any(True for _ in numbers_of(block)):
        return
    inside = [one for value in block["values"].values() for one in (value if isinstance(value, list) else [value])
              if isinstance(one, Mapping) and "values" in one and any(True for _ in numbers_of(one))]  # fmt: skip
    if "player" not in block and inside:
        for one in inside:
            yield from _claims(section, one)
        return
    numbers = tuple(_named(block))
    plain = [str(value) for value in block["values"].values() if isinstance(value, str | int)]
    plain += [value["seats"] for value in block["values"].values() if isinstance(value, Mapping) and "seats" in value]
    key = (section, block["words"], str(block.get("player")), str(block.get("measure")), *plain)
    yield Claim(section, sentence(block), block.get("player"), block.get("measure"), block.get("n"), numbers, key)


def _named(block: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Estimate]]:
    for name, value in block["values"].items():
        for i, one in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(one, Mapping) and "low" in one:
                yield f"{where}{name}.{i}", estimate_of(one)
            elif isinstance(one, Mapping) and "values" in one:
                label = " ".join(str(text) for text in one["values"].values() if isinstance(text, str))
                yield from _named(one, f"{where}{name}.{label}.")


def times(effort: Effort, factor: int) -> Effort:
    """An effort with so many times the games."""
    counts = {
        key: value * factor if isinstance(value, int) and not isinstance(value, bool) and key not in KEPT else value
        for key, value in effort.counts.items()
    }
    return Effort(f"{effort.name} x {factor}", counts)


def context_of(data: Mapping[str, Any], seed: int, factor: int, threads: int | None) -> Context:
    """The context of the same report on another seed with more games, from the command in its appendix."""
    blocks = [
        block for part in data["parts"] for section in part["sections"] for block in every_block(section["blocks"])
    ]
    lines = [line for block in blocks if block["kind"] == "commands" for line in block["lines"]]
    command = next((line for line in lines if line.startswith("houle report ")), None)
    if command is None:
        raise SystemExit("this report names no command that makes it again, so it cannot be replayed")
    given = dict(report_command.make_context("report", shlex.split(command)[2:]).params)
    asked = take_asked(given)
    setups = [asked.named(arm.setup) for arm in grid_of(asked).arms]
    setups = with_printed(main_first(setups, asked.players[0] if asked.players else USUAL_PLAYERS))
    effort = times(load_effort(given["effort"], asked.game), factor)
    return make_context(setups, effort, RunSpec(seed=seed, threads=threads), (), (), given["seconds_per_turn"],
                        given["level"])  # fmt: skip


def surely(one: Estimate, again: Estimate) -> bool:
    """Whether a replayed value differs by more than the intervals of both allow, added as squares."""
    up = again.value > one.value
    widths = (one.high - one.value, again.value - again.low) if up else (one.value - one.low, again.high - again.value)
    return abs(again.value - one.value) > math.hypot(*widths)


def replay(context: Context, wanted: Sequence[str]) -> dict[str, Any]:
    """The sections made again, those that play first."""
    for step in sorted(SECTIONS, key=lambda step: not step.weight):
        if step.name in wanted:
            print(f"... {step.name}", flush=True)
            context.sections[step.name] = make_section(step, context)
    made = [context.sections[name].as_json() for name in context.sections]
    return {"parts": [{"sections": made}]}


def course_value(context: Context, claim: Claim) -> dict[str, Estimate]:
    """How games went in the replay, for a sentence of the head that the replay did not choose; empty for others."""
    balance, (name, _) = context.results.balance, claim.numbers[0]
    found = balance.measure(claim.measure or "") if balance and claim.section == "verdict" else None
    return {name: found} if found is not None and len(claim.numbers) == 1 else {}


def own_value(context: Context, claim: Claim, times_n: int) -> dict[str, float]:
    """Plain measures played on their own by the players that a sentence names; empty for other sentences."""
    names = [part.strip() for part in (claim.measure or "").split(",")]
    if not claim.player or not all(name in PLAIN or QUANTILE.fullmatch(name) for name in names):
        return {}
    if (
        claim.player not in context.strategies
        or claim.player == context.expert
        or claim.section not in ("verdict", "balance")
    ):
        return {}
    played = play_arms([Arm(line_up(context.main, claim.player))], context.spec.but(games=times_n), pairs=False)
    return {label: estimate(played, 0, name).value for (label, _), name in zip(claim.numbers, names, strict=False)}


def main() -> None:
    """Replay a report, print what misses, and the share."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=977)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--section", action="append", help="only this section; may be repeated")
    given = parser.parse_args()
    data = json.loads((given.folder / DATA).read_text(encoding="utf-8"))
    every = list(claims(data))
    wanted = given.section or [step.name for step in SECTIONS]
    unsaid = [claim for claim in every if not claim.said]
    context = context_of(data, given.seed, given.times, given.threads)
    difficulty.WORTH_A_TRY = sys.maxsize  # no sentence with a number needs refitted players
    again = {claim.key: dict(claim.numbers) for claim in claims(replay(context, wanted))}
    numbers = missed = certain = sentences = lost = other = 0
    for claim in (one for one in every if one.section in wanted):
        if not (values := again.get(claim.key) or course_value(context, claim)):
            lost += 1
            print(f"not replayed: {claim.section}: {claim.words}")
            continue
        sentences += 1
        own = own_value(context, claim, given.times * (claim.n or 0))
        for name, one in claim.numbers:
            truth = values.get(name)
            if truth is None:
                continue
            numbers += 1
            if not one.low <= truth.value <= one.high:
                missed += 1
                certain += surely(one, truth)
                print(f"misses: {claim.section}: {re.sub(' +', ' ', claim.words)} | {name}: replayed {truth.text()}")
            if name in own and not one.low <= own[name] <= one.high and one.low <= truth.value <= one.high:
                other += 1
                print(f"about others: {claim.section}: {claim.words} | {claim.player} alone: {own[name]:.4g}")
    share = 100 * missed / max(numbers, 1)
    print(
        f"{sentences} sentences with {numbers} numbers replayed with {given.times} times their games, seed "
        f"{given.seed}: {missed} numbers miss their interval ({share:.1f}%), {certain} of them by more than the noise "
        f"of the replay; {lost} sentences name another pick; "
        f"{other} are about other players than they say; {len(unsaid)} do not say about whom"
    )


if __name__ == "__main__":
    main()
