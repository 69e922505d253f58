"""At which counts a growing sample is looked at: fixed ones, so that where a run stops depends on its seed alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def look_counts(most: int, first: int, step: Callable[[int], int]) -> Iterator[int]:
    """From `first` on, each `step` of the last one further, below `most`; then `most` itself."""
    count = first
    while count < most:
        yield count
        count += step(count)
    yield most
