"""How long WAVE lives: the chance to be alive at every card, on which card and at whom games die, what is left over.

from houle.analysis import survival
survival("wave", players=3, strategies="thumb").frame()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import GAMES, MOST_GAMES, MOST_SEED, SEED, check_int
from houle.analysis.sampling.lineups import line_up
from houle.analysis.stats.intervals import Interval, plain, wilson
from houle.solver.ruleset import RulesetError, Setup, digest, make_setup

if TYPE_CHECKING:
    import pandas as pd

    from houle.solver.run import Progress
    from houle.solver.strategies.player import LineUp
    from houle.solver.tally import Counts

CLOSE = 5  # cards left of a game that was nearly won
AT_ONCE = 4096  # endings that are kept in memory together


@dataclass
class Deaths:
    """Exact counts over games; merged in any order."""

    laid: Counts  # games by cards laid when they ended
    died_on: Counts  # lost games by the card that could not be beaten
    died_at: Counts  # lost games by the seat that was stuck; the last entry: nobody, the Virage card did not fit
    topped: Counts  # games in which a card was on top
    left: Counts  # lost games that leave a card over
    left_close: Counts  # the same, of games with 1 to CLOSE cards left

    @classmethod
    def empty(cls, setup: Setup) -> Deaths:
        import numpy as np

        rules = setup.rules[0]
        cards = len(setup.options["deck.colours"]) * len(setup.options["deck.numbers"])
        sizes = (int(rules.deck_size), cards, int(rules.seats) + 1, cards, cards, cards)
        return cls(*(np.zeros(size, np.int64) for size in sizes))

    @property
    def games(self) -> int:
        return int(self.laid.sum())

    def add(self, other: Deaths) -> None:
        for name, mine in vars(self).items():
            mine += getattr(other, name)

    def note(self, setup: Setup, endings: Any) -> None:
        """Counts games by the states they ended in."""
        import numpy as np

        deck = [int(card) for card in setup.rules[0].deck[: int(setup.rules[0].deck_size)]]
        laid = endings["laid"].astype(np.int64)
        self.laid += np.bincount(laid, minlength=len(self.laid))
        lost = laid < len(deck) - 1
        close = lost & (laid >= len(deck) - 1 - CLOSE)
        self.died_on += np.bincount(endings["top"][lost], minlength=len(self.died_on))
        stuck = (endings["front"] | endings["back"]).any(axis=1)
        seats = np.where(stuck, endings["acting"], len(self.died_at) - 1)
        self.died_at += np.bincount(seats[lost], minlength=len(self.died_at))
        for card in deck:
            seen = (endings["seen"] >> np.uint64(card)) & np.uint64(1) != 0
            self.topped[card] += int(seen.sum())
            self.left[card] += int((lost & ~seen).sum())
            self.left_close[card] += int((close & ~seen).sum())


@dataclass(frozen=True)
class Survival:
    """Games that were played, read as lives and deaths."""

    setup: Setup
    strategies: tuple[str, ...]
    seed: int
    asked: int
    deaths: Deaths
    line_up: LineUp
    seconds: float

    @property
    def games(self) -> int:
        return self.deaths.games

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @property
    def lost(self) -> int:
        return self.games - int(self.deaths.laid[-1])

    @property
    def digest(self) -> str:
        counts = {name: value.tolist() for name, value in vars(self.deaths).items()}
        facts = {"rules": self.setup.digest, "strategies": list(self.line_up.digests), "seed": self.seed}
        return digest({**facts, "deaths": counts})

    @cached_property
    def alive(self) -> list[Interval]:
        """For k = 0, 1, ...: the chance that k cards and more are laid. Each interval holds by itself."""
        return [wilson(number / max(self.games, 1), self.games) for number in self._reached]

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
        from houle.solver.games.wave.text import card_name

        found = {}
        for card in map(int, self.setup.rules[0].deck[: int(self.setup.rules[0].deck_size)]):
            total = among if isinstance(among, int) else int(among[card])
            found[card_name(self.setup, card)] = wilson(int(counts[card]) / total if total else 0.0, total)
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
        rules = self.setup.rules[0]
        names = [f"seat {seat}" for seat in range(int(rules.seats))]
        if rules.dummy:
            names[2] = "the dummy"
        names.append("the Virage card")
        counts = self.deaths.died_at.tolist()
        found = zip(names, counts, strict=True)
        return {
            name: wilson(number / max(self.lost, 1), self.lost)
            for name, number in found
            if rules.virage or name != "the Virage card"
        }

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

        name = self.digest
        return pd.DataFrame(
            {
                "table": table,
                "key": key,
                "value": found.value,
                "value_low": found.low,
                "value_high": found.high,
                "n": found.n,
                "seed": self.seed,
                "rules_digest": self.setup.digest,
                "result_digest": name,
            }
            for table, rows in self.tables.items()
            for key, found in rows.items()
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """The object that `houle survival --json` prints."""
        setup = self.setup
        return {
            "game": setup.ruleset.name,
            "players": setup.players,
            "variants": list(setup.variants),
            "options": setup.shown_options,
            "strategies": list(self.strategies),
            "seed": self.seed,
            "games": self.games,
            "lost": self.lost,
            "rules_digest": setup.digest,
            "result_digest": self.digest,
            "tables": {
                table: {key: plain(found) for key, found in rows.items()} for table, rows in self.tables.items()
            },
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def check_mortal(setup: Setup) -> None:
    """Refuses tables whose games do not die at a card."""
    name = setup.ruleset.name
    if name != "wave":
        raise RulesetError(f"survival: a game of {name} does not end by a card that cannot be laid; allowed: wave")
    if setup.score != "cards_left":
        raise RulesetError("survival: with nazare every card is laid and no game ends early; allowed: wave without it")


def survival(
    game: str = "wave",
    players: int | None = None,
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    games: int = GAMES,
    seed: int = SEED,
    strategies: str | Iterable[str] = "random",
    rules: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> Survival:
    """How long games of a table live."""
    names = (variants,) if isinstance(variants, str) else variants
    setup = make_setup(game, players, names, set, rules, place="set")
    return survival_setup(setup, games, seed, strategies, threads)


def survival_setup(
    setup: Setup,
    games: int = GAMES,
    seed: int = SEED,
    strategies: str | Iterable[str] = "random",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Survival:
    """As survival, for a setup that is made already."""
    from houle.solver import contract
    from houle.solver.playout import play_chunk
    from houle.solver.run import first_chunk, in_chunks

    check_mortal(setup)
    check_int("games", games, 1, MOST_GAMES)
    check_int("seed", seed, 0, MOST_SEED)
    players = line_up(setup, strategies)
    names = players.names

    def job(begin: int, number: int) -> Deaths:
        found = Deaths.empty(setup)
        for start in range(begin, begin + number, AT_ONCE):
            some = min(AT_ONCE, begin + number - start)
            endings = contract.blank(setup.game.STATE, some)
            play_chunk(setup, players, seed, start, some, endings=endings)
            found.note(setup, endings)
        return found

    total = Deaths.empty(setup)
    play_chunk(setup, players, seed, 0, 0, endings=contract.blank(setup.game.STATE, 0))  # compiles beforehand
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(players))
    return Survival(setup, names, seed, games, total, players, seconds)
