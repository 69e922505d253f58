"""How long games live: the chance to be alive at every card, on which card and at whom they die, what is left over.

For games that die of a card that does not fit, and say how: `endings` in their score.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import GAMES, SEED, check_run
from houle.analysis.result import Facts, Result, interval_as_json, interval_columns
from houle.analysis.sampling.lineups import Strategies, as_setup, line_up
from houle.analysis.stats.intervals import Interval, wilson
from houle.solver import interface
from houle.solver.end_reader import EndReader, end_reader_of
from houle.solver.errors import InputError
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.strategies.player import LineUp
from houle.solver.tally import Counts

if TYPE_CHECKING:
    import pandas as pd

CLOSE = 5  # cards left of a game that was nearly won
AT_ONCE = 4096  # endings that are kept in memory together


@dataclass
class Deaths:
    """Exact counts over games; merged in any order."""

    laid: Counts  # games by cards laid when they ended
    died_on: Counts  # lost games by the card that could not be beaten
    died_at: Counts  # lost games by the seat that was stuck; see `Endings.who`
    topped: Counts  # games in which a card was on top
    left: Counts  # lost games that leave a card over
    left_close: Counts  # the same, of games with 1 to CLOSE cards left

    @classmethod
    def empty(cls, end_reader: EndReader) -> Deaths:
        cards = end_reader.size
        sizes = (end_reader.most + 1, cards, len(end_reader.who), cards, cards, cards)
        return cls(*(np.zeros(size, np.int64) for size in sizes))

    @property
    def games(self) -> int:
        return int(self.laid.sum())

    def add(self, other: Deaths) -> None:
        for name, mine in vars(self).items():
            mine += getattr(other, name)

    def note(self, end_reader: EndReader, states: Any) -> None:
        """Counts games by the states they ended in."""
        lives, deck = end_reader.read(states), list(end_reader.cards)
        most = len(self.laid) - 1
        self.laid += np.bincount(lives.laid, minlength=len(self.laid))
        lost = lives.laid < most
        close = lost & (lives.laid >= most - CLOSE)
        self.died_on += np.bincount(lives.last[lost], minlength=len(self.died_on))
        self.died_at += np.bincount(lives.stuck[lost], minlength=len(self.died_at))
        seen = lives.seen[:, deck]
        self.topped[deck] += seen.sum(axis=0)
        self.left[deck] += (lost[:, None] & ~seen).sum(axis=0)
        self.left_close[deck] += (close[:, None] & ~seen).sum(axis=0)


@dataclass(frozen=True, repr=False)
class Endings(Result):
    """Games that were played, read as lives and deaths."""

    line_up: LineUp
    numbers: tuple[int, int]  # seed, games asked for
    deaths: Deaths
    spent: float  # seconds of play
    end_reader: EndReader

    command = "endings"
    close = CLOSE

    @cached_property
    def facts(self) -> Facts:
        seed, asked = self.numbers
        table, names = self.line_up.setup, self.line_up.names
        counts = {name: value.tolist() for name, value in vars(self.deaths).items()}
        told = {"rules": table.digest, "strategies": list(self.line_up.digests), "seed": seed, "deaths": counts}
        return Facts(table, names, seed, self.deaths.games, asked, self.spent, digest(told))

    @property
    def lost(self) -> int:
        return self.games - int(self.deaths.laid[-1])

    @cached_property
    def alive(self) -> list[Interval]:
        """For k = 0, 1, ...: the chance that k cards and more are laid. Each interval holds by itself.

        No game dies before there is a card to die on: of that there is no doubt.
        """
        later = [wilson(number / max(self.games, 1), self.games) for number in self._reached[1:]]
        return [Interval(1.0, 1.0, 1.0, self.games), *later]

    @cached_property
    def _reached(self) -> list[int]:
        """Games with k cards laid, or more."""
        return list(accumulate(reversed(self.deaths.laid.tolist())))[::-1]

    @cached_property
    def dies(self) -> list[Interval]:
        """For k = 0, 1, ...: the chance to die after k cards, of games that live so long."""
        pairs = zip(self.deaths.laid[:-1].tolist(), self._reached[:-1], strict=True)
        return [wilson(ended / alive if alive else 0.0, alive) for ended, alive in pairs]

    def _of_cards(self, counts: Counts, among: Counts | int) -> dict[str, Interval]:
        found = {}
        for card, name in self.end_reader.cards.items():
            total = among if isinstance(among, int) else int(among[card])
            found[name] = wilson(int(counts[card]) / total if total else 0.0, total)
        return found

    @cached_property
    def died_on(self) -> dict[str, Interval]:
        """Of the lost games, how many end on each card."""
        return self._of_cards(self.deaths.died_on, self.lost)

    @cached_property
    def deadly(self) -> dict[str, Interval]:
        """Of the times a card is on top, how often the game ends there."""
        return self._of_cards(self.deaths.died_on, self.deaths.topped)

    @cached_property
    def left(self) -> dict[str, Interval]:
        """Of the lost games, how many leave each card over."""
        return self._of_cards(self.deaths.left, self.lost)

    @cached_property
    def left_close(self) -> dict[str, Interval]:
        """Of the games lost with at most CLOSE cards left, how many leave each card over."""
        return self._of_cards(self.deaths.left_close, int(self.deaths.laid[-1 - CLOSE : -1].sum()))

    @cached_property
    def died_at(self) -> dict[str, Interval]:
        """Of the lost games, at whom they end."""
        found = zip(self.end_reader.who, self.deaths.died_at.tolist(), strict=True)
        return {name: wilson(number / max(self.lost, 1), self.lost) for name, number in found if name}

    @property
    def tables(self) -> dict[str, dict[str, Interval]]:
        """Everything, by what it is and for what."""
        return {
            "alive": {str(k): found for k, found in enumerate(self.alive)},
            "dies": {str(k): found for k, found in enumerate(self.dies)},
            "died_at": self.died_at,
            "died_on": self.died_on,
            "deadly": self.deadly,
            "left": self.left,
            "left_close": self.left_close,
        }

    def frame(self) -> pd.DataFrame:
        """One row per table and card, seat or number of cards."""
        import pandas as pd

        table, digests = self.setup_columns(), self.digest_columns()
        return pd.DataFrame(
            {**table, "table": name, "key": key, **interval_columns("value", found), "n": found.n, **digests}
            for name, rows in self.tables.items()
            for key, found in rows.items()
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle endings --json` prints."""
        return {
            **self.head(),
            "lost": self.lost,
            "tables": {
                name: {key: interval_as_json(found) for key, found in rows.items()}
                for name, rows in self.tables.items()
            },
        }


def check_mortal(setup: Setup) -> EndReader:
    """How games of a table end; refuses tables whose games do not die at a card."""
    found = end_reader_of(setup)
    if isinstance(found, str):
        raise InputError(f"survival: {found}")
    return found


@checked
def endings(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Endings:
    """Show how long games live, on which card and at whom they die, and what is left over.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, of a game that can die of a card that does not fit.
    strategies : str or iterable of str, optional
        Who decides: one for all players, or one each; the thumb by default.
    games : int
        How many games.
    seed : int
        Names the games.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Survival
        With `.alive`, `.dies`, `.died_on`, `.left`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.survival(houle.setup("wave"), strategies="thumb", games=1_000)
    >>> result.alive[0].value, len(result.alive), list(result.died_at)
    (1.0, 34, ['seat 0', 'seat 1', 'seat 2'])
    """
    table = as_setup(setup)
    end_reader = check_mortal(table)
    check_run(games, seed)
    players = line_up(table, strategies)

    def job(begin: int, number: int) -> Deaths:
        found = Deaths.empty(end_reader)
        for start in range(begin, begin + number, AT_ONCE):
            some = min(AT_ONCE, begin + number - start)
            states = interface.blank(table.game.STATE, some)
            play_chunk(table, players, seed, start, some, final_states=states)
            found.note(end_reader, states)
        return found

    total = Deaths.empty(end_reader)
    play_chunk(table, players, seed, 0, 0, final_states=interface.blank(table.game.STATE, 0))  # compiles beforehand
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(players, keeps_states=True))
    return Endings(players, (seed, games), total, seconds, end_reader)
