"""Cards drawn as cards: a small inline SVG for each face, from plain data.

A face is {"top", "name", "word", "paint", "mark", "icon", "lamp", "place", "pointing", "ring", "known"}: the large
text, its name, a shorter word to write on it instead, the name of the card's colour, `reverse` if it has that symbol, a
picture (an SVG path of 24 by 24) and the colour of a lamp in it, its place in a hand, who points at it, the move it
belongs to (`best` or `other`), and what its owner knows about it, which is also written on a back.
{"hidden": true} is a card back, with "top" as a number on it; {"empty": true} a place without a card. The name of the
colour is always on the card, for readers who cannot tell colours apart.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from houle.solver.interface.files import Row
from houle.solver.matches.match import Match
from houle.solver.matches.views import plain_rows, view_of

WIDTH, HEIGHT = 54, 76
INK, PAPER, SEA = "#1b2733", "#fdfdfb", "#0b5a8a"
NO_MOVE = -1
LINE = 10  # between two lines of words
LONG, MOST_WIDE = 8, 46  # words with so many letters are fitted into this width, however large pages write them
MOST_WORD = 7  # letters in an empty place
MOST_KNOWN = 10  # letters in the strip of what is known
LAMPS = {"red": "#ff5a52", "green": "#3ddc84"}
WHOLE_TURN, MOST_TURN = 64, 14  # degrees: of a whole fan, and between two cards of it
DASHED = ' stroke-dasharray="4 3"'  # the edge of an empty place
RINGS = {"best": "#007a5a", "other": "#c2410c"}

# Colour of the card and of its ink, by colour name.
PAINTS = {
    "white": ("#fdfdfb", INK),
    "yellow": ("#f4cf4a", INK),
    "orange": ("#ee9440", INK),
    "red": ("#c43b3f", "#ffffff"),
    "sky": ("#8fcdf0", INK),
    "navy": ("#20396b", "#ffffff"),
    "blue": ("#2f6db5", "#ffffff"),
    "green": ("#2f8f6b", "#ffffff"),
    "purple": ("#7a5195", "#ffffff"),
    "violet": ("#7a5195", "#ffffff"),
    "pink": ("#e3a0c0", INK),
    "brown": ("#8a6242", "#ffffff"),
    "grey": ("#d5dbe0", INK),
    "black": ("#333a42", "#ffffff"),
    "water": ("#cfe6f5", INK),
    "paper": (PAPER, INK),
}
PALE = ("#dbe7d3", "#eadfd0", "#dcd6ea", "#d3e6e6", "#efd9d9", "#e6e3c8")  # for other colour names


def paint(name: str) -> tuple[str, str]:
    """Colour of the card and of its ink; an unknown name always gets the same pale colour."""
    return PAINTS.get(name) or (PALE[zlib.crc32(name.encode()) % len(PALE)], INK)


def face(card: Mapping[str, Any], say: Callable[[str], str] = str) -> str:
    """One card as an SVG element; `say` puts the words on the card into the reader's language."""
    pointing = ", ".join(card.get("pointing", ()))
    hand = _hand() if pointing else ""
    pointed = f", pointed at by {pointing}" if pointing else ""
    known = str(card.get("known", ""))
    pointed += f", known: {known}" if known else ""
    if card.get("hidden"):
        number = str(card.get("top", ""))
        label = f"face-down card {number}" if number else "a face-down card"
        drawn = (_number(number) if number else _waves()) + _known(known)
        return _frame(SEA, label + pointed, drawn + hand, card.get("ring", ""))
    if card.get("empty"):
        return _empty(str(card.get("top", "")), str(card.get("name", "")))
    colour, ink = paint(card.get("paint", "paper"))
    top, name = str(card.get("top", "")), str(card.get("name", ""))
    parts = []
    if top:
        size = 20 if card.get("icon") or len(top) > 2 else 30
        middle = 46 if card.get("icon") else 38
        parts.append(
            f'<text x="27" y="{middle + size * 0.3:g}" font-size="{size}" font-weight="700" text-anchor="middle" '
            f'fill="{ink}">{escape(top)}</text>'
        )
    lines, icon = _lines(say(str(card.get("word", name)))), str(card.get("icon", ""))
    low = bool(top or icon)
    first = 67 if low else 40 - LINE / 2 * (len(lines) - 1)
    first -= LINE * (len(lines) - 1) if low else 0
    if icon:
        parts.append(_icon(icon, ink, bool(top), str(card.get("lamp", ""))))
    for i, line in enumerate(lines):
        fitted = f' textLength="{MOST_WIDE}" lengthAdjust="spacingAndGlyphs"' if len(line) >= LONG else ""
        parts.append(
            f'<text class="word" translate="no" x="27" y="{first + LINE * i:g}" font-size="9" text-anchor="middle" '
            f'fill="{ink}"{fitted}>{escape(line)}</text>'
        )
    if card.get("mark") == "reverse":
        parts.append(
            f'<g fill="none" stroke="{ink}" stroke-width="1.6" stroke-linecap="round">'
            '<path d="M45 10a5 5 0 1 0 1 5"/><path d="M46.5 7.5l-1 3.5-3.500-.8"/></g>'
        )
    elif mark := str(card.get("mark", "")):  # what the card is worth
        at = f'x="50" y="15" font-size="12" text-anchor="end" fill="{ink}"'
        parts.append(f'<text class="corner" {at}>{escape(mark)}</text>')
    if place := str(card.get("place", "")):
        parts.append(f'<text class="corner" x="6" y="16" font-size="12" fill="{ink}">{escape(place)}</text>')
    label = " ".join(part for part in (name, top) if part)
    label += f" in place {place}" if place else ""
    label += ", reverse" if card.get("mark") == "reverse" else ""
    label += {"best": ", the better move", "other": ", the mistake"}.get(card.get("ring", ""), "")
    return _frame(colour, label + pointed, "".join(parts) + _known(known) + hand, card.get("ring", ""))


def _known(words: str) -> str:
    """A strip at the foot of a card with what its owner knows; long words are cut."""
    if not words:
        return ""
    shown = words if len(words) <= MOST_KNOWN else f"{words[: MOST_KNOWN - 1]}…"
    return (
        f'<rect x="3" y="61" width="{WIDTH - 6}" height="12" rx="3" fill="{PAPER}"/><text translate="no" x="27" y="70" '
        f'font-size="8.5" text-anchor="middle" fill="{INK}">{escape(shown)}</text>'
    )


def _frame(colour: str, label: str, inside: str, ring: str = "") -> str:
    edge, wide = (RINGS[ring], 3.5) if ring else ("#8a97a3", 1)
    line = f' stroke-width="{wide}"' + (' stroke-dasharray="6 3"' if ring == "other" else "")
    return (
        f'<svg class="card" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{_sheet(colour, edge, line)}{inside}</svg>'
    )


def _sheet(fill: str, edge: str, line: str = "") -> str:
    """The sheet of a card; `line` says more about how its edge is drawn."""
    return f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="6" fill="{fill}" stroke="{edge}"{line}/>'


def fan(cards: int) -> str:
    """The backs of a hand, as an SVG element."""
    step = min(MOST_TURN, WHOLE_TURN / max(1, cards - 1))
    turns = (step * (place - (cards - 1) / 2) for place in range(cards))
    backs = (f'<g transform="rotate({turn:.1f} 27 170)">{_sheet(SEA, "#bfe0f2")}{_waves()}</g>' for turn in turns)
    return f'<svg class="fan" viewBox="-76 0 206 102" aria-hidden="true">{"".join(backs)}</svg>'


def _icon(path: str, ink: str, small: bool, lamp: str) -> str:
    """A picture above the words, small if there is a number too. Open lines are drawn, closed shapes are filled."""
    x, y, scale = (14, 7, 1.1) if small else (9, 7, 1.5)
    style = f'fill="{ink}"' if "z" in path else f'fill="none" stroke="{ink}" stroke-width="2" stroke-linecap="round"'
    bulb = ""
    if lamp:
        at = {"red": 6, "green": 14}.get(lamp, 10)
        bulb = f'<circle cx="12" cy="{at}" r="3.2" fill="{LAMPS.get(lamp, lamp)}" stroke="{INK}"/>'
    return f'<g transform="translate({x} {y}) scale({scale})"><path d="{path}" {style} fill-rule="evenodd"/>{bulb}</g>'


def _empty(top: str, name: str) -> str:
    """A place without a card: a dashed outline with its number or a word. `next` is where the next card goes."""
    label, word = name or f"empty place {top}".strip(), top or (name if len(name) < MOST_WORD else "")
    size = 22 if word.isdigit() else 14
    return (
        f'<svg class="card empty{" next" if name == "next" else ""}" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="{escape(label)}">'
        f"{_sheet('none', '#8a97a3', DASHED)}"
        f'<text x="27" y="{38 + size / 3:g}" '
        f'font-size="{size}" text-anchor="middle" stroke="none" fill="currentColor">{escape(word)}</text></svg>'
    )


def _number(number: str) -> str:
    """The back of a card with its place in the hand."""
    return (
        f'{_waves()}<circle cx="27" cy="39" r="13" fill="{SEA}" stroke="#bfe0f2"/>'
        '<text x="27" y="45" font-size="17" font-weight="700" text-anchor="middle" fill="#ffffff">'
        f"{escape(number)}</text>"
    )


def _hand() -> str:
    """A mark on a card that somebody points at: an arrow from above."""
    return f'<path d="M27 20l-7-8h4v-8h6v8h4z" fill="#ffd23f" stroke="{INK}" stroke-width="1.2"/>'


def _waves() -> str:
    """The back of a card: three waves."""
    rows = (f"M9 {y}q6-7 12 0t12 0t12 0" for y in (28, 39, 50))
    return f'<path d="{"".join(rows)}" fill="none" stroke="#bfe0f2" stroke-width="2" stroke-linecap="round"/>'


def _lines(name: str, width: int = 10, most: int = 4) -> list[str]:
    """Wrap words to fit on the card."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word if len(word) <= width + 2 else f"{word[: width + 1]}.")
    return lines[:most]


def position_rows(match: Match, best: int | None = None, other: int | None = None) -> list[Row]:
    """The rows of a position, with rings around the cards of two actions."""
    seat = match.to_move()
    kinds = [NO_MOVE if action is None else match.seen(action, seat)[1] for action in (best, other)]
    return ringed(view_of(match.state, match.setup, seat), *kinds)


def ringed(rows: list[Row], best: int, other: int) -> list[Row]:
    """Rows of a view, ready to draw, with rings around the cards of two kinds of actions (`Face.moves`)."""
    rows = plain_rows(rows)
    own = [card for row in rows if row.pop("own", False) for card in row["cards"]]
    for ring, move, rival in (("best", best, other), ("other", other, best)):
        meant = [card for card in own if move in card.get("moves", ())]
        # If both moves use the same card, ring what differs, such as a row.
        meant = [card for card in meant if rival not in card.get("moves", ())] or meant
        for card in meant:
            if not card.get("ring"):
                card["ring"] = ring
                break
    return rows
