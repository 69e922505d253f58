"""Keeps the results of games with people in a CSV file, as `houle calibrate` reads it; each deal once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from houle.analysis.play.ending import ending_of
from houle.analysis.play.table_game import PERSON, Course
from houle.analysis.strategy.results_file import add_result
from houle.solver.errors import InputError
from houle.solver.rules import Setup


def check_named_rules(setup: Setup) -> None:
    """Raises InputError if a results file cannot say which rules are played."""
    sources = set(setup.changed.values())
    if len(sources) > 1 or not all(map(os.path.isfile, sources)):
        raise InputError("--results: the file names rules by one rules file; write them with houle rules GAME --write")


@dataclass
class KeptResults:
    """The file, and the games that are in it already: going back and playing on differently counts once."""

    file: str
    noted: set[tuple[str, int, int]] = field(default_factory=set)

    def note(self, course: Course) -> None:
        """Add a finished game, unless it began at a position that was set up."""
        setup, sitting = course.setup, course.sitting
        game = (setup.digest, sitting.seed, sitting.game)
        if not course.over or sitting.start or game in self.noted:
            return
        check_named_rules(setup)
        self.noted.add(game)
        seat = sitting.people[0]
        side = next(side for side in ending_of(course).sides if seat in side.seats)
        others = [who for who in sitting.seats if who != PERSON]
        decided = side.share in (0.0, 1.0) and (setup.one_sided or others)
        add_result(
            self.file,
            {
                "game": setup.ruleset.name,
                "players": setup.players,
                "variant": "+".join(setup.variants) or "base",
                "rules": next((str(Path(file).resolve()) for file in setup.changed.values()), ""),
                "seats": "+".join(str(seat + 1) for seat in sitting.people) if others else "",
                "others": ",".join(others[:1] if len(set(others)) == 1 else others),
                "result": ("win" if side.share else "loss") if decided else side.score,
            },
        )
