"""Named players: the same in every analysis, described honestly, and accepted wherever a strategy is typed."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.players.line_ups import expert_of_game, expert_strategy, read_name, read_strategy
from houle.analysis.players.listing import players_at, role
from houle.analysis.players.named_players import (
    calibration_note,
    levels,
    named_players,
    options_explained,
    usual_players,
)
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import Estimate
from houle.reports.context import make_context
from houle.reports.effort import Effort
from houle.reports.sections.difficulty import play_difficulties
from houle.solver.errors import StrategyError
from houle.solver.players.names import OPTIONS, parse, parse_portable
from houle.solver.rules import game_names, make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)
FAMILY, SEASONED = "level[slips=20,thought=1]", "level[thought=4]"


def counted(estimate: Estimate | None) -> tuple[float, int]:
    """The estimate without its interval: `strength` clusters intervals by deal, the others do not."""
    assert estimate is not None
    return estimate.value, estimate.n


@pytest.mark.compiled
def test_a_player_has_the_same_number_everywhere() -> None:
    """In a game that all play together; if players compete, `strength` moves them from seat to seat."""
    games, searched, seed = 4, 4, 5
    names = ["random", *(level.name for level in levels()), "expert"]
    effort = Effort("few", {"games": games, "search_games": searched, "bound": False})
    difficulty = houle.difficulty(WAVE, strategies=names, games=games, seed=seed)
    strength = houle.strength(WAVE, strategies=names, games=games, seed=seed)
    reported = play_difficulties(make_context([WAVE], effort, RunSpec(seed=seed)))[0]
    simulated = houle.simulate(WAVE, strategies=SEASONED, games=games, seed=seed).sides[0].win
    wins = {
        "difficulty": {row.label: counted(row.value) for row in difficulty.levels},
        "strength": {row.label: counted(row.value) for row in strength.levels},
        "report": {row.label: counted(row.value) for row in reported.levels},
    }
    assert list(wins["difficulty"]) == names
    assert wins["difficulty"] == wins["strength"] == wins["report"]
    assert wins["difficulty"]["seasoned"] == counted(simulated)


def test_the_expert_is_data_of_the_game() -> None:
    usual = {"caution": 1.5, "heeds": 500, "judge": 2000, "plays": 50, "reads": 1600, "weighs": 300}
    assert (parse(expert_strategy(WAVE)).budget, parse(expert_strategy(WAVE)).options) == (20, usual)
    assert read_strategy("expert", make_setup("wave", 4)).options == usual | {"caution": 2}
    assert read_strategy("expert", make_setup("wave", 4, ["nazare"])).options["caution"] == 2
    assert read_strategy("expert", make_setup("wave", 3, ["nazare"])).options["caution"] == 0.5
    assert expert_strategy(make_setup("sea-change", 2)) == "ismcts:1000[noise=2000]"
    assert expert_strategy(make_setup("sea-change", 4, ["2v2"])) == "ismcts:1000"
    assert all(expert_of_game(make_setup(game)) for game in game_names())  # so only games of users look for one


@pytest.mark.parametrize("analysis", ["difficulty", "strength", "report"])
def test_weak_players_come_first(analysis: str) -> None:
    order = ["random", "first-game", "family", "regular", "seasoned", "expert", "clairvoyant"]
    names = [name for name in order if name in usual_players(analysis)]
    assert {"family", "seasoned"} <= {*names}
    assert ("expert" in names) == (analysis != "difficulty")  # which ends in seconds
    assert names == [*usual_players(analysis)]


def test_a_strategy_keeps_the_name_that_was_typed() -> None:
    family = read_strategy(" family ")
    assert (family.text, family.code, str(family.name)) == ("family", FAMILY, "level")
    between = read_strategy("level:2.30")
    assert (between.text, between.code) == ("level:2.3", "level[slips=7,thought=2.6]")
    assert read_strategy("family[never=swap]").text == "family[never=swap]"
    assert read_name("expert") == "expert"
    for typed in ("family", "level:0.5", "thumb", "flat:20[never=swap]"):
        assert parse_portable(read_strategy(typed).portable) == read_strategy(typed)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "plain"), [("family", FAMILY), ("level:1", FAMILY), ("seasoned", SEASONED), ("level:3", SEASONED)]
)
def test_a_name_changes_no_digest(name: str, plain: str) -> None:
    named, unnamed = (houle.simulate(WAVE, strategies=who, games=50) for who in (name, plain))
    assert named.digest == unnamed.digest
    assert (named.strategies, unnamed.strategies) == ((name,) * 3, (plain,) * 3)


def test_a_point_on_the_line_of_levels_is_said_in_words() -> None:
    assert role(read_strategy("level:2")) == "players at the regular level"
    assert role(read_strategy("level:1.5")) == "players between family and regular"


def test_every_player_and_option_is_explained() -> None:
    for player in named_players():
        assert player.what
        assert player.made
        assert "Not" in player.is_not
        assert "calibrated" in player.is_not or not player.level
    assert set(options_explained()) == {name for names in OPTIONS.values() for name in names}
    assert "calibrated" in calibration_note()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("exprt", "unknown strategy 'exprt'; did you mean 'expert'"),
        ("family:2", "strategy 'family:2': family takes no number"),
        ("expert:5", "strategy 'expert:5': expert takes no number"),
        ("searcher", "unknown strategy 'searcher'"),
        ("level:3.5", "level: '3.5' is not allowed; allowed: a number from 0 to 3 (0 first-game, 1 family"),
        ("level", "level: '' is not allowed"),
        ("level[never=swap]", "allowed: a number from 0 to 3"),
        ("level[slips=101]", "slips: '101' is not allowed; allowed: a number from 0 to 100"),
        ("level[thought=-1]", "thought: '-1' is not allowed; allowed: a number from 0 to 100"),
        ("level[slips=5,forgets=5]", "level has no option 'forgets'"),
        ("level:nan", "level: 'nan' is not allowed"),
        ("family[", "write family or family[key=value,...]"),
    ],
)
def test_unknown_players_are_refused(typed: str, message: str) -> None:
    with pytest.raises(StrategyError) as error:
        read_strategy(typed)
    assert message in str(error.value)


def test_a_player_that_cannot_play_says_why() -> None:
    missing = {one.player.name: one.missing for one in players_at(make_setup("vague-verte", 3))}
    assert missing["clairvoyant"] == "the game has no exact solver"
    assert not missing["thumb"]


def test_roles_complete_hard_for() -> None:
    words = {
        "family": "families",
        "expert": "experts, who plan ahead",
        "flat:20": "a search of 20 imagined deals per move",
        "level:2.3": "players between regular and seasoned",
    }
    assert {name: role(read_strategy(name, WAVE)) for name in words} == words
