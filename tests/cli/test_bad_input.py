"""Bad input: exit code 2 and one clear line, never a traceback. A command that is gone says what to type now."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.cli import removed
from houle.cli.commands.study import study
from houle.cli.main import COMMANDS
from tests.support.call import call, spawn

pytestmark = pytest.mark.quick

DESIGN = "design wave -p 3 --set talk=known --target win=40%@thumb --change hand.front=2..4,hand.back=1..4 -n 10000"
# (words, what the line must say)
LINES = [
    ("simulate wav", ["unknown game 'wav'", "did you mean 'wave'?"]),
    ("simulate wave --set hand.front=2..4", ["'2..4' is not allowed", "from 0 to 16", "use houle sweep or compare"]),
    ("simulate vague-attaque --deck my.toml", ["No such option '--deck'", "--set deck=FILE"]),
    ("simulate wave --figure x.png", ["No such option '--figure'", "use -o"]),
    ("simulat wave", ["unknown command 'simulat'", "did you mean 'simulate'?"]),
    ("red wave", ["unknown command 'red'", "advise, "]),
    ("simulate", ["Missing argument 'GAME'"]),
    ("simulate wave --plyers 3", ["--plyers", "--players"]),
    ("simulate wave -v virage+tide", ["unknown variant 'tide'", "tide-colours"]),
    ("simulate wave --set hand.frnt=4", ["--set: wave has no knob 'hand.frnt'", "did you mean 'hand.front'?"]),
    ("simulate wave --set hand.front", ["--set hand.front: write key=value"]),
    ("simulate wave --set hand.front=-1", ["hand.front: -1 is not allowed", "from 0 to 16"]),
    ("simulate wave --set deck.missing=[pink_0]", ["--set: deck.missing: 'pink_0' is not a card"]),
    ("simulate wave -p 4 --set hand.front=16", ["--set: hand.front: the deal needs", "cards but the deck has 34"]),
    ("simulate wave -v nazare --set heights=[1,2,3]", ["--set: heights: the columns hold 6 cards", "34"]),
    ("simulate wave -p 2 -p 3", ["-p: give one number of players here, not 2, 3"]),
    ("simulate vague-verte -p 1", ["players: 1 is not allowed; allowed: 2, 3, 4"]),
    ("simulate wave -p two", ["-p: 'two' is not allowed", "a whole number from 1"]),
    ("simulate wave -p 3 -s random,random", ["2 strategies for 3 players", "give one, or one per player"]),
    ("simulate wave --seed abc", ["--seed: 'abc' is not allowed", "a whole number from 0"]),
    ("simulate wave -n 0", ["-n: '0' is not allowed", "a whole number from 1", "1e6, 1M or 1_000_000"]),
    ("simulate wave -j 0", ["-j: '0' is not allowed"]),
    ("simulate wave --rules absent.toml", ["absent.toml: No such file"]),
    ("simulate wave -o result.xls", ["-o: result.xls", ".json, .csv"]),
    ("simulate wave -o pyproject.toml/result.csv", ["-o: pyproject.toml/result.csv: Not a directory"]),
    ("rules wave --check-deck my.toml", ["wave cannot be played with your own deck"]),
    ("rules wave --write pyproject.toml/my.toml", ["pyproject.toml/my.toml: Not a directory"]),
    ("compare wave", ["a comparison needs 2 to 64 variants, this has 1", "rules that differ from print"]),
    ("compare wave --set hand.back=1-3", ["'1-3' is not allowed", "write a range as 1..3"]),
    ("compare wave --set hand.back=4..2", ["'4..2' is empty"]),
    ("compare wave --set hand.back=2 --set hand.back=3", ["hand.back is given twice", "hand.back=a,b"]),
    ("compare wave --set deck.missing=red", ["write a list as [a,b]"]),
    ("compare wave -v base -v virage --measure wins", ["unknown measure 'wins'", "did you mean 'win'?"]),
    ("compare wave -v base -v virage --margin win", ["--margin", "'win'"]),
    ("compare wave -v base -v virage --margin 0", ["--margin: 0.0 is not allowed", "a number above 0"]),
    ("compare wave -v base -v virage -n 1", ["-n: '1' is not allowed", "from 2"]),
    ("sweep wave -p 2,3 --target win=many", ["--target: 'win=many'", "write MEASURE=VALUE or MEASURE=LOW..HIGH"]),
    ("sweep wave -p 2,3 --target win=900%", ["--target: 'win=900%'", "win lies from 0% to 100%"]),
    ("sweep wave -p 3,2 --measure spread", ["spread: not a measure of wave, 3 players; allowed: win, score, length"]),
    ("sweep wave -p 4 --set hand.front=9..10", ["none of the 2 combinations can be played", "the deal needs"]),
    (
        "sweep wave -p 2 --set hand.back=0..16 --set hand.front=0..16 --set dummy.up=1..16 --set dummy.down=0..16",
        ["combinations; allowed: 10,000"],
    ),
    ("sweep wave -o x.png", ["sweep: nothing varies", "For one setup use houle simulate"]),
    ("compare wave --open-rules -s thumb -s random", ["--open-rules: several setups", "allowed: one -p, -v, -s"]),
    ("compare wave --open-rules --until-sure", ["--open-rules: cannot be combined with --until-sure"]),
    ("compare wave --search-games 5", ["No such option", "players that search play a twentieth of -n"]),
    ("difficulty land-unter", ["players compete in this setup", "see houle strength land-unter"]),
    ("players wave --fit nowhere.csv", ["nowhere.csv: No such file or directory"]),
    ("players wave -o list.csv", ["-o: only with --fit"]),
    ("players wave --dry-run", ["--dry-run: only with --fit"]),
    ("tune wave -p 3 --seed 999", ["seed: 999 is not allowed; allowed for tuning: 1000 and above"]),
    ("advise wave", ["advise: give either --from SEED/GAME/PLY or --position FILE|-|TEXT"]),
    ("advise wave --from 1/1/1 --worlds 0", ["--worlds: '0' is not allowed"]),
    ("report wave --effort quik", ["unknown effort 'quik'; did you mean 'quick'?"]),
    ("report missing.db", ["missing.db"]),
    ("report missing.db --sheet", ["are for games, not for studies"]),
    ("report wave --only luck", ["--only: unknown section 'luck'; allowed: difficulty, "]),
    ("report wave --only decisions --sheet", ["--sheet is for whole reports; leave out --only"]),
    ("report wave -p 3 --seconds-per-decision 0", ["--seconds-per-decision: 0.0 is not allowed"]),
    ("report wave -o pyproject.toml", ["is a file; give a folder"]),
    ("study show", ["Missing argument 'FOLDER'"]),
    ("study show none", ["none: no log of a study here"]),
    ("study show none --within 0", ["--within: 0 is not allowed; allowed: a number above 0"]),
    ("study run none.toml --part 3/2", ["--part: '3/2' is not allowed"]),
    ("study rum", ["No such command"]),
    (f"{DESIGN} --change hand.bakc", ["hand.bakc"]),
    (f"{DESIGN} --budget soon", ["--budget: 'soon' is not allowed"]),
    (f"{DESIGN} --budget 300", ["--budget: '300' is not allowed"]),
    (f"{DESIGN} --budget 20s", ["--budget: -n is given too"]),
    (f"{DESIGN} -s thumb", ["-s"]),
]


def assert_one_line(code: int, out: str, err: str, parts: list[str]) -> None:
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("houle: ")
    assert [part for part in parts if part not in err] == [], err


@pytest.mark.parametrize(("words", "parts"), LINES, ids=[words for words, _ in LINES])
def test_errors_are_one_line(words: str, parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()
    result = call(words)
    assert_one_line(result.exit_code, result.stdout, result.stderr, parts)
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


# (a user's file, what the line must say besides the file's name)
FILES = [
    ("game = wave", ["not valid TOML", "line 1", "; game = wave"]),
    ('[[souvenir]]\nname = "Pearl"\ndedicated = yes', ["line 3", 'in souvenir "Pearl": dedicated = yes; write true']),
    ("[set]\nhand.front = 4\nhand.front = 5", ["not valid TOML"]),
    ('game = "sea-change"', ["this file is for 'sea-change', not 'wave'"]),
    ('vairants = ["virage"]', ["unknown key 'vairants'", "did you mean 'variants'?"]),
    ("hand.front = 4", ["unknown key 'hand'", "write hand.front and hand.back below [set]"]),
    ('variants = ["virge"]', ["unknown variant 'virge'", "did you mean 'virage'?"]),
    ('variants = "virage"', ["variants: 'virage' is not allowed", "a list"]),
    ("variants = [1]", ["variants: [1] is not allowed", "a list"]),
    ("name = 3", ["name: 3 is not allowed", "text in quotes"]),
    ('players = "3"', ["players: '3' is not allowed", "a whole number"]),
    ("[set]\nhand.frnt = 4", ["wave has no knob 'hand.frnt'", "did you mean 'hand.front'?"]),
    ("[set]\nhand = 4", ["wave has no knob 'hand'", "did you mean 'hand.back' or 'hand.front'?"]),
    ('[set]\nhand.front = "4"', ["hand.front: '4' is not allowed", "a whole number from 0 to 16"]),
    ("[set]\nhand.front = true", ["hand.front: True is not allowed", "a whole number from 0 to 16"]),
    ("[set]\nheights = [5, 5]\nnazare = true", ["heights: the columns hold 10 cards but the deck has 34"]),
    ("[set]\nheights = 5", ["heights: 5 is not allowed", "a list of at most 64 whole numbers"]),
]


@pytest.mark.parametrize(("text", "parts"), FILES, ids=[text for text, _ in FILES])
def test_errors_in_a_file_name_it(text: str, parts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text)
    result = call("simulate", "wave", "--rules", str(file))
    assert_one_line(result.exit_code, result.stdout, result.stderr, [str(file), *parts])


@pytest.mark.compiled
def test_real_process_prints_same_error() -> None:
    done = spawn("simulate", "wave", "--set", "hand.frnt=4")
    assert_one_line(done.returncode, done.stdout, done.stderr, ["did you mean 'hand.front'?"])


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["game=wave&players=3&deal=7/0&seats=person,flat:999999,thumb&moves="], "flat:999999 would take too long"),
        (["wave", "-s", "nobody"], "unknown strategy 'nobody'"),
        (["wave", "--seats", "9"], "allowed: seats from 1 to 3"),
    ],
)
def test_refused_players_are_said_before_an_address(words: list[str], part: str) -> None:
    done = spawn("play", *words, "--no-open", "--port", "0")
    assert_one_line(done.returncode, done.stdout, done.stderr, [part])


@pytest.mark.parametrize("name", removed.COMMANDS)
def test_removed_command_names_one_that_exists(name: str) -> None:
    result = call(name, "land-unter", "-p", "3")
    assert_one_line(result.exit_code, result.stdout, result.stderr, [f"houle: `{name}` is now "])
    command, game, *_ = result.stderr.partition(": houle ")[2].split()
    assert command in COMMANDS
    assert game == "land-unter"
    assert "GAME" in call(name).stderr


@pytest.mark.parametrize(("name", "line"), removed.STUDY.items())
def test_removed_command_of_a_study(name: str, line: str) -> None:
    assert call("study", name, "study.db", "--json").stderr == f"houle: `study {name}` {line}\n"
    assert line.partition(": ")[2].split()[2] in study.commands


def test_page_for_users_names_every_removed_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "start" / "from-0-4.md").read_text(encoding="utf-8").splitlines()
    gone = removed.COMMANDS | {f"study {name}": line for name, line in removed.STUDY.items()}
    for name, line in gone.items():
        (row,) = (row for row in page if f"`houle {name} " in row)
        assert f"`{line.partition(': ')[2].replace('GAME', 'wave')}`" in row, name
