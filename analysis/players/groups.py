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

import numpy as np

from houle.analysis.players.named_players import named_player, strategy_of, top
from houle.analysis.players.plane import in_levels
from houle.solver.errors import FileError, InputError
from houle.solver.players.names import CERTAIN, KINDS
from houle.solver.rules.files import write_whole

FILE = "groups.toml"
OLD = "likelihood"  # only groups of houle 0.3.0 have it
ALLOWED_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


Point = tuple[float, float]  # slips and thought


@dataclass(frozen=True)
class Group:
    """A group of people on the plane of slips and thought."""

    name: str
    slips: float  # the middle of its points
    thought: float
    points: tuple[Point, ...]  # equally likely: together they stand for all that its results leave open
    beyond: int  # 1 if its results are better than those of the last level, -1 if worse than those of the first, else 0
    results: int

    @property
    def strategy(self) -> str:
        """The player at the middle of its points."""
        return strategy_of(self.slips, self.thought)

    @property
    def level(self) -> float:
        """Where it is along the line of levels."""
        return level_of((self.slips, self.thought))

    @property
    def low(self) -> float:
        return min(map(level_of, self.points))

    @property
    def high(self) -> float:
        return max(map(level_of, self.points))


def level_of(point: Point) -> float:
    """The nearest point on the line of levels."""
    return float(np.clip(sum(in_levels(*point)) / 2, 0, top()))


def config_folder() -> Path:
    """Where the user's own data is kept."""
    if chosen := os.environ.get("HOULE_CONFIG_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "houle"


def groups(asked: str = "") -> Mapping[str, Group]:
    """Every saved group, by its name. Those of houle 0.3.0 are left out; the one that is asked for is an error."""
    path = config_folder() / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _group(name, entry) for name, entry in data.items() if OLD not in entry or name == asked}
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as fault:
        raise FileError(f"{path}: {fault}") from None
    except KeyError as fault:
        raise FileError(f"{path}: not a file of groups: {fault.args[0]} is missing") from None
    except (ValueError, TypeError, AttributeError) as fault:
        raise FileError(f"{path}: not a file of groups: {fault}") from None


def _group(name: str, entry: Mapping[str, object]) -> Group:
    if OLD in entry:
        raise ValueError(f"{name} is of houle 0.3.0; calibrate it again: houle calibrate RESULTS --name {name}")
    numbers = tuple(tuple(map(float, point)) for point in (entry["point"], *entry["points"]))  # type: ignore[misc]
    if len(numbers) < 2 or not all(len(point) == 2 and 0 <= point[0] <= CERTAIN and point[1] >= 0 for point in numbers):
        raise ValueError(f"{name}: points; allowed: pairs of slips from 0 to {CERTAIN} and thought from 0")
    beyond, results = (int(entry[key]) for key in ("beyond", "results"))  # type: ignore[call-overload]
    (slips, thought), *points = numbers
    return Group(name, slips, thought, tuple(points), beyond, results)  # type: ignore[arg-type]


def check_group_name(name: str) -> None:
    """Raises InputError if a group cannot have this name."""
    if not ALLOWED_NAME.fullmatch(name):
        allowed = "small letters, digits and hyphens, as my-group"
        raise InputError(f"--name: {name[:60]!r} is not allowed; allowed: {allowed}")
    if name in KINDS or named_player(name):
        raise InputError(f"--name: {name!r} is a player of houle; choose another name, as my-group")


def save_group(group: Group) -> Path:
    """Write a group into the user's file; a group of the same name is replaced, and those of 0.3.0 are removed."""
    check_group_name(group.name)
    path = config_folder() / FILE
    blocks = []
    for one in sorted({**groups(), group.name: group}.values(), key=lambda one: one.name):
        points = ", ".join(f"[{slips:g}, {thought:g}]" for slips, thought in one.points)
        blocks.append(
            f"[{one.name}]\npoint = [{one.slips:g}, {one.thought:g}]\npoints = [{points}]\n"
            f"beyond = {one.beyond}\nresults = {one.results}\n"
        )
    write_whole(path, lambda beside: beside.write_text("\n".join(blocks), encoding="utf-8"))
    return path
