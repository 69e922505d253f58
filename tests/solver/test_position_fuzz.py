"""Positions and records that were changed at random are read, or refused in one line; never a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import houle
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.position import read_position, write_position
from houle.solver.rules import game_names, make_setup
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

GUIDE = Path(__file__).parents[2] / "docs" / "reference" / "positions.md"
EXAMPLES = re.findall(r"```position\n(.*?)```", GUIDE.read_text(), re.DOTALL)
RECORDS = re.findall(r"```record\n(.*?)```", GUIDE.read_text(), re.DOTALL)
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
RECORD = houle.trace("wave", seed=7, game=3).record().as_text()


def fault_of(read: Callable[[str], object], text: str) -> str:
    """The error message of a text, or nothing. Any other exception would be a traceback to a user."""
    try:
        read(text)
    except InputError as fault:
        return str(fault)
    return ""


def texts() -> list[str]:
    examples = list(EXAMPLES)
    for game in game_names():
        for variant in ("base", *list(make_setup(game).ruleset.variants)[:2]):
            match = Match(make_setup(game, variants=[variant]), 3)
            for _ in range(12):
                match.apply(match.moves()[0])
            examples.append(write_position(match).as_text())
    return examples


TEXTS = texts()
LINES = sorted({line for text in TEXTS for line in text.splitlines()})
WORDS = sorted({word for line in LINES for word in re.split(r"[:,]\s*", line)})


@st.composite
def changed(draw: st.DrawFn) -> str:
    """A text with lines removed, added, edited or replaced at random."""
    lines = draw(st.sampled_from(TEXTS)).splitlines()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(lines) - 1)) if lines else 0
        what = draw(st.integers(0, 4))
        if what == 0 and lines:
            del lines[place]
        elif what == 1:
            lines.insert(place, draw(st.sampled_from(LINES)))
        elif what == 2 and lines:
            key, _, words = lines[place].partition(":")
            items = words.split(",")
            items[draw(st.integers(0, len(items) - 1))] = " " + draw(st.sampled_from(WORDS))
            lines[place] = f"{key}:{','.join(items)}"
        elif what == 3 and lines:
            lines[place] += draw(
                st.sampled_from([", ?", ", 3 ?", ", none", " @9", ", -1", ", 99", "; seat: 2", ", \u2028"])
            )
        elif lines:
            lines[place] = draw(st.text(max_size=30))
    return "\n".join(lines)


@given(changed())
@settings(UNTIMED, max_examples=some(50))
def test_a_changed_position_is_read_or_refused(text: str) -> None:
    fault = fault_of(read_position, text)
    assert "\n" not in fault
    if not fault:
        position = read_position(text)
        assert position.match().moves()
        assert read_position(position.as_text()).lines() == position.lines()


@pytest.mark.quick
@given(st.text(max_size=60) | st.sampled_from(["{}", "[]", "{", "[a]", 'a = "', "a: b", "seat: 1", '{"a": {"b": 1}}']))
@settings(UNTIMED, max_examples=some(50))
def test_any_text_is_refused_in_one_line(text: str) -> None:
    for read in (read_position, read_record):
        with pytest.raises(InputError) as fault:
            read(text)
        assert "\n" not in str(fault.value)


@given(st.integers(0, RECORD.count("\n") - 1), st.sampled_from(RECORD.splitlines()), st.integers(0, 3))
@settings(UNTIMED, max_examples=some(20))
def test_a_changed_record_is_replayed_or_refused(place: int, line: str, what: int) -> None:
    lines = RECORD.splitlines()
    lines[place : place + 1] = [[], [line], [lines[place].replace("1", "2")], [lines[place] + "?"]][what]
    assert "\n" not in fault_of(houle.replay, "\n".join(lines))


@pytest.mark.parametrize("text", EXAMPLES, ids=[text.split()[1] for text in EXAMPLES])
def test_guide_examples_get_advice(text: str) -> None:
    advice = houle.advise(text, worlds=10, players=False)
    assert advice.moves
    assert advice.games == 10


@pytest.mark.quick
def test_guide_has_an_example_of_every_game() -> None:
    assert sorted(text.split()[1] for text in EXAMPLES) == sorted(game_names())


def test_the_record_of_the_guide_is_replayed() -> None:
    (text,) = RECORDS
    assert [ply.seat for ply in houle.replay(text).plies] == [0, 1, 2]
