"""The log of the studio: every setting that was tried, with its numbers. It is kept in the user's state folder."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from typing import Any

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.studio.rows import StudioRows
from houle.analysis.studio.state import LOCK
from houle.cli.framework.files import state_folder
from houle.cli.framework.streams import complain
from houle.cli.studio.answers import numbers
from houle.solver.rules import differences_line, variant_name
from houle.solver.rules.files import write_whole

MOST = 400  # settings; the oldest without a name are forgotten first
LEAST_GAMES = 1_000  # of a setting on the way to another one
FILE = "studio-tried.json"

SAME_RULES = ("name", LOCK, "target", "who")  # fields of an address that change no game

Entry = dict[str, Any]
KINDS: dict[str, type | tuple[type, ...]] = {
    "query": str,
    "label": str,
    "game": str,
    "players": int,
    "variant": str,
    "differs": str,
    "games": int,
    "who": str,
    "seed": int,
    "digest": str,
    "time": str,
    "rows": dict,
    "unit": str,
    "send": bool,
}


def is_entry(one: Any) -> bool:
    """Whether data from a file is a setting with its numbers."""
    if not isinstance(one, dict) or any(not isinstance(one.get(name), kind) for name, kind in KINDS.items()):
        return False
    rows = [row for row in one["rows"].values() if isinstance(row, list) and len(row) == 4]
    return len(rows) == len(one["rows"]) and all(isinstance(value, int | float) for row in rows for value in row)


class Log:
    """Settings by their address, in the order in which they were first tried."""

    def __init__(self) -> None:
        self.path = state_folder() / FILE
        self.lock = threading.Lock()
        self.entries: dict[str, Entry] = {}
        self.broken = False
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if not isinstance(data, list) or not all(map(is_entry, data)):
                raise ValueError("not every entry is a setting with its numbers")
            self.entries = {one["query"]: one for one in data}
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as fault:
            complain(f"{self.path}: not read, and not changed: {fault}")
            self.broken = True

    def note(self, live: StudioRows, least: int = LEAST_GAMES) -> None:
        """Remember what was counted of a setting, from `least` games on; more replace fewer."""
        main = live.main.mine
        if main.games < least:
            return
        query = live.state.without_pin.query
        with self.lock:
            known, found = self.entries.get(query, {}), numbers(live)
            if (known.get("games", 0), counted_in(known.get("rows", {}))) >= (main.games, counted_in(found["rows"])):
                return
            setup = live.state.setup
            self.entries[query] = {
                "query": query,
                "label": known.get("label", ""),
                "game": setup.ruleset.name,
                "players": setup.players,
                "variant": variant_name(setup),
                "differs": differences_line(setup),
                "games": main.games,
                "who": live.main.name,
                "seed": live.state.seed,
                "digest": main.digest,
                "time": known.get("time") or time.strftime("%Y-%m-%d %H:%M"),
                "send": known.get("send", False),
                **found,
            }
            self._trim()
            self._write()

    def take(self, tried: Sequence[Any]) -> None:
        """Add what somebody else tried, from a page that was sent; what is known here stays."""
        with self.lock:
            for one in reversed(tried[:MOST]):
                if is_entry(one) and one["query"] not in self.entries:
                    self.entries[one["query"]] = {name: one[name] for name in KINDS}
            self._trim()
            if tried:
                self._write()

    def _trim(self) -> None:
        for query in [query for query, entry in self.entries.items() if not entry["label"]]:
            if len(self.entries) <= MOST:
                break
            del self.entries[query]

    def _write(self) -> None:
        if self.broken:
            return
        text = json.dumps(list(self.entries.values()), ensure_ascii=False, indent=1)
        try:
            self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
            write_whole(self.path, lambda beside: beside.write_text(text, encoding="utf-8"))
        except (OSError, ValueError) as fault:
            complain(f"the log is not kept: {fault}")
            self.broken = True

    def set(self, query: str, field: str, value: str | bool) -> None:
        """Name a setting (`label`), or choose it for the page to send (`send`)."""
        with self.lock:
            if query in self.entries:
                self.entries[query][field] = value
                self._write()

    def remove(self, query: str) -> None:
        with self.lock:
            if self.entries.pop(query, None) is not None:
                self._write()

    def of(self, game: str) -> list[Entry]:
        """The settings of a game, the latest first; of equal rules the one with a name, else with most games."""
        kept: dict[frozenset[tuple[str, str]], Entry] = {}
        with self.lock:
            for one in reversed(self.entries.values()):
                fields = (field.partition("=") for field in one["query"].split("&"))
                rules = frozenset((name, value) for name, _, value in fields if name not in SAME_RULES)
                if one["game"] == game and _weight(one) > _weight(kept.get(rules)):
                    kept[rules] = dict(one)
        return list(kept.values())


def counted_in(rows: dict[str, list[float]]) -> float:
    """The games of all kinds of players together."""
    return sum(row[3] for row in rows.values())


def _weight(one: Entry | None) -> tuple[bool, float]:
    """Which of several entries for equal rules is shown."""
    return (bool(one["label"]), counted_in(one["rows"])) if one else (False, -1.0)


def shown_in(one: Entry) -> dict[str, tuple[str, str]]:
    """The rates of an entry with their intervals, rounded as in the answers, by kind of player."""
    per, unit = (100, PERCENT) if one["unit"] else (1, "")
    rates = {
        who: Estimate(value / per, low / per, high / per, n=int(games), unit=unit)
        for who, (value, low, high, games) in one["rows"].items()
    }
    return {who: (rate.short(), rate.parts()[1]) for who, rate in rates.items()}
