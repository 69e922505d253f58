"""Setups and tallies as text that another process or machine reads back unchanged.

A worker first checks that it has the same rules and the same code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from houle.analysis.sampling.backends import count_games
from houle.solver.errors import InputError, RulesError, StudyError
from houle.solver.players.names import parse_portable
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import SET, Deck, Setup, digest, find_game, find_knob, home, look_in
from houle.solver.rules.files import plain_values, read_text
from houle.solver.run.tally import Tally, columns

SHOWN = 8  # letters of a digest in a message


def setup_text(setup: Setup) -> str:
    """A setup as text from which another process makes the same setup; decks are in it with their cards."""
    now = {knob: value for knob, _, value in setup.differences}
    decks = {knob: {"deck": value.name, "cards": value.cards} for knob, value in now.items() if isinstance(value, Deck)}
    return json.dumps({**setup.fields(), "title": setup.title, "changed": dict(setup.changed), "decks": decks})


@lru_cache(maxsize=256)
def line_up_from(text: str, rules_digest: str, strategies: tuple[str, ...]) -> LineUp:
    """The setup of setup_text with its players (`Strategy.portable`); read once per process, not for every chunk."""
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
    setup = Setup.read(fields).turned(decks)
    changed = {find_knob(setup.ruleset, knob, "set")[0].name: str(place) for knob, place in data["changed"].items()}
    return replace(setup, title=str(data["title"]), changed=changed)


@lru_cache
def rules_code(game: str) -> str:
    """Digest of the code that plays a game and of the data of its strategies."""
    from houle.solver.compiler.kernels import source_digest

    find_game(game)  # the sources of an external game are known once it is defined
    own, data = home(game), []
    if own.is_outside and own.weights.exists():
        data.append([own.weights.name, read_text(own.weights)])
    return digest([source_digest((game.replace("-", "_"),)), data])


def package_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def unfit(codes: Mapping[str, str], houle: str, game_paths: Sequence[str] = ()) -> str:
    """Why this process cannot play these games, given with the digests of their code; empty if it can."""
    if package_version("houle") != houle:
        return f"it has houle {package_version('houle')}, not {houle}; install the same version"
    for folder in game_paths:
        look_in(folder)
    for game, code in codes.items():
        try:
            if rules_code(game) != code:
                return _differs(game, code)
        except InputError as fault:
            return f"it cannot play {game}: {fault}"
    return ""


def _differs(game: str, wanted: str) -> str:
    short = rules_code(game)[:SHOWN], wanted[:SHOWN]
    return f"its code for {game} differs from yours (digest {short[0]}, yours {short[1]}); install the same version"


def tally_from(setup: Setup, data: dict[str, Any]) -> Tally:
    """The tally from its as_data(), after JSON."""
    try:
        return _tally(setup, data)
    except (ValueError, TypeError, LookupError, OverflowError, AttributeError) as fault:
        raise StudyError(f"not a tally of a study: {fault}") from None


def _tally(setup: Setup, data: dict[str, Any]) -> Tally:
    tally = Tally.empty(setup)
    columns(tally.totals)[0] = data["totals"]
    tally.counts[:] = [data["counts"][name] for name in tally.names]
    columns(tally.moments)[:] = data["moments"]
    for side, scores in enumerate(data["scores"]):
        for score, number in scores.items():
            tally.histogram[side, int(score) - tally.lowest] = number
    return tally


def play_portable(
    text: str,
    rules_digest: str,
    code: str,
    strategies: tuple[str, ...],
    seed: int,
    first: int,
    number: int,
    game_paths: Sequence[str] = (),
) -> Tally:
    """Play a chunk of a setup given as text; workers of a cluster run this.

    `game_paths` are folders with external games; a worker may have them at the same path.
    """
    for folder in game_paths:
        look_in(folder)
    line_up = line_up_from(text, rules_digest, strategies)
    game = line_up.setup.ruleset.name
    if rules_code(game) != code:
        raise StudyError(_differs(game, code))
    return count_games(line_up, seed, first, number)
