"""`houle bench`: how fast every game plays at random on one thread, and how near a game is to its twin in C.

Machines are noisy, so everything is measured in turn several times in one run, and ratios are taken within a turn.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import click

from houle.cli.bench import card as bench_card
from houle.cli.bench import search as bench_search
from houle.cli.bench import studies as bench_studies
from houle.cli.bench.timing import games_lasting, repeated, spread, timed
from houle.solver.ruleset import Setup, game_names, home, load, make_setup

SECONDS = 0.25  # of one measurement


@click.command()
@click.argument("games", nargs=-1)
@click.option("--repeats", type=click.IntRange(1, 99), default=5, show_default=True, help="Measurements of each line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("--search", is_flag=True, help="Time strategies instead: plies inside flat search, ismcts simulations.")
@click.option("--studies", is_flag=True, help="Time studies instead: cost of a chunk, processes against threads.")
@click.option(
    "--device", type=click.Choice(["cpu", "gpu"]), default="cpu", help="gpu: a graphics card against all cores instead."
)
def bench(games: tuple[str, ...], repeats: int, as_json: bool, search: bool, studies: bool, device: str) -> None:
    """Time random play, search or studies.

    Random play of GAMES (default: all) on one thread, with the median and range of the repeats.

    \b
    Example:
      houle bench wave --repeats 9
    """
    if studies:
        found = bench_studies.bench_studies(repeats)
        click.echo(json.dumps(found, indent=1) if as_json else bench_studies.describe(found))
        return
    if device == "gpu":
        found = bench_card.bench_card([load(name).name for name in games or game_names()], repeats)
        click.echo(json.dumps(found, indent=1) if as_json else bench_card.describe(found))
        return
    if search:
        found = bench_search.bench_search([load(name).name for name in games or game_names()], repeats)
        click.echo(json.dumps(found, indent=1) if as_json else bench_search.describe(found))
        return
    lines = [line for name in games or game_names() for line in _lines(load(name).name)]
    with tempfile.TemporaryDirectory() as folder:
        timed_too = next((setup for setup, _ in lines if "twin" in setup.ruleset.bench), None)
        twin = _compile_twin(timed_too, Path(folder)) if timed_too else None
        counts = [_games(setup) for setup, _ in lines]

        def turn() -> tuple[list[dict[str, float]], dict[str, float] | None]:
            row = [_measure(setup, unit, number) for (setup, unit), number in zip(lines, counts, strict=True)]
            return row, _time_twin(twin, counts[0]) if twin else None

        turns = repeated(repeats, turn)
    report = _report(lines, turns)
    click.echo(json.dumps(report, indent=1) if as_json else _table(report))


def _lines(name: str) -> list[tuple[Setup, str]]:
    """What is timed of a game: its usual table in its own unit; every variant too where its rules ask for it."""
    ruleset = load(name)
    players, unit = ruleset.bench["players"], ruleset.bench["unit"]
    variants = ["base", *ruleset.variants] if ruleset.bench.get("variants") else ["base"]
    if ruleset.bench.get("variants") and len(ruleset.variants) > 1:
        variants.append("+".join(ruleset.variants))
    return [(make_setup(name, players, [variant]), unit) for variant in variants]


def _play(setup: Setup, games: int) -> tuple[float, Any]:
    from houle.solver.playout import play_chunk

    return timed(lambda: play_chunk(setup, ("random",) * setup.players, 1, 0, games))


def _games(setup: Setup) -> int:
    return games_lasting(SECONDS, lambda number: _play(setup, number)[0], 64)


def _measure(setup: Setup, unit: str, games: int) -> dict[str, float]:
    seconds, tally = _play(setup, games)
    return {
        "rate": tally.count(unit) / seconds,
        "games": games / seconds,
        "per_move": seconds / max(1, tally.count("moves")),
    }


def _compile_twin(setup: Setup, folder: Path) -> Path | None:
    """A program of the game's own that plays the base game at its usual table, to compare with."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, target = home(setup.ruleset.name).folder / setup.ruleset.bench["twin"], folder / "twin"
    subprocess.run([compiler, "-O3", "-march=native", "-o", str(target), str(source)], check=True)
    return target


def _time_twin(twin: Path, games: int) -> dict[str, float]:
    out = subprocess.run([str(twin), str(games)], capture_output=True, text=True, check=True).stdout.split()
    seconds, won, moves = float(out[0]), int(out[1]), int(out[2])
    return {"rate": games / seconds, "won": won, "moves": moves}


def _report(lines: list[tuple[Setup, str]], turns: list[Any]) -> dict[str, Any]:
    rows = []
    for i, (setup, unit) in enumerate(lines):
        row: dict[str, Any] = {
            "game": setup.ruleset.name,
            "variant": "+".join(setup.variants) or "base",
            "players": setup.players,
            "unit": unit,
            "rate": spread([turn[i]["rate"] for turn, _ in turns]),
            "ns_per_card": spread([1e9 * turn[i]["per_move"] for turn, _ in turns]),
        }
        base = next(j for j, (other, _) in enumerate(lines) if other.ruleset is setup.ruleset)
        if base != i:
            row["times_base_per_card"] = spread([turn[i]["per_move"] / turn[base]["per_move"] for turn, _ in turns])
        rows.append(row)
    report: dict[str, Any] = {"rows": rows, "repeats": len(turns)}
    if turns[0][1]:
        base = next(j for j, (setup, _) in enumerate(lines) if "twin" in setup.ruleset.bench)
        report["c_twin"] = {
            "game": lines[base][0].ruleset.name,
            "rate": spread([twin["rate"] for _, twin in turns]),
            "kernel_over_c": spread([turn[base]["games"] / twin["rate"] for turn, twin in turns]),
        }
    return report


def _table(report: dict[str, Any]) -> str:
    lines = [
        f"{'game':<14}{'variant':<14}{'players':>8}{'per second, median (range)':>44}{'per card':>10}{'x base':>8}"
    ]
    for row in report["rows"]:
        rate = row["rate"]
        shown = f"{rate['median']:,.0f} {row['unit']} ({rate['low']:,.0f} to {rate['high']:,.0f})"
        variant = row["variant"] if len(row["variant"]) < 14 else "all together"
        ratio = f"{row['times_base_per_card']['median']:.2f}" if "times_base_per_card" in row else ""
        lines.append(
            f"{row['game']:<14}{variant:<14}{row['players']:>8}{shown:>44}"
            f"{row['ns_per_card']['median']:>7.0f} ns{ratio:>8}"
        )
    if "c_twin" in report:
        rate, ratio = report["c_twin"]["rate"], report["c_twin"]["kernel_over_c"]
        lines.append(
            f"{load(report['c_twin']['game']).title} in C (base game only): {rate['median']:,.0f} games per second "
            f"({rate['low']:,.0f} to {rate['high']:,.0f})"
        )
        lines.append(
            f"kernel / C, in the same turns: {ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"
        )
    return "\n".join(lines)
