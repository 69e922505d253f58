"""Makes a report: plays what its sections need one after another, puts them in reading order, and writes the folder.

The verdict stands first and is written last, from what the others found.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from houle.analysis.arguments import checked
from houle.analysis.limits import SEED
from houle.analysis.result import words_of_setup
from houle.analysis.sampling.grid import make_grid
from houle.reports.blocks import Part, Report, Section, note, text
from houle.reports.context import Context, make_context
from houle.reports.effort import Effort
from houle.reports.html.format import as_sentence, in_words, listed
from houle.reports.html.write import PAGE, PLAYER_PAGE, write
from houle.reports.sections import (
    appendix,
    assumptions,
    balance,
    decisions,
    difficulty,
    endings,
    first_moves,
    how_games_end,
    mistakes,
    openings,
    rules_of_thumb,
    skill,
    verdict,
    what_games_are_like,
    what_variants_change,
    what_would_move_it,
)
from houle.reports.versions import made_by
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, differences_line, is_own, load, printed

DESIGNER, PLAYER = "For the designer", "For the player"
USUAL_PLAYERS = 3  # at the table that is looked at most closely, where nothing is said


@dataclass(frozen=True)
class Step:
    """A section to work on, and about how much work it is beside the others."""

    title: str
    make: Callable[[Context], Section]
    weight: float  # 0: nothing is played, it is written from what the others found
    part: str = DESIGNER


# Every section of the page, as it is read.
SECTIONS = (
    Step("verdict", verdict.make_section, 0),
    Step("difficulty", difficulty.make_section, 10),
    Step("how games end", how_games_end.make_section, 1),
    Step("what games are like", what_games_are_like.make_section, 1),
    Step("what variants change", what_variants_change.make_section, 3),
    Step("what would move it", what_would_move_it.make_section, 2),
    Step("endings", endings.make_section, 1),
    Step("openings", openings.make_section, 1),
    Step("balance", balance.make_section, 1),
    Step("decisions", decisions.make_section, 2),
    Step("skill", skill.make_section, 3),
    Step("assumptions", assumptions.make_section, 2),
    Step("appendix", appendix.make_section, 0),
    Step("rules of thumb", rules_of_thumb.make_section, 3, PLAYER),
    Step("first moves", first_moves.make_section, 2, PLAYER),
    Step("mistakes", mistakes.make_section, 1, PLAYER),
)

# The step's title, its number from 1, of how many, share of all the work that is done, seconds so far.
OnStep = Callable[[str, int, int, float, float], None]


@checked
def report(
    tables: str | Setup | Sequence[Setup],
    *,
    effort: str | Effort = "quick",
    seed: int = SEED,
    out: str | Path | None = None,
    threads: int | None = None,
    progress: OnStep | None = None,
    command_words: Sequence[str] = (),
    left_out: Sequence[tuple[str, str]] = (),
) -> Report:
    """Everything about tables of one game: how hard, how fair, how to play.

    Parameters
    ----------
    tables : str, Setup or sequence of Setup
        A game's name for all its tables (the base game and every variant at every number of players), a table, or
        several of one game; the first is looked at most closely. The printed rules are added to one's own.
    effort : str or Effort
        How much is played: "quick", "normal" or "deep", or counts of one's own.
    seed : int
        The same seed gives the same report apart from the date.
    out : path, optional
        A folder for index.html, data.json, tables as CSV and figures as PNG and SVG.
    threads : int, optional
        How many work at once; all cores by default. Never part of the result.
    progress : callable, optional
        Called with the section's title, its number, how many there are, the share of the work done, and seconds.
    command_words : sequence of str, optional
        What stands behind `houle report` in the appendix, where the tables were typed as a command.
    left_out : sequence of (str, str), optional
        Tables that cannot be played and why, for the appendix.

    Returns
    -------
    Report
        The report as plain data (`as_json()`).
    """
    setups = tables_of(tables) if isinstance(tables, str) else [tables] if isinstance(tables, Setup) else list(tables)
    if len({setup.ruleset.name for setup in setups}) != 1:
        raise InputError(f"a report is about tables of one game; given: {len(setups)} tables")
    words = command_words or _command_words(setups, effort, seed)
    made = make_report(make_context(beside_print(setups), effort, seed, words, threads, left_out), progress)
    if out is not None:
        write(made, Path(out))
    return made


def tables_of(game: str) -> list[Setup]:
    """The base game and every variant, at every number of players; the usual one first."""
    ruleset = load(game)
    grid = make_grid(game, ruleset.players, ("base", *ruleset.variants))
    return main_first([arm.setup for arm in grid.arms], USUAL_PLAYERS)


def beside_print(setups: Sequence[Setup]) -> list[Setup]:
    """Tables of one's own, each with the printed rules of the same table behind them; other tables as they are."""
    if not all(map(is_own, setups)):
        return list(setups)
    known = {setup.digest for setup in setups}
    return [*setups, *{table.digest: table for table in map(printed, setups) if table.digest not in known}.values()]


def main_first(setups: Sequence[Setup], players: int) -> list[Setup]:
    """The first table with so many players in front of the others."""
    main = next((setup for setup in setups if setup.players == players), setups[0])
    return [main, *(setup for setup in setups if setup is not main)]


def _command_words(setups: Sequence[Setup], effort: str | Effort, seed: int) -> list[str]:
    """The command for tables that were not typed; empty where no command means just these tables and this effort."""
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
    return [*words, "--effort", effort, "--seed", str(seed)]


def make_report(context: Context, progress: OnStep | None = None, date: str | None = None) -> Report:
    """Works through the sections: first those that play, then those that are written from them."""
    start = time.perf_counter()
    playing = [step for step in SECTIONS if step.weight]
    whole = sum(step.weight for step in playing)
    done = 0.0
    sections: dict[str, Section] = {}
    for i, step in enumerate(playing, 1):

        def tell(share: float, step: Step = step, number: int = i, before: float = done) -> None:
            if progress:
                part = (before + step.weight * share) / whole
                progress(step.title, number, len(playing), part, time.perf_counter() - start)

        context.on_progress = tell
        tell(0.0)
        section = make_or_tell(step, context)
        sections[step.title] = context.sections[section.name] = section
        done += step.weight
    sections |= {step.title: make_or_tell(step, context) for step in SECTIONS if not step.weight}
    pages = {DESIGNER: (PAGE, "how hard, how fair"), PLAYER: (PLAYER_PAGE, "how to play well")}
    parts = []
    for title, (page, about) in pages.items():
        made = [sections[step.title] for step in SECTIONS if step.part == title]
        parts.append(Part(title, [section for section in made if section.blocks], f"{context.title}: {about}", page))
    return Report(
        context.main.ruleset.name,
        f"{context.title}: how hard, how fair, how to play",
        _subtitle(context),
        {
            "game": context.main.ruleset.name,
            "effort": context.effort.name,
            "seed": str(context.seed),
            "made by": made_by(),
        },
        date or datetime.date.today().isoformat(),
        [part for part in parts if part.sections],
        [text("{remark}", remark=line) for line in _first_lines(context)],
    )


def make_or_tell(step: Step, context: Context) -> Section:
    """The section; or one line that says why it could not be made, for the others are worth having without it."""
    try:
        return step.make(context)
    except Exception as fault:  # whatever it is, it must not cost the reader the other sections
        section = Section(step.title.replace(" ", "-"), f"{step.title[0].upper()}{step.title[1:]}")
        section.add(
            note("This section could not be made: {kind}: {fault}.", kind=type(fault).__name__, fault=str(fault))
        )
        return section


def _first_lines(context: Context) -> list[str]:
    """What every reader must know first: how tables of one's own differ from print, and cards that are made up."""
    own = [f"{line}." for line in map(differences_line, context.setups) if line]  # names keep their letters
    return list(dict.fromkeys([*own, *map(as_sentence, context.main.notes)]))


def _subtitle(context: Context) -> str:
    setups = context.setups
    counts = sorted({setup.players for setup in setups})
    variants = list(dict.fromkeys(context.name(setup) for setup in setups))
    players = context.players_noun(1 if counts == [1] else 0)
    several = f"{in_words(len(setups))} tables: " if len(setups) > 1 else ""
    words = f"{several}{listed(variants)}; {listed([in_words(count) for count in counts])} {players}"
    return f"{words[0].upper()}{words[1:]}"
