"""Setups and tallies as text that another process or machine reads back unchanged.

A worker first checks that it has the same rules and the same code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from houle.analysis.sampling.backends import count_games
from houle.solver.errors import InputError, StudyError
from houle.solver.players.names import parse_portable
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Deck, Ruleset, Setup, digest, find_game, home, load, look_in
from houle.solver.rules.files import plain_values, read_text
from houle.solver.run.tally import Tally, columns

SHOWN = 8  # letters of a digest in a message


def setup_text(setup: Setup) -> str:
    """A setup as text from which another process makes the same setup."""
    options = {
        knob: {"deck": value.name, "cards": value.cards} if isinstance(value, Deck) else value
        for knob, value in setup.options.items()
    }
    return json.dumps(
        {
            "game": setup.ruleset.name,
            "players": setup.players,
            "variants": list(setup.variants),
            "options": options,
            "title": setup.title,
            "changed": dict(setup.changed),
        }
    )


@lru_cache(maxsize=256)
def line_up_from(text: str, rules_digest: str, strategies: tuple[str, ...]) -> LineUp:
    """The setup of setup_text with its players (`Strategy.portable`); read once per process, not for every chunk."""
    return seat(setup_from(text, rules_digest), [parse_portable(strategy) for strategy in strategies])


def setup_from(text: str, rules_digest: str) -> Setup:
    """The setup of setup_text; a StudyError if the rules here would make another game of it."""
    try:
        setup = _setup(plain_values(json.loads(text), "setup"))
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as fault:
        raise StudyError(f"not a setup of a study: {fault}") from None
    ruleset, options = setup.ruleset, setup.options
    if set(options) != set(ruleset.knobs) or setup.digest != rules_digest:
        knobs = sorted(set(options) ^ set(ruleset.knobs))
        which = f" (knobs that only one of the two has: {', '.join(knobs)})" if knobs else ""
        raise StudyError(f"{ruleset.name}: the study was made with other rules than those installed here{which}")
    _ = setup.rules
    return setup


def _setup(data: Any) -> Setup:
    """The setup, checked like user input: a digest only shows that the file agrees with itself."""
    ruleset = load(data["game"])
    options = {knob: _value(ruleset, knob, value) for knob, value in data["options"].items()}
    if not isinstance(data["players"], int) or data["players"] not in ruleset.players:
        raise ValueError(f"players: {data['players']!r} is not allowed")
    variants = tuple(ruleset.variants[name].name for name in data["variants"])
    changed = {str(knob): str(source) for knob, source in data["changed"].items()}
    return Setup(ruleset, data["players"], variants, options, str(data["title"]), changed)


def _value(ruleset: Ruleset, knob: str, value: Any) -> Any:
    if knob not in ruleset.knobs:  # a knob of other rules, reported later
        return value
    if ruleset.knobs[knob].type == "deck":  # with its cards; its name is not a path here
        return Deck(str(value["deck"]), value["cards"])
    return ruleset.knobs[knob].check(value)


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
