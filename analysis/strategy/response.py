"""`houle strength --response`: how far a strategy can be exploited by a player who knows what the others play.

All seats but one play the same strategy. The last seat answers it with flat searches that expect different opponents
(nearly random play, thumbs, or the noisy thumbs of the game's usual search). The search that wins most on the first
half of the deals plays the second half, from every seat in turn. Its gain is what it wins there above a fair share of
the games that somebody wins. This is a lower bound: the searches have few worlds and expect no opponent who searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_GAMES, RESPONSE_WORLDS, SEED, STRENGTH_SEARCH_GAMES, check_int, check_run
from houle.analysis.result import Facts, Finished, command_line, interval_as_json, interval_columns, words_of_setup
from houle.analysis.sampling.lineups import Strategies, as_setup, names_of
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.sampling.same_deals import Deals, against, deals_digest, other_sides, same_deals
from houle.analysis.stats.estimate import Estimate
from houle.solver.errors import RulesError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import MOST_BUDGET, Strategy, parse
from houle.solver.strategies.player import seat_strategies

if TYPE_CHECKING:
    import pandas as pd

LEAST_DEALS = 4  # two to choose the answer, two to measure its gain
NEARLY_RANDOM = 100_000  # noise that makes thumbs play almost at random


@dataclass(frozen=True)
class Response:
    """A strategy, the best answer to it, and what the answer gains."""

    strategy: str
    answer: str
    tried: tuple[tuple[str, float], ...]  # every answer, with its share of the win on the first half of the deals
    win: Estimate  # of the best answer, on the second half
    gain: Estimate  # above a fair share of the games that somebody wins
    fair: float


@dataclass(frozen=True, repr=False)
class Responses(Finished):
    """The best answers to some strategies. Its games are deals."""

    responses: tuple[Response, ...]
    worlds: int  # of the answering searches

    command = "strength"

    @property
    def headline(self) -> str:
        if not self.responses:
            return "no answer was measured"
        worst = max(self.responses, key=lambda response: response.gain.value)
        gain = worst.gain.text()
        return f"an answer to {worst.strategy} gains {gain}"

    def words(self) -> list[str]:
        return ["--response", ",".join(self.strategies), "--worlds", str(self.worlds)]

    def count_words(self) -> list[str]:
        return ["--search-games", str(max(self.games, LEAST_DEALS))]

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives this result again; --response names the players."""
        where = words_of_setup(self.setup) if setup_words is None else setup_words
        words = [self.command, *where, *self.words(), *self.count_words(), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def frame(self) -> pd.DataFrame:
        """One row per strategy."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
                "strategy": response.strategy,
                "answer": response.answer,
                "deals": response.win.n,
                **interval_columns("win", response.win),
                **interval_columns("gain", response.gain),
                **self.digest_columns(),
            }
            for response in self.responses
        )

    def as_json(self) -> dict[str, Any]:
        """What `houle strength --response ... --json` prints."""
        return {
            **self.head(),
            "worlds": self.worlds,
            "responses": [
                {
                    "strategy": response.strategy,
                    "answer": response.answer,
                    "fair_share": response.fair,
                    "win": interval_as_json(response.win),
                    "gain": interval_as_json(response.gain),
                    "tried": [{"answer": name, "share": share} for name, share in response.tried],
                }
                for response in self.responses
            ],
        }


def answers(worlds: int, player: Strategy) -> list[Strategy]:
    """Searches that expect different opponents; a strategy never answers itself."""
    tried = [parse(f"flat:{worlds}{expects}") for expects in ("", "[noise=0]", f"[noise={NEARLY_RANDOM}]")]
    return [answer for answer in tried if answer.text != player.text]


@checked
def response(
    setup: Setup | str,
    *,
    strategies: Strategies,
    worlds: int = RESPONSE_WORLDS,
    games: int = STRENGTH_SEARCH_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Responses:
    """Measure how far strategies can be exploited by a player who knows them, in a competitive game.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its usual setup.
    strategies : str or iterable of str
        What the others play, each in turn; separated by commas.
    worlds : int
        Worlds that the answering searches imagine.
    games : int
        Number of deals: the first half chooses the answer, the second half measures its gain.
    seed : int
        Chooses the deals: numbers 0 to `games` - 1 of this seed.
    threads : int, optional
        One per core by default; does not change the result.

    Returns
    -------
    Responses
        `.responses`: for each strategy the best answer, what it wins and gains, and all answers tried.

    Examples
    --------
    >>> import houle
    >>> result = houle.response("land-unter", strategies="random", worlds=4, games=12)
    >>> result.responses[0].strategy, result.responses[0].win.n
    ('random', 6)
    >>> result.repeat()
    'houle strength land-unter -p 3 --response random --worlds 4 --search-games 12 --seed 1'
    """
    setup = as_setup(setup)
    check_int("games", games, LEAST_DEALS, MOST_GAMES)
    check_int("worlds", worlds, 1, MOST_BUDGET)
    check_run(games, seed)
    sides = len(setup.seats_by_side)
    if sides == 1:
        raise RulesError(f"response: nobody competes in this setup of {setup.ruleset.name}; see houle strength")
    players = [parse(name) for name in names_of(strategies) or ()]
    for player in players:
        seat_strategies(setup, [player.text])
    half = games // 2
    expect(progress, sum(sides * (half * len(answers(worlds, player)) + games - half) for player in players))
    responses, digests, played, seconds, least = [], [], 0, 0.0, games
    for player in players:
        tried = answers(worlds, player)
        arms = [against(setup, answer, player) for answer in tried]
        watched = part_of(progress, played, seconds, sides * len(tried), f"answers to {player.text}")
        choosing = same_deals(setup, arms, seed, half, 0, threads, watched)
        best = max(range(len(tried)), key=choosing.share)
        played, seconds = played + choosing.number * sides * len(tried), seconds + choosing.seconds
        scoring = [arms[best], other_sides(setup, arms[best])]
        scored = Deals.empty(tuple(map(len, scoring)))
        if choosing.number == half:
            watched = part_of(progress, played, seconds, sides, f"the answer to {player.text}")
            scored = same_deals(setup, scoring, seed, games - half, half, threads, watched)
        played, seconds = played + scored.number * sides, seconds + scored.seconds
        least = min(least, half + scored.number)
        if scored.number < LEAST_DEALS // 2:
            break
        shares = tuple((answer.text, choosing.share(i)) for i, answer in enumerate(tried))
        gain = scored.above_fair(0, 1)
        responses.append(Response(player.text, tried[best].text, shares, scored.win(0), gain, 1 / sides))
        digests += [deals_digest(setup, arms, seed, 0, choosing), deals_digest(setup, scoring, seed, half, scored)]
        if scored.number < games - half:
            break
    names = tuple(player.text for player in players)
    return Responses(Facts(setup, names, seed, least, games, seconds, digest(digests)), tuple(responses), worlds)
