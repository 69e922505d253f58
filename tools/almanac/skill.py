"""Skill and luck of every setup of the almanac: docs/data/almanac/skill.csv, from `houle skill`.

A row is played again as soon as a probe of one of its players has changed.
"""

from __future__ import annotations

import csv
import time

from houle import skill
from houle.solver.rules import Setup, variant_name
from tools.almanac.cells import FOLDER, Key, Row, all_cells, kept, stamp, three

FILE = FOLDER / "skill.csv"
MIDDLE = "family"
WHO = ("random", MIDDLE, "seasoned")
DEALS, DEALS_OF, SEED = 300, {"wave": 1000}, 21  # fewer for slow games
PARTS = ("player", "seat", "deal", "rest")
COLUMNS = (
    "game", "players", "variant", "middle",
    *(f"{name}{end}" for name in ("gap", "least", "most", *PARTS) for end in ("", "_low", "_high")),
    "deals", "seed", "probes", "digest", "seconds", "played", "version", "command",
)  # fmt: skip


def setup_key(setup: Setup) -> Key:
    return (setup.ruleset.name, str(setup.players), variant_name(setup))


def deals_of(setup: Setup) -> int:
    return DEALS_OF.get(setup.ruleset.name, DEALS)


def read_skill() -> dict[Key, Row]:
    if not FILE.exists():
        return {}
    with FILE.open() as lines:
        return {(row["game"], row["players"], row["variant"]): row for row in csv.DictReader(lines)}


def setups() -> dict[Key, Setup]:
    """Every setup once, in the order of docs/data/almanac.toml."""
    by_key: dict[Key, Setup] = {}
    for cell in all_cells():
        by_key.setdefault(setup_key(cell.setup), cell.setup)
    return by_key


def played(setup: Setup, probes: str) -> Row:
    """The row of a setup: what better play wins, how much the deal decides, and the parts of the variance."""
    deals = deals_of(setup)
    result = skill(setup, strategies=WHO, games=deals, search_games=deals, seed=SEED)
    ends = result.deal.ends() if result.deal else None
    luck = result.mixed or result.alike
    parts = (luck.parts["win"] if luck else None) or {}
    row: Row = dict(zip(COLUMNS, (*setup_key(setup), MIDDLE), strict=False))
    row |= three("gap", result.gap.skill if result.gap else None)
    row |= three("least", ends[0].known("win") if ends else None) | three(
        "most", ends[1].known("win") if ends else None
    )
    for name in PARTS:
        row |= three(name, parts.get(name))
    row |= {"deals": str(deals), "seed": str(SEED), "probes": probes, "digest": result.digest}
    row |= {"seconds": f"{result.seconds:.1f}", "command": result.repeat()}
    return row | stamp()


def play_skill(end: float) -> None:
    """Plays the rows that are missing or out of date, until the time `end`."""
    rows, skills = kept(), read_skill()
    wanted = {where: setup for where, setup in setups().items() if all((*where, who) in rows for who in WHO)}
    for where, setup in wanted.items():
        probes = " ".join(rows[*where, who]["probe"] for who in WHO)
        old = skills.get(where)
        if old and (old["probes"], old["deals"], old["seed"]) == (probes, str(deals_of(setup)), str(SEED)):
            continue
        if time.monotonic() > end:
            break
        skills[where] = played(setup, probes)
        print("skill", *where, skills[where]["seconds"], "s", flush=True)
        with FILE.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(skills[one] for one in setups() if one in skills)
