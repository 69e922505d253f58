"""A rule that a user changed, and values of knobs as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LONG_VALUE = 30  # characters; longer values are not part of a name
LONG_LIST = 12  # items; of longer lists only the differences are shown


@dataclass(frozen=True)
class RuleChange:
    """A rule that differs from the printed rules."""

    knob: str
    printed: Any  # the value without the user's changes
    now: Any
    provenance: str  # of the replaced value
    source: str  # where the user set it: a file, or "--set"

    @property
    def words(self) -> str:
        """`hand.front = 2, not 3 (printed)`."""
        if isinstance(self.now, list) and isinstance(self.printed, list) and len(self.now) > LONG_LIST:
            return f"{self.knob}: {_differing(self.printed, self.now)} ({self.provenance})"
        return f"{self.knob} = {value_shown(self.now)}, not {value_shown(self.printed)} ({self.provenance})"

    @property
    def setting(self) -> str:
        """`hand.back=3`, as typed; long values are left out."""
        value = value_text(self.now)
        return f"{self.knob}={value}" if len(value) <= LONG_VALUE else f"{self.knob} changed"


def value_text(value: Any) -> str:
    """A knob's value as it is typed after `--set key=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "[" + ",".join(map(str, value)) + "]" if isinstance(value, list | tuple) else str(value)


def value_shown(value: Any) -> str:
    """A knob's value for people: lists with spaces between their items."""
    return value_text(value).replace(",", ", ") if isinstance(value, list | tuple) else value_text(value)


def _differing(printed: list[Any], now: list[Any]) -> str:
    """The differences of two long lists in words."""
    if len(printed) != len(now):
        return f"{len(now)} values, not {len(printed)}"
    places = [i for i, (a, b) in enumerate(zip(printed, now, strict=True)) if a != b]
    first = places[0]
    text = f"value {first + 1} is {now[first]}, not {printed[first]}"
    return text if len(places) == 1 else f"{len(places)} of {len(now)} values differ; {text}"
