"""`houle sweep GAME --assumed`: which results stand on print, and which on our reading of the rules."""

from __future__ import annotations

import click

from houle.cli import options


def sweep_assumed(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    measures: list[str],
    games: int,
    seed: int,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """What `sweep` does instead, with --assumed."""
