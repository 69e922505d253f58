"""Reviews add up, and say why a game was won or lost; advice ranks the moves of a position, with reasons."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import houle
from houle.analysis.measures.goal import Goal
from houle.analysis.play import review_words
from houle.analysis.play.ending import because, side_results
from houle.analysis.play.link import link_of, read_link
from houle.analysis.play.playouts import chance
from houle.analysis.play.reasons import reasons
from houle.analysis.play.review import Review, judge, played_record, review
from houle.analysis.play.table_game import sit_down
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.cli.commands.review import decision_table
from houle.cli.commands.review import review as command
from houle.reports.figures import draw
from houle.solver.errors import InputError, PositionError
from houle.solver.language.seats import from_1, seat_names, with_names
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup
from tests.support.notes import notes_of

pytestmark = pytest.mark.compiled

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]


def record_of(game: str, strategy: str = "thumb[temperature=1000]", number: int = 3) -> str:
    return houle.trace(game, strategies=strategy, seed=7, game=number).record().as_text()


@pytest.fixture(scope="module")
def wave() -> Review:
    return review(record_of("wave", "thumb[temperature=3000]", 6), worlds=100)


def adds_up(found: Review) -> None:
    """Own mistakes, those of the others and luck make the result; no loss exceeds the chance before it."""
    for one in found.decisions:
        assert 0 <= one.after.value <= 1
        assert one.loss.value <= one.before.value + 1e-9
        assert one.changes[one.side] == pytest.approx(-one.loss.value, abs=1e-9)
    for side, account in enumerate(found.accounts):
        assert account.others is not None
        change = account.others + account.luck - account.lost
        assert account.result - account.first == pytest.approx(change, abs=1e-9)
        wrong = [one.loss.value for one in found.of_side(side) if one.is_mistake]
        assert account.lost == pytest.approx(sum(wrong), abs=1e-9)
        assert account.result == found.result["shares"][side] / 840
        first, last, *parts = shown_numbers(
            review_words.in_short(account, found.goal, "You", over=True, worlds=found.worlds)
        )
        assert sum(parts) == last - first
        spans = sorted((one.after, one.number) for one in account.swings)
        assert all(end < start for (_, end), (start, _) in pairwise(spans)), "a change is named twice"


def shown_numbers(sentence: str) -> list[int]:
    """Start and end in percent, own mistakes, those of the others, luck."""
    numbers = re.findall(r"(?:of|with|:) ([+-]?\d+)", sentence)
    assert len(numbers) == 5, sentence
    return [int(number) for number in numbers]


# The long games of Vague Attaque take as long as all others.
@pytest.mark.parametrize("game", [*GAMES[:-1], pytest.param(GAMES[-1], marks=pytest.mark.slow)])
def test_mistakes_and_luck_add_up(game: str) -> None:
    """To the result minus the first chance."""
    found = review(record_of(game), worlds=2)
    assert found.decisions
    adds_up(found)


def test_a_mistake_is_certain_in_the_whole_game(wave: Review) -> None:
    """The intervals of the losses hold together, so a long game has wider ones than a single decision."""
    played = played_record(read_record(wave.record))
    assert 1 - played.confidence == pytest.approx(0.05 / len(wave.decisions))
    one = next(one for one in wave.decisions if one.is_mistake)
    alone = replace(played)
    alone.__dict__["choices"] = (one.number,)
    narrow = judge(alone, one.number, wave.worlds, wave.seed)
    assert narrow is not None
    assert narrow.loss.value == one.loss.value
    assert narrow.loss.low > one.loss.low


def test_other_worlds_choose_than_score(wave: Review) -> None:
    """Half of the worlds choose the best move, the other half score it."""
    assert "the costliest is move " in wave.headline
    for one in wave.decisions:
        assert one.moves > 1
        assert one.loss.n == one.before.n == 50
        assert one.loss.value == pytest.approx(one.before.value - one.after.value, abs=1e-9)
        assert one.loss.low <= one.loss.value <= one.loss.high
        assert not one.is_best or one.loss.value == 0
        assert "@" not in one.made + one.best  # the words of the table; `@2` is for positions
    worst = wave.deciding(0)
    assert worst
    assert all(one.is_mistake and one.loss.low > 0 for one in worst)
    assert [one.loss.value for one in worst] == sorted((one.loss.value for one in worst), reverse=True)


def test_luck_is_named_by_a_move(wave: Review) -> None:
    """It is after a decision, at most one decision of the same player later, and never listed twice."""
    swings = wave.account(0).swings
    assert swings
    assert len({one.number for one in swings}) == len(swings)
    by_number = {one.number: one for one in wave.decisions}
    for one in swings:
        mover = by_number[one.after].seat
        later = [other.number for other in wave.decisions if other.seat == mover and other.number > one.after]
        assert one.after <= one.number < min([*later, wave.moves + 1])
        assert one.move
        words = review_words.swing(one, wave.goal, wave.worlds)
        assert words.startswith(f"Move {one.number}, seat {one.seat + 1}: ")
        assert f"{'rose' if one.change > 0 else 'fell'} from {100 * one.start:.0f}% to {100 * one.end:.0f}%" in words


def test_choices_that_cost_nothing_are_no_mistakes(wave: Review) -> None:
    """The terminal names a better move only for mistakes, with the numbers of the sentences."""
    shown = decision_table(wave).splitlines()[1:]
    assert any(one.loss.low <= 0 and not one.is_best for one in wave.decisions)
    for one, line in zip(wave.decisions, shown, strict=True):
        assert (f"  {from_1(one.best)}" in line.rstrip()[-len(one.best) - 2 :]) == one.is_mistake
    for one in wave.deciding(0):
        lost = f"{100 * one.loss.value:.0f}"
        assert f"wins {lost} more games in 100 (" in review_words.mistake(one, wave.worlds)
        assert any(line.split()[0] == str(one.number) and f" {lost} (" in line for line in shown)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record_of("wave"))
    shown = CliRunner().invoke(command, [str(file), "--worlds", "10", "--quiet"])
    assert shown.exit_code == 0, shown.output
    assert "; mistakes of the others: 0; luck: " in " ".join(shown.output.split())
    assert f"repeat   houle review {file} --worlds 10 --seed 1" in shown.output
    data = json.loads(CliRunner().invoke(command, [str(file), "--worlds", "10", "--json"]).output)
    (side,) = data["sides"]
    assert side["first"] - side["lost"] + side["others"] + side["luck"] == pytest.approx(side["result"], abs=1e-9)


def test_games_typed_in_by_hand(wave: Review) -> None:
    """Cards instead of a seed give the same decisions; one seat's notes give those of that seat."""
    record = read_record(wave.record)
    typed = review(notes_of(record).as_text(), worlds=4)
    assert [(one.number, one.made) for one in typed.decisions] == [(one.number, one.made) for one in wave.decisions]
    account = typed.account(0)
    assert account.result == wave.account(0).result
    adds_up(typed)
    known = houle.trace(houle.setup("wave", set={"talk": "known"}), seed=7, game=3).record()
    notes = review(notes_of(known, 1).as_text(), worlds=4)
    assert {one.seat for one in notes.decisions} == {1}
    account = notes.account(0)
    assert account.others is None
    assert account.result - account.first == pytest.approx(account.luck - account.lost, abs=1e-9)
    assert "; luck and the others: " in review_words.in_short(account, notes.goal, "You", over=True, worlds=4)


@pytest.mark.quick
def test_the_turn_is_the_largest_fall() -> None:
    """Over several moves too, at most a fifth of the game; of equal falls the shortest; a small one is not named."""
    goal = Goal(houle.setup("land-unter"))
    points = [(1, 0.3), (9, 0.72), (46, 0.72), (50, 0.4), (53, 0.45), (55, 0.0), (60, 0.0)]
    fall = review_words.largest_fall(points, goal, 60)
    assert fall == ((46, 0.72), (55, 0.0))
    said = "The turn: moves 46 to 55, from 72% to 0%: luck, or choices too close to tell."
    assert review_words.turn(*fall, goal, 640) == said
    assert review_words.largest_fall(points, goal, 44) == ((53, 0.45), (55, 0.0))
    assert review_words.largest_fall([(1, 0.9), (30, 0.1)], goal, 60) is None
    assert review_words.largest_fall([(1, 0.3), (9, 0.72), (46, 0.65)], goal, 60) is None
    assert review_words.largest_fall([], goal, 60) is None


def ended(game: str) -> Match:
    strategies = "thumb[forgets=15,nearsighted=40,loses_count=15]"
    record = houle.trace(game, strategies=strategies, seed=7, game=3).record()
    return read_record(record.as_text()).played().match


@pytest.mark.parametrize(
    ("game", "seat", "sentence"),
    [
        ("wave", 0, "You lost because you are stuck with "),
        ("wave", 1, "You lost because surfer 1 is stuck with "),
        ("sea-change", 1, "You won because you reached 3 victory points."),
        ("land-unter", 2, "You lost because player 2 has 5 points, you have 3 points."),
        ("land-unter", 1, "You won because you have 5 points, player 1 has 3 points."),
        ("vague-verte", 0, "You lost because player 2 reaches the end of the road in turn 20."),
        ("vague-attaque", 2, "You won because you win with 2 validated places in turn 33."),
    ],
)
def test_why_it_was_won_or_lost(game: str, seat: int, sentence: str) -> None:
    assert because(ended(game), seat).startswith(sentence)


def test_scores_are_not_won(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the score is the goal, the end says the score, and nobody has won or lost."""
    monkeypatch.setattr(Goal, "is_score", True)
    match = ended("land-unter")
    assert because(match, 1) == "You scored 5 points."
    assert {side.verdict for side in side_results(match.setup, match.result())} == {""}


@pytest.mark.quick
def test_a_seat_is_addressed_as_you() -> None:
    names = ["you", "Ana", *(f"player {seat}" for seat in range(3, 13))]
    words = "seat 1 takes it, seat 2 has 3, seat 12 misses, a point for seat 1, seat 1's card, the hand of seat 1"
    heard = "you take it, Ana has 3, player 12 misses, a point for you, your card, your hand"
    assert with_names(words, names) == heard
    assert with_names("seat 1 misses a turn and seat 1 passes", names) == "you miss a turn and you pass"
    assert with_names("seat 1 has level 7 and loses a belt", names) == "you have level 7 and lose a belt"
    assert with_names("seat 1 has no cards and is skipped", names) == "you have no cards and are skipped"
    assert with_names("seat 1 now has 2, seat 2 now has 3", names) == "you now have 2, Ana now has 3"


@pytest.mark.quick
def test_names_are_for_people() -> None:
    wave = houle.setup("wave")
    assert seat_names(wave, 1, ["Ana", "Bob"]) == ["Ana", "you", "surfer 3"]
    sitting = sit_down(wave, ("person", "thumb", "thumb"), 7, names=["", " Ana  Lu "])
    assert sitting.names == ("", "Ana Lu")
    assert sitting.called == ("", "Ana Lu", "Malo")
    assert sit_down(wave, ("person", "thumb", "thumb"), 7, names=["Malo"]).called == ("Malo", "Moana", "")
    assert read_link(link_of(sitting)) == sitting
    for name in ("x" * 21, "a,b", "<b>", "seat 2"):
        with pytest.raises(InputError, match="names: "):
            sit_down(wave, ("person", "thumb", "thumb"), 7, names=[name])


HERE = {"seed": 7, "game": 3, "ply": 5}


@pytest.fixture(scope="module")
def advice() -> houle.Advice:
    return houle.advise(houle.position("wave", **HERE), worlds=100)


def test_moves_are_ranked_with_paired_losses(advice: houle.Advice) -> None:
    wins = [move.win.value for move in advice.moves]
    assert wins == sorted(wins, reverse=True)
    assert advice.best.loss == Estimate(0.0, 0.0, 0.0, n=100, unit=POINTS)
    for move in advice.moves[1:]:
        assert move.loss.value == pytest.approx(advice.best.win.value - move.win.value)
        assert move.loss.low < move.loss.value < move.loss.high
        assert sum(move.ends.values()) == pytest.approx(1)
    named = [name for move in advice.moves for name in move.players]
    assert sorted(named) == ["thumb", "tree-searcher"]  # experts read the others here, but the position has no notes
    assert advice.headline.startswith(f"{'so far' if advice.contenders else 'best'}: {advice.best.name}, wins ")
    assert f"; seat {advice.position.seat + 1} to move." in " ".join(draw(advice).get_supxlabel().split())


def test_a_position_as_text_gives_the_same_advice(advice: houle.Advice) -> None:
    again = houle.advise(advice.position.as_text(), worlds=100)
    assert again.digest == advice.digest
    assert [move.players for move in again.moves] == [move.players for move in advice.moves]
    other = houle.advise(advice.position, worlds=100, seed=2, players=False)
    assert other.digest != advice.digest


def test_reasons_compare_with_the_next_worse_move(advice: houle.Advice) -> None:
    assert advice.why is not None
    assert advice.rival is not None
    worse = [move for move in advice.moves[1:] if move not in advice.contenders]
    assert advice.rival == (worse or list(advice.moves[1:]))[0]
    assert (advice.why.action, advice.why.rival) == (advice.moves[0].action, advice.rival.action)
    assert sum(reason.points for reason in advice.why.reasons) == advice.why.margin


@pytest.mark.parametrize("game", game_names())
def test_the_parts_of_the_rules_add_up(game: str) -> None:
    """The thumb's move is never rated below another; the parts sum to its margin."""
    setup = make_setup(game)
    match, thumbs = Match(setup, 5), seat_strategies(setup, ["thumb"])
    asked = 0
    while match.to_move() >= 0 and match.ply < 60:
        action = match.decide(thumbs)
        why = reasons(match, thumbs, action)
        if why is not None:
            asked += 1
            assert sum(reason.points for reason in why.reasons) == why.margin >= 0
            assert why.rival != why.action == action
            assert why.decided is None or why.decided.points == max(reason.points for reason in why.reasons)
        match.apply(action)
    assert asked > 3


def test_a_chance_is_exact_at_the_end() -> None:
    setup = make_setup("wave")
    match, thumbs = Match(setup, 5), seat_strategies(setup, ["thumb"])
    first = chance(match, 0, 40)
    assert chance(match, 0, 40) == first
    assert first.low < first.value < first.high
    while match.to_move() >= 0:
        match.apply(match.decide(thumbs))
    assert chance(match, 0, 40).value == match.result()["shares"][0] / 840


def test_impossible_records_are_one_line() -> None:
    text = record_of("wave")
    with pytest.raises(InputError, match="not over"):
        review(text[: text.index("move 9:")], worlds=2)
    with pytest.raises(PositionError, match="broken off; a review needs a game played to its end"):
        review(text[: text.index("move 9:")] + "broken off: yes\n", worlds=2)
    with pytest.raises(InputError, match="is not possible here"):
        review(text.replace(": seat 1 play", ": seat 1 swap", 1), worlds=2)


def test_a_random_player_has_no_reasons() -> None:
    setup = make_setup("wave")
    match = Match(setup, 5)
    assert reasons(match, seat_strategies(setup, ["random"]), match.moves()[0]) is None
