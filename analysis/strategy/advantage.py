"""What a better player gains where players compete: one of a level against others of a weaker level, for every pair.

The better player takes every seat in turn on the same deals. `strength` compares each player with the next weaker one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from houle.analysis.players.levels import levels
from houle.analysis.players.read_players import playable
from houle.analysis.result import command_line, plain, words_of_setup
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import DealArm, SharedDeals, against, other_sides, play_parts
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.solver.errors import RulesError
from houle.solver.players.names import KINDS, THUMB
from houle.solver.rules import Setup


@dataclass(frozen=True)
class Advantage:
    """One better player, or a team of them, against players of a weaker level."""

    better: str
    others: str
    win: Estimate  # share of the games
    gain: Estimate  # above an equal share of the games that somebody wins


@dataclass(frozen=True)
class Advantages:
    """What a better player gains, for every pair of levels."""

    setup: Setup
    fair: float  # an equal share
    pairs: tuple[Advantage, ...]
    deals: int  # each with the better player in every seat
    search_deals: int  # the same for players that search
    seed: int

    def pair(self, better: str, others: str) -> Advantage | None:
        return next((one for one in self.pairs if (one.better, one.others) == (better, others)), None)

    def repeat(self, pair: Advantage) -> str:
        """The command that plays a pair again."""
        words = ["strength", *words_of_setup(self.setup), "-s", f"{pair.others},{pair.better}"]
        words += ["-n", str(self.deals), "--search-games", str(self.search_deals), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = plain(
            {
                "fair_share": self.fair,
                "deals": self.deals,
                "search_deals": self.search_deals,
                "seed": self.seed,
                "pairs": [vars(pair) for pair in self.pairs],
            }
        )
        return data


def advantages(
    setup: Setup, spec: RunSpec, strategies: Sequence[str] | None = None, search_games: int = 0
) -> Advantages:
    """Play every pair of strategies, given from the weakest; by default the levels of people.

    Players that search play only against the strongest player that does not, on `search_games` deals.

    >>> from houle.solver.rules import make_setup
    >>> found = advantages(make_setup("land-unter", 3), RunSpec(games=100), ["random", "seasoned"])
    >>> found.pairs[0].better, found.pairs[0].gain.low > 0
    ('seasoned', True)
    """
    if setup.one_sided:
        name = setup.ruleset.name
        raise RulesError(f"{name}: all players are one side here, so nobody wins more; see houle difficulty {name}")
    players, _ = playable(setup, strategies or [level.name for level in levels()])
    quick = [player for player in players if KINDS[player.name] <= THUMB]
    searching = [player for player in players if player not in quick]
    pairs = [(better, others) for others, better in combinations(quick, 2)]
    searched = [(better, quick[-1]) for better in searching if quick and search_games]
    parts = []
    for group, deals, name in ((pairs, spec.games, "levels"), (searched, min(spec.games, search_games), "search")):
        arms: list[DealArm] = []
        for better, others in group:
            own = against(setup, better, others)
            arms += [own, other_sides(setup, own)]
        parts.append(SharedDeals(arms, deals, name))
    spec.begin(Plan.of(*(part.stage for part in parts)))
    dealt_parts = play_parts(setup, parts, spec).dealt
    found = [
        Advantage(better.text, others.text, dealt.win(2 * i), dealt.above_fair(2 * i, 2 * i + 1))
        for group, dealt in zip((pairs, searched), dealt_parts, strict=True)
        for i, (better, others) in enumerate(group)
        if dealt.number > 1
    ]
    fair = 1 / len(setup.seats_by_side)
    return Advantages(setup, fair, tuple(found), spec.games, search_games, spec.seed)
