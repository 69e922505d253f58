"""Matches and games with people: each seat sees only what it may, and the moves restore the game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

import houle
from houle.analysis.play.link import link_of, read_link
from houle.analysis.play.seat_view import heard, names_for, possible_moves, seat_view
from houle.analysis.play.table_game import PERSON, Course, Sitting, from_record, people_and, sit_down
from houle.analysis.players.line_ups import setup
from houle.solver.errors import InputError, StrategyError
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.position import lines_of
from houle.solver.matches.views import view_of
from houle.solver.rules import game_names

pytestmark = pytest.mark.compiled

SETUPS = [
    ("wave", 3, "base", ()),
    ("wave", 2, "virage", ()),
    ("wave", 3, "nazare", (("talk", "silent"),)),
    ("sea-change", 2, "base", ()),
    ("sea-change", 1, "base", ()),
    ("land-unter", 3, "base", ()),
    ("land-unter", 4, "open", ()),
    ("vague-verte", 3, "base", ()),
    ("vague-attaque", 3, "base", ()),
    ("vague-attaque", 4, "teams", ()),
]

SHOWN = ("trick: ", "cards: ", "round ")  # all see these cards, which may be dealt again within the same move

MOST = 25  # decisions checked per game


def sitting_of(game: str, players: int, variant: str, knobs: dict[str, object], seed: int = 7) -> Sitting:
    own = setup(game, players=players, variants=variant, set=knobs)
    people = [0, 1] if players > 2 else [0]
    return sit_down(own, people_and(own, people, ()), seed, 3)


@cache
def some_decisions(game: str, players: int, variant: str, knobs: tuple[tuple[str, object], ...]) -> list[Course]:
    return list(decisions(sitting_of(game, players, variant, dict(knobs))))


def decisions(sitting: Sitting, most: int = MOST) -> Iterator[Course]:
    """Decisions of people who move at random."""
    luck, course = random.Random(5), Course(sitting)
    for _ in range(most):
        if course.over:
            return
        yield course
        course = course.choose(luck.choice(seat_view(course).choices).place)


@pytest.mark.parametrize("words", SETUPS, ids=lambda words: "-".join(map(str, words[:3])))
def test_a_seat_sees_what_it_knows(words: tuple[str, int, str, tuple[tuple[str, object], ...]]) -> None:
    """A world that the seat imagines looks the same to it as the game, moves included."""
    for course in some_decisions(*words):
        seat = course.to_move
        view, world = seat_view(course), course.match.imagine(seat, 99)
        now = [row for row in view.rows if row.get("layout") not in ("past", "trail")]  # the last cards are history
        names = names_for(course, seat)
        assert now == view_of(course.match.state, course.setup, seat, names)
        assert now == view_of(world.state, course.setup, seat, names)
        assert view.choices == possible_moves(world, names)


@pytest.mark.parametrize("words", SETUPS, ids=lambda words: "-".join(map(str, words[:3])))
def test_news_name_no_hidden_card(words: tuple[str, int, str, tuple[tuple[str, object], ...]]) -> None:
    """Cards that other positions name and the seat's own does not are hidden; copies of a card count as one."""
    for course in some_decisions(*words):
        seat = course.to_move
        lines = [lines_of(course.match, other) for other in range(course.setup.players)]
        named = [
            {word.partition(" @")[0] for key, words in line.items() if is_hand(key) for word in words} for line in lines
        ]
        own = {word.partition(" @")[0] for words in lines[seat].values() for word in words}
        hidden = {word for other in named for word in other - own if not word.endswith("?")}
        for one in seat_view(course).news:
            events = [event for event in one.events if not event.startswith(SHOWN)]
            text = re.sub(r"[^\w ]", " ", " ; ".join((one.words, *events)))
            if one.seat != seat:
                revealed = [name for name in hidden if f" {name} " in f" {text} "]
                assert not revealed, (one, revealed)


def is_hand(key: str) -> bool:
    return key.startswith("seat") and key.endswith(("hand", "front", "back"))


def test_secret_cards_appear_when_shown() -> None:
    sitting = sitting_of("land-unter", 3, "base", {})
    first = Course(sitting).choose(0)
    assert first.to_move == 1
    assert [one.words for one in seat_view(first).news] == ["choose a card"]
    after = first.choose(0)
    assert after.made[2].seat == 2
    assert heard(after, after.made[2], 0).events[0].startswith("cards: you: ")


@pytest.mark.parametrize("seats", [(PERSON, "family", "flat:5"), pytest.param((PERSON,) * 3, marks=pytest.mark.quick)])
def test_undo_takes_back_the_last_move(seats: tuple[str, ...]) -> None:
    """The same moves get the same replies."""
    new = Course(sit_down(setup("wave"), seats, 11))
    assert new.undone() is None
    first = new.choose(0)
    after = first.choose(0)
    assert after.sitting == first.choose(0).sitting
    before = after.undone()
    assert before is not None
    assert before.sitting == first.sitting


def test_a_link_restores_the_game() -> None:
    """Forged links are refused."""
    sitting = sitting_of("wave", 3, "virage", {"hand.front": 4})
    for course in decisions(sitting, 5):
        again = read_link("http://127.0.0.1:1/x/table?" + link_of(course.sitting) + "&open=1")
        assert (again.moves, again.seats, again.setup.digest) == (
            course.sitting.moves,
            course.sitting.seats,
            course.setup.digest,
        )
        sitting = course.sitting
    good = link_of(sitting)
    for before, after in [
        ("moves=", "moves=zzz"),
        ("moves=", "moves=!"),
        ("game=wave", "game=../wave"),
        ("game=wave", "x=1"),
        ("deal=7", "deal=-7"),
        ("person", "clairvoyant"),
        ("person", "nobody"),
        ("players=3", "players=2"),
        ("rules=", "rules=0"),
        ("game=", "a=1&a=1&game="),
        ("game=wave", "game=wave%0Aseat: 1"),
        ("moves=", "m" * 40_000),
    ]:
        assert before in good
        with pytest.raises(InputError):
            Course(read_link(good.replace(before, after, 1)))
    link = "game=wave&players=3&deal=1/0&seats=person,flat:2001,thumb&moves="
    with pytest.raises(StrategyError, match="flat:2001 would take too long here; allowed: searches up to 2,000"):
        read_link(link)
    assert read_link(link, known=["flat:2001"]).seats[1] == "flat:2001"  # typed by the user
    with pytest.raises(InputError, match="link: deck: '/etc/passwd' is not allowed"):
        read_link("game=vague-attaque&players=3&set deck=/etc/passwd&deal=1/0&seats=person,thumb,thumb&moves=")


def finished(sitting: Sitting) -> Course:
    """The game in which people always make the first possible move."""
    course = Course(sitting)
    while not course.over:
        course = course.choose(seat_view(course).choices[0].place)
    return course


@pytest.mark.parametrize("game", ["wave", "vague-verte"])
def test_a_record_holds_the_game(game: str) -> None:
    last = finished(sitting_of(game, 3, "base", {}))
    half = last.until(last.own_decisions()[-1])
    for part in (half, last):
        record = part.record()
        assert from_record(read_record(record.as_text()), part.sitting.seats).moves == part.sitting.moves
        assert "front" not in record.as_text()
    assert len(list(last.record().replay())) == len(last.made)
    assert not last.record().broken_off
    assert half.record().broken_off
    with pytest.raises(InputError, match="the game is over"):
        last.choose(0)


@pytest.mark.quick
def test_who_may_sit_down() -> None:
    wave = setup("wave")
    refused = {
        ("thumb",) * 3: "nobody is a person",
        (PERSON,): "this setup has 3",
        (PERSON, "clairvoyant", "thumb"): "clairvoyant",
        (PERSON, "tumb", "thumb"): "unknown strategy",
    }
    for seats, fault in refused.items():
        with pytest.raises(InputError, match=fault):
            sit_down(wave, seats, 1)
    assert people_and(wave, [1], ("random",)) == ("random", PERSON, "random")
    with pytest.raises(InputError, match="2 players for 1 seats"):
        people_and(wave, [0, 1], ("random", "thumb"))


@pytest.mark.quick
def test_a_match_is_the_traced_game() -> None:
    trace = houle.trace(houle.setup("wave", players=3), strategies="random", seed=7, game=2)
    match = houle.Match("wave", players=3, seed=7, number=2)
    for ply in trace.plies:
        match.push(ply.action)
    assert match.is_over
    assert match.legal_moves == []
    assert trace.result is not None
    assert match.scores() == trace.result["scores"]


@pytest.mark.quick
@pytest.mark.parametrize("game", game_names())
def test_popped_moves_leave_no_trace(game: str) -> None:
    match = houle.Match(game, seed=7)
    before, first = match.position(), match.legal_moves
    names = []
    for step in range(6):
        moves = match.legal_moves
        names.append(moves[step % len(moves)])
        match.push(names[-1])
    assert match.made == names
    assert [match.pop() for _ in names] == names[::-1]
    assert (match.position(), match.legal_moves, match.ply) == (before, first, 0)


@pytest.mark.quick
def test_wrong_calls_are_one_line() -> None:
    match = houle.Match("wave", players=2, seed=3)
    with pytest.raises(houle.InputError, match="'play red 9' is not legal; "):
        match.push("play red 9")
    with pytest.raises(houle.InputError, match="no move was pushed"):
        match.pop()
    with pytest.raises(houle.InputError, match="the game is not over"):
        match.scores()
