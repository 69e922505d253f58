"""Examples of public functions run as they stand."""

from __future__ import annotations

import doctest
import inspect

import pytest

from houle import analysis


@pytest.mark.parametrize("name", analysis.__all__)
def test_examples_run(name: str) -> None:
    found = getattr(analysis, name)
    source = inspect.getmodule(found)
    examples = [test for test in doctest.DocTestFinder(recurse=False).find(found, name, source) if test.examples]
    for test in examples:
        failed = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed
        assert failed == 0, f"{name}: see the output above"
