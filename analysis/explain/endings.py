"""What ends games: on which card and at which seat they are lost, and which cards are left over. A part of `balance`.

For games that are lost when no card fits, with an `end_reader` in their words.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from houle.analysis.blocks import Block, Column, about, table, text
from houle.analysis.result import Finished, Record
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import wilson
from houle.analysis.stats.looks import joint
from houle.solver.interface.files import EndReader
from houle.solver.run.tally import Counts
from houle.solver.texts import in_words

CLOSE = 5  # at most so many cards left: the game was nearly won
MOST_CARDS = 8  # in a table
MOST_NAMED = 3  # cards that may be the worst, in a sentence
STEPS = 8  # rows in the table of games still going, about


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

    command = "balance"
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
        won = "More than half" if self.alive[-1].low > 0.5 else "About half"
        said = [
            text("{won} of the games are won.", won=won)
            if half is None
            else text("Half of the games are lost before card {half} is played.", half=half)
        ]
        said += [self.nearly_won()] if self.lost else []
        return [*said, *self._worst("deadly"), *self._worst("left_close")]

    def _worst(self, measure: str) -> list[Block]:
        """The card that is certainly the worst, or the few of which one is; nothing if it may be one of many."""
        shares = sorted(self.shown(measure).items(), key=lambda item: -item[1].value)
        worst = [(card, share) for card, share in shares if share.n and share.high >= shares[0][1].low]
        if not worst or len(worst) > MOST_NAMED or not shares[0][1].value:
            return []
        several = "" if len(worst) == 1 else "one of these: "
        cards = [text("{card}, {share}", card=card, share=share) for card, share in worst]
        words = {
            "deadly": text(
                "The most dangerous card to leave on top, after which the game ends most often, is {several}{cards}.",
                several=several,
                cards=cards,
            ),
            "left_close": text(
                "The card most often left over in games that are nearly won is {several}{cards}.",
                several=several,
                cards=cards,
            ),
        }
        return [about(words[measure], self.player, measure)]

    def shown(self, measure: str) -> dict[str, Estimate]:
        """A share for every card, with intervals that hold for all cards and both measures: the worst is picked."""
        shares = self.tables[measure]
        return {card: joint(share, 2 * len(shares)) for card, share in shares.items()}

    def nearly_won(self) -> Block:
        """How many of the lost games end with few cards left."""
        close = in_words(self.close)
        words = text("{nearly} of lost games end with at most {close} cards left.", nearly=self.nearly, close=close)
        return about(words, self.player, "nearly_won")

    def running(self) -> Block:
        """How many games last how long, in about STEPS rows; `frame()` has every card."""
        columns = [
            Column("cards", "cards played"),
            Column("running", "games still going"),
            Column("end", "of these end here"),
        ]
        ends = [*self.dies, None]
        last = len(self.alive) - 1
        steps = [*range(0, last, max(1, last // STEPS)), last]
        rows = [[played, self.alive[played], ends[played]] for played in steps]
        return table("running", "Games still going.", columns, rows)

    def details(self) -> list[Block]:
        """How long games last, and which cards end them."""
        cards = [
            Column("card", "card on top"),
            Column("deadly", "game ends when it is on top"),
            Column("died_on", "of all lost games"),
            Column("left_close", "left over, of the games nearly won"),
        ]
        deadly, left = self.shown("deadly"), self.shown("left_close")
        rows = [[card, rate, self.died_on[card], left[card]] for card, rate in most_of(deadly)]
        caption = "The cards after which games end most often; intervals of the first and the last hold for all cards."
        return [self.running(), table("dangerous_cards", caption, cards, rows)]

    @property
    def lost(self) -> int:
        return self.games - int(self.counts.laid[-1])

    @cached_property
    def alive(self) -> list[Estimate]:
        """For k = 0, 1, ...: the share of games with at least k cards laid, which is 1 for k = 0."""
        later = [wilson(number / max(self.games, 1), self.games) for number in self._reached[1:]]
        return [Estimate(1.0, 1.0, 1.0, n=self.games, unit=PERCENT), *later]

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

    def rows(self) -> list[tuple[str, str, Estimate]]:
        """Every measure by card, seat or number of cards."""
        return [(name, key, share) for name, shares in self.tables.items() for key, share in shares.items()]

    def records(self) -> list[Record]:
        return [{"measure": name, "which": key, "value": share, "n": share.n} for name, key, share in self.rows()]

    def summary(self) -> Record:
        return {"lost": self.lost, "tables": self.tables}


def most_of(shares: dict[str, Estimate], number: int = MOST_CARDS) -> list[tuple[str, Estimate]]:
    """The cards with the largest shares."""
    return sorted(shares.items(), key=lambda item: -item[1].value)[:number]
