"""The players that can be named in a setup, as `houle players` lists them, and who a strategy stands for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.players.line_ups import NO_SOLVER, missing_in, read_strategy
from houle.analysis.players.named_players import NAME as LEVEL
from houle.analysis.players.named_players import (
    NamedPlayer,
    level_words,
    named_player,
    named_players,
    players_data,
    read_point,
)
from houle.solver.players.kinds import RANDOM
from houle.solver.players.names import KINDS, OPTIONS, Strategy
from houle.solver.players.player import named_in, weights_entry
from houle.solver.rules import Setup, printed


def role(strategy: Strategy) -> str:
    """Who a strategy stands for, to complete "hard for ..."; an unnamed strategy is described."""
    if player := named_player(strategy.text):
        return player.who
    if strategy.text.startswith(f"{LEVEL}:") and "[" not in strategy.text:
        return f"players {level_words(read_point(strategy.text.partition(':')[2]))}"
    searches = {"flat": "imagined deals", "ismcts": "imagined lines of play"}
    if strategy.name in searches:
        return f"a search of {strategy.budget:,} {searches[strategy.name]} per move"
    if strategy.name == "clairvoyant":
        return "the bound: all cards known"
    return f"players of strategy {strategy.text}"


@dataclass(frozen=True)
class SeatedPlayer:
    """A named player in a setup: whether it can play there, and what its weights reached."""

    player: NamedPlayer
    options: tuple[str, ...]  # allowed in brackets
    missing: str  # why it cannot play; empty if it can
    reach: str  # what its weights reached when they were tuned, on other games

    def as_json(self) -> dict[str, Any]:
        player = self.player
        return {
            "name": player.name,
            "strategy": player.strategy,
            "who": player.who,
            "what": player.what,
            "made": player.made,
            "is_not": player.is_not,
            "used_in": list(player.used_in),
            "level": player.level,
            "options": list(self.options),
            "reach": self.reach or None,
            "missing": self.missing or None,
        }


def players_at(setup: Setup) -> list[SeatedPlayer]:
    """Every named player in a setup, and what stands behind its name there."""
    seated = []
    for player in named_players():
        if not setup.game.has("features") and KINDS.get(player.name) != RANDOM:
            continue  # all others play by rules of thumb or search with them
        strategy = read_strategy(player.name, setup)
        missing = missing_in(strategy, setup)
        if not missing:
            player = replace(player, strategy=strategy.code)
        if not missing and strategy.name == "clairvoyant" and not setup.game.has("solve"):
            missing = NO_SOLVER
        if strategy.name == "clairvoyant" and setup.ruleset.all_open:
            player = replace(player, is_not=players_data()["all_open"])
        entry = {} if missing or KINDS[strategy.name] == RANDOM else weights_entry(strategy, setup)
        if player.name == "thumb" and not (missing or setup.refit or "tuned" in entry):
            by_hand = setup.game.class_view is not None and not hasattr(setup.game.class_view.made, "features")
            player = replace(player, made=players_data()["plain" if by_hand else "untuned"])
        options = tuple(option for option in OPTIONS[strategy.name] if option in players_data()["options"])
        reach = entry.get("tuned", {}).get("reach", "") if player.name == "thumb" else ""
        if reach and setup.digest != printed(setup).digest:
            reach = f"{reach}, in the setup that it was tuned for; yours differs"
        seated.append(SeatedPlayer(player, options, missing, str(reach)))
    texts = players_data()["by_name"]
    for name in named_in(setup):
        player = NamedPlayer(name, name, f"players who play as {name}", **texts, is_not="", used_in=())
        seated.append(SeatedPlayer(player, (), "", ""))
    return seated
