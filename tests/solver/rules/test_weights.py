"""Weights files: errors are one line with file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.solver.errors import InputError
from houle.solver.players.weights import check_weights

pytestmark = pytest.mark.quick

GOOD = '[[player]]\nname = "thumb"\n[player.weights]\ngap = 3\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("gap", "gapp"), "player 1 (thumb): there is no rule of thumb 'gapp'; did you mean 'gap'?"),
        (GOOD.replace("3", "0.5"), "player 1 (thumb): gap: 0.5 is not a whole number"),
        (GOOD.replace('name = "thumb"\n', ""), "player 1: name is missing"),
        ('[[player]]\nname = "thumb"\n', "player 1: weights is missing"),
    ],
)
def test_invalid_weights_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(GOOD)
    check_weights(file, ["gap", "stop"])
    file.write_text(text)
    with pytest.raises(InputError, match=r"weights\.toml: player 1") as fault:
        check_weights(file, ["gap", "stop"])
    assert complaint in str(fault.value)
