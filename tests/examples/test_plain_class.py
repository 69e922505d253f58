"""A class in plain Python as a game of the commands; a game with points as its goal; faults that `check` names."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.examples.test_installed import ROOT, answer
from tests.support.call import good, said_without_compiler

pytestmark = pytest.mark.compiled

SIX = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"
TRICKS = ROOT / "cli" / "skeleton" / "tricks.txt"
SMALL = """
import copy


class Race:
    \"\"\"Roll and move; the first to reach the end wins.\"\"\"

    PLAYERS = (2, 3)
    SCORE_RANGE = (0, 40)

    def __init__(self, players, luck, end=8):
        self.luck, self.end, self.at, self.seat = luck, end, [0] * players, 0

    def to_move(self):
        return -1 if max(self.at) >= self.end else self.seat

    def legal(self):
        return ["one", "roll"] if self.to_move() >= 0 else []

    def apply(self, move):
        self.at[self.seat] += 1 if move == "one" else self.luck(4)
        self.seat = (self.seat + 1) % len(self.at)

    def result(self):
        return {"scores": list(self.at)}

    def rules_of_thumb(self):
        return "roll"
"""


def said(plain: subprocess.Popen[str], command: str) -> dict[str, str]:
    return dict(answer(plain, command.split()))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "race.py"
    file.write_text(SMALL)
    return file


def test_a_class_gives_the_numbers_of_the_compiled_game(plain: subprocess.Popen[str]) -> None:
    """Both list their moves in the same order, so random players make the same ones."""
    words = "-p 3 -v round --set hand=4 -s random -n 8 --threads 1 --json"
    ours = json.loads(said(plain, f"simulate {SIX / 'plain.py'} {words}")["out"])
    other = json.loads(said(plain, f"--game-path {SIX} simulate six-nimmt {words}")["out"])
    for name in ("sides", "moves", "turns", "rounds"):
        assert ours[name] == other[name]


def test_commands_take_a_class(plain: subprocess.Popen[str], small: Path) -> None:
    for command, words in (
        (f"simulate {small} -p 2 -n 4", "seat 2"),
        (f"compare {small} -p 2 --set end=6,8 -n 4", "end=6"),
        (f"sweep {small} -p 2 -p 3 -s random -n 10", "3"),
        (f"balance {small} -p 2 -s random -n 4", "`standing` in your game to see them."),
        (f"players {small} -p 2", "The move of rules_of_thumb() in the class."),
        (f"simulate {small} -p 2 -n 4 --verbose", "seat 2"),
        (f"trace {small} -p 2", "seat 2: roll"),
        (f"rules {small}", "end"),
        (f"check {small} -p 2 -n 1", "race.py passes all 5 checks that could run; not tested: cards are conserved"),
    ):
        result = said(plain, command)
        assert result["code"] == 0, (command, result["err"])
        assert words in " ".join(result["out"].split())


def test_checks_say_what_a_class_lacks(plain: subprocess.Popen[str], small: Path) -> None:
    """What a seat knows cannot be checked, and nothing that only compiled games have is listed."""
    checks = json.loads(said(plain, f"check {small} -p 2 -n 1 --json")["out"])["checks"]
    left_out = {one["words"] for one in checks if one["verdict"] == "left out"}
    unknown = "the class has no view or imagine: all cards are open to players"
    assert left_out == {unknown, "the game has nothing to check here"}
    assert {one["check"] for one in checks if one["verdict"] == "passed"} == {
        "games end",
        "legal moves until the end",
        "same seed, same game",
        "random moves are uniform",
        "same results in every run",
    }


def test_what_a_class_lacks_is_refused_in_one_line(plain: subprocess.Popen[str], small: Path) -> None:
    for command, words in (
        (f"trace {small} -p 2 --at 1", "a class in plain Python has no positions"),
        (f"play {small} -p 2", "write view(seat)"),
        (f"simulate {small} -p 2 -n 1e9", "--budget"),
        (f"simulate {small} -p 9", "players: 9 is not allowed"),
        (f"simulate {small}:Chess", "no class 'Chess'"),
        (f"simulate {small.parent / 'none.py'}", "no such file"),
    ):
        result = said(plain, command)
        assert result["code"] == 2, (command, result["out"])
        assert words in result["err"].splitlines()[-1]


def test_results_hang_on_no_order_of_sets(plain: subprocess.Popen[str], small: Path) -> None:
    """A set of texts has another order in every process."""
    small.write_text(
        small.read_text().replace('["one", "roll"]', 'list({"one", "roll", "run", "jump", "walk", "sit"})')
    )
    checks = json.loads(said(plain, f"check {small} -p 2 -n 1 --json")["out"])["checks"]
    failed = {one["check"]: one["words"] for one in checks if one["verdict"] == "FAILED"}
    assert "goes otherwise in a new process: it depends on hash()" in failed["same results in every run"]


def test_what_a_class_prints_goes_to_stderr(plain: subprocess.Popen[str], small: Path) -> None:
    """Also what a module beside it prints."""
    (small.parent / "helping.py").write_text("print('read')\n\n\ndef tell(text):\n    print(text)\n")
    code = small.read_text().replace(
        "def apply(self, move):", "def apply(self, move):\n        print('made')\n        tell('told')"
    )
    small.write_text(f"from helping import tell\n{code}")
    for command in ("simulate {} -p 2 -s random -n 2 --json", "check {} -p 2 -n 1 --json"):
        result = said(plain, command.format(small))
        assert json.loads(result["out"]), command
        assert {"made", "told"} <= {*result["err"].split()}


def test_play_offers_no_advice_for_a_class(plain: subprocess.Popen[str], small: Path) -> None:
    """A link that holds a whole game shows its end: every move is the first one, so seat 1 wins by 8 to 7."""
    small.write_text(f"{SMALL}\n    SCORE = 'fields'\n\n    def view(self, seat):\n        return {{'at': self.at}}\n")
    link = f"game={small}&players=2&deal=1/0&seats=person,person&moves={'0' * 15}"
    result = said(plain, f"--game-path {small} play {link}")
    words = " ".join(re.sub("<[^>]+>", " ", result["out"]).split())
    assert "You won because you have 8 fields, player 2 has 7 fields. player result fields you won 8" in words, result
    assert "player 2 : one you : one" in words, "moves that look alike are named at the end"
    assert "u Undo" in words
    assert "Hint" not in words


@pytest.mark.slow
def test_an_imagine_that_keeps_real_cards_is_found(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    code = (SIX / "plain.py").read_text()
    cheat = code.replace("        world.luck = luck\n", "        world.luck = luck\n        return world\n")
    assert cheat != code
    (tmp_path / "plain.py").write_text(cheat)
    (tmp_path / "rules.toml").write_text((SIX / "rules.toml").read_text().replace("default = 66", "default = 0"))
    checks = json.loads(said(plain, f"check {tmp_path / 'plain.py'} -p 3 -n 1 --json")["out"])["checks"]
    failed = {one["check"]: one["words"] for one in checks if one["verdict"] == "FAILED"}
    assert "imagine() keeps hand[" in failed["hidden cards are imagined anew"]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A new game in which all choose a card face down; of one round, so that checks end soon."""
    good("new", "secret", "--like", "secret-choice", "--in", str(tmp_path))
    file = tmp_path / "secret.py"
    file.write_text(file.read_text().replace("rounds=2", "rounds=1"))
    return file


def test_an_imagine_that_keeps_secret_choices_is_found(plain: subprocess.Popen[str], secret: Path) -> None:
    redealt = (
        "            if self.chosen[other] is not None:\n                world.chosen[other] = luck.take(unseen)\n"
    )
    unseen = "unseen + [self.chosen[other] for other in others if self.chosen[other] is not None]"
    code = secret.read_text()
    assert code.count(redealt) == code.count(unseen) == 1
    secret.write_text(code.replace(redealt, "").replace(unseen, "unseen"))
    checks = json.loads(said(plain, f"check {secret} -p 2 -n 1 --json")["out"])["checks"]
    failed = {one["check"]: one["words"] for one in checks if one["verdict"] == "FAILED"}
    assert "imagine() keeps chosen[0] in all of 4 worlds" in failed["hidden cards are imagined anew"]


NAME_OF_THE_ONLY_CHOICE = """
import json, sys
from houle.solver.matches.match import Match
from houle.solver.matches.seen_moves import seen_name
from houle.solver.rules import make_setup
from houle.solver.rules.game_folders import name_plain
name_plain(sys.argv[1])
match = Match(make_setup(sys.argv[1], 2, settings={"cards": 1}), 3)
print(json.dumps(seen_name(match, match.moves()[0], 1)))
"""


def test_a_forced_secret_choice_is_not_named(secret: Path) -> None:
    assert said_without_compiler("-c", NAME_OF_THE_ONLY_CHOICE, str(secret)) == "choose ?"


def test_sound_games_are_not_accused(plain: subprocess.Popen[str], secret: Path) -> None:
    """The same luck deals to any number of players; a list that never changes is no hidden hand."""
    code, points = secret.read_text(), "        self.points = [0] * players\n"
    assert points in code
    secret.write_text(code.replace(points, f"{points}        self.order = [4, 5, 6]\n"))
    result = said(plain, f"check {secret} -p 2 -p 3 -n 1")
    assert "passes all 15 checks that apply" in " ".join(result["out"].split()), result["out"]


@pytest.fixture
def tricks(tmp_path: Path) -> Path:
    """A class from a skeleton: hidden hands, and the highest card takes the trick."""
    file = tmp_path / "tricks.py"
    file.write_text(TRICKS.read_text().replace("@title@", "Tricks").replace("hand=7", "hand=3"))
    return file


def test_same_seed_gives_the_same_games(plain: subprocess.Popen[str], tricks: Path) -> None:
    def played(words: str) -> dict[str, Any]:
        return dict(json.loads(said(plain, f"simulate {tricks} -p 3 -s random {words} --json")["out"]))

    whole, again, other = (played(f"-n 40 --seed {seed}") for seed in (5, 5, 6))
    assert whole["result_digest"] == again["result_digest"] != other["result_digest"]


@pytest.mark.slow
def test_search_wins_more_than_chance(plain: subprocess.Popen[str], tricks: Path) -> None:
    words = f"simulate {tricks} -p 2 -s random,flat:8 -n 80 --json"
    assert json.loads(said(plain, words)["out"])["sides"][1]["win"]["low"] > 0.5


def test_a_note_says_when_searches_see_all_cards(plain: subprocess.Popen[str], tricks: Path) -> None:
    file = tricks.with_name("open_cards.py")
    file.write_text(tricks.read_text().replace("def imagine", "def unused"))
    assert "no imagine(seat, luck)" in said(plain, f"simulate {file} -p 2 -s flat:2 -n 2")["out"]
    assert "no imagine(seat, luck)" not in said(plain, f"simulate {tricks} -p 2 -s flat:2 -n 2")["out"]


def test_option_values_follow_rules_file_and_players(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    file = tmp_path / "ruled.py"
    file.write_text(LEAST.replace("stop=3", "knobs").replace("0, stop", '0, knobs["stop"]'))
    assert "add a rules.toml to its folder" in said(plain, f"simulate {file} -p 2")["err"]
    rules = 'title = "Ruled"\nabout = "A toy."\nplayers = [2, 3]\n[score]\nname = "moves"\nrange = [0, 9]\n'
    knob = '[knobs.stop]\ntype = "int"\ndefault = 4\nmin = 1\nmax = 9\nby_players = { 3 = 6 }\n'
    (tmp_path / "rules.toml").write_text(f'{rules}{knob}provenance = "assumed"\ntext = "When it stops."\n')
    for words, moves in (("-p 2", 4), ("-p 3", 6), ("-p 3 --set stop=2", 2)):
        result = said(plain, f"simulate {file} {words} -n 2 -s random --json")
        assert json.loads(result["out"])["moves"]["mean"] == moves, result["err"]


LEAST = """
class Game:
    PLAYERS = (2, 3)
    def __init__(self, players, luck, stop=3):
        self.moves, self.stop, self.players = 0, stop, players
    def to_move(self):
        return -1 if self.moves >= self.stop else 0
    def legal(self):
        return ["on"]
    def apply(self, move):
        self.moves += 1
    def result(self):
        return {"scores": [self.moves], "winners": [0]}
"""


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("def legal", "def moves_of", ".py:2: Game lacks legal(): the list of moves of the seat to move"),
        ('def legal(self):\n        return ["on"]', 'legal = ["on"]', ".py:2: Game lacks legal(): the list of moves"),
        ("self.moves += 1", "self.moves += 1 // 0", ".py:11: ZeroDivisionError: "),
        ("-1 if self.moves >= self.stop else 0", "0", "never is -1: no end after 5,000 moves"),
        ('["on"]', "[]", "legal() is empty while seat 0"),
        ('["on"]', '["on", "on"]', "legal() lists a move twice"),
        ("else 0", "else 7", "to_move() is 7; allowed: a seat from 0 to 1"),
        ('{"scores": [self.moves], "winners": [0]}', "3", 'must return a dict with "scores"'),
        ('"winners": [0]', '"points": 1', "must say whether the team won"),
        ('"winners": [0]', '"winners": [1]', "allowed: sides from 0 to 0"),
        ("[self.moves]", "[0.5]", "allowed: a list of whole numbers"),
        ("luck, stop=3", "luck, stop", "asks for 'stop' without a default"),
        ("stop=3):", "stop=3, size=2):", "size: numpy uses this name; rename the option"),
        ("class Game:", "class Game", ".py:2: expected ':'"),
        ("class Game:", "import nowhere\nclass Game:", ".py:2: ModuleNotFoundError"),
    ],
)
def test_mistakes_in_a_class_are_one_line(
    plain: subprocess.Popen[str], tmp_path: Path, old: str, new: str, part: str
) -> None:
    assert old in LEAST
    file = tmp_path / "least.py"
    file.write_text(LEAST.replace(old, new))
    result = said(plain, f"simulate {file} -p 2 -n 3 -s random")
    assert (result["code"], result["err"].count("\n")) == (2, 1), result
    assert part in result["err"]


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
    words = "--set bonus=1 --generations 2 --population 4 -n 8 --check-games 100 --threads 1 --save"
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
    game = shutil.copytree(HANABI, tmp_path / "beside" / "hanabi", ignore=shutil.ignore_patterns("__pycache__"))
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


class Fault(NamedTuple):
    """A fault: what is replaced in the kernels of a compiled skeleton, which check must fail, and with which words."""

    old: str
    new: str
    check: str
    words: str


PLACE = r", \d+ players.*, seed 1, game \d+, ply \d+"
STREAMS = "from houle.own_game import advance, clear, following, start_world"
END = "\nGAME = define(__name__)\n"

FAULTS = {
    "worlds keep the real cards": Fault(
        END,
        """
@kernel
def determinize(state, rules, seat, key):
    start_world(state, key)
    return True
""",
        "hidden cards are imagined anew",
        rf"{PLACE}: determinize keeps (hand|pile)\[",
    ),
    "worlds change the seat's own hand": Fault(
        END,
        """
@kernel
def determinize(state, rules, seat, key):
    start_world(state, key)
    card = following(state.hand[seat], -1)
    other = following(state.pile, -1)
    if card >= 0:
        remove(state.hand[seat], card)
        add(state.hand[seat], other)
        remove(state.pile, other)
        add(state.pile, card)
    return True
""",
        "imagined worlds keep what is known",
        rf"{PLACE}: seat \d, world \d+: the seat can tell this world apart",
    ),
    "a wrong seat moves": Fault(
        "state.mover = seat + 1",
        "state.mover = seat + 2 if seat + 2 < rules.seats else seat + 1",
        "same games as the plain version",
        rf"{PLACE}: it is seat \d's turn",
    ),
    "a write outside an array": Fault(
        "state.points[best] += 1",
        "state.points[best + 8] += 1",
        "games end",
        rf"{PLACE}, seat \d moves 'play \d+': {{module}}\.py:\d+: IndexError",
    ),
    "more moves than declared": Fault(
        "MAX_MOVES = 12", "MAX_MOVES = 5", "games end", rf"{PLACE}.*: {{module}}\.py:\d+: IndexError"
    ),
    "an endless game": Fault(
        "state.mover = -1 if count(state.hand[0]) == 0 else 0",
        "state.mover = 0\n    add(state.hand[0], action)",
        "games end",
        rf"{PLACE}: the game does not end",
    ),
    "a card gets lost": Fault(
        "    add(state.gone, action)\n",
        "",
        "cards are conserved",
        rf"{PLACE}: there are \d+ cards, and \d+ at the start",
    ),
    "luck that is not repeated": Fault(
        "    state.mover = 0\n\n\n@kernel\ndef legal",
        "    state.points[0] = np.random.randint(0, 1 << 30)\n    state.mover = 0\n\n\n@kernel\ndef legal",
        "same seed, same game",
        r"the same game ends differently|stepped and simulated",
    ),
}
FEW = (
    "worlds change the seat's own hand",
    "worlds keep the real cards",
    "a wrong seat moves",
    "a write outside an array",
    "an endless game",
)


SHORT = ("by_players = { 3 = 7, 4 = 6 }", "by_players = { 3 = 3 }")  # cards in a hand, so that checks end soon


def planted(folder: Path, name: str, fault: Fault) -> Path:
    """The folder of a game with the fault in it."""
    module = re.sub(r"\W", "_", name)
    good("new", module.replace("_", "-"), "--compiled", "--in", str(folder))
    game = folder / module.replace("_", "-") / module
    changes = [
        (f"{module}.py", fault.old, f"{fault.new}\n{END}" if fault.old == END else fault.new),
        (f"{module}.py", "from houle.own_game", f"{STREAMS}\nfrom houle.own_game"),
        (f"{module}.py", '"""\n\nfrom', '"""\n\nimport numpy as np\n\nfrom'),
    ]
    if name in FEW:
        changes.append(("rules.toml", *SHORT))
    for file, old, new in changes:
        text = (game / file).read_text()
        assert old in text, old
        (game / file).write_text(text.replace(old, new, 1))
    return game


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FEW else pytest.mark.slow) for name in FAULTS])
def test_check_names_the_planted_fault(name: str, tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    fault = FAULTS[name]
    game = planted(tmp_path, name, fault)
    run = answer(plain, ["check", str(game), "-p", "3", "-n", "1", "--json"])
    assert run["out"], run["err"]
    failed = {one["check"]: one["words"] for one in json.loads(run["out"])["checks"] if one["verdict"] == "FAILED"}
    assert fault.check in failed, failed
    assert re.search(fault.words.replace("{module}", re.sub(r"\W", "_", name)), failed[fault.check])
