"""Whether a fault in a part of a report stops the report: it does in tests, readers get a line that says why."""

from __future__ import annotations

import os


def is_strict() -> bool:
    """Whether the environment variable HOULE_STRICT is set."""
    return bool(os.environ.get("HOULE_STRICT"))
