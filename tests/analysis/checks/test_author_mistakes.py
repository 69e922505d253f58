"""Mistakes that authors make in a class, each in a small class of its own, with words of the line that it gets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from houle.analysis.checks.check import run_checks
from houle.solver import os_calls
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.invariants.errors import FAILED, PASSED
from houle.solver.invariants.redealt import UNSEEN
from houle.solver.rules.game_folders import name_plain

pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="classes are played without the compiler")]
TOYS = Path(__file__).parents[2] / "support" / "toys"

Change = tuple[str, str]


class Mistake(NamedTuple):
    """Words of the line that names a mistake, and what is replaced by what in the sound class."""

    words: str
    changes: tuple[Change, ...]


def mistake(words: str, *changes: Change) -> Mistake:
    return Mistake(words, changes)


# ---- Dig: what will be drawn is hidden.

FOUND, START, THUMB = "found = self.luck(10)", "self.luck, self.turns = luck, turns", '        return "dig left"\n'
TOP, KNOBS = "\n\nclass Game", "turns: int = 5"
SEEN = '{"points": list(self.points)'


def named(*lines: str) -> Change:
    """A named player."""
    body = "\n".join(f"        {line}" for line in lines)
    player = f"    @staticmethod\n    def clever(view, moves, luck):\n{body}\n"
    return "    PLAYERS", f'    PLAYERS_BY_NAME = {{"clever": "clever"}}\n\n{player}\n    PLAYERS'


RANDOM = ("import copy\n", "import copy\nimport random\n")
REPEATS = "goes otherwise in a new process"
OTHER_WORLD = "imagine() makes another world of seat"
DIG = {
    "luck by a number": mistake(
        OTHER_WORLD,
        RANDOM,
        (START, f"self.key = luck(2**32)\n        {START}"),
        (FOUND, "found = random.Random(self.key + sum(self.digs)).randrange(10)"),
    ),
    "a list of future rolls": mistake(
        OTHER_WORLD,
        (START, f"self.rolls = [luck(10) for _ in range(20)]\n        {START}"),
        (FOUND, "found = self.rolls[sum(self.digs)]"),
    ),
    "a mirror of the future": mistake(
        OTHER_WORLD,
        (START, f"self.mirror = [9 - luck(10) for _ in range(20)]\n        {START}"),
        (FOUND, "found = 9 - self.mirror[sum(self.digs)]"),
    ),
    "the future in a variable of the module": mistake(
        OTHER_WORLD,
        (TOP, f"\nROLLS = []\n{TOP}"),
        (START, f"ROLLS[:] = [luck(10) for _ in range(20)]\n        {START}"),
        (FOUND, "found = ROLLS[sum(self.digs)]"),
    ),
    "luck in a list of the module": mistake(
        "which something outside the game keeps; keep it in self",
        (TOP, f"\nSTREAM = [None]\n{TOP}"),
        (START, f"STREAM[0] = luck\n        {START}"),
        (FOUND, "found = STREAM[0](10)"),
    ),
    "real luck in worlds": mistake("add the line: world.luck = luck", ("        world.luck = luck\n", "")),
    "view() changes the game": mistake(
        "is shown something else: points is",
        (f"return {SEEN}", f"self.points[seat] += 1\n        return {SEEN}"),
    ),
    "the clock": mistake(
        "the same game ends differently the second time",
        ("import copy\n", "import copy\nimport time\n"),
        (FOUND, "found = time.perf_counter_ns() // 7 % 10"),
    ),
    "a list as a default argument": mistake(
        "the same game ends differently the second time",
        ("def apply(self, move: str)", "def apply(self, move: str, rolls=[])"),
        (FOUND, "rolls.append(self.luck(10))\n            found = (sum(rolls) + len(rolls)) % 10"),
    ),
    "a list of the class": mistake(
        "the same game ends differently the second time",
        ("    PLAYERS", "    rolls = []\n    PLAYERS"),
        (FOUND, "self.rolls.append(self.luck(10))\n            found = (sum(self.rolls) + len(self.rolls)) % 10"),
    ),
    "a default argument, after 300 rolls": mistake(
        REPEATS,
        ("def apply(self, move: str)", "def apply(self, move: str, rolls=[])"),
        (FOUND, "rolls.append(1)\n            found = self.luck(10) if len(rolls) < 300 else 9"),
    ),
    "a list of the class, after 50 games": mistake(
        f"{REPEATS}: earlier games changed Game.played",
        ("    PLAYERS", "    played = []\n    PLAYERS"),
        (START, f"self.played.append(1)\n        {START}"),
        (FOUND, "found = self.luck(10) if len(self.played) < 50 else 9"),
    ),
    "a list of the class ends all later games": mistake(
        f"{REPEATS}: earlier games changed Game.ended",
        ("    PLAYERS", "    ended = []\n    PLAYERS"),
        ("return self.mover if", "return self.mover if not self.ended and"),
        (
            "        self.digs[seat] += 1\n",
            "        self.digs[seat] += 1\n        self.ended += [1] * (sum(self.digs) > 8)\n",
        ),
    ),
    "rules of thumb read the game through a variable of the module": mistake(
        f"thumb in seat 0 plays 'dig left', and 'dig right' in a game that looks the same to it: {UNSEEN}",
        (TOP, f"\nTABLE = [None]\n{TOP}"),
        (START, f"TABLE[0] = self\n        {START}\n        self.next = luck(10)"),
        (FOUND, "found, self.next = self.next, self.luck(10)"),
        (THUMB, '        return "dig left" if TABLE[0].next > 4 else "dig right"\n'),
        ("        world.luck = luck\n", "        world.luck = luck\n        world.next = luck(10)\n"),
    ),
    "a named player gets the game in its view": mistake(
        f"clever in seat 0 plays 'dig left', and 'dig right' in a game that looks the same to it: {UNSEEN}",
        named(
            "game = copy.deepcopy(view['game'])",
            "return 'dig left' if game.luck(10) > 4 else 'dig right'",
        ),
        (SEEN, '{"game": self, "points": list(self.points)'),
        ("    def view(", '    def __repr__(self) -> str:\n        return "game"\n\n    def view('),
    ),
    "a named player remembers earlier games": mistake(
        f"clever {REPEATS}: earlier games changed SEEN",
        (TOP, f"\nSEEN = []\n{TOP}"),
        named("SEEN.append(view)", "return moves[len(SEEN) > 50]"),
    ),
    "legal() from a set of words": mistake(
        f"random play {REPEATS}: it depends on hash()",
        (
            'return ["wait", "dig left", "dig right"] if',
            'return list({"wait", "dig left", "dig right", "dig", "dig deep"}) if',
        ),
    ),
    "hash() of a text": mistake(
        f"{REPEATS}: it depends on hash()",
        (FOUND, "found = hash(f'{move} {self.luck(10)}') % 10"),
    ),
    "random numbers that are not luck": mistake(
        "the same game ends differently the second time", RANDOM, (FOUND, "found = random.randrange(10)")
    ),
    "luck below 0": mistake("luck(0): allowed: whole numbers from 1", (FOUND, "found = self.luck(0)")),
    "luck above 2**32": mistake("luck(8589934592): allowed", (FOUND, "found = self.luck(2**33) % 10")),
    "an option called games": mistake(
        "games: the command line uses this name", (KNOBS, "turns: int = 5, games: int = 1")
    ),
    "a method that houle calls otherwise": mistake(
        ":22: houle calls show(), but missing a required argument: 'card'; give yours another name",
        ("    def to_move(", "    def show(self, card: int) -> None: ...\n\n    def to_move("),
    ),
    "legal() returns nothing": mistake(
        "legal() returned None; allowed: a list of moves (move 1)", ('        return ["wait"', '        ["wait"')
    ),
    "legal() returns a text": mistake(
        "legal() returned 'wait'; allowed: a list", ('return ["wait", "dig left", "dig right"] if', 'return "wait" if')
    ),
    "numbers as moves": mistake(
        "'int' object has no attribute 'split' (apply(",
        ('return ["wait", "dig left", "dig right"] if', "return [4, 5] if"),
        ("        seat = self.mover\n", "        seat, words = self.mover, move.split()\n"),
    ),
    "an endless loop in apply()": mistake(
        ":30: EndlessError: no end after",
        (
            "        seat = self.mover\n",
            "        seat = self.mover\n        while move == 'wait':\n            seat += 0\n",
        ),
    ),
    "the end forgotten": mistake(
        "legal() is empty while seat 0 is to move (move 11)",
        ("return self.mover if self.digs[self.mover] < self.turns else -1", "return self.mover"),
        ("if self.to_move() >= 0 else", "if self.digs[self.mover] < self.turns else"),
    ),
    "legal() after the end": mistake(
        "the game is over, but legal() lists 3 moves", (" if self.to_move() >= 0 else []", "")
    ),
    "a score out of range": mistake("is not within 0 to 2; write SCORE_RANGE", ("(0, 200)", "(0, 2)")),
}

# ---- Crew: hands are hidden; shown cards, and who holds the last card, are known.

COPY = "copy.deepcopy(self)\n"
CREW = {
    "the view shows all hands": mistake(
        "seat 0, world 1000003: the seat can tell this world apart",
        ('"hand": list(self.hand[seat])', '"hand": self.hand'),
    ),
    "the view counts a suit of the next hand": mistake(
        "the seat can tell this world apart",
        ('"captain": self.captain', '"blue": sum(card[0] == "B" for card in self.hand[seat - 1])'),
    ),
    "a feature sees another hand": mistake(
        "other features: move play R2 task is 0 and 1",
        ("int(card in self.task[self.mover])", 'int("B2" in self.hand[self.mover - 1])'),
    ),
    "a named player makes another move": mistake(
        "the player bold chose 'pass'; legal: play ", ("return max(moves,", 'return "pass" or max(moves,')
    ),
    "a named player sees the other hands": mistake(
        f"in a game that looks the same to it: {UNSEEN}",
        (
            "        return max(moves,",
            "        return sorted(moves)[sum(int(card[1]) for card in TABLE[0].hand[0]) % 2] or max(moves,",
        ),
        (TOP, f"\nTABLE = [None]\n{TOP}"),
        (
            "        self.luck, self.players = luck, players\n",
            "        TABLE[0], self.luck, self.players = self, luck, players\n",
        ),
    ),
    "rules of thumb see another hand": mistake(
        UNSEEN, ("int(card in self.task[self.mover])", "int(card[0] in str(self.hand[self.mover - 1]))")
    ),
    "worlds keep a hand": mistake(
        "imagine() keeps hand[",
        (
            "                world.hand[other] = sorted(left.pop() for _ in self.hand[other])\n",
            "                pass\n",
        ),
    ),
    "worlds forget luck": mistake("add the line: world.luck = luck", ("        world.luck = luck\n", "")),
    "worlds share hands": mistake(
        "with the real game",
        (COPY, "copy.copy(self)\n        world.gone = list(self.gone)\n"),
    ),
    "a move that nobody can make": mistake(
        "ValueError: list.remove(x): x not in list (apply('play X9')",
        (
            '        return [f"play {card}" for card in led or hand]',
            "        return ['play X9'] + [f\"play {card}\" for card in led or hand]",
        ),
    ),
    "a seat plays twice": mistake(
        "legal() is empty while seat",
        (
            "self.mover = (self.mover + 1) % self.players",
            "self.mover = (self.mover + (len(self.trick) > 1)) % self.players",
        ),
    ),
    "worlds that cannot be found": mistake(
        "EndlessError: no end after",
        (
            "        led = [card for card in hand if self.trick and card[0] == self.trick[0][1][0]]\n",
            "        led = []\n",
        ),
    ),
    "a card lost": mistake(
        "the card 'R1' is in none of hand, trick[...][1], gone",
        ("            self.gone.append(card)\n", '            self.gone += [card] if card != "R1" else []\n'),
    ),
    "a number of features is missing": mistake(
        "features() has 1 numbers; allowed: 2, one for each of FEATURES",
        (", int(card in self.task[self.mover])]", "]"),
    ),
    "a winner who is no side": mistake("allowed: sides from 0 to 0", ('"winners": [0] if', '"winners": [1] if')),
    "a float as score": mistake("allowed: a list of whole numbers", ("[self.done]", "[self.done / 1]")),
}
# Only a comparison of many worlds with real games finds these.
BY_MANY_WORLDS = {
    "worlds forget shown cards": mistake("the shown not inside hand", ("{*self.shown[seat]} <= {*hand} and ", "")),
    "worlds forget the captain": mistake("captain is another seat", (" and last <= (self.last in hand)", "")),
    "worlds forget who could not follow": mistake(
        "and lacks ", ("not {card[0] for card in hand} & {*self.lacks[seat]}", "True")
    ),
    "worlds prefer a suit": mistake(
        "imagines worlds whose hand have less in common with the real game",
        (
            "            luck.shuffle(unseen)\n",
            "            luck.shuffle(unseen)\n            unseen.sort(key=lambda card: card[0] if luck(3) else 'A')\n",
        ),
    ),
}
MISTAKES = {
    **{name: ("dig", one) for name, one in DIG.items()},
    **{name: ("crew", one) for name, one in (CREW | BY_MANY_WORLDS).items()},
}


def planted(folder: Path, name: str) -> str:
    """A file with the class and a mistake, which may be checked."""
    toy, one = MISTAKES[name]
    code = (TOYS / f"{toy}.py").read_text()
    for old, new in one.changes:
        assert old in code, old
        code = code.replace(old, new, 1)
    file = folder / f"{toy}.py"
    file.write_text(code)
    name_plain(str(file))
    return str(file)


def faults(file: str, players: tuple[int, ...], many_worlds: bool) -> Iterator[str]:
    """What fails, in the order of the checks."""
    with os_calls.patience(str(Path(file).parent)):
        try:
            for check in run_checks(file, players, 2 if many_worlds else 1, seed=1, bounds=False, few=not many_worlds):
                if check.verdict == FAILED:
                    yield f"{check.name}: {check.words}"
        except InputError as fault:  # found before the first check
            yield str(fault)


def slow(name: str) -> bool:
    """Whether only many worlds or another process show a mistake."""
    one = MISTAKES[name][1]
    return name in BY_MANY_WORLDS or REPEATS in one.words


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * slow(name)) for name in MISTAKES])
def test_mistake_is_named(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os_calls, "CALL_SECONDS", 0.5)
    file, lines = planted(tmp_path, name), []
    for line in faults(file, (3,) if name in CREW | BY_MANY_WORLDS else (2,), name in BY_MANY_WORLDS):
        lines.append(line)
        if MISTAKES[name][1].words in line:
            break
    else:
        pytest.fail(f"{lines}")


def test_only_the_asked_numbers_of_players_are_judged(tmp_path: Path) -> None:
    """With three players the class cannot even be dealt."""
    file = tmp_path / "dig.py"
    code = (TOYS / "dig.py").read_text().replace("PLAYERS = (2,)", "PLAYERS = (2, 3)")
    file.write_text(code.replace(f"        {START}", f"        assert players == 2\n        {START}"))
    name_plain(str(file))
    assert next(run_checks(str(file), (2,), games=1, seed=1, bounds=False, few=True)).verdict == PASSED
    assert ":19: AssertionError (with 3 players)" in next(faults(str(file), (), False))
