"""Recorded games of people as matches of the plain class and as records, and variants as settings of its knobs.

    python hanabi/people.py FOLDER [FILE]       # a record of each game, for `houle trace` and `houle review`

people/README.md says where the games come from and how a line is written. The recorded deck replaces the luck of the
game: it answers every draw with the place of the next recorded card.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from suits import KINDS, ONCE, SUITS

from houle.solver.plain.plain_class import PlainClass, load_class
from houle.solver.plain.random_streams import Chance

FOLDER = Path(__file__).resolve().parents[1] / "people"
GAMES, VARIANTS = FOLDER / "hanabi_people.jsonl.gz", FOLDER / "hanabi_variants.csv"
RULES = {"keeps_points": True, "discard_with_all_clues": True}
TOUCHES = ("own", "all", "none")
FACTS = {
    "colour": TOUCHES,
    "rank": TOUCHES,
    "copies": ("usual", "one"),
}  # what `special` says about a suit
COLUMNS = ("variant", "suits", "special", "games", "wins")
SPECIAL = ("special", "second_special")


class Deck:
    """Draws the cards of a list in its order, from a pile that is kept sorted."""

    def __init__(self, cards: list[int], pile: list[int]) -> None:
        self.cards, self.pile = list(cards), sorted(pile)

    def __call__(self, n: int) -> int:
        if n != len(self.pile) or not self.cards:
            raise ValueError(f"{n} cards to draw from, but the recorded deck has {len(self.cards)} left")
        place = bisect_left(self.pile, self.cards.pop(0))
        self.pile.pop(place)
        return place


def recorded_games(path: Path = GAMES) -> list[dict[str, Any]]:
    """All recorded games, one dict each."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def record_of(game: dict[str, Any]) -> str:
    """A recorded game as a record of houle, with its deck; the partner is seat 1, the person seat 2."""
    deck = " ".join(f"{SUITS[int(card[0])][0].upper()}{card[1]}" for card in game["deck"])
    moves = [f"seat {move[0] + 1} {move_text(move)}" for move in game["moves"]]
    lines = ["game: hanabi", "players: 2", "variants: people", f"deck: {deck}"]
    return "\n".join([*lines, *(f"move {number}: {move}" for number, move in enumerate(moves, 1))]) + "\n"


def cards_of(deck: list[str]) -> list[int]:
    """The cards of the plain class: the copies of a card are numbered as they come."""
    seen: dict[str, int] = {}
    cards = []
    for text in deck:
        cards.append(10 * int(text[0]) + ONCE[int(text[1]) - 1] + seen.get(text, 0))
        seen[text] = seen.get(text, 0) + 1
    return cards


@lru_cache
def plain_class() -> PlainClass:
    """The plain class, with the defaults of rules.toml."""
    return load_class(str(Path(__file__).with_name("plain.py")))


def deal(game: dict[str, Any]) -> Any:
    """A match of the plain class with the recorded deck; the partner has seat 0, the person seat 1."""
    cards = cards_of(game["deck"])
    return plain_class().open(2, RULES, Deck(cards, cards), Chance(0))  # type: ignore[arg-type]


def move_text(move: list[Any]) -> str:
    """A recorded move as the game writes it."""
    _, action, card, target, colour, number = move
    if action < 2:
        return f"clue {SUITS[colour] if action == 0 else number} to seat {target + 1}"
    return f"{('play', 'discard')[action - 2]} {card + 1}"


def has_changed_places(game: dict[str, Any]) -> bool:
    """Whether the person moved in the partner's turns from some move on: then seat 0 clues itself, against the rules.

    The file has three such games. Their other moves are legal, and their scores follow from the moves as written.
    """
    return any(action < 2 and seat == target for seat, action, _, target, _, _ in game["moves"])


def replay(game: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """The match before each recorded move, with the move; at the end the finished match, with an empty text.

    The match goes on when the next one is asked for: copy it to keep it. Only in games that `has_changed_places` a
    player can clue the own hand.
    """
    match, lax = deal(game), has_changed_places(game)
    for i, move in enumerate(game["moves"]):
        if match.to_move() != move[0]:
            raise ValueError(
                f"game {game['game']}: move {i + 1} is of seat {move[0]}, but {match.to_move()} is to move"
            )
        text = move_text(move)
        yield match, text
        if lax and move[1] < 2 and move[0] == move[3]:
            match.give(*match.clue_of(text))
            match.seat = 1 - match.seat
        else:
            match.apply(text)
    yield match, ""


def variants(path: Path = VARIANTS) -> list[dict[str, Any]]:
    """The rule variants of the table: name, settings of the knobs, games and wins.

    Raises ValueError, with its line, for the first row that is not written as people/README.md says.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        if not set(COLUMNS) <= set(reader.fieldnames or ()):
            raise ValueError(f"line 1: the columns are not {','.join(COLUMNS)}")
        found = []
        for row in reader:
            try:
                found.append(variant_of(row))
            except ValueError as fault:
                raise ValueError(f"line {reader.line_num}: {fault}") from None
    return found


def variant_of(row: dict[str, str | None]) -> dict[str, Any]:
    """A row of the table as a variant. Raises ValueError that names the column."""
    for column in COLUMNS:
        if row[column] is None or (column != "special" and not row[column]):
            raise ValueError(f"{column} is missing")
    suits, games, wins = (whole(row, column) for column in ("suits", "games", "wins"))
    if not 3 <= suits <= len(SUITS):
        raise ValueError(f"suits: {suits} is not allowed; allowed: 3 to {len(SUITS)}")
    if not 0 <= wins <= games or games == 0:
        raise ValueError(f"wins: {wins} of {games} games is not allowed")
    return {"name": row["variant"], "settings": settings_of(suits, str(row["special"])), "games": games, "wins": wins}


def whole(row: dict[str, str | None], column: str) -> int:
    text = str(row[column])
    if not text.isdecimal() or len(text) > 12:
        raise ValueError(f"{column}: {text[:40]!r} is not allowed; allowed: a whole number")
    return int(text)


def settings_of(suits: int, special: str) -> dict[str, Any]:
    """The knobs of a variant: `colour=all rank=own copies=one` is a special suit, a semicolon separates two."""
    words = [kind_of(one) for one in filter(None, special.split("; "))]
    if len(words) > len(SPECIAL):
        raise ValueError(f"special: {len(words)} special suits; allowed: at most {len(SPECIAL)}")
    return {"suits": suits, **dict(zip(SPECIAL, words, strict=False))}


def kind_of(special: str) -> str:
    """The kind of a special suit."""
    facts = dict(part.partition("=")[::2] for part in special.split())
    if facts.keys() != FACTS.keys() or not all(facts[name] in words for name, words in FACTS.items()):
        allowed = " ".join(f"{name}={'|'.join(words)}" for name, words in FACTS.items())
        raise ValueError(f"special: {special[:60]!r} is not allowed; allowed: {allowed}")
    colour, rank, once = (words.index(facts[name]) for name, words in FACTS.items())
    return KINDS[9 * once + 3 * colour + rank]


def write_records(folder: Path, path: Path = GAMES) -> tuple[int, int]:
    """Writes a record of each game into a folder; returns how many, and how many are against the rules."""
    games = recorded_games(path)
    legal = [game for game in games if not has_changed_places(game)]
    folder.mkdir(parents=True, exist_ok=True)
    for game in legal:
        (folder / f"{game['game']}.txt").write_text(record_of(game), encoding="utf-8")
    return len(legal), len(games) - len(legal)


if __name__ == "__main__":
    written, left_out = write_records(*map(Path, sys.argv[1:3]))
    print(f"wrote {written:,} records; {left_out} games are left out because a player clues the own hand")
