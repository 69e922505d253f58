"""Rules as data: a game's rules.toml -> checked knobs -> a setup that kernels can play."""

from houle.solver.ruleset.decks import Deck, deck_names, read_deck, shown_value
from houle.solver.ruleset.faults import KnobError, RulesetError, digest, nearest
from houle.solver.ruleset.homes import Broken, Home, home, look_in
from houle.solver.ruleset.knobs import PROVENANCES, Knob, Value
from houle.solver.ruleset.own_rules import (
    BASE_GAME,
    PRINTED_RULES,
    YOURS,
    RuleChange,
    difference_words,
    differences_line,
    is_own,
    names_beside,
    own_name,
    printed,
    provenance,
    rule_changes,
    value_shown,
    value_text,
    variant_name,
)
from houle.solver.ruleset.rules_file import FixedRule, Ruleset, Variant, broken_games, game_names, load
from houle.solver.ruleset.setup import BY_HAND, Setup, make_setup, parse_settings, read_custom

__all__ = [
    "BASE_GAME",
    "BY_HAND",
    "PRINTED_RULES",
    "PROVENANCES",
    "YOURS",
    "Broken",
    "Deck",
    "FixedRule",
    "Home",
    "Knob",
    "KnobError",
    "RuleChange",
    "Ruleset",
    "RulesetError",
    "Setup",
    "Value",
    "Variant",
    "broken_games",
    "deck_names",
    "difference_words",
    "differences_line",
    "digest",
    "game_names",
    "home",
    "is_own",
    "load",
    "look_in",
    "make_setup",
    "names_beside",
    "nearest",
    "own_name",
    "parse_settings",
    "printed",
    "provenance",
    "read_custom",
    "read_deck",
    "rule_changes",
    "shown_value",
    "value_shown",
    "value_text",
    "variant_name",
]
