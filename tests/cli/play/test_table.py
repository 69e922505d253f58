"""The table as data: the last trick, roads that can be clicked, and cards that say why they cannot be played."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from houle.analysis.play.seat_view import last_trick, names_for, seat_view, turns
from houle.analysis.play.table_game import Course
from houle.cli.play import pages
from houle.cli.play.table import ARROWS, table_of
from houle.solver.cards.bits import members
from houle.solver.games.wave.words import card_name
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
    for said in (r"<li>(\w+): <span>(.+?)</span></li>", r'<td>(\w+) <span class="kind">(.+?)</span></td>'):
        page = pages.table_page(course, {}, None)
        kinds = [("Moana", "like a family"), ("Malo", "plays at random")]
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
    drawn, hands = ([card for table in shown for row in rows_of(table, place) for card in row["cards"]]
                    for place in ("middle", "hand"))  # fmt: skip
    assert any("on Moana" in card["words"] and card["places"] for card in drawn)
    discards = [card for card in hands if card["words"].endswith("; discard") and "; play" not in card["words"]]
    assert discards
    for card in discards:
        assert "cannot be played: " in card["words"]
        assert not card["at_once"]


def test_players_of_lanes_have_no_box_of_their_own() -> None:
    (table,) = tables("vague-verte", 3, 1)
    assert table["players"] == []
    assert [bool(row["player"]) for row in rows_of(table, "middle", "lane")] == [False, True, True, False]
