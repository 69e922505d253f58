"""`houle players`: the list of named players."""

from __future__ import annotations

import json

import pytest

from tests.support.call import good

pytestmark = pytest.mark.quick


def test_page_and_json_list_all_levels() -> None:
    page = good("players", "wave")
    data = json.loads(good("players", "vague-verte", "--json"))
    levels = [one["name"] for one in data["named"] if one["level"]]
    assert levels[:3] == ["first-game", "family", "regular"]
    for name in levels:
        assert f"\n{name} = " in page
    for option in ("forgets", "nearsighted", "loses_count"):
        assert f"\n  {option}  " in page
