"""Numbers from games, for notebooks and scripts: `from houle import analysis as houle`.

    wave = houle.setup("wave", players=3, variants="virage")
    houle.simulate(wave, strategies="thumb", games=100_000)

Every function takes a table first (`houle.setup`, or a game's name) and everything else by keyword; every result has
`frame()` (pandas, every estimate as x, x_low, x_high), `as_json()`, `plot()` and `repeat()`. Names are loaded on first
use: only what is asked for needs the compiler.
"""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houle.analysis.advice.advise import Advice, advise
    from houle.analysis.advice.positions import position, position_in, read_position
    from houle.analysis.advice.trace import Trace, replay, trace
    from houle.analysis.comparison.assumptions import Assumptions, assumptions
    from houle.analysis.comparison.compare import Comparison, compare
    from houle.analysis.comparison.sweep import Sweep, sweep
    from houle.analysis.designing.design import Design, design
    from houle.analysis.difficulty.bracket import Bracket, bracket
    from houle.analysis.difficulty.survival import Survival, survival
    from houle.analysis.fairness.balance import Balance, balance
    from houle.analysis.fairness.custom_opening import CustomOpening
    from houle.analysis.fairness.openings import Openings, openings
    from houle.analysis.play.review import Review, review
    from houle.analysis.result import Result
    from houle.analysis.sampling.grid import Grid, grid
    from houle.analysis.sampling.lineups import setup
    from houle.analysis.sampling.rotation import Rotation
    from houle.analysis.sampling.simulate import simulate
    from houle.analysis.sampling.simulation import Simulation
    from houle.analysis.strategy.ablation import Ablation, ablate
    from houle.analysis.strategy.decisions import Decisions, decisions
    from houle.analysis.strategy.ladder import Ladder, ladder
    from houle.analysis.strategy.league import League, league
    from houle.analysis.strategy.learning import LearningCurve, learning_curve
    from houle.analysis.strategy.level_fit import LevelFit, fit_levels
    from houle.analysis.strategy.response import Responses, response
    from houle.analysis.strategy.skill import Skill, skill
    from houle.analysis.studies.results import StudyResult, read_study
    from houle.analysis.studies.study import study
    from houle.analysis.tuning.search import Tuning, tune

# Public name -> the module that has it.
_PUBLIC = {
    "Ablation": "strategy.ablation",
    "Advice": "advice.advise",
    "Assumptions": "comparison.assumptions",
    "Balance": "fairness.balance",
    "Bracket": "difficulty.bracket",
    "Comparison": "comparison.compare",
    "CustomOpening": "fairness.custom_opening",
    "Decisions": "strategy.decisions",
    "Design": "designing.design",
    "Grid": "sampling.grid",
    "Ladder": "strategy.ladder",
    "League": "strategy.league",
    "LearningCurve": "strategy.learning",
    "LevelFit": "strategy.level_fit",
    "Openings": "fairness.openings",
    "Responses": "strategy.response",
    "Result": "result",
    "Review": "play.review",
    "Rotation": "sampling.rotation",
    "Simulation": "sampling.simulation",
    "Skill": "strategy.skill",
    "StudyResult": "studies.results",
    "Survival": "difficulty.survival",
    "Sweep": "comparison.sweep",
    "Trace": "advice.trace",
    "SearchTuning": "tuning.caution",
    "Tuning": "tuning.search",
    "ablate": "strategy.ablation",
    "advise": "advice.advise",
    "assumptions": "comparison.assumptions",
    "balance": "fairness.balance",
    "bracket": "difficulty.bracket",
    "compare": "comparison.compare",
    "decisions": "strategy.decisions",
    "design": "designing.design",
    "fit_levels": "strategy.level_fit",
    "grid": "sampling.grid",
    "ladder": "strategy.ladder",
    "league": "strategy.league",
    "learning_curve": "strategy.learning",
    "openings": "fairness.openings",
    "position": "advice.positions",
    "position_in": "advice.positions",
    "read_position": "advice.positions",
    "read_study": "studies.results",
    "replay": "advice.trace",
    "response": "strategy.response",
    "review": "play.review",
    "setup": "sampling.lineups",
    "simulate": "sampling.simulate",
    "skill": "strategy.skill",
    "study": "studies.study",
    "survival": "difficulty.survival",
    "sweep": "comparison.sweep",
    "trace": "advice.trace",
    "tune": "tuning.search",
    "tune_search": "tuning.caution",
}

# What commands need of the rooms behind: loaded as late as the rest, and no part of what notebooks are promised.
_FOR_COMMANDS = {
    "begin": "studies.study",
    "check_game": "checks.check",
    "check_sweep": "comparison.sweep",
    "games_in": "designing.budget",
    "expected_time": "studies.study",
    "line_words": "sampling.levels",
    "find_position": "advice.positions",
    "finding_texts": "comparison.findings",
    "games_of": "comparison.planning",
    "load_class": "plain.plain_class",
    "make_grid": "sampling.grid",
    "parse_changes": "designing.space",
    "parse_alternatives": "sampling.alternatives",
    "parse_options": "plain.settings",
    "parse_target": "comparison.targets",
    "parts_of_league": "strategy.league_plan",
    "plan_differences": "comparison.planning",
    "plan_ladder": "strategy.ladder",
    "plan_tuning": "tuning.search",
    "play_one": "plain.trial",
    "play_study": "studies.study",
    "players_at": "sampling.players",
    "calibration": "sampling.players",
    "noted": "advice.trace",
    "one_strategy": "sampling.lineups",
    "options_explained": "sampling.players",
    "read_spec": "studies.spec",
    "read_status": "studies.status",
    "seat_players": "plain.players",
    "shown_player": "sampling.players",
    "stages_of": "difficulty.bracket",
    "tables_of": "comparison.unsettled",
    "time_needed": "sampling.timing",
    "text_of": "advice.positions",
    "together": "comparison.measures",
    "try_games": "plain.trial",
}

# Names of 0.1.0 -> where they are now; they warn, and go with the next release.
_FORMER: dict[str, tuple[str, str]] = {
    "measure_luck": ("former", "measure_luck"),
    "measure_skill": ("former", "measure_skill"),
    "note_decisions": ("strategy.decisions", "note_decisions"),
    "play_arranged": ("former", "play_arranged"),
    "read_balance": ("former", "read_balance"),
    "read_setups": ("former", "read_setups"),
    "relative_skill": ("former", "relative_skill"),
    "restrict": ("former", "restrict"),
}

__all__ = [
    "Ablation",
    "Advice",
    "Assumptions",
    "Balance",
    "Bracket",
    "Comparison",
    "CustomOpening",
    "Decisions",
    "Design",
    "Grid",
    "Ladder",
    "League",
    "LearningCurve",
    "LevelFit",
    "Openings",
    "Responses",
    "Result",
    "Review",
    "Rotation",
    "SearchTuning",
    "Simulation",
    "Skill",
    "StudyResult",
    "Survival",
    "Sweep",
    "Trace",
    "Tuning",
    "ablate",
    "advise",
    "assumptions",
    "balance",
    "bracket",
    "compare",
    "decisions",
    "design",
    "fit_levels",
    "grid",
    "ladder",
    "league",
    "learning_curve",
    "openings",
    "position",
    "position_in",
    "read_position",
    "read_study",
    "replay",
    "response",
    "review",
    "setup",
    "simulate",
    "skill",
    "study",
    "survival",
    "sweep",
    "trace",
    "tune",
    "tune_search",
]


def __getattr__(name: str) -> Any:
    module = _PUBLIC.get(name) or _FOR_COMMANDS.get(name)
    if module:
        found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        globals()[name] = found
        return found
    if name in _FORMER:
        module, now = _FORMER[name]
        warnings.warn(f"houle.analysis.{name} goes with the next release", DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(f"{__name__}.{module}"), now)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
