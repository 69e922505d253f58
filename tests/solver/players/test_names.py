"""Strategies as typed: their meaning, line-ups, and errors in one line."""

from __future__ import annotations

import pytest

from houle.solver.errors import InputError
from houle.solver.players.names import parse, split

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("thum", "did you mean 'thumb'"),
        ("flat:x", "write name"),
        ("thumb:3", "takes no number"),
        ("flat:0", "allowed: 1 to"),
        ("flat:_", "'_' is not allowed; allowed: 1 to"),
        ("flat:1__0", "'1__0' is not allowed; allowed: 1 to"),
        ("flat:10_", "allowed: 1 to"),
        ("ismcts:100000001", "allowed: 1 to"),
        ("flat:" + "9" * 5_000, "allowed: 1 to"),
        ("flat:200[noise=" + "9" * 5_000 + "]", "allowed: a number"),
        ("thumb[heat=1]", "no option 'heat'"),
        ("thumb[temperature=hot]", "allowed: a number"),
        ("random[weights=rival]", "has no options"),
        ("thumb[forgets=101]", "forgets: '101' is not allowed; allowed: a number from 0 to 100"),
        ("thumb[forgets=nan]", "allowed: a number from 0 to 100"),
        ("thumb[nearsighted=-1]", "allowed: a number from 0 to 100"),
        ("flat:20[forgets=5]", "flat has no option 'forgets'"),
        ("flat:20[mix=5]", "flat has no option 'mix'"),
    ],
)
def test_invalid_strategies_are_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as fault:
        parse(text)
    assert complaint in str(fault.value)
    assert "\n" not in str(fault.value)
    assert len(str(fault.value)) < 240


@pytest.mark.parametrize(
    ("text", "canonical", "budget"),
    [
        ("thumb", "thumb", 0),
        ("flat", "flat:200", 200),
        ("flat:1_000", "flat:1000", 1000),
        ("flat:007", "flat:7", 7),
        ("ismcts:100_000_000", "ismcts:100000000", 100_000_000),
        ("ismcts:40[explore=0.5,caution=2]", "ismcts:40[caution=2,explore=0.5]", 40),
        (" thumb[never=swap+hide, temperature=30] ", "thumb[never=swap+hide,temperature=30]", 0),
    ],
)
def test_a_strategy_has_one_canonical_text(text: str, canonical: str, budget: int) -> None:
    found = parse(text)
    assert (found.text, found.budget) == (canonical, budget)
    assert parse(canonical) == found


def test_line_ups_split_at_commas_outside_brackets() -> None:
    assert split("flat:20[noise=1,caution=2],thumb , random") == ["flat:20[noise=1,caution=2]", "thumb", "random"]
