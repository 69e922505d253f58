"""`--device gpu`: games a second on a graphics card and on all cores of the same machine."""

from __future__ import annotations

from typing import Any

from houle.solver.rules import Setup, load, make_setup
from tools.bench.timing import repeated, spread

STRATEGIES = ("random", "thumb", "flat:50")
SECONDS = 1.0  # of one measurement
FIRST = {"cpu": 1 << 10, "gpu": 1 << 15}  # games of the first estimate of the rate
FIRST_SEARCHED = {"cpu": 4, "gpu": 1 << 10}  # the same for strategies that search


def bench_card(names: list[str], repeats: int) -> dict[str, Any]:
    """Games and decisions a second by game and strategy, on the card and on the CPU, and their ratio."""
    from houle.solver import run
    from houle.solver.run import device

    device.check_card()
    lines = [(make_setup(name, load(name).bench["players"]), who) for name in names for who in STRATEGIES]
    lines = [(setup, who) for setup, who in lines if who == "random" or setup.game.has_features]
    games = [{where: _games(setup, who, where) for where in device.DEVICES} for setup, who in lines]

    def turn() -> list[dict[str, tuple[float, float]]]:
        return [
            {where: _rates(setup, who, where, number[where]) for where in device.DEVICES}
            for (setup, who), number in zip(lines, games, strict=True)
        ]

    turns = repeated(repeats, turn)
    rows = [
        {
            "game": setup.ruleset.name,
            "players": setup.players,
            "strategy": who,
            "gpu_games": spread([one[i]["gpu"][0] for one in turns]),
            "gpu_decisions": spread([one[i]["gpu"][1] for one in turns]),
            "cpu_games": spread([one[i]["cpu"][0] for one in turns]),
            "gpu_over_cpu": spread([one[i]["gpu"][0] / one[i]["cpu"][0] for one in turns]),
        }
        for i, (setup, who) in enumerate(lines)
    ]
    return {"repeats": repeats, "threads": run.default_threads(), "rows": rows}


def _rates(setup: Setup, who: str, where: str, games: int) -> tuple[float, float]:
    """Games and decisions a second."""
    from houle.analysis.run_options import RunSpec
    from houle.analysis.sampling.engine import play_line_up
    from houle.solver.players.player import seat_strategies
    from houle.solver.run import device

    device.choose_device(where)
    played = play_line_up(seat_strategies(setup, [who]), RunSpec(games))
    return games / played.seconds, played.tally.count("moves") / played.seconds


def _games(setup: Setup, who: str, where: str) -> int:
    """The number of games that last about SECONDS."""
    games = (FIRST_SEARCHED if ":" in who else FIRST)[where]
    while True:
        rate, _ = _rates(setup, who, where, games)
        if games / rate > SECONDS / 4:
            return max(1, int(rate * SECONDS))
        games *= 4


def describe(report: dict[str, Any]) -> str:
    lines = [
        f"{'game':<14}{'players':>8}  {'strategy':<9}{'GPU games/s (range)':>40}{'decisions/s':>13}"
        f"{'all cores':>16}{'GPU / CPU':>11}"
    ]
    for row in report["rows"]:
        card = row["gpu_games"]
        shown = f"{card['median']:,.0f} ({card['low']:,.0f} to {card['high']:,.0f})"
        lines.append(
            f"{row['game']:<14}{row['players']:>8}  {row['strategy']:<9}{shown:>40}"
            f"{row['gpu_decisions']['median']:>13.2g}{row['cpu_games']['median']:>16,.0f}"
            f"{row['gpu_over_cpu']['median']:>11.1f}"
        )
    return "\n".join(lines)
