"""Rules as data: a game's rules.toml -> checked knobs -> a setup that kernels can play."""

from houle.solver.ruleset.decks import Deck, deck_names, read_deck, shown_value
from houle.solver.ruleset.faults import KnobError, RulesetError, digest, nearest
from houle.solver.ruleset.knobs import PROVENANCES, FixedRule, Knob, Ruleset, Value, Variant, game_names, load
from houle.solver.ruleset.setup import Setup, make_setup, parse_settings, read_custom

__all__ = [
    "PROVENANCES",
    "Deck",
    "FixedRule",
    "Knob",
    "KnobError",
    "Ruleset",
    "RulesetError",
    "Setup",
    "Value",
    "Variant",
    "deck_names",
    "digest",
    "game_names",
    "load",
    "make_setup",
    "nearest",
    "parse_settings",
    "read_custom",
    "read_deck",
    "shown_value",
]
