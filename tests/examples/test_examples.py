"""Games outside houle: the examples and a fresh skeleton agree with their plain versions and pass the check.

Here without the compiler, one setup each; `make examples` compiles them and installs them as wheels.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from houle.cli.commands.new import LIKE
from houle.solver.plain.plain_class import load_class
from houle.solver.plain.random_streams import Chance, Luck
from tests.examples.test_installed import answer
from tests.support.amounts import some
from tests.support.call import call, good

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "examples" / "games"
NEEDED = {"same games as the plain version", "games end", "same seed, same game", "cards are conserved"}
UNIFORM = "imagined worlds are uniform"
# Skeletons whose check takes long. That of the guide (test_tutorial.py) is `tricks`.
LONG = ("clues", "cooperative", "secret-choice", "tricks")


def checked(plain: subprocess.Popen[str], folder: Path, players: int, games: int = 1) -> dict[str, Any]:
    """The results of `houle check` on a game's folder without the compiler, by name."""
    result = answer(plain, ["check", str(folder), "-p", str(players), "-n", str(games), "--json"])
    assert result["out"], result["err"]
    return {check["check"]: check for check in json.loads(result["out"])["checks"]}


@pytest.mark.parametrize(
    ("name", "players"),
    # Quay: secret choices, rounds, teams, a die, a discard that becomes the pile, open and hidden rows.
    [
        ("quay", 4),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in (("the_game", 2), ("hanabi", 2), ("hanabi", 5))),
    ],
)
def test_example_games_pass_the_check(name: str, players: int, plain: subprocess.Popen[str]) -> None:
    checks = checked(plain, GAMES / name / name, players)
    assert {name: check["words"] for name, check in checks.items() if check["verdict"] == "FAILED"} == {}
    needed = NEEDED if name != "quay" else {"cards are conserved", "positions read back", UNIFORM}
    assert all(checks[invariant]["verdict"] == "passed" for invariant in needed)


def skeleton(name: str, folder: Path, like: str = "tricks") -> Path:
    """A new game; each has its own name, because one process knows only one game of a name."""
    good("new", name, "--compiled", "--like", like, "--in", str(folder))
    return folder / name / name.replace("-", "_")


def test_fresh_skeleton_passes_the_check(tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    output = good("new", "my-game", "--compiled", "--in", str(tmp_path))
    folder = tmp_path / "my-game" / "my_game"
    assert f"houle check {folder}" in output
    checks = checked(plain, folder, 3)
    assert {name for name, check in checks.items() if check["verdict"] == "FAILED"} == set()
    assert all(checks[invariant]["verdict"] == "passed" for invariant in {*NEEDED, UNIFORM})


@pytest.mark.slow
def test_fresh_game_of_clues_passes_the_check(tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    checks = checked(plain, skeleton("clue-game", tmp_path, "clues"), 2)
    assert {name: check["words"] for name, check in checks.items() if check["verdict"] == "FAILED"} == {}
    needed = {*NEEDED, "positions read back", "seats are shown what they know", "features see what the seat sees"}
    assert all(checks[invariant]["verdict"] == "passed" for invariant in needed)


def test_cards_of_others_have_names_in_positions(tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    """Everybody but its player sees a hand; facts are words that are read back; mistakes are one line."""
    file, home = tmp_path / "here.txt", ["--game-path", str(GAMES / "hanabi" / "hanabi")]
    result = answer(plain, [*home, "trace", "hanabi", "-p", "3", "--seed", "4", "--at", "3", "-o", str(file)])
    text = file.read_text()
    assert (result["code"], result["err"], result["out"]) == (0, "", text)
    assert re.search(r"^seat 1 hand: 5 \?\nseat 2 hand: [RYGBP][1-5](, [RYGBP][1-5]){4}\n", text, re.MULTILINE)
    assert "\nseat 2 may: 1, 2-5, 2-5, 2-5, any\n" in text
    assert "moves: seat 1 clue 1 to seat 2, " in text
    lines = {line.partition(":")[0]: line for line in text.splitlines()}
    for place, changed, problem in (
        ("seat 2 hand", "seat 2 hand: R6, R1, R1, R1, B1", "seat 2 hand: unknown card 'R6'"),
        ("seat 2 hand", "seat 2 hand: R5, R5, R1, R1, B1", "seat 2 hand: R5 is named twice"),
        ("seat 1 hand", "seat 1 hand: R1, R2", "seat 1 does not see these cards; write how many"),
        ("seat 1 may", "seat 1 may: any, any", "seat 1 may: 2 facts about 5 cards; write one for each"),
        ("seat 1 may", "seat 1 may: any, any, E, any, any", "'E' means no card; write `any`, or names as `R1|R2`"),
        ("seat 1 may", "seat 1 may: G5, G5, any, any, any", "no deal agrees with all lines about hidden cards"),
    ):
        file.write_text(text.replace(lines[place], changed))
        said = answer(plain, [*home, "advise", "hanabi", "--position", str(file)])
        assert problem in said["err"]
        assert said["err"].count("\n") == 1


def test_equal_cards_of_a_real_deck(tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    """They are named as often as the game has them, and dealt in this order."""
    file, home = tmp_path / "game.txt", ["--game-path", str(GAMES / "hanabi" / "hanabi")]
    deck = [f"{colour}{number}" for colour in "RYGBP" for number in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)]
    for cards, told in ((deck, "hand of seat 1: R1 R1 R1 R2 R2\n"), ([*deck[:4], "R1", *deck[5:]], "")):
        file.write_text(f"game: hanabi\nplayers: 2\ndeck: {' '.join(cards)}\nbroken off: yes\n")
        said = answer(plain, [*home, "trace", str(file)])
        assert told in said["out"]
        assert ("deck: card 5: R1 is named too often; the deck has 3" in said["err"]) == (told == "")


OWN_NAMES = "GAME = define"


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        (
            "arity",
            OWN_NAMES,
            f"def card_name(card):\n    return str(card)\n\n\n{OWN_NAMES}",
            "card_name does not take 2 arguments",
        ),
        (
            "spelt",
            OWN_NAMES,
            f"def card_nam(setup, card):\n    return str(card)\n\n\n{OWN_NAMES}",
            "houle looks for no card_nam; did you mean card_name?",
        ),
        ("about", 'about("hand")', 'about("hnad")', "may is about hnad, which is no field of hidden"),
        ("other", "others={", "other={", "fields() got an unexpected keyword argument 'other'"),
    ],
)
def test_mistakes_in_declarations_are_one_line(
    name: str, old: str, new: str, problem: str, tmp_path: Path, plain: subprocess.Popen[str]
) -> None:
    folder = skeleton(name, tmp_path, "clues")
    file = folder / f"{name}.py"
    file.write_text(file.read_text().replace(old, new))
    said = answer(plain, ["--game-path", str(folder), "simulate", name, "-p", "2", "-n", "1"])
    assert (said["code"], said["err"].count("\n")) == (2, 1)
    assert problem in said["err"]
    assert f"{name}.py:" in said["err"]


def test_texts_of_an_own_game_stay_as_written(tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    """`tell seat 2 from 22` is neither counted anew nor named: in traces, records and at the table, also of a class."""
    folder, record = skeleton("lamp-row", tmp_path, "clues"), tmp_path / "game.txt"
    fields = ["lamp-row", "-p", "3", "-s", "random", "--seed", "4"]
    for game, words in (
        (["trace", *fields], ["--game-path", str(folder)]),
        (["trace", str(folder / "plain.py"), *fields[1:]], []),
    ):
        shown = answer(plain, [*words, *game, "--record", str(record)])
        assert (shown["code"], shown["err"]) == (0, "")
        assert "  1  seat 1: tell seat 2 from 22\n" in shown["out"]
        assert "move 1: seat 1 tell seat 2 from 22\n" in record.read_text()
        assert "tell seat 4" not in shown["out"]
        again = ["--game-path", words[1]] if words else ["--game-path", game[1]]
        assert "  1  seat 1: tell seat 2 from 22\n" in answer(plain, [*again, "trace", str(record)])["out"]
    played = answer(plain, ["--game-path", str(folder), "play", "lamp-row", "-p", "3", "--seed", "4"])
    words = " ".join(re.sub("<[^>]+>", " ", played["out"]).split())
    assert "tell seat 2 from 22" in words
    assert re.search(r"Your move .* your hand 1 2 3 4( 5)? h Hint", words)


# The class with secret choices is checked by test_sound_games_are_not_accused.
@pytest.mark.parametrize("like", [pytest.param(one, marks=[pytest.mark.slow] * (one in LONG)) for one in LIKE])
def test_new_class_is_taken_by_the_commands(like: str, tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    file = tmp_path / "small_game.py"
    good("new", "small-game", "--like", like, "--in", str(tmp_path))
    for words, shown in (
        (["simulate", "-p", "3", "-n", "4"], "Small Game, 3 players"),
        (["trace", "-p", "2"], "seat 2: "),
        (["check", "-p", "2", "-n", "1"], "small_game.py passes all "),
        (["play", "-p", "2", "--seed", "1"], "Your move"),
    ):
        result = answer(plain, [words[0], str(file), *words[1:]])
        assert (result["code"], result["err"]) == (0, ""), words
        assert shown in " ".join(result["out"].split()) + " "


def test_secret_choices_are_seen_when_turned_up(tmp_path: Path) -> None:
    """Until then others know that a card was chosen, and imagine any that they do not see."""
    good("new", "secret-game", "--like", "secret-choice", "--in", str(tmp_path))
    made = load_class(str(tmp_path / "secret_game.py"))
    for number in range(some(10)):
        game = made.open(3, {}, Luck(number), Chance(0))
        while game.to_move() >= 0:
            seat, rounds = game.to_move(), game.round
            hidden = [card for card in game.chosen if card is not None]
            world = game.imagine(seat, Luck(number + 1))
            assert world.view(seat) == game.view(seat)
            assert Counter(everything(world)) == Counter(everything(game))
            move = game.legal()[Luck(number + seat)(len(game.legal()))]
            before = game.view((seat + 1) % 3)
            game.apply(move)
            if None in game.chosen and any(card is not None for card in game.chosen):
                after = game.view((seat + 1) % 3)
                assert {name for name in after if after[name] != before[name]} == {"has chosen"}
            else:
                assert game.shown == [*hidden, int(move.split()[1])]
        assert (game.round, sum(game.points) <= 10) == (2, True)
        assert rounds == 2


def everything(game: Any) -> list[int]:
    """All cards of a game with secret choices."""
    return [*game.pile, *game.gone, *(card for hand in game.hand for card in hand), *filter(None, game.chosen)]


def test_new_refuses_invalid_names(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    for words, problem in (
        (["My Game"], "lower-case letters"),
        (["wave"], "already"),
        (["taken", "--compiled"], "exists already"),
        (["other", "--compiled", "--like", "race"], "written for tricks and clues only, not for race"),
        (["other", "--like", "chess"], "secret-choice"),
    ):
        result = call("new", *words, "--in", str(tmp_path))
        assert result.exit_code == 2
        assert problem in result.stderr
