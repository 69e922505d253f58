"""Cells and tallies as plain data that another process or machine reads back unchanged, and what tells code apart."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from houle.analysis.studies.cell import Cell
from houle.solver.compiler.kernels import source_digest
from houle.solver.errors import RulesError, StudyError
from houle.solver.players.names import parse_portable
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import SET, Deck, Setup, digest, find_game, find_knob, own_code
from houle.solver.rules.files import plain_values
from houle.solver.rules.game_folders import local_name, portable_name
from houle.solver.run.tally import Tally, columns
from houle.solver.sources import outside

Data = dict[str, Any]


def setup_text(setup: Setup) -> str:
    """A setup as text from which another process makes the same setup; decks are in it with their cards."""
    now = {knob: value for knob, _, value in setup.differences}
    decks = {knob: {"deck": value.name, "cards": value.cards} for knob, value in now.items() if isinstance(value, Deck)}
    fields = setup.fields() | {"game": portable_name(setup.ruleset.name), "title": setup.title}
    return json.dumps({**fields, "changed": dict(setup.changed), "decks": decks})


def cell_data(cell: Cell) -> Data:
    """A cell from which another process makes the same cell."""
    return {
        "setup": setup_text(cell.setup),
        "rules": cell.setup.digest,
        "strategies": [strategy.portable for strategy in cell.line_up.strategies],
        "seed": cell.seed,
        "games": cell.games,
        "chunk": cell.chunk,
        "game": portable_name(cell.setup.ruleset.name),
    }


def cell_from(data: Data) -> Cell:
    """The cell of cell_data; a StudyError if the rules here would make another game of it."""
    line_up = _line_up(data["setup"], data["rules"], tuple(data["strategies"]))
    return Cell(line_up, data["seed"], data["games"], data["chunk"])


@lru_cache(maxsize=256)
def _line_up(text: str, rules_digest: str, strategies: tuple[str, ...]) -> LineUp:
    """Read once per process, not for every chunk."""
    return seat(setup_from(text, rules_digest), [parse_portable(strategy) for strategy in strategies])


def setup_from(text: str, rules_digest: str) -> Setup:
    """The setup of setup_text; a StudyError if the rules here would make another game of it."""
    try:
        setup = _setup(plain_values(json.loads(text), "setup"))
    except RulesError as fault:
        raise StudyError(f"the study was made with other rules than those installed here ({fault})") from None
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as fault:
        raise StudyError(f"not a setup of a study: {fault}") from None
    if setup.digest != rules_digest:
        raise StudyError(f"{setup.ruleset.name}: the study was made with other rules than those installed here")
    return setup


def _setup(data: Any) -> Setup:
    """The setup, checked like user input: a digest only shows that the file agrees with itself."""
    decks = {knob: Deck(str(value["deck"]), value["cards"]) for knob, value in data["decks"].items()}
    fields = {name: str(text) for name, text in data.items() if name.removeprefix(SET) not in decks}
    setup = Setup.read(fields | {"game": local_name(fields["game"])}).turned(decks)
    changed = {find_knob(setup.ruleset, knob, "set")[0].name: str(place) for knob, place in data["changed"].items()}
    return replace(setup, title=str(data["title"]), changed=changed)


def rules_code(game: str) -> str:
    """Digest of the code that plays a game, of its rules, and of the data of its strategies."""
    name = local_name(game)
    marker = find_game(name).marker
    return digest([source_digest(() if marker in outside else (marker,)), own_code(name)])


@lru_cache
def package_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def tally_from(setup: Setup, data: Data) -> Tally:
    """The tally from its as_data(), after JSON."""
    tally = Tally.empty(setup)
    try:
        columns(tally.totals)[0] = data["totals"]
        tally.counts[:] = [data["counts"][name] for name in tally.names]
        columns(tally.moments)[:] = data["moments"]
        for side, scores in enumerate(data["scores"]):
            for score, number in scores.items():
                tally.histogram[side, int(score) - tally.lowest] = number
    except (ValueError, TypeError, LookupError, OverflowError, AttributeError) as fault:
        raise StudyError(f"not a tally of a study: {fault}") from None
    return tally
