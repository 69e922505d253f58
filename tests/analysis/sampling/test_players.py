"""Named players: the same in every analysis, described honestly, and accepted wherever a strategy is typed."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.run import RunSpec
from houle.analysis.sampling.players import (
    calibration_note,
    expert,
    named_players,
    options_explained,
    playable,
    players_at,
    read_strategy,
    resolve,
    shown_line_up,
    shown_player,
    usual,
    usual_players,
)
from houle.analysis.sampling.readers import CALIBRATED
from houle.analysis.stats.estimate import Estimate
from houle.reports.context import make_context
from houle.reports.effort import EFFORTS, Effort, load_effort
from houle.reports.sections.difficulty import play_difficulties
from houle.solver.errors import StrategyError
from houle.solver.players.names import OPTIONS
from houle.solver.rules import game_names, make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)
FAMILY = "thumb[forgets=15,loses_count=15,nearsighted=40]"


def counted(estimate: Estimate | None) -> tuple[float, int]:
    """The estimate without its interval: `strength` clusters intervals by deal, the others do not."""
    assert estimate is not None
    return estimate.value, estimate.n


@pytest.mark.compiled
def test_a_player_has_the_same_number_everywhere() -> None:
    """In a game that all play together; if players compete, `strength` moves them from seat to seat."""
    games, searched, seed = 300, 6, 5
    names = ["random", "family", "thumb", "expert"]
    effort = Effort("few", {"games": games, "search_games": searched, "search": expert(), "bound": False})
    difficulty = houle.difficulty(WAVE, strategies=names, games=games, search_games=searched, seed=seed)
    strength = houle.strength(WAVE, strategies=names, games=games, search_games=searched, seed=seed)
    reported = play_difficulties(make_context([WAVE], effort, RunSpec(seed=seed)))[0]
    simulated = houle.simulate(WAVE, strategies="thumb", games=games, seed=seed).sides[0].win
    wins = {
        "difficulty": {level.strategy: counted(level.win) for level in difficulty.levels},
        "strength": {matchup.strategy: counted(matchup.win) for matchup in strength.matchups},
        "report": {level.strategy: counted(level.win) for level in reported.levels},
    }
    assert list(wins["difficulty"]) == ["random", FAMILY, "thumb", "flat:50"]
    assert wins["difficulty"] == wins["strength"] == wins["report"]
    assert wins["difficulty"]["thumb"] == counted(simulated)


def test_the_expert_is_the_same_in_all_analyses() -> None:
    seated = {
        kind: [each.text for each in usual(WAVE, kind)[0] if each.name == "flat" and not each.options]
        for kind in ("difficulty", "strength", "skill", "report")
    }
    assert set(map(tuple, seated.values())) == {(expert(),)}
    assert {load_effort(name, game)["search"] for name in EFFORTS for game in game_names()} == {expert()}


@pytest.mark.parametrize("analysis", ["difficulty", "strength", "skill", "report"])
def test_families_take_part_and_weak_players_come_first(analysis: str) -> None:
    order = ["random", "first-game", "family", "regular", "thumb", "expert"]
    names = [name for name in order if resolve(name) in usual_players(analysis)]
    assert {"random", "family", "thumb", "expert"} <= {*names}
    assert [resolve(name) for name in names] == [one for one in usual_players(analysis) if one in map(resolve, names)]


def test_every_player_and_option_is_explained() -> None:
    for player in named_players():
        assert player.what
        assert player.made
        assert "Not" in player.is_not
        assert "calibrated" in player.is_not or not player.level
    assert set(options_explained()) == {name for names in OPTIONS.values() for name in names}
    assert "calibrated" in calibration_note()


@pytest.mark.compiled
def test_a_reader_is_its_games_flat_search() -> None:
    reader = read_strategy("reader", WAVE)
    assert (reader.name, reader.budget, set(reader.options)) == ("flat", 20, {*CALIBRATED})
    usually = ",".join(f"{key}={reader.options[key]:g}" for key in CALIBRATED if key != "reads")
    assert resolve("reader:7[reads=9,never=swap]", WAVE) == f"flat:7[{usually},reads=9,never=swap]"
    assert shown_player(reader.text) == f"reader ({reader.text})"
    assert "reader" not in shown_player(read_strategy("reader:51", WAVE).text)
    assert {"reader"} == {each.player.name for each in players_at(WAVE) if each.player.strategy == reader.text}
    assert reader.text in [each.text for each in usual(WAVE, "strength")[0]]
    line_up = houle.simulate(WAVE, strategies="reader:2", games=1, seed=3).strategies
    assert line_up == (read_strategy("reader:2", WAVE).text,) * 3


def test_some_games_have_no_reader() -> None:
    land_unter = make_setup("land-unter", 4)
    with pytest.raises(StrategyError, match=r"land-unter has no reader: its weights\.toml has no section"):
        read_strategy("reader:32", land_unter)
    assert "reader:32" not in [each.text for each in usual(land_unter, "strength")[0]]
    assert [name for name, _ in playable(land_unter, ["thumb", "reader"])[1]] == ["reader"]
    assert next(each.missing for each in players_at(land_unter) if each.player.name == "reader")
    with pytest.raises(StrategyError, match="it depends on the game"):
        read_strategy("reader")
    with pytest.raises(StrategyError, match="write reader, reader:N or"):
        read_strategy("reader:x", WAVE)


def test_names_may_have_options() -> None:
    assert resolve("expert") == "flat:50"
    assert resolve("seasoned") == "thumb"
    assert read_strategy("expert[never=reverse]").text == "flat:50[never=reverse]"
    family = "thumb[forgets=15,loses_count=15,nearsighted=40,never=reverse]"
    assert read_strategy("family[never=reverse]").text == family
    assert read_strategy("tree-searcher").text == "ismcts:200"


def test_people_read_names_of_players() -> None:
    assert shown_player("flat:50") == "expert (flat:50)"
    assert (shown_player("thumb"), shown_player("flat:20")) == ("thumb", "flat:20")
    assert shown_player(FAMILY) == "family"
    assert shown_line_up([FAMILY] * 3) == "family"
    assert shown_line_up(["thumb", FAMILY]) == "thumb, family"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("exprt", "unknown strategy 'exprt'; did you mean 'expert'"),
        ("family:2", "strategy 'family:2': family takes no number"),
        ("expert:5", "strategy 'expert:5': expert takes no number"),
        ("searcher", "unknown strategy 'searcher'"),
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
