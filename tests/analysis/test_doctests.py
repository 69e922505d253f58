"""The examples in the docstrings of all that notebooks are promised: they run, and give what they say."""

from __future__ import annotations

import doctest
import inspect

import pytest

from houle import analysis

FUNCTIONS = [name for name in analysis.__all__ if inspect.isfunction(getattr(analysis, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_an_example_that_runs(name: str) -> None:
    function = getattr(analysis, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(function, name)
    assert test.examples, f"{name} has no example"
    failures, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert failures == 0


def test_what_is_promised_is_there() -> None:
    assert sorted(analysis.__all__) == sorted(analysis._PUBLIC)
    assert dir(analysis) == list(analysis.__all__)
