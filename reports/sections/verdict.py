"""The verdict: the answers of a report in plain words, read first and written last, from the other sections.

It answers, in this order: how hard the game is for each level (or how fair, and what a better player gains), what your
variant changes, how long games are, what stands out, and how sure all this is. Every number is also in another section.
A rate of players that search is left out as long as it is known worse than to five points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houle.analysis.blocks import Block, Column, answer, bullets, lead, seat_words, table, text, with_word
from houle.analysis.difficulty.difficulty import Difficulty, LevelResult
from houle.analysis.players.named_players import levels as people
from houle.analysis.players.named_players import players_of
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.blocks import Section
from houle.reports.context import Context, level_of, strongest_fair
from houle.reports.sections.skill import advantage_words
from houle.reports.sections.variants import changes_of_own
from houle.solver.texts import capital, listed

# Shares of games that are worth a sentence.
LEAST_EARLY, LEAST_LATE, LEAST_RUNAWAY, LEAST_BEHIND = 0.02, 0.4, 0.2, 0.3
FEW_LEAD_CHANGES = 1.0  # in a game
LEAST_NEARLY, LEAST_END = 0.2, 0.05  # shares that are worth a sentence: of lost games, and of games
LEAST_DRAWS = 0.005  # share of games without a winner that is worth a sentence
LEAST_OPENING = 0.05  # by how much a card or another fact of the deal certainly changes the chances
KNOWN = 0.05  # half-width of a rate that is known well enough for the head
KNOWN_NUMBER = 0.2  # the same for other numbers, as a part of their value
MOST_COLUMNS = 4  # of the table of levels
ANSWERED = ("Against print", "How long", "What stands out", "How sure")


def fill(context: Context, section: Section) -> None:
    main = context.main_difficulty
    section.add(*([_difficulty(context, main)] if main is not None else _rivals(context)))
    answers = zip(ANSWERED, (changes_of_own(context), _length(context), _stands_out(context), _sure(context)),
                  strict=True)  # fmt: skip
    section.add(bullets([answer(label, _joined(lines)) for label, lines in answers if lines]))
    if main is not None:
        section.add(*_by_level(context, main))


def _joined(lines: Sequence[Block]) -> Block:
    """Several sentences as one paragraph."""
    names = [f"s{i}" for i in range(len(lines))]
    words = " ".join(f"{{{name}}}" for name in names)
    return {"kind": "text", "words": words, "values": dict(zip(names, lines, strict=True))}


def is_known(level: LevelResult) -> bool:
    """Whether a rate is known well enough to be quoted. Players that do not search play enough games for that."""
    known = KNOWN if level.reached is level.win else KNOWN_NUMBER * abs(level.reached.value)
    return not level.searches or level.reached.half <= known


def _difficulty(context: Context, main: Difficulty) -> Block:
    """What each level wins, the family first."""
    setup, variant = main.setup, context.name(main.setup).removesuffix(" game")
    family = level_of(main, context.family)
    shown = family or next(
        (level for level in reversed(main.levels) if not level.is_bound and is_known(level)), main.levels[0]
    )
    others = [
        text("{who} {win}", who=players_of(level.strategy), win=level.reached)
        for level in main.levels
        if level is not shown and not level.is_bound and level.strategy in _named(context) and is_known(level)
    ]
    rest: list[Block] = [text(" Other levels: {others}.", others=others)] if others else []
    facts: dict[str, Any] = {
        "players": context.players(setup), "who": players_of(shown.strategy), "win": shown.reached, "variant": variant,
        "word": shown.word or main.goal.score, "rest": rest,
    }  # fmt: skip
    if main.goal.is_score:
        return lead("With {players}, {who} have {win} {word} on average in {variant} games.{rest}", **facts)
    return lead("With {players}, {who} win {win} of {variant} games: {word}.{rest}", **facts)


def _named(context: Context) -> list[str]:
    return [*(level.name for level in people()), context.expert]


def _rivals(context: Context) -> list[Block]:
    """Where players compete: whether seats are equal, and what a better player gains."""
    balance, skill = context.results.balance, context.results.advantages
    if balance is None:
        return []
    known = [pair for pair in skill.pairs if pair.win.half <= KNOWN] if skill else []
    family = next((pair for pair in known if (pair.better, pair.others) == (context.usual_strategy, "family")), None)
    best = next((pair for pair in known if pair.better == context.expert), None)
    better = [advantage_words(context, pair) for pair in (family, best) if pair]
    seats = text("With {setup}, {seats}.", setup=context.main_setup, seats=balance.seats())
    return [{**_joined([seats, *better]), "kind": "lead"}]


def _length(context: Context) -> list[Block]:
    balance = context.results.balance
    return [balance.length(context.seconds_per_turn)] if balance else []


def _stands_out(context: Context) -> list[Block]:
    """What a designer should look at: dead deals, facts of the deal, early and late decisions, unusual ends."""
    lines = [*_dead_deals(context), *_opening(context), *_tension(context)]
    decisions = context.results.decisions
    matter = decisions.whole.estimates["matter_per_game"] if decisions else None
    if decisions and matter and matter.half <= KNOWN_NUMBER * matter.value:
        lines.append(text("In an average game {matter} decisions matter.", matter=matter))
    return lines


def _dead_deals(context: Context) -> list[Block]:
    findings = [one for one in context.main_difficulty.findings if one.deals] if context.main_difficulty else []
    most = max(findings, key=lambda finding: finding.rate.n, default=None)  # players of all levels have the same deals
    return [text("{rate} of {what}.", rate=most.rate, what=most.what)] if most else []


def _opening(context: Context) -> list[Block]:
    """The fact of the deal that changes the chances most, by the games that were played to check it."""
    result = context.results.openings
    check = result.confirmed if result else None
    if not result or not check or not check.again or check.measure != result.goal.measure:
        return []
    if near_end(check.fresh) < LEAST_OPENING * result.goal.span:
        return []
    fact = next(table for table in result.tables if table.name == check.fact)
    return [
        text(
            "What matters most in the deal: {fact}. With {value}, the chances change by {fresh}.",
            fact=seat_words(fact.about),
            value=seat_words(check.level),
            fresh=result.goal.shown(check.fresh),
        )
    ]


def _tension(context: Context) -> list[Block]:
    """What people feel about a game: early ends, when it is decided, runaway leads, unusual ends."""
    balance, endings = context.results.balance, context.results.endings
    lines: list[Block] = []
    if balance is None:
        return lines
    values = {measure.name: measure.value for measure in balance.measures}
    nothing = Estimate(0.0, 0.0, 0.0, 0, PERCENT)
    early, late, runaway, behind, draws = (
        values.get(name, nothing) for name in ("before_acting", "last_turn", "runaway", "behind_75", "draws")
    )
    if early.low > LEAST_EARLY and not _dead_deals(context):
        lines.append(text("{value} of games are over before every player could act.", value=early))
    if "decided" in values:
        lines.append(text("The winner takes the lead for good after {value} of the game.", value=values["decided"]))
    if late.low > LEAST_LATE:
        turn = context.main.ruleset.turns.removesuffix("s")
        lines.append(text("{value} of games are decided only in the last {turn}.", value=late, turn=turn))
    if runaway.low > LEAST_RUNAWAY:
        lines.append(text("In {value} of games the winner leads for good from the first quarter on.", value=runaway))
    if behind.low > LEAST_BEHIND:
        lines.append(text("{value} of winners were behind after three quarters of the game.", value=behind))
    if "lead_changes" in values and values["lead_changes"].high < FEW_LEAD_CHANGES:
        lines.append(text("The lead changes only {value} times in a game.", value=values["lead_changes"]))
    if draws.low > LEAST_DRAWS:
        lines.append(text("{value} of games end without a winner.", value=draws))
    if endings is not None and endings.nearly.low > LEAST_NEARLY:
        lines.append(endings.nearly_won())
    rare = [(words, share) for words, share in balance.ends if share.low > LEAST_END and share.high < 0.5]
    if context.main.game.end_conditions is not None and rare:
        ends = [text("{end} in {share}", end=words, share=share) for words, share in rare]
        lines.append(text("Not every game ends the same way: {ends} of games.", ends=ends))
    return lines


def _sure(context: Context) -> list[Block]:
    """How much was played, who the players are, and which open rules the results depend on."""
    games = context.effort.number("games")
    who = "of every level" if context.main.one_sided else "between equally good players"
    lines = [text("{games} games {who}; brackets are 95% intervals.", games=games, who=who)]
    main, skill = context.main_difficulty, context.results.advantages
    best = strongest_fair(main) if main else None
    few = best is not None and not is_known(best)
    if skill and any(pair.better == context.expert and pair.win.half > KNOWN for pair in skill.pairs):
        few = True
    if few:
        lines.append(text("Experts, who plan ahead, played too few games to be quoted; more effort plays more."))
    if context.has_thumb:
        lines.append(text("The levels are simulated and not calibrated to people."))
    result = context.results.assumptions
    if result is None:
        return lines
    lines += result.doubts()
    open_rules = result.in_force
    if open_rules.certain:
        several = len(open_rules.certain) > 1
        lines.append(
            text(
                "These results depend on how we read {what}: {rules}.",
                what="rules that the rulebook leaves open" if several else "a rule that the rulebook leaves open",
                rules=listed(open_rules.certain),
            )
        )
    elif open_rules.turned:
        lines.append(
            text("The rules that we had to interpret make no difference that matters, as far as these games show.")
        )
    return lines


def _by_level(context: Context, main: Difficulty) -> list[Block]:
    """Levels down, setups across: what each level wins; with many setups only what a family wins."""
    difficulties = context.results.difficulties
    beside = [one for one in difficulties if one.setup.players == main.setup.players]
    chosen = difficulties if len(difficulties) <= MOST_COLUMNS else beside
    if not context.has_thumb:
        return []
    if len(chosen) > MOST_COLUMNS:
        return [_glance(context, difficulties)]
    chosen = sorted(chosen, key=lambda one: one is not main)
    several = len({one.setup.players for one in chosen}) > 1
    columns = [Column("level", "level")]
    columns += [
        Column(f"win_{i}", context.described(one.setup) if several else context.name(one.setup))
        for i, one in enumerate(chosen)
    ]
    changes = {name: row.difference.interval for name, row in context.results.by_level.items() if row.difference}
    columns += [Column("change", "change, on the same deals")] if changes else []
    rows: list[list[Any]] = []
    for name in _named(context):
        found = [level_of(one, name) for one in chosen]
        cells = [with_word(level.reached, level.word) if level and is_known(level) else None for level in found]
        if any(cells):
            rows.append([name, *cells, *([changes.get(name)] if changes else [])])
    what, where = capital(main.goal.title), "" if several else f", with {context.players(main.setup)}"
    return [table("levels", f"{what} by each level{where}.", columns, rows)]


def _glance(context: Context, difficulties: Sequence[Difficulty]) -> Block:
    """Variants down, players across: what a family wins in each setup, with its word."""
    shown = {
        (context.name(difficulty.setup), difficulty.setup.players): level_of(difficulty, context.family)
        or strongest_fair(difficulty)
        for difficulty in difficulties
    }
    name = next(iter(shown.values())).strategy
    counts = sorted({players for _, players in shown})
    rows: list[list[Any]] = []
    for variant in dict.fromkeys(variant for variant, _ in shown):
        levels = [shown.get((variant, players)) for players in counts]
        rows.append([variant, *(level and with_word(level.reached, level.word) for level in levels)])
    columns = [Column("variant", "variant")]
    columns += [Column(f"win_{players}", f"{players} {context.players_noun(players)}") for players in counts]
    return table("glance", f"At a glance: {difficulties[0].goal.title} by {name} players.", columns, rows)
