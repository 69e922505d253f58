"""How fast every game plays at random on one thread."""

from __future__ import annotations

from typing import Any

from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, load, make_setup
from tools.bench.timing import games_lasting, repeated, spread, timed, usual

SECONDS = 0.25  # of one measurement
WITH_VARIANTS = ("wave", "land-unter")


def bench_random(names: list[str], repeats: int) -> dict[str, Any]:
    """Rates of random play of the games."""
    lines = [line for name in names for line in _lines(name)]
    counts = [_games(setup) for setup, _ in lines]

    def turn() -> list[dict[str, float]]:
        return [_measure(setup, unit, number) for (setup, unit), number in zip(lines, counts, strict=True)]

    return _report(lines, repeated(repeats, turn))


def _lines(name: str) -> list[tuple[Setup, str]]:
    """The setups to time: the base game, and of some games every variant, and all variants together."""
    players, unit = usual(name)
    variants = [*load(name).variants] if name in WITH_VARIANTS else []
    together = ["+".join(variants)] if len(variants) > 1 else []
    return [(make_setup(name, players, [variant]), unit) for variant in ("base", *variants, *together)]


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


def _report(lines: list[tuple[Setup, str]], turns: list[Any]) -> dict[str, Any]:
    rows = []
    for i, (setup, unit) in enumerate(lines):
        row: dict[str, Any] = {
            "game": setup.ruleset.name,
            "variant": "+".join(setup.variants) or "base",
            "players": setup.players,
            "unit": unit,
            "rate": spread([turn[i]["rate"] for turn in turns]),
            "ns_per_card": spread([1e9 * turn[i]["per_move"] for turn in turns]),
        }
        base = next(j for j, (other, _) in enumerate(lines) if other.ruleset is setup.ruleset)
        if base != i:
            row["times_base_per_card"] = spread([turn[i]["per_move"] / turn[base]["per_move"] for turn in turns])
        rows.append(row)
    return {"rows": rows, "repeats": len(turns)}


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
    return "\n".join(lines)
