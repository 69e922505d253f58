# ruff: noqa: E501
"""Faults planted in games from outside: `houle check` names each without the compiler, and where it happened."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.examples.test_installed import ROOT, answer
from tests.support.call import good

pytestmark = pytest.mark.compiled

SIX = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"


class Fault(NamedTuple):
    """A fault: what is replaced in the kernels of a game, which check must fail, and with which words."""

    base: str  # `six_nimmt` or `tricks`, the skeleton
    old: str
    new: str
    check: str
    words: str
    file: str = "{module}.py"
    games: int = 1


PLACE = r", \d+ players.*, seed 1, game \d+, ply \d+"
OPEN = """
@kernel
def observed(state, rules, action, seat):
    return action
"""
TOO_FEW = """
@kernel
def possible(state, rules):
    return state.moves < 4 or count(state.pile) == 0
"""
NEVER = """
@kernel
def determinize(state, rules, seat, key):
    start_world(state, key)
    for other in range(rules.seats):
        if other == seat:
            continue
        held, cards = count(state.hand[other]), state.hand[other][0]
        clear(state.hand[other])  # all its cards are exchanged for cards of the pile
        for _ in range(held):
            add(state.hand[other], draw(state, state.pile))
        state.pile[0] |= cards
    return True
"""
STREAMS = "from houle.own_game import advance, clear, following, start_world"
END = "\nGAME = define(__name__)\n"

FAULTS = {
    "a feature peeks at another hand": Fault(
        "tricks", "table[i, 0] = moves[i]", "table[i, 0] = moves[i] + count(state.hand[1]) * following(state.hand[1], -1)",
        "features see what the seat sees", rf"{PLACE}: seat \d, world \d+: other features"),
    "a feature peeks at a face-down card": Fault(
        "six_nimmt", "table[i, 5] = card", "table[i, 5] = following(state.chosen[0], -1)",
        "features see what the seat sees", rf"{PLACE}: seat \d, world \d+: other features: move \w+ high"),
    "a secret choice is shown": Fault(
        "six_nimmt", END, OPEN,
        "moves are shown as they are seen", rf"{PLACE}: seat \d is shown 'choose \d+' and 'choose \d+'"),
    "the real game is not possible": Fault(
        "tricks", END, TOO_FEW,
        "imagined worlds keep what is known", rf"{PLACE}: .*no world was found"),
    "worlds never hold the truth": Fault(
        "tricks", END, NEVER,
        "hidden cards are imagined anew", rf"{PLACE}: determinize makes another world of seat \d"),
    "worlds keep the real cards": Fault(
        "tricks", END, """
@kernel
def determinize(state, rules, seat, key):
    start_world(state, key)
    return True
""", "hidden cards are imagined anew", rf"{PLACE}: determinize keeps (hand|pile)\["),
    "worlds change the seat's own hand": Fault(
        "tricks", END, """
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
""", "imagined worlds keep what is known", rf"{PLACE}: seat \d, world \d+: the seat can tell this world apart"),
    "a wrong seat moves": Fault(
        "tricks", "state.mover = seat + 1", "state.mover = seat + 2 if seat + 2 < rules.seats else seat + 1",
        "same games as the plain version", rf"{PLACE}: it is seat \d's turn"),
    "a write outside an array": Fault(
        "tricks", "state.points[best] += 1", "state.points[best + 8] += 1",
        "games end", rf"{PLACE}, seat \d moves 'play \d+': {{module}}\.py:\d+: IndexError"),
    "more moves than declared": Fault(
        "tricks", "MAX_MOVES = 12", "MAX_MOVES = 5",
        "games end", rf"{PLACE}.*: {{module}}\.py:\d+: IndexError"),
    "an endless game": Fault(
        "tricks", "state.mover = -1 if count(state.hand[0]) == 0 else 0", "state.mover = 0\n    add(state.hand[0], action)",
        "games end", rf"{PLACE}: the game does not end"),
    "a score outside its range": Fault(
        "tricks", "range = [0, 12]", "range = [0, 2]",
        "games end", rf"{PLACE}: scores \[\d+.*\] are not within 0 to 2", "rules.toml"),
    "more than one whole win": Fault(
        "tricks", END, """
@kernel
def outcome(state, rules, shares):
    for seat in range(rules.seats):
        shares[seat] = 840
    return False
""", "games end", rf"{PLACE}: the shares of the win are \[840"),
    "a card gets lost": Fault(
        "tricks", "    add(state.gone, action)\n", "",
        "cards are conserved", rf"{PLACE}: there are \d+ cards, and \d+ at the start"),
    "a move is listed twice": Fault(
        "tricks", "    return list_cards(state.hand[state.mover], moves)\n",
        "    n = list_cards(state.hand[state.mover], moves)\n    moves[n] = moves[0]\n    return n + 1\n",
        "legal moves until the end", rf"{PLACE}: a move is listed twice|IndexError"),
    "luck that is not repeated": Fault(
        "tricks", "    state.mover = 0\n\n\n@kernel\ndef legal", "    state.points[0] = np.random.randint(0, 1 << 30)\n    state.mover = 0\n\n\n@kernel\ndef legal",
        "same seed, same game", r"the same game ends differently|stepped and simulated"),
    "random moves prefer the first": Fault(
        "tricks", END, """
@kernel
def random_move(state, rules):
    state.choice = advance(state.choice)
    return following(state.hand[state.mover], -1)
""", "random moves are uniform", rf"{PLACE}: 'play \d+' is \d+ of \d+ random moves"),
}  # fmt: skip
FEW = ("worlds change the seat's own hand", "worlds keep the real cards", "a wrong seat moves", "a write outside an array",
       "an endless game")  # fmt: skip


def planted(folder: Path, name: str, fault: Fault) -> Path:
    """The folder of a game with the fault in it."""
    module = re.sub(r"\W", "_", name)
    if fault.base == "tricks":
        good("new", module.replace("_", "-"), "--compiled", "--in", str(folder))
        game = folder / module.replace("_", "-") / module
    else:
        game = folder / module
        shutil.copytree(SIX, game, ignore=shutil.ignore_patterns("__pycache__"))
        (game / "six_nimmt.py").rename(game / f"{module}.py")
    file = game / fault.file.format(module=module)
    code = file.read_text()
    assert code.count(fault.old) == 1, fault.old
    code = code.replace(fault.old, f"{fault.new}\n{END}" if fault.old == END else fault.new)
    if file.suffix == ".py" and fault.base == "tricks":
        code = code.replace("from houle.own_game", f"{STREAMS}\nfrom houle.own_game", 1).replace(
            '"""\n\nfrom', '"""\n\nimport numpy as np\n\nfrom', 1
        )
    file.write_text(code)
    return game


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FEW else pytest.mark.slow) for name in FAULTS])
def test_check_names_the_planted_fault(name: str, tmp_path: Path, plain: subprocess.Popen[str]) -> None:
    fault = FAULTS[name]
    game = planted(tmp_path, name, fault)
    run = answer(plain, ["check", str(game), "-p", "3", "-n", str(fault.games), "--json"])
    assert run["out"], run["err"]
    failed = {one["check"]: one["words"] for one in json.loads(run["out"])["checks"] if one["verdict"] == "FAILED"}
    assert fault.check in failed, failed
    assert re.search(fault.words.replace("{module}", re.sub(r"\W", "_", name)), failed[fault.check])
