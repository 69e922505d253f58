"""Rules as data: reads a game's rules.toml, checks knobs, and makes setups that kernels can play."""

from houle.solver.errors import KnobError
from houle.solver.ruleset.decks import Deck, deck_names, read_deck, shown_value
from houle.solver.ruleset.homes import Broken, Home, home, look_in
from houle.solver.ruleset.knobs import PROVENANCES, Knob, Value, knob_and_sign
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
from houle.solver.ruleset.texts import digest, nearest
