"""How fast every game plays at random on one thread, and how near WAVE is to the same game in C."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, load, make_setup
from tools.bench.timing import games_lasting, repeated, spread, timed

SECONDS = 0.25  # of one measurement


def bench_random(names: list[str], repeats: int) -> dict[str, Any]:
    """Rates of random play of the games, and of the program in C where there is one."""
    lines = [line for name in names for line in _lines(name)]
    with tempfile.TemporaryDirectory() as folder:
        in_c = next((setup.ruleset.name for setup, _ in lines if source_in_c(setup.ruleset.name).exists()), "")
        program = _compile(in_c, Path(folder)) if in_c else None
        counts = [_games(setup) for setup, _ in lines]

        def turn() -> tuple[list[dict[str, float]], dict[str, float] | None]:
            row = [_measure(setup, unit, number) for (setup, unit), number in zip(lines, counts, strict=True)]
            return row, _time_program(program, counts[0]) if program else None

        turns = repeated(repeats, turn)
    return _report(lines, turns, in_c)


def source_in_c(name: str) -> Path:
    """The same game written in C, which plays the base game with the usual number of players."""
    return Path(__file__).parent / f"{name}.c"


def _lines(name: str) -> list[tuple[Setup, str]]:
    """The setups to time: the base game, and every variant if [bench] in rules.toml asks for it."""
    ruleset = load(name)
    players, unit = ruleset.bench["players"], ruleset.bench["unit"]
    variants = ["base", *ruleset.variants] if ruleset.bench.get("variants") else ["base"]
    if ruleset.bench.get("variants") and len(ruleset.variants) > 1:
        variants.append("+".join(ruleset.variants))
    return [(make_setup(name, players, [variant]), unit) for variant in variants]


def _play(setup: Setup, games: int) -> tuple[float, Any]:
    from houle.solver.run.playout import play_chunk

    return timed(lambda: play_chunk(seat_strategies(setup, ("random",) * setup.players), 1, 0, games))


def _games(setup: Setup) -> int:
    return games_lasting(SECONDS, lambda number: _play(setup, number)[0], 64)


def _measure(setup: Setup, unit: str, games: int) -> dict[str, float]:
    seconds, tally = _play(setup, games)
    return {
        "rate": tally.count(unit) / seconds,
        "games": games / seconds,
        "per_move": seconds / max(1, tally.count("moves")),
    }


def _compile(name: str, folder: Path) -> Path | None:
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    target = folder / name
    subprocess.run([compiler, "-O3", "-march=native", "-o", str(target), str(source_in_c(name))], check=True)
    return target


def _time_program(program: Path, games: int) -> dict[str, float]:
    out = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True).stdout.split()
    seconds, won, moves = float(out[0]), int(out[1]), int(out[2])
    return {"rate": games / seconds, "won": won, "moves": moves}


def _report(lines: list[tuple[Setup, str]], turns: list[Any], in_c: str) -> dict[str, Any]:
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
        base = next(j for j, (setup, _) in enumerate(lines) if setup.ruleset.name == in_c)
        report["in_c"] = {
            "game": in_c,
            "rate": spread([program["rate"] for _, program in turns]),
            "kernel_over_c": spread([turn[base]["games"] / program["rate"] for turn, program in turns]),
        }
    return report


def describe(report: dict[str, Any]) -> str:
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
    if "in_c" in report:
        rate, ratio = report["in_c"]["rate"], report["in_c"]["kernel_over_c"]
        lines.append(
            f"{load(report['in_c']['game']).title} in C (base game only): {rate['median']:,.0f} games per second "
            f"({rate['low']:,.0f} to {rate['high']:,.0f})"
        )
        lines.append(
            f"kernel / C, in the same turns: {ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"
        )
    return "\n".join(lines)
