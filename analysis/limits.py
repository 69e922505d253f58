"""Defaults and limits of what can be asked for: no compiler, so that the command line reads its defaults here."""

from __future__ import annotations

from houle.solver.errors import InputError

SEED = 1
MOST_SEED = 2**64 - 1
MOST_INDEX = 2**62  # of a game among those of a seed
GAMES = 100_000
MOST_GAMES = 10**12  # sums of squared shares stay below 2^63
DEALS, SEARCH_DEALS = 20_000, 400  # of a bracket: for strategies that are quick, and for those that search

# What each analysis plays where nothing else is said; those that search play fewer.
STRENGTH_GAMES, STRENGTH_SEARCH_GAMES = 10_000, 400
RESPONSE_WORLDS = 50  # of a search that answers what the others play
SKILL_GAMES, SKILL_SEARCH_GAMES, SKILL_TAKES = 2_000, 200, 4
DECISIONS_GAMES, DECISIONS_SEARCH = 40, "flat:200"
LEAST_WORLDS = 20  # of a search that judges: below, half of the worlds say nothing about an error
DECISIONS_LEAST = 0.05  # of a win: a choice that is worth less does not matter
ABLATION_GAMES = 4_000
LEARNING_GAMES, LEARNING_ORDER = 2_000, 100  # deals of a learning curve, and the fewest on which its order is found
LEVEL_GAMES = 20_000  # of every place on the line of levels, at every table that results came from
TUNING_GENERATIONS, TUNING_POPULATION, TUNING_GAMES = 40, 16, 1_000
# Of a design: games of cheap players in all, of every setting by those who search, and fresh ones of its answers.
DESIGN_GAMES, DESIGN_SEARCH_GAMES, DESIGN_FRESH = 2_000_000, 400, 100_000
SEARCH_TUNING_GAMES = 60  # deals that every candidate plays, and again for the comparison
TRAINING_SEED = 1_000  # seeds from here on are for tuning and nothing else
CHECK_SEED, CHECK_GAMES = 7, 20_000  # on which what was tuned is measured


def check_int(what: str, value: int, least: int, most: int) -> int:
    """A whole number in its range, or a fault of one line."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"{what}: {value!r} is not allowed; allowed: a whole number from {least} to {most}")
    return value


def check_run(games: int, seed: int, first: int = 0) -> None:
    """What names the games of a run."""
    check_int("games", games, 1, MOST_GAMES)
    check_int("seed", seed, 0, MOST_SEED)
    check_int("first", first, 0, MOST_GAMES)
