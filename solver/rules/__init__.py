"""Rules as data: reads a game's rules.toml, checks knobs, and makes setups that kernels can play."""

from houle.solver.errors import KnobError
from houle.solver.rules.decks import Deck, deck_names, read_deck, shown_value
from houle.solver.rules.game_folders import Broken, find_game, home, look_in
from houle.solver.rules.knobs import (
    OURS,
    PROVENANCES,
    SETTLED,
    SOURCES,
    YOURS,
    Knob,
    knob_and_sign,
    value_shown,
    value_text,
)
from houle.solver.rules.open_rules import OpenRule, open_rules_in
from houle.solver.rules.rules_file import Ruleset, broken_games, game_names, is_game, load
from houle.solver.rules.setup import (
    BY_HAND,
    SET,
    Setup,
    field_text,
    find_knob,
    make_setup,
    own_code,
    parse_setting,
    parse_settings,
    read_custom,
    rule_changes,
    variant_name,
)
from houle.solver.rules.user_variant import (
    PRINTED_RULES,
    difference_words,
    differences_line,
    is_own,
    names_beside,
    own_name,
    plain_differences,
    printed,
    provenance,
)
from houle.solver.texts import digest, nearest
