"""Named players: one meaning in every analysis, words that promise nothing, names wherever a strategy is typed."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.sampling.players import (
    calibration_note,
    named_players,
    options_explained,
    playable,
    players_at,
    read_strategy,
    resolve,
    role,
    searcher,
    shown_player,
    usual,
)
from houle.analysis.sampling.readers import CALIBRATED
from houle.analysis.stats.intervals import Interval
from houle.reports.context import make_context
from houle.reports.effort import EFFORTS, Effort, load_effort
from houle.solver.errors import InputError
from houle.solver.ruleset import game_names, make_setup
from houle.solver.strategies.names import OPTIONS
from houle.solver.strategies.player import weights_entry

WAVE = make_setup("wave", 3)


def counted(found: Interval | None) -> tuple[float, int]:
    """What was counted; a ladder's intervals are clustered by deal, which moves their ends by less than it shows."""
    assert found is not None
    return found.value, found.n


def test_the_same_player_gives_the_same_number_everywhere() -> None:
    """Where all play together; elsewhere a ladder takes players from seat to seat."""
    games, searched, seed = 300, 6, 5
    names = ["random", "novice", "thumb", "searcher"]
    effort = Effort("few", {"games": games, "search_games": searched, "search": searcher(), "bound": False})
    difficulty = houle.difficulty(WAVE, strategies=names, games=games, search_games=searched, seed=seed)
    strength = houle.strength(WAVE, strategies=names, games=games, search_games=searched, seed=seed)
    reported = make_context([WAVE], effort, seed).difficulties[0]
    simulated = houle.simulate(WAVE, strategies="thumb", games=games, seed=seed).sides[0].win
    found = {
        "difficulty": {level.strategy: counted(level.win) for level in difficulty.levels},
        "strength": {matchup.strategy: counted(matchup.win) for matchup in strength.matchups},
        "report": {level.strategy: counted(level.win) for level in reported.levels},
    }
    assert list(found["difficulty"]) == ["random", "novice", "thumb", "flat:50"]
    assert found["difficulty"] == found["strength"] == found["report"]
    assert found["difficulty"]["thumb"] == counted(simulated)


def test_who_sits_down_is_the_same_player_in_every_analysis_and_effort() -> None:
    seated = {
        kind: [each.text for each in usual(WAVE, kind)[0] if each.name == "flat" and not each.options]
        for kind in ("difficulty", "strength", "skill", "report")
    }
    assert set(map(tuple, seated.values())) == {(searcher(),)}
    assert {load_effort(name, game)["search"] for name in EFFORTS for game in game_names()} == {searcher()}


@pytest.mark.parametrize("word", ["expert", "beginner", "obvious player", "family"])
def test_nobody_is_called_what_nobody_measured(word: str) -> None:
    strategies = [*(player.strategy for player in named_players()), "flat:20", "flat:2000", "ismcts:5"]
    assert not [role(strategy) for strategy in strategies if word in role(strategy)]


def test_everything_is_explained() -> None:
    for player in named_players():
        assert player.what
        assert player.made
        assert player.is_not
    assert set(options_explained()) == {name for names in OPTIONS.values() for name in names} | {"slips"}
    assert "calibrated" in calibration_note()


def test_a_reader_is_flat_search_as_its_game_calibrates_it() -> None:
    found = read_strategy("reader", WAVE)
    assert (found.name, found.budget, set(found.options)) == ("flat", 20, {*CALIBRATED})
    usually = ",".join(f"{key}={found.options[key]:g}" for key in CALIBRATED if key != "reads")
    assert resolve("reader:7[reads=9,never=swap]", WAVE) == f"flat:7[{usually},reads=9,never=swap]"
    assert shown_player(found.text) == f"reader ({found.text})"
    assert "reader" not in shown_player(read_strategy("reader:51", WAVE).text)
    assert {"reader"} == {each.player.name for each in players_at(WAVE) if each.player.strategy == found.text}
    assert found.text in [each.text for each in usual(WAVE, "strength")[0]]
    line_up = houle.simulate(WAVE, strategies="reader:2", games=1, seed=3).strategies
    assert line_up == (read_strategy("reader:2", WAVE).text,) * 3


def test_where_nothing_is_calibrated_there_is_no_reader() -> None:
    land_unter = make_setup("land-unter", 4)
    with pytest.raises(InputError, match="land-unter has no reader: nothing is calibrated"):
        read_strategy("reader:32", land_unter)
    assert "reader:32" not in [each.text for each in usual(land_unter, "strength")[0]]
    assert [name for name, _ in playable(land_unter, ["thumb", "reader"])[1]] == ["reader"]
    assert next(each.missing for each in players_at(land_unter) if each.player.name == "reader")
    with pytest.raises(InputError, match="what it is depends on its game"):
        read_strategy("reader")
    with pytest.raises(InputError, match="write reader, reader:N or"):
        read_strategy("reader:x", WAVE)


def test_names_are_taken_with_options() -> None:
    assert resolve("searcher") == "flat:50"
    assert read_strategy("searcher[never=reverse]").text == "flat:50[never=reverse]"
    assert read_strategy("tree-searcher").text == "ismcts:200"
    assert shown_player("flat:50") == "searcher (flat:50)"
    assert (shown_player("thumb"), shown_player("flat:20")) == ("thumb", "flat:20")
    assert shown_player(resolve("family")) == "family"
    with pytest.raises(InputError, match="unknown strategy 'sercher'; did you mean 'searcher'"):
        read_strategy("sercher")


def test_slips_are_shares_of_the_novice() -> None:
    heat = weights_entry(read_strategy("novice"), WAVE)["novice"]
    assert read_strategy("thumb[slips=sometimes]", WAVE).options["temperature"] == heat / 2
    assert read_strategy("thumb[slips=never]", WAVE).options["temperature"] == 0
    with pytest.raises(InputError, match="slips: 'rarely' is not allowed; allowed: never, seldom"):
        read_strategy("thumb[slips=rarely]", WAVE)
    often, novice = (houle.simulate(WAVE, strategies=who, games=200) for who in ("thumb[slips=often]", "novice"))
    assert often.sides[0].win == novice.sides[0].win


def test_a_player_that_cannot_sit_down_says_why() -> None:
    missing = {one.player.name: one.missing for one in players_at(make_setup("vague-verte", 3))}
    assert missing["clairvoyant"] == "the game has no exact solver"
    assert not missing["thumb"]
