"""Skill and luck at every table of the almanac: docs/almanac/skill.csv, a row a table, from `houle skill`.

Players that do not search; a row is played again as soon as one of the table's cells of these players has changed.
"""

from __future__ import annotations

import csv
import time
from datetime import UTC, datetime

from almanac_cells import FOLDER, Key, Row, all_cells, kept, three

from houle import skill
from houle.solver.ruleset import Setup, variant_name

FILE = FOLDER / "skill.csv"
WHO = ("random", "novice", "thumb")
DEALS, DEALS_OF, SEED = 500, {"wave": 2000, "sea-change": 300, "vague-attaque": 300}, 21  # as fast as they are played
PARTS = ("player", "seat", "deal", "rest")
COLUMNS = (
    "game", "players", "variant",
    *(f"{name}{end}" for name in ("gap", "least", "most", *PARTS) for end in ("", "_low", "_high")),
    "deals", "seed", "probes", "digest", "seconds", "played", "command",
)  # fmt: skip


def table_key(setup: Setup) -> Key:
    return (setup.ruleset.name, str(setup.players), variant_name(setup))


def deals_of(setup: Setup) -> int:
    return DEALS_OF.get(setup.ruleset.name, DEALS)


def read_skill() -> dict[Key, Row]:
    if not FILE.exists():
        return {}
    with FILE.open() as lines:
        return {(row["game"], row["players"], row["variant"]): row for row in csv.DictReader(lines)}


def tables() -> dict[Key, Setup]:
    """Every table once, in the order of docs/almanac.toml."""
    found: dict[Key, Setup] = {}
    for cell in all_cells():
        found.setdefault(table_key(cell.setup), cell.setup)
    return found


def played(setup: Setup, probes: str) -> Row:
    """What better play wins, what lies in the deal (the pairs with the least and the most in common), what decides."""
    deals = deals_of(setup)
    found = skill(setup, strategies=WHO, games=deals, search_games=deals, seed=SEED)
    ends = found.deal.ends() if found.deal else None
    luck = found.mixed or found.alike
    parts = (luck.parts["win"] if luck else None) or {}
    row: Row = dict(zip(COLUMNS, table_key(setup), strict=False))
    row |= three("gap", found.gap.skill if found.gap else None)
    row |= three("least", ends[0].known("win") if ends else None) | three(
        "most", ends[1].known("win") if ends else None
    )
    for name in PARTS:
        row |= three(name, parts.get(name))
    row |= {"deals": str(deals), "seed": str(SEED), "probes": probes, "digest": found.digest}
    row |= {"seconds": f"{found.seconds:.1f}", "command": found.repeat()}
    return row | {"played": datetime.now(UTC).strftime("%Y-%m-%d")}


def play_skill(end: float) -> None:
    """Plays what is missing or no longer stands, until the clock says `end`."""
    rows, skills = kept(), read_skill()
    wanted = {place: setup for place, setup in tables().items() if all((*place, who) in rows for who in WHO)}
    for place, setup in wanted.items():
        probes = " ".join(rows[*place, who]["probe"] for who in WHO)
        old = skills.get(place)
        if old and (old["probes"], old["deals"], old["seed"]) == (probes, str(deals_of(setup)), str(SEED)):
            continue
        if time.monotonic() > end:
            break
        skills[place] = played(setup, probes)
        print("skill", *place, skills[place]["seconds"], "s", flush=True)
        with FILE.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(skills[one] for one in tables() if one in skills)
