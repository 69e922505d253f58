"""Makes a report: plays the games that each section needs, puts the sections in reading order, and writes the folder.

The verdict is read first and written last, because it uses the results of the other sections.
"""

from __future__ import annotations

import datetime
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, note, sentence, text
from houle.analysis.limits import SEED
from houle.analysis.players.named_players import FAMILY, levels
from houle.analysis.players.refit import made_for_print
from houle.analysis.result import refit_notes, words_of_setup
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import make_grid
from houle.analysis.stats.estimate import PERCENTAGE_POINTS, POINTS
from houle.reports.blocks import Report, ReportPart, Section
from houle.reports.context import Context, make_context
from houle.reports.effort import Effort
from houle.reports.html.page import VERDICT
from houle.reports.html.write import PAGE, PLAYER_PAGE, Gallery, is_strict, write
from houle.reports.sections import (
    appendix,
    balance,
    decisions,
    difficulty,
    endings,
    first_moves,
    mistakes,
    open_rules,
    openings,
    rules_of_thumb,
    strength,
    suggestions,
    variants,
    verdict,
)
from houle.reports.sections.appendix import made_by
from houle.solver.errors import FileError, InputError
from houle.solver.rules import Setup, is_own, load, nearest, plain_differences, printed
from houle.solver.texts import as_sentence, capital, in_words, listed

DESIGNER, PLAYER = "For the designer", "For the player"
USUAL_PLAYERS = 3  # of the main setup, unless the caller says otherwise


@dataclass(frozen=True)
class SectionStep:
    """A section to make, and roughly how much work it is compared with the others."""

    name: str  # of the section; its file in reports/sections has the same name
    title: str
    fill: Callable[[Context, Section], None]
    weight: float  # 0: it plays no games and is written from the other sections
    part: str = DESIGNER

    @property
    def label(self) -> str:
        return self.name.replace("-", " ")


KEEP_EVERY = 120.0  # seconds: a long report is written so often with the sections that are done

# Every section, in reading order.
SECTIONS = (
    SectionStep("verdict", "The verdict", verdict.fill, 0),
    SectionStep("difficulty", "Difficulty: how hard is it, and for whom?", difficulty.fill, 10),
    SectionStep("endings", "Endings: how games end", endings.fill, 2),
    SectionStep("variants", "What each variant changes", variants.fill, 3),
    SectionStep("suggestions", "Suggestions: small changes to the rules", suggestions.fill, 2),
    SectionStep("openings", "Openings: what the deal tells you", openings.fill, 1),
    SectionStep("balance", "Balance, scores and length of games", balance.fill, 1),
    SectionStep("decisions", "Which decisions matter", decisions.fill, 2),
    SectionStep("strength", "Strength: what a better player gains", strength.fill, 3),
    SectionStep("open-rules", "Open rules: what the rulebook does not settle", open_rules.fill, 2),
    SectionStep("appendix", "Appendix: rules, method, versions, commands", appendix.fill, 0),
    SectionStep("rules-of-thumb", "Rules of thumb that win games", rules_of_thumb.fill, 3, part=PLAYER),
    SectionStep("first-moves", "First moves: how to begin", first_moves.fill, 2, part=PLAYER),
    SectionStep("mistakes", "Typical mistakes", mistakes.fill, 1, part=PLAYER),
)

# The reading order where players compete: seats and better players first.
COMPETITIVE = (
    "verdict",
    "balance",
    "strength",
    "openings",
    "variants",
    "suggestions",
    "endings",
    "decisions",
    "difficulty",
    "open-rules",
    "appendix",
    "rules-of-thumb",
    "first-moves",
    "mistakes",
)

# Called with the section's name, its number from 1, the number of sections, the share of the work done, and seconds.
OnStep = Callable[[str, int, int, float, float], None]


@checked
def report(
    setups: str | Setup | Sequence[Setup],
    *,
    effort: str | Effort = "quick",
    seed: int = SEED,
    out: str | Path | None = None,
    threads: int | None = None,
    progress: OnStep | None = None,
    command_words: Sequence[str] = (),
    left_out: Sequence[tuple[str, str]] = (),
    seconds_per_decision: float | None = None,
    level: str = FAMILY,
    only: Sequence[str] = (),
) -> Report:
    """Make a report on setups of one game: how hard it is, how fair, and how to play it well.

    Parameters
    ----------
    setups : str, Setup or sequence of Setup
        The name of a game (the base game and every variant with every number of players), one setup, or several of
        one game. The first is the main setup, which is analysed most closely. Variants of your own are compared with
        the printed rules.
    effort : str or Effort
        How many games to play: "quick", "normal" or "deep", or your own counts.
    seed : int
        The same seed gives the same report, apart from the date.
    out : path, optional
        A folder for index.html, data.json, tables as CSV and figures as PNG and SVG.
    progress : callable, optional
        Called with the section's name, its number, the number of sections, the share of the work done, and seconds.
    command_words : sequence of str, optional
        The words after `houle report` that make the same report, for the appendix.
    left_out : sequence of (str, str), optional
        Setups that cannot be played and why, for the appendix.
    seconds_per_decision : float, optional
        How long people take for a decision; the report then shows the length of games in minutes too.
    level : str
        Whom the pages are about: "family" unless you name another level. Length, endings, openings, seats and tension
        are those of this level.
    only : sequence of str, optional
        Make only these sections, such as ("decisions", "rules-of-thumb"). By default all.

    Returns
    -------
    Report
        The report as plain data (`as_json()`).

    Examples
    --------
    >>> import houle
    >>> storm = houle.setup("wave", players=3, set={"hand.front": 4})
    >>> report = houle.report(storm, effort="quick", out="out/storm")  # takes minutes
    >>> rules = houle.report(storm, only=["rules-of-thumb"], out="out/rules")  # seconds
    """
    every = setups_of(setups) if isinstance(setups, str) else [setups] if isinstance(setups, Setup) else list(setups)
    games = list(dict.fromkeys(setup.ruleset.name for setup in every))
    if len(games) != 1:
        raise InputError(f"report: the setups must be of one game; given: {', '.join(games) or 'none'}")
    if seconds_per_decision is not None and not 0 < seconds_per_decision < math.inf:
        raise InputError(f"--seconds-per-decision: {seconds_per_decision!r} is not allowed; allowed: a number above 0")
    check_level(level)
    check_sections(only)
    words = command_words or _command_words(every, effort, seed, level)
    spec = RunSpec.of({"seed": seed, "threads": threads})
    context = make_context(
        with_printed(every),
        effort,
        spec=spec,
        command_words=words,
        left_out=left_out,
        seconds_per_decision=seconds_per_decision,
        level=level,
        only=only,
    )
    gallery = None if out is None else Gallery()
    keep = None if out is None else partial(write, folder=Path(out), gallery=gallery)
    made = make_report(context, progress, keep=keep, on_section=gallery.begin if gallery else None)
    if keep is not None:
        keep(made)
    return made


def check_level(level: str) -> None:
    """Refuse what is no level: a page is about people, and searches play too few games for it."""
    names = [one.name for one in levels()]
    if level not in names:
        raise InputError(f"--for: unknown level {level!r}{nearest(level, names)}")


def check_sections(names: Sequence[str]) -> None:
    """Refuse what is no section that plays games: the others are written from these."""
    known = [step.name for step in SECTIONS if step.weight]
    for name in names:
        if name not in known:
            raise InputError(f"--only: unknown section {name!r}; allowed: {', '.join(known)}")


def level_words(level: str) -> list[str]:
    """The option for the level of a page, if it is not the usual one."""
    return ["--for", level] if level != FAMILY else []


def setups_of(game: str) -> list[Setup]:
    """The base game and every variant with every number of players; the main setup first."""
    ruleset = load(game)
    grid = make_grid(game, ruleset.players, ("base", *ruleset.variants))
    return main_first([arm.setup for arm in grid.arms], USUAL_PLAYERS)


def with_printed(setups: Sequence[Setup]) -> list[Setup]:
    """Setups with your own rules, followed by their printed counterparts; other setups unchanged."""
    if not all(map(is_own, setups)):
        return list(setups)
    known = {setup.digest for setup in setups}
    return [*setups, *{setup.digest: setup for setup in map(printed, setups) if setup.digest not in known}.values()]


def main_first(setups: Sequence[Setup], players: int) -> list[Setup]:
    """The first setup with so many players, then the others."""
    main = next((setup for setup in setups if setup.players == players), setups[0])
    return [main, *(setup for setup in setups if setup is not main)]


def _command_words(setups: Sequence[Setup], effort: str | Effort, seed: int, level: str = FAMILY) -> list[str]:
    """The words after `houle report` that give these setups and this effort; empty if no command does."""
    if not isinstance(effort, str):
        return []
    game = setups[0].ruleset.name
    players = list(dict.fromkeys(setup.players for setup in setups))
    variants = list(dict.fromkeys("+".join(setup.variants) or "base" for setup in setups))
    words = words_of_setup(setups[0])
    if len(setups) > 1:
        typed = [arm.setup.digest for arm in make_grid(game, players, variants).arms]
        if sorted(typed) != sorted(setup.digest for setup in setups):
            return []
        words = [game, *(word for count in players for word in ("-p", str(count)))]
        words += [word for variant in variants for word in ("-v", variant)]
    return [*words, *level_words(level), "--effort", effort, "--seed", str(seed)]


def make_report(
    context: Context,
    progress: OnStep | None = None,
    date: str | None = None,
    keep: Callable[[Report], object] | None = None,
    on_section: Callable[[Section], object] | None = None,
) -> Report:
    """Make all sections: first those that play games, then those written from them.

    `keep` is given the report so far, at most once in KEEP_EVERY seconds, and when the run is stopped. `on_section` is
    given each section that played.
    """
    start = kept = time.perf_counter()
    playing = steps_of(context)
    whole = sum(step.weight for step in playing)
    done = 0.0
    for i, step in enumerate(playing, 1):

        def show(share: float, step: SectionStep = step, number: int = i, before: float = done) -> None:
            if progress:
                part = (before + step.weight * share) / whole
                progress(step.label, number, len(playing), part, time.perf_counter() - start)

        context.on_progress = show
        show(0.0)
        try:
            context.sections[step.name] = make_section(step, context)
        except BaseException:  # the command line stops a run with an exception of its own
            if keep and context.sections:
                keep(_put_together(context, date))
            raise
        if on_section:
            on_section(context.sections[step.name])
        done += step.weight
        if keep and time.perf_counter() - kept > KEEP_EVERY and i < len(playing):
            keep(_put_together(context, date))
            kept = time.perf_counter()
    return _put_together(context, date)


def steps_of(context: Context) -> list[SectionStep]:
    """The sections that play games: those asked for, or all."""
    return [step for step in SECTIONS if step.weight and (not context.only or step.name in context.only)]


def _put_together(context: Context, date: str | None) -> Report:
    """The report of the sections that are done."""
    written = [step for step in SECTIONS if not step.weight and not context.only]
    sections = context.sections | {step.name: make_section(step, context) for step in written}
    if VERDICT in sections:
        sections = said_once(sections)
    if context.main.score == POINTS:
        sections = {name: replace(one, blocks=in_percentage_points(one.blocks)) for name, one in sections.items()}
    title, compete = context.title, not context.main.one_sided
    about_it = "how fair, and what a better player gains" if compete else "how hard, and for whom"
    pages = {DESIGNER: (PAGE, about_it), PLAYER: (PLAYER_PAGE, "how to play well")}
    order = sorted(SECTIONS, key=lambda step: COMPETITIVE.index(step.name)) if compete else SECTIONS
    parts = []
    for part, (page, about) in pages.items():
        made = [sections[step.name] for step in order if step.part == part and step.name in sections]
        parts.append(ReportPart(part, [section for section in made if section.blocks], f"{title}: {about}", page))
    parts = [part for part in parts if part.sections]
    if context.only and parts:  # one page for all readers
        chosen = [section for part in parts for section in part.sections]
        parts = [ReportPart(title, chosen, f"{title}: {listed([name.replace('-', ' ') for name in context.only])}")]
    return Report(
        context.main.ruleset.name,
        title=f"{title}: {about_it}, how to play well",
        subtitle=_subtitle(context),
        facts={
            "game": context.main.ruleset.name,
            "players": context.level,
            "effort": context.effort.name,
            "seed": str(context.spec.seed),
            "made by": made_by(),
        },
        date=date or datetime.date.today().isoformat(),
        parts=parts,
        notices=[text("{remark}", remark=line) for line in _notices(context)],
        rules_files={file: Path(file).read_text(encoding="utf-8") for file in _files(context.command_words)},
    )


def said_once(sections: dict[str, Section]) -> dict[str, Section]:
    """The sections without the sentences that the verdict has; numbers stay in their tables, figures and data."""
    said = set(_sentences(sections[VERDICT].blocks))
    made = {}
    for name, section in sections.items():
        blocks = [_without(block, said) for block in section.blocks] if name != VERDICT else section.blocks
        made[name] = replace(section, blocks=[block for block in blocks if block.get("items", True)])
    return made


def in_percentage_points(value: Any) -> Any:
    """Blocks in which differences of shares are not taken for points of the game."""
    if isinstance(value, list):
        return [in_percentage_points(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    changed = {name: in_percentage_points(one) for name, one in value.items()}
    return {**changed, "unit": PERCENTAGE_POINTS} if value.get("unit") == POINTS else changed


def _sentences(value: Any) -> Iterator[str]:
    """Every sentence in blocks, also those inside others, without its first and last letter's form."""
    if isinstance(value, list):
        for one in value:
            yield from _sentences(one)
    elif isinstance(value, dict) and "words" in value:
        yield _bare(value)
        yield from _sentences(list(value["values"].values()))
    elif isinstance(value, Mapping) and "items" in value:
        yield from _sentences(value["items"])


def _bare(block: Mapping[str, Any]) -> str:
    return sentence(block).rstrip(".").casefold()


def _without(block: Block, said: set[str]) -> Block:
    """A block without what was said before; an empty list if all of it was."""
    if block["kind"] == "list":
        return {**block, "items": [item for item in block["items"] if _bare(item) not in said]}
    return (
        {"kind": "list", "numbered": False, "items": []} if block["kind"] == "text" and _bare(block) in said else block
    )


def _files(words: Sequence[str]) -> list[str]:
    """The rules files that a command names."""
    return [word for option, word in pairwise(words) if option == "--rules" and Path(word).is_file()]


def make_section(step: SectionStep, context: Context) -> Section:
    """The section; if it fails, one line that says why, so that the reader still gets the other sections."""
    section = Section(step.name, step.title)
    try:
        step.fill(context, section)
    except FileError:  # a broken file is no reason for a report without a part
        raise
    except Exception as fault:
        if is_strict():
            raise
        reason = f"{type(fault).__name__}: {fault}"
        line = note("This part is missing: {title} ({reason})", title=step.title, reason=reason)
        return Section(step.name, step.title, [line])
    return section


def _notices(context: Context) -> list[str]:
    """What readers must know first: how your own rules differ from print, and which cards are made up."""
    own = [
        f"{context.name(setup)}: {listed(plain_differences(setup)) or 'no rule differs from the printed rules'}."
        for setup in context.setups
        if is_own(setup)
    ]
    if missing := [step.label for step in steps_of(context) if step.name not in context.sections]:
        own.insert(0, f"This report is not finished. Still missing: {', '.join(missing)}.")
    if not context.main.game.is_compiled:
        own.append("Played in plain Python, so with few games; compiled, this page has a hundred times as many.")
    players = refit_notes(context.main) or [made_for_print(context.main)]
    return list(dict.fromkeys([*own, *map(as_sentence, filter(None, [*players, *context.main.notes]))]))


def _subtitle(context: Context) -> str:
    setups = context.setups
    counts = sorted({setup.players for setup in setups})
    variants = list(dict.fromkeys(context.name(setup) for setup in setups))
    players = context.players_noun(1 if counts == [1] else 0)
    several = f"{in_words(len(setups))} setups: " if len(setups) > 1 else ""
    words = f"{several}{listed(variants)}; {listed([in_words(count) for count in counts])} {players}"
    return capital(words)
