"""Every public function has a numpydoc docstring with an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest

import houle
from houle.analysis.arguments import SHARED

pytestmark = pytest.mark.quick

FUNCTIONS = [name for name in houle.__all__ if inspect.isfunction(getattr(houle, name))]
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
