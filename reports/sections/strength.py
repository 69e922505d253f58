"""What a better player gains where players compete. Where all win together the section on difficulty says it."""

from __future__ import annotations

from functools import partial

from houle.analysis.blocks import bullets, note
from houle.analysis.players.line_ups import playable
from houle.analysis.players.named_players import FAMILY, SEASONED, levels
from houle.analysis.run_options import RunSpec
from houle.analysis.tables.strength import pair_of, play_strength
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.table import draw

LEAST_DEALS = 12  # of a search; with fewer, the intervals are too wide to be useful
PER_DEAL = 4  # games of a report for a deal of every pair of levels
SEATS = 2  # plays of a deal in which a search sits, per seat, in a pair of levels


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb or context.main.one_sided:
        return
    effort = context.effort
    players = [level.name for level in levels()] if effort.counts.get("all_levels", True) else [FAMILY, SEASONED]
    asked = int(effort.counts.get("strength_search_deals", 0))
    searched = context.searched("strength_search_deals", context.expert, SEATS * context.main.players) if asked else 0
    too_few = searched < min(asked, LEAST_DEALS)
    players += [context.expert] if asked and not too_few else []
    deals = max(effort.number("strength_deals"), effort.number("games") // PER_DEAL)
    strategies, left_out = playable(context.main, players)
    spec = RunSpec.of(context.run(deals))
    found = play_strength(context.main, strategies, spec, left_out, searched=max(searched, LEAST_DEALS))
    gain = pair_of(found, SEASONED, FAMILY)
    if not context.knows(section, gain.change if gain else None):
        return
    context.results.strength = found
    section.add(bullets(found.sentences))
    shown = found.of(found.measures[0])
    said = "; ".join(f"{row.label} against {row.against}: {row.value.short()}" for row in shown)
    caption = "Games won by one better player against players of a weaker level, in every seat in turn."
    section.add_figure(figure("strength", caption, f"{said}."), partial(draw, found))
    inside = [*found.tables(), *found.remarks[1:]]
    if too_few:
        inside.append(
            note(
                "Without {player} players: games are so long that too few could be played at this effort.",
                player=context.expert,
            )
        )
    section.add_fold("Every pair of levels", *inside)
    section.results["strength"] = found
    section.repeat = context.repeat_section(section)
