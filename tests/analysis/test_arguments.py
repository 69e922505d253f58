"""Public functions: wrong arguments give one clear error, and docstrings have an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from typing import Any

import pytest

import houle
from houle.analysis.arguments import SHARED, checked
from houle.analysis.limits import MOST_THREADS, shown

pytestmark = pytest.mark.quick

FUNCTIONS = [name for name in houle.__all__ if inspect.isfunction(getattr(houle, name))]

NAN, HUGE = float("nan"), 10**9

WRONG: dict[str, list[Any]] = {
    "int": [1.5, "3", NAN, True, [1]],
    "float": ["3", NAN, float("inf"), True, [1]],
    "bool": [1, "yes", None],
    "str": [3, None, ["wave"], object()],
    "Setup | str": [3, None, [1], object()],
    "Setup": [3, object()],
    "Setups": [3, None, [1, 2], [], {"wave": 3}],
    "Strategies": ["", " , ", 3, [1], {"thumb": 1}],
    "Iterable[str]": [3, [1], {"a": 1}],
    "Iterable[str | Path]": [3, [1], {"a": 1}],
    "Iterable[int]": [3, ["a"], [None], {"a": 1}],
    "Mapping[str, Any]": [3, [1], {1: 2}, "hand.front=4"],
    "Mapping[str, float]": [3, {1: 2}, {"win": "x"}, {"win": NAN}, {"nothing": 1.0}],
    "OnGames": [3, "yes"],
    "Position | str": [3, None, object()],
    "str | Iterable[str]": [3, [1], {"a": 1}],
    "Results": [3, [1], {1: 2}, {"win": "x"}],
    "Mapping[str, Any] | Iterable[str]": [3, [1], {1: 2}],
    "int | Iterable[int]": ["3", 1.5, [None], {"a": 1}],
    "str | Path | Iterable[str | Path]": [3, [1], {"a": 1}],
    "str | Path": [3, None, ["a"], b"a"],
    "str | Setup | Sequence[Setup]": [3, None, [1], {"wave": 1}],
    "str | Effort": [3, "much", ["quick"]],
    "OnStep": [3, "yes"],
    "Sequence[str]": [3, [1], {"a": 1}],
    "Sequence[tuple[str, str]]": [3, [1], [("a",)]],
    "Listener": [3, "yes"],
    "Match | Position | str | Iterable[Match | Position | str]": [3, None, [1], object()],
}

RANGES: dict[str, list[Any]] = {
    "threads": [0, -1, MOST_THREADS + 1, HUGE, 1.5, NAN],
    "games": [0, -5, 10**13],
    "seed": [-1, 2**64],
}

GOOD = {"setup": "wave", "setups": "wave", "game": "wave", "targets": "win=40%", "strategies": "thumb"}


def required(function: Any) -> dict[str, Any]:
    """Arguments without a default; values that would be good if the rest were."""
    parameters = inspect.signature(function).parameters.values()
    missing = [one.name for one in parameters if one.default is inspect.Parameter.empty]
    return {name: GOOD.get(name, "nothing") for name in missing}


def wrong_values(parameter: inspect.Parameter) -> list[Any]:
    kind = str(parameter.annotation)
    wrong = WRONG.get(kind, WRONG.get(kind.removesuffix(" | None"), []))
    optional = kind.endswith(" | None") or kind == "Strategies"
    return [*(value for value in wrong if not (value is None and optional)), *RANGES.get(parameter.name, [])]


@pytest.mark.compiled
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_argument_is_one_clear_error(name: str) -> None:
    function = getattr(houle, name)
    for parameter in inspect.signature(function).parameters.values():
        for value in wrong_values(parameter):
            with pytest.raises((houle.InputError, TypeError)) as error:
                function(**{**required(function), parameter.name: value})
            message = f"{parameter.name}={shown(value)}: {error.value}"
            assert isinstance(error.value, houle.InputError), message
            assert len(str(error.value).splitlines()) == 1, message


def test_every_parameter_has_wrong_values() -> None:
    functions = {name: inspect.signature(getattr(houle, name)).parameters.values() for name in FUNCTIONS}
    missing = [f"{name}: {one}" for name, all_of in functions.items() for one in all_of if not wrong_values(one)]
    assert missing == []


def test_an_unknown_argument_names_the_nearest() -> None:
    with pytest.raises(TypeError, match=r"simulate\(\) has no argument 'strategy'; did you mean 'strategies'\?"):
        houle.simulate("wave", strategy="thumb")  # type: ignore[call-arg]


def test_whole_floats_and_iterators_are_accepted() -> None:
    @checked
    def function(games: int, names: list[str] | tuple[str, ...] = (), many: Any = None) -> Any:
        return games, names, many

    assert function(1e3) == (1000, (), None)  # type: ignore[arg-type]
    assert type(function(games=2.0)[0]) is int  # type: ignore[arg-type]
    grid = houle.grid("wave", players=(number for number in (2, 3)), set={"hand.back": range(2)})
    assert len(grid.arms) == 4


WITHOUT = {"report"}  # an example would take minutes

SLOW = {"fit", "card_effects", "design"}  # they play tens of thousands of games

EXAMPLES = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in FUNCTIONS if name not in WITHOUT]


@pytest.mark.compiled
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_a_public_function_runs(name: str) -> None:
    function = getattr(houle, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(function, name)
    assert test.examples, f"{name} has no example"
    failures, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert failures == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_documented(name: str) -> None:
    function = getattr(houle, name)
    text = inspect.getdoc(function) or ""
    section = text.partition("Parameters\n")[2].partition("\nReturns\n")[0]
    documented = set(re.findall(r"\w+", " ".join(re.findall(r"(?m)^\S.*$", section))))
    if "run" in documented:  # the shared options are documented once
        assert "`houle.RunOptions`" in section
        documented |= {*houle.RunOptions.__annotations__}
    assert set(inspect.signature(function).parameters) - {"progress", "file"} <= documented, name
    assert "Returns\n" in text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_shared_parameter_texts_are_written_once(name: str) -> None:
    """A docstring in the source does not repeat a text that `checked` puts in."""
    written = inspect.cleandoc(inspect.unwrap(getattr(houle, name)).__doc__)
    for entry in re.findall(r"^\S.* : .*\n(?:    .*\n)+", written, re.MULTILINE):
        parameter, _, text = entry.strip().partition(" : ")
        assert text not in (SHARED.get(parameter), SHARED.get(f"{parameter}=None")), parameter
