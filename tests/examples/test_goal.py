"""The score as a goal: tune saves what raises it, commands speak of points, and a number of points wins."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.examples.test_installed import ROOT
from tests.examples.test_plain_class import said
from tests.support.call import said_without_compiler

pytestmark = pytest.mark.compiled

HANABI = ROOT / "examples" / "games" / "hanabi" / "hanabi"
GATHER = '''
class Gather:
    """Take one of two cards in every turn; all points count."""

    PLAYERS = (1, 2)
    SCORE, SCORE_RANGE, GOAL = "points", (0, 60), "score"
    FEATURES = (("low", "Take the low card.", "Take the high card."), ("left", "Take the left card."))

    def __init__(self, players, luck, turns=2, bonus=0):
        self.luck, self.turns, self.players, self.points, self.made = luck, turns, players, bonus, 0
        self.cards = [luck(9), luck(9)]

    def to_move(self):
        return -1 if self.made == self.turns else self.made % self.players

    def legal(self):
        return ["left", "right"]

    def apply(self, move):
        self.points += self.cards[move == "right"]
        self.made += 1
        self.cards = [self.luck(9), self.luck(9)]

    def features(self, move):
        return [-self.cards[move == "right"], move == "left"]

    def result(self):
        return {"scores": [self.points]}
'''


@pytest.fixture
def gather(tmp_path: Path) -> Path:
    file = tmp_path / "gather.py"
    file.write_text(GATHER)
    return file


def test_tune_saves_what_raises_the_score(plain: subprocess.Popen[str], gather: Path) -> None:
    """Nobody wins: the best possible score never comes. A setup without weights of its own uses the nearest."""
    words = "--set bonus=1 --generations 12 --population 6 -n 8 --check-games 100 --threads 1 --save"
    tuned = said(plain, f"tune {gather} -p 2 {words}")["out"]
    assert "points over the present weights" in tuned
    assert f"{gather.parent / 'weights.toml'}, for players=2" in " ".join(tuned.split())
    assert "when = {players = 2}\n" in (gather.parent / "weights.toml").read_text()
    note = "no weights were tuned for this setup: the nearest are used, those for players=2"
    outs = [said(plain, f"simulate {gather} -p {players} -n 5 --threads 1")["out"] for players in (1, 2)]
    assert [note in " ".join(out.split()) for out in outs] == [True, False]


def test_analyses_speak_of_points(plain: subprocess.Popen[str], gather: Path) -> None:
    for command, words in (
        ("difficulty {} -p 2 -s random,thumb -n 6 --threads 1", "player  points"),
        ("compare {} -p 2 -s random --set turns=1,2 -n 6 --threads 1", "variant"),
        ("strength {} -p 2 -s random,thumb -n 4 --threads 1", "player  points"),
        ("balance {} -p 2 -n 10 --threads 1", "mean points"),
    ):
        result = said(plain, command.format(gather))
        assert result["code"] == 0, (command, result["err"])
        assert words in " ".join(result["out"].split()) or words in result["out"]
        assert "wins" not in result["out"]


def test_number_of_points_wins(plain: subprocess.Popen[str], gather: Path, tmp_path: Path) -> None:
    """In a class and in a declared game."""
    gather.write_text(GATHER.replace('"score"\n', "7\n"))
    game = shutil.copytree(HANABI, tmp_path / "hanabi", ignore=shutil.ignore_patterns("__pycache__"))
    rules = (game / "rules.toml").read_text()
    (game / "rules.toml").write_text(rules.replace('goal = "score"', "goal = 2"))
    run = "-p 2 -s random -n 40 --threads 1 --json"
    declared = said_without_compiler(*f"-m houle.cli.main --game-path {game} simulate hanabi -v bots {run}".split())
    for page, goal in ((json.loads(said(plain, f"simulate {gather} {run}")["out"]), 7), (declared, 2)):
        (side,) = page["sides"]
        reached = sum(number for points, number in side["histogram"].items() if int(points) >= goal)
        assert 0 < reached < 40
        assert side["win"]["value"] == reached / 40


def test_targets_name_players_of_the_class(plain: subprocess.Popen[str], gather: Path) -> None:
    named = '    PLAYERS_BY_NAME = {"taker": lambda view, moves, luck: moves[EACH]}\n\n    def view(self, seat):\n'
    code = GATHER.replace("    PLAYERS =", f"{named}        return {{}}\n\n    PLAYERS =")
    gather.write_text(f"from points import EACH\n{code}")
    (gather.parent / "points.py").write_text("EACH = 0\n")
    words = f"sweep {gather} -p 2 -s taker --set turns=1,2 --target score=5..7@taker -n 4 --threads 1"
    assert "score=5..7@taker" in said(plain, words)["out"]
    assert "unknown strategy 'takr'" in said(plain, words.replace("7@taker", "7@takr"))["err"]
