"""`houle endings`: how long games last, on which card and at which seat they are lost, and which cards are left over.

For games that are lost when no card fits, with an `end_reader` in their score.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.blocks import SEATS, Block, Column, about, table, text
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.result import Facts, Finished, Record, run_digest
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.backends import FINAL_STATES, Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import picked, wilson
from houle.solver.errors import RulesError
from houle.solver.interface.files import EndReader, end_reader_of
from houle.solver.rules import Setup
from houle.solver.run.tally import Counts
from houle.solver.texts import in_words

CLOSE = 5  # at most so many cards left: the game was nearly won
MOST_CARDS = 8  # in a table


@dataclass
class EndCounts:
    """Exact counts over games, which can be added in any order."""

    laid: Counts  # games by number of cards laid
    died_on: Counts  # lost games by the last card
    died_at: Counts  # lost games by the seat that was stuck; see `EndReader.who`
    topped: Counts  # games in which a card was on top
    left: Counts  # lost games that leave a card over
    left_close: Counts  # the same for games with 1 to CLOSE cards left

    @classmethod
    def empty(cls, end_reader: EndReader) -> EndCounts:
        cards = end_reader.size
        sizes = (end_reader.most + 1, cards, len(end_reader.who), cards, cards, cards)
        return cls(*(np.zeros(size, np.int64) for size in sizes))

    @property
    def games(self) -> int:
        return int(self.laid.sum())

    def add(self, other: EndCounts) -> None:
        for name, mine in vars(self).items():
            mine += getattr(other, name)

    @classmethod
    def of(cls, end_reader: EndReader, states: Any) -> EndCounts:
        """Count games by their final states."""
        self = cls.empty(end_reader)
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
        return self


@dataclass(frozen=True, repr=False)
class Endings(Finished):
    """How the games of a run ended."""

    counts: EndCounts
    end_reader: EndReader

    command = "endings"
    rows_key = None
    close = CLOSE

    @property
    def headline(self) -> str:
        """How many games are won, and the card that most lost games end on."""
        won = wilson(1 - self.lost / max(self.games, 1), self.games).text()
        if not self.lost:
            return f"{won} of games are won"
        card, share = max(self.died_on.items(), key=lambda item: item[1].value)
        return f"{won} of games are won; {share.text()} of lost games end on {card}"

    def sentences(self) -> list[Block]:
        """How long games last, how many are nearly won, and which cards are dangerous."""
        half = next((played for played, running in enumerate(self.alive) if running.value < 0.5), None)
        said = [
            text("More than half of the games are won.")
            if half is None
            else text("Half of the games are lost before card {half} is played.", half=half)
        ]
        said += [self.nearly_won()] if self.lost else []
        (card, rate), (left, share) = (most_of(shares, 1)[0] for shares in (self.deadly, self.left_close))
        cards = 2 * len(self.end_reader.cards)
        if rate.n:
            words = text(
                "The most dangerous card to leave on top is {card}: {rate} of the times it is on top, the game ends. "
                "The card most often left over in games that are nearly won is {left}: in {share} of them.",
                card=card,
                rate=picked(rate, cards),
                left=left,
                share=picked(share, cards),
            )
            said.append(about(words, self.player, "deadly, left_close"))
        return said

    def nearly_won(self) -> Block:
        """How many of the lost games end with few cards left."""
        close = in_words(self.close)
        words = text("{nearly} of lost games end with at most {close} cards left.", nearly=self.nearly, close=close)
        return about(words, self.player, "nearly_won")

    def running(self) -> Block:
        """How many games last card by card."""
        columns = [Column("cards", "cards played"), Column("running", "games still going"),
                   Column("end", "of these end here")]  # fmt: skip
        ends = [*self.dies, None]
        rows = [[played, alive, ends[played]] for played, alive in enumerate(self.alive)]
        return table("running", "Games still going.", columns, rows)

    def details(self) -> list[Block]:
        """Which cards end games, and who is stuck then."""
        cards = [
            Column("card", "card on top"),
            Column("deadly", "game ends, of the times it is on top"),
            Column("died_on", "of all lost games"),
            Column("left_close", "left over, of games nearly won"),
        ]
        rows = [[card, rate, self.died_on[card], self.left_close[card]] for card, rate in most_of(self.deadly)]
        stuck = [Column("who", "who is stuck", SEATS), Column("share", "of lost games")]
        return [
            table("dangerous_cards", "The most dangerous cards to leave on top.", cards, rows),
            table("stuck", "Who cannot play when a game is lost.", stuck, list(self.died_at.items())),
        ]

    @property
    def lost(self) -> int:
        return self.games - int(self.counts.laid[-1])

    @cached_property
    def alive(self) -> list[Estimate]:
        """For k = 0, 1, ...: the share of games with at least k cards laid, which is 1 for k = 0."""
        later = [wilson(number / max(self.games, 1), self.games) for number in self._reached[1:]]
        return [Estimate(1.0, 1.0, 1.0, self.games, PERCENT), *later]

    @cached_property
    def _reached(self) -> list[int]:
        """Games with at least k cards laid."""
        return list(accumulate(reversed(self.counts.laid.tolist())))[::-1]

    @cached_property
    def dies(self) -> list[Estimate]:
        """For k = 0, 1, ...: the share of games lost after exactly k cards, of those that reach k."""
        pairs = zip(self.counts.laid[:-1].tolist(), self._reached[:-1], strict=True)
        return [wilson(ended / alive if alive else 0.0, alive) for ended, alive in pairs]

    def _of_cards(self, counts: Counts, among: Counts | int) -> dict[str, Estimate]:
        shares = {}
        for card, name in self.end_reader.cards.items():
            total = among if isinstance(among, int) else int(among[card])
            shares[name] = wilson(int(counts[card]) / total if total else 0.0, total)
        return shares

    @cached_property
    def died_on(self) -> dict[str, Estimate]:
        """Share of lost games that end on each card."""
        return self._of_cards(self.counts.died_on, self.lost)

    @cached_property
    def deadly(self) -> dict[str, Estimate]:
        """How often the game is lost when a card is on top."""
        return self._of_cards(self.counts.died_on, self.counts.topped)

    @cached_property
    def left(self) -> dict[str, Estimate]:
        """Share of lost games that leave each card over."""
        return self._of_cards(self.counts.left, self.lost)

    @cached_property
    def left_close(self) -> dict[str, Estimate]:
        """The same for games lost with at most CLOSE cards left."""
        return self._of_cards(self.counts.left_close, int(self.counts.laid[-1 - CLOSE : -1].sum()))

    @cached_property
    def nearly(self) -> Estimate:
        """Share of lost games that end with at most CLOSE cards left."""
        return wilson(int(self.counts.laid[-1 - CLOSE : -1].sum()) / max(self.lost, 1), self.lost)

    @cached_property
    def died_at(self) -> dict[str, Estimate]:
        """Share of lost games that end at each seat."""
        seats = zip(self.end_reader.who, self.counts.died_at.tolist(), strict=True)
        return {name: wilson(number / max(self.lost, 1), self.lost) for name, number in seats if name}

    @property
    def tables(self) -> dict[str, dict[str, Estimate]]:
        """All estimates, by measure and by card, seat or number of cards."""
        return {
            "alive": {str(k): share for k, share in enumerate(self.alive)},
            "dies": {str(k): share for k, share in enumerate(self.dies)},
            "died_at": self.died_at,
            "died_on": self.died_on,
            "deadly": self.deadly,
            "left": self.left,
            "left_close": self.left_close,
            "nearly_won": {f"1 to {CLOSE} cards left": self.nearly},
        }

    def records(self) -> list[Record]:
        """One row per measure and card, seat or number of cards."""
        return [
            {"measure": name, "key": key, "value": share, "n": share.n}
            for name, shares in self.tables.items()
            for key, share in shares.items()
        ]

    def summary(self) -> Record:
        return {"lost": self.lost, "tables": self.tables}


def require_end_reader(setup: Setup) -> EndReader:
    """The end reader of a setup; a RulesError if its games do not end at a card."""
    reader = end_reader_of(setup)
    if isinstance(reader, str):
        raise RulesError(f"endings: {reader}")
    return reader


def most_of(shares: dict[str, Estimate], number: int = MOST_CARDS) -> list[tuple[str, Estimate]]:
    """The cards with the largest shares."""
    return sorted(shares.items(), key=lambda item: -item[1].value)[:number]


@checked
def endings(setup: Setup | str, *, strategies: Strategies = None, **run: Unpack[RunOptions]) -> Endings:
    """Show how games end: how long they last, on which card and seat they are lost, and which cards are left.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup. Games must be lost when no card fits.

    Returns
    -------
    Endings
        With `.alive`, `.dies`, `.died_on`, `.left`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.endings(houle.setup("wave"), strategies="thumb", games=1_000)
    >>> result.alive[0].value, len(result.alive), list(result.died_at)
    (1.0, 34, ['seat 0', 'seat 1', 'seat 2'])
    """
    played, spec = as_setup(setup), RunSpec.of(run)
    end_reader, seated = require_end_reader(played), line_up(played, strategies)

    def fold(chunks: list[Chunk], _: int) -> EndCounts:
        return EndCounts.of(end_reader, chunks[0].final_states)

    total = EndCounts.empty(end_reader)
    seconds = play_games([Play(seated)], spec, fold, total, FINAL_STATES)
    name = run_digest(seated, spec, deaths={key: counts.tolist() for key, counts in vars(total).items()})
    return Endings(Facts.of(seated, spec, total.games, seconds, name), total, end_reader)
