"""Players without tuning: experts and weights found once and kept, and searches with default settings."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.players import experts, line_ups
from houle.analysis.players import find_expert as expert
from houle.analysis.players import refit as refitting
from houle.analysis.players.experts import kept_expert
from houle.analysis.players.find_expert import CAUTIONS, find_expert
from houle.analysis.players.line_ups import expert_strategy, read_strategy
from houle.analysis.players.refit import made_for_print
from houle.solver.errors import FileError
from houle.solver.players.names import parse
from houle.solver.players.player import CAUTION, player_record, weights_entry
from houle.solver.rules import Setup, make_setup, printed
from houle.solver.rules.game_folders import VARIABLE, look_in

pytestmark = pytest.mark.compiled

OPEN = make_setup("wave", 3, settings={"talk": "known"})


@pytest.fixture
def no_expert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """WAVE as if it came without an expert, and an empty folder for what is found."""
    for module in (line_ups, expert):
        monkeypatch.setattr(module, "expert_of_game", lambda setup: "")
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(expert, "TRIED", "flat:2")
    monkeypatch.setattr(expert, "GAMES", 4)
    return tmp_path / experts.FILE


def test_an_expert_is_found_once_and_kept(no_expert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert expert_strategy(OPEN) == "flat:200"
    found = find_expert(OPEN)
    assert found in ("thumb", *(f"flat:200[caution={caution:g}]" for caution in CAUTIONS))
    assert found == kept_expert(OPEN) == expert_strategy(OPEN) == read_strategy("expert", OPEN).code
    assert kept_expert(make_setup("wave", 4, settings={"talk": "known"})) == ""
    monkeypatch.setattr(expert, "GAMES", -1)  # would be refused
    assert find_expert(OPEN) == found


def test_thumb_is_the_expert_where_searches_lose(no_expert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that only imagine one world without caution lose to the rules of thumb with silent partners."""
    silent = make_setup("wave", 3, settings={"talk": "silent"})
    monkeypatch.setattr(expert, "TRIED", "flat:1")
    monkeypatch.setattr(expert, "CAUTIONS", (0.0,))
    monkeypatch.setattr(expert, "GAMES", 100)
    assert find_expert(silent) == "thumb"


def test_difficulty_finds_an_expert_for_a_game_without(no_expert: Path) -> None:
    result = houle.difficulty(OPEN, strategies="seasoned,expert", games=4, alone=True)
    assert [row.label for row in result.levels] == ["seasoned", "expert"]
    assert kept_expert(OPEN)


@pytest.mark.quick
def test_a_broken_file_of_experts_is_named(no_expert: Path) -> None:
    no_expert.write_text('"wave 1" = 7\n')
    with pytest.raises(FileError, match="wave 1: 7 is not allowed"):
        kept_expert(OPEN)


OWN = make_setup("wave", 3, (), {"hand.front": 4, "hand.back": 1})

ENTRY = {"name": "thumb", "weights": {"room": 7}, "gain": [0.03, 0.02, 0.04, 800]}


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and short tunings."""
    monkeypatch.setattr(refitting, "cache_folder", lambda: tmp_path)
    for name, value in (("GENERATIONS", 2), ("POPULATION", 4), ("GAMES", 40)):
        monkeypatch.setattr(refitting, name, value)
    return tmp_path


def with_weights(setup: Setup) -> Setup:
    return Setup(setup.ruleset, setup.players, setup.variants, setup.options, setup.title, setup.changed, ENTRY)


def test_weights_are_found_once(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = houle.refit(OWN)
    assert len(list(quick.iterdir())) == 1
    monkeypatch.setattr(refitting, "tune", None)  # a second tuning would fail
    assert houle.refit(OWN) == first
    assert first.digest == OWN.digest


def test_all_players_of_the_setup_use_the_weights() -> None:
    own = with_weights(OWN)
    assert weights_entry(parse("thumb"), own) is ENTRY
    assert weights_entry(parse("flat:20"), own) is ENTRY
    assert not printed(own).refit
    plain, fitted = (houle.difficulty(one, strategies="family", games=200) for one in (OWN, own))
    assert plain.digest != fitted.digest
    assert plain.levels[0].beside == fitted.levels[0].beside
    assert "fitted to this variant: +3.0 points (+2.0 to +4.0) more wins" in fitted.notes[-1]
    assert not any("fitted" in note for note in plain.notes)
    assert "made for the printed rules; --refit" in made_for_print(OWN)
    assert not any(map(made_for_print, (make_setup("wave", 3), own)))


EXAMPLES = Path(__file__).parents[3] / "examples" / "games"


@pytest.mark.slow
@pytest.mark.parametrize("search", ["flat:50", "ismcts:200"])
@pytest.mark.parametrize("game", ["six_nimmt", "quay"])
def test_untuned_searches_are_not_below_the_thumb(game: str, search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    look_in(EXAMPLES / game / game)
    result = houle.strength(
        houle.setup(game.replace("_", "-"), players=4), strategies=["thumb", search], games=200, seed=613
    )
    gain = result.of(result.measures[0])[-1].change
    assert gain is not None
    assert gain.high >= 0


@pytest.mark.quick
def test_partners_are_more_cautious_than_rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The team game has no weights file; WAVE's entry without a caution plays as an untuned team too."""
    monkeypatch.setenv(VARIABLE, "")
    entry = {"weights": {"room": 1}}
    bare = parse("flat:2")
    bare = type(bare)(bare.text, bare.name, bare.budget, {}, entry)
    assert player_record(bare, make_setup("wave", 3))[0].caution == 1000 * CAUTION[True]
    rivals = type(bare)(bare.text, bare.name, bare.budget, {}, {"weights": {}})
    assert player_record(rivals, make_setup("land-unter", 3))[0].caution == 1000 * CAUTION[False]
    assert player_record(type(bare)("thumb", "thumb", 0, {}, entry), make_setup("wave", 3))[0].caution == 0
