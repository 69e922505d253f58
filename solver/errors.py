"""Errors in the user's input. Each message is one or two lines, ready to print.

    InputError              something the user gave cannot be used
      RulesError            a game, variant, knob, deck or rules file that does not exist or does not fit
      StrategyError         a player or strategy that does not exist or cannot play this setup
      FileError             a file that cannot be read or written, or whose content is damaged
        DiskError           the disk is full or fails: not the user's mistake, so commands exit with 1
      WorldError            no imagined deal agrees with what a seat knows: a fault of the game or of a position
      PositionError         a position, record or list of moves that is impossible in this game
      StudyError            a study file or database that does not fit its study
      ClusterError          a cluster that is asked for and not available
      BudgetError           games that would take longer than the budget of the run

A game raises KnobError for a value that does not fit; `make_setup` turns it into a RulesError that says where the value
was set. Errors of a game's author are `GameError` (solver/interface/game.py). Everything else is a bug.
"""

from __future__ import annotations


class InputError(ValueError):
    """Something the user gave cannot be used."""


class RulesError(InputError):
    """A game, variant, knob, deck or rules file that does not exist or does not fit."""


class StrategyError(InputError):
    """A player or strategy that does not exist or cannot play this setup."""


class FileError(InputError):
    """A file that cannot be read or written, or whose content is damaged."""


class DiskError(FileError):
    """The disk is full or fails."""


class WorldError(InputError):
    """No imagined deal agrees with what a seat knows."""


class PositionError(InputError):
    """A position, record or list of moves that is impossible in this game."""


class StudyError(InputError):
    """A study file or database that does not fit its study."""


class ClusterError(InputError):
    """A cluster that is asked for and not available."""


class BudgetError(InputError):
    """Games that would take longer than the budget of the run."""


class KnobError(ValueError):
    """A value that does not fit its knob or the other knobs."""

    def __init__(self, knob: str, problem: str) -> None:
        super().__init__(f"{knob}: {problem}")
        self.knob, self.problem = knob, problem
