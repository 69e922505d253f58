"""Defaults and limits of the numbers a user can give. Imports no compiler, so the command line can read it quickly."""

from __future__ import annotations

import operator

from houle.solver.errors import InputError

Whole = int | float  # type of a number of games: 1e3 is accepted, 1.5 is not (see arguments.py)

SEED = 1
MOST_SEED = 2**64 - 1
MOST_INDEX = 2**62  # of a game among those of a seed
GAMES = 100_000
MOST_GAMES = 10**12  # sums of squared shares stay below 2^63
MOST_THREADS = 1024
MOST_SHOWN = 60  # characters of a value in an error
DEALS, SEARCH_DEALS = 4_000, 200  # of `difficulty`: fast players, and players that search

# Defaults of each analysis. Players that search play fewer games.
STRENGTH_GAMES, STRENGTH_SEARCH_GAMES = 500, 50
LEAST_WORLDS = 20  # of a search that judges moves: with fewer, half of the worlds cannot estimate an error
LEVEL_GAMES = 4_000  # games to simulate per level when fitting results
TUNING_GENERATIONS, TUNING_POPULATION, TUNING_GAMES = 40, 16, 1_000
MOST_GENERATIONS, LEAST_POPULATION, MOST_POPULATION = 100_000, 4, 1_000
DESIGN_TIME = "90s"  # of a design
# Of people who think: of each setup, of all together (some 10 s), and of each at least.
THINKING_GAMES, THINKING_IN_ALL, LEAST_THINKING = 5_000, 30_000, 500
BALANCE_GAMES, BALANCE_SECONDS = 20_000, 20.0  # of `balance` between people who think: whichever ends first
CARD_GAMES = 400_000  # of all changes of single cards together
TRAINING_SEED = 1_000  # seeds from here on are used only for tuning
CHECK_SEED, CHECK_GAMES = 7, 20_000  # on which tuned weights are measured


def whole(value: object) -> int | None:
    """A whole number as an int, also if it is a float or a NumPy number; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def shown(value: object) -> str:
    """A value as errors quote it: on one line, and short."""
    text = " ".join(repr(value).split())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def check_int(what: str, value: int, least: int, most: int) -> int:
    """A whole number in its range, as an int; InputError otherwise."""
    number = whole(value)
    if number is None or not least <= number <= most:
        raise InputError(f"{what}: {shown(value)} is not allowed; allowed: a whole number from {least} to {most}")
    return number
