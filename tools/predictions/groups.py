"""The setups and the groups with which predictions are checked. Written down before any of them was played.

Groups on the plane are drawn by chance. All others err in ways that the plane does not know. Those FOR_CHOOSING decide
how an interval is made; those FOR_TESTING and the NAMED ones, which 0.3.0 was checked with too, only report.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houle.analysis.players.plane import as_numbers
from houle.solver.rules import Setup, make_setup

SEED, TRUTH_SEED = 41, 42  # of the players at the nodes, and of the groups
POINTS, MOST_APART = 30, 1.8  # known points of the plane; how far slips and thought differ at most, in levels
PREDICTED = 6  # of them play all setups
Groups = dict[str, str]  # a name, and who plays: in every seat, or one per seat


@dataclass(frozen=True)
class Study:
    """The base game of a group's results, setups that it has not played, and groups that are at no point."""

    base: Setup
    others: tuple[Setup, ...]
    for_choosing: Groups
    for_testing: Groups
    named: Groups


WAVE_FOR_CHOOSING = {
    "lapses of 0.3.0, family": "thumb[forgets=15,nearsighted=40,loses_count=15]",
    "two beginners, one seasoned": "first-game,seasoned,first-game",
    "never looks at awkward cards": "thumb[without=awkward]",
    "a little planning, mixed": "flat:8,regular,first-game",
    "much noise": "thumb[temperature=1000]",
    "families who forget the next player": "level[slips=20,thought=1,without=next_ready]",
}
WAVE_FOR_TESTING = {
    "lapses of 0.3.0, regular": "thumb[forgets=5,nearsighted=20,loses_count=5]",
    "two families, one seasoned": "family,seasoned,family",
    "never looks at the second player": "thumb[without=second_ready]",
    "some planning, mixed": "flat:12,family,first-game",
    "noise": "thumb[temperature=700]",
    "regulars who waste their own choice": "level[slips=10,thought=2,without=own_choice]",
}
WAVE_NAMED = {
    "one plans, two families": "flat:20,family,family",
    "one plans, two seasoned": "flat:20,seasoned,seasoned",
    "knows no rule about room": "thumb[without=room]",
    "all rules, with noise": "thumb[temperature=400]",
}
SOLO_FOR_CHOOSING = {
    "lapses of 0.3.0, family": "thumb[forgets=15,nearsighted=40,loses_count=15]",
    "little noise": "thumb[temperature=400]",
    "keeps no places": "thumb[without=keep_place]",
    "families who rob blindly": "level[slips=20,thought=1,without=rob]",
}
SOLO_FOR_TESTING = {
    "lapses of 0.3.0, regular": "thumb[forgets=5,nearsighted=20,loses_count=5]",
    "much noise": "thumb[temperature=1500]",
    "never builds on purpose": "thumb[without=build]",
    "regulars who keep nothing useful": "level[slips=10,thought=2,without=keep_useful]",
}
SOLO_NAMED = {"all rules, with noise": "thumb[temperature=800]"}


@dataclass(frozen=True)
class Stranger:
    """A group of WAVE that the model does not know: who plays its first and its last results, and later the variant.

    Where several play the variant, each plays an equal share of its games.
    """

    first: str
    last: str
    later: tuple[str, ...]

    @classmethod
    def of(cls, who: str) -> Stranger:
        return cls(who, who, (who,))


# Virage and Nazare are predicted from 40 results of the base game for three, 20 of them the first and 20 the last ones.
STRANGER_RESULTS, STRANGER_VARIANTS, STRANGER_SEED = 40, ("virage", "nazare"), 43
STRANGERS = {
    "each lacks another rule": Stranger.of("thumb[without=room],thumb[without=next_ready],thumb[without=awkward]"),
    "tired: regulars first, then like a first game": Stranger("regular", "first-game", ("regular", "first-game")),
    "families who never reverse": Stranger.of("level[slips=20,thought=1,never=reverse]"),
    "one impatient, two families": Stranger.of("thumb[temperature=1500],family,family"),
    "one plays anything, two seasoned": Stranger.of("random,seasoned,seasoned"),
    "moody: every second game like a first game": Stranger("first-game", "seasoned", ("first-game", "seasoned")),
    "learning: first games, later families": Stranger("first-game", "family", ("family",)),
    "one forgets much, two regulars": Stranger.of("thumb[forgets=45,nearsighted=80,loses_count=45],regular,regular"),
    "counts no cards": Stranger.of("thumb[loses_count=100]"),
    "looks only at the next player": Stranger.of("thumb[nearsighted=100,temperature=300]"),
    "one plans, one impatient, one beginner": Stranger.of("flat:10,thumb[temperature=1500],first-game"),
    "careful, but deaf to hints": Stranger.of("level[slips=5,thought=3,without=follow_next]"),
}


def studies() -> list[Study]:
    wave = [make_setup("wave", 3, variant) for variant in (("virage",), ("tide-colours",), ("nazare",))]
    wave += [make_setup("wave", 3, (), {"hand.back": 3})]
    solo = [make_setup("vague-attaque", 1, (), settings) for settings in ({"hand_limit": 4}, {"ship_limit": 5})]
    return [
        Study(make_setup("wave", 3), tuple(wave), WAVE_FOR_CHOOSING, WAVE_FOR_TESTING, WAVE_NAMED),
        Study(make_setup("vague-attaque", 1), tuple(solo), SOLO_FOR_CHOOSING, SOLO_FOR_TESTING, SOLO_NAMED),
    ]


def known_points() -> list[tuple[float, float]]:
    """Slips and thought of points drawn by chance between the first and the last level."""
    luck, found = np.random.default_rng(SEED), list[tuple[float, float]]()
    while len(found) < POINTS:
        place = luck.uniform(0, 3, 2)
        if abs(place[0] - place[1]) <= MOST_APART:
            slips, thought = as_numbers(place)
            found.append((round(slips), round(thought, 1)))
    return found


def player_at(point: tuple[float, float]) -> str:
    return f"level[slips={point[0]:g},thought={point[1]:g}]"
