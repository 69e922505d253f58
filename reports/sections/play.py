"""How to play well, learned from the strong players: rules by their worth, a short list, openings, mistakes."""

from __future__ import annotations

from typing import Any

from houle.analysis.strategy.habits import Habits, Mistake
from houle.reports.blocks import PERCENT, POINTS, Column, Section, bullets, figure, note, number, scene, table, text
from houle.reports.context import Inquiry
from houle.reports.html.format import in_words

MOST_HABITS = 8


def _none(inquiry: Inquiry, section: Section) -> Section:
    section.add(text(f"{inquiry.title} has no rules of thumb yet, so there is nothing to learn this from."))
    return section


def rules(inquiry: Inquiry) -> Section:
    """Rules of thumb ranked by what leaving each out costs."""
    section = Section("rules-of-thumb", "Rules of thumb, by their worth")
    if not inquiry.thumbs:
        return _none(inquiry, section)
    from houle.analysis.strategy.ablation import restrict
    from houle.reports.figures.rules_of_thumb import draw as draw_costs

    deals = inquiry.effort.number("ablation_deals")

    def told(done: int, seconds: float, games: int) -> None:
        inquiry.tell(min(1.0, done / max(games, 1)))

    found = restrict(inquiry.main, "thumb", (), None, deals, inquiry.seed, inquiry.threads, told)
    known = [one for one in found.restrictions if one.cost is not None]
    who = "everybody forgets it" if found.together else "one player forgets it, against others who do not"
    section.add(
        text(
            f"With {inquiry.table(inquiry.main)} players who follow all rules of thumb win {{win}}. What forgetting "
            f"one of them costs, when {who}, on the same {{deals}} deals:",
            win=number(found.free, PERCENT),
            deals=found.deals,
        )
    )
    rows = [(one.text, one.cost) for one in known]
    if rows:
        alt = "; ".join(f"{words} {100 * cost.value:.1f} points" for words, cost in rows[:3] if cost)
        section.draw(
            figure("rules-of-thumb", "What forgetting a rule costs, in points of the win rate.", f"{alt}."),
            lambda path: draw_costs(found, path),
        )
    table_rows: list[list[Any]] = [
        [one.text, number(one.cost, POINTS), number(one.score), one.remark] for one in found.restrictions
    ]
    columns = [Column("rule", "rule of thumb"), Column("cost", "wins lost", POINTS),
               Column("score_change", f"{inquiry.main.score.replace('_', ' ')}, change"),
               Column("remark", "remark")]  # fmt: skip
    section.add(table("rules-of-thumb", "Every rule of thumb, the dearest first.", columns, table_rows))
    section.add(
        note(
            "Rules stand in for each other: one that costs nothing alone may still be followed by another, and one may "
            "be turned round by others that say the same better. Each interval holds by itself."
        )
    )
    section.results["restricted"] = found.as_json()
    section.repeat = [f"houle restrict {inquiry.arguments(inquiry.main)} -s thumb -n {deals} --seed {inquiry.seed}"]
    return section


def shortlist(inquiry: Inquiry) -> Section:
    """At most seven rules, distilled from search."""
    section = Section("shortlist", "If you remember only a few rules")
    if not inquiry.thumbs:
        return _none(inquiry, section)
    from houle.analysis.strategy.shortlist import shortlist as learn

    positions = inquiry.positions()
    deals, search = inquiry.effort.number("list_deals"), inquiry.effort["search"]
    told = inquiry.progress(deals, 0.5, 0.5)
    found = learn(inquiry.main, positions, search, deals, inquiry.seed, 0, inquiry.threads, told)
    if not found.lines:
        section.add(text("No short list of rules does better than random moves in the positions that were judged."))
        return section
    section.add(
        text(
            f"{in_words(len(found.lines)).capitalize()} rule{'s' if len(found.lines) > 1 else ''}, in this order. "
            "A rule higher up outweighs those below it, unless it hardly tells the moves apart."
        )
    )
    section.add(bullets([text(line.sentence) for line in found.lines], numbered=True))
    wins = found.wins
    if found.kept:
        section.add(
            text(
                f"On {{deals}} fresh deals the list wins {{list}}, random play {{random}}, search ({found.search}) "
                "{search}: the list keeps {kept} of the gap between random play and search.",
                deals=found.deals.number,
                list=number(wins["list"], PERCENT),
                random=number(wins["random"], PERCENT),
                search=number(wins["search"], PERCENT),
                kept=number(found.kept, PERCENT),
            )
        )
    else:
        section.add(
            text(
                "On {deals} fresh deals the list wins {list} and random play {random}; search is not certainly better "
                "than random play on so few, so there is no gap to keep a share of.",
                deals=found.deals.number,
                list=number(wins["list"], PERCENT),
                random=number(wins["random"], PERCENT),
            )
        )
    called = {"list": "the list", "search": f"search ({found.search})"}
    rows = [[called.get(name, name), number(win, PERCENT)] for name, win in wins.items()]
    section.add(
        table("shortlist", "Who wins how often on the same fresh deals, with 95% intervals.",
              [Column("player", "player"), Column("win", "wins", PERCENT)], rows)
    )  # fmt: skip
    section.add(
        note(
            f"Learned from {{positions}} positions in which {inquiry.effort['judge']} judged every move.",
            positions=found.positions,
        )
    )
    section.results["shortlist"] = found.as_json()
    return section


def openings(inquiry: Inquiry) -> Section:
    """How search begins."""
    section = Section("openings", "How to begin")
    if not inquiry.thumbs:
        return _none(inquiry, section)
    from houle.analysis.strategy.habits import habits

    positions = inquiry.openings()
    who = [inquiry.novice] if inquiry.novice else ["thumb"]
    found = habits(inquiry.main, positions, who, inquiry.seed, 1)
    section.add(
        text("The first choice of {games} games, judged by search. What it does there, and what others do:",
             games=len(positions))
    )  # fmt: skip
    section.add(_habits(inquiry, found, "openings"))
    for mistake in found.mistakes:
        section.add(_example(inquiry, mistake))
    section.results["openings"] = found.as_json()
    return section


def mistakes(inquiry: Inquiry) -> Section:
    """What random players and beginners do differently from search."""
    section = Section("mistakes", "Typical mistakes")
    if not inquiry.thumbs:
        return _none(inquiry, section)
    from houle.analysis.strategy.habits import habits

    who = [inquiry.novice] if inquiry.novice else ["thumb"]
    positions = inquiry.positions()
    number_of = inquiry.effort.number("examples")
    found = habits(inquiry.main, positions, who, inquiry.seed, number_of)
    section.add(
        text(
            f"In {{positions}} positions of {inquiry.table(inquiry.main)}, how often each player makes a move that "
            "follows a rule as well as any move could, where moves differ in it:",
            positions=found.positions,
        )
    )
    section.add(_habits(inquiry, found, "habits"))
    section.add(
        note("Rules go together: a row says what the moves of search look like beside those of others, not why.")
    )
    if found.mistakes:
        section.add(text("Dear mistakes, as the player to move sees them. The better move has a full ring, the mistake "
                         "a broken one."))  # fmt: skip
    else:
        section.add(text("No single mistake was certain enough to be shown."))
    for mistake in found.mistakes:
        section.add(_example(inquiry, mistake))
    section.results["habits"] = found.as_json()
    return section


def _habits(inquiry: Inquiry, found: Habits, name: str) -> dict[str, Any]:
    """How often every player follows each rule; a line where there are too few positions to say."""
    if not found.habits:
        return note("In so few positions moves differ too seldom to tell players apart.")

    players = list(found.habits[0].followed)
    columns = [Column("rule", "what search does"), Column("asked", "asked")]
    columns += [Column(player, player.partition("[")[0], PERCENT) for player in players]
    rows = [
        [habit.sentence, habit.asked,
         *(number(share, PERCENT) for share in habit.followed.values())]
        for habit in found.habits[:MOST_HABITS]
    ]  # fmt: skip
    caption = "How often a rule is followed, where moves differ in it; intervals clustered by game."
    return table(name, caption, columns, rows)


def _example(inquiry: Inquiry, mistake: Mistake) -> dict[str, Any]:
    """A position drawn as cards, with the better move and the worse one."""
    from houle.analysis.comparison.words import role
    from houle.analysis.sampling.positions import walk
    from houle.reports.html.positions import rows_of, said

    one = mistake.one
    worse, better = mistake.words
    seen = walk(inquiry.main, inquiry.seed, one.game, one.ply)
    rows = rows_of(seen, better, worse)
    better, worse = said(seen, better), said(seen, worse)
    who = role(mistake.who)
    caption = text(
        f"{who[0].upper()}{who[1:]} would {worse}. Search would {better}: better by {{price}} of its measure of the "
        "end of a round, which runs from 0 to 1.",
        price=number(mistake.price),
    )
    return scene(caption, rows, f"Game {one.game}, decision {one.ply}: {better} is better than {worse}.")
