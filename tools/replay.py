"""Replays reports: every sentence with a number, on another seed and with many times its games.

    python -m tools.replay out/wave out/mine [--seed 977] [--times 20] [--jobs N] [--section NAME ...]

A folder is one that `houle report` wrote, on any machine: its data has the command and the texts of your own rules.
Reports are replayed side by side, each in a process of its own. A number misses if the replayed value lies outside its
interval. With few times the games the replay has noise of its own, so it is also said how many misses are larger than
that. A sentence that names what was picked (the most dangerous card, a list of rules, a mistake) is replayed for the
same pick. Plain measures (wins, lengths) are also played on their own with the players that the sentence names, so a
sentence about other players than it says is found.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from houle.analysis.blocks import estimate_of, numbers_of, sentence
from houle.analysis.explain.few_rules import play_list
from houle.analysis.explain.habits import WIN_WORLDS, wins_more
from houle.analysis.measures.measures import QUANTILE, estimate
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import play_arms
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.judged_positions import walk
from houle.analysis.stats.estimate import Estimate
from houle.cli.commands.report import grid_of
from houle.cli.commands.report import report as report_command
from houle.cli.framework.options import take_asked
from houle.reports.blocks import every_block
from houle.reports.build import SECTIONS, USUAL_PLAYERS, main_first, make_section, with_printed
from houle.reports.context import Context, make_context
from houle.reports.effort import Effort, load_effort
from houle.reports.html.write import DATA
from houle.solver.os_calls import default_threads

PLAIN = ("win", "score", "length", "draws")  # measures that are played on their own
KEPT = ("examples",)  # counts of an effort that are no games
DRAWN = ("mistakes", "first-moves")  # sections of drawn positions: the same positions are played again
OTHER_WORLDS = 1 << 43  # key of the worlds in which a mistake is played again
WIDTH = 110  # of a sentence in the table

Values = dict[str, Estimate]  # by the name of a number in its sentence


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
    values: Mapping[str, Any] = field(default_factory=dict)  # what was filled in
    within: str = ""  # the description of the drawing that it belongs to

    @property
    def said(self) -> bool:
        """Whether the data says about whom it is, what was measured and in how many games."""
        return bool(self.player and self.measure and self.n)

    def word(self, name: str) -> str:
        """A word of the sentence, also one that names a seat."""
        return _word(self.values.get(name, ""))


@dataclass
class Outcome:
    """What the replay of one report found."""

    folder: str
    sentences: int = 0
    numbers: int = 0
    missed: int = 0
    certain: int = 0  # misses larger than the noise of the replay
    lost: int = 0  # sentences that could not be replayed
    other: int = 0  # about other players than they say
    unsaid: int = 0  # that do not say about whom they are

    def add(self, other: Outcome) -> None:
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))


COUNTED = ("sentences", "numbers", "missed", "certain", "lost", "other", "unsaid")


def sections_of(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {section["name"]: section for part in data["parts"] for section in part["sections"]}


def claims(data: Mapping[str, Any]) -> Iterator[Claim]:
    """Every sentence of a report that has a number with an interval."""
    for section in sections_of(data).values():
        for block in every_block(section["blocks"]):
            inner = [block, *block.get("items", ()), *block.get("moves", ())]
            inner += [block["caption"]] if isinstance(block.get("caption"), Mapping) else []
            for one in inner:
                if "values" in one:
                    yield from _claims(section["name"], one, str(block.get("alt", "")))


def _word(value: Any) -> str:
    """A word of a sentence, also one that names a seat; empty for other values."""
    if isinstance(value, Mapping) and "seats" in value:
        return str(value["seats"])
    return value if isinstance(value, str) else ""


def _claims(section: str, block: Mapping[str, Any], within: str) -> Iterator[Claim]:
    """The sentence if it says about whom it is, else the sentences in it that do."""
    if not any(True for _ in numbers_of(block)):
        return
    inside = [
        one
        for value in block["values"].values()
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, Mapping) and "values" in one and any(True for _ in numbers_of(one))
    ]
    if "player" not in block and inside:
        for one in inside:
            yield from _claims(section, one, within)
        return
    values = block["values"]
    plain = [value for value in values.values() if isinstance(value, str)]
    plain += [value["seats"] for value in values.values() if isinstance(value, Mapping) and "seats" in value]
    key = (section, block["words"], str(block.get("player")), str(block.get("measure")), *plain)
    about = (block.get("player"), block.get("measure"), block.get("n"))
    yield Claim(section, sentence(block), *about, numbers=tuple(_named(block)), key=key, values=values, within=within)


def _named(block: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Estimate]]:
    for name, value in block["values"].items():
        for i, one in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(one, Mapping) and "low" in one:
                yield f"{where}{name}.{i}", estimate_of(one)
            elif isinstance(one, Mapping) and "values" in one:
                label = " ".join(map(_word, one["values"].values())).strip()
                yield from _named(one, f"{where}{name}.{label}.")


def times(effort: Effort, factor: int) -> Effort:
    """An effort with so many times the games."""
    counts = {
        key: value * factor if isinstance(value, int) and not isinstance(value, bool) and key not in KEPT else value
        for key, value in effort.counts.items()
    }
    return Effort(f"{effort.name} x {factor}", {**counts, "every_section": True})  # what the report has is played again


def context_of(data: Mapping[str, Any], seed: int, factor: int, threads: int | None) -> Context:
    """The context of the same report on another seed with more games, from the command in its appendix."""
    blocks = [block for section in sections_of(data).values() for block in every_block(section["blocks"])]
    lines = [line for block in blocks if block["kind"] == "commands" for line in block["lines"]]
    command = next((line for line in lines if line.startswith("houle report ")), None)
    if command is None:
        raise SystemExit("this report names no command that makes it again, so it cannot be replayed")
    with tempfile.TemporaryDirectory() as folder:
        words = [_rules_file(word, data.get("rules_files", {}), Path(folder)) for word in shlex.split(command)[2:]]
        given = dict(report_command.make_context("report", words).params)
        asked = take_asked(given)
        setups = [arm.setup for arm in grid_of(asked).arms]
    setups = with_printed(main_first(setups, asked.players[0] if asked.players else USUAL_PLAYERS))
    effort = times(load_effort(given["effort"], asked.game), factor)
    return make_context(
        setups,
        effort,
        spec=RunSpec(seed=seed, threads=threads),
        command_words=(),
        left_out=(),
        seconds_per_decision=given["seconds_per_decision"],
        level=given["level"],
    )


def _rules_file(word: str, texts: Mapping[str, str], folder: Path) -> str:
    """The path of a rules file with the text that the report was made with; other words as they are."""
    if word not in texts:
        return word
    file = folder / Path(word).name
    file.write_text(texts[word], encoding="utf-8")
    return str(file)


def surely(one: Estimate, again: Estimate) -> bool:
    """Whether a replayed value differs by more than the intervals of both allow, added as squares."""
    up = again.value > one.value
    widths = (one.high - one.value, again.value - again.low) if up else (one.value - one.low, again.high - again.value)
    return abs(again.value - one.value) > math.hypot(*widths)


@dataclass
class Replay:
    """A report that is played again."""

    data: Mapping[str, Any]
    context: Context
    factor: int
    wanted: Sequence[str]
    again: dict[tuple[str, ...], Values] = field(default_factory=dict)  # sentences of the replay by their words

    def play(self) -> Iterator[str]:
        """Make the sections again, those that play first, and yield the name of each."""
        for step in sorted(SECTIONS, key=lambda step: not step.weight):
            if step.name in self.wanted and step.name not in DRAWN:
                made = self.context.sections[step.name] = make_section(step, self.context)
                found = claims({"parts": [{"sections": [made.as_json()]}]})
                self.again |= {claim.key: dict(claim.numbers) for claim in found}
                yield step.name
        yield from (name for name in self.wanted if name in DRAWN)

    def values(self, claim: Claim) -> Values:
        """The numbers of a sentence in the replay; empty if it could not be replayed.

        Sentences about a pick are looked up first: the same words may be about another pick in the replay.
        """
        for find in PICKS.get(claim.section, ()):
            if found := find(self, claim):
                return found
        return self.again.get(claim.key, {})

    def results(self, section: str) -> Mapping[str, Any]:
        """The results of a section in the report's data."""
        found: Mapping[str, Any] = sections_of(self.data)[section]["results"]
        return found

    def opening(self, claim: Claim) -> Values:
        """A level of a fact of the deal that was picked as the best or the worst."""
        balance = self.context.results.balance
        result = balance.openings if balance else None
        if result is None:
            return {}
        found: Values = {}
        for table in result.tables:
            if claim.measure == f"{result.goal.measure} by {table.name}":
                found |= {f"ends.{level.level}.more.0": level.more(result.goal) for level in table.levels}
                named = [level for level in table.levels if level.level == claim.word("value")]
                found |= {"fresh.0": named[0].more(result.goal)} if named else {}
        return found

    def ending(self, claim: Claim) -> Values:
        """The card that was picked as the most dangerous, and the one most often left over."""
        balance = self.context.results.balance
        result = balance.endings if balance else None
        if result is None or claim.measure not in ("deadly", "left_close"):
            return {}
        return {f"cards.{card}.share.0": share for card, share in result.tables[claim.measure].items()}

    def side(self, claim: Claim) -> Values:
        """How many more games the best seat wins than the worst."""
        result = self.context.results.balance
        return {"more.0": result.gap.interval} if result and result.gap and "more" in claim.values else {}

    def course(self, claim: Claim) -> Values:
        """How games went, for a sentence of the head that the replay did not choose."""
        balance = self.context.results.balance
        found = balance.measure(claim.measure or "") if balance else None
        if balance and claim.measure == "ends":
            return {f"ends.{end}.share.0": share for end, share in balance.ends}
        return {claim.numbers[0][0]: found} if found is not None and len(claim.numbers) == 1 else {}

    def finding(self, claim: Claim) -> Values:
        """A property of the rules, in the setup where it was seen most."""
        found = [
            finding.rate
            for one in self.context.results.difficulties
            if self.context.described(one.setup) == claim.word("setup")
            for finding in one.findings
            if finding.what == claim.word("what") and claim.player in (finding.arm, "every player")
        ]
        return {"rate.0": found[0]} if found else {}

    def strongest(self, claim: Claim) -> Values:
        """What the strongest known level wins, also if the replay knows a stronger one."""
        main = [one for one in self.context.results.difficulties if one.setup.digest == self.context.main.digest]
        rates = [
            level.value
            for one in main
            for level in one.levels
            if level.strategy == claim.player and one.goal.measure == claim.measure
        ]
        return {"win.0": rates[0]} if rates and {"who", "win"} <= claim.values.keys() else {}

    def change(self, claim: Claim) -> Values:
        """What a variant changes, also if the replay finds the change too small for a sentence."""
        comparison = self.context.results.comparison
        if comparison is None or claim.player != comparison.player or not str(claim.measure).endswith(", change"):
            return {}
        measure = str(claim.measure).partition(",")[0]
        own = self.context.name(self.context.main)
        rows = [
            row
            for row in comparison.rows
            if row.measure == measure and row.difference and row.arm.label == (claim.word("variant") or own)
        ]
        return {claim.numbers[0][0]: rows[0].change} if rows and rows[0].change else {}

    def mistake(self, claim: Claim) -> Values:
        """A mistake that was picked, in many more worlds."""
        place = re.match(r"Game (\d+), decision (\d+)", claim.within)
        if place is None:
            return {}
        name = "habits" if claim.section == "mistakes" else claim.section
        game, ply = map(int, place.groups())
        one = next(
            one for one in self.results(claim.section)[name]["mistakes"] if (one["game"], one["ply"]) == (game, ply)
        )
        setup = self.context.main
        match = walk(setup, int(self.data["facts"]["seed"]), game, ply)
        moves = {match.name(action): action for action in match.moves()}
        wins = wins_more(
            match, moves[one["better"]], moves[one["played"]], OTHER_WORLDS + game, worlds=self.factor * WIN_WORLDS
        )
        return {"more.0": wins}

    def short_list(self, claim: Claim) -> Values:
        """A rule of the list that was picked, or what the list wins."""
        section = self.context.sections.get("rules-of-thumb")
        if section is None or "ablation" not in section.results:
            return {}
        rows = {row.name: row for row in section.results["ablation"].rows}
        if "list" in claim.values:
            rules = [rows[rule["name"]] for rule in self.results("rules-of-thumb")["few_rules"]["rules"]]
            deals = self.context.effort.number("rules_of_thumb_deals")
            played = play_list(self.context.main, rules, self.context.part(deals).but(first=deals))
            return {f"{name}.0": win for name, win in played.wins.items()}
        row = rows.get(str(claim.measure).partition(" without ")[2])
        return {"change.0": row.cost.scale(-1)} if row and row.cost else {}


Find = Callable[[Replay, Claim], Values]

# By section: how the same pick is found in a replay.
PICKS: dict[str, tuple[Find, ...]] = {
    "verdict": (Replay.opening, Replay.side, Replay.course, Replay.change, Replay.strongest),
    "balance": (Replay.side,),
    "difficulty": (Replay.finding,),
    "variants": (Replay.change,),
    "endings": (Replay.ending,),
    "openings": (Replay.opening,),
    "rules-of-thumb": (Replay.short_list,),
    "mistakes": (Replay.mistake,),
    "first-moves": (Replay.mistake,),
}


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
    played = play_arms([Arm(line_up(context.main, claim.player))], context.spec.but(games=times_n))
    return {label: estimate(played, 0, name).value for (label, _), name in zip(claim.numbers, names, strict=False)}


def replay(folder: str, seed: int, factor: int, threads: int | None, only: Sequence[str]) -> Outcome:
    """Replay the report in a folder."""
    data = json.loads((Path(folder) / DATA).read_text(encoding="utf-8"))
    wanted = only or [step.name for step in SECTIONS]
    played = Replay(data, context_of(data, seed, factor, threads), factor, wanted)
    outcome = Outcome(folder)
    for section in played.play():
        for claim in (one for one in claims(data) if one.section == section):
            outcome.unsaid += not claim.said
            _judge(played, claim, outcome)
    return outcome


def _judge(played: Replay, claim: Claim, outcome: Outcome) -> None:
    """Compare a sentence with its replay."""
    words = re.sub(r"\s+", " ", claim.words)
    if not (values := played.values(claim)):
        outcome.lost += 1
        _say(outcome, "not replayed", claim, words)
        return
    outcome.sentences += 1
    own = own_value(played.context, claim, played.factor * (claim.n or 0))
    for name, one in claim.numbers:
        if (truth := values.get(name)) is None:
            continue
        outcome.numbers += 1
        holds = one.low <= truth.value <= one.high
        outcome.missed += not holds
        outcome.certain += not holds and surely(one, truth)
        found = f"{one.text()} | {truth.text()} | {words}"
        _say(outcome, "holds" if holds else "MISSES", claim, found)
        if name in own and not one.low <= own[name] <= one.high and holds:
            outcome.other += 1
            _say(outcome, "ABOUT OTHERS", claim, f"{claim.player} alone: {own[name]:.4g} | {words}")


def _say(outcome: Outcome, verdict: str, claim: Claim, words: str) -> None:
    """Print a row of the table as soon as it is known: reports take minutes, and what was found is not lost."""
    shown = words if len(words) <= WIDTH else words[: WIDTH - 3] + "..."
    print(f"{outcome.folder} | {verdict:12} | {claim.section:14} | {claim.player} | {shown}", flush=True)


def main() -> None:
    """Replay reports, print a table of all numbers, and the share that misses."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=977)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=default_threads(), help="cores to use (default: all)")
    parser.add_argument("--section", action="append", help="only this section; may be repeated")
    given = parser.parse_args()
    at_once = max(1, min(len(given.folders), given.jobs))
    threads = -(-2 * given.jobs // at_once) if at_once > 1 else given.jobs  # a report does not keep its cores busy
    one = partial(replay, seed=given.seed, factor=given.times, threads=threads, only=given.section or ())
    total = Outcome("all")
    print("report | verdict | section | players | said | replayed | sentence", flush=True)
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn")) as pool:
        for outcome in pool.map(one, given.folders):
            total.add(outcome)
    share = 100 * total.missed / max(total.numbers, 1)
    print(
        f"\n{given.times} times the games, seed {given.seed}: {share:.1f}% of the numbers miss, {total.certain} of "
        f"them by more than the noise of the replay; {total.lost} sentences could not be replayed; {total.other} are "
        f"about other players than they say; {total.unsaid} do not say about whom"
    )
    print(f"{total.sentences} sentences, {total.numbers} numbers, {total.missed} miss")


if __name__ == "__main__":
    main()
