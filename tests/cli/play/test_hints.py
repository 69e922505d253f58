"""Hints: they say what to play, give a reason about the cards at hand, and never contradict the guide."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from houle.analysis.play.link import read_link
from houle.analysis.play.seat_view import DECISIONS, guidance
from houle.analysis.play.table_game import Course, choices, people_and, sit_down
from houle.analysis.players.line_ups import setup
from houle.cli.framework.advice import _either
from houle.cli.play import pages
from houle.cli.play.pages import hint_of

pytestmark = pytest.mark.compiled

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
    rules = setup("vague-attaque")
    course = Course(sit_down(rules, people_and(rules, [0], ()), 22))
    for _ in range(7):
        while len(choices(course.match)) < 2:
            course = course.choose(choices(course.match)[0])
        yield course
        course = course.choose(choices(course.match)[-1])


@pytest.mark.slow
def test_hints_commit_and_give_reasons() -> None:
    """Of 30 hints at most a few say that it does not matter; two of three give a reason."""
    hints = [hint_of(course, pages.STEPS[-1]) for course in positions()]
    assert len(hints) == 30
    best = [hint for hint in hints if re.match(r"Best: .+\.$", hint["verdict"][0])]
    other = [hint["verdict"][0] for hint in hints if hint not in best]
    assert all(words.startswith(("It does not matter: ", "Every move ")) for words in other)
    assert len(best) >= 24
    assert sum(bool(hint["reason"]) for hint in hints) >= 20
    for hint in best:
        costs = [int(row["cost"]) for row in hint["rows"]]
        assert costs == sorted(costs)
        assert costs[0] == 0
        cost = re.fullmatch(r"Next: .+, which costs (\d+) games in 100\.", hint["verdict"][1])
        assert cost
        assert int(cost[1]) >= 2


def test_a_first_look_says_that_it_is_one() -> None:
    course = Course(sit_down(setup("land-unter"), ("person", "thumb", "thumb"), 13))
    first = hint_of(course, pages.STEPS[0])
    assert first["verdict"][0].startswith("First look: play ")
    assert first["longer"] == pages.STEPS[1]
    assert first["rough"]
    assert not first["reason"]
    assert len(first["verdict"]) == 1, "no cost before it is certain"
    settled = hint_of(course, pages.SETTLED)
    assert not settled["rough"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["play 20"], "play 20"),
        (["play 20", "play 24"], "play 20 or 24"),
        (["play sky 1", "play card 4", "play 3"], "play sky 1, card 4 or 3"),
        (["play 1", "play 2", "play 3", "play 4"], "play 1, 2, 3 or 4"),
        (["play 1", "play 2", "play 3", "play 4", "play 5"], "play 1, 2, 3 or 2 more"),
        (["draw", "take the card from the pile"], "draw or take the card from the pile"),
        (["swap a for a place", "swap b for a place"], "swap a for a place or swap b for a place"),
    ],
)
def test_equal_moves_are_named_together(moves: list[str], words: str) -> None:
    assert _either(moves) == words


def test_forced_moves_are_not_explained() -> None:
    """The guide counts decisions, so a forced move takes none of them."""
    rules = setup("vague-attaque")
    course = Course(sit_down(rules, people_and(rules, [0], ()), 22))
    numbers = []
    while not course.over and len(numbers) < DECISIONS:
        guide = guidance(course, "en")
        assert (guide is None) == (len(choices(course.match)) < 2)
        numbers += [guide.number] if guide is not None else []
        course = course.choose(choices(course.match)[0])
    assert numbers == list(range(1, DECISIONS + 1))
