"""Groups of people whose level `houle calibrate --name` found: their names are players, in every command.

They are in groups.toml of the user's configuration folder: HOULE_CONFIG_DIR, or houle in XDG_CONFIG_HOME or ~/.config.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from houle.analysis.players.named_players import named_player, top
from houle.solver.errors import FileError, InputError
from houle.solver.players.names import KINDS
from houle.solver.rules.files import write_whole

FILE = "groups.toml"
ALLOWED_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True)
class Group:
    """A group of people on the line of levels."""

    name: str
    level: float  # the likeliest point
    low: float  # the interval of points that the results allow
    high: float
    beyond: int  # 1 if its results are better than those of the last level, -1 if worse than those of the first, else 0
    results: int
    likelihood: tuple[float, ...]  # its logarithm at equal steps from 0 to the end of the line, 0 at the likeliest


def config_folder() -> Path:
    """Where the user's own data is kept."""
    if chosen := os.environ.get("HOULE_CONFIG_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "houle"


def groups() -> Mapping[str, Group]:
    """Every saved group, by its name."""
    path = config_folder() / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _group(name, entry) for name, entry in data.items()}
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as fault:
        raise FileError(f"{path}: {fault}") from None
    except KeyError as fault:
        raise FileError(f"{path}: not a file of groups: {fault.args[0]} is missing") from None
    except (ValueError, TypeError, AttributeError) as fault:
        raise FileError(f"{path}: not a file of groups: {fault}") from None


def _group(name: str, entry: Mapping[str, object]) -> Group:
    level, low, high = (float(entry[key]) for key in ("level", "low", "high"))  # type: ignore[arg-type]
    likelihood = tuple(float(value) for value in entry["likelihood"])  # type: ignore[attr-defined]
    if not (0 <= low <= level <= high <= top() and len(likelihood) > top()):
        raise ValueError(f"{name}: its level is not on the line from 0 to {top()}")
    beyond, results = (int(entry[key]) for key in ("beyond", "results"))  # type: ignore[call-overload]
    return Group(name, level, low, high, beyond, results, likelihood)


def check_group_name(name: str) -> None:
    """Raises InputError if a group cannot have this name."""
    if not ALLOWED_NAME.fullmatch(name):
        allowed = "small letters, digits and hyphens, as my-group"
        raise InputError(f"--name: {name[:60]!r} is not allowed; allowed: {allowed}")
    if name in KINDS or named_player(name):
        raise InputError(f"--name: {name!r} is a player of houle; choose another name, as my-group")


def save_group(group: Group) -> Path:
    """Write a group into the user's file; a group of the same name is replaced."""
    check_group_name(group.name)
    path = config_folder() / FILE
    blocks = []
    for one in sorted({**groups(), group.name: group}.values(), key=lambda one: one.name):
        values = ", ".join(f"{value:.4f}" for value in one.likelihood)
        blocks.append(
            f"[{one.name}]\nlevel = {one.level:.2f}\nlow = {one.low:.2f}\nhigh = {one.high:.2f}\n"
            f"beyond = {one.beyond}\nresults = {one.results}\nlikelihood = [{values}]\n"
        )
    write_whole(path, lambda beside: beside.write_text("\n".join(blocks), encoding="utf-8"))
    return path
