"""The templates of the studio."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.reports.html.page import templates

TEMPLATES = Path(__file__).parent / "templates"


@lru_cache
def asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def render(name: str, **values: Any) -> str:
    return templates(TEMPLATES).get_template(name).render(values)
