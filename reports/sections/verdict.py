"""The verdict: the answers of a report in plain words, read first and written last, from the other sections.

It answers, in this order: how hard the game is for the level of the page (or how fair), what your variant changes, what
a better player gains, how long games are, how they swing (where players compete), what stands out, and how sure all
this is. It has at most MOST_NUMBERS estimates; a folded table has the other levels. No other section says again what it
says. A rate of players that search is left out as long as it is known worse than to five points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houle.analysis.blocks import (
    Block,
    Column,
    about,
    answer,
    bullets,
    lead,
    numbers_of,
    seat_words,
    table,
    text,
    whole,
    with_word,
)
from houle.analysis.players.line_ups import has_search
from houle.analysis.players.named_players import FAMILY, THUMB, players_of
from houle.analysis.players.named_players import levels as people
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.tables.strength import pair_of, sentence
from houle.analysis.tables.table import Row, Table
from houle.reports.blocks import Section
from houle.reports.context import Context, level_of, strongest_fair
from houle.reports.sections import open_rules
from houle.reports.sections.variants import changes_of_own
from houle.solver.texts import capital

# Shares of games that are worth a sentence.
LEAST_EARLY, LEAST_LATE, LEAST_RUNAWAY, LEAST_BEHIND = 0.02, 0.4, 0.2, 0.3
LEAST_NEARLY, LEAST_END = 0.2, 0.05  # shares that are worth a sentence: of lost games, and of games
LEAST_DRAWS = 0.005  # share of games without a winner that is worth a sentence
LEAST_OPENING = 0.05  # by how much a card or another fact of the deal certainly changes the chances
KNOWN = 0.05  # half-width of a rate that is known well enough for the head
KNOWN_NUMBER = 0.2  # the same for other numbers, as a part of their value
MOST_COLUMNS = 4  # of the table of levels
MOST_NUMBERS = 8  # estimates before the table: more are not read
ANSWERED = ("Against print", "Better players", "How long", "How swingy", "What stands out", "How sure")


def fill(context: Context, section: Section) -> None:
    main = context.main_difficulty
    first = [_difficulty(context, main)] if main is not None else _rivals(context)
    section.add(*first)
    parts = [changes_of_own(context, context.level), _skill(context, main), _length(context), _swings(context)]
    sure = _sure(context)
    room = MOST_NUMBERS - len(list(numbers_of([*first, *(line for lines in (*parts, sure) for line in lines)])))
    answers = zip(ANSWERED, (*parts, _stands_out(context, room), sure), strict=True)
    section.add(bullets([answer(label, _joined(lines)) for label, lines in answers if lines]))
    if main is not None:  # folded: the first screen has few numbers
        section.add_fold(f"What each level {main.goal.verb}s", *_by_level(context, main))


def _joined(lines: Sequence[Block]) -> Block:
    """Several sentences as one paragraph."""
    names = [f"s{i}" for i in range(len(lines))]
    words = " ".join(f"{{{name}}}" for name in names)
    return {"kind": "text", "words": words, "values": dict(zip(names, lines, strict=True))}


def is_known(level: Row) -> bool:
    """Whether a rate is known well enough to be quoted. Players that do not search play enough games for that."""
    known = KNOWN if level.measure == "win" else KNOWN_NUMBER * abs(level.value.value)
    return not has_search(level.arm.line_up) or level.value.half <= known


def _difficulty(context: Context, main: Table) -> Block:
    """What the level of the page wins."""
    setup, variant = main.setup, context.name(main.setup).removesuffix(" game")
    known = [level for level in main.levels if not level.is_bound and is_known(level)]
    shown = level_of(main, context.level) or next(reversed(known), main.levels[0])
    facts: dict[str, Any] = {
        "players": context.players(setup),
        "who": players_of(shown.strategy),
        "win": shown.value,
        "variant": variant,
        "word": shown.note or main.goal.score,
    }
    if main.goal.is_score:
        words = lead("With {players}, {who} have {win} {word} on average in {variant} games.", **facts)
    else:
        words = lead("With {players}, {who} win {win} of {variant} games: {word}.", **facts)
    return about(words, shown.strategy, main.goal.measure)


def _named(context: Context) -> list[str]:
    return [*(level.name for level in people()), context.expert]


def _rivals(context: Context) -> list[Block]:
    """Where players compete: whether seats are equal."""
    balance = context.results.balance
    seats = balance.seats() if balance else None
    if seats is None:
        return []
    return [{**whole(seats), "kind": "lead"}]


def _skill(context: Context, main: Table | None) -> list[Block]:
    """What the best known players win: experts if enough games of them were played, else the strongest level."""
    if main is not None:
        known = [one for one in main.levels if one.strategy in _named(context) and is_known(one)]
        best = known[-1] if known and known[-1].strategy != context.level else None
        if best is None:
            return []
        verb = "have" if main.goal.is_score else "win"
        words = text(
            "{who} {verb} {win} on the same deals.", who=capital(players_of(best.strategy)), verb=verb, win=best.value
        )
        return [about(words, best.strategy, main.goal.measure)]
    strength = context.results.strength
    if strength is None:
        return []
    pairs = [pair_of(strength, context.seasoned, FAMILY), pair_of(strength, context.expert, context.seasoned)]
    return [sentence(one) for one in pairs if one and one.value.half <= KNOWN]


def _length(context: Context) -> list[Block]:
    balance = context.results.balance
    return [balance.length(context.seconds_per_decision)] if balance else []


def _swings(context: Context) -> list[Block]:
    """Where players compete: how often the lead changes, and when games are decided."""
    balance = context.results.balance
    return balance.tension() if balance and not context.main.one_sided else []


def _stands_out(context: Context, room: int) -> list[Block]:
    """What a designer should look at, with at most so many numbers: the rest is in the other sections."""
    lines = [*_dead_deals(context), *_opening(context), *_tension(context)]
    decisions = context.results.decisions
    matter = decisions.whole.estimates["matter_per_game"] if decisions else None
    if decisions and matter and matter.half <= KNOWN_NUMBER * matter.value:
        words = text(
            "In an average game at least {matter} decisions of {who} matter.", matter=matter, who=players_of(THUMB)
        )
        lines.append(about(words, THUMB, "matter_per_game"))
    chosen: list[Block] = []
    for line in lines:
        if len(list(numbers_of([*chosen, line]))) <= room:
            chosen.append(line)
    return [text("When {everyone}:", everyone=context.everyone), *chosen] if chosen else []


def _dead_deals(context: Context) -> list[Block]:
    findings = [one for one in context.main_difficulty.findings if one.deals] if context.main_difficulty else []
    most = max(findings, key=lambda finding: finding.rate.n, default=None)  # players of all levels have the same deals
    if most is None:
        return []
    return [about(text("{rate} of {what}.", rate=most.rate, what=most.what), "every player", "dead deals")]


def _opening(context: Context) -> list[Block]:
    """The fact of the deal that changes the chances most, by the games that were played to check it."""
    result = context.results.balance.openings if context.results.balance else None
    if not result or result.player != context.level:  # the head is about one level
        return []
    most = max(result.named, key=lambda named: near_end(named.more), default=None)
    if most is None or near_end(most.more) < LEAST_OPENING * result.goal.span:
        return []
    words = text(
        "What matters most in the deal: {fact}. With {value}, the chances change by {fresh}.",
        fact=seat_words(most.fact.about),
        value=seat_words(most.level),
        fresh=result.goal.shown(most.more),
    )
    return [about(words, result.player, f"{result.goal.measure} by {most.fact.name}")]


def _tension(context: Context) -> list[Block]:
    """What people feel about a game: early ends, when it is decided, runaway leads, unusual ends."""
    balance = context.results.balance
    if balance is None:
        return []
    values = {measure.name: measure.value for measure in balance.measures}
    turn = context.main.ruleset.turns.removesuffix("s")
    nothing = Estimate(0.0, 0.0, 0.0, n=0, unit=PERCENT)
    shares = ("before_acting", "last_turn", "runaway", "behind_75", "draws")
    least = {name: values.get(name, nothing).low for name in shares}
    # The measure, whether it is worth a sentence, and the sentence.
    told = (
        (
            "before_acting",
            least["before_acting"] > LEAST_EARLY and not _dead_deals(context),
            text("{value} of games are over before every player could act.", value=values.get("before_acting")),
        ),
        (
            "last_turn",
            least["last_turn"] > LEAST_LATE,
            text("{value} of games are decided only in the last {turn}.", value=values.get("last_turn"), turn=turn),
        ),
        (
            "runaway",
            least["runaway"] > LEAST_RUNAWAY,
            text(
                "In {value} of games the winner leads for good from the first quarter on.", value=values.get("runaway")
            ),
        ),
        (
            "behind_75",
            least["behind_75"] > LEAST_BEHIND,
            text("{value} of winners were behind after three quarters of the game.", value=values.get("behind_75")),
        ),
        (
            "draws",
            least["draws"] > LEAST_DRAWS,
            text("{value} of games end without a winner.", value=values.get("draws")),
        ),
    )
    lines = [about(words, balance.player, name) for name, worth, words in told if worth]
    if balance.endings is not None and balance.endings.nearly.low > LEAST_NEARLY:
        lines.append(balance.endings.nearly_won())
    rare = [(end, share) for end, share in balance.ends if share.low > LEAST_END and share.high < 0.5]
    if context.main.game.end_conditions is not None and rare:
        ends = [text("{end} in {share}", end=end, share=share) for end, share in rare]
        lines.append(
            about(text("Not every game ends the same way: {ends} of games.", ends=ends), balance.player, "ends")
        )
    return lines


def _sure(context: Context) -> list[Block]:
    """How much was played, who the players are, and which open rules the results depend on."""
    many, few = context.seat_games, context.games
    others = text(", {few} of every other level", few=few)
    several = few < many and context.main.one_sided and context.has_thumb
    lines = [
        text(
            "{many} games of {who}{others}; brackets are 95% intervals.",
            many=many,
            who=context.who,
            others=[others] * several,
        )
    ]
    if context.has_thumb:
        lines.append(text("The levels are simulated and not calibrated to people."))
    return [*lines, *open_rules.dependence(context)]


def _by_level(context: Context, main: Table) -> list[Block]:
    """Levels down, setups across: what each level wins; with many setups only what the level of the page wins."""
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
    changes = {name: row.change for name, row in context.results.by_level.items() if row.change}
    columns += [Column("change", "change, on the same deals")] if changes else []
    rows: list[list[Any]] = []
    for name in _named(context):
        found = [level_of(one, name) for one in chosen]
        cells = [with_word(level.value, level.note) if level and is_known(level) else None for level in found]
        if any(cells):
            rows.append([name, *cells, *([changes.get(name)] if changes else [])])
    what, where = capital(main.goal.title), "" if several else f", with {context.players(main.setup)}"
    return [table("levels", f"{what} by each level{where}.", columns, rows)]


def _glance(context: Context, difficulties: Sequence[Table]) -> Block:
    """Variants down, players across: what the level of the page wins in each setup, with its word."""
    shown = {
        (context.name(difficulty.setup), difficulty.setup.players): level_of(difficulty, context.level)
        or strongest_fair(difficulty)
        for difficulty in difficulties
    }
    name = next(iter(shown.values())).strategy
    counts = sorted({players for _, players in shown})
    rows: list[list[Any]] = []
    for variant in dict.fromkeys(variant for variant, _ in shown):
        levels = [shown.get((variant, players)) for players in counts]
        rows.append([variant, *(level and with_word(level.value, level.note) for level in levels)])
    columns = [Column("variant", "variant")]
    columns += [Column(f"win_{players}", f"{players} {context.players_noun(players)}") for players in counts]
    return table("glance", f"At a glance: {difficulties[0].goal.title} by {name} players.", columns, rows)
