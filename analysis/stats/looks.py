"""The counts at which a growing sample is looked at. They are fixed, so where a run stops depends only on its seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def look_counts(most: int, first: int, step: Callable[[int], int]) -> Iterator[int]:
    """`first`, then steps of `step(count)` while below `most`; then `most` itself."""
    count = first
    while count < most:
        yield count
        count += step(count)
    yield most
