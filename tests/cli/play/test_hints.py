"""Hints: they say what to play, give a reason about the cards at hand, and never contradict the guide."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from houle.analysis.play.link import read_link
from houle.analysis.play.seat_view import DECISIONS, guidance, possible_moves
from houle.analysis.play.table_game import Course, choices
from houle.cli.framework.advice import _either
from houle.cli.play import pages
from houle.cli.play.pages import hint_of
from tests.support.playing import seated

pytestmark = pytest.mark.compiled

# Games of a player, by their deal and moves, and the moves before which a hint was asked for.
PLAYED = {
    "wave": (11, "1000000102131301000001123120201011213200", (0, 4, 11, 14, 20, 27, 31, 38)),
    "sea-change": (12, "841712700240320221100100101000001101230040500101101010010000", (0, 9, 30, 60)),
    "land-unter": (13, "b47811705317265300351421131244695103733062064155131232010001000b75666524214544405414230",
                   (0, 3, 9, 24, 54, 57)),
    "vague-verte": (14, "0114120314111410110103101013101013100300", (0, 5, 13, 20, 37)),
}  # fmt: skip


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
@pytest.mark.parametrize("words", [
    "play 20", "play 20 or play 24", "play 1, play 2, play 3 or play 4", "draw or take the card from the pile",
    "swap a for a place or swap b for a place",
])  # fmt: skip
def test_equal_moves_are_named_together(words: str) -> None:
    assert _either(re.split(", | or ", words)) == words
    assert _either(["play 1", "play 2", "play 3", "play 4", "play 5"]) == "play 1, play 2, play 3 or 2 more"


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
