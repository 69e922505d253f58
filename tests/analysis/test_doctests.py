"""The examples in the docstrings of all that notebooks are promised: they run, and give what they say."""

from __future__ import annotations

import doctest
import inspect

import pytest

import houle

FUNCTIONS = [name for name in houle.__all__ if inspect.isfunction(getattr(houle, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_an_example_that_runs(name: str) -> None:
    function = getattr(houle, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(function, name)
    assert test.examples, f"{name} has no example"
    failures, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert failures == 0
