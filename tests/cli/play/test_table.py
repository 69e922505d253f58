"""The table as data: the last trick, roads that can be clicked, cards that cannot be played; and hints."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from houle.analysis.measures.goal import Goal
from houle.analysis.play.link import read_link
from houle.analysis.play.seat_view import (
    DECISIONS,
    guidance,
    last_trick,
    names_for,
    possible_moves,
    seat_view,
    turns,
)
from houle.analysis.play.table_game import Course, choices
from houle.cli.framework.advice import _either, _size
from houle.cli.play import pages
from houle.cli.play.pages import hint_of
from houle.cli.play.table import ARROWS, table_of
from houle.solver.cards.bits import members
from houle.solver.games.wave.words import card_name
from houle.solver.rules import make_setup
from tests.support.playing import seated

pytestmark = pytest.mark.compiled


def tables(game: str, players: int, decisions: int) -> list[dict[str, Any]]:
    """The table at the first decisions of seat 1, which plays as thumb does."""
    course, shown = Course(seated(game, players=players)), []
    for _ in range(decisions):
        if course.over:
            break
        shown.append(table_of(seat_view(course)))
        course = course.choose(None)
    return shown


def rows_of(table: dict[str, Any], place: str, layout: str = "") -> list[dict[str, Any]]:
    """The rows in a place of a table, perhaps only those of one layout."""
    return [row for group in table[place] if group["layout"] == layout or not layout for row in group["rows"]]


@pytest.mark.parametrize(("game", "label"), [("sea-change", "last trick, taken by"), ("land-unter", "last trick: ")])
def test_the_last_trick_is_shown_with_its_owners(game: str, label: str) -> None:
    first, second = (rows_of(table, "middle") for table in tables(game, 3, 2))
    assert not any(row["label"].startswith("last trick") for row in first)
    (last,) = [row for row in second if row["label"].startswith(label)]
    assert sorted(card["owner"] for card in last["cards"]) == ["Malo", "Moana", "you"]


@pytest.mark.parametrize("variants", ["base", "virage"])
def test_the_wave_is_whole_at_the_end(variants: str) -> None:
    """It begins with the start card, and ends with the last card laid, in Virage the Virage card."""
    course = Course(seated("wave", seed=3, players=2, variants=variants))
    while not course.over:
        course = course.choose(None)
    (wave,) = last_trick(course, 0, names_for(course, 0))
    cards = [f"{card['name']} {card['top']}" for card in wave["cards"]]
    state = course.match.state
    assert sorted(cards) == sorted(card_name(course.setup, card) for card in members(int(state.seen)))
    assert cards[-1] == card_name(course.setup, int(state.top))


def test_computers_say_how_they_play() -> None:
    """Once on each page, in a few words: beside the rules, and in the results at the end."""
    course = Course(seated("land-unter", others=["family", "random"]))
    for said in (r"<li><b>(\w+)</b> <span>(.+?)</span></li>", r'<td>(\w+) <span class="kind">(.+?)</span></td>'):
        page = pages.table_page(course, {}, None)
        kinds = [("Moana", "plays like a family"), ("Malo", "plays at random")]
        assert [one for one in re.findall(said, page) if one[0] != "you" and "a person" not in one] == kinds
        assert all(page.count(words) == 1 for _, words in kinds)
        while not course.over:
            course = course.choose(None)


def test_history_has_a_line_for_each_trick() -> None:
    """Oldest first; a trick that goes on is written card by card, in finite verbs."""
    course = Course(seated("sea-change", players=3))
    for number in range(1, 6):
        lines = turns(course, 0)
        tricks = [line for line in lines if line.told]
        assert len(tricks) == number - 1
        assert all(line.told[-1].startswith("trick: ") for line in tricks)
        assert all(not line.told for line in lines[number - 1 :])
        said = re.findall(r'data-move="([^"]+)">([^<]+)</span>', pages.table_page(course, {}, None))
        assert all(words in (move, move.replace("play ", "plays ")) for move, words in said)
        course = course.choose(None)


def test_tables_between_two_moves_are_what_the_seat_saw() -> None:
    """What is shown one after another is the table after each move, as the seat saw it then, without moves to make."""
    course = Course(seated("land-unter", players=3))
    for _ in range(4):
        course = course.choose(None)
        frames = pages.frames_of(course, 0)
        own = max(made.number for made in course.made if made.seat == 0)
        assert [frame["number"] for frame in frames] == list(range(own, len(course.made)))
        for frame in frames:
            view = seat_view(course.until(frame["number"]), 0, watches=True)
            assert frame["table"]["middle"] == table_of(view)["middle"]
            assert frame["table"]["choices"] == []
            acts = course.made[frame["number"] - 1].seat
            assert [one["seat"] for one in frame["table"]["players"] if one["acts"]] == [acts] * (acts != 0)


def test_wave_shows_its_wave() -> None:
    """The order of the colours, the direction with an arrow, all cards before the one to beat, and their owners."""
    shown = tables("wave", 3, 20)
    for table in shown:
        strip = [chip for fact in table["facts"] for chip in fact["chips"]]
        assert strip == ["white", "yellow", "orange", "red", "sky", "navy"]
        assert {fact["text"]: fact["arrow"] for fact in table["facts"] if fact["arrow"]}.items() <= ARROWS.items()
    trails = [row for table in shown for row in rows_of(table, "middle", "trail")]
    laid = [[card["svg"] for card in trail["cards"]] for trail in trails]
    assert all(after[: len(before)] == before for before, after in pairwise(laid))
    assert len(laid[-1]) > 13
    assert {card["owner"] for trail in trails for card in trail["cards"][1:]} == {"you", "Moana", "Malo"}
    assert {trail["cards"][0]["owner"] for trail in trails} == {""}  # the start card


def test_news_say_who_followed_you() -> None:
    course, said = Course(seated("wave", seed=11, players=3)), set[str]()
    while not course.over:
        said |= {event for one in seat_view(course).news for event in one.events if "follow" in event}
        course = course.choose(None)
    assert said == {"follows you", "does not follow you"}


@pytest.mark.parametrize("game", ["sea-change", "vague-attaque"])
def test_news_are_spoken_once(game: str) -> None:
    """Own results first: the trick that your card completed, the dice of your duel."""
    course, spoken, own = Course(seated(game, seed=41, players=3)), list[int](), 0
    for _ in range(25):
        news = pages.seen(course, seat_view(course))["news"]
        spoken += [one.number for one in news]
        own += sum(bool(one.events) for one in news if one.seat == 0)
        course = course.choose(None)
        if course.over:
            break
    assert len(set(spoken)) == len(spoken)
    assert own > 2


def test_roads_are_targets_and_say_why_not() -> None:
    shown = tables("vague-verte", 4, 8)
    drawn, hands = (
        [card for table in shown for row in rows_of(table, place) for card in row["cards"]]
        for place in ("middle", "hand")
    )
    assert any("on Moana" in card["words"] and card["places"] for card in drawn)
    discards = [card for card in hands if card["words"].endswith("; discard") and "; play" not in card["words"]]
    assert discards
    for card in discards:
        assert "cannot be played: " in card["words"]
        assert not card["at_once"]


# Games of a player, by their deal and moves, and the moves before which a hint was asked for.
PLAYED = {
    "wave": (11, "1000000102131301000001123120201011213200", (0, 4, 11, 14, 20, 27, 31, 38)),
    "sea-change": (12, "841712700240320221100100101000001101230040500101101010010000", (0, 9, 30, 60)),
    "land-unter": (
        13,
        "b47811705317265300351421131244695103733062064155131232010001000b75666524214544405414230",
        (0, 3, 9, 24, 54, 57),
    ),
    "vague-verte": (14, "0114120314111410110103101013101013100300", (0, 5, 13, 20, 37)),
}


def positions() -> Iterator[Course]:
    """Decisions of a person in five games."""
    for game, (seed, moves, asked) in PLAYED.items():
        link = f"game={game}&players=3&deal={seed}/0&seats=person,thumb,thumb&moves={moves}"
        played = Course(read_link(link))
        for number in asked:
            yield played.until(number).go_on()
    course = Course(seated("vague-attaque", seed=22))
    for _ in range(7):
        while len(choices(course.match)) < 2:
            course = course.choose(choices(course.match)[0])
        yield course
        course = course.choose(choices(course.match)[-1])


@pytest.mark.slow
def test_hints_name_one_move_on_a_card() -> None:
    """Of 30 hints each names one possible move, and the first look leans to a move that costs at most 2 games in 100.

    `-s` prints them, to read the reasons in their positions.
    """
    good, number = 0, 0
    for course in positions():
        start = time.process_time()
        first, last = (hint_of(course, step) for step in pages.STEPS)
        number += 1
        assert re.fullmatch(r"Leaning to .+, still looking\.", first["verdict"][0])
        assert re.fullmatch(r"Best: .+\.", last["verdict"][0])
        places = [row["place"] for row in last["rows"]]
        assert sorted(places) == sorted(one.place for one in possible_moves(course.match))
        assert last["best"] == places[0]
        costs = [row["cost"] for row in last["rows"]]
        assert costs[0] == ""
        leaning = costs[places.index(first["best"])]
        good += leaning in ("", "=") or int(leaning[1:]) <= 2
        name, own = course.setup.ruleset.name, len(course.made)
        lines = [*last["verdict"], last["reason"] or "-", f"{leaning!r} {time.process_time() - start:.1f} s"]
        print(name, own, first["verdict"][0], *lines, sep=" | ")
    assert number == 30
    assert good >= 27


def test_a_first_look_leans_to_one_move() -> None:
    """No cost, no reason, and never that moves are equally good."""
    course = Course(seated("land-unter", seed=13, others=["thumb"]))
    first = hint_of(course, pages.STEPS[0])
    (verdict,) = first["verdict"]
    assert re.fullmatch(r"Leaning to play \d+, still looking\.", verdict)
    assert (first["longer"], first["rows"], first["reason"] or "") == (pages.STEPS[1], [], "")


@pytest.mark.quick
@pytest.mark.parametrize(
    "words",
    [
        "play 20",
        "play 20 or play 24",
        "play 1, play 2, play 3 or play 4",
        "draw or take the card from the pile",
        "swap a for a place or swap b for a place",
    ],
)
def test_equal_moves_are_named_together(words: str) -> None:
    assert _either(re.split(", | or ", words)) == words
    assert _either(["play 1", "play 2", "play 3", "play 4", "play 5"]) == "play 1, play 2, play 3 or 2 more"


@pytest.mark.quick
@pytest.mark.parametrize(("loss", "words"), [(0.002, "1 game in 100"), (0.031, "3 games in 100")])
def test_a_loss_is_at_least_one_game(loss: float, words: str) -> None:
    assert _size(SimpleNamespace(goal=Goal(make_setup("wave"))), loss) == words  # type: ignore[arg-type]


def test_forced_moves_are_not_explained() -> None:
    """The guide answers there too; it counts decisions, so a forced move takes none of them."""
    course = Course(seated("vague-attaque", seed=22))
    numbers = []
    while not course.over and len(numbers) < DECISIONS:
        guide = guidance(course, "en")
        assert guide is not None
        assert (guide.number == 0) == (len(choices(course.match)) < 2)
        numbers += [guide.number] if guide.number else []
        course = course.choose(choices(course.match)[0])
    assert numbers == list(range(1, DECISIONS + 1))
