"""Sets of games as spans, written as `0-499,1000-1499`: which games of a cell are counted.

Games come in chunks of any size, nearly in order, so a million chunks are a few spans.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

MOST_DIGITS = 18
_SPAN = re.compile(rf"(\d{{1,{MOST_DIGITS}}})-(\d{{1,{MOST_DIGITS}}})", re.ASCII)


class OverlapError(ValueError):
    """A game was counted before; `first` and `last` are games that both spans have."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(f"games {first:,} to {last:,} are counted twice")
        self.first, self.last = first, last


class Spans:
    """A set of whole numbers as sorted spans that neither overlap nor touch."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []  # of each span, one beyond its last game
        self.games = 0

    @classmethod
    def parse(cls, text: str) -> Spans:
        """The set that str() wrote; ValueError for any other text."""
        spans = cls()
        for part in text.split(",") if text else ():
            match = _SPAN.fullmatch(part)
            if match is None:
                raise ValueError(f"{part[:40]!r} is not a span of games")
            spans.add(int(match[1]), int(match[2]) + 1)
        if str(spans) != text:
            raise ValueError("spans of games out of order")
        return spans

    def __str__(self) -> str:
        return ",".join(f"{first}-{end - 1}" for first, end in self)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The first game of each span, and the end, one beyond its last."""
        return zip(self._starts, self._ends, strict=True)

    def add(self, first: int, end: int) -> None:
        """Adds the games from `first` up to, not including, `end`; OverlapError if one of them is there."""
        if not 0 <= first < end:
            raise ValueError(f"{first}-{end - 1} is not a span of games")
        at = bisect_left(self._starts, first)  # the first span that begins at `first` or later
        if at < len(self._starts) and self._starts[at] < end:
            raise OverlapError(self._starts[at], min(end, self._ends[at]) - 1)
        if at > 0 and self._ends[at - 1] > first:
            raise OverlapError(first, min(end, self._ends[at - 1]) - 1)
        self.games += end - first
        touches = at > 0 and self._ends[at - 1] == first
        reaches = at < len(self._starts) and self._starts[at] == end
        if touches and reaches:
            self._ends[at - 1] = self._ends.pop(at)
            del self._starts[at]
        elif touches:
            self._ends[at - 1] = end
        elif reaches:
            self._starts[at] = first
        else:
            self._starts.insert(at, first)
            self._ends.insert(at, end)

    def gaps(self, first: int, end: int) -> list[tuple[int, int]]:
        """The spans from `first` to `end` that are missing."""
        missing = []
        for start, stop in self:
            if stop <= first or start >= end:
                continue
            if start > first:
                missing.append((first, start))
            first = stop
        return [*missing, (first, end)] if first < end else missing

    def within(self, first: int, end: int) -> bool:
        """Whether all games are from `first` up to, not including, `end`."""
        return not self._starts or (self._starts[0] >= first and self._ends[-1] <= end)
