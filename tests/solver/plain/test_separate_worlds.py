"""Worlds of a class share nothing with the real game, and `houle check` names what they share or forget."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import houle
from houle.analysis.checks.check import UNIFORM, run_checks
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling import engine
from houle.cli.commands.check import page
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.invariants import InvariantBroken
from houle.solver.invariants.classes import worlds_are_separate
from houle.solver.invariants.errors import FAILED, LEFT_OUT, PASSED, Check
from houle.solver.invariants.redealt import hidden_cards_are_imagined_anew
from houle.solver.matches.match import Match
from houle.solver.plain.random_streams import Luck
from houle.solver.plain.separate import Original, leaves
from houle.solver.rules import Setup
from houle.solver.rules.game_folders import name_plain
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import SHARE
from tests.support.toys.false_tidepool import FAULTS, TIDEPOOL, VIEW, planted
from tests.support.toys.shared_dig import SHARING, SOUND

pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="classes are played without the compiler")]
# What no copy of a game holds: it is refused by `check`, but worlds change it in searches too.
OUTSIDE = ("module variable", "class variable", "module variable, not changed", "function", "luck of the class")
REFUSED = ("luck in a function", "generator")  # also by searches
SKELETON = Path(__file__).parents[3] / "cli" / "skeleton" / "clues.txt"


def made(folder: Path, code: str, name: str = "dig") -> Setup:
    file = folder / f"{name}.py"
    file.write_text(code)
    return houle.setup(str(file), players=2)


def fault_of(setup: Setup, games: int = 2) -> str:
    """What the two checks of worlds say; empty if they pass."""
    try:
        worlds_are_separate(setup, games, 1)
        hidden_cards_are_imagined_anew(setup, games, 1)
    except (InvariantBroken, InputError) as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("name", SOUND)
def test_sound_worlds_are_separate(tmp_path: Path, name: str) -> None:
    setup = made(tmp_path, SOUND[name])
    assert worlds_are_separate(setup, 2, 1) == 20
    assert fault_of(setup) == ""


@pytest.mark.parametrize("name", SHARING)
def test_shared_state_is_named(tmp_path: Path, name: str) -> None:
    code, words = SHARING[name]
    assert words in fault_of(made(tmp_path, code))


def test_the_skeleton_without_its_line_is_refused(tmp_path: Path) -> None:
    code = SKELETON.read_text()
    assert fault_of(made(tmp_path, code), 1) == ""
    forgets = code.replace("        world.luck = luck\n", "")
    assert "add the line: world.luck = luck" in fault_of(made(tmp_path, forgets, "forgets"), 1)


def ends(setup: Setup, imagines: bool) -> list[dict[str, object]]:
    """How random games end, with worlds imagined and played on the way or without."""
    found = []
    for game in range(3):
        match, luck = Match(setup, 5, game), Random(game)
        while (seat := match.to_move()) >= 0:
            world = match.imagine(seat, match.ply) if imagines else match
            while imagines and world.to_move() >= 0:
                world.apply(world.moves()[-1])
            match.apply(luck.choice(match.moves()))
        found.append(match.snapshot())
    return found


@pytest.mark.parametrize("name", [name for name in SHARING if name not in (*OUTSIDE, *REFUSED)])
def test_shared_state_does_not_change_games(tmp_path: Path, name: str) -> None:
    setup = made(tmp_path, SHARING[name][0])
    assert ends(setup, True) == ends(setup, False)


@pytest.mark.parametrize("name", REFUSED)
def test_no_search_plays_worlds_that_cannot_be_separated(tmp_path: Path, name: str) -> None:
    match = Match(made(tmp_path, SHARING[name][0]), 5, 0)
    with pytest.raises(InputError, match=SHARING[name][1].replace("(", r"\(").replace(")", r"\)")):
        match.imagine(match.to_move(), 0)


def wins(setup: Setup, games: int) -> float:
    """The share of games that a search wins against the rule of thumb."""
    sums = play_chunk(line_up(setup, "thumb,flat:2"), 1, 0, games).sums
    return float(sums.moments[1, SHARE]) / 840 / games


@pytest.mark.slow
@pytest.mark.parametrize("name", ["luck", "luck, shallow", "random numbers"])
def test_a_forgotten_line_wins_no_games(tmp_path: Path, name: str) -> None:
    """With the real luck the search won every game, instead of two in five; three standard errors are 19 points."""
    sound = made(tmp_path, SOUND[name.split(",")[0]], "sound")
    assert abs(wins(made(tmp_path, SHARING[name][0]), 120) - wins(sound, 120)) < 0.2


class Deck:
    """A part of a game with luck of its own."""

    __slots__ = ("cards", "luck")

    def __init__(self, luck: Luck) -> None:
        self.luck, self.cards = luck, [3, 4]


class Table:
    def __init__(self) -> None:
        self.luck = Luck(7)
        self.deck = Deck(self.luck)


@pytest.mark.parametrize("picklable", [True, False])
def test_copies_have_the_luck_of_the_world(picklable: bool) -> None:
    table = Table()
    if not picklable:
        table.deck.cards.append(lambda: 1)  # type: ignore[arg-type]
    before, copied = leaves(table), Original(table).copied(99)
    assert copied.deck.luck is copied.luck
    assert copied.luck.key != 7
    assert copied.luck.key == Original(table).copied(99).luck.key
    copied.deck.cards.clear()
    assert leaves(table) == before


# Only a second version of the game could tell; nothing is ever taken from the deck in which the card comes again.
NOT_FOUND = ("a score is counted twice", "a card comes twice")
# Found only by comparing many worlds, which takes some seconds.
BY_MANY_WORLDS = (
    "worlds forget a public bound",
    "worlds prefer low cards",
    "nobody keeps what was thrown",
    "a shown card is not the highest",
    "worlds forget the top card",
    "worlds forget a shown card",
)


def first_fault(file: Path, players: tuple[int, ...], with_worlds: bool, games: int = 4) -> Check | None:
    """The first check that fails, or None."""
    name_plain(str(file))
    try:
        for check in run_checks(str(file), players, games, seed=1, bounds=False, few=not with_worlds):
            if check.verdict == FAILED:
                return check
    except InputError as fault:  # found before the first check
        return Check("", FAILED, 0, str(fault))
    return None


@pytest.mark.parametrize("players", [(3,), pytest.param((), marks=pytest.mark.slow)], ids=["three", "any number"])
@pytest.mark.parametrize("name", [name for name in FAULTS if name not in (*NOT_FOUND, *BY_MANY_WORLDS)])
def test_faults_of_a_class_are_found(tmp_path: Path, name: str, players: tuple[int, ...]) -> None:
    assert first_fault(planted(tmp_path, name), players, False, games=1 if players else 4) is not None


@pytest.mark.slow
@pytest.mark.parametrize("players", [(3,), ()], ids=["three", "any number"])
@pytest.mark.parametrize("name", BY_MANY_WORLDS)
def test_forgotten_knowledge_is_found(tmp_path: Path, name: str, players: tuple[int, ...]) -> None:
    assert first_fault(planted(tmp_path, name), players, True) is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_the_sound_class_is_not_accused(seed: int) -> None:
    name_plain(str(TIDEPOOL))
    failed = [
        check
        for check in run_checks(str(TIDEPOOL), (3,), games=4, seed=seed, bounds=False, few=False)
        if check.verdict == FAILED
    ]
    assert failed == []


def test_a_crash_is_told_once(tmp_path: Path) -> None:
    file = tmp_path / "crashes.py"
    file.write_text(TIDEPOOL.read_text().replace(VIEW, VIEW.replace("list(self.hand[seat])", "self.hand[9]")))
    name_plain(str(file))
    checks = [
        check for check in run_checks(str(file), (2,), games=1, seed=1, bounds=False, few=True) if check.name != UNIFORM
    ]
    assert [check.words.split(": ")[1] for check in checks if check.verdict == FAILED] == ["IndexError"]
    assert sum(check.words == "stopped by the same error" and check.verdict == LEFT_OUT for check in checks) == 3


def test_the_last_line_names_few_cases() -> None:
    checks = [Check("fair play", PASSED, 3, ""), Check("games end", PASSED, 12, "")]
    assert " ".join(page("my_game.py", checks)[-1].split()).endswith("few cases, so add -n 10: fair play (3)")


def test_players_beyond_the_budget_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first player fits, the second does not, and the third is not tried: the result has one row."""
    times = iter([1.0, 1e6])
    monkeypatch.setattr(engine, "time_of", lambda *given: next(times))
    result = houle.difficulty(houle.setup(str(TIDEPOOL), players=2), strategies="random,thumb,family", games=4)
    assert [row.label for row in result.levels] == ["random"]
    assert [name for name, _ in result.left_out] == ["thumb", "family"]
    assert "write --budget" in result.left_out[0][1]
