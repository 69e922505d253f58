"""What players won in each setup, kept in docs/data/predictions.csv: only what is missing there is played."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from pathlib import Path

from houle.analysis.players.line_ups import line_up
from houle.analysis.players.plane import nodes, strategy_at
from houle.analysis.players.read_players import EXPERT
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.stats.intervals import win_rate
from houle.analysis.strategy.calibration import games_at
from houle.solver.rules import Setup, variant_name
from tools.predictions.groups import (
    PREDICTED,
    SEED,
    STRANGER_VARIANTS,
    STRANGERS,
    TRUTH_SEED,
    Study,
    known_points,
    player_at,
    studies,
)

FILE = Path(__file__).parents[2] / "docs" / "data" / "predictions.csv"
NODE_GAMES, THUMB_GAMES, LEVEL_GAMES, SEARCH_GAMES, EXPERT_GAMES = 400, 5_000, 300, 120, 10


@dataclass(frozen=True)
class Rate:
    """Wins of one player, or of one group, in one setup."""

    game: str
    players: int
    setup: str
    player: str
    seed: int
    games: int
    wins: float

    @property
    def value(self) -> float:
        return self.wins / self.games


class Rates:
    """All rates of the file."""

    def __init__(self, file: Path = FILE) -> None:
        self.file, self.known = file, dict[tuple[str, str, str, int], Rate]()
        if file.exists():
            with file.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines):
                    numbers = int(row["players"]), int(row["seed"]), int(row["games"]), float(row["wins"])
                    players, seed, games, wins = numbers
                    self._add(Rate(row["game"], players, row["setup"], row["player"], seed, games, wins))

    def _add(self, rate: Rate) -> None:
        self.known[rate.game, rate.setup, rate.player, rate.seed] = rate

    def of(self, setup: Setup, player: str, seed: int, games: int) -> Rate:
        """The rate of a player, played if it is missing."""
        key = setup.ruleset.name, variant_name(setup), player, seed
        if key not in self.known:
            tally = play_line_up(line_up(setup, player), RunSpec(games, seed)).tally
            wins = round(win_rate(tally, 0).value * tally.games, 6)
            self._add(Rate(key[0], setup.players, key[1], player, seed, tally.games, wins))
            self._write()
        return self.known[key]

    def _write(self) -> None:
        with self.file.open("w", encoding="utf-8", newline="") as lines:
            writer = csv.DictWriter(lines, Rate.__annotations__, lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(rate) for rate in self.known.values())

    def at_nodes(self, setup: Setup) -> list[Rate]:
        """What players at all nodes of the plane win."""
        return [self.of(setup, strategy_at(node), SEED, games_at(node, NODE_GAMES)) for node in nodes()]

    def of_group(self, setup: Setup, who: str) -> Rate:
        """What a group wins in the long run."""
        games = SEARCH_GAMES if "flat" in who else THUMB_GAMES if who.startswith("thumb") else LEVEL_GAMES
        return self.of(setup, who, TRUTH_SEED, games)


def play_all(rates: Rates, study: Study) -> None:
    """Play what a study needs."""
    setups = (study.base, *study.others)
    for setup in setups:
        rates.at_nodes(setup)
    for setup in setups:
        for who in (*study.for_choosing.values(), *study.for_testing.values(), *study.named.values()):
            rates.of_group(setup, who)
        for point in known_points()[:PREDICTED]:
            rates.of_group(setup, player_at(point))
    for setup in study.others:
        rates.of(setup, EXPERT, SEED, EXPERT_GAMES)
    if study.base.ruleset.name == "wave":
        for setup in (study.base, *(one for one in study.others if variant_name(one) in STRANGER_VARIANTS)):
            for group in STRANGERS.values():
                for who in (group.first, group.last, *group.later):
                    rates.of_group(setup, who)


def play_points(rates: Rates, study: Study) -> None:
    """Play the base game at all known points."""
    for point in known_points():
        rates.of_group(study.base, player_at(point))


if __name__ == "__main__":
    every = Rates()
    for one in studies():
        play_all(every, one)
    play_points(every, studies()[0])
