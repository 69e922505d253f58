"""`houle report`: a web page about a game or a study, with its data and figures."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from houle.analysis.blocks import sentence
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import check_folder
from houle.cli.framework.progress import SectionsProgress
from houle.cli.framework.streams import Interrupted
from houle.solver.rules import Setup, game_names, load, parse_settings, read_custom

if TYPE_CHECKING:
    from houle.analysis.sampling.grid import Grid


@command()
@options.reported_options
@click.option(
    "--effort", metavar="NAME", default="quick", show_default=True, help="How much to play: quick, normal or deep."
)
@click.option(
    "--for",
    "level",
    metavar="LEVEL",
    default="family",
    show_default=True,
    help="Whom the pages are about: first-game, family, regular or seasoned.",
)
@click.option(
    "--seconds-per-decision", type=float, metavar="SECONDS", help="How long people take to decide: adds minutes."
)
@click.option("--sheet", is_flag=True, help="Also write one page for a publisher.")
@click.option("--only", metavar="NAMES", help="Make only these sections, such as decisions,rules-of-thumb.")
@options.refit_option
@options.seed_option
@options.threads_option
@options.out_folder_option(" (default: out/GAME)")
@options.quiet_option
def report(
    call: Call, effort: str, level: str, seconds_per_decision: float | None, sheet: bool, only: str | None
) -> None:
    """Write a report about a game as a web page.

    Without -v and -p the report covers the base game and all variants with every number of players; repeat -v and -p to
    choose. Rules of your own (--rules, --set) are compared with the printed rules. The first setup is examined most
    closely. GAME can also be the folder of a study.

    The folder gets index.html, which you can send to others as it is, and the tables and figures as separate files.
    --sheet adds sheet.html, and PDFs of it if Chromium or Chrome is installed.

    \b
    Examples:
      houle report wave -o out/wave
      houle report wave -v base -v virage -p 3 --effort normal -o out/virage
      houle report wave --rules my.toml -p 2 -p 4 -o out/mine
      houle report wave --set hand.back=3 -p 3 --for seasoned -o out/three-behind
      houle report wave --rules my.toml -p 3 --sheet --seconds-per-decision 20
      houle report wave -p 3 --only decisions,rules-of-thumb -o out/strategy
      houle report study/ -o out/study
    """
    asked = call.asked
    folder = call.out or f"out/{Path(asked.game).stem}"
    check_folder("-o", folder)
    if is_study(asked.game):
        if sheet or seconds_per_decision is not None or call.given("level"):
            raise click.UsageError("--sheet, --for and --seconds-per-decision are for games, not for studies")
        click.echo(write_study(asked.game, Path(folder)))
        return
    chosen = [name.strip() for name in only.split(",")] if only is not None else []
    if chosen and sheet:
        raise click.UsageError("--sheet is for whole reports; leave out --only")
    started = time.perf_counter()
    refitted = {arm.setup.digest: call.refitted(arm.setup) for arm in grid_of(asked).arms} if call.refit else {}
    with SectionsProgress(call.quiet) as progress:
        try:
            page = write_game(
                asked,
                Path(folder),
                refitted,
                effort=effort,
                seed=call.seed,
                threads=call.threads,
                progress=progress,
                command_words=call.typed_words()[1:],
                seconds_per_decision=seconds_per_decision,
                level=level,
                only=chosen,
            )
        except Interrupted:
            if not progress.done:
                raise
            raise Interrupted(f"; {text.count_of(progress.done, 'section')} so far: {Path(folder)}") from None
    for line in sections_of(page) if chosen else verdict_of(page):
        click.echo(text.paragraph(line))
    click.echo(f"{page}  ({text.duration(time.perf_counter() - started)})")
    if sheet:
        files = write_sheet(page.parent)
        for file in files:
            click.echo(file)
        if len(files) == 1:
            click.echo("No browser that prints PDFs was found; any browser prints sheet.html.")


def verdict_of(page: Path) -> list[str]:
    """The answers of a report, read from its data file."""
    data = json.loads((page.parent / "data.json").read_text(encoding="utf-8"))
    first = data["parts"][0]["sections"][0]["blocks"]
    lines = [sentence(block) for block in first if block["kind"] == "lead"]
    items = [item for block in first if block["kind"] == "list" for item in block["items"]]
    return [*lines, *(f"{item['label']}: {sentence(item)}" for item in items if item.get("label"))]


def sections_of(page: Path) -> list[str]:
    """What chosen sections say outside their folds, and where their tables are."""
    data = json.loads((page.parent / "data.json").read_text(encoding="utf-8"))
    lines = []
    for section in (section for part in data["parts"] for section in part["sections"]):
        lines.append(section["title"])
        for block in section["blocks"]:
            if block["kind"] in ("lead", "text"):
                lines.append(sentence(block))
            for number, item in enumerate(block.get("items", ()), 1):
                lines.append(f"{number}. {sentence(item)}" if block["numbered"] else sentence(item))
        lines.append("")
    tables = sorted((page.parent / "tables").glob("*.csv"))
    return [*lines, f"tables   {', '.join(map(str, tables))}"] if tables else lines


def write_sheet(folder: Path) -> list[Path]:
    """Write the page for a publisher; returns its files."""
    from houle.reports.html import sheet

    return sheet.write_sheet(folder)


def is_study(name: str) -> bool:
    """Whether a name is that of a folder with the logs of a study, or of a study of 0.4.0; a game comes first."""
    if name.endswith((".db", "/")):
        return True
    return name not in game_names() and os.path.isdir(name) and any(Path(name).glob("*.jsonl"))


def write_study(path: str, folder: Path) -> Path:
    """Writes the report of a study; returns the path of its page."""
    from houle.reports.html.write import write
    from houle.reports.study import make_study_report

    return write(make_study_report(path), folder)


def write_game(asked: options.Asked, folder: Path, refitted: Mapping[str, Setup] | None = None, **run: Any) -> Path:
    """Writes the report of a game; returns the path of its page. `refitted`: setups with fitted players, by digest."""
    from houle.reports.build import USUAL_PLAYERS, main_first, report
    from houle.reports.html.write import PAGE

    grid, known = grid_of(asked), refitted or {}
    setups = [known.get(arm.setup.digest, arm.setup) for arm in grid.arms]
    setups = main_first(setups, asked.players[0] if asked.players else USUAL_PLAYERS)
    report(setups, out=folder, left_out=grid.left_out if asked.variants else (), **run)
    return folder / PAGE


def grid_of(asked: options.Asked) -> Grid:
    """The setups to report: those asked for, or all of the game. Own rules are one variant."""
    from houle.analysis.sampling.alternatives import PRINTED
    from houle.analysis.sampling.grid import make_grid

    ruleset = load(asked.game)
    settings = {knob: [value] for knob, value in parse_settings(ruleset, asked.settings).items()}
    stated = [read_custom(file, ruleset).get("players") for file in asked.files if file != PRINTED]
    players = asked.players or tuple(number for number in stated if number) or ruleset.players
    variants = asked.variants or (() if asked.files or asked.settings else ("base", *ruleset.variants))
    grid: Grid = make_grid(asked.game, players, variants, strategies=(), rules=asked.files, settings=settings)
    return grid
